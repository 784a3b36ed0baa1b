//! Three virtual machines under VTRR: loss and longest delay against the slice (Kaiser 2008).

use crate::base;
use crate::claim::{Claim, Way};
use crate::exact::{Exact, part, percent, place, range, shown, span, whole};
use crate::figure::{Figure, Reproduced, Table};
use crate::rule::Condition;
use crate::setting::Setting;
use crate::watch::{Losses, Waits, ratio};
use rayon::prelude::*;
use vorrang_analysis::supply::{Dedicated, Supply as _, Turns};
use vorrang_figure::{Axis, Chart, Look, Rule, Series, Shape};
use vorrang_model::system::{SupplyKind, System};
use vorrang_sim::Cause;
use vorrang_time::Duration;

const SYSTEM: &str = include_str!("../published/systems/vtrr-slices.toml");

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "vtrr-slices",
    shows: "three virtual machines under VTRR: loss and longest delay against the length of a slice",
    publication: "R. Kaiser 2008, application example",
    system: "published/systems/vtrr-slices.toml",
    run,
    remarks: &[
        "A call of the scheduler costs nothing in the description, for no cost of it is in the slides: what is lost is what cold caches take, and short slices lose more than that on a machine. Beside it stands what is lost if each call costs 3 us, about what a call with its switch takes a stock kernel in the lab.",
        "The shares are not in the slides and matter: a machine with a large share follows itself, and such slices begin warm.",
    ],
};

/// The vectors of shares that are tried.
pub const SHARES: [[u32; 3]; 4] = [[1, 1, 1], [2, 1, 1], [3, 2, 1], [6, 3, 1]];

/// The slices that are tried.
pub const SLICES: [Duration; 5] = [
    Duration::from_ms(10),
    Duration::from_ms(3),
    Duration::from_ms(1),
    Duration::from_us(300),
    Duration::from_us(100),
];

/// What is seen of one vector of shares with one slice.
#[derive(Clone, Debug)]
pub struct Point {
    /// Part of the time that is lost to cold caches.
    pub loss: f64,
    /// The same in percent, exactly.
    pub percent: Exact,
    /// Part of the slices that begin with a switch.
    pub switches: f64,
    /// Longest delay of each machine.
    pub delays: Vec<Duration>,
}

/// Simulates ten thousand slices.
pub fn point(shares: [u32; 3], slice: Duration) -> Point {
    const TURNS: u64 = 10_000;
    of(&with(shares, slice), slice, TURNS)
}

/// What a call of the scheduler costs where that is not nothing: ours.
const CALL: Duration = Duration::from_us(3);

/// What is lost in all, in percent, if each call of the scheduler costs [`CALL`].
pub fn with_calls(shares: [u32; 3], slice: Duration) -> Exact {
    const TURNS: u64 = 1_000;
    let mut system = with(shares, slice);
    system.costs.scheduler_call = CALL;
    let length = slice * TURNS;
    let losses = base::watched(&system, "synchronous", length, Losses::default());
    let lost = losses.by_cause.values().fold(Duration::ZERO, |sum, one| sum + *one);
    percent(lost.as_ns(), length.as_ns())
}

/// The longest delay of a machine beside others that never sleep, by its turns in each cycle (docs/theory/cycles.md).
pub fn bound(shares: [u32; 3], slice: Duration, machine: usize) -> Duration {
    let all: u32 = shares.iter().sum();
    let (own, others) = (shares[machine], all - shares[machine]);
    let [own, others] = [own, others].map(|share| slice * u64::from(share));
    let first = Turns::in_cycles(&Dedicated, own, others, others).time_for(Duration::RESOLUTION);
    first.unwrap_or(Duration::MAX) - Duration::RESOLUTION
}

fn of(system: &System, slice: Duration, turns: u64) -> Point {
    let length = slice * turns;
    let watch = (Losses::default(), Waits::default());
    let (losses, waits) = base::watched(system, "synchronous", length, watch);
    let cold = losses.of(Cause::ColdCache);
    Point {
        loss: ratio(cold.as_ns(), length.as_ns()),
        percent: percent(cold.as_ns(), length.as_ns()),
        switches: ratio(losses.switches, turns),
        delays: waits.longest.into_values().collect(),
    }
}

fn with(shares: [u32; 3], slice: Duration) -> System {
    let mut system = base::system(SYSTEM);
    system.supplies[0].quantum = slice;
    let kinds = system.supplies.iter_mut().map(|supply| &mut supply.kind);
    let own = kinds.filter_map(|kind| match kind {
        SupplyKind::Share(share) => Some(share),
        SupplyKind::Core | SupplyKind::Server(_) | SupplyKind::Level(_) => None,
    });
    for (share, weight) in own.zip(shares) {
        share.weight = weight;
    }
    system
}

