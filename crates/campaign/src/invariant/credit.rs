//! A pseudo-VCPU admits requests, and supplies time, within its credit.
//!
//! **Model.** By *arrival*, at most `floor(Q/g)` requests pass in any window of length T, and one
//! is held back only if so many have, or another is held back already. Under every rule but
//! *deferrable* no more is paid than the credit `g` for each interrupt that entered the guest.

use super::event::{Event, Kinds};
use super::picture::Picture;
use super::{Check, Findings, Invariant};
use crate::oracle::credit;
use std::collections::VecDeque;
use vorrang_model::system::{InterruptId, PseudoVcpuRule};
use vorrang_sim::{Payer, Source};
use vorrang_time::{Duration, Instant};

/// One pseudo-VCPU.
struct Credit {
    id: InterruptId,
    rule: PseudoVcpuRule,
    period: Duration,
    /// The credit of one interrupt.
    each: Duration,
    /// How many have credit in a period.
    most: usize,
    /// When requests passed, in the last period.
    passed: VecDeque<Instant>,
    held: u64,
    /// Whether a timer delivers it, so that it is in the guest when it is let through.
    is_of_timer: bool,
    /// The rest that may be charged.
    left: Duration,
}

/// All of a core.
pub(super) fn all<'s>(picture: &Picture<'s>) -> Vec<Box<dyn Check + 's>> {
    let system = picture.system;
    let mut checks: Vec<Box<dyn Check + 's>> = Vec::new();
    for id in system.paid_on(picture.core) {
        let Some(delivery) = &system.interrupt(id).delivery else { continue };
        let Some(own) = &delivery.pseudo_vcpu else { continue };
        let each = Duration::from_ns(credit(system, id));
        checks.push(Box::new(Credit {
            id,
            rule: own.rule,
            period: own.period,
            each,
            most: usize::try_from(own.budget.div_floor(each)).unwrap_or(usize::MAX),
            passed: VecDeque::new(),
            held: 0,
            is_of_timer: system.interrupt(id).timer.is_some(),
            left: Duration::ZERO,
        }));
    }
    checks
}

impl Credit {
    fn forget(&mut self, now: Instant) {
        while self.passed.front().is_some_and(|&first| first + self.period <= now) {
            self.passed.pop_front();
        }
    }
}

impl Check for Credit {
    fn hears(&self) -> Kinds {
        Kinds::of([Kinds::RELEASED, Kinds::MASKED, Kinds::UNMASKED, Kinds::SERVED, Kinds::PAID])
    }

    fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        let (id, now) = (self.id, picture.now);
        let by_arrival = self.rule == PseudoVcpuRule::Arrival;
        match *event {
            Event::Released(job) if job.source == Source::Interrupt(id) => {
                self.forget(now);
                self.passed.push_back(now);
                self.held = self.held.saturating_sub(1);
                if self.is_of_timer {
                    self.left += self.each;
                }
                let may = !by_arrival || self.passed.len() <= self.most;
                findings.expect(may, Invariant::Credit, now, || {
                    let (passed, most) = (&self.passed, self.most);
                    format!("{id:?}: {passed:?} pass in {}, {most} may", self.period)
                });
            }
            Event::Masked(masked, _) if masked == id => {
                self.forget(now);
                let may = !by_arrival || self.held > 0 || self.passed.len() >= self.most;
                findings.expect(may, Invariant::Credit, now, || {
                    format!("{id:?} is held back with credit: passed {:?}", self.passed)
                });
                self.held += 1;
            }
            Event::Unmasked(unmasked, _) if unmasked == id => {
                findings.expect(self.held == 0, Invariant::Credit, now, || {
                    format!("{id:?}: {} are held back", self.held)
                });
            }
            Event::Served(served, false, _) if served == id => self.left += self.each,
            Event::Paid(Payer::PseudoVcpu(payer), from, to) if payer == id => {
                let paid = to.saturating_since(from);
                let may = self.rule == PseudoVcpuRule::Deferrable || paid <= self.left;
                findings.expect(may, Invariant::Credit, now, || {
                    format!("{id:?}: {paid} are paid, {} were let in", self.left)
                });
                self.left = self.left.saturating_sub(paid);
            }
            _ => {}
        }
    }
}
