//! From a bound and an observation to a verdict. The only place that sees both.
//!
//! **Model.** A requirement is *proven* if a bound over all histories is within its limit,
//! *refuted* if one history exceeds the limit, and *undecided* otherwise:
//!
//! ```text
//!          observed        bound
//!   ──────────┼──────────────┼─────────▶ response time
//!   refuted  )[  undecided  )[  proven      ← where the limit lies
//! ```
//!
//! **Assumptions.**
//! 1. The bound holds for every history of the description, and the observation comes from one of
//!    them. So an observation above a bound is a bug of the analysis or of the simulator, and no
//!    verdict of that run is worth anything: [`decide`] gives none.
//! 2. A requirement with a probability is proven by a bound on it, and refuted by nothing (`chance.rs`).
//! 3. What nothing represents may change everything on its core, so there it leaves no verdict but
//!    undecided, whatever the numbers say.
//!
//! **Does not cover** requirements that are not about a response time.

use crate::cause::Cause;
use crate::chance::{self, Chance};
use crate::screen::Tone;
use crate::unit::Unit;
use vorrang_analysis::{Bounds, Finding, Reason};
use vorrang_model::System;
use vorrang_model::system::{RequirementKind, SupplyId};
use vorrang_sim::{Observations, Worst};
use vorrang_time::{Duration, Instant};

/// What is known about a requirement; the worse, the later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Verdict {
    /// It holds in every history.
    Proven,
    /// Neither a proof nor a history against it was found.
    Undecided,
    /// A history breaks it.
    Refuted,
}

impl Verdict {
    /// As it is written in tables and in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Undecided => "undecided",
            Self::Refuted => "refuted",
        }
    }
}

/// As it is written, in its colour.
pub const fn toned(verdict: Verdict) -> (&'static str, Tone) {
    let tone = match verdict {
        Verdict::Proven => Tone::Good,
        Verdict::Undecided => Tone::Open,
        Verdict::Refuted => Tone::Bad,
    };
    (verdict.word(), tone)
}

/// The verdict on one requirement, with everything it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The full name of the requirement.
    pub name: String,
    /// What it is about.
    pub kind: RequirementKind,
    /// The core on which it is decided.
    pub core: SupplyId,
    /// The time it allows.
    pub limit: Duration,
    /// The longest response over all histories, if something bounds it.
    pub bound: Option<Duration>,
    /// The longest response seen in a history, if any was simulated.
    pub observed: Option<Observed>,
    /// What is known about how often it is not kept, if it states a probability.
    pub chance: Option<Chance>,
    /// What follows.
    pub verdict: Verdict,
    /// The analysis that gave the bound, or failed to.
    pub by: String,
    /// What the bound takes for granted.
    pub assumptions: Vec<String>,
    /// Why it is undecided.
    pub reason: Option<Why>,
    /// What would help, where it is not proven and somebody asked.
    pub help: Option<String>,
    /// The change that this names.
    pub change: Option<vorrang_design::Remedy>,
    /// What refutes it.
    pub witness: Option<Witness>,
}

/// Why a requirement is undecided, as clauses without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// What is missing, without the numbers of the requirement: where the same is missing, the same.
    pub cause: String,
    /// With its numbers, and why it is not refuted.
    pub text: String,
    /// Which kind of reason it is.
    pub of: Cause,
}

impl Why {
    /// Where the requirement has no part in it.
    fn unrepresented(text: &str) -> Self {
        Self { cause: text.to_owned(), text: text.to_owned(), of: Cause::Unrepresented }
    }
}

impl Ruling {
    /// What is not decided could have been, had nobody interrupted it.
    pub fn interrupt(&mut self) {
        if self.verdict == Verdict::Undecided {
            let so_far = |text: &str| format!("it was interrupted; so far, {text}");
            self.reason = self.reason.take().map(|Why { cause, text, .. }| Why {
                cause: so_far(&cause),
                text: so_far(&text),
                of: Cause::Interrupted,
            });
        }
    }

    /// Why it is not proven; `None` if it is.
    pub fn cause(&self) -> Option<Cause> {
        match self.verdict {
            Verdict::Proven => None,
            Verdict::Undecided => self.reason.as_ref().map(|why| why.of),
            Verdict::Refuted => {
                let completes = self.observed.as_ref().is_none_or(|seen| seen.finished);
                Some(if completes { Cause::Missed } else { Cause::NeverComplete })
            }
        }
    }
}

/// A job that breaks a requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The name of the history.
    pub pattern: String,
    /// When the job arrived.
    pub arrival: Instant,
    /// When it had to be complete and was not.
    pub deadline: Instant,
}

/// The longest response seen, and the history in which it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// From arrival to completion, or to the end of the history if the job did not complete.
    pub response: Duration,
    /// Whether the job completed.
    pub finished: bool,
    /// The name of the history.
    pub pattern: String,
    /// When the job arrived.
    pub arrival: Instant,
}

/// An observation above a bound: a bug of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The full name of the task or interrupt.
    pub name: String,
    /// The core of the history.
    pub core: SupplyId,
    /// What was proven to be the longest.
    pub bound: Duration,
    /// What was seen nevertheless.
    pub observed: Observed,
}

