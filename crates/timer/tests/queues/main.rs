//! Both kinds of queue, and the timers of a core, against sorted lists.

mod by_hand;
mod core_timers;
mod property;
mod sorted_list;
