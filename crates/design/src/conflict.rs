//! Why there is no design: requirements that cannot hold together, and what one of them would have to give.
//!
//! **Model.** Requirements are dropped one after the other, in the order of declaration, those of chains last, as long as there is
//! still no design; those that are left cannot hold together, and each of them is needed for that where
//! all searches were decided. Then each of these alone is given more time, with all requirements there:
//! the shortest limit with which a design is found, in steps of about a hundredth.
//!
//! Where it is not decided that there is no design, but none was found, the same is done with what is found:
//! what is left was not found to hold together, and was without any one of them.
//!
//! **Assumptions.**
//! 1. That they cannot hold together: what a search says to be impossible is so (`search.rs`, `options.rs`,
//!    `closing.rs`). Where it is only not found, nothing is assumed and nothing is excluded.
//! 2. That each is needed: dropping requirements costs no design. What was dropped before is dropped still.
//!
//! **Cost.** A search for each requirement and a dozen for each that is left, each with an equal share of the
//! steps, and twice as many as there are in all. Nothing is sought where there are more than [`MOST`]
//! requirements.

use crate::aim::Aim;
use crate::answer::{Absence, Answer, Limits};
use crate::asked;
use crate::layout::provisional;
use crate::objective::Weights;
use crate::placement::aimed;
use vorrang_model::Open;
use vorrang_time::Duration;

/// Requirements that are looked at one by one.
const MOST: usize = 60;
/// Times that a limit is doubled.
const DOUBLINGS: u32 = 4;
/// Searches for a limit once it is known between one and its double.
const HALVINGS: u32 = 6;

/// Requirements that cannot hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Their names, in the order of declaration, those of chains (`reaction of chain.x`) last; none: budgets alone cannot be guaranteed.
    pub requirements: Vec<String>,
    /// Whether each of them is needed for that.
    pub irreducible: bool,
    /// Whether it is decided that they cannot; else no design was found for all of them, and none is excluded.
    pub decided: bool,
    /// Whether that is so of the theorems that are monotonic in budgets only: by all, nothing was found.
    pub by_monotonic: bool,
    /// Of each that alone would help, the limit with which a design was found.
    pub helps: Vec<(String, Duration)>,
    /// Steps that were taken.
    pub steps: u64,
}

/// Looks for them in a description for which there is no design, or if that is not `decided` none was found; `None`:
/// there are too many.
pub fn conflict(open: &mut Open, limits: Limits, decided: bool) -> Option<Conflict> {
    let mut all = open.requirements().to_vec();
    let first = provisional(open, &vec![None; open.values().len()]);
    if let Some(system) = open.resolve(&first) {
        let of_chains = asked::all(&system);
        all.extend(of_chains.map(|(place, of, limit)| (of.name(&system.chains[place]), limit)));
    }
    if all.len() > MOST {
        return None;
    }
    let share = Limits { steps: limits.steps / (all.len() as u64 + 1), ..limits };
    let most = limits.steps.saturating_mul(2);
    let mut search = Search { open, share, most, decided, steps: 0, by_monotonic: false };
    let (mut dropped, mut irreducible) = (Aim::new(Weights::PRICE), true);
    for (name, _) in &all {
        let without = dropped.with(name, None);
        match search.run(&without) {
            Outcome::Impossible { by_monotonic } => {
                search.by_monotonic |= by_monotonic;
                dropped = without;
            }
            Outcome::Unknown => irreducible = false,
            Outcome::Design => {}
        }
    }
    let left: Vec<(String, Duration)> =
        all.into_iter().filter(|(name, _)| !dropped.relaxed.contains_key(name)).collect();
    let mut helps = Vec::new();
    for (name, now) in &left {
        helps.extend(search.least(name, *now).map(|limit| (name.clone(), limit)));
    }
    let requirements = left.into_iter().map(|(name, _)| name).collect();
    let Search { steps, by_monotonic, .. } = search;
    Some(Conflict { requirements, irreducible, decided, by_monotonic, helps, steps })
}

struct Search<'o> {
    open: &'o mut Open,
    share: Limits,
    /// Steps of all searches.
    most: u64,
    /// Whether what is not found counts for nothing.
    decided: bool,
    steps: u64,
    by_monotonic: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Design,
    Impossible { by_monotonic: bool },
    Unknown,
}

impl Search<'_> {
    fn run(&mut self, aim: &Aim) -> Outcome {
        let steps = self.share.steps.min(self.most.saturating_sub(self.steps));
        let (answer, steps) = aimed(self.open, Limits { steps, ..self.share }, aim);
        self.steps += steps;
        match answer {
            Answer::Design(_) => Outcome::Design,
            Answer::Absent(Absence::Impossible { .. }) => {
                Outcome::Impossible { by_monotonic: false }
            }
            Answer::Absent(Absence::NotFound { by_monotonic: true, .. }) => {
                Outcome::Impossible { by_monotonic: true }
            }
            Answer::Absent(_) if !self.decided && self.steps < self.most => {
                Outcome::Impossible { by_monotonic: false }
            }
            // Without any requirement only the budgets that are stated are left.
            Answer::Absent(_) => Outcome::Unknown,
        }
    }

    /// The shortest limit of a requirement, from `now` on, with which there is a design.
    fn least(&mut self, name: &str, now: Duration) -> Option<Duration> {
        let mut helps = |limit: Duration| {
            let aim = Aim::new(Weights::PRICE).with(name, Some(limit));
            self.run(&aim) == Outcome::Design
        };
        let (mut short, mut enough) = (now, now * 2);
        for doubling in 0.. {
            if helps(enough) {
                break;
            }
            if doubling == DOUBLINGS || enough * 2 > Duration::MAX_STATED {
                return None;
            }
            (short, enough) = (enough, enough * 2);
        }
        for _ in 0..HALVINGS {
            let middle = short + Duration::from_ns(enough.saturating_sub(short).as_ns() / 2);
            let middle = rounded(middle);
            if middle <= short || middle >= enough {
                break;
            }
            if helps(middle) {
                enough = middle;
            } else {
                short = middle;
            }
        }
        Some(enough)
    }
}

/// Two digits more than a hundredth, so that people can write it down.
fn rounded(time: Duration) -> Duration {
    let step = 10_u64.pow((time.as_ns() / 100).checked_ilog10().unwrap_or(0));
    Duration::from_ns(time.as_ns() / step * step)
}
