//! What the threads of a run may still do while it goes on.
//!
//! **Model.** A run begins with all privileges of the user who starts it: it moves threads between groups, opens tracepoints and
//! raises priorities. Before the first loan each thread gives up those that it does not need from then on, and none gets them
//! back by starting a program (`PR_SET_NO_NEW_PRIVS`).
//!
//! | thread | keeps | for |
//! |---|---|---|
//! | dispatcher | `CAP_SYS_NICE`, `CAP_IPC_LOCK` | loans; memory that stays locked |
//! | guard | the same | the end of loans |
//! | keeper | the same, `CAP_DAC_OVERRIDE` | groups of other users, into which threads move back at the end |
//! | lenders, watchers | none | they wait, and others change their priorities |
//! | the process that undoes (`undoer.rs`) | as the keeper, and `CAP_SYS_MODULE` | a module that was loaded for the description |
//!
//! **Assumption.** Files and processes of this user need no privilege.

use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, set_capabilities, set_no_new_privs,
};
use std::io;

/// What a thread needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs {
    /// It waits.
    Nothing,
    /// Priorities of others.
    Priorities,
    /// Those, and the undoing of all changes but modules.
    Undoing,
    /// The undoing of all changes.
    Modules,
}

impl Needs {
    fn capabilities(self) -> CapabilitySet {
        let priorities = CapabilitySet::SYS_NICE | CapabilitySet::IPC_LOCK;
        match self {
            Self::Nothing => CapabilitySet::empty(),
            Self::Priorities => priorities,
            Self::Undoing => priorities | CapabilitySet::DAC_OVERRIDE,
            Self::Modules => Self::Undoing.capabilities() | CapabilitySet::SYS_MODULE,
        }
    }
}

/// The calling thread keeps what it has of that, and nothing else; so do those that it starts.
///
/// # Errors
/// As the kernel says.
pub(super) fn keep(needs: Needs) -> io::Result<()> {
    set_no_new_privs(true)?;
    let kept = capabilities(None)?.permitted & needs.capabilities();
    let inheritable = CapabilitySet::empty();
    Ok(set_capabilities(None, CapabilitySets { effective: kept, permitted: kept, inheritable })?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a thread of its own, so that others keep theirs.
    #[test]
    fn a_thread_keeps_what_it_needs() {
        let narrowed = std::thread::spawn(|| {
            let had = capabilities(None).expect("they can be read").permitted;
            let kept = [Needs::Undoing, Needs::Priorities, Needs::Nothing].map(|needs| {
                keep(needs).expect("a thread may give up what it has");
                capabilities(None).expect("they can be read")
            });
            (had, kept)
        });
        let (had, [undoing, priorities, nothing]) = narrowed.join().expect("it ends");
        assert_eq!(undoing.effective, had & Needs::Undoing.capabilities());
        assert_eq!(priorities.permitted, had & Needs::Priorities.capabilities());
        assert!(nothing.permitted.is_empty() && nothing.effective.is_empty());
    }
}
