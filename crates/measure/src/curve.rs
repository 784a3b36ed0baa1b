//! The work curve: how work progresses after the caches were disturbed (K08).
//!
//! **Model.** A run goes over the working set a few times, block by block, with a timestamp after
//! each block. Work is counted in time at the sustained rate: every block is worth its time in the sustained
//! state, `c`. With `t_i` the time at the end of block `i`:
//!
//! ```text
//!   W(t_i) = i · c        loss(t_i) = t_i − W(t_i)        f = c / (t_i − t_{i−1})
//! ```
//!
//! **Assumptions.** 1. After the last pass over the set the rate is the sustained one; it is timed
//! there once more without timestamps in between. 2. A timestamp costs the same everywhere: what the
//! last pass took longer than the one without, by block. 3. Between two timestamps work goes on
//! evenly: a curve is known at the ends of blocks only.
//!
//! Losses are never cut off at zero: a state without loss has losses around zero.
//!
//! **Reference.** R. Kaiser: Empirische Ermittlung Cache-bedingter Umschaltverluste, 2008.

use crate::interruption::undisturbed;
use crate::statistics::{Spread, median};

/// The length of a curve in runs: long enough that a fit by least squares has to find the
/// plateau, of which a small set shows little (it is cold for most of a run).
const BEYOND: u32 = 4;
/// Points of each of these times.
const STEPS: u32 = 64;

/// The times of one run, in nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The time of each block, timestamp included, all passes one after the other.
    pub blocks_ns: Vec<f64>,
    /// The time of a block at the sustained rate, without timestamps.
    pub sustained_block_ns: f64,
    /// Whether the system says that another thread had the processor meanwhile.
    pub preempted: bool,
}

/// A point of a curve: the end of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Time since the switch.
    pub time_ns: f64,
    /// The lost part of it.
    pub loss_ns: f64,
}

/// The common values of the undisturbed runs of one measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Every undisturbed run.
    pub runs: Vec<Vec<Point>>,
    /// The number of runs that were omitted because they were interrupted.
    pub interrupted: usize,
    /// The time of a block at the sustained rate.
    pub block_ns: f64,
    /// The time of a timestamp, which is subtracted.
    pub stamp_ns: f64,
}

impl Curve {
    /// The curve of some runs over the same blocks, of which a pass has `blocks_per_pass`; `None`
    /// if no run is left.
    pub fn of(runs: &[Run], blocks_per_pass: usize) -> Option<Self> {
        let own: Vec<&Run> = runs.iter().filter(|run| !run.preempted).collect();
        let times: Vec<&[f64]> = own.iter().map(|run| run.blocks_ns.as_slice()).collect();
        let whole: Vec<&Run> = undisturbed(&times).into_iter().map(|index| own[index]).collect();
        if whole.is_empty() || blocks_per_pass == 0 {
            return None;
        }
        let block_ns = median(whole.iter().map(|run| run.sustained_block_ns));
        let last_pass = |run: &&Run| {
            let blocks = &run.blocks_ns[run.blocks_ns.len().saturating_sub(blocks_per_pass)..];
            blocks.iter().sum::<f64>() / blocks.len() as f64
        };
        let stamp_ns = (median(whole.iter().map(last_pass)) - block_ns).max(0.0);
        Some(Self {
            runs: whole.iter().map(|run| points(run, block_ns, stamp_ns)).collect(),
            interrupted: runs.len() - whole.len(),
            block_ns,
            stamp_ns,
        })
    }

    /// The cost of a switch: the loss at the end of each run.
    pub fn loss(&self) -> Spread {
        let last = |run: &Vec<Point>| run.last().map_or(0.0, |point| point.loss_ns);
        Spread::of(self.runs.iter().map(last)).unwrap_or_default()
    }

    /// The median curve: at each end of a block the median of time and of loss; and, since the rate is the
    /// sustained one then, [`BEYOND`] times as long without further loss.
    pub fn middle(&self) -> Vec<Point> {
        self.with(|of| median(self.runs.iter().map(of)))
    }

    /// The same of means: what is lost on average, where a few runs lose much more than most.
    pub fn average(&self) -> Vec<Point> {
        self.with(|of| self.runs.iter().map(of).sum::<f64>() / self.runs.len() as f64)
    }

    fn with(&self, all: impl Fn(&dyn Fn(&Vec<Point>) -> f64) -> f64) -> Vec<Point> {
        let blocks = self.runs.iter().map(Vec::len).min().unwrap_or(0);
        let at = |block: usize| Point {
            time_ns: all(&|run| run[block].time_ns),
            loss_ns: all(&|run| run[block].loss_ns),
        };
        let measured: Vec<Point> = (0..blocks).map(at).collect();
        let Some(last) = measured.last().copied() else { return measured };
        let beyond = (1..=BEYOND * STEPS).map(|step| {
            let time_ns = last.time_ns * (1.0 + f64::from(step) / f64::from(STEPS));
            Point { time_ns, ..last }
        });
        measured.iter().copied().chain(beyond).collect()
    }
}

