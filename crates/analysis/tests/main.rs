//! The tests of this crate as one program: it is linked once, and its tests run side by side.

mod average;
mod bursts;
mod by_clock;
mod by_hand;
mod calls;
mod cards;
mod coverage;
mod curves;
mod davis_burns;
mod full_load;
mod interrupts;
mod kicks;
mod levels;
mod lone_task;
mod machine;
mod never_used_up;
mod non_preemptive;
mod overbooked;
mod posted;
mod reclaiming;
mod refill_queue;
mod reservations;
mod slices;
mod table;
mod timers;
mod woken;
