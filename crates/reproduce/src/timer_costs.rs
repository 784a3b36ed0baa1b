//! What the queues of timers cost in the kernel (Patel, Vanga, Brandenburg 2017): claims and pictures of what kernels of
//! the lab took, with our module for shielded timers and without it.
//!
//! **Assumption.** Counted instructions, one of them taken as 1 ns: neither the publication's code nor its machine, so
//! the most that a claim can do is agree in shape.

use crate::claim::{Claim, Way};
use crate::exact::{Exact, place, range, shown, span, whole};
use crate::recorded::{self, TIMER_COSTS};
use crate::rule::Condition;
use vorrang_figure::{Axis, Bar, Bars, Part};

const FILE: &str = "timershield.csv";

/// The runs, and the kernels of these.
const RUNS: [(&str, &str); 2] = [("costs-6.12", "6.12"), ("costs-7.2", "7.2")];

const SWITCH: &str = "a switch to a less urgent thread, nothing held back";
const ARMING: &str = "arming one timer";
const CANCELLING: &str = "cancelling it";
const EXPIRY: &str = "expiry, each of so many at one instant";

const COUNTED: &str = "Counted instructions of our own module for stock kernels, one of them taken as 1 ns: neither the publication's code nor its machine, so the most it can do is agree in shape.";

/// A recorded cost in nanoseconds.
struct Cost {
    /// How many timers there are.
    pending: String,
    /// Mean, 999 of 1000, and largest.
    without: [Exact; 3],
    /// The same with the module.
    with: [Exact; 3],
}

/// All costs of a measure in a run, by the number of timers.
fn recorded(run: &str, measure: &str) -> Vec<Cost> {
    let rows = recorded::rows(TIMER_COSTS, run);
    let own = rows.iter().filter(|row| row[0] == measure);
    let cost = |row: &Vec<String>| {
        let number = |place| recorded::number(row, place).expect("it is recorded");
        let three = |first: usize| [first, first + 1, first + 2].map(number);
        Cost { pending: row[1].clone(), without: three(2), with: three(5) }
    };
    own.map(cost).collect()
}

fn ns(number: Exact) -> String {
    shown(number, 0)
}

/// What is said of the costs of a kernel, which descriptions state.
pub(crate) fn costs() -> Vec<Claim> {
    vec![switch(), processing(), arming(), cancelling()]
}

fn switch() -> Claim {
    let mut claim = Claim::says(
        "TimerShield adds at most 1 us to a context switch in mean and median, 9 us at most.",
    )
    .rows(FILE, [4, 5])
    .row("figures.csv", 15);
    let (mut mean, mut largest) = (whole(0), whole(0));
    for (run, _) in RUNS {
        let all = recorded(run, SWITCH);
        let added = |nth: usize| range(all.iter().map(|of| of.with[nth] - of.without[0])).1;
        mean = mean.max(added(0));
        largest = largest.max(added(2));
        let text = format!(
            "{} ns more in the mean; the largest {} ns above the mean without it",
            ns(added(0)),
            ns(added(2))
        );
        claim = claim.by(Way::Kernel(run), text);
    }
    claim
        .in_shape_if(Condition::at_most(
            "what a switch takes more in the mean, in ns,",
            mean,
            whole(1_000),
            0,
        ))
        .in_shape_if(Condition::at_most(
            "the largest switch above the mean without the module, in ns,",
            largest,
            whole(9_000),
            0,
        ))
        .why(COUNTED)
}

fn processing() -> Claim {
    let claim = Claim::says(
        "The worst processing of timers takes longer with hrtimers than with TimerShield.",
    )
    .row(FILE, 6)
    .row("figures.csv", 16);
    RUNS.iter()
        .fold(claim, |claim, (run, _)| {
            let all = recorded(run, EXPIRY);
            let hundred = all.iter().find(|of| of.pending == "100").expect("it is recorded");
            claim.by(
                Way::Kernel(run),
                format!(
                    "each of 100 timers that expire at one instant: {} ns without the module, {} ns with it",
                    ns(hundred.without[0]),
                    ns(hundred.with[0])
                ),
            )
        })
        .why("The publication's reason is that hrtimers enter the interrupt again and again where TimerShield has one batch. Entry and exit are chosen in our description, and all 100 timers are one batch in the lab, with the module or without: neither tests it.")
}

