//! A machine that is known: what is put in must come out.

use super::{Fit, Model, exponential, flood};
use crate::curve::{Curve, Run};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};

const BLOCKS_PER_PASS: usize = 128;
const PASSES: usize = 12;
const BLOCK_NS: f64 = 64.0;
const STAMP_NS: f64 = 25.0;

/// A machine whose useful fraction is that of a model.
struct Machine {
    truth: Fit,
    /// Largest part by which a block takes more or less than it should.
    noise: f64,
    /// One block in so many is interrupted, for 2 to 50 µs; 0: none.
    interrupted_in: u64,
    random: ChaCha8Rng,
}

impl Machine {
    fn new(model: Model, useful: f64, sustained_ns: f64) -> Self {
        let truth = Fit { model, useful, sustained_ns, residual_ns: 0.0 };
        Self { truth, noise: 0.0, interrupted_in: 0, random: ChaCha8Rng::seed_from_u64(1) }
    }

    fn noisy(self) -> Self {
        Self { noise: 0.02, interrupted_in: 6_000, ..self }
    }

    /// Evenly from 0 to 1.
    fn chance(&mut self) -> f64 {
        f64::from(self.random.next_u32()) / f64::from(u32::MAX)
    }

    /// When this much work is done: the inverse of `t − loss(t)`, by bisection.
    fn time_of(&self, work_ns: f64) -> f64 {
        let (mut from, mut to) = (work_ns, work_ns + self.truth.loss_ns(1e12) + 1.0);
        for _ in 0..60 {
            let half = f64::midpoint(from, to);
            if half - self.truth.loss_ns(half) < work_ns { from = half } else { to = half }
        }
        to
    }

    fn run(&mut self) -> Run {
        let mut before = 0.0;
        let mut blocks_ns = Vec::new();
        for block in 1..=BLOCKS_PER_PASS * PASSES {
            let end = self.time_of(block as f64 * BLOCK_NS);
            let noise = 1.0 + self.noise * (2.0 * self.chance() - 1.0);
            let is_interrupted = self.interrupted_in > 0
                && self.random.next_u64().is_multiple_of(self.interrupted_in);
            let gap = if is_interrupted { 2_000.0 + 48_000.0 * self.chance() } else { 0.0 };
            blocks_ns.push((end - before) * noise + STAMP_NS + gap);
            before = end;
        }
        Run { blocks_ns, sustained_block_ns: BLOCK_NS, preempted: false }
    }

    fn curve(&mut self, runs: usize) -> Curve {
        let runs: Vec<Run> = (0..runs).map(|_| self.run()).collect();
        Curve::of(&runs, BLOCKS_PER_PASS).expect("runs are left")
    }
}

fn within(part: f64, found: f64, truth: f64) -> bool {
    (found - truth).abs() <= part * truth
}

/// Published rows: useful fraction and time to the full rate.
const ROWS: [(f64, f64); 4] =
    [(0.09, 85_000.0), (0.20, 35_000.0), (0.05, 17_000.0), (0.13, 10_000.0)];

#[test]
fn a_flood_is_recovered_through_noise_and_interruptions() {
    for (useful, sustained_ns) in ROWS {
        let mut machine = Machine::new(Model::Flood, useful, sustained_ns).noisy();
        let curve = machine.curve(60);
        assert!((1..30).contains(&curve.interrupted), "{} of 60", curve.interrupted);
        let found = flood(&curve);
        let lost_ns = machine.truth.loss_ns(1e12);
        assert!(within(0.02, found.useful, useful), "{useful}: {found:?}");
        assert!(within(0.02, found.sustained_ns, sustained_ns), "{sustained_ns}: {found:?}");
        assert!(within(0.02, curve.loss().median, lost_ns), "{lost_ns}: {:?}", curve.loss());
        assert!(found.residual_ns < 0.02 * lost_ns, "{found:?}");
    }
}

#[test]
fn an_exponential_is_recovered_through_noise_and_interruptions() {
    // Several blocks long, so that it is seen; recovered before the last pass, as the curve assumes.
    for (useful, constant_ns) in
        [(0.09, 8_500.0), (0.20, 3_500.0), (0.05, 5_000.0), (0.13, 2_500.0)]
    {
        let mut machine = Machine::new(Model::Exponential, useful, constant_ns).noisy();
        let found = exponential(&machine.curve(60));
        assert!(within(0.03, found.sustained_ns, constant_ns), "{constant_ns}: {found:?}");
        assert!(within(0.02, found.loss_ns(1e12), machine.truth.loss_ns(1e12)), "{found:?}");
        // The slope of a loss says less than the loss: within 2 % of the full rate.
        assert!((found.useful - useful).abs() < 0.02, "{useful}: {found:?}");
    }
}

#[test]
fn the_flood_fit_is_never_below_what_was_measured() {
    for model in [Model::Flood, Model::Exponential] {
        for (useful, sustained_ns) in ROWS {
            let curve = Machine::new(model, useful, sustained_ns).noisy().curve(30);
            let fit = flood(&curve);
            for point in curve.runs.iter().flatten() {
                let said = fit.loss_ns(point.time_ns);
                assert!(said >= point.loss_ns - 1e-6, "{said} < {point:?} of {fit:?}");
            }
        }
    }
}

#[test]
fn the_fit_that_does_not_belong_has_the_larger_residual() {
    let of_flood = Machine::new(Model::Flood, 0.1, 20_000.0).curve(3);
    assert!(flood(&of_flood).residual_ns < exponential(&of_flood).residual_ns / 10.0);
    let of_exponential = Machine::new(Model::Exponential, 0.1, 5_000.0).curve(3);
    assert!(exponential(&of_exponential).residual_ns < flood(&of_exponential).residual_ns / 10.0);
}

#[test]
fn no_loss_is_the_full_rate() {
    let curve = Machine::new(Model::Flood, 1.0, 1_000.0).curve(3);
    assert!(flood(&curve).loss_ns(1e9) < 0.01);
    assert!(exponential(&curve).loss_ns(1e9) < 0.01);
}
