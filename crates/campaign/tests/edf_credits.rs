//! Pseudo-VCPUs where deadlines decide, by brute force: small systems, and many offsets of each.
//!
//! A pseudo-VCPU goes before all deadlines. What matters is how members with deadlines bear that: tasks, and servers that keep or lose
//! a budget, and how often the guest of one falls asleep while its pseudo-VCPU runs it.

use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{PseudoVcpu, SupplyId, System};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Job, Observer, Simulator, Source};
use vorrang_time::{Duration, Instant};

/// Steps of a history.
const END: Instant = Instant::from_ns(1_200);
/// Enough to meet every kind.
const SYSTEMS: u64 = 800;

/// The longest response of each task, then of each interrupt; what is not complete counts up to the end.
struct Longest {
    tasks: usize,
    seen: Vec<Duration>,
}

impl Observer for Longest {
    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.completed(job, at);
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        let place = match job.source {
            Source::Task(id) => id.0,
            Source::Interrupt(id) => self.tasks + id.0,
        };
        self.seen[place] = self.seen[place].max(at - job.arrival);
    }
}

const KINDS: &[&str] = &["periodic", "polling", "deferrable", "cbs-hard", "sched-deadline"];

struct Drawn {
    text: String,
    kind: usize,
    has_costs: bool,
    is_charged: bool,
}

fn draw(random: &mut Random) -> Drawn {
    let mut text = "version = 1\n[core.0]\nscheduler = \"edf\"\n".to_owned();
    let is_charged = random.chance(1, 3);
    if is_charged {
        text.push_str("interrupt-time = \"charged\"\n");
    }
    // Servers that are late all the time, and use budgets as small as what interrupts them.
    let is_late = random.chance(1, 3);
    let mut line = |number: u64, what: &str| {
        writeln!(text, "{}", what.replace('#', &number.to_string())).expect("a string takes it");
    };
    let has_costs = random.chance(if is_late { 4 } else { 2 }, 5);
    if has_costs {
        line(random.between(0, 1), "[costs]\nscheduler-call = \"#ns\"");
        line(random.between(0, 2), "context-switch = \"#ns\"");
        line(random.between(0, 1), "vm-exit = \"#ns\"");
        line(random.between(0, 1), "interrupt-entry = \"#ns\"");
        line(random.between(0, 1), "timer-expiry = \"#ns\"");
    }
    let is_cold = has_costs && random.chance(1, 2);
    if is_cold {
        line(
            random.between(1, 2),
            "[cache.c]\nmodel = \"flood\"\nuseful = \"0%\"\nsustained = \"#ns\"",
        );
    }
    let kind = random.one_of(&[0, 1, 2, 3, 4]);
    let scheduler = random.one_of(&["fixed-priority", "edf"]);
    for guest in 0..random.between(1, 2) {
        let period = if is_late { random.between(4, 20) } else { random.between(30, 90) };
        let kind = KINDS[kind];
        line(
            period,
            &format!("[vcpu.v{guest}]\non = \"core.0\"\nserver = \"{kind}\"\nperiod = \"#ns\""),
        );
        line(random.between(if is_late { 1 } else { 4 }, period / 4), "budget = \"#ns\"");
        line(0, &format!("scheduler = \"{scheduler}\""));
        if is_cold && guest == 0 {
            line(0, "cache = \"cache.c\"");
        }
        let own = random.between(200, 600);
        line(
            random.between(1, 12),
            &format!("[task.in{guest}]\non = \"vcpu.v{guest}\"\nwcet = \"#ns\""),
        );
        let order = if scheduler == "edf" { "" } else { "priority = 1\n" };
        line(own, &format!("{order}period = \"#ns\"\ndeadline = \"#ns\""));
        interrupts(guest, scheduler == "edf", random, &mut line);
    }
    for beside in 0..random.between(1, 2) {
        // A long one is interrupted several times, and finds its cache cold.
        let is_long = !is_late && random.chance(1, 3);
        let wcet = if is_long { random.between(15, 30) } else { random.between(1, 8) };
        line(wcet, &format!("[task.t{beside}]\non = \"core.0\"\nwcet = \"#ns\""));
        line(if is_late { 9 } else { random.between(30, 120) + 2 * wcet }, "period = \"#ns\"");
        if is_cold && random.chance(1, 2) {
            line(0, "cache = \"cache.c\"");
        }
        if random.chance(1, 8) {
            line(random.between(1, 4), "blocking = \"#ns\"");
        }
    }
    Drawn { text, kind, has_costs, is_charged }
}

