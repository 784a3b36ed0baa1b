//! What a journal belongs to: a boot, and a description.

use crate::machine::{Kernel, Thread, all_threads, gone_is_none};
use serde::{Deserialize, Serialize};
use std::io;

pub(super) const FORMAT: &str = "vorrang-journal/1";

/// The description that is in effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Described {
    /// Its name.
    pub description: String,
    /// Its SHA-256.
    pub sha256: String,
    /// The verdict on it.
    pub verdict: String,
}

impl Described {
    /// A description with this name, SHA-256 and verdict.
    pub fn new(description: &str, sha256: &str, verdict: &str) -> Self {
        let [description, sha256, verdict] = [description, sha256, verdict].map(str::to_owned);
        Self { description, sha256, verdict }
    }
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The format of the file.
    pub format: String,
    /// The boot that it belongs to.
    pub boot: String,
    /// What is in effect.
    #[serde(flatten)]
    pub described: Described,
    /// The processors that every thread might use before.
    pub affinities: Vec<(Thread, Vec<u32>)>,
}

impl Head {
    /// The head for a machine as it is.
    ///
    /// # Errors
    /// The kernel does not say which boot it is, or which threads there are.
    pub fn of(kernel: &dyn Kernel, described: Described) -> io::Result<Self> {
        let mut affinities = Vec::new();
        for thread in all_threads(kernel)? {
            // One that has ended meanwhile has none.
            if let Some(cpus) = gone_is_none(kernel.affinity(thread.thread))? {
                affinities.push((thread, cpus));
            }
        }
        Ok(Self { format: FORMAT.to_owned(), boot: boot(kernel)?, described, affinities })
    }
}

pub(super) fn boot(kernel: &dyn Kernel) -> io::Result<String> {
    Ok(kernel.read("/proc/sys/kernel/random/boot_id")?.trim().to_owned())
}
