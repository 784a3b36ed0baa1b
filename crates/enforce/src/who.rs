//! A thread of the machine that belongs to an entity of the description.

use crate::machine::{Kernel, LOOKS, Thread, all_threads, is_there};
use crate::selector::{self, Unresolved};
use vorrang_model::system::Selector;

/// Such a thread, found anew as long as it has not been found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Who {
    /// Its full name in the description.
    pub label: String,
    /// How it is found.
    pub selector: Selector,
    /// The thread, if it is there already.
    pub known: Option<Thread>,
}

impl Who {
    /// The thread; waited for if the kernel is about to make it.
    pub(crate) fn find(&self, kernel: &dyn Kernel) -> Result<Thread, Unresolved> {
        let mut found = self.now(kernel);
        for _ in 0..LOOKS {
            if found.is_ok() || !selector::may_come(&self.selector) {
                break;
            }
            kernel.wait();
            found = self.now(kernel);
        }
        found
    }

    /// The thread as it is now.
    pub(crate) fn now(&self, kernel: &dyn Kernel) -> Result<Thread, Unresolved> {
        let unseen = |why| Unresolved::unseen(&self.selector, &why);
        match &self.known {
            Some(known) if is_there(kernel, known).map_err(unseen)? => Ok(known.clone()),
            _ => selector::find(&self.selector, kernel, &all_threads(kernel).map_err(unseen)?),
        }
    }

    /// The number of the thread, or its name as long as it does not exist.
    pub(crate) fn number(&self, of: impl Fn(&Thread) -> i32) -> String {
        self.known
            .as_ref()
            .map_or_else(|| self.selector.to_string(), |thread| of(thread).to_string())
    }
}
