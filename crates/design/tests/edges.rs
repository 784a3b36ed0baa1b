//! Where margins begin and end, worked out by hand, beside histories that are made up; and what no value makes proven.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use vorrang_analysis::bounds;
use vorrang_design::{
    Amount, Beyond, Limits, Margin, Margins, Parameter, Remedies, Sought, Way, Work, margins,
    margins_within,
};
use vorrang_model::system::{SupplyId, TaskId, Unsupported};
use vorrang_model::{Format, System, read};
use vorrang_time::Duration;

const CORE: &str = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n";

fn system(more: &str) -> System {
    let text = format!("{CORE}{more}");
    read(&*text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// The margins of the first requirement, which is proven.
fn of_first(system: &System, refutes: &mut dyn FnMut(&System) -> bool) -> Vec<Margin> {
    let mut refutes = |changed: &System| vec![refutes(changed); system.requirements.len()];
    let (found, _) = margins(system, &[0], Limits::of(100_000), &mut refutes, 100_000);
    let [Margins { of, left, is_proven, .. }] = &found[..] else { panic!("one was asked for") };
    assert!(*is_proven && left.is_empty());
    of.clone().expect("analyses are enough")
}

fn never(_: &System) -> bool {
    false
}

fn ns(ns: u64) -> Amount {
    Amount::Time(Duration::from_ns(ns))
}

fn ms(ms: u64) -> Amount {
    Amount::Time(Duration::from_ms(ms))
}

/// What it is now, the last that is proven, and the next; with what is beyond.
type Edge = (Amount, Amount, Option<Amount>, Beyond);

fn edge(of: &[Margin], parameter: Parameter) -> Edge {
    let of = of.iter().find(|own| own.parameter == parameter).expect("it is offered");
    assert_eq!(of.refused, None);
    (of.now, of.proven, of.not_proven, of.beyond)
}

const WCET: Parameter = Parameter::Wcet(TaskId(0));
const ALONE: &str =
    "[task.t]\non = \"core.0\"\nwcet = \"1ms\"\nperiod = \"10ms\"\ndeadline = \"4ms\"\n";

/// Alone a task takes its execution time.
#[test]
fn upwards_a_margin_ends_at_the_limit_and_a_refutation_where_histories_break_it() {
    let system = system(ALONE);
    let factor = Amount::Factor;
    for (holds_up_to, first, first_factor) in
        [(4_000_000, 4_000_001, 4_001), (5_500_000, 5_500_001, 5_501)]
    {
        let breaks = |of: &System| of.tasks[0].wcet > Duration::from_ns(holds_up_to);
        let of = of_first(&system, &mut { breaks });
        let proven = (ms(1), ms(4), Some(ns(4_000_001)), Beyond::Refuted(ns(first)));
        assert_eq!(edge(&of, WCET), proven);
        let proven = (factor(1_000), factor(4_000), Some(factor(4_001)));
        let (now, last, next) = proven;
        let refuted = Beyond::Refuted(factor(first_factor));
        assert_eq!(edge(&of, Parameter::AllWcets), (now, last, next, refuted));
    }
    // A thousand times as much is the farthest.
    let of = of_first(&system, &mut never);
    assert_eq!(edge(&of, WCET).3, Beyond::NotUpTo(ms(1_000)));
    assert_eq!(edge(&of, Parameter::AllWcets).3, Beyond::NotUpTo(factor(1_000_000)));
}

/// A factor makes whole nanoseconds of what it multiplies, rounded up: 3 ns by 1.334 are 5.
#[test]
fn a_factor_rounds_up() {
    let text = ALONE.replace("\"1ms\"", "\"3ns\"").replace("\"4ms\"", "\"4ns\"");
    let of = of_first(&system(&text), &mut never);
    assert_eq!(edge(&of, Parameter::AllWcets).1, Amount::Factor(1_333));
}

/// Nothing longer than a description may state is looked at.
#[test]
fn the_longest_that_may_be_stated_ends_a_margin() {
    let most = "1000000s";
    let other = "[task.other]\non = \"core.0\"\nexecution = { \"2000s\" = 1 }\nperiod = \"1000000s\"\n\
                 deadline = \"none\"\npriority = 1\n";
    let text = ALONE.replace("\"1ms\"", "\"2000s\"").replace("\"10ms\"", &format!("\"{most}\""));
    let text = text.replace("\"4ms\"", &format!("\"{most}\"\npriority = 2")) + other;
    let of = of_first(&system(&text), &mut never);
    let longest = Amount::Time(Duration::MAX_STATED);
    let now = Amount::Time(Duration::from_ms(2_000_000));
    assert_eq!(edge(&of, WCET), (now, longest, None, Beyond::NotLooked));
    let (_, last, next, _) = edge(&of, Parameter::AllWcets);
    assert_eq!((last, next), (Amount::Factor(1_000_000), None));
}

/// Alone it is in time as long as the core has time for it: up to its own work every period.
#[test]
fn a_period_ends_where_its_work_fills_it() {
    let period = Parameter::TaskPeriod(TaskId(0), Way::Down);
    let breaks = |of: &System| of.tasks[0].min_interarrival < Duration::from_us(700);
    let of = of_first(&system(ALONE), &mut { breaks });
    let expected = (ms(10), ms(1), Some(ns(999_999)), Beyond::Refuted(ns(699_999)));
    assert_eq!(edge(&of, period), expected);
}

/// On a core each, a chain takes what both wait and do: 10 + 1 + 20 + 1 ms. Within 40 ms the first may wait for 18, the
/// second for 28.
#[test]
fn a_chain_ends_where_its_longest_distances_do() {
    let second = ALONE.replace("task.t", "task.u").replace("core.0", "core.1");
    let path = "[chain.c]\npath = [\"task.t\", \"task.u\"]\nreaction = \"40ms\"\n";
    let text = |first: &str, latest: &str| {
        let latest = format!("latest-interarrival = \"{latest}\"\n");
        format!("{ALONE}{first}[core.1]\nscheduler = \"fixed-priority\"\n{second}{latest}{path}")
    };
    let of = |system: &System| {
        let mut refutes = |_: &System| vec![false; system.requirements.len() + 1];
        let place = system.requirements.len();
        let (found, _) = margins(system, &[place], Limits::of(100_000), &mut refutes, 0);
        found[0].of.clone().expect("analyses are enough")
    };
    let sporadic = of(&system(&text("latest-interarrival = \"10ms\"\n", "20ms")));
    let (_, last, next, _) = edge(&sporadic, Parameter::TaskPeriod(TaskId(0), Way::Up));
    assert_eq!((last, next), (ms(18), Some(ns(18_000_001))));
    let (now, last, next, _) = edge(&sporadic, Parameter::Latest(TaskId(1)));
    assert_eq!((now, last, next), (ms(20), ms(28), Some(ns(28_000_001))));
}

/// ```text
///   0         10        20        30         by one clock, the first at 0, the second 3 later, each 1 ms
///   #.........#.........#.........#......
///   ...#.........#.........#.........#...    an event waits for 10 ms, its value for 3, and 1 ms of work
/// ```
///
/// Within 16 ms the second may come at 5, or down to 1: sooner it misses the value and waits for 10 ms more.
#[test]
fn an_offset_ends_where_a_reader_misses_a_value() {
    let second = ALONE.replace("task.t", "task.u").replace("core.0", "core.1");
    let path = "[chain.c]\npath = [\"task.t\", \"task.u\"]\nreaction = \"16ms\"\n";
    let core = "[core.1]\nscheduler = \"fixed-priority\"\n";
    let system = system(&format!("{ALONE}offset = \"0s\"\n{core}{second}offset = \"3ms\"\n{path}"));
    let place = system.requirements.len();
    let mut refutes = |_: &System| vec![false; place + 1];
    let (found, _) = margins(&system, &[place], Limits::of(100_000), &mut refutes, 0);
    let of = found[0].of.clone().expect("analyses are enough");
    let (_, last, next, _) = edge(&of, Parameter::Offset(TaskId(1), Way::Up));
    assert_eq!((last, next), (ms(5), Some(ns(5_000_001))));
    let (_, last, next, _) = edge(&of, Parameter::Offset(TaskId(1), Way::Down));
    assert_eq!((last, next), (ms(1), Some(ns(999_999))));
}

fn server(budget: &str, period: &str, wcet: &str, deadline: &str) -> String {
    format!(
        "[server.s]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"{budget}\"\nperiod = \"{period}\"\n\
         [task.t]\non = \"server.s\"\nwcet = \"{wcet}\"\nperiod = \"1s\"\ndeadline = \"{deadline}\"\n"
    )
}

const BUDGET: Parameter = Parameter::Budget(SupplyId(1));

/// ```text
///   1 ms within 30 ms of budgets every 10 ms:   ▄.........▄.........▄   three of them, 1/3 ms each
/// ```
#[test]
fn downwards_a_margin_ends_at_the_least_budget() {
    let of_three = system(&server("4ms", "10ms", "1ms", "30ms"));
    let breaks = |of: &System| {
        let server = of.supplies[1].server().expect("it has one");
        server.budget < Duration::from_us(200)
    };
    let of = of_first(&of_three, &mut { breaks });
    let expected = (ms(4), ns(333_334), Some(ns(333_333)), Beyond::Refuted(ns(199_999)));
    assert_eq!(edge(&of, BUDGET), expected);
    assert_eq!(edge(&of_first(&of_three, &mut never), BUDGET).3, Beyond::NotUpTo(ns(1)));
    // A nanosecond is the least that is looked at.
    let of = of_first(&system(&server("4ns", "10ns", "3ns", "1us")), &mut never);
    assert_eq!(edge(&of, BUDGET), (ns(4), ns(1), None, Beyond::NotLooked));
}

/// The pseudo-VCPU pays for 80 us: 10 of the guest's routine, 70 of the task. With 5 us before it all that is in time up
/// to 65 us.
#[test]
fn where_nothing_can_be_written_any_more_nothing_is_looked_at() {
    let text = "[vcpu.io]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"4ms\"\nperiod = \"20ms\"\n\
                [task.handler]\non = \"vcpu.io\"\nwcet = \"60us\"\nperiod = \"2ms\"\ndeadline = \"80us\"\n\
                [interrupt.nic]\non = \"core.0\"\nisr = \"5us\"\nmin-interarrival = \"2ms\"\n\
                virtual = { vcpu = \"vcpu.io\", isr = \"10us\", wakes = \"task.handler\", \
                pseudo-vcpu = { budget = \"80us\", period = \"2ms\" } }\n";
    let us = |us: u64| Amount::Time(Duration::from_us(us));
    let of = of_first(&system(text), &mut never);
    let expected = (us(60), us(65), Some(ns(65_001)), Beyond::NotUpTo(us(70)));
    assert_eq!(edge(&of, WCET), expected);
}

/// A single history says little about a probability.
#[test]
fn what_need_only_be_probable_is_refuted_by_nothing() {
    let text = "[task.t]\non = \"core.0\"\nwcet = \"1ms\"\nperiod = \"10ms\"\ndeadline = \"none\"\n\
                [require.r]\nof = \"task.t\"\nhandled-within = \"4ms\"\nprobability = \"99%\"\n";
    let of = of_first(&system(text), &mut |_| true);
    assert_eq!(edge(&of, WCET), (ms(1), ms(4), Some(ns(4_000_001)), Beyond::NotLooked));
}

static IS_END_WANTED: AtomicBool = AtomicBool::new(false);

/// With a slot of 2 ns in 10 the task is in time, and with 1 ns, the last there is, it is not: one search. That it was
/// cut short says nothing.
#[test]
fn a_search_that_is_cut_short_shows_nothing() {
    let slot =
        server("4ns", "10ns", "2ns", "10ns").replace("\"deferrable\"", "\"slot\"\noffset = \"0s\"");
    let text = format!("{CORE}{slot}").replace("\"fixed-priority\"", "\"slots\"");
    let system = read(&*text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut refutes = |changed: &System| {
        let of = changed.supplies[1].server().expect("it has one");
        IS_END_WANTED.store(of.budget.as_ns() == 1, Ordering::Relaxed);
        vec![false]
    };
    let limits =
        Limits { is_end_wanted: || IS_END_WANTED.load(Ordering::Relaxed), ..Limits::of(100_000) };
    let (found, _) = margins(&system, &[0], limits, &mut refutes, 100_000);
    let of = found[0].of.as_ref().expect("all was analysed before");
    assert_eq!(edge(of, BUDGET), (ns(4), ns(2), Some(ns(1)), Beyond::Spent));
    let whole = of_first(&system, &mut never);
    assert_eq!(edge(&whole, BUDGET), (ns(4), ns(2), Some(ns(1)), Beyond::NotUpTo(ns(1))));
}

/// What several requirements share is looked at once.
#[test]
fn values_are_looked_at_once() {
    let other = "[task.u]\non = \"core.0\"\nwcet = \"1ms\"\nperiod = \"10ms\"\ndeadline = \"6ms\"\npriority = 1\n";
    let system = system(&(ALONE.replace("\"4ms\"", "\"4ms\"\npriority = 2") + other));
    let asked = Cell::new(0);
    let looked = |requirements: &[usize]| {
        asked.set(0);
        let mut refutes = |changed: &System| {
            asked.set(asked.get() + 1);
            vec![changed.tasks[0].wcet > Duration::from_ms(7); 2]
        };
        let limits = Limits::of(100_000);
        let (_, analyses) = margins(&system, requirements, limits, &mut refutes, 100_000);
        (analyses, asked.get())
    };
    let [both, first, second, twice] = [&[0, 1][..], &[0], &[1], &[0, 0]].map(looked);
    assert!(both.0 < first.0 + second.0 && both.1 < first.1 + second.1, "{both:?} {first:?}");
    assert_eq!(twice, first);
}

/// Whatever a switch takes now, it is looked at up to a second.
#[test]
fn a_switch_is_looked_at_up_to_a_second() {
    let beside = "[task.u]\non = \"core.0\"\nwcet = \"1ms\"\nperiod = \"10ms\"\ndeadline = \"none\"\npriority = 1\n";
    let system = system(&(ALONE.replace("\"4ms\"", "\"4ms\"\npriority = 2") + beside));
    let of = of_first(&system, &mut never);
    let (now, .., beyond) = edge(&of, Parameter::ContextSwitch);
    assert_eq!((now, beyond), (ns(0), Beyond::NotUpTo(ms(1_000))));
}

/// Analyses of one parameter may take some terms each, or all together; sixty of the system as it is are always free.
#[test]
fn terms_end_what_would_take_more() {
    let low = "[task.low]\non = \"core.0\"\nwcet = \"1ms\"\nperiod = \"1000s\"\npriority = 1\n";
    let high = "[task.high]\non = \"core.0\"\nwcet = \"1ms\"\nperiod = \"10ms\"\ndeadline = \"none\"\npriority = 2\n";
    let system = system(&format!("{low}{high}"));
    let found = |terms_each: u64, terms: u64| {
        let work = Work { limits: Limits::of(10_000), terms_each, terms, searches: 0 };
        let (mut found, _) = margins_within(&system, &[0], &work, &mut |_| vec![false; 2]);
        let Margins { of, left, .. } = found.remove(0);
        let of = of.expect("analyses are enough");
        (of.iter().map(|own| own.parameter).collect::<Vec<_>>(), left)
    };
    let (wcet, all, switch) = (WCET, Parameter::AllWcets, Parameter::ContextSwitch);
    let period = Parameter::TaskPeriod(TaskId(0), Way::Down);
    let every = vec![wcet, all, period, switch];
    assert_eq!(found(u64::MAX, u64::MAX), (every.clone(), vec![]));
    // Near full load a response time of the one below takes ever more rounds.
    let (known, left) = found(1, u64::MAX);
    assert!(known.contains(&wcet) && left.contains(&all), "{known:?} {left:?}");
    assert_eq!(found(u64::MAX, 1), (vec![], every));
}

/// What no analysis represents is not forgotten where a changed system is written down and read again.
#[test]
fn what_is_not_represented_is_proven_with_no_other_value() {
    let sought = |system: &System| {
        let found = bounds(system);
        let bound = found.requirement(&system.requirements[0]).bound();
        Remedies::new(system, &found).cheapest(0, bound)
    };
    let mut late = system(&ALONE.replace("\"4ms\"", "\"800us\""));
    assert!(matches!(sought(&late), Sought::Found(_)));
    late.unsupported.push(Unsupported { what: "the machine profile p.toml".into(), core: None });
    assert_eq!(sought(&late), Sought::None);
}
