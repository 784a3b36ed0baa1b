//! Guests of servers that keep their budget, and what is below them: small systems, and very many histories of each.
//!
//! Their bounds rest on what a guest can have used of a budget before, and on what can have been pending in it. What
//! matters is a nanosecond here and there, so times are a few nanoseconds and jobs come whenever they may: not
//! only as often as they may.
//!
//! **Model.** A core, by priority or by deadlines, with something urgent, one server or two, whose guests have up to three tasks or a server with
//! two more, and a task below all. Priorities may be equal. Each history has jobs of its own for every task: gaps
//! of the least distance or a little more, releases up to the jitter late, and short jobs among them; less urgent
//! work may hold one member up.

use crate::common::{Longest, drawn_jobs};
use std::fmt::Write as _;
use vorrang_analysis::{bounds, monotonic_bounds};
use vorrang_campaign::random::Random;
use vorrang_model::system::{Member, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Blocker, History, Simulator};
use vorrang_time::{Duration, Instant};

const JOBS: u64 = 6;

/// A server with tasks, and perhaps a server with tasks.
fn server(text: &mut String, random: &mut Random, name: &str, on: &str, depth: u64) {
    let kinds = ["deferrable", "sporadic", "deferrable", "sporadic", "periodic", "polling"];
    let kind = random.one_of(&kinds[..if depth == 0 { 4 } else { 6 }]);
    let period = random.between(4, 14);
    let budget = random.between(1, (period * 2 / 3).max(1));
    let priority = random.between(2, 6);
    let blocking = blocking(random);
    let noun = if depth == 0 { "vcpu" } else { "server" };
    write!(
        text,
        "[{noun}.{name}]\non = \"{on}\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\n\
         period = \"{period}ns\"\npriority = {priority}\nscheduler = \"fixed-priority\"\n{blocking}"
    )
    .expect("a string takes it");
    let own = format!("{noun}.{name}");
    for number in 0..random.between(1, 3) {
        let least = period * if random.chance(1, 2) { 1 } else { 3 };
        task(text, random, &format!("{name}-{number}"), &own, (least, budget));
    }
    if depth == 0 && random.chance(1, 4) {
        server(text, random, &format!("{name}-in"), &own, 1);
    }
}

/// Less urgent work holds something up, sometimes.
fn blocking(random: &mut Random) -> String {
    let longest = if random.chance(1, 8) { random.between(1, 5) } else { 0 };
    if longest > 0 { format!("blocking = \"{longest}ns\"\n") } else { String::new() }
}

fn task(text: &mut String, random: &mut Random, name: &str, on: &str, (least, budget): (u64, u64)) {
    let period = random.between(least, 3 * least);
    let wcet = random.between(1, (budget + 1).min(period));
    let priority = random.between(2, 6);
    let jitter = if random.chance(1, 4) { random.between(1, period) } else { 0 };
    let blocking = blocking(random);
    write!(
        text,
        "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\njitter = \"{jitter}ns\"\n\
         deadline = \"none\"\npriority = {priority}\n{blocking}"
    )
    .expect("a string takes it");
}

fn system(random: &mut Random) -> System {
    as_system(&text(random))
}

/// The same where the members of the core have one priority, perhaps but for one above, and nothing holds anything up.
fn system_of_equals(random: &mut Random) -> System {
    let mut drawn = text(random);
    for name in ["one", "other"] {
        if random.chance(1, 2) {
            task(&mut drawn, random, name, "core.0", (5, 2));
        }
    }
    let above = random.chance(1, 4);
    let (mut text, mut keeps) = (String::new(), false);
    for line in drawn.lines().filter(|line| !line.starts_with("blocking")) {
        match line {
            "[task.below]" => keeps = true,
            "[task.urgent]" => keeps = above,
            "on = \"core.0\"" => {}
            _ if line.starts_with("on = ") => keeps = true,
            _ if line.starts_with('[') => keeps = false,
            _ => {}
        }
        let is_changed = !keeps && line.starts_with("priority");
        writeln!(text, "{}", if is_changed { "priority = 4" } else { line })
            .expect("a string takes it");
    }
    as_system(&text)
}

fn as_system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

fn text(random: &mut Random) -> String {
    let core = random.one_of(&["fixed-priority", "linux\"\nfair-server = \"none"]);
    let mut text = format!("version = 1\n[core.0]\nscheduler = \"{core}\"\n");
    if random.chance(2, 3) {
        task(&mut text, random, "urgent", "core.0", (5, 2));
    }
    server(&mut text, random, "a", "core.0", 0);
    if random.chance(1, 3) {
        server(&mut text, random, "b", "core.0", 0);
    }
    text += "[task.below]\non = \"core.0\"\nwcet = \"2ns\"\nperiod = \"40ns\"\npriority = 1\ndeadline = \"none\"\n";
    text
}

