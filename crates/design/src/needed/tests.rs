//! What one history needs: worked out by hand, beside that history played tick by tick, and beside what the
//! analysis accepts.

use super::*;
use crate::accepts;
use crate::chance::Chance;
use std::fmt::Write as _;
use vorrang_model::{Format, read_open};

fn ms(ms: u64) -> Duration {
    Duration::from_ms(ms)
}

fn jobs(wcet: u64, period: u64, limit: u64, above: &[(u64, u64)]) -> Jobs {
    let above = above.iter().map(|(wcet, period)| (ms(*wcet), ms(*period))).collect();
    Jobs { wcet: ms(wcet), period: ms(period), limit: ms(limit), above }
}

/// ```text
///   2 ms within 12 ms of budgets every 5 ms:   ▄····▄····▄   three of them, 2/3 ms each
/// ```
#[test]
fn work_is_done_in_as_many_budgets_as_there_is_time_for() {
    let needed = Needed { jobs: vec![jobs(2, 40, 12, &[])] };
    assert_eq!(needed.least(ms(5)), Duration::from_ns(666_667));
    assert_eq!(needed.least(ms(12)), ms(2));
    assert_eq!(Needed::default().least(ms(5)), Duration::RESOLUTION);
}

#[test]
fn more_urgent_work_comes_before() {
    let [alone, below] = [&[][..], &[(1, 4)]].map(|above| jobs(2, 40, 8, above));
    let at = |jobs: Jobs| Needed { jobs: vec![jobs] }.least(ms(4));
    // Two budgets for 2 ms; with 1 ms of each period gone before, two for 4 ms.
    assert_eq!((at(alone), at(below)), (ms(1), ms(2)));
}

#[test]
fn what_is_due_counts_whatever_schedules_it() {
    let needed = Needed { jobs: vec![jobs(3, 10, 10, &[]), jobs(4, 10, 10, &[])] };
    assert_eq!(needed.least(ms(5)), Duration::from_us(3_500));
    let much = Needed { jobs: vec![jobs(6, 10, 10, &[]), jobs(6, 10, 10, &[])] };
    assert!(much.least(ms(5)) > ms(5));
}

/// A task: work, period and deadline in ticks; the first is the most urgent.
type Ticks = [u64; 3];

/// Plays the history: all arrive at 0 and then every period, the budget is there at 0 and every period of the server,
/// and nothing else runs. Whether the job of each task that is asked for is late.
fn late(tasks: &[Ticks], [budget, period]: [u64; 2], by_deadline: bool, until: u64) -> Vec<bool> {
    let (mut late, mut left) = (vec![false; tasks.len()], 0);
    // Task, deadline, rest.
    let mut ready: Vec<(usize, u64, u64)> = Vec::new();
    for now in 0..until {
        if now % period == 0 {
            left = budget;
        }
        for (task, [work, apart, deadline]) in tasks.iter().enumerate() {
            if now % apart == 0 {
                ready.push((task, now + deadline, *work));
            }
        }
        ready
            .iter()
            .filter(|(_, deadline, _)| *deadline <= now)
            .for_each(|(task, ..)| late[*task] = true);
        let next = ready.iter_mut().filter(|(.., rest)| *rest > 0);
        let next = next
            .min_by_key(|(task, deadline, _)| if by_deadline { *deadline } else { *task as u64 });
        if let Some((.., rest)) = next.filter(|_| left > 0) {
            *rest -= 1;
            left -= 1;
        }
        ready.retain(|(.., rest)| *rest > 0);
    }
    late
}

fn tasks(chance: &mut Chance) -> Vec<Ticks> {
    let task = |chance: &mut Chance| {
        let period = 10 + chance.below(30);
        [1 + chance.below(period / 4), period, period - chance.below(period / 2)]
    };
    (0..=chance.below(3)).map(|_| task(chance)).collect()
}

/// A microsecond is a tick.
fn needed(tasks: &[Ticks], by_deadline: bool) -> Needed {
    let us = Duration::from_us;
    let of = |place: usize| {
        let [work, period, limit] = tasks[place].map(us);
        let above = tasks[..place].iter().map(|[work, period, _]| (us(*work), us(*period)));
        let above = if by_deadline { Vec::new() } else { above.collect() };
        Jobs { wcet: work, period, limit, above }
    };
    Needed { jobs: (0..tasks.len()).map(of).collect() }
}

/// When so much work is done that is there from the beginning, played tick by tick.
fn done([budget, period]: [u64; 2], work: u64) -> u64 {
    let (mut left, mut rest, mut now) = (0, work, 0);
    while rest > 0 {
        if now % period == 0 {
            left = budget;
        }
        if left > 0 {
            (left, rest) = (left - 1, rest - 1);
        }
        now += 1;
    }
    now
}

/// The same as what is needed, budget by budget: what is due by the first deadlines is done by then, and by priority
/// the first job of each is in time.
fn tried(tasks: &[Ticks], period: u64, by_deadline: bool) -> u64 {
    let is_enough = |budget: &u64| {
        let server = [*budget, period];
        let due = |time: u64| -> u64 {
            let due = tasks.iter().filter(|[_, _, deadline]| *deadline <= time);
            due.map(|[work, apart, deadline]| work * ((time - deadline) / apart + 1)).sum()
        };
        let times = tasks
            .iter()
            .flat_map(|[_, apart, deadline]| (0..8).map(move |job| deadline + job * apart));
        let mut firsts = (0..tasks.len()).filter(|_| !by_deadline);
        times.into_iter().all(|time| done(server, due(time)) <= time)
            && firsts
                .all(|place| !late(&tasks[..=place], server, false, tasks[place][2] + 1)[place])
    };
    (1..=period).find(is_enough).unwrap_or(period + 1)
}

