//! A guest with a network card of virtio: what it tells of the frames that a thread of the host sends it.
//!
//! **Model.** Each frame is sent at a multiple of a period, goes from the thread to the worker of `vhost`, and from there as
//! an interrupt to the guest. Its handler (the *driver*) takes the frame from the queue and gives the buffer back; what is
//! behind the handler (*control*) does a job for each frame. Both note beginning and end, by the counter of the guest.
//!
//! **Assumption.** A frame is done before the next one is sent.

use crate::record::Job;
use serde::{Deserialize, Serialize};

/// Everything that was seen. Times are nanoseconds of `CLOCK_MONOTONIC`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The jobs of the thread that sends.
    pub sender: Vec<Job>,
    /// Beginning and end of each job of the driver.
    pub driver: Vec<(u64, u64)>,
    /// The same of control.
    pub control: Vec<(u64, u64)>,
    /// What the counters of guest and host may differ by.
    pub uncertain: u64,
}
