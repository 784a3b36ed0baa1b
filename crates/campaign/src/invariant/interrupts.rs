//! Every request is handled, waits, or has merged; routines have their order.
//!
//! **Model.** "Interrupts" in `docs/model.md`: the requests of a history, and no others, arrive at
//! the core; one with a pending bit merges exactly when another of the same interrupt waits; requests are
//! served in the core's order.

use super::event::{Event, Kinds};
use super::picture::Picture;
use super::requests::Request;
use super::{Check, Findings, Invariant};
use vorrang_model::system::{InterruptId, InterruptOrder};
use vorrang_sim::{Running, Source};
use vorrang_time::Instant;

/// The fate of the requests of each interrupt.
pub(super) struct Interrupts {
    counts: Vec<Count>,
    /// Whether the interrupt that has to merge in the guest did.
    awaits: Option<InterruptId>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    released: u64,
    /// At the core, before they were released.
    merged: u64,
    /// In the guest.
    merged_in_guest: u64,
    handled: u64,
    masked: u64,
    /// Of those that were masked.
    let_through: u64,
    unfinished: u64,
}

impl Count {
    fn held(&self) -> u64 {
        self.masked.saturating_sub(self.let_through)
    }
}

impl Interrupts {
    pub(super) fn new(picture: &Picture<'_>) -> Self {
        Self { counts: vec![Count::default(); picture.system.interrupts.len()], awaits: None }
    }

    fn merged(&mut self, id: InterruptId, picture: &Picture<'_>, findings: &mut Findings) {
        if self.awaits.take_if(|awaited| *awaited == id).is_some() {
            self.counts[id.0].merged_in_guest += 1;
            return;
        }
        let count = &mut self.counts[id.0];
        count.merged += 1;
        let may = picture.requests.merges(id) && (count.held() > 0 || waits(picture, id));
        findings.expect(may, Invariant::Requests, picture.now, || {
            format!("a request of {id:?} merges with none")
        });
    }

    fn released(&mut self, id: InterruptId, picture: &Picture<'_>, findings: &mut Findings) {
        let count = &mut self.counts[id.0];
        count.released += 1;
        count.let_through += u64::from(count.held() > 0);
        // What is posted is in the guest at once.
        self.awaits = picture.requests.has_to_merge();
        // The picture has this one already.
        let mut others = picture.requests.at_core().iter().filter(|one| is_waiting(one, id));
        let has_to_merge = picture.requests.merges(id) && others.nth(1).is_some();
        findings.expect(!has_to_merge, Invariant::Requests, picture.now, || {
            format!("a request of {id:?} has to merge with one that waits")
        });
    }

    fn serves(id: InterruptId, picture: &Picture<'_>, findings: &mut Findings) {
        let core = picture.system.supply(picture.core);
        // A routine that was begun by this decision counts as begun in the picture already.
        let requests = || picture.requests.at_core().iter();
        let begun = picture.requests.begun();
        let priority = |request: &&Request| picture.system.interrupt(request.interrupt).priority;
        let is_right = match core.interrupt_order {
            InterruptOrder::FirstCome => {
                requests().next().is_some_and(|first| first.interrupt == id) && begun <= 1
            }
            InterruptOrder::Priority => begun <= 1,
            InterruptOrder::Nested => {
                let highest = requests().map(|request| priority(&request)).max();
                let first = requests().find(|request| Some(priority(request)) == highest);
                first.is_some_and(|first| first.interrupt == id)
            }
        };
        findings.expect(is_right, Invariant::Requests, picture.now, || {
            format!("{id:?} is served, requested are {:?}", picture.requests.at_core())
        });
    }

