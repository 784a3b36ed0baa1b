//! The terms of a bound: what its facts add up, each by what it comes from.
//!
//! Facts of one part are one term: a server with its carry-in, the waits for a budget. Nothing is computed anew; a wait is
//! what a fact says of time without budget, and what is charged to a server is the time that it uses beyond its work.
//!
//! A term is counted where its fact stands. Where servers are in servers, what delays an outer one delays the inner one too,
//! so terms need not add up to the bound.
//!
//! **Does not cover** facts that have a total only: servers from an idle guest on, packets, probabilities.

use super::{Derivation, Fact, OfInterference, OfResponse, OfRule, OfSupply};
use crate::ground::Source;
use vorrang_time::Duration;

/// What a term comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Own work.
    Own,
    /// Something with a name.
    Of(Source),
    /// From the arrival of its source until all that wakes it is complete.
    Path,
    /// Less urgent work that is not interrupted.
    Blocking,
    /// Members of equal priority.
    Equals,
    /// What had begun when the window did.
    Begun,
    /// Runtimes that end late.
    LateRuntimes,
    /// Time without budget of a server.
    Waits(Source),
    /// What is charged to a server besides its work.
    Charged(Source),
    /// Cold caches.
    Cold(Source),
    /// Turns of other members.
    Turns,
    /// Time for which real-time threads are throttled.
    Throttled,
}

/// One term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// What it comes from.
    pub part: Part,
    /// How long it is.
    pub time: Duration,
    /// How often what, where it is a product.
    pub times: Option<(u64, Duration)>,
}

impl Term {
    fn of(part: Part, time: Duration) -> Self {
        Self { part, time, times: None }
    }
}

impl Derivation {
    /// Its terms, the largest first.
    pub fn terms_by_size(&self) -> Vec<Term> {
        let mut all: Vec<Term> = Vec::new();
        let mut charged = None;
        for step in self.steps() {
            match &step.fact {
                // A part of the term before it.
                Fact::Interference(OfInterference::Kept { kept, .. }) => {
                    if let Some(last) = all.last_mut() {
                        *last = Term::of(last.part, both(last.time, *kept));
                    }
                }
                Fact::Supply(OfSupply::Pays { of, work, used, .. }) => {
                    charged = Some(Part::Charged(*of));
                    add(&mut all, Term::of(Part::Charged(*of), used.saturating_sub(*work)));
                }
                // A part of what is charged.
                Fact::Supply(OfSupply::LateRuntime(late)) => {
                    let of = all.iter_mut().find(|term| Some(term.part) == charged);
                    if let Some(of) = of {
                        of.time = of.time.saturating_sub(*late);
                    }
                    add(&mut all, Term::of(Part::LateRuntimes, *late));
                }
                fact => {
                    if let Some(term) = term(fact) {
                        add(&mut all, term);
                    }
                }
            }
        }
        all.retain(|term| !term.time.is_zero());
        all.sort_by_key(|term| core::cmp::Reverse(term.time));
        all
    }
}

/// What comes from the same is one term; it stands last then, so that a part of it finds it.
fn add(all: &mut Vec<Term>, term: Term) {
    let same = all.iter().position(|other| other.part == term.part);
    let before = same.map(|place| all.remove(place));
    all.push(match before {
        Some(before) => sum(before, term),
        None => term,
    });
}

/// Both of one part; a product of as much each stays one.
fn sum(one: Term, other: Term) -> Term {
    let times = one.times.zip(other.times).filter(|((_, each), (_, own))| each == own);
    let times = times.map(|((count, each), (more, _))| (count.saturating_add(more), each));
    Term { part: one.part, time: both(one.time, other.time), times }
}

/// Terms of windows that nothing fits into may be longer together than any time.
fn both(one: Duration, other: Duration) -> Duration {
    Duration::from_ns(one.as_ns().saturating_add(other.as_ns()))
}

/// The term that a fact is by itself.
fn term(fact: &Fact) -> Option<Term> {
    match fact {
        Fact::Interference(fact) => of_interference(fact),
        Fact::Supply(fact) => of_supply(fact),
        Fact::Rule(fact) => Some(of_rule(fact)),
        Fact::Response(OfResponse::OwnWork { count, cost }) => {
            Some(Term { part: Part::Own, time: *cost * *count, times: Some((*count, *cost)) })
        }
        Fact::Response(OfResponse::Woken { jitter, .. }) => Some(Term::of(Part::Path, *jitter)),
        Fact::Response(_)
        | Fact::Cited(_)
        | Fact::IdleStart(_)
        | Fact::Packets(_)
        | Fact::LoneTask(_)
        | Fact::Probability(_) => None,
    }
}