/// One or two interrupts of a guest.
fn interrupts(guest: u64, by_deadline: bool, random: &mut Random, line: &mut dyn FnMut(u64, &str)) {
    let is_equal = random.chance(1, 2);
    for number in 0..random.between(1, 2) {
        let name = format!("i{guest}{number}");
        let distance = random.between(20, 140);
        let wakes = random.chance(1, 3);
        let mut handler = 0;
        if wakes {
            handler = random.between(1, 4);
            line(handler, &format!("[task.h{name}]\non = \"vcpu.v{guest}\"\nwcet = \"#ns\""));
            let urgent = if by_deadline { "" } else { "priority = 9\n" };
            line(distance, &format!("{urgent}period = \"#ns\"\ndeadline = \"#ns\""));
        }
        line(random.between(1, 3), &format!("[interrupt.{name}]\non = \"core.0\"\nisr = \"#ns\""));
        line(distance, "min-interarrival = \"#ns\"");
        if random.chance(1, 4) {
            line(random.between(1, 9), "jitter = \"#ns\"");
        }
        let own = random.between(1, 4);
        let priority = match random.below(3) {
            0 => String::new(),
            _ if is_equal => "priority = 5, ".to_owned(),
            other => format!("priority = {}, ", 4 + other),
        };
        let rule = random.weighted(&[(6, "arrival"), (1, "deferrable"), (1, "released")]);
        let wakes = if wakes { format!("wakes = \"task.h{name}\", ") } else { String::new() };
        // With `vm-exit`, a cold cache, and for others of the guest.
        let budget = own + handler + 1 + random.below(6);
        line(
            budget,
            &format!(
                "virtual = {{ vcpu = \"vcpu.v{guest}\", isr = \"{own}ns\", {wakes}pseudo-vcpu = {{ {priority}rule = \"{rule}\", budget = \"#ns\", period = \"{distance}ns\" }} }}"
            ),
        );
    }
}

fn history(system: &System, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    let mut at = |until: u64| Arrivals::from(Instant::from_ns(random.below(until)));
    for interrupt in &mut history.interrupts {
        *interrupt = at(120);
    }
    for task in &mut history.tasks {
        *task = at(120);
    }
    for (supply, phase) in system.supplies.iter().zip(&mut history.phases) {
        let period = supply.server().map_or(1, |server| server.period.as_ns());
        *phase = Duration::from_ns(random.below(period));
    }
    for (interrupt, phase) in system.interrupts.iter().zip(&mut history.pseudo_vcpu_phases) {
        let paid = interrupt.delivery.as_ref().and_then(|own| own.pseudo_vcpu.as_ref());
        *phase = Duration::from_ns(random.below(paid.map_or(1, |own| own.period.as_ns())));
    }
    history
}

/// A system with a bound, and what was seen of each.
struct Attacked {
    drawn: Drawn,
    /// The longest response beside its bound.
    tasks: Vec<(Duration, Duration)>,
    interrupts: Vec<(Duration, Duration)>,
}

impl Attacked {
    fn all(&self) -> impl Iterator<Item = (Duration, Duration)> {
        self.tasks.iter().chain(&self.interrupts).copied()
    }
}

