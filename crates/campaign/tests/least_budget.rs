//! The least budget for a guest, its period given: ours beside the criteria of Shin and Lee, which CARTS
//! evaluates.

use std::fmt::Write as _;
use vorrang_analysis::fixed_priority::{Scratch, SporadicTask};
use vorrang_analysis::least_budget;
use vorrang_campaign::peer::least_budget::{Guest, assembled, guest, published};
use vorrang_campaign::peer::{deadline, task};
use vorrang_design::{Answer, Limits, Optimality, design};
use vorrang_model::{Chosen, Format, read_open};
use vorrang_time::Duration;

/// How many guests: `VORRANG_GUESTS=10000 cargo test --release -p vorrang-campaign --test least_budget`.
fn guests() -> u64 {
    std::env::var("VORRANG_GUESTS").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

const BOTH: [Guest; 2] = [Guest::FixedPriority, Guest::Edf];

fn ours(of: Guest, period: Duration, step: Duration, tasks: &[SporadicTask]) -> Option<Duration> {
    let mut scratch = Scratch::default();
    match of {
        Guest::FixedPriority => least_budget::fixed_priority(period, step, tasks, &mut scratch),
        Guest::Edf => least_budget::edf(period, step, tasks, &mut scratch).expect("it is found"),
    }
}

/// The resource of the publication is the library's: the same, in whole microseconds, and by priority to the
/// nanosecond. (By deadline a nanosecond may be decided by demand after hours only.)
#[test]
fn the_exact_budget_is_the_published_one() {
    let (mut found, mut none) = (0, 0);
    for number in 0..guests() {
        let (period, tasks) = guest(1, number);
        let peers: Vec<_> = tasks.iter().map(task).collect();
        let deadlines: Vec<_> = tasks.iter().map(deadline).collect();
        let fine = (Guest::FixedPriority, Duration::RESOLUTION);
        let microsecond = Duration::from_us(1);
        for (of, step) in BOTH.map(|of| (of, microsecond)).into_iter().chain([fine]) {
            let own = ours(of, period, step, &tasks);
            let theirs = published(of, period, step, &tasks);
            assert_eq!(own, theirs, "{of:?} {number}: {period} {tasks:?}");
            if tasks.iter().all(|task| task.limit == task.period) {
                let parts = assembled(of, period, step, &peers, &deadlines);
                assert_eq!(parts, theirs, "{of:?} {number}: {period} {tasks:?}");
            }
            *if own.is_some() { &mut found } else { &mut none } += 1;
        }
    }
    println!(
        "{} guests, by priority and by deadline: {found} have a budget, {none} have none",
        guests()
    );
    assert!(found > none);
}

/// A server of this kind for the guest, alone on a core with this scheduler, its budget open.
fn description(
    core: &str,
    kind: &str,
    of: Guest,
    period: Duration,
    tasks: &[SporadicTask],
) -> String {
    let guest = if of == Guest::Edf { "edf" } else { "fixed-priority" };
    let priority = if core == "edf" { "" } else { "priority = 5\n" };
    let mut text = format!(
        "version = 1\n[core.0]\nscheduler = \"{core}\"\n[vcpu.v]\non = \"core.0\"\nserver = \"{kind}\"\n\
         budget = {{ from = \"1us\", to = \"{period}\", step = \"1us\" }}\nperiod = \"{period}\"\n\
         scheduler = \"{guest}\"\n{priority}"
    );
    for (number, task) in tasks.iter().enumerate() {
        let SporadicTask { wcet, period, limit } = task;
        let keys = format!("wcet = \"{wcet}\"\nperiod = \"{period}\"\ndeadline = \"{limit}\"");
        let urgency =
            if of == Guest::Edf { String::new() } else { format!("priority = {}\n", 90 - number) };
        write!(text, "[task.t{number}]\non = \"vcpu.v\"\n{keys}\n{urgency}").unwrap();
    }
    text
}

/// What `vorrang design` finds for it.
fn designed(text: &str) -> Option<Duration> {
    let mut open = read_open(text, Format::Toml, |_| Err("there is none".into()))
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    match design(&mut open, Limits::default()) {
        Answer::Design(found) => {
            assert_eq!(found.optimality(), Optimality::Optimal, "{text}");
            let [Chosen::Time(budget)] = found.chosen[..] else { panic!("one is open") };
            Some(budget)
        }
        Answer::Absent(_) => None,
    }
}

/// A design takes no more, and less where more is known than that a budget comes some time in its period.
#[test]
fn designs_take_no_more_than_the_published_budget() {
    let servers =
        [("fixed-priority", "periodic"), ("fixed-priority", "deferrable"), ("edf", "cbs-hard")];
    for (core, kind) in servers {
        let (mut same, mut less, mut more_guests, mut none) = (0, 0, 0, 0);
        let mut saved = 0;
        for number in 0..guests() {
            let (period, tasks) = guest(1, number);
            for of in BOTH {
                let own = designed(&description(core, kind, of, period, &tasks));
                let theirs = published(of, period, Duration::from_us(1), &tasks);
                match (own, theirs) {
                    (Some(own), Some(theirs)) => {
                        assert!(own <= theirs, "{of:?} {number} {core}: {own} and not {theirs}");
                        saved += (theirs - own).as_ns() * 1_000 / theirs.as_ns();
                        *if own == theirs { &mut same } else { &mut less } += 1;
                    }
                    (Some(_), None) => more_guests += 1,
                    (None, None) => none += 1,
                    (None, Some(theirs)) => {
                        panic!("{of:?} {number} {core}: none, and not {theirs}")
                    }
                }
            }
        }
        let mean = saved / (same + less).max(1);
        println!(
            "{kind} on {core}: {same} the same, {less} less (all together {mean} thousandths on average), \
             {more_guests} only ours, {none} none"
        );
        assert!(same + less > 0);
    }
}
