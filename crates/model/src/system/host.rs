//! What stands for the things of a description on the machine that it is applied to.

use std::collections::BTreeMap;

/// What stands for what, by full name. It changes no bound and no history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// The processor that is a core.
    pub cpus: BTreeMap<String, u32>,
    /// The thread that is a server, a virtual processor or a task, as it was written.
    pub threads: BTreeMap<String, String>,
    /// The interrupt, as it was written.
    pub interrupts: BTreeMap<String, String>,
    /// The vectors of an interrupt in its guest, as they were written.
    pub vectors: BTreeMap<String, String>,
    /// The margin in millionths of tasks and interrupts whose times were learnt.
    pub learnt: BTreeMap<String, u32>,
}