/// Histories of the system of an index beside the bounds of what `planted` makes of it; none where that has none.
fn attack(index: u64, planted: fn(&mut System)) -> Option<Attacked> {
    let mut random = Random::new(29, index);
    let drawn = draw(&mut random);
    let system = read(&drawn.text, Format::Toml)
        .unwrap_or_else(|errors| panic!("{errors:?} in\n{}", drawn.text));
    let mut changed = system.clone();
    planted(&mut changed);
    let known = bounds(&changed);
    let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
    let all = system.tasks.len() + system.interrupts.len();
    let mut longest = Longest { tasks: system.tasks.len(), seen: vec![Duration::ZERO; all] };
    for _ in 0..50 {
        simulator.run(&history(&system, &mut random), END, &mut longest);
    }
    let (of_tasks, of_interrupts) = longest.seen.split_at(system.tasks.len());
    let beside = |(&seen, bound): (&Duration, Option<Duration>)| Some((seen, bound?));
    let limits = system.task_ids().map(|id| known.task(id).bound());
    let tasks: Vec<_> = of_tasks.iter().zip(limits).filter_map(beside).collect();
    let limits = system.interrupt_ids().map(|id| known.interrupt(id).bound());
    let interrupts: Vec<_> = of_interrupts.iter().zip(limits).filter_map(beside).collect();
    let has_bound = !tasks.is_empty() || !interrupts.is_empty();
    has_bound.then_some(Attacked { drawn, tasks, interrupts })
}

#[test]
fn no_bound_is_exceeded() {
    let mut bounded = [0_u64; KINDS.len()];
    let (mut of_interrupts, mut with_costs, mut reached, mut charged) = (0, 0, 0, 0);
    let systems =
        std::env::var("VORRANG_SYSTEMS").map_or(SYSTEMS, |most| most.parse().expect("a number"));
    for index in 0..systems {
        let Some(attacked) = attack(index, |_| {}) else { continue };
        for (seen, bound) in attacked.all() {
            assert!(seen <= bound, "system {index}: {seen} of {bound}\n{}", attacked.drawn.text);
            reached += u64::from(seen == bound);
        }
        bounded[attacked.drawn.kind] += 1;
        of_interrupts += u64::from(!attacked.interrupts.is_empty());
        with_costs += u64::from(attacked.drawn.has_costs);
        charged += u64::from(attacked.drawn.is_charged && !attacked.interrupts.is_empty());
    }
    println!(
        "with a bound: {bounded:?}, {of_interrupts} of interrupts, {with_costs} with costs, {charged} charged, {reached} reached"
    );
    assert!(bounded.iter().all(|own| *own > 50), "{bounded:?}");
    assert!(
        of_interrupts.min(with_costs).min(reached).min(charged) > 100,
        "{of_interrupts}, {with_costs}, {reached}, {charged}"
    );
}

/// What each pseudo-VCPU states is changed.
fn change(system: &mut System, how: impl Fn(&mut Option<PseudoVcpu>)) {
    for interrupt in &mut system.interrupts {
        if let Some(delivery) = &mut interrupt.delivery {
            how(&mut delivery.pseudo_vcpu);
        }
    }
}

/// What it is called, and what it does to a description.
type Planted = (&'static str, fn(&mut System));

#[test]
fn errors_that_are_planted_are_noticed() {
    let none_of_the_first = |system: &mut System| {
        let delivery = system.interrupts[0].delivery.as_mut().expect("it has one");
        delivery.pseudo_vcpu = None;
    };
    let all_the_most_urgent = |system: &mut System| {
        change(system, |paid| paid.as_mut().expect("it has one").priority = None);
    };
    let seldom = |system: &mut System| {
        for interrupt in &mut system.interrupts {
            interrupt.min_interarrival = interrupt.min_interarrival * 2;
        }
    };
    let short_routines = |system: &mut System| {
        for interrupt in &mut system.interrupts {
            interrupt.isr = Duration::from_ns(1);
        }
    };
    let planted: [Planted; 4] = [
        ("the load of one is left out", none_of_the_first),
        ("each goes before all others", all_the_most_urgent),
        ("credits come half as often", seldom),
        ("routines of the core end sooner", short_routines),
    ];
    for (what, planted) in planted {
        let is_noticed = |&index: &u64| {
            let attacked = attack(index, planted);
            attacked.is_some_and(|own| own.all().any(|(seen, bound)| seen > bound))
        };
        let noticed = (0..SYSTEMS / 2).filter(is_noticed).count();
        println!("{what}: noticed in {noticed}");
        assert!(noticed > 5, "{what}: {noticed}");
    }
}