/// The worst verdict of all, on requirements and budgets; `None`: nothing is required, so nothing is proven.
pub fn overall(rulings: &[Ruling], budgets: impl Iterator<Item = Verdict>) -> Option<Verdict> {
    let required = rulings.iter().map(|ruling| ruling.verdict).max()?;
    Some(budgets.fold(required, Verdict::max))
}

/// One ruling per requirement, in the order of declaration.
///
/// # Errors
/// All that were seen to take longer than their bound, with or without a requirement.
pub fn decide(
    system: &System,
    bounds: &Bounds,
    observations: &Observations,
) -> Result<Vec<Ruling>, Vec<Contradiction>> {
    let tasks = system.task_ids().filter_map(|id| {
        let task = system.task(id);
        let core = system.core_of(task.on);
        contradiction(&task.name, core, bounds.task(id), observations.tasks[id.0].as_ref())
    });
    let interrupts = system.interrupt_ids().filter_map(|id| {
        let interrupt = system.interrupt(id);
        let observed = observations.interrupts[id.0].as_ref();
        contradiction(&interrupt.name, interrupt.on, bounds.interrupt(id), observed)
    });
    let contradictions: Vec<Contradiction> = tasks.chain(interrupts).collect();
    if !contradictions.is_empty() {
        return Err(contradictions);
    }
    let rule = |place| ruling(system, place, bounds, observations);
    Ok((0..system.requirements.len()).map(rule).collect())
}

fn contradiction(
    name: &str,
    core: SupplyId,
    finding: &Finding,
    worst: Option<&Worst>,
) -> Option<Contradiction> {
    let (bound, worst) = (finding.bound?, worst?);
    (worst.response > bound).then(|| Contradiction {
        name: name.to_owned(),
        core,
        bound,
        observed: Observed::from(worst),
    })
}

impl Witness {
    /// The first job seen to break the limit; the slowest where the first broke a stricter one.
    fn of(worst: &Worst, limit: Duration) -> Self {
        let first = worst.miss.as_ref().filter(|miss| miss.deadline == miss.arrival + limit);
        let (pattern, arrival) =
            first.map_or((&worst.pattern, worst.arrival), |miss| (&miss.pattern, miss.arrival));
        Self { pattern: pattern.to_string(), arrival, deadline: arrival + limit }
    }
}

impl From<&Worst> for Observed {
    fn from(worst: &Worst) -> Self {
        Self {
            response: worst.response,
            finished: worst.finished,
            pattern: worst.pattern.to_string(),
            arrival: worst.arrival,
        }
    }
}

fn ruling(system: &System, place: usize, bounds: &Bounds, observations: &Observations) -> Ruling {
    let requirement = &system.requirements[place];
    let finding = bounds.requirement(requirement);
    let core = system.core_of_requirement(requirement);
    let worst = match requirement.kind {
        RequirementKind::Deadline(task) => observations.tasks[task.0].as_ref(),
        RequirementKind::HandledWithin(interrupt) => observations.interrupts[interrupt.0].as_ref(),
    };
    let unrepresented = system
        .unsupported
        .iter()
        .find(|feature| feature.core.is_none_or(|of| of == core))
        .map(|feature| format!("nothing represents {} yet", feature.what));
    let not_simulated = observations
        .not_covered
        .iter()
        .find(|(of, _)| *of == core)
        .map(|(_, what)| what.to_string());
    let evidence = Evidence {
        limit: requirement.limit,
        bound: finding.bound,
        observed: worst.map(|worst| worst.response),
        unrepresented,
        no_bound: finding.reason.as_ref().map(|why| (Cause::from(why), why.to_string())),
        not_simulated,
        reclaiming: reclaiming(system, core),
    };
    let chance = Chance::of(system, bounds, place, observations.seed);
    let (verdict, reason) = match &chance {
        Some(chance) => {
            evidence.weigh_chance(chance, bounds.chance(system, requirement).reason.as_ref())
        }
        None => evidence.weigh(),
    };
    let (by, assumptions) = match &chance {
        Some(_) => {
            let found = bounds.chance(system, requirement);
            (found.method, found.assumptions)
        }
        None => (finding.method, finding.assumptions.clone()),
    };
    Ruling {
        name: requirement.name.clone(),
        kind: requirement.kind,
        core,
        limit: requirement.limit,
        bound: finding.bound,
        observed: worst.map(Observed::from),
        chance,
        verdict,
        witness: worst
            .filter(|_| verdict == Verdict::Refuted)
            .map(|worst| Witness::of(worst, requirement.limit)),
        by: by.to_string(),
        assumptions: assumptions.iter().map(ToString::to_string).collect(),
        reason,
        help: None,
        change: None,
    }
}