fn arming() -> Claim {
    let mut claim = Claim::says("Enqueueing a timer takes less than 0.4 us with either.")
        .row(FILE, 7)
        .row("figures.csv", 17);
    let mut most = whole(0);
    for (run, _) in RUNS {
        let all = recorded(run, ARMING);
        let without = range(all.iter().map(|of| of.without[0]));
        let with = range(all.iter().map(|of| of.with[0]));
        most = most.max(with.1);
        let text = format!(
            "{} ns without the module, {} ns with it, beside 1 to 10,000 timers",
            span(without, 0),
            span(with, 0)
        );
        claim = claim.by(Way::Kernel(run), text);
    }
    claim
        .in_shape_if(Condition::at_most(
            "the mean of arming a timer with the module, in ns,",
            most,
            whole(400),
            0,
        ))
        .why("The module keeps its queue beside the kernel's, which it leaves alone, and pays for both; the publication replaces the kernel's. Counted instructions, one of them taken as 1 ns.")
}

fn cancelling() -> Claim {
    let mut claim = Claim::says("Dequeueing a timer takes less than 0.4 us with either.")
        .row(FILE, 8)
        .row("figures.csv", 17);
    let mut most = whole(0);
    for (run, _) in RUNS {
        let all = recorded(run, CANCELLING);
        let both = range(all.iter().flat_map(|of| [of.without[0], of.with[0]]));
        most = most.max(both.1);
        let text =
            format!("{} ns, with the module and without, beside 1 to 10,000 timers", span(both, 0));
        claim = claim.by(Way::Kernel(run), text);
    }
    claim
        .in_shape_if(Condition::at_most(
            "the mean of cancelling a timer, in ns,",
            most,
            whole(400),
            0,
        ))
        .why(COUNTED)
}

/// The three figures of costs, as bars of mean, 999 of 1000, and largest.
pub(crate) fn pictures() -> Vec<vorrang_figure::Figure> {
    let added = |of: &Cost| of.with.map(|one| one - of.without[0]);
    let switches = RUNS.iter().flat_map(|(run, kernel)| {
        let bar = |of: &Cost| {
            let name = format!("{kernel}, {} timers", of.pending);
            bar(name, added(of))
        };
        recorded(run, SWITCH).iter().map(bar).collect::<Vec<_>>()
    });
    let switch = bars(
        "timer-interference-switch",
        "What a context switch takes more with the module",
        ("added delay", Some((1.0, "published: mean at most 1 us"))),
        switches.collect(),
    )
    .described("Recorded in the lab: above the mean without the module, nothing being held back.");
    let expiry = bars(
        "timer-interference-processing",
        "Processing of expired timers, each of so many at one instant",
        ("delay", None),
        both(EXPIRY, "", &["1", "16", "100", "1,000"]),
    )
    .described("Recorded in the lab, one batch with the module or without it.");
    let queue = both(ARMING, "enqueue ", &["1", "10,000"]);
    let queue = queue.into_iter().chain(both(CANCELLING, "dequeue ", &["1", "10,000"]));
    let queue = bars(
        "timer-interference-queue",
        "Enqueueing and dequeueing a timer, beside so many",
        ("duration", Some((0.4, "published: below 0.4 us"))),
        queue.collect(),
    )
    .described("Recorded in the lab. With the module both its queue and the kernel's are kept.");
    vec![switch.into(), expiry.into(), queue.into()]
}

/// Bars of a measure beside these numbers of timers, on both kernels, without the module and with it.
fn both(measure: &str, word: &str, pending: &[&str]) -> Vec<Bar> {
    let of_run = |(run, kernel): &(&str, &str)| {
        let all = recorded(run, measure);
        let wanted = all.iter().filter(|of| pending.contains(&of.pending.as_str()));
        let two = wanted.flat_map(|of| {
            let name = |with| format!("{kernel}, {word}{}, {with}", of.pending);
            [bar(name("without"), of.without), bar(name("with"), of.with)]
        });
        two.collect::<Vec<_>>()
    };
    RUNS.iter().flat_map(of_run).collect()
}

/// Mean, what is more in 999 of 1000, and what is more in the largest; in microseconds.
fn bar(name: String, [mean, most, largest]: [Exact; 3]) -> Bar {
    let parts = [mean, most - mean, largest - most].into_iter().enumerate();
    let parts = parts.map(|(of, ns)| Part { of, value: place(ns) / 1_000.0 });
    Bar { name, parts: parts.collect() }
}

fn bars(name: &str, title: &str, (axis, rule): (&str, Option<(f64, &str)>), all: Vec<Bar>) -> Bars {
    let mut bars = Bars::new(name, title, Axis::linear(axis, "us"));
    bars.parts = ["mean", "999 of 1000", "largest"].map(str::to_owned).to_vec();
    bars.bars = all;
    bars.rule = rule.map(|(at, text)| (at, text.to_owned()));
    bars
}
