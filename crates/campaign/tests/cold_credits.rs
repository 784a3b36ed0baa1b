//! Pseudo-VCPUs whose virtual processor has a cache, by brute force: small systems, and many offsets of each.
//!
//! Credits are time, of which a cold cache takes a part. Whatever is above a pseudo-VCPU makes it cold again, and a credit makes
//! what it interrupts cold.

use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{InterruptId, Member, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Job, Observer, Simulator, Source};
use vorrang_time::{Duration, Instant};

const END: Instant = Instant::from_ns(1_500);
/// Of each order of the core.
const SYSTEMS: u64 = 600;
const HISTORIES: u32 = 60;

/// The longest response of each task and interrupt.
struct Longest {
    tasks: Vec<Duration>,
    interrupts: Vec<Duration>,
}

impl Observer for Longest {
    fn completed(&mut self, job: &Job, at: Instant) {
        let longest = match job.source {
            Source::Task(id) => &mut self.tasks[id.0],
            Source::Interrupt(id) => &mut self.interrupts[id.0],
        };
        *longest = (*longest).max(at - job.arrival);
    }
}

/// What decides on the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Priority,
    Linux,
    Deadline,
}

impl Order {
    const ALL: [Self; 3] = [Self::Priority, Self::Linux, Self::Deadline];

    const fn scheduler(self) -> &'static str {
        match self {
            Self::Priority => "scheduler = \"fixed-priority\"\n",
            Self::Linux => "scheduler = \"linux\"\nfair-server = \"none\"\n",
            Self::Deadline => "scheduler = \"edf\"\n",
        }
    }

    const fn kinds(self) -> &'static [&'static str] {
        match self {
            Self::Priority | Self::Linux => {
                &["deferrable", "deferrable", "periodic", "polling", "sporadic"]
            }
            Self::Deadline => &["deferrable", "deferrable", "periodic", "cbs-hard"],
        }
    }

    /// The priority of something on the core, where it has one.
    fn priority(self, priority: u64) -> String {
        match self {
            Self::Priority | Self::Linux => format!("\npriority = {priority}"),
            Self::Deadline => String::new(),
        }
    }
}

fn draw(random: &mut Random, order: Order) -> String {
    let mut text = "version = 1\n".to_owned();
    for cache in ["own", "others"] {
        let model = random.one_of(&["flood", "flood", "exponential"]);
        let _ = writeln!(
            text,
            "[cache.{cache}]\nmodel = \"{model}\"\nuseful = \"{}%\"\nsustained = \"{}ns\"",
            random.one_of(&[0, 0, 30, 60]),
            random.between(1, 5)
        );
    }
    if random.chance(1, 3) {
        let _ = writeln!(
            text,
            "[costs]\nscheduler-call = \"{}ns\"\ncontext-switch = \"{}ns\"\nvm-exit = \"{}ns\"",
            random.below(2),
            random.below(2),
            random.below(2)
        );
    }
    text += "[core.0]\n";
    text += order.scheduler();
    let mut line = |number: u64, what: &str| {
        writeln!(text, "{}", what.replace('#', &number.to_string())).expect("a string takes it");
    };
    let period = random.between(30, 80);
    let kind = random.one_of(order.kinds());
    line(period, &format!("[vcpu.v]\non = \"core.0\"\nserver = \"{kind}\"\nperiod = \"#ns\""));
    line(random.between(8, period / 3), "cache = \"cache.own\"\nbudget = \"#ns\"");
    let priority = order.priority(random.one_of(&[2, 4, 4, 6]));
    line(0, &format!("scheduler = \"fixed-priority\"{priority}"));
    for beside in 0..random.between(1, 3) {
        let priority = order.priority(random.between(1, 7));
        line(0, &format!("[task.beside{beside}]\non = \"core.0\"{priority}"));
        // Where deadlines decide, that is the period.
        let deadline = if order == Order::Deadline { "" } else { "\ndeadline = \"none\"" };
        // A long one is interrupted several times.
        let is_long = beside == 0 && random.chance(1, 2);
        let wcet = if is_long { random.between(20, 50) } else { random.between(1, 5) };
        line(wcet, &format!("wcet = \"#ns\"{deadline}"));
        let least = if is_long { 150 } else { 30 };
        line(random.between(least, 2 * least + 100), "period = \"#ns\"");
        line(0, random.one_of(&["", "cache = \"cache.others\""]));
    }
    if random.chance(1, 3) {
        let kind = if order == Order::Linux { "sched-deadline" } else { "deferrable" };
        line(
            random.between(30, 90),
            &format!("[vcpu.w]\non = \"core.0\"\nserver = \"{kind}\"\nperiod = \"#ns\""),
        );
        line(random.between(4, 9), "budget = \"#ns\"\nscheduler = \"fixed-priority\"");
        if order == Order::Priority {
            line(random.one_of(&[1, 3, 5, 7]), "priority = #");
        }
        line(0, random.one_of(&["", "cache = \"cache.others\""]));
        line(random.between(1, 6), "[task.in-w]\non = \"vcpu.w\"\npriority = 1\nwcet = \"#ns\"");
        line(random.between(90, 300), "period = \"#ns\"\ndeadline = \"none\"");
        line(0, &interrupt_of_another(random));
    }
    line(random.between(3, 20), "[task.in-guest]\non = \"vcpu.v\"\npriority = 1\nwcet = \"#ns\"");
    line(random.between(200, 600), "period = \"#ns\"\ndeadline = \"none\"");
    let wakes = random.chance(1, 3);
    let interrupts = if wakes { 1 } else { random.between(1, 2) };
    let is_equal = random.chance(3, 4);
    for number in 0..interrupts {
        let distance = random.between(25, 150);
        line(
            random.between(1, 2),
            &format!("[interrupt.i{number}]\non = \"core.0\"\nisr = \"#ns\""),
        );
        line(distance, "min-interarrival = \"#ns\"");
        let own = random.between(1, 4);
        let woken = if wakes { random.between(1, 3) } else { 0 };
        let task = if wakes { "wakes = \"task.handler\", " } else { "" };
        let priority = match random.below(4) {
            0 => String::new(),
            _ if is_equal => "priority = 5, ".to_owned(),
            _ => format!("priority = {}, ", 5 + number % 2),
        };
        let rule = random.weighted(&[(8, "arrival"), (1, "deferrable"), (1, "released")]);
        line(
            own + woken + 1 + random.below(12),
            &format!(
                "virtual = {{ vcpu = \"vcpu.v\", isr = \"{own}ns\", {task}pseudo-vcpu = {{ {priority}rule = \"{rule}\", budget = \"#ns\", period = \"{distance}ns\" }} }}"
            ),
        );
        if wakes {
            line(
                woken,
                "[task.handler]\non = \"vcpu.v\"\npriority = 9\nwcet = \"#ns\"\ndeadline = \"none\"",
            );
        }
    }
    text
}

