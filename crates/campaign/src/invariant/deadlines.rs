//! Deadlines of what competes by deadline, as far as they are known.
//!
//! **Model.** A task's is its first job's arrival plus its relative one; a server's is what its rule
//! says ([`super::budgets`]). Servers whose rule is not stated there have none that is known.

use super::Findings;
use super::budgets::Budgets;
use super::competitor::Competitor;
use super::event::Event;
use super::picture::Picture;
use vorrang_time::Instant;

/// The servers with a rule, whose budgets are checked against it during the run.
pub(super) struct Deadlines {
    budgets: Budgets,
}

impl Deadlines {
    pub(super) fn new(picture: &Picture<'_>) -> Self {
        Self { budgets: Budgets::new(picture) }
    }

    /// The absolute deadline; `None`: not known.
    pub(super) fn of(&self, competitor: Competitor, picture: &Picture<'_>) -> Option<Instant> {
        match competitor {
            Competitor::Task(id) => {
                let arrival = picture.jobs[id.0].front()?.arrival;
                let relative = picture.system.task(id).deadline;
                let absolute = relative.and_then(|deadline| arrival.checked_add(deadline));
                Some(absolute.unwrap_or(Instant::NEVER))
            }
            Competitor::Server(id) => {
                let own = self.budgets.all.iter().find(|own| own.id == id);
                own.and_then(super::budgets::Budget::deadline)
            }
            Competitor::PseudoVcpu(_) => None,
        }
    }
}

impl Deadlines {
    /// Takes an event that concerns budgets.
    pub(super) fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        self.budgets.hear(event, picture, findings);
    }
}