/// A server on the core that reclaims: by how much a kernel does depends on what it keeps for others,
/// which no description states (`docs/lab.md`), so that a history of the model refutes nothing.
fn reclaiming(system: &System, core: SupplyId) -> Option<String> {
    let mut on_core = system.supply_ids().map(|id| (id, system.supply(id)));
    let (_, supply) = on_core.find(|&(id, supply)| {
        supply.server.as_ref().is_some_and(|server| server.reclaims) && system.core_of(id) == core
    })?;
    Some(supply.name.clone())
}

/// What the verdict on one requirement rests on, with the reasons for what is missing.
#[derive(Clone, Debug, Default)]
struct Evidence {
    limit: Duration,
    bound: Option<Duration>,
    observed: Option<Duration>,
    unrepresented: Option<String>,
    no_bound: Option<(Cause, String)>,
    not_simulated: Option<String>,
    reclaiming: Option<String>,
}

impl Evidence {
    fn weigh(&self) -> (Verdict, Option<Why>) {
        if let Some(reason) = &self.unrepresented {
            return (Verdict::Undecided, Some(Why::unrepresented(reason)));
        }
        if self.bound.is_some_and(|bound| bound <= self.limit) {
            return (Verdict::Proven, None);
        }
        if let Some(observed) = self.observed.filter(|&observed| observed > self.limit) {
            return match &self.reclaiming {
                None => (Verdict::Refuted, None),
                Some(server) => {
                    (Verdict::Undecided, Some(self.gap_by_reclaiming(observed, server)))
                }
            };
        }
        let text = format!("{}; {}", self.gap_to_bound(), self.gap_to_observed());
        let (of, cause) = self.no_proof();
        (Verdict::Undecided, Some(Why { cause, text, of }))
    }

    /// What is missing for a proof, without numbers.
    fn no_proof(&self) -> (Cause, String) {
        match (self.bound, &self.no_bound) {
            (Some(_), _) => (Cause::BoundAboveLimit, "the bound is above the limit".to_owned()),
            (None, Some(reason)) => reason.clone(),
            (None, None) => (Cause::NoBound, "no bound".to_owned()),
        }
    }

    /// The same for a requirement with a probability, with why nothing bounds that.
    fn weigh_chance(&self, chance: &Chance, no_bound: Option<&Reason>) -> (Verdict, Option<Why>) {
        if let Some(reason) = &self.unrepresented {
            return (Verdict::Undecided, Some(Why::unrepresented(reason)));
        }
        if chance.is_proven() {
            return (Verdict::Proven, None);
        }
        let limit = Unit::of(self.limit).text(self.limit);
        let allowed = chance::decimal(chance.allowed());
        let (of, cause, bound) = match (chance.later, no_bound) {
            (Some(later), _) => (
                Cause::ProbabilityAbove,
                "the bound on the probability is above what is allowed".to_owned(),
                format!(
                    "the probability of a response longer than {limit} is at most {later}, and {allowed} is allowed"
                ),
            ),
            (None, Some(reason)) => (
                Cause::from(reason),
                reason.to_string(),
                format!("no bound to compare with the allowed {allowed}: {reason}"),
            ),
            (None, None) => (
                Cause::NoBound,
                "no bound on the probability".to_owned(),
                format!("no bound to compare with the allowed {allowed}"),
            ),
        };
        let seen = match (&chance.seen, &self.not_simulated) {
            (Some(seen), _) => format!("{seen} take longer, a share of {}", seen.share()),
            (None, Some(reason)) => format!("no history was simulated: {reason}"),
            (None, None) => "no job of it was seen".to_owned(),
        };
        (Verdict::Undecided, Some(Why { cause, text: format!("{bound}; {seen}"), of }))
    }

    /// Why it is not proven.
    fn gap_to_bound(&self) -> String {
        let unit = Unit::of(self.limit);
        let limit = unit.text(self.limit);
        match (self.bound, &self.no_bound) {
            (Some(bound), _) => {
                let gap = unit.text(bound - self.limit);
                format!("the bound {} is {gap} above the limit {limit}", unit.text(bound))
            }
            (None, Some((_, reason))) => {
                format!("no bound to compare with the limit {limit}: {reason}")
            }
            (None, None) => format!("no bound to compare with the limit {limit}"),
        }
    }

    /// Why what was seen does not refute it.
    fn gap_by_reclaiming(&self, observed: Duration, server: &str) -> Why {
        let unit = Unit::of(self.limit);
        let (seen, gap) = (unit.text(observed), unit.text(observed - self.limit));
        let cause = format!(
            "{server} reclaims there as much as the model allows, and kernels reclaim less"
        );
        let text =
            format!("the longest response seen, {seen}, is {gap} above the limit, but {cause}");
        Why { cause, text, of: Cause::Reclaiming }
    }

    /// Why it is not refuted.
    fn gap_to_observed(&self) -> String {
        let unit = Unit::of(self.limit);
        match (self.observed, &self.not_simulated) {
            (Some(observed), _) => {
                let (seen, gap) = (unit.text(observed), unit.text(self.limit - observed));
                format!("the longest response seen, {seen}, is {gap} below it")
            }
            (None, Some(reason)) => format!("no history was simulated: {reason}"),
            (None, None) => "no job of it was seen in any history".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
