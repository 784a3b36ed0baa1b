//! Both kinds of queue against a sorted list.

mod by_hand;
mod property;
mod sorted_list;
