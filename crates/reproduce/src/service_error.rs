//! Service error of virtual-time round-robin against weighted round-robin and stride scheduling
//! (Nieh, Vaill, Zhong 2001).
//!
//! **Model.** The error of a client at t is what it received by t minus its share of t; it is looked
//! at whenever the core goes over to another client, in quanta. Clients always have work.

use crate::base;
use crate::claim::Claim;
use crate::exact::{Exact, decimal, place, shown, whole};
use crate::figure::{Figure, Reproduced, Table};
use crate::rule::Condition;
use crate::setting::Setting;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
use rayon::prelude::*;
use std::collections::BTreeSet;
use vorrang_figure::{Axis, Chart, Look, Rule, Series, Shape};
use vorrang_model::System;
use vorrang_model::system::{Member, Scheduler, SupplyId, TaskId};
use vorrang_sim::{Observer, Running};
use vorrang_time::Instant;

const SYSTEM: &str = include_str!("../published/systems/service-error.toml");

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "service-error",
    shows: "service error of VTRR, weighted round-robin and stride scheduling, in quanta",
    publication: "J. Nieh, C. Vaill, H. Zhong 2001",
    system: "published/systems/service-error.toml",
    run,
    remarks: &[
        "The publication's shares are not at hand; ours are drawn at random from seed 1.",
        "VTRR has no constant bound: with one client of share m among m clients of share 1 the heavy one falls (m - 1)/2 quanta behind (last rows), as the later GR3 by the same group concedes with O(N).",
    ],
};

/// The schedulers that are compared.
pub const SCHEDULERS: [(&str, Scheduler); 3] = [
    ("vtrr", Scheduler::Vtrr),
    ("weighted-round-robin", Scheduler::WeightedRoundRobin),
    ("stride", Scheduler::Stride),
];

/// Clients and the sum of their shares, which are drawn.
const DRAWN: [(usize, u64); 3] = [(5, 20), (20, 100), (100, 1000)];

/// The least and the greatest error of any client over three cycles, in quanta.
pub fn errors(scheduler: Scheduler, shares: &[u32]) -> (Exact, Exact) {
    let system = with(scheduler, shares);
    let sum: u64 = shares.iter().map(|&share| u64::from(share)).sum();
    let watch = Errors {
        quantum: system.supplies[0].quantum.as_ns(),
        sum,
        shares: shares.to_vec(),
        received: vec![0; shares.len()],
        least: 0,
        greatest: 0,
    };
    let length = system.supplies[0].quantum * (3 * sum);
    let seen = base::watched(&system, "synchronous", length, watch);
    let unit = i128::from(seen.quantum) * i128::from(sum);
    (Exact::new(seen.least, unit), Exact::new(seen.greatest, unit))
}

/// `clients` shares that sum to `sum`, drawn at random from the seed.
pub fn shares(clients: usize, sum: u64, seed: u64) -> Vec<u32> {
    // Cuts of the interval: the differences of distinct random points.
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut cuts = BTreeSet::from([0, sum]);
    while cuts.len() <= clients {
        cuts.insert(1 + random.next_u64() % (sum - 1));
    }
    let cuts: Vec<u64> = cuts.into_iter().collect();
    cuts.windows(2).map(|pair| u32::try_from(pair[1] - pair[0]).expect("small")).collect()
}

/// One client of share `heavy` among as many clients of share 1.
pub fn skewed(heavy: u32) -> Vec<u32> {
    let mut shares = vec![1; heavy as usize + 1];
    shares[0] = heavy;
    shares
}

fn with(scheduler: Scheduler, shares: &[u32]) -> System {
    let mut system = base::system(SYSTEM);
    system.supplies[0].scheduler = scheduler;
    let client = system.tasks[0].clone();
    system.tasks.clear();
    system.supplies[0].members.clear();
    for (index, &share) in shares.iter().enumerate() {
        let name = format!("{}-{index}", client.name);
        system.tasks.push(vorrang_model::system::Task { name, share, ..client.clone() });
        system.supplies[SupplyId(0).0].members.push(Member::Task(TaskId(index)));
    }
    system
}

/// Watches what every client receives; errors in nanoseconds times the sum of shares.
struct Errors {
    quantum: u64,
    sum: u64,
    shares: Vec<u32>,
    received: Vec<u64>,
    least: i128,
    greatest: i128,
}

impl Observer for Errors {
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        let Running::Task(task) = what else { return };
        self.look(from);
        self.received[task.0] += (to - from).as_ns();
        self.look(to);
    }
}

impl Errors {
    fn look(&mut self, at: Instant) {
        for (received, share) in self.received.iter().zip(&self.shares) {
            let ideal = i128::from(at.as_ns()) * i128::from(*share);
            let error = i128::from(*received) * i128::from(self.sum) - ideal;
            self.least = self.least.min(error);
            self.greatest = self.greatest.max(error);
        }
    }
}

