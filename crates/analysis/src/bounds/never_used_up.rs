//! Servers whose guests never use a budget up, once more as servers without one.
//!
//! **Theorem.** Take a server as a level. If all that is then used in it in any of its periods is no more than its budget, it never
//! is without budget while its guest has work, so that it behaves as that level.
//!
//! **Assumptions.** 1. The tasks that are described are all work in it, but for what holds them up. 2. Nothing else has its
//! priority.
//!
//! **Cost.** Its guest is looked at twice, unless what is requested in a period is more than the budget already.
//!
//! Theory: docs/theory/never-used-up.md.

use super::found::{Rests, Seldom};
use super::slices::keep_the_lesser;
use super::{Fold, Node};
use crate::core::{Stages, asked_in_level, is_plain_task};
use crate::coverage::ServerMember;
use crate::demand::{Load, Loads, task_anywhere};
use crate::derivation::{Derivation, OfSupply};
use crate::edf::Late;
use crate::finding::Finding;
use crate::ground::{Assumption, Effort, LONGEST_WINDOW, NoBound, Reason, Source};
use crate::ground::{delivered_to, has_blocked_server, sections_within};
use crate::interrupt::Paid;
use crate::overhead::{ColdStarts, loss_lines_of_runs, loss_of_server, overrun, pays_for_routines};
use crate::request::Card;
use crate::server_kind::{Idle, Returns, Sheet};
use crate::supply::{LossLine, Residual, Supply};
use core::cell::OnceCell;
use vorrang_model::system::{InterruptId, Member, SupplyId, TaskId};
use vorrang_time::Duration;

/// What is used in a server that has no budget.
pub(super) struct Used<'a> {
    /// What is requested in it, in windows that begin when nothing in it is ready.
    pub(super) requested: Vec<Load<'a>>,
    /// What cold caches lose, in windows that begin anywhere: at first, while it is ready, and in any case.
    cold: ColdStarts<'a>,
}

impl Used<'_> {
    /// What is requested in a window that begins when nothing in it is ready.
    pub(super) fn requested_in(&self, window: Duration) -> Result<Duration, NoBound> {
        Loads::new(&self.requested).in_window(window)
    }

    /// How long it is ready at most, with this level.
    pub(super) fn ready(&self, level: &dyn Supply, effort: &Effort) -> Result<Duration, NoBound> {
        let mut own = self.requested.clone();
        own.extend(&self.cold.starts);
        let left = Residual::new(level, Loads::new(&own), effort).blocked(self.cold.at_first);
        left.time_for(Duration::RESOLUTION)
    }

    /// What cold caches lose in a window at most, if each start loses all that it can.
    pub(super) fn lost_in(&self, window: Duration) -> Result<Duration, NoBound> {
        let starts = Loads::new(&self.cold.inside).in_window(window)?;
        starts.checked_add(self.cold.at_first).ok_or(NoBound::TooLong)
    }
}

/// The time that work takes with what is lost of it: all of `lost`, `each` at a time, or what a line allows for.
pub(super) fn with_losses(
    (work, lost): (Duration, Duration),
    lines: Option<(Duration, Vec<LossLine>)>,
) -> Option<Duration> {
    let all = work.checked_add(lost)?;
    let Some((each, lines)) = lines.filter(|_| !lost.is_zero()) else { return Some(all) };
    let by_line = |line: &LossLine| {
        let at_once = line.at_once.checked_mul(lost.div_ceil(each))?;
        line.time_with(work.checked_add(at_once)?).ok()
    };
    Some(lines.iter().filter_map(by_line).fold(all, Duration::min))
}

/// What was found of a server and all in it.
pub(super) struct Before<'s> {
    tasks: Vec<(TaskId, Option<Finding>, Vec<Seldom>)>,
    interrupts: Vec<(InterruptId, Option<Finding>, Stages<'s>, Option<Paid>)>,
    supplies: Vec<(SupplyId, OfSupplyFound)>,
}

/// What was found of a server: its guarantee, what else is wanted, and how late it is.
type OfSupplyFound = (Option<Result<Rests, Reason>>, Derivation, Option<Late>);

