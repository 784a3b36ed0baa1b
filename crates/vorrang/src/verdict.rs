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
//! 2. What nothing represents may change everything on its core, so there it leaves no verdict but
//!    undecided, whatever the numbers say.
//!
//! **Does not cover** how likely a miss is, and requirements that are not about a response time.

use crate::unit::Unit;
use vorrang_analysis::{Bounds, Finding};
use vorrang_model::System;
use vorrang_model::system::{InterruptId, Requirement, RequirementKind, SupplyId, TaskId};
use vorrang_sim::{Observations, Worst};
use vorrang_time::{Duration, Instant};

/// What is known about a requirement; the worse, the later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// What follows.
    pub verdict: Verdict,
    /// The analysis that gave the bound, or failed to.
    pub by: String,
    /// What the bound takes for granted.
    pub assumptions: Vec<String>,
    /// Why it is undecided, as a clause without a full stop.
    pub reason: Option<String>,
    /// What refutes it.
    pub witness: Option<Witness>,
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

/// The worst verdict of all; proven if there is nothing to require.
pub fn overall(rulings: &[Ruling]) -> Verdict {
    rulings.iter().map(|ruling| ruling.verdict).max().unwrap_or(Verdict::Proven)
}

/// One ruling per requirement, in the order of declaration.
///
/// # Errors
/// Every task and interrupt, with or without a requirement, that was seen to take longer than its
/// bound.
pub fn decide(
    system: &System,
    bounds: &Bounds,
    observations: &Observations,
) -> Result<Vec<Ruling>, Vec<Contradiction>> {
    let tasks = (0..system.tasks.len()).map(TaskId).filter_map(|id| {
        let task = system.task(id);
        let core = system.core_of(task.on);
        contradiction(&task.name, core, bounds.task(id), observations.tasks[id.0].as_ref())
    });
    let interrupts = (0..system.interrupts.len()).map(InterruptId).filter_map(|id| {
        let interrupt = system.interrupt(id);
        let observed = observations.interrupts[id.0].as_ref();
        contradiction(&interrupt.name, interrupt.on, bounds.interrupt(id), observed)
    });
    let contradictions: Vec<Contradiction> = tasks.chain(interrupts).collect();
    if !contradictions.is_empty() {
        return Err(contradictions);
    }
    let rule =
        |requirement| ruling(system, requirement, bounds.requirement(requirement), observations);
    Ok(system.requirements.iter().map(rule).collect())
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

fn ruling(
    system: &System,
    requirement: &Requirement,
    finding: &Finding,
    observations: &Observations,
) -> Ruling {
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
        no_bound: finding.reason.as_ref().map(ToString::to_string),
        not_simulated,
    };
    let (verdict, reason) = evidence.weigh();
    Ruling {
        name: requirement.name.clone(),
        kind: requirement.kind,
        core,
        limit: requirement.limit,
        bound: finding.bound,
        observed: worst.map(Observed::from),
        verdict,
        witness: worst
            .filter(|_| verdict == Verdict::Refuted)
            .map(|worst| Witness::of(worst, requirement.limit)),
        by: finding.method.to_string(),
        assumptions: finding.assumptions.iter().map(ToString::to_string).collect(),
        reason,
    }
}

/// What the verdict on one requirement rests on, with the reasons for what is missing.
#[derive(Clone, Debug, Default)]
struct Evidence {
    limit: Duration,
    bound: Option<Duration>,
    observed: Option<Duration>,
    unrepresented: Option<String>,
    no_bound: Option<String>,
    not_simulated: Option<String>,
}

