//! The decisions for a machine in memory, compared with the simulator on the same description.

mod changed;
mod drawn;
mod first;
mod heard;
mod lasting;
mod memory;
mod on_core;
mod planted;
mod raised;
mod simulated;
mod stated;