fn of_interference(fact: &OfInterference) -> Option<Term> {
    let (part, time) = match *fact {
        OfInterference::Term { of, occurrences, cost } => {
            let (part, count) = (Part::Of(of), occurrences.count);
            return Some(Term { part, time: cost * count, times: Some((count, cost)) });
        }
        OfInterference::ByClock { of, count, cost } => {
            return Some(Term {
                part: Part::Of(of),
                time: cost * count,
                times: Some((count, cost)),
            });
        }
        OfInterference::FirstCome(time) => (Part::Equals, time),
        OfInterference::Blocking(time) | OfInterference::BlockingByLater(time) => {
            (Part::Blocking, time)
        }
        OfInterference::Due { of, released, due, .. } => {
            (Part::Of(of), released.map_or(due, |released| released.min(due)))
        }
        OfInterference::Behind { count, cost } => (Part::Own, cost * count),
        OfInterference::OwnRequests(time) => (Part::Own, time),
        OfInterference::Begun(time) => (Part::Begun, time),
        OfInterference::Kept { .. }
        | OfInterference::UsedLess(_)
        | OfInterference::DueWork { .. }
        | OfInterference::Merging => return None,
    };
    Some(Term::of(part, time))
}

fn of_supply(fact: &OfSupply) -> Option<Term> {
    let (part, time) = match *fact {
        OfSupply::ColdCache { of, loss, .. } => (Part::Cold(of), loss),
        OfSupply::ShortRuns { of, loss, share, .. } => (Part::Cold(of), loss + share),
        OfSupply::FixedPriorityServer { of, budget, period, wait, whole, .. } => {
            (Part::Waits(of), wait + period.saturating_sub(budget) * whole)
        }
        OfSupply::Placed { of, work, window } => (Part::Waits(of), window.saturating_sub(work)),
        OfSupply::Wanted { of, budget, .. } => (Part::Of(of), budget),
        OfSupply::Throttled { budget, period, carried, waits, .. } => {
            let carried = carried * (1 + waits.min(1));
            (Part::Throttled, period.saturating_sub(budget) * (1 + waits) + carried)
        }
        _ => return None,
    };
    Some(Term::of(part, time))
}

fn of_rule(fact: &OfRule) -> Term {
    let (part, time) = match *fact {
        OfRule::PeriodicResource { of, delay, waits, gap, .. } => {
            (Part::Waits(of), delay + gap * waits)
        }
        OfRule::BoundedDelay { of, work, time, .. } | OfRule::Table { of, work, time, .. } => {
            (Part::Waits(of), time.saturating_sub(work))
        }
        OfRule::FixedSlot { of, budget, period, work } => {
            (Part::Waits(of), period.saturating_sub(budget) * work.div_ceil(budget))
        }
        OfRule::Slices { others, .. } => (Part::Turns, others),
        OfRule::Turns { visits, others, round, at_first, .. } => {
            (Part::Turns, (others + round) * visits + at_first)
        }
    };
    Term::of(part, time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vorrang_model::system::{InterruptId, SupplyId};

    fn us(time: u64) -> Duration {
        Duration::from_ns(time * 1_000)
    }

    #[test]
    fn a_carry_in_belongs_to_its_server_and_a_late_runtime_to_what_is_charged() {
        let server = Source::Server(SupplyId(1));
        let mut derivation = Derivation::default();
        derivation.push(OfResponse::OwnWork { count: 2, cost: us(10) });
        derivation.push(OfInterference::Due {
            of: server,
            released: Some(us(50)),
            window: us(99),
            due: us(70),
            at: us(99),
        });
        derivation.push(OfInterference::Kept { deadline: us(9), kept: us(3) });
        derivation.push(OfInterference::Blocking(Duration::ZERO));
        let (work, used) = (us(100), us(400));
        derivation.push(OfSupply::Pays { of: server, for_interrupts: true, work, used });
        derivation.push(OfSupply::LateRuntime(us(269)));
        let found: Vec<(Part, Duration)> =
            derivation.terms_by_size().iter().map(|term| (term.part, term.time)).collect();
        let all = [
            (Part::LateRuntimes, us(269)),
            (Part::Of(server), us(53)),
            (Part::Charged(server), us(31)),
            (Part::Own, us(20)),
        ];
        assert_eq!(found, all);
    }

    #[test]
    fn facts_of_one_source_are_one_term() {
        let source = Source::Interrupt(InterruptId(0));
        let mut derivation = Derivation::default();
        derivation.push(OfSupply::Wanted { of: source, budget: us(5), window: us(10) });
        derivation.push(OfInterference::Begun(us(4)));
        derivation.push(OfSupply::Wanted { of: source, budget: us(2), window: us(10) });
        let terms = derivation.terms_by_size();
        assert_eq!(terms, [Term::of(Part::Of(source), us(7)), Term::of(Part::Begun, us(4))]);
    }
}
