//! The most urgent ready competitor runs; the core idles only if none is ready.
//!
//! **Model.** "Schedulers of a supply" in `docs/model.md`. At a decision, every supply on the way
//! to what was chosen is looked at: the member on this way is ready, and no other ready member of
//! the supply comes before it, by urgency, then by the instant at which it became ready, then by
//! declaration. Members that take turns are looked at in [`super::turns`]; the order
//! of equals that take slices is compared with the oracle only.

use super::competitor::Competitor;
use super::deadlines::Deadlines;
use super::event::{Event, Kinds};
use super::picture::Picture;
use super::{Check, Findings, Invariant};
use core::cmp::Reverse;
use vorrang_model::system::{InterruptId, Member, Scheduler, ServerKind, SupplyId};
use vorrang_sim::{Payer, Running};
use vorrang_time::{Duration, Instant};

/// How urgent a competitor is, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    /// A pseudo-VCPU beside members with deadlines, as urgent among these as beside priorities.
    BeforeDeadlines(PseudoUrgency),
    Deadline(Instant),
    /// A pseudo-VCPU above all priorities, by its period, then by declaration.
    Ceiling(Duration, InterruptId),
    Priority(Reverse<u32>),
    Background,
    /// All the same: the supply does not order by urgency.
    None,
}

/// Above all priorities by its period, then by declaration; or its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PseudoUrgency {
    Ceiling(Duration, InterruptId),
    Priority(Reverse<u32>),
}

/// Urgency; since when it has been ready, where that counts; pseudo-VCPUs last, by their number,
/// the others by declaration.
type Key = (Urgency, Option<Instant>, bool, usize);

/// Decisions, and the budgets charged for virtual processors with pseudo-VCPUs.
pub(super) struct Decisions {
    deadlines: Deadlines,
    /// The competitor that must be charged, for each virtual processor on the way that has pseudo-VCPUs.
    has_to_pay: Vec<(SupplyId, Competitor)>,
}

/// Whether all that is ready on the core may wait because it is throttled; when it is, the oracle knows.
fn may_be_throttled(picture: &Picture<'_>) -> bool {
    let mut competitors = picture.competitors[picture.core.0].iter();
    let is_reserved = |&own: &Competitor| is_reservation(own, picture) && picture.is_ready(own);
    picture.system.supply(picture.core).rt_throttling.limit().is_some()
        && !competitors.any(is_reserved)
}

impl Decisions {
    pub(super) fn new(picture: &Picture<'_>) -> Self {
        Self { deadlines: Deadlines::new(picture), has_to_pay: Vec::new() }
    }

    /// The key of a competitor; `None`: its deadline is not known here.
    fn key(&self, on: SupplyId, competitor: Competitor, picture: &Picture<'_>) -> Option<Key> {
        let scheduler = picture.system.supply(on).scheduler;
        let urgency = match scheduler {
            Scheduler::Edf => match competitor {
                Competitor::PseudoVcpu(id) => Urgency::BeforeDeadlines(of_pseudo_vcpu(id, picture)),
                _ => Urgency::Deadline(self.deadlines.of(competitor, picture)?),
            },
            Scheduler::Linux if is_reservation(competitor, picture) => {
                Urgency::Deadline(self.deadlines.of(competitor, picture)?)
            }
            Scheduler::FixedPriority | Scheduler::Linux => by_priority(competitor, picture),
            _ => Urgency::None,
        };
        let by_age = !matches!(urgency, Urgency::Deadline(_) | Urgency::None);
        let since = by_age.then(|| picture.ready_since(competitor)).flatten();
        let place = picture.competitors[on.0].iter().position(|&other| other == competitor);
        let is_pseudo = matches!(competitor, Competitor::PseudoVcpu(_));
        Some((urgency, since, is_pseudo, place?))
    }

    /// Compares the chosen member with all others of the supply.
    fn look_at(
        &self,
        on: SupplyId,
        chosen: Competitor,
        picture: &Picture<'_>,
        findings: &mut Findings,
    ) {
        findings.expect(picture.is_ready(chosen), Invariant::Urgency, picture.now, || {
            format!("{chosen:?} runs and is not ready")
        });
        if picture.system.supply(on).scheduler.takes_turns() {
            return;
        }
        let begun = picture.begun.on(on).filter(|_| !is_reservation(chosen, picture));
        findings.expect(
            begun.is_none_or(|own| own == chosen),
            Invariant::Urgency,
            picture.now,
            || format!("{chosen:?} runs before {begun:?}, which has begun and is not interrupted"),
        );
        let Some(own) = self.key(on, chosen, picture) else { return };
        for &other in &picture.competitors[on.0] {
            let waits = begun.is_some() && !is_reservation(other, picture);
            if other == chosen || waits || !picture.is_ready(other) {
                continue;
            }
            let Some(key) = self.key(on, other, picture) else { continue };
            let has_slices = picture.system.supply(on).time_slice.is_some();
            let is_any = !picture.knows_ages || has_slices;
            let comes_first = own < key || (is_any && own.0 == key.0);
            findings.expect(comes_first, Invariant::Urgency, picture.now, || {
                format!("{chosen:?} {own:?} runs before {other:?} {key:?}")
            });
        }
    }

