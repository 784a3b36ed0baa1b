//! What is in a trace: read back with a reader of its own.

mod host;
mod reading;
mod storm;
mod told;
mod written;