fn run(_: &Setting) -> Reproduced {
    const COLUMNS: &[&str] =
        &["clients", "sum of shares", "scheduler", "least error", "greatest error"];
    let mut cases: Vec<(String, Vec<u32>)> = DRAWN
        .map(|(clients, sum)| (format!("{clients}, random"), shares(clients, sum, 1)))
        .to_vec();
    for heavy in HEAVY {
        cases.push((format!("one of {heavy}, {heavy} of 1"), skewed(heavy)));
    }
    let runs: Vec<_> =
        cases.iter().flat_map(|case| SCHEDULERS.map(|scheduler| (case, scheduler))).collect();
    let seen: Vec<_> =
        runs.par_iter().map(|((_, shares), (_, scheduler))| errors(*scheduler, shares)).collect();
    let mut lines = Vec::new();
    for (((name, shares), (word, _)), (least, greatest)) in runs.iter().zip(&seen) {
        lines.push(vec![
            name.clone(),
            shares.iter().sum::<u32>().to_string(),
            (*word).to_owned(),
            shown(*least, 1),
            shown(*greatest, 1),
        ]);
    }
    Reproduced {
        table: Table::new(COLUMNS, lines),
        claims: claims(&seen),
        pictures: vec![picture(&seen)],
    }
}

/// Shares of the heavy client.
const HEAVY: [u32; 3] = [10, 50, 100];

/// Errors over the number of clients, from the least to the greatest.
fn picture(seen: &[(Exact, Exact)]) -> vorrang_figure::Figure {
    let clients = DRAWN.map(|(clients, _)| clients).into_iter();
    let clients: Vec<f64> = clients.map(|clients| place(whole(clients as u64))).collect();
    let mut chart = Chart::new(
        "service-error",
        "Service error, shares drawn at random",
        Axis::logarithmic("clients", "").from(4.0).to(130.0),
        Axis::linear("error", "quanta"),
    )
    .described(
        "Least and greatest error of any client over three cycles, simulated; shares from seed 1.",
    )
    .rule(Rule::Level(10.6, "VTRR, published: -3.8 to +10.6".to_owned(), Look::Published))
    .rule(Rule::Level(-3.8, String::new(), Look::Published));
    for (nth, (word, _)) in SCHEDULERS.iter().enumerate() {
        for is_least in [true, false] {
            let of = seen.iter().skip(nth).step_by(SCHEDULERS.len()).zip(&clients);
            let at = |((least, greatest), &at): (&(Exact, Exact), &f64)| {
                (at, place(if is_least { *least } else { *greatest }))
            };
            let name = if is_least { (*word).to_owned() } else { String::new() };
            let series = Series::new(name, Shape::LineWithPoints, of.map(at).collect());
            chart = chart.with(series.look(Look::Nth(nth)));
        }
    }
    chart.into()
}

/// By rows of [`SCHEDULERS`]: first of shares that were drawn, then of one heavy client.
fn claims(seen: &[(Exact, Exact)]) -> Vec<Claim> {
    let cases: Vec<&[(Exact, Exact)]> = seen.chunks(SCHEDULERS.len()).collect();
    let (drawn, skewed) = cases.split_at(DRAWN.len());
    let of = |scheduler: usize| {
        let all = drawn.iter().map(|case| case[scheduler]);
        all.fold((whole(0), whole(0)), |(least, most), one| (least.min(one.0), most.max(one.1)))
    };
    let width = |(least, greatest): (Exact, Exact)| greatest - least;
    let text = |(least, greatest): (Exact, Exact)| {
        format!("{} to +{} quanta", shown(least, 1), shown(greatest, 1))
    };
    let [vtrr, weighted, stride] = [0, 1, 2].map(of);
    let ordered = drawn
        .iter()
        .skip(1)
        .all(|case| width(case[2]) < width(case[0]) && width(case[0]) < width(case[1]));
    let behind: Vec<Exact> = skewed.iter().map(|case| case[0].0).collect();
    let half = |heavy: u32| -(whole(u64::from(heavy)) - 1) / 2;
    let is_half = behind.iter().zip(HEAVY).all(|(least, heavy)| {
        let apart = *least - half(heavy);
        (decimal("-0.51")..=decimal("0.51")).contains(&apart)
    });
    let hundreds = weighted.0 <= decimal("-100") || weighted.1 >= decimal("100");
    vec![
        Claim::says("In simulations VTRR errs by -3.8 to +10.6 quanta.")
            .row("figures.csv", 21)
            .ours(format!("{}; stride {}", text(vtrr), text(stride)))
            .agrees_if(Condition::between("the least error", vtrr.0, (decimal("-4.8"), decimal("-2.8")), 1))
            .agrees_if(Condition::between("the greatest error", vtrr.1, (decimal("9.6"), decimal("11.6")), 1))
            .in_shape_if(Condition::that(
                "with 20 and 100 clients VTRR errs more than stride and less than weighted round-robin",
                ordered,
            ))
            .why("Clients and shares of the publication are not at hand; ours are drawn."),
        Claim::says("Weighted round-robin errs by hundreds.")
            .row("figures.csv", 21)
            .ours(text(weighted))
            .agrees_if(Condition::that("an error of weighted round-robin is 100 quanta or more", hundreds))
            .in_shape_if(Condition::that(
                "with 20 and 100 clients it errs more than VTRR",
                ordered,
            ))
            .why("Its error is about the largest share, which is ours to draw."),
        Claim::says("VTRR has no constant bound on its error: it grows with the number of clients (the later GR3 of the same group).")
            .ours(format!(
                "{} quanta for one client of share 10, 50 and 100 among as many of share 1",
                behind.iter().map(|least| shown(*least, 1)).collect::<Vec<_>>().join(", ")
            ))
            .agrees_if(Condition::that("each is (m - 1)/2 behind, within half a quantum", is_half)),
    ]
}