impl<'s> Fold<'s> {
    /// What is in a server, once more as in a level, if its guest never uses a budget up: after sections and what is more urgent.
    pub(super) fn never_used_up(
        &mut self,
        node: Node<'_>,
        own: ServerMember<'_>,
        (blocking, more_urgent): (Duration, Loads<'_>),
    ) {
        let ServerMember { id, server } = own;
        let Some(effort) = self.refinements.as_ref().map(Effort::another) else { return };
        if !self.waits_for_budget_alone(node, own) {
            return;
        }
        let Some(used) = self.used_in(node, id) else { return };
        if used.requested_in(server.period).is_ok_and(|least| least > server.budget) {
            return;
        }
        let level = Residual::new(node.supply, more_urgent, &effort).blocked(blocking);
        // A return calls the scheduler, whether it is waited for or not.
        let calls: Vec<Load<'_>> =
            node.machine.and_then(|machine| machine.at_returns(id)).into_iter().collect();
        let after_calls = Residual::new(&level, Loads::new(&calls), &effort);
        let level = if calls.is_empty() { level } else { after_calls };
        let before = self.found_below(id);
        self.forget(id);
        self.put_back_of(id, &before);
        self.level_of(node, id, (level, None), &effort);
        let most = self.most_used(id, &used, (&level, server.period), &effort);
        if most.is_some_and(|most| most <= server.budget) {
            let assumed = Assumption::BudgetLasts { server: self.system.supply(id).name.clone() };
            self.all_rest_on(&[Member::Server(id)], &assumed);
            let fact = OfSupply::NeverUsedUp {
                of: Source::Server(id),
                used: most.unwrap_or_default(),
                budget: server.budget,
                period: server.period,
            };
            self.keep_lesser_below(id, before, &fact);
        } else {
            self.put_back(before);
        }
    }

    /// Whether nothing but its budget keeps a server from being a level, and all that is paid of its budget is counted here.
    fn waits_for_budget_alone(&self, node: Node<'_>, own: ServerMember<'_>) -> bool {
        let ServerMember { id, server } = own;
        let system = self.system;
        let sheet = Sheet::of_server(server);
        let keeps = matches!(sheet.idle, Idle::KeptInPeriod | Idle::Kept);
        // Without a guarantee nothing bounds in how many pieces budget returns, which the machine takes time for.
        let is_counted = sheet.returns == Returns::WithPeriods
            || matches!(self.guaranteed[id.0], Some(Ok(_)))
            || node.takes_nothing();
        let takes_packets =
            |task: TaskId| Card::polled_by(system, task).or(Card::read_by(system, task)).is_some();
        keeps
            && is_counted
            && !server.reclaims()
            && !system.supply(id).serves_other
            && sections_within(system, id).is_zero()
            && !has_blocked_server(system, id)
            && overrun(system, id).is_zero()
            && !pays_for_routines(system, id)
            && !self.tasks_in(id).into_iter().any(takes_packets)
    }

    /// What is used in a server, if it has no budget; none if something of that is not bounded.
    pub(super) fn used_in<'a>(&self, node: Node<'a>, id: SupplyId) -> Option<Used<'a>>
    where
        's: 'a,
    {
        let requested = asked_in_level(&self.arrivals, id).ok()?;
        let loss = loss_of_server(self.system, id);
        let cold = match (node.machine.filter(|_| !loss.is_zero()), node.cold) {
            (Some(machine), _) => machine.cold_starts(id, loss)?,
            (None, Some((at_first, starts))) => {
                let starts = starts.to_vec();
                ColdStarts { at_first, inside: starts.clone(), starts }
            }
            (None, None) => ColdStarts::default(),
        };
        Some(Used { requested, cold })
    }

