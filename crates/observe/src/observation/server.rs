//! The row of a server.

use super::setting::RESERVED;
use super::{Kind, Look, Row, Seen, Usage};
use crate::comparison::{Comparison, Place, Sight, What};
use crate::history::History;
use crate::matching::Found;
use crate::usage::{self, Before};
use vorrang_model::system::{Member, Scheduler, Server, ServerKind, SupplyId};

impl Look<'_> {
    /// `None` for a core.
    pub(super) fn server(&self, id: SupplyId) -> Option<Row> {
        let supply = self.system.supply(id);
        supply.on()?;
        let kind = if supply.vm.is_some() { Kind::Vcpu } else { Kind::Server };
        let seen = self.matching.supplies[id.0].clone().map(|thread| self.budget(id, thread));
        let is_shown = supply.on().is_none_or(|on| self.system.guest_around(on).is_none());
        Some(Row { name: supply.name.clone(), kind, is_shown, seen })
    }

    fn budget(&self, id: SupplyId, thread: u32) -> Seen {
        let supply = self.system.supply(id);
        let history = self.history(thread);
        let mut seen = self.named(thread);
        seen.preempted = history.preempted;
        let is_of_linux = supply.is_of_linux();
        seen.notes = self.strange(&supply.name, id, thread, is_of_linux.then_some(RESERVED));
        let Some(server) = supply.server() else {
            let why = "a share of turns has no budget".to_owned();
            seen.comparisons = vec![Comparison::open(What::Budget, why)];
            return seen;
        };
        let (budget, period) = (server.budget.as_ns(), server.period.as_ns());
        let span = u128::from(self.schedule.end - self.schedule.begin);
        let mean = u128::from(history.received.total()) * u128::from(period);
        seen.usage = Some(Usage {
            budget,
            period,
            mean: u64::try_from(mean.checked_div(span).unwrap_or(0)).unwrap_or(u64::MAX),
            largest: usage::largest(history, period),
        });
        seen.comparisons = vec![match self.limited(id, server) {
            Ok(()) => self.fullest(history, thread, server),
            Err(why) => Comparison::open(What::Budget, why),
        }];
        seen
    }

    fn fullest(&self, history: &History, thread: u32, server: &Server) -> Comparison {
        let (budget, period) = (server.budget.as_ns(), server.period.as_ns());
        let (before, overrun) = if server.kind().is_of_linux() {
            (Before::TwoMore, self.system.supply(server.on).overrun.as_ns())
        } else {
            (Before::Anything, 0)
        };
        let sight =
            usage::fullest(history, budget, period, before).map(|(window, allowed)| Sight {
                time: window.used.time,
                // Its overrun is taken off its next budgets: it counts once in any window.
                bound: allowed.saturating_add(overrun),
                resolution: self.resolution(window.used.pieces),
                place: Place { window: window.window, cpu: self.last_cpu(thread, window.window.1) },
                excuse: None,
            });
        Comparison::of(What::Budget, sight.as_slice())
    }

    /// The processor that a thread had last before an instant.
    fn last_cpu(&self, thread: u32, before: u64) -> usize {
        let own = self.schedule.all_runs().filter(|run| run.thread == thread && run.begin < before);
        own.max_by_key(|run| run.begin).map_or(0, |run| run.cpu)
    }

    /// Whether something limits what a server gives in every window.
    fn limited(&self, id: SupplyId, server: &Server) -> Found<()> {
        let mut deliveries = self.system.interrupts.iter().filter_map(|one| one.delivery.as_ref());
        if deliveries.any(|delivery| delivery.vcpu == id && delivery.pseudo_vcpu.is_some()) {
            return Err("pseudo-VCPUs supply it, too".to_owned());
        }
        // A late budget is supplied after its deadline, and the next one right after it.
        let is_task = |member: &Member| matches!(member, Member::Task(_));
        let parent = self.system.supply(server.on);
        if parent.scheduler == Scheduler::Edf && parent.members.iter().any(is_task) {
            return Err("tasks with deadlines beside it may make it late".to_owned());
        }
        match server.kind() {
            ServerKind::SchedDeadline if server.reclaims() => {
                Err("it reclaims what others do not use".to_owned())
            }
            ServerKind::SchedDeadline | ServerKind::CbsHard => Ok(()),
            ServerKind::Periodic
            | ServerKind::Polling
            | ServerKind::Deferrable
            | ServerKind::Sporadic
            | ServerKind::CbsSoft
            | ServerKind::Slot
            | ServerKind::Table
            | ServerKind::PosixSporadic
            | ServerKind::RefillQueue
            | ServerKind::Share
            | ServerKind::Level => {
                Err("the use of a server of this kind is not limited in every window".to_owned())
            }
        }
    }
}