/// At times another guest has an interrupt with a pseudo-VCPU, too.
fn interrupt_of_another(random: &mut Random) -> String {
    if random.chance(1, 2) {
        return String::new();
    }
    let (distance, budget) = (random.between(25, 90), random.between(3, 9));
    let priority = random.one_of(&["", "", "priority = 5, ", "priority = 7, "]);
    format!(
        "[interrupt.w]\non = \"core.0\"\nisr = \"1ns\"\nmin-interarrival = \"{distance}ns\"\n\
         virtual = {{ vcpu = \"vcpu.w\", isr = \"2ns\", pseudo-vcpu = {{ {priority}budget = \"{budget}ns\", period = \"{distance}ns\" }} }}"
    )
}

fn history(system: &System, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    // Close together, so that what is above comes while a credit is spent.
    let near = random.between(10, 120);
    for arrivals in history.interrupts.iter_mut().chain(&mut history.tasks) {
        *arrivals = Arrivals::from(Instant::from_ns(random.below(near)));
    }
    for (supply, phase) in system.supplies.iter().zip(&mut history.phases) {
        let period = supply.server().map_or(1, |server| server.period.as_ns());
        *phase = Duration::from_ns(random.below(period));
    }
    history
}

/// Of some kind: with a bound, reached, and the sum of longest response / bound in thousandths.
#[derive(Debug, Default)]
struct Seen {
    bounded: u32,
    reached: u32,
    thousandths: u64,
}

impl Seen {
    fn add(&mut self, seen: Duration, bound: Duration) {
        self.bounded += 1;
        self.reached += u32::from(seen == bound);
        self.thousandths += seen.as_ns() * 1_000 / bound.as_ns();
    }
}

/// By the credit alone, before the virtual processor's next budget; later; tasks of the guest; others: of all systems whose core
/// goes by that. None is above its bound.
fn compared(order: Order) -> [Seen; 4] {
    let mut seen: [Seen; 4] = Default::default();
    let mut exceeded = Vec::new();
    for index in 0..SYSTEMS {
        let mut random = Random::new(31, index);
        let text = draw(&mut random, order);
        let system =
            read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"));
        let known = bounds(&system);
        let mut longest = Longest {
            tasks: vec![Duration::ZERO; system.tasks.len()],
            interrupts: vec![Duration::ZERO; system.interrupts.len()],
        };
        let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
        for _ in 0..HISTORIES {
            let history = history(&system, &mut random);
            simulator.run(&history, END, &mut longest);
        }
        let mut compare = |kind: usize, name: &str, bound: Option<Duration>, found: Duration| {
            let Some(bound) = bound else { return };
            seen[kind].add(found, bound);
            if found > bound {
                exceeded.push(format!("system {index}: {name} took {found} of {bound}\n{text}"));
            }
        };
        let wait = system.supplies[1].server().expect("the guest");
        for (id, &found) in longest.interrupts.iter().enumerate() {
            let bound = known.interrupt(InterruptId(id)).bound();
            let early = bound.is_some_and(|bound| bound < wait.period - wait.budget);
            compare(usize::from(!early), &system.interrupts[id].name, bound, found);
        }
        for (id, &found) in longest.tasks.iter().enumerate() {
            let of_core = system.supply(SupplyId(0)).members.contains(&Member::Task(TaskId(id)));
            let bound = known.task(TaskId(id)).bound();
            compare(2 + usize::from(of_core), &system.tasks[id].name, bound, found);
        }
    }
    println!("{order:?}: {seen:?}");
    assert!(exceeded.is_empty(), "{} exceeded, the first: {}", exceeded.len(), exceeded[0]);
    seen
}

#[test]
fn no_bound_is_exceeded() {
    for order in Order::ALL {
        let seen = compared(order);
        assert!(seen[0].bounded > 120 && seen[0].reached > 30, "{order:?}: {seen:?}");
        assert!(seen[1].bounded > 30 && seen[2].bounded > 150, "{order:?}: {seen:?}");
        assert!(seen[3].bounded > 150, "{order:?}: {seen:?}");
    }
}