/// The least budget is that of the history, in whole ticks; with less the history misses a deadline.
#[test]
fn it_is_the_least_with_which_the_history_is_in_time() {
    let (mut fits, mut never) = (0, 0);
    for seed in 0..300 {
        let mut chance = Chance(seed);
        let (tasks, period) = (tasks(&mut chance), 2 + chance.below(12));
        let by_deadline = chance.below(2) == 0;
        let least = needed(&tasks, by_deadline).least(Duration::from_us(period));
        let least = least.as_ns().div_ceil(1_000);
        let what = format!("seed {seed}: {tasks:?} every {period}");
        assert_eq!(least, tried(&tasks, period, by_deadline), "{what}");
        if least > 1 {
            let misses = late(&tasks, [least - 1, period], by_deadline, 400);
            assert!(misses.contains(&true), "{what}, {least}");
        }
        fits += u32::from(least > 1 && least <= period);
        never += u32::from(least > period);
    }
    assert!(fits > 150 && never > 0, "{fits} {never}");
}

/// Whatever theorem bounds it, no budget below what is needed is accepted: on each kind of core and server.
#[test]
fn nothing_below_is_accepted() {
    let kinds = ["periodic", "polling", "deferrable", "sporadic"];
    let guests = ["fixed-priority", "rate-monotonic", "edf"];
    let (mut below, mut at) = (0, 0);
    for seed in 0..160 {
        let mut chance = Chance(seed);
        let [kind, guest] =
            [chance.below(4), chance.below(3)].map(|of| usize::try_from(of).unwrap());
        let (tasks, period) = (tasks(&mut chance), 2 + chance.below(12));
        let mut text = format!(
            "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[server.s]\non = \"core.0\"\n\
             server = \"{}\"\nbudget = \"?\"\nperiod = \"{period}us\"\npriority = 1\n\
             scheduler = \"{}\"\n",
            kinds[kind], guests[guest]
        );
        for (place, [work, period, deadline]) in tasks.iter().enumerate() {
            write!(
                text,
                "[task.t{place}]\non = \"server.s\"\nwcet = \"{work}us\"\nperiod = \"{period}us\"\n\
                 deadline = \"{deadline}us\"\n"
            )
            .unwrap();
            if guests[guest] == "fixed-priority" {
                writeln!(text, "priority = {}", 10 - place).unwrap();
            }
        }
        let mut open = read_open(&text, Format::Toml, |_| Err("none".into())).unwrap();
        let with = |open: &mut Open, budget: Duration| {
            open.resolve(&[vorrang_model::Chosen::Time(budget)]).map(|system| accepts(&system))
        };
        let system = open.resolve(&[vorrang_model::Chosen::Time(Duration::from_us(1))]).unwrap();
        let least = Needed::new(&open, &system, SupplyId(1)).least(Duration::from_us(period));
        let ns = least.as_ns();
        for budget in [1, ns / 2, ns * 9 / 10, ns * 99 / 100, ns - 1].map(|ns| ns.max(1)) {
            if budget < ns && budget <= period * 1_000 {
                below += 1;
                assert_ne!(
                    with(&mut open, Duration::from_ns(budget)),
                    Some(true),
                    "seed {seed}\n{text}"
                );
            }
        }
        if ns <= period * 1_000 {
            at += u32::from(with(&mut open, Duration::from_us(period)) == Some(true));
        }
    }
    assert!(below > 300 && at > 20, "{below} {at}");
}

/// Where something else may give the server time, or take it, nothing is said.
#[test]
fn where_the_history_is_another_nothing_is_needed() {
    let text = |more: &str, kind: &str| {
        format!(
            "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[server.s]\non = \"core.0\"\n\
             server = \"{kind}\"\nbudget = \"?\"\nperiod = \"5ms\"\npriority = 1\n[task.t]\n\
             on = \"server.s\"\nwcet = \"2ms\"\nperiod = \"20ms\"\npriority = 1\n{more}"
        )
    };
    let idles = "[server.idles]\non = \"core.0\"\nserver = \"periodic\"\nbudget = \"1ms\"\n\
                 period = \"9ms\"\npriority = 2\n";
    let of = |text: String| {
        let mut open = read_open(&text, Format::Toml, |_| Err("none".into()))
            .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let first = vec![vorrang_model::Chosen::Time(ms(1)); open.values().len()];
        let system = open.resolve(&first).unwrap();
        Needed::new(&open, &system, SupplyId(1)).least(ms(5))
    };
    let known = Duration::from_us(500);
    assert_eq!(of(text("", "deferrable")), known);
    assert_eq!(of(text("", "sporadic")), known);
    assert_eq!(of(text(idles, "deferrable")), known);
    // What idles its budget away makes levels active without work.
    assert_eq!(of(text(idles, "sporadic")), Duration::RESOLUTION);
}