impl Evidence {
    fn weigh(&self) -> (Verdict, Option<String>) {
        if let Some(reason) = &self.unrepresented {
            return (Verdict::Undecided, Some(reason.clone()));
        }
        if self.bound.is_some_and(|bound| bound <= self.limit) {
            return (Verdict::Proven, None);
        }
        if self.observed.is_some_and(|observed| observed > self.limit) {
            return (Verdict::Refuted, None);
        }
        (Verdict::Undecided, Some(format!("{}; {}", self.gap_to_bound(), self.gap_to_observed())))
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
            (None, Some(reason)) => format!("no bound to compare with the limit {limit}: {reason}"),
            (None, None) => format!("no bound to compare with the limit {limit}"),
        }
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
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_ms(ms)
    }

    fn evidence(bound: Option<u64>, observed: Option<u64>) -> Evidence {
        Evidence {
            limit: ms(10),
            bound: bound.map(ms),
            observed: observed.map(ms),
            ..Evidence::default()
        }
    }

    #[test]
    fn the_limit_itself_is_kept() {
        assert_eq!(evidence(Some(10), Some(10)).weigh(), (Verdict::Proven, None));
        assert_eq!(evidence(Some(11), Some(10)).weigh().0, Verdict::Undecided);
        assert_eq!(evidence(Some(11), Some(11)).weigh(), (Verdict::Refuted, None));
    }

    #[test]
    fn one_side_is_enough_to_decide() {
        assert_eq!(evidence(Some(9), None).weigh().0, Verdict::Proven);
        assert_eq!(evidence(None, Some(12)).weigh().0, Verdict::Refuted);
        assert_eq!(evidence(None, None).weigh().0, Verdict::Undecided);
    }

    #[test]
    fn undecided_names_both_numbers_and_both_gaps() {
        insta::assert_snapshot!(
            evidence(Some(12), Some(7)).weigh().1.expect("a reason"),
            @"the bound 12ms is 2ms above the limit 10ms; the longest response seen, 7ms, is 3ms below it"
        );
    }

    #[test]
    fn undecided_says_what_is_missing_on_either_side() {
        let evidence = Evidence {
            no_bound: Some("on core.0, too much work arrives".to_owned()),
            not_simulated: Some("vcpu.a: polling servers are not simulated yet".to_owned()),
            ..evidence(None, None)
        };
        insta::assert_snapshot!(
            evidence.weigh().1.expect("a reason"),
            @"no bound to compare with the limit 10ms: on core.0, too much work arrives; \
              no history was simulated: vcpu.a: polling servers are not simulated yet"
        );
    }

    #[test]
    fn what_nothing_represents_outweighs_every_number() {
        for numbers in [(Some(9), Some(8)), (Some(11), Some(11))] {
            let evidence =
                Evidence { unrepresented: Some("x".to_owned()), ..evidence(numbers.0, numbers.1) };
            assert_eq!(evidence.weigh(), (Verdict::Undecided, Some("x".to_owned())));
        }
    }

    /// A system of one task, and what was seen of it.
    fn seen(response: Duration) -> (System, Observations) {
        let source = "version = 1\n[core.0]\nscheduler = \"edf\"\n\
                      [task.x]\non = \"core.0\"\nwcet = \"3ms\"\nperiod = \"10ms\"\n";
        let system =
            vorrang_model::read(source, vorrang_model::Format::Toml).expect("a description");
        let pattern = vorrang_sim::Pattern::parse("synchronous", &system).expect("a pattern");
        let arrival = Instant::ZERO + ms(20);
        let worst = Worst { response, finished: true, pattern, arrival, miss: None };
        let observations = Observations {
            tasks: vec![Some(worst)],
            interrupts: Vec::new(),
            not_covered: Vec::new(),
            seed: 1,
            horizon: ms(100),
            runs: 1,
        };
        (system, observations)
    }

    #[test]
    fn an_observation_above_the_bound_is_a_bug_and_no_verdict() {
        let (system, observations) = seen(Duration::from_ns(3_000_001));
        let bounds = vorrang_analysis::bounds(&system);
        let found = decide(&system, &bounds, &observations).expect_err("3 ms is the bound");
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].name.as_str(), found[0].bound), ("task.x", ms(3)));
        assert_eq!(found[0].observed.pattern, "synchronous");
    }

    #[test]
    fn an_observation_at_the_bound_is_none() {
        let (system, observations) = seen(ms(3));
        let rulings = decide(&system, &vorrang_analysis::bounds(&system), &observations);
        let rulings = rulings.expect("no contradiction");
        assert_eq!(overall(&rulings), Verdict::Proven);
        assert_eq!((rulings[0].bound, rulings[0].limit), (Some(ms(3)), ms(10)));
    }

    #[test]
    fn a_witness_is_the_first_miss_of_this_limit() {
        let (_, mut observations) = seen(ms(30));
        let worst = observations.tasks[0].as_mut().expect("seen");
        worst.miss = Some(vorrang_sim::Miss {
            pattern: worst.pattern.clone(),
            arrival: Instant::ZERO,
            deadline: Instant::ZERO + ms(10),
        });
        assert_eq!(Witness::of(worst, ms(10)).arrival, Instant::ZERO);
        // The first miss of another limit may keep this one; the slowest job does not.
        assert_eq!(Witness::of(worst, ms(15)).arrival, Instant::ZERO + ms(20));
    }
}
