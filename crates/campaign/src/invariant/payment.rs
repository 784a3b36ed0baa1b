//! Execution in servers is charged to all of them for all of the time, and to no other.
//!
//! **Model.** Each server on the path from the core to the running entity is charged, except one in the
//! background; for a virtual processor one of its pseudo-VCPUs may be charged instead. Work at the interrupt
//! level of the core is charged to no budget, or where interrupts are charged, to the server of Linux of the
//! last decision.
//!
//! **Assumptions.** 1. Whether the callbacks of timers are an interrupt or a batch is not told: of
//! these, and of what follows them, that server may pay or not. So it is where a pseudo-VCPU may
//! have been chosen instead of it.

use super::event::{Event, Kinds};
use super::picture::Picture;
use super::{Check, Findings, Invariant};
use vorrang_model::system::{ServerKind, SupplyId};
use vorrang_sim::{Payer, Running, Section};
use vorrang_time::Instant;

/// The budgets that must be charged for the time since the last instant, and those that were.
#[derive(Default)]
pub(super) struct Payments {
    since: Instant,
    what: Option<Running>,
    due: Vec<SupplyId>,
    /// The server that may also be charged.
    may: Option<SupplyId>,
    decided: Option<SupplyId>,
    paid: Vec<(SupplyId, Instant, Instant)>,
}

impl Payments {
    fn settle(&mut self, now: Instant, findings: &mut Findings) {
        let since = self.since;
        if since == now {
            return;
        }
        let all = |(id, from, to)| {
            (self.due.contains(&id) || self.may == Some(id)) && (from, to) == (since, now)
        };
        let has_paid = |id: &SupplyId| self.paid.iter().any(|paid| paid.0 == *id);
        let complete = self.due.iter().all(has_paid) && self.paid.iter().copied().all(all);
        findings.expect(complete, Invariant::Payment, now, || {
            let Self { what, due, paid, .. } = self;
            format!("{what:?} from {since} on: {due:?} have to pay, {paid:?} did")
        });
        self.paid.clear();
        self.since = now;
    }
}

impl Payments {
    /// The budget charged for the running entity, if that is at interrupt level; and whether it is.
    fn interrupt(&mut self, what: Running, before: Option<Running>, picture: &Picture<'_>) -> bool {
        let timers = Running::Kernel(Section::Timers);
        if !matches!(what, Running::Interrupt(_)) && what != timers {
            return false;
        }
        let goes_on = matches!(before, Some(Running::Interrupt(_)));
        let is_certain = self.decided.is_none_or(|id| picture.pseudo_vcpus(id).next().is_none());
        if what == timers || before == Some(timers) || !is_certain {
            let earlier = self.due.pop().or(self.may);
            self.may = if goes_on || before == Some(timers) { earlier } else { None };
            self.may = self.may.or(self.decided);
            self.due.clear();
        } else if !goes_on {
            (self.may, self.due) = (None, self.decided.into_iter().collect());
        }
        true
    }
}

/// The server of Linux on the core through which that runs, if one does.
fn member_of_linux(what: Running, picture: &Picture<'_>) -> Option<SupplyId> {
    let supply = picture.supply_of(what)?;
    let member = picture.servers_from(supply).last()?;
    (picture.system.supply(member).server_kind() == Some(ServerKind::SchedDeadline))
        .then_some(member)
}

impl Check for Payments {
    fn hears(&self) -> Kinds {
        Kinds::of([Kinds::PAID, Kinds::DECIDED, Kinds::RUNS, Kinds::ENDED])
    }

    fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        match *event {
            Event::Paid(payer, from, to) => {
                let supply = match payer {
                    Payer::Server(id) => Some(id),
                    Payer::PseudoVcpu(id) => {
                        let delivery = picture.system.interrupt(id).delivery.as_ref();
                        delivery.map(|delivery| delivery.vcpu)
                    }
                };
                let is_known = supply.filter(|id| !self.paid.iter().any(|paid| paid.0 == *id));
                findings.expect(is_known.is_some(), Invariant::Payment, to, || {
                    format!("{payer:?} pays twice for [{from}, {to})")
                });
                self.paid.extend(is_known.map(|id| (id, from, to)));
            }
            Event::Runs(what, at) => {
                self.settle(at, findings);
                let before = self.what.replace(what);
                if picture.charges_routines() && self.interrupt(what, before, picture) {
                    return;
                }
                (self.may, self.due) = (None, Vec::new());
                if let Some(supply) = picture.supply_of(what) {
                    let servers = picture.servers_from(supply);
                    self.due.extend(servers.filter(|&id| pays(id, picture)));
                }
            }
            Event::Decided(what, _) => self.decided = member_of_linux(what, picture),
            Event::Ended(at) => self.settle(at, findings),
            _ => {}
        }
    }
}

/// Whether a server, or one of its pseudo-VCPUs, is charged for execution in it.
fn pays(id: SupplyId, picture: &Picture<'_>) -> bool {
    let own = picture.is_in_background(id);
    let others = picture.pseudo_vcpus(id);
    !own || others.map(super::competitor::Competitor::PseudoVcpu).any(|one| picture.is_ready(one))
}
