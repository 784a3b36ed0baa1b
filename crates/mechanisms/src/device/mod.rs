//! Devices: their queues and their interrupts.

mod network_card;

pub use network_card::{NetworkCard, Next};
