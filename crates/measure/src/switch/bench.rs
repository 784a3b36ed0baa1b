//! The two threads.

use super::{Measured, Outcome, Point, Sample};
use crate::cache::Kind;
use crate::machine::conditions::{self, Interrupted, Steal};
use crate::machine::counter::{self, Counter};
use crate::machine::handover::{Means, Turn};
use crate::machine::memory::{LINE_BYTES, Line, ring};
use crate::machine::place::Pinned;
use crate::machine::policy::Fifo;
use crate::machine::{Unable, walk};
use std::time::{Duration, Instant};

/// Most rounds of a point one after the other: enough to get used to it, few enough that all points
/// are measured again and again.
const MOST_ROUNDS: usize = 64;

/// Fewest of them, with the largest sets.
const FEWEST_ROUNDS: usize = 8;

/// Bytes over which a row of rounds walks, roughly.
const ROW_BYTES: usize = 8 << 20;

/// Warm-up rounds at the start of each row: the other thread starts, and neither set is cached yet.
const SETTLING: usize = 4;

/// The plan of a measurement.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The sets, in the order of measuring.
    pub points: Vec<Point>,
    /// Their access pattern.
    pub kind: Kind,
    /// How the turn is passed.
    pub means: Means,
    /// On which processor; the last permitted one if `None`.
    pub cpu: Option<usize>,
    /// The real-time priority of both threads, if they are to have one.
    pub priority: Option<u32>,
    /// Seed of the order of the rings.
    pub seed: u64,
    /// For how long.
    pub time: Duration,
}

/// Measures in turns until the time of the plan is over or `go_on`, which receives the finished part, returns
/// false; every point is measured at least once.
///
/// # Errors
/// This process may not stay on the CPU of the plan, or the kernel refuses a pipe.
pub fn measure(plan: &Plan, mut go_on: impl FnMut(f64) -> bool) -> Result<Measured, Unable> {
    let place = Pinned::to(plan.cpu)?;
    let mut conditions = conditions::of(place.cpu);
    let (fifo, refused) = match plan.priority.map(Fifo::at).transpose() {
        Ok(fifo) => (fifo, None),
        Err(Unable(why)) => (None, Some(why)),
    };
    let bench = Bench::of(plan)?;
    let steal = Steal::watch(place.cpu);
    let mut samples: Vec<Vec<Sample>> = vec![Vec::new(); plan.points.len()];
    let since = Instant::now();
    let mut is_wanted = true;
    let mut rows = 0;
    while is_wanted {
        for (sets, samples) in bench.sets.iter().zip(&mut samples) {
            samples.extend(bench.row(sets));
            let part = since.elapsed().as_secs_f64() / plan.time.as_secs_f64();
            is_wanted = go_on(part.min(1.0)) && part < 1.0;
            if !is_wanted && rows > 0 {
                break;
            }
        }
        rows += 1;
    }
    let policy = if fifo.is_some() { "real-time" } else { "normal" };
    conditions.extend([
        ("seed", plan.seed.to_string()),
        ("handover", plan.means.word().to_owned()),
        ("access", plan.kind.name()),
        ("priority", plan.priority.filter(|_| fifo.is_some()).map_or(policy.into(), text)),
        ("counter", bench.counter.text()),
    ]);
    let outcomes: Vec<Option<Outcome>> =
        plan.points.iter().zip(&samples).map(|(point, own)| Outcome::of(*point, own)).collect();
    let mut remarks = conditions::remarks(&conditions, steal.part(), Interrupted::LeftOut);
    remarks.extend(refused.map(|why| {
        format!("{why}. The threads had none, and other threads may have run in between.")
    }));
    let missing = plan.points.iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_none());
    remarks.extend(missing.map(|(point, _)| {
        format!("Every round with {} was interrupted: there is no number.", point.name())
    }));
    let outcomes = outcomes.into_iter().flatten().collect();
    let (means, kind) = (plan.means.word(), plan.kind);
    Ok(Measured { means, kind, outcomes, conditions, remarks })
}

fn text(priority: u32) -> String {
    priority.to_string()
}

/// The sets of a point: this thread's and the other's.
type Sets = [Vec<Line>; 2];

struct Bench {
    counter: Counter,
    turn: Turn,
    kind: Kind,
    sets: Vec<Sets>,
}

impl Bench {
    fn of(plan: &Plan) -> Result<Self, Unable> {
        let sets = plan.points.iter().map(|point| {
            [ring(point.own_bytes, plan.seed), ring(point.other_bytes, plan.seed + 1)]
        });
        Ok(Self {
            counter: Counter::calibrate(),
            turn: Turn::new(plan.means)?,
            kind: plan.kind,
            sets: sets.collect(),
        })
    }

    /// Some rounds with the same sets, without those in which the other thread begins and ends.
    fn row(&self, [own, other]: &Sets) -> Vec<Sample> {
        let bytes = (own.len() + other.len()).max(1) * LINE_BYTES;
        let rounds = SETTLING + (ROW_BYTES / bytes).clamp(FEWEST_ROUNDS, MOST_ROUNDS) + 1;
        // It inherits this thread's processor and priority.
        let mut samples = std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..rounds {
                    self.turn.wait(1);
                    self.walk(other);
                    self.turn.pass_to(0);
                }
            });
            (0..rounds).map(|_| self.round(own)).collect::<Vec<_>>()
        });
        samples.pop();
        samples.split_off(SETTLING)
    }

    fn round(&self, own: &[Line]) -> Sample {
        self.turn.pass_to(1);
        let handover = self.turn.wait(0);
        let after = self.walk(own);
        let calls = self.turn.calls();
        self.walk(own);
        let hot = self.walk(own);
        let [handover_ns, calls_ns, after_ns, hot_ns] =
            [handover, calls, after, hot].map(|ticks| self.counter.ns(ticks));
        Sample { handover_ns, calls_ns, after_ns, hot_ns }
    }

    /// The time to traverse a set, in ticks.
    fn walk(&self, lines: &[Line]) -> u64 {
        let from = counter::now();
        walk::pass(lines, self.kind.order, self.kind.access);
        counter::now() - from
    }
}