fn run(_: &Setting) -> Reproduced {
    const COLUMNS: &[&str] = &[
        "shares",
        "slice [ms]",
        "loss [%]",
        "loss with calls [%]",
        "slices that switch [%]",
        "longest delay [ms]",
        "in slices",
        "bound in slices",
    ];
    let points: Vec<_> =
        SHARES.iter().flat_map(|shares| SLICES.map(|slice| (*shares, slice))).collect();
    let seen: Vec<Seen> = points
        .into_par_iter()
        .map(|(shares, slice)| Seen {
            shares,
            slice,
            point: point(shares, slice),
            with_calls: with_calls(shares, slice),
        })
        .collect();
    Reproduced {
        table: Table::new(COLUMNS, seen.iter().map(line).collect()),
        claims: claims(&seen),
        pictures: vec![losses(&seen), delays(&seen)],
    }
}

/// A row of the table.
struct Seen {
    shares: [u32; 3],
    slice: Duration,
    point: Point,
    /// Lost in all if a call of the scheduler costs something, in percent.
    with_calls: Exact,
}

impl Seen {
    /// The longest delay of each machine, in slices.
    fn factors(&self) -> Vec<Exact> {
        let delays = self.point.delays.iter();
        delays.map(|delay| part(delay.as_ns(), self.slice.as_ns())).collect()
    }

    /// The bound of each machine, in slices.
    fn bounds(&self) -> Vec<Exact> {
        let bounds = (0..self.shares.len()).map(|machine| bound(self.shares, self.slice, machine));
        bounds.map(|bound| part(bound.as_ns(), self.slice.as_ns())).collect()
    }

    fn name(&self) -> String {
        self.shares.map(|share| share.to_string()).join(":")
    }
}

fn claims(seen: &[Seen]) -> Vec<Claim> {
    let of = |wanted: Duration| seen.iter().filter(move |one| one.slice == wanted);
    let lost = |slice| range(of(slice).map(|one| one.point.percent));
    let with_calls = |slice| range(of(slice).map(|one| one.with_calls));
    let [long, three, ms, _, short] = SLICES;
    // In slices, of the first of each vector of shares: the others must have the same.
    let alike = seen
        .chunks(SLICES.len())
        .all(|vector| vector.iter().all(|one| one.factors() == vector[0].factors()));
    let factors = span(range(seen.iter().flat_map(Seen::factors)), 0);
    let bounds = span(range(seen.iter().flat_map(Seen::bounds)), 0);
    let equal = seen.iter().find(|one| one.slice == ms && one.shares == [1, 1, 1]);
    let equal = equal.map_or_else(|| whole(0), |one| one.point.percent);
    let within = |(least, most): (Exact, Exact)| format!("{} %", span((least, most), 1));
    vec![
        Claim::says("The longest delay of a virtual machine is proportional to the slice.")
            .row("switch_loss_claims.csv", 6)
            .row("figures.csv", 8)
            .ours(format!("{factors} slices, by shares; bounds {bounds}"))
            .agrees_if(Condition::that(
                "no machine waits longer than its bound, which is proportional to the slice",
                seen.iter().all(|one| {
                    one.factors().iter().zip(one.bounds()).all(|(seen, bound)| *seen <= bound)
                }),
            ))
            .agrees_if(Condition::that(
                "for each vector of shares every machine waits for the same number of slices with all five lengths",
                alike,
            )),
        Claim::says("Losses are not negligible below slices of about 1 ms.")
            .row("figures.csv", 7)
            .ours(format!(
                "{} at 10 ms, {} at 3 ms, {} at 1 ms, {} at 100 us; if a call of the scheduler costs 3 us, {} at 1 ms and {} at 100 us",
                within(lost(long)),
                within(lost(three)),
                within(lost(ms)),
                within(lost(short)),
                within(with_calls(ms)),
                within(with_calls(short)),
            ))
            .agrees_if(Condition::at_most("the largest loss at 10 ms in percent", lost(long).1, whole(1), 0))
            .agrees_if(Condition::above("the least loss at 1 ms in percent", lost(ms).0, whole(5), 0))
            // In inverse proportion to the slice: what is lost of 1 ms in percent is the slice in ms that loses 1 %.
            .why(format!(
                "By 1 % as the limit it is not negligible below {} ms already, by shares.",
                span(range(of(ms).map(|one| one.point.percent)), 1)
            )),
        Claim::says("With equal shares every slice of 1 ms begins with a switch and loses (1 - 0.09) of 85 us.")
            .row("figures.csv", 7)
            .by(Way::Formula, "7.735 %")
            .ours(format!("{} %", shown(equal, 3)))
            .agrees_if(Condition::between("the loss in percent", equal, (part(772, 100), part(775, 100)), 2)),
    ]
}