/// The same by deadlines: one deferrable server or two, or beside one of another kind.
fn system_by_deadlines(random: &mut Random) -> System {
    let mut text = String::from("version = 1\n[core.0]\nscheduler = \"edf\"\n");
    let mut members = vec![server_by_deadlines(random, "a", "deferrable")];
    if random.chance(1, 2) {
        let kind = random.one_of(&["deferrable", "periodic", "polling", "cbs-hard"]);
        members.push(server_by_deadlines(random, "b", kind));
    }
    for name in ["one", "other"] {
        if random.chance(1, 2) {
            let period = random.between(5, 20);
            let (wcet, deadline) =
                (random.between(1, period.min(4)), random.between(4, 2 * period));
            let blocking = blocking(random);
            members.push(format!(
                "[task.{name}]\non = \"core.0\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\n\
                 deadline = \"{deadline}ns\"\n{blocking}"
            ));
        }
    }
    if random.chance(1, 2) {
        members.reverse();
    }
    text += &members.concat();
    as_system(&text)
}

fn server_by_deadlines(random: &mut Random, name: &str, kind: &str) -> String {
    let period = random.between(4, 14);
    let budget = random.between(1, (period / 2).max(1));
    let mut text = format!(
        "[vcpu.{name}]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\n\
         period = \"{period}ns\"\nscheduler = \"fixed-priority\"\n"
    );
    let own = format!("vcpu.{name}");
    for number in 0..random.between(1, 3) {
        let least = period * if random.chance(1, 2) { 1 } else { 3 };
        task(&mut text, random, &format!("{name}-{number}"), &own, (least, budget));
    }
    if random.chance(1, 4) {
        server(&mut text, random, &format!("{name}-in"), &own, 1);
    }
    text
}

/// Two servers or three whose deadlines count, most of them with one task, and a task on the core.
fn system_of_reservations(random: &mut Random) -> System {
    let linux = random.chance(1, 3);
    let (core, kinds): (_, &[&str]) = if linux {
        ("linux\"\nfair-server = \"none", &["sched-deadline"])
    } else {
        ("edf", &["cbs-hard", "cbs-soft", "deferrable", "cbs-hard", "cbs-soft"])
    };
    let names = ["a", "b", "c"];
    let count = 2 + usize::from(random.chance(1, 3));
    let mut members: Vec<String> = Vec::new();
    for name in &names[..count] {
        let kind = random.one_of(kinds);
        members.push(reservation(random, name, kind));
    }
    let (wcet, period) = (random.between(1, 4), random.between(6, 24));
    let deadline = random.between(wcet, period);
    let due = if linux { "\"none\"".to_owned() } else { format!("\"{deadline}ns\"") };
    let priority = if linux { "priority = 1\n" } else { "" };
    members.push(format!(
        "[task.one]\non = \"core.0\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\ndeadline = {due}\n{priority}"
    ));
    if random.chance(1, 2) {
        members.reverse();
    }
    as_system(&format!("version = 1\n[core.0]\nscheduler = \"{core}\"\n{}", members.concat()))
}

/// A server with deadlines, and tasks that it can supply.
fn reservation(random: &mut Random, name: &str, kind: &str) -> String {
    let period = random.between(3, 12);
    let budget = random.between(1, (period / 2).max(1));
    let mut text = format!(
        "[vcpu.{name}]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\n\
         period = \"{period}ns\"\nscheduler = \"fixed-priority\"\n"
    );
    let most = if kind == "cbs-soft" || random.chance(2, 3) { 1 } else { 3 };
    let tasks = random.between(1, most);
    for number in 0..tasks {
        let wcet = random.between(1, 2 * budget);
        let least = (wcet * period * tasks).div_ceil(budget);
        let apart = least + random.below(12);
        let jitter = if random.chance(1, 4) { random.between(1, apart) } else { 0 };
        let priority = random.between(2, 4);
        write!(
            text,
            "[task.{name}-{number}]\non = \"vcpu.{name}\"\nwcet = \"{wcet}ns\"\nperiod = \"{apart}ns\"\n\
             jitter = \"{jitter}ns\"\ndeadline = \"none\"\npriority = {priority}\n"
        )
        .expect("a string takes it");
    }
    text
}

fn history(system: &System, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    for (supply, phase) in system.supplies.iter().zip(&mut history.phases) {
        let period = supply.server().map_or(1, |server| server.period.as_ns());
        *phase = Duration::from_ns(random.below(period));
    }
    let tasks = system.task_ids().map(Member::Task);
    let servers = (1..system.supplies.len()).map(|id| Member::Server(SupplyId(id)));
    let mut held_up = tasks.chain(servers).filter(|&member| !system.blocking(member).is_zero());
    if random.chance(1, 2) {
        let from = Instant::from_ns(random.below(60));
        history.blocker = held_up.next().map(|member| Blocker { member, from });
    }
    let lazy = random.chance(1, 2);
    // Nothing arrives before its parent supply has begun.
    let starts = system.tasks.iter().map(|task| history.start(system, task.on).as_ns());
    let starts: Vec<u64> = starts.collect();
    for ((task, script), start) in system.tasks.iter().zip(&mut history.scripts).zip(starts) {
        let from = start + random.below(30);
        *script = drawn_jobs(task, (from, JOBS), lazy, random);
    }
    history
}