    /// The most that is used in a window as long as a period, wherever it begins, while all in it is as late as in a level.
    fn most_used(
        &self,
        id: SupplyId,
        used: &Used<'_>,
        (level, period): (&dyn Supply, Duration),
        effort: &Effort,
    ) -> Option<Duration> {
        let ready = OnceCell::new();
        let since_ready = || -> Option<Duration> {
            effort.restart(used.requested.len());
            let ready = ready.get_or_init(|| used.ready(level, effort)).ok()?;
            ready.checked_add(period).filter(|window| *window <= LONGEST_WINDOW)
        };
        let of_load = |load: &Load<'_>| {
            let pending = self.pending_in(load.source, period);
            pending.or_else(|| load.in_window(since_ready()?).ok())
        };
        let mut of_all = used.requested.iter();
        let work = of_all.try_fold(Duration::ZERO, |sum, load| sum.checked_add(of_load(load)?))?;
        let lost = used.lost_in(period).ok()?;
        with_losses((work, lost), loss_lines_of_runs(self.system, id, lost))
    }

    /// What of something is pending in a window, by how long that is pending at most; none if that is not known.
    fn pending_in(&self, of: Source, window: Duration) -> Option<Duration> {
        match of {
            Source::Task(task) if is_plain_task(&self.arrivals, task) => {
                let response = self.tasks[task.0].as_ref()?.bound()?;
                let jobs = self.arrivals.load_of(Member::Task(task)).ok()?;
                task_anywhere(self.system, task, jobs, response).in_window(window).ok()
            }
            Source::Server(inner) => Loads::new(&self.asked_in(inner)?).in_window(window).ok(),
            _ => None,
        }
    }

    pub(super) fn found_below(&self, id: SupplyId) -> Before<'s> {
        let of_interrupt = |id: InterruptId| {
            let (finding, paid) = (self.interrupts[id.0].clone(), self.paid[id.0].clone());
            (id, finding, self.arrivals.stages[id.0].clone(), paid)
        };
        let of_supply = |id: SupplyId| {
            (id, (self.guaranteed[id.0].clone(), self.wanted[id.0].clone(), self.late[id.0]))
        };
        let supplies = self.servers_in(id);
        let interrupts = supplies.iter().flat_map(|&id| delivered_to(self.system, id));
        let of_task = |id: TaskId| (id, self.tasks[id.0].clone(), self.seldom[id.0].clone());
        Before {
            tasks: self.tasks_in(id).into_iter().map(of_task).collect(),
            interrupts: interrupts.map(of_interrupt).collect(),
            supplies: supplies.into_iter().map(of_supply).collect(),
        }
    }

    /// A server and all servers in it.
    fn servers_in(&self, id: SupplyId) -> Vec<SupplyId> {
        let inside = self.system.supply(id).members.iter().filter_map(|&member| match member {
            Member::Server(inner) => Some(self.servers_in(inner)),
            Member::Task(_) => None,
        });
        core::iter::once(id).chain(inside.flatten()).collect()
    }

    /// What is known of a server itself, whatever is found in it: what its pseudo-VCPUs give it, too.
    pub(super) fn put_back_of(&mut self, id: SupplyId, before: &Before<'s>) {
        for (of, (guaranteed, wanted, late)) in &before.supplies {
            if *of == id {
                self.guaranteed[id.0].clone_from(guaranteed);
                (self.wanted[id.0], self.late[id.0]) = (wanted.clone(), *late);
            }
        }
        let own = delivered_to(self.system, id);
        for (interrupt, _, _, paid) in &before.interrupts {
            if own.contains(interrupt) {
                self.paid[interrupt.0].clone_from(paid);
            }
        }
    }

    fn put_back(&mut self, before: Before<'s>) {
        for (id, finding, seldom) in before.tasks {
            (self.tasks[id.0], self.seldom[id.0]) = (finding, seldom);
        }
        for (id, finding, stages, paid) in before.interrupts {
            (self.interrupts[id.0], self.paid[id.0]) = (finding, paid);
            self.arrivals.stages[id.0] = stages;
        }
        for (id, (guaranteed, wanted, late)) in before.supplies {
            (self.guaranteed[id.0], self.wanted[id.0]) = (guaranteed, wanted);
            self.late[id.0] = late;
        }
    }

    /// Of what was found twice in a server the lesser, which rests on that `fact` where it is the second.
    pub(super) fn keep_lesser_below(&mut self, id: SupplyId, before: Before<'s>, fact: &OfSupply) {
        for (task, finding, seldom) in before.tasks {
            self.derive_that(Source::Task(task), fact);
            keep_the_lesser(&mut self.tasks[task.0], finding);
            self.seldom[task.0] = seldom;
        }
        for (interrupt, finding, stages, paid) in before.interrupts {
            self.derive_that(Source::Interrupt(interrupt), fact);
            keep_the_lesser(&mut self.interrupts[interrupt.0], finding);
            let now = &mut self.arrivals.stages[interrupt.0];
            if !now.is_sooner_than(&stages) {
                *now = stages;
            }
            self.paid[interrupt.0] = paid.or(self.paid[interrupt.0].take());
        }
        for (inner, (guaranteed, wanted, late)) in before.supplies {
            let is_known = inner == id || matches!(guaranteed, Some(Ok(_)));
            if is_known || !matches!(self.guaranteed[inner.0], Some(Ok(_))) {
                (self.guaranteed[inner.0], self.wanted[inner.0]) = (guaranteed, wanted);
                self.late[inner.0] = late;
            }
        }
    }

    fn derive_that(&mut self, of: Source, fact: &OfSupply) {
        let finding = match of {
            Source::Task(id) => self.tasks[id.0].as_mut(),
            Source::Interrupt(id) => self.interrupts[id.0].as_mut(),
            _ => None,
        };
        if let Some(finding) = finding.filter(|_| self.derives.keeps(of)) {
            finding.derivation.push(fact.clone());
            finding.derivation.cite("as a level; docs/theory/never-used-up.md");
        }
    }
}