    fn decided(&mut self, what: Running, picture: &Picture<'_>, findings: &mut Findings) {
        self.has_to_pay.clear();
        let now = picture.now;
        let Some(supply) = picture.supply_of(what) else {
            let idle = !picture.has_work(picture.core) || may_be_throttled(picture);
            findings.expect(idle, Invariant::Urgency, now, || {
                format!("{what:?} is chosen while something is ready")
            });
            return;
        };
        self.look_inside(what, supply, picture, findings);
        for server in picture.servers_from(supply) {
            let Some(on) = picture.system.supply(server).on() else { continue };
            let chosen = self.payer_of(server, on, picture);
            if picture.knows_ages && picture.pseudo_vcpus(server).next().is_some() {
                self.has_to_pay.push((server, chosen));
            }
            self.look_at(on, chosen, picture, findings);
            let routines = !picture.requests.pending(on).is_empty();
            findings.expect(!routines, Invariant::InterruptLevel, now, || {
                format!("{chosen:?} runs while a routine is pending on {on:?}")
            });
        }
    }

    /// The choice on its own supply.
    fn look_inside(
        &self,
        what: Running,
        supply: SupplyId,
        picture: &Picture<'_>,
        findings: &mut Findings,
    ) {
        let now = picture.now;
        let first = picture.requests.pending(supply).front().map(|request| request.interrupt);
        match what {
            Running::GuestRoutine(id) => {
                findings.expect(first == Some(id), Invariant::InterruptLevel, now, || {
                    format!("the routine of {id:?} runs, that of {first:?} is first")
                });
            }
            Running::Idling(id) => {
                let kind = picture.system.supply(id).server_kind();
                let may = kind.is_some_and(|own| own.has_place() || own == ServerKind::Periodic);
                findings.expect(may && !picture.has_work(id), Invariant::Urgency, now, || {
                    format!("{id:?} idles, {kind:?}")
                });
            }
            Running::Task(_) | Running::Blocking(_) => {
                let own = match what {
                    Running::Task(id) | Running::Blocking(Member::Task(id)) => Competitor::Task(id),
                    Running::Blocking(Member::Server(id)) => Competitor::Server(id),
                    _ => unreachable!("matched above"),
                };
                findings.expect(first.is_none(), Invariant::InterruptLevel, now, || {
                    format!("{own:?} runs while a routine of {first:?} is pending")
                });
                self.look_at(supply, own, picture, findings);
            }
            _ => {}
        }
    }

    /// Which of a server and its pseudo-VCPUs must be charged.
    fn payer_of(&self, server: SupplyId, on: SupplyId, picture: &Picture<'_>) -> Competitor {
        let own = Competitor::Server(server);
        let pseudo_vcpus = picture.pseudo_vcpus(server).map(Competitor::PseudoVcpu);
        let ready = std::iter::once(own).chain(pseudo_vcpus).filter(|one| picture.is_ready(*one));
        // Where deadlines decide, that of a server may not be known.
        let is_last = picture.system.supply(on).scheduler == Scheduler::Edf;
        ready.min_by_key(|&one| (is_last && one == own, self.key(on, one, picture))).unwrap_or(own)
    }
}

impl Check for Decisions {
    fn hears(&self) -> Kinds {
        Kinds::of([Kinds::DECIDED, Kinds::RUNS, Kinds::PAID, Kinds::EXPIRED])
    }

    fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        self.deadlines.hear(event, picture, findings);
        match *event {
            Event::Decided(what, _) => self.decided(what, picture, findings),
            // What the interrupt level is charged to does not depend on this decision.
            Event::Paid(payer, from, to) if picture.supply_of(picture.runs).is_some() => {
                let (vcpu, paid) = match payer {
                    Payer::Server(id) => (Some(id), Competitor::Server(id)),
                    Payer::PseudoVcpu(id) => {
                        let delivery = picture.system.interrupt(id).delivery.as_ref();
                        (delivery.map(|own| own.vcpu), Competitor::PseudoVcpu(id))
                    }
                };
                let wrong = self.has_to_pay.iter().find(|own| Some(own.0) == vcpu && own.1 != paid);
                findings.expect(wrong.is_none(), Invariant::Payment, to, || {
                    format!("{payer:?} pays for [{from}, {to}), not {wrong:?}")
                });
            }
            _ => {}
        }
    }
}

fn is_reservation(competitor: Competitor, picture: &Picture<'_>) -> bool {
    match competitor {
        Competitor::Server(id) => {
            picture.system.supply(id).server_kind() == Some(ServerKind::SchedDeadline)
        }
        _ => false,
    }
}

fn by_priority(competitor: Competitor, picture: &Picture<'_>) -> Urgency {
    let system = picture.system;
    match competitor {
        Competitor::Task(id) => Urgency::Priority(Reverse(system.task(id).priority.0)),
        Competitor::Server(id) if picture.is_in_background(id) => Urgency::Background,
        Competitor::Server(id) => {
            Urgency::Priority(Reverse(picture.system.supply(id).priority().0))
        }
        Competitor::PseudoVcpu(id) => match of_pseudo_vcpu(id, picture) {
            PseudoUrgency::Ceiling(period, id) => Urgency::Ceiling(period, id),
            PseudoUrgency::Priority(priority) => Urgency::Priority(priority),
        },
    }
}

fn of_pseudo_vcpu(id: InterruptId, picture: &Picture<'_>) -> PseudoUrgency {
    let delivery = picture.system.interrupt(id).delivery.as_ref();
    let own = delivery.and_then(|delivery| delivery.pseudo_vcpu.as_ref());
    let own = own.expect("it has a pseudo-VCPU");
    own.priority.map_or(PseudoUrgency::Ceiling(own.period, id), |priority| {
        PseudoUrgency::Priority(Reverse(priority.0))
    })
}
