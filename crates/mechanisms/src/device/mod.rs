//! Devices: what they hold, and when they interrupt.

mod network_card;

pub use network_card::{NetworkCard, Next};
