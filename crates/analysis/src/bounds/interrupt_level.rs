//! Requirements on routines: where nothing follows a routine, its end is that of its interrupt.

use super::{Fold, Node};
use crate::core::CoreLevel;
use crate::finding::{Form, Local, Method};
use crate::ground::Reason;
use crate::ground::Source;
use crate::interrupt::{End, Level, of_level};
use crate::request::Requests;
use vorrang_model::system::{InterruptId, InterruptOrder, Priority, RequirementKind, SupplyId};
use vorrang_time::Duration;

impl<'s> Fold<'s> {
    /// The routines of a core that are the last of their interrupts.
    pub(super) fn routines_of_core(&mut self, core: SupplyId, level: &CoreLevel<'_, '_>) {
        let routines = level.routines();
        let each = routines.ids.iter().zip(routines.requests).zip(&level.ends);
        for (index, ((&id, before), end)) in each.enumerate() {
            let interrupt = self.system.interrupt(id);
            if interrupt.wakes.is_none() && interrupt.delivery.is_none() {
                let method = Method { local: Local::ServiceRoutine, form: Form::Core };
                self.record_end((core, method), &level.level(), (index, id), before, end);
            }
        }
    }

    /// The routines of a guest are served first come, first served, in its time.
    pub(super) fn routines_of_guest(&mut self, node: Node<'_>) {
        let routines = node.routines;
        let all =
            of_level(self.system, routines.ids, routines.requests, |_, _| Priority::default());
        let order = InterruptOrder::FirstCome;
        let section = Duration::ZERO;
        let level = Level { supply: node.supply, order, routines: &all, timers: &[], section };
        let behave = routines.requests.iter().all(|requests| !requests.waits_for_ever)
            && all.iter().all(|routine| !routine.merges);
        for (index, &id) in routines.ids.iter().enumerate().filter(|_| behave && all.len() > 1) {
            self.effort.restart(all.len());
            let worst = level.response(index, Duration::ZERO, &self.effort);
            self.arrivals.stages[id.0].in_guest = worst.ok().map(|worst| worst.bound);
        }
        for (index, &id) in routines.ids.iter().enumerate() {
            let ends = self.end_in_guest(node, &level, index, id);
            self.arrivals.stages[id.0].after_guest = ends;
        }
    }

    /// What follows a routine of a guest.
    fn end_in_guest(
        &mut self,
        node: Node<'_>,
        level: &Level<'_>,
        index: usize,
        id: InterruptId,
    ) -> Result<Requests<'s>, Reason> {
        let before = self.arrivals.in_guest(id)?;
        let end = End::of(level, index, &self.effort);
        if self.system.interrupt(id).wakes.is_none() {
            let without = end.worst.map(|worst| worst.bound).ok();
            if self.is_routine_paid_for(id, level, index, without, node.form) {
                return Ok(before);
            }
            let method = Method { local: Local::GuestRoutine, form: node.form };
            self.record_end((node.id, method), level, (index, id), &before, &end);
        }
        end.after(&before).map_err(|why| self.why.no_bound(node.id, why))
    }

    /// The end of a routine after which nothing follows.
    fn record_end(
        &mut self,
        (on, method): (SupplyId, Method),
        level: &Level<'_>,
        (index, id): (usize, InterruptId),
        before: &Requests<'_>,
        end: &End,
    ) {
        let found: Result<Duration, Reason> = match end.worst {
            _ if before.waits_for_ever => Err(self.why.held_back(id)),
            Ok(worst) => Ok(worst.bound),
            Err(why) => Err(self.why.no_bound(on, why)),
        };
        let derivation = self.derived(Source::Interrupt(id), |to| {
            if let (Ok(worst), Ok(_)) = (&end.worst, &found) {
                let work = level.derive(index, worst, to);
                level.supply.derive(work, to);
            }
        });
        if let (Ok(worst), Ok(_)) = (&end.worst, &found) {
            let demand = |window| level.demand_in(index, worst, window);
            let (kind, decides) = (RequirementKind::HandledWithin(id), (worst.window, worst.bound));
            self.draw(kind, level.supply, &demand, decides);
        }
        self.record_interrupt(id, on, method, found, derivation);
    }
}
