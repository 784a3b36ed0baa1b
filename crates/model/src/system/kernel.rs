//! What a kernel does by itself on a core.
//!
//! **Model.** The interrupts and tasks of a profile are interrupts and tasks like any others, on each core that
//! names it: `core.0/tick`, `core.0/ktimers`. They are not declared, and cannot be: their names are no names of a
//! description. What else a profile says is where a core has it: its costs, what interrupts are charged to, what is
//! kept for `SCHED_OTHER`, by how much runtimes are overrun. Left here is what stands under no other noun.
//!
//! What each entry means is in `docs/kernel.md`.

/// The kernel of a core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// What the description calls it.
    pub name: String,
    /// With what its release begins, if that is known.
    pub release: Option<String>,
    /// Whether it is built with `PREEMPT_RT`, if that is known.
    pub is_realtime: Option<bool>,
    /// Which machine its times were taken on.
    pub origin: String,
    /// Whether it is a part of this program, so that its times are another machine's.
    pub is_shipped: bool,
    /// What it does besides, which no bound counts.
    pub not_counted: Vec<String>,
    /// What of it was measured, which shows what occurred and not what can occur.
    pub longest_seen: Vec<LongestSeen>,
}

/// Something whose longest was measured.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LongestSeen {
    /// The name of what was measured.
    pub what: String,
    /// Of how many it is the longest.
    pub samples: u64,
}

impl Kernel {
    /// Whether a kernel does this by itself, so that no description declares it.
    pub fn does(name: &str) -> bool {
        name.contains('/')
    }
}
