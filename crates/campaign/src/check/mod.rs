//! One system: its bounds against all observations.
//!
//! **Model.** The bound of every task and every interrupt is compared with the longest response
//! of the search on the event-driven simulator and, where the numbers are tiny, with that of the
//! oracle by brute force. There the simulator and the oracle must also complete every job at the
//! same instant. The system's text must read back as the same system. Nothing is ignored: a panic, or a drawn
//! system that is not covered, is a violation too.
//!
//! **Cost.** A few milliseconds; see [`Effort`].

mod bound;
mod effort;
mod losses;
mod ticks;

use crate::designs;
use crate::invariant::Broken;
use crate::random::Random;
use crate::tally::Tally;
use core::any::Any;
use core::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use vorrang_analysis::bounds;
use vorrang_model::system::System;
use vorrang_model::{Format, read, write_toml};
use vorrang_sim::{Pattern, Search};
use vorrang_time::Duration;

pub use bound::Exceeded;
pub use effort::Effort;
pub use ticks::Apart;

/// The violations of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// A response longer than its bound.
    Exceeded(Exceeded),
    /// The simulator and the oracle disagree.
    Apart(Apart),
    /// A history breaks an invariant.
    Broken(Broken),
    /// More time lost than its bound.
    Lost(String),
    /// A system that was drawn from covered features is not covered.
    NotCovered(String),
    /// The text of the system reads back as another system, or not at all.
    Text(String),
    /// A wrong or missed design for the description with open values of this index.
    Design(String),
    /// Something panicked.
    Panic(String),
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exceeded(exceeded) => exceeded.fmt(f),
            Self::Apart(apart) => apart.fmt(f),
            Self::Broken(broken) => broken.fmt(f),
            Self::Lost(what) => f.write_str(what),
            Self::NotCovered(what) => write!(f, "not covered: {what}"),
            Self::Text(what) => write!(f, "the text reads back as another system: {what}"),
            Self::Design(what) => write!(f, "design: {what}"),
            Self::Panic(what) => write!(f, "panic: {what}"),
        }
    }
}

/// Draws a system and checks it; the results are added to the tally.
pub fn check_drawn(seed: u64, index: u64, effort: &Effort, tally: &mut Tally) {
    let system = effort.system(seed, index);
    tally.coverage.add(&system);
    for violation in check(&system, seed, index, effort, tally) {
        tally.violations.push((index, violation));
    }
    if index.is_multiple_of(effort.designed_one_in) {
        let wrong = check_design(seed, index, effort, &mut tally.designs);
        tally.violations.extend(wrong.into_iter().map(|violation| (index, violation)));
    }
}

/// Draws a description with values left open and checks its design.
pub fn check_design(
    seed: u64,
    index: u64,
    effort: &Effort,
    counts: &mut designs::Counts,
) -> Vec<Violation> {
    let outcome = catch_unwind(|| {
        let mut own = designs::Counts::default();
        let histories = Search { seed: index, ..effort.search };
        let text = designs::draw(seed, index);
        let wrong = designs::check(&text, &histories, vorrang_design::design, &mut own);
        (own, wrong)
    });
    let wrong = match outcome {
        Ok((own, wrong)) => {
            counts.add(&own);
            wrong
        }
        Err(payload) => vec![format!("panic: {}", message(&*payload))],
    };
    wrong.into_iter().map(Violation::Design).collect()
}

/// Checks a system. `seed` and `index` determine the histories.
pub fn check(
    system: &System,
    seed: u64,
    index: u64,
    effort: &Effort,
    tally: &mut Tally,
) -> Vec<Violation> {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut own = Tally::default();
        let violations = check_all(system, seed, index, effort, &mut own);
        (own, violations)
    }));
    match outcome {
        Ok((own, violations)) => {
            tally.merge(own);
            violations
        }
        Err(payload) => vec![Violation::Panic(message(&*payload))],
    }
}

/// The message of a panic.
fn message(payload: &(dyn Any + Send)) -> String {
    let message = payload.downcast_ref::<String>().cloned();
    let message = message.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
    message.unwrap_or_default()
}

fn check_all(
    system: &System,
    seed: u64,
    index: u64,
    effort: &Effort,
    tally: &mut Tally,
) -> Vec<Violation> {
    // A separate stream: the histories do not depend on the drawing of the system.
    let mut random = Random::new(seed ^ TRIALS, index);
    let bounds = bounds(system);
    let mut violations = Vec::new();
    let watched = random.chance(1, effort.watched_one_in);
    let mut longest =
        bound::searched(system, &bounds, effort, index, watched, &mut violations, tally);
    if watched {
        losses::compare(system, index, &mut violations, tally);
    }
    if ticks::tiny(system) {
        if random.chance(1, effort.compared_one_in) {
            ticks::compare(system, effort, &mut random, &mut violations, tally);
        }
        if random.chance(1, effort.brute_one_in) {
            ticks::brute(
                system,
                &bounds,
                effort,
                &mut random,
                &mut longest,
                &mut violations,
                tally,
            );
        }
    }
    if random.chance(1, effort.text_one_in) {
        violations.extend(text(system, tally));
    }
    tally.count(system, &bounds, &longest);
    violations
}

/// Checks one history of a system, given by its pattern: bounds against observations, and on tiny
/// systems the simulator against the oracle.
pub fn replay(system: &System, pattern: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    let bounds = bounds(system);
    for core in system.cores() {
        let parsed = Pattern::parse(pattern, system);
        let Ok(Ok(history)) = parsed.map(|pattern| pattern.history(system, core)) else {
            violations.push(Violation::NotCovered(format!("pattern {pattern}")));
            continue;
        };
        violations.extend(bound::one_history(system, core, &bounds, &history, pattern));
        if ticks::tiny(system) {
            violations.extend(ticks::one_history(system, core, &history, pattern));
        }
    }
    violations
}

/// Separates the streams of trials from those of systems.
const TRIALS: u64 = 0x7472_6961_6c73_0000;

fn text(system: &System, tally: &mut Tally) -> Option<Violation> {
    tally.checks.texts += 1;
    let text = write_toml(system);
    match read(&text, Format::Toml) {
        Ok(back) if back == *system => None,
        Ok(back) => Some(Violation::Text(first_difference(system, &back))),
        Err(diagnostics) => {
            let first = diagnostics.first().map(|diagnostic| diagnostic.message.clone());
            Some(Violation::Text(first.unwrap_or_default()))
        }
    }
}

/// Where a system that was read back begins to differ.
fn first_difference(written: &System, back: &System) -> String {
    let (written, back) = (format!("{written:?}"), format!("{back:?}"));
    let pairs = written.split(", ").zip(back.split(", "));
    pairs
        .filter(|(one, other)| one != other)
        .map(|(one, other)| format!("{other}, and not {one}"))
        .next()
        .unwrap_or_else(|| "shorter or longer".to_owned())
}

/// The longest response seen of each task and interrupt, from any source.
#[derive(Clone, Debug)]
pub struct Observed {
    /// By task.
    pub tasks: Vec<Option<Duration>>,
    /// By interrupt.
    pub interrupts: Vec<Option<Duration>>,
}