/// What was tried.
#[derive(Debug, Default)]
struct Found {
    bounded: u64,
    /// Bounds that are less than without what is known of guests.
    less: u64,
    /// Of these, how many were reached.
    reached: u64,
    exceeded: Vec<String>,
}

fn is_in(system: &System, supply: SupplyId, server: SupplyId) -> bool {
    let parent = system.supply(supply).on();
    supply == server || parent.is_some_and(|parent| is_in(system, parent, server))
}

/// How a system is drawn, and of which seed.
type Draw = (u64, fn(&mut Random) -> System);

const BY_PRIORITY: Draw = (77, system);

const OF_EQUALS: Draw = (79, system_of_equals);

const BY_DEADLINES: Draw = (78, system_by_deadlines);

const OF_RESERVATIONS: Draw = (80, system_of_reservations);

fn look((of, draw): Draw, stream: u64, histories: u64, found: &mut Found) {
    let mut random = Random::new(of, stream);
    let system = draw(&mut random);
    let (known, plain) = (bounds(&system), monotonic_bounds(&system));
    let mut longest = Longest::new(&system);
    let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
    for _ in 0..histories {
        let history = history(&system, &mut random);
        let mut seen = Longest::new(&system);
        simulator.run(&history, Instant::from_ns(400), &mut seen);
        let counts = |id: usize| match history.blocker.map(|blocker| blocker.member) {
            None => true,
            Some(Member::Task(task)) => task.0 == id,
            Some(Member::Server(server)) => is_in(&system, system.tasks[id].on, server),
        };
        for (id, seen) in seen.0.into_iter().enumerate().filter(|(id, _)| counts(*id)) {
            longest.0[id] = longest.0[id].max(seen);
        }
    }
    for (id, seen) in longest.0.iter().enumerate() {
        let [limit, without] = [&known, &plain].map(|bounds| bounds.task(TaskId(id)).bound());
        let Some(limit) = limit else { continue };
        found.bounded += 1;
        assert!(
            without.is_none_or(|without| limit <= without),
            "more is known, and bounds are greater"
        );
        let less = Some(limit) < without;
        found.less += u64::from(less);
        found.reached += u64::from(less && *seen == limit);
        if *seen > limit {
            let name = &system.tasks[id].name;
            found.exceeded.push(format!(
                "stream {stream}: {name} took {seen}, bound {limit}, without {without:?}"
            ));
        }
    }
}

fn all(draw: Draw, systems: u64, histories: u64) -> Found {
    let mut found = Found::default();
    for stream in 0..systems {
        look(draw, stream, histories, &mut found);
    }
    found
}

fn assert_none_exceeded(found: &Found) {
    let Found { exceeded, .. } = found;
    assert!(exceeded.is_empty(), "{}, the first: {}", exceeded.len(), exceeded[0]);
}

#[test]
fn no_guest_takes_longer_than_from_idle_on() {
    let found = all(BY_PRIORITY, 400, 200);
    assert!(found.less > 200 && found.reached > 20, "{found:?}");
    assert_none_exceeded(&found);
}

#[test]
fn no_equal_takes_longer_than_what_was_ready_first() {
    let found = all(OF_EQUALS, 400, 200);
    assert!(found.less > 200 && found.reached > 20, "{found:?}");
    assert_none_exceeded(&found);
}

#[test]
fn no_guest_takes_longer_than_from_idle_on_under_edf() {
    let found = all(BY_DEADLINES, 400, 200);
    assert!(found.less > 200 && found.reached > 20, "{found:?}");
    assert_none_exceeded(&found);
}

#[test]
fn no_guest_takes_longer_than_beside_the_work_of_others() {
    let found = all(OF_RESERVATIONS, 400, 200);
    assert!(found.less > 200 && found.reached > 100, "{found:?}");
    assert_none_exceeded(&found);
}

/// `VORRANG_SYSTEMS` systems with `VORRANG_HISTORIES` histories each.
#[test]
#[ignore = "a long campaign"]
fn no_guest_takes_longer_in_very_many_histories() {
    let number = |name: &str, otherwise| {
        std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let (systems, histories) =
        (number("VORRANG_SYSTEMS", 20_000), number("VORRANG_HISTORIES", 2_000));
    for draw in [BY_PRIORITY, OF_EQUALS, BY_DEADLINES, OF_RESERVATIONS] {
        let found = all(draw, systems, histories);
        eprintln!("{} bounded, {} less, {} reached", found.bounded, found.less, found.reached);
        assert_none_exceeded(&found);
    }
}