/// The useful fraction along a curve, in this many steps of `step_ns`.
pub fn fractions(points: &[Point], step_ns: f64, steps: u32) -> Vec<f64> {
    let ends = (0..=steps).map(|step| loss_at(points, f64::from(step) * step_ns));
    let losses: Vec<f64> = ends.collect();
    losses.windows(2).map(|pair| 1.0 - (pair[1] - pair[0]) / step_ns).collect()
}

/// The loss by this time, between two points along the straight line.
fn loss_at(points: &[Point], time_ns: f64) -> f64 {
    let next = points.partition_point(|point| point.time_ns < time_ns);
    let Some(to) = points.get(next) else {
        return points.last().map_or(0.0, |last| last.loss_ns);
    };
    let before = next.checked_sub(1).map(|before| points[before]);
    let from = before.unwrap_or(Point { time_ns: 0.0, loss_ns: 0.0 });
    let part = (time_ns - from.time_ns) / (to.time_ns - from.time_ns).max(f64::MIN_POSITIVE);
    from.loss_ns + part * (to.loss_ns - from.loss_ns)
}

fn points(run: &Run, block_ns: f64, stamp_ns: f64) -> Vec<Point> {
    let (mut time_ns, mut work_ns) = (0.0, 0.0);
    let ends = run.blocks_ns.iter().map(|took| {
        time_ns += (took - stamp_ns).max(0.0);
        work_ns += block_ns;
        Point { time_ns, loss_ns: time_ns - work_ns }
    });
    ends.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two passes of four blocks: 100 ns cold, 10 ns warm, and 5 ns for each timestamp.
    fn run() -> Run {
        let blocks_ns = [[105.0; 4], [15.0; 4]].concat();
        Run { blocks_ns, sustained_block_ns: 10.0, preempted: false }
    }

    #[test]
    fn a_curve_worked_out_by_hand() {
        let curve = Curve::of(&[run(), run(), run()], 4).unwrap();
        let constants = [curve.block_ns, curve.stamp_ns, curve.loss().median];
        assert_eq!((constants, curve.runs.len(), curve.interrupted), ([10.0, 5.0, 360.0], 3, 0));
        let middle = curve.middle();
        assert_eq!(middle[0], Point { time_ns: 100.0, loss_ns: 90.0 });
        assert_eq!(middle[3], Point { time_ns: 400.0, loss_ns: 360.0 });
        assert_eq!(middle[7], Point { time_ns: 440.0, loss_ns: 360.0 });
        assert_eq!(middle.last(), Some(&Point { time_ns: 2200.0, loss_ns: 360.0 }));
    }

    #[test]
    fn fractions_are_what_is_not_lost() {
        let middle = Curve::of(&[run()], 4).unwrap().middle();
        let found = fractions(&middle, 200.0, 3);
        let expected = [0.1, 0.1, 1.0];
        assert!(found.iter().zip(expected).all(|(f, e)| (f - e).abs() < 1e-9), "{found:?}");
    }

    #[test]
    fn interrupted_runs_are_left_out_and_counted() {
        let mut interrupted = run();
        interrupted.blocks_ns[5] += 4_000.0;
        let curve = Curve::of(&[run(), interrupted.clone(), run()], 4).unwrap();
        assert_eq!((curve.interrupted, curve.runs.len()), (1, 2));
        assert_eq!(Some(curve.loss()), Spread::of([360.0; 2]));
    }

    #[test]
    fn a_run_that_was_preempted_is_left_out_however_short() {
        let mut preempted = run();
        preempted.preempted = true;
        preempted.blocks_ns[5] += 900.0;
        let curve = Curve::of(&[run(), preempted.clone(), run()], 4).unwrap();
        assert_eq!((curve.interrupted, curve.runs.len()), (1, 2));
        assert_eq!(Curve::of(&[preempted], 4), None, "nothing is left");
    }

    #[test]
    fn the_average_has_what_the_middle_leaves_out() {
        let mut slow = run();
        slow.blocks_ns[0] += 60.0;
        let curve = Curve::of(&[run(), slow, run()], 4).unwrap();
        assert_eq!(curve.middle()[0], Point { time_ns: 100.0, loss_ns: 90.0 });
        assert_eq!(curve.average()[0], Point { time_ns: 120.0, loss_ns: 110.0 });
    }

    #[test]
    fn a_loss_below_zero_stays_what_it_is() {
        let mut faster = run();
        faster.blocks_ns = vec![14.0; 8];
        let slower = Run { blocks_ns: vec![15.0; 8], ..run() };
        let curve = Curve::of(&[faster, slower.clone(), slower], 4).unwrap();
        assert_eq!(Some(curve.loss()), Spread::of([-8.0, 0.0, 0.0]));
    }
}
