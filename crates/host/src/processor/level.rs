//! Loans among tasks that stand on the core itself.
//!
//! **Model.** Such a task has its own priority, and a loan that of its member's level. A task that is more urgent than the lent
//! thread takes the processor from it without a decision. The budget ends later by as long as that takes:
//!
//! ```text
//!   task              ######           ##
//!   lent thread   ####      ##########   ####
//!   decisions     |   |     |                |
//!                 a   b     c                d      a: until the budget is used up, which would be b
//! ```
//!
//! At *b* the task is found to run. So there is nothing to wait for but its end, or what is due anyway: *c*. A task that has come and
//! gone before the budget would be used up causes one decision there, which finds the rest of it.
//!
//! **Assumption.** Tasks run on this processor only: while a decision is made none of them goes to sleep.

use super::Processor;
use crate::machine::Machine;

impl Processor {
    /// The level of the loan.
    pub(super) fn level(&self) -> usize {
        self.lent().map_or(0, |place| self.members[place].level)
    }

    /// The level of the loan, if a task on the core precedes it.
    pub(super) fn preceded(&self, machine: &mut impl Machine) -> Option<usize> {
        let level = self.level();
        self.lent().filter(|_| machine.precedes(level)).map(|_| level)
    }
}
