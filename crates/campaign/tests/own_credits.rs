//! Guests with several interrupts, each with a pseudo-VCPU, by brute force: small systems, and many offsets of each.
//!
//! Of equal priority each interrupt has its own credit, and is handled by then; otherwise one may be served by that of another.

use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{InterruptId, SupplyId, System};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Job, Observer, Simulator, Source};
use vorrang_time::{Duration, Instant};

/// Steps of a history.
const END: Instant = Instant::from_ns(1_200);
/// Enough to meet every kind.
const SYSTEMS: u64 = 900;

/// The longest response of each interrupt, up to the end where it is not handled.
struct Longest(Vec<Duration>);

impl Observer for Longest {
    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.completed(job, at);
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        if let Source::Interrupt(id) = job.source {
            self.0[id.0] = self.0[id.0].max(at - job.arrival);
        }
    }
}

struct Drawn {
    text: String,
    /// Whether all pseudo-VCPUs of the guest have one priority.
    is_equal: bool,
}

fn draw(random: &mut Random) -> Drawn {
    let mut text = "version = 1\n[core.0]\n".to_owned();
    text += random.one_of(&[
        "scheduler = \"fixed-priority\"\n",
        "scheduler = \"linux\"\nfair-server = \"none\"\n",
    ]);
    let mut line = |number: u64, what: &str| {
        writeln!(text, "{}", what.replace('#', &number.to_string())).expect("a string takes it");
    };
    line(random.below(2), "[costs]\nvm-exit = \"#ns\"");
    if random.chance(1, 3) {
        line(random.below(2), "scheduler-call = \"#ns\"\ncontext-switch = \"#ns\"");
    }
    let period = random.between(40, 100);
    let kind = random.one_of(&["deferrable", "periodic", "polling", "sporadic"]);
    line(period, &format!("[vcpu.v]\non = \"core.0\"\nserver = \"{kind}\"\nperiod = \"#ns\""));
    line(random.between(4, period / 4), "budget = \"#ns\"");
    line(random.one_of(&[1, 4, 5, 9]), "priority = #\nscheduler = \"fixed-priority\"");
    line(random.between(1, 6), "[task.beside]\non = \"core.0\"\npriority = 4\nwcet = \"#ns\"");
    line(random.between(30, 90), "period = \"#ns\"\ndeadline = \"none\"");
    line(random.one_of(&[3, 5, 7]), "[task.equal]\non = \"core.0\"\npriority = #");
    line(random.between(1, 4), "wcet = \"#ns\"");
    line(random.between(30, 90), "period = \"#ns\"\ndeadline = \"none\"");
    line(random.between(9, 90), "[task.in-guest]\non = \"vcpu.v\"\npriority = 1\nwcet = \"#ns\"");
    line(1_000, "period = \"#ns\"\ndeadline = \"none\"");
    let is_equal = random.chance(3, 4);
    for number in 0..random.between(2, 3) {
        let distance = random.between(15, 120);
        let isr = random.between(1, 3);
        line(isr, &format!("[interrupt.i{number}]\non = \"core.0\"\nisr = \"#ns\""));
        line(distance, "min-interarrival = \"#ns\"");
        if random.chance(1, 4) {
            line(random.between(1, 9), "jitter = \"#ns\"");
        }
        let own = random.between(1, 6);
        let priority = if is_equal { 5 } else { 5 + number % 2 };
        let budget = own + 1 + random.below(4);
        line(
            budget,
            &format!(
                "virtual = {{ vcpu = \"vcpu.v\", isr = \"{own}ns\", pseudo-vcpu = {{ priority = {priority}, budget = \"#ns\", period = \"{distance}ns\" }} }}"
            ),
        );
    }
    Drawn { text, is_equal }
}

fn history(system: &System, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    let mut at = |until: u64| Arrivals::from(Instant::from_ns(random.below(until)));
    for arrivals in history.interrupts.iter_mut().chain(&mut history.tasks) {
        *arrivals = at(150);
    }
    for (supply, phase) in system.supplies.iter().zip(&mut history.phases) {
        let period = supply.server().map_or(1, |server| server.period.as_ns());
        *phase = Duration::from_ns(random.below(period));
    }
    history
}

#[test]
fn no_bound_is_exceeded() {
    // Equal or not: with a bound below the virtual processor's period, of these reached.
    let mut early = [0_u32; 2];
    let mut reached = [0_u32; 2];
    let mut exceeded = Vec::new();
    for index in 0..SYSTEMS {
        let mut random = Random::new(29, index);
        let Drawn { text, is_equal } = draw(&mut random);
        let system =
            read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"));
        let known = bounds(&system);
        let limits: Vec<Option<Duration>> =
            system.interrupt_ids().map(|id: InterruptId| known.interrupt(id).bound()).collect();
        let mut longest = Longest(vec![Duration::ZERO; limits.len()]);
        let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
        for _ in 0..60 {
            let history = history(&system, &mut random);
            simulator.run(&history, END, &mut longest);
        }
        for (id, (limit, &seen)) in limits.iter().zip(&longest.0).enumerate() {
            let Some(limit) = *limit else { continue };
            if seen > limit {
                let name = &system.interrupts[id].name;
                exceeded.push(format!("system {index}: {name} took {seen} of {limit:?}\n{text}"));
            }
            let kind = usize::from(is_equal);
            let period = system.supplies[1].server().expect("the guest").period;
            early[kind] += u32::from(limit < period);
            reached[kind] += u32::from(limit < period && seen == limit);
        }
    }
    println!("early: {early:?}, reached: {reached:?}");
    assert!(exceeded.is_empty(), "{} exceeded, the first: {}", exceeded.len(), exceeded[0]);
    assert!(early[1] > 600 && reached[1] > 45, "{early:?}, {reached:?}");
}