fn line(seen: &Seen) -> Vec<String> {
    let each = |text: &dyn Fn(&Duration) -> String| {
        seen.point.delays.iter().map(text).collect::<Vec<_>>().join(" ")
    };
    let slice = seen.slice.as_ns();
    vec![
        seen.name(),
        format!("{}", ratio(slice, 1_000_000)),
        shown(seen.point.percent, 2),
        shown(seen.with_calls, 2),
        format!("{:.1}", 100.0 * seen.point.switches),
        each(&|delay| format!("{}", ratio(delay.as_ns(), 1_000_000))),
        each(&|delay| format!("{}", ratio(delay.as_ns(), slice))),
        seen.bounds().iter().map(|bound| shown(*bound, 0)).collect::<Vec<_>>().join(" "),
    ]
}

/// Over the slice: a line for each vector of shares.
fn losses(seen: &[Seen]) -> vorrang_figure::Figure {
    let mut chart = Chart::new(
        "vtrr-slices-loss",
        "Three virtual machines under VTRR: loss",
        Axis::logarithmic("slice", "ms").from(0.08).to(12.0),
        Axis::logarithmic("loss", "%").from(0.4).to(100.0),
    )
    .described("Simulated, for four vectors of shares (not in the slides). Grey: equal shares if a call of the scheduler costs 3 us.");
    for vector in seen.chunks(SLICES.len()) {
        let at = |one: &Seen| (ratio(one.slice.as_ns(), 1_000_000), place(one.point.percent));
        let points = vector.iter().map(at).collect();
        chart = chart.with(Series::new(
            format!("shares {}", vector[0].name()),
            Shape::LineWithPoints,
            points,
        ));
    }
    let at = |one: &Seen| (ratio(one.slice.as_ns(), 1_000_000), place(one.with_calls));
    let points = seen.iter().take(SLICES.len()).map(at).collect();
    let calls = Series::new("shares 1:1:1, calls cost 3 us", Shape::Line, points);
    chart = chart.with(calls.look(Look::Faint));
    chart.rule(Rule::At(1.0, "published: not negligible below".to_owned(), Look::Published)).into()
}

fn in_ms(slice: Duration, delay: Duration) -> (f64, f64) {
    (ratio(slice.as_ns(), 1_000_000), ratio(delay.as_ns(), 1_000_000))
}

/// Over the slice: a line for each machine of two vectors of shares.
fn delays(seen: &[Seen]) -> vorrang_figure::Figure {
    let mut chart = Chart::new(
        "vtrr-slices-delay",
        "Three virtual machines under VTRR: longest delay of each",
        Axis::linear("slice", "ms").from(0.0).to(10.5),
        Axis::linear("longest delay", "ms").from(0.0),
    )
    .described("Simulated; from the end of a machine's slice to the beginning of its next one. All are straight lines through zero: the delay is proportional to the slice. Grey: the bound of the machine that waits longest, by its turns in each cycle.");
    let vectors = seen.chunks(SLICES.len()).filter(|of| of[0].shares[0] >= 3);
    for vector in vectors {
        for (machine, word) in ["a", "b", "c"].into_iter().enumerate() {
            let at = |one: &Seen| in_ms(one.slice, one.point.delays[machine]);
            let mut points: Vec<(f64, f64)> = vector.iter().map(at).collect();
            points.push((0.0, 0.0));
            let name =
                format!("{word} of {}, share {}", vector[0].name(), vector[0].shares[machine]);
            chart = chart.with(Series::new(name, Shape::LineWithPoints, points));
        }
    }
    if let Some(vector) = seen.chunks(SLICES.len()).next_back() {
        let least = vector[0].shares.len() - 1;
        let at = |one: &Seen| in_ms(one.slice, bound(one.shares, one.slice, least));
        let bounds = vector.iter().map(at).chain([(0.0, 0.0)]).collect();
        let name = format!("proven, c of {}", vector[0].name());
        chart = chart.with(Series::new(name, Shape::Line, bounds).look(Look::Faint));
    }
    chart.into()
}