    /// Not interrupted: which one begins is looked at when it does.
    fn begins(id: InterruptId, picture: &Picture<'_>, findings: &mut Findings) {
        let priority = |one: InterruptId| picture.system.interrupt(one).priority;
        let others = picture.requests.at_core().iter().map(|request| request.interrupt);
        let before = others.clone().take_while(|&other| other != id);
        let first = others.clone().all(|other| priority(other) <= priority(id))
            && before.clone().all(|other| priority(other) < priority(id));
        findings.expect(first, Invariant::Requests, picture.now, || {
            format!("{id:?} begins, requested are {:?}", picture.requests.at_core())
        });
    }

    fn runs(&mut self, what: Running, picture: &Picture<'_>, findings: &mut Findings) {
        let is_handled = self.awaits.is_none();
        findings.expect(is_handled, Invariant::Requests, picture.now, || {
            format!("{:?} has to merge with one that waits in the guest", self.awaits)
        });
        let idle = !matches!(what, Running::Interrupt(_) | Running::Kernel(_));
        findings.expect(
            !idle || picture.requests.at_core().is_empty(),
            Invariant::InterruptLevel,
            picture.now,
            || format!("{what:?} runs, requested are {:?}", picture.requests.at_core()),
        );
        if let Running::Interrupt(id) = what {
            Self::serves(id, picture, findings);
            let core = picture.system.supply(picture.core);
            if picture.requests.has_just_begun() && core.interrupt_order == InterruptOrder::Priority
            {
                Self::begins(id, picture, findings);
            }
        }
    }

    fn ended(&self, at: Instant, picture: &Picture<'_>, findings: &mut Findings) {
        for id in picture.system.interrupts_of(picture.core) {
            let count = self.counts[id.0];
            let waiting = count.released.checked_sub(count.merged_in_guest + count.handled);
            findings.expect(waiting.is_some(), Invariant::Requests, at, || {
                format!("{id:?}: more were handled than requested, {count:?}")
            });
            let is_of_timer = picture.system.interrupt(id).timer.is_some();
            if is_of_timer || picture.system.devices.iter().any(|device| device.interrupt == id) {
                continue;
            }
            let jobs = picture.history.jobs_of_interrupt(picture.system, id);
            let due = jobs.take_while(|plan| plan.release < at).count() as u64;
            let seen = count.released + count.merged + count.held();
            findings.expect(seen == due, Invariant::Requests, at, || {
                format!("{id:?}: {due} requests, {count:?}")
            });
            let told = count.unfinished == 0 || waiting <= Some(count.unfinished);
            findings.expect(told, Invariant::Requests, at, || {
                format!("{id:?}: {waiting:?} are not handled at the end, {count:?}")
            });
        }
    }
}

impl Check for Interrupts {
    fn hears(&self) -> Kinds {
        Kinds::of([
            Kinds::SERVED,
            Kinds::MERGED,
            Kinds::MASKED,
            Kinds::RELEASED,
            Kinds::COMPLETED,
            Kinds::UNFINISHED,
            Kinds::RUNS,
            Kinds::ENDED,
        ])
    }

    fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        match *event {
            Event::Served(..) => self.awaits = picture.requests.has_to_merge(),
            Event::Merged(id, _) => self.merged(id, picture, findings),
            Event::Masked(id, _) => self.counts[id.0].masked += 1,
            Event::Released(job) => {
                if let Source::Interrupt(id) = job.source {
                    self.released(id, picture, findings);
                }
            }
            Event::Completed(job, _) => {
                if let Source::Interrupt(id) = job.source {
                    self.counts[id.0].handled += 1;
                }
            }
            Event::Unfinished(job, _) => {
                if let Source::Interrupt(id) = job.source {
                    self.counts[id.0].unfinished += 1;
                }
            }
            Event::Runs(what, _) => self.runs(what, picture, findings),
            Event::Ended(at) => self.ended(at, picture, findings),
            _ => {}
        }
    }
}

fn is_waiting(request: &Request, id: InterruptId) -> bool {
    request.interrupt == id && !request.has_begun
}

fn waits(picture: &Picture<'_>, id: InterruptId) -> bool {
    picture.requests.at_core().iter().any(|request| is_waiting(request, id))
}
