//! An earlier check of the same description, before a change.
//!
//! **Model.** What was found of cores on which nothing changed, nor on any that paths connect with them, is not looked for
//! once more: bounds, histories and losses of one core depend on no other ([`System::same_cores`]). Verdicts, remedies
//! and tables are made of all of it as always, so that a result is that of a first check.
//!
//! **Assumptions.** 1. The earlier check had the same limits and came to its end; else nothing of it is taken over.

use crate::checked::Checked;
use crate::loss::Lost;
use vorrang_analysis::{Bounds, Known, bounds_since, bounds_until};
use vorrang_model::System;
use vorrang_model::system::SupplyId;
use vorrang_sim::{Ceilings, Observations, Observer, Progress, Search, SeenBefore, search_since};

/// What is taken over from an earlier check, if there is one.
#[derive(Clone, Copy, Default)]
pub struct Earlier<'e> {
    checked: Option<&'e Checked>,
}

impl<'e> Earlier<'e> {
    /// For a check with these limits.
    pub fn of(checked: Option<&'e Checked>, search: &Search) -> Self {
        let fits = |checked: &&Checked| !checked.interrupted && checked.search == *search;
        Self { checked: checked.filter(fits) }
    }

    /// The bounds of a system, until their end is wanted.
    pub fn bounds(self, system: &System, is_end_wanted: &dyn Fn() -> bool) -> Bounds {
        match self.checked {
            Some(Checked { input, bounds, .. }) => {
                bounds_since(system, &Known::of(system, &input.system, bounds), is_end_wanted)
            }
            None => bounds_until(system, is_end_wanted),
        }
    }

    /// Looks for long responses, and no further where one is as long as its bound.
    pub fn search(
        self,
        (system, bounds): (&System, &Bounds),
        search: &Search,
        observer: &mut impl Observer,
        progress: &mut impl FnMut(Progress),
    ) -> Observations {
        let ceilings = Ceilings {
            tasks: system.task_ids().map(|id| bounds.task(id).bound()).collect(),
            interrupts: system.interrupt_ids().map(|id| bounds.interrupt(id).bound()).collect(),
        };
        let before = self.checked.map_or_else(SeenBefore::default, |before| {
            SeenBefore::of(system, &before.input.system, &before.observations)
        });
        search_since(system, search, &ceilings, &before, observer, progress)
    }

    /// The cores of which losses are known, and these.
    pub(crate) fn losses(self, system: &System) -> (Vec<SupplyId>, &'e [Lost]) {
        match self.checked {
            Some(Checked { input, losses, .. }) => (system.same_cores(&input.system), losses),
            None => (Vec::new(), &[]),
        }
    }
}
