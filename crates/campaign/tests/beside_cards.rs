//! Network cards beside a shield of timers, and in a guest with a pseudo-VCPU, by brute force: small systems, and many offsets of each.
//!
//! What matters is what comes between two episodes: timers that waited behind the polling task, and packets that are pending in the
//! guest when the interrupt of another comes. A drawn system of a campaign rarely comes to this.

use crate::common::drafted::Draft;
use std::collections::BTreeMap;
use vorrang_analysis::{Bounds, bounds};
use vorrang_campaign::random::Random;
use vorrang_model::system::{SupplyId, System};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Job, Observer, Simulator, Source};
use vorrang_time::{Duration, Instant};

const SYSTEMS: u64 = 900;
const HISTORIES: u32 = 60;
const END: Instant = Instant::from_ns(1_200);

/// The longest response from each source.
#[derive(Default)]
struct Seen(BTreeMap<Source, Duration>);

impl Observer for Seen {
    fn completed(&mut self, job: &Job, at: Instant) {
        let longest = self.0.entry(job.source).or_default();
        *longest = (*longest).max(at - job.arrival);
    }
}

impl Draft<'_> {
    /// A line with numbers for each #.
    fn filled<const N: usize>(&mut self, text: &str, numbers: [u64; N]) {
        let filled = numbers
            .iter()
            .fold(text.to_owned(), |text, number| text.replacen('#', &number.to_string(), 1));
        self.add(&filled);
    }

    /// A core that goes by priority, with costs of the machine.
    fn core_with_costs(&mut self, more: &str) {
        let [call, switch, callback, entry, exit] =
            [3, 2, 3, 2, 2].map(|most| self.random.below(most));
        self.filled("[costs]\nscheduler-call = \"#ns\"\ncontext-switch = \"#ns\"", [call, switch]);
        self.filled("timer-expiry = \"#ns\"\ninterrupt-entry = \"#ns\"", [callback, entry]);
        self.filled("interrupt-exit = \"#ns\"\n[core.0]", [exit]);
        let core =
            ["scheduler = \"fixed-priority\"", "scheduler = \"linux\"\nfair-server = \"none\""];
        let core = self.random.one_of(&core);
        self.add(core);
        self.add(more);
    }

    fn named_task(&mut self, (name, on): (&str, &str), [wcet, period, priority]: [u64; 3]) {
        self.add(&format!("[task.{name}]\non = \"{on}\""));
        self.filled("wcet = \"#ns\"\nperiod = \"#ns\"\npriority = #", [wcet, period, priority]);
    }

    /// A card with its interrupt, its polling task and mostly a receiver on a supply; its interrupt is delivered `to` a guest.
    fn card_on(&mut self, on: &str, to: &str) {
        let isr = self.random.between(1, 3);
        let wakes = if to.is_empty() { "wakes = \"task.poll\"" } else { to };
        self.filled(
            "[interrupt.card]\non = \"core.0\"\nmin-interarrival = \"900ns\"\nisr = \"#ns\"",
            [isr],
        );
        self.add(wakes);
        let (budget, packet) = (self.random.between(1, 3), self.random.below(3));
        self.filled(
            "[device.card]\ninterrupt = \"interrupt.card\"\nring = 64\nbudget = #",
            [budget],
        );
        self.filled("per-packet = \"#ns\"", [packet]);
        if self.random.chance(1, 3) {
            let (packets, time) = (self.random.between(2, 4), self.random.between(1, 20));
            self.filled("coalesce-packets = #\ncoalesce-time = \"#ns\"", [packets, time]);
        }
        let (burst, interval) = (self.random.between(1, 4), self.random.between(30, 160));
        let has_receiver = self.random.chance(2, 3);
        self.add(if has_receiver { "socket = 64\nreceiver = \"task.read\"" } else { "" });
        self.filled(
            "packets = { arrive = \"burst\", burst = #, interval = \"#ns\", payload = 64 }",
            [burst, interval],
        );
        let (round, priority) = (self.random.between(1, 3), self.random.between(1, 5));
        self.named_task(("poll", on), [round, 900, priority]);
        if has_receiver {
            let (wcet, priority) = (self.random.between(1, 3), self.random.between(1, 5));
            self.named_task(("read", on), [wcet, 900, priority]);
        }
    }
}

fn draw_shielded(random: &mut Random) -> String {
    let mut draft = Draft { text: "version = 1\n".to_owned(), random, number: 0 };
    draft.core_with_costs("timers = \"timershield\"");
    if draft.random.chance(1, 4) {
        let most = draft.random.between(3, 90);
        draft.filled("max-defer = \"#ns\"", [most]);
    }
    draft.card_on("core.0", "");
    let (long, urgent) = (draft.random.between(8, 40), draft.random.between(1, 10));
    let middle = draft.random.between(2, 4);
    draft.named_task(("long", "core.0"), [long, 600, middle]);
    draft.named_task(("urgent", "core.0"), [urgent, 500, 6]);
    draft.named_task(("low", "core.0"), [2, 1_000, 1]);
    for number in 0..draft.random.between(1, 3) {
        let by = draft.random.one_of(&["low", "low", "long", "urgent", "poll"]);
        let every = draft.random.between(25, 140);
        draft.filled(
            &format!("[timer.t{number}]\narmed-by = \"task.{by}\"\nperiod = \"#ns\""),
            [every],
        );
    }
    draft.text
}

fn draw_paid(random: &mut Random) -> String {
    let mut draft = Draft { text: "version = 1\n".to_owned(), random, number: 0 };
    draft.core_with_costs("");
    let kind = draft.random.one_of(&["deferrable", "periodic", "polling"]);
    let period = draft.random.between(20, 50);
    let budget = draft.random.between(period / 3, period * 2 / 3);
    draft.add(&format!("[vcpu.v]\non = \"core.0\"\nserver = \"{kind}\""));
    draft.filled("budget = \"#ns\"\nperiod = \"#ns\"", [budget, period]);
    let priority = draft.random.one_of(&[1, 3]);
    draft.filled("priority = #\nscheduler = \"fixed-priority\"", [priority]);
    let delivered = "virtual = { vcpu = \"vcpu.v\", isr = \"2ns\", wakes = \"task.poll\" }";
    draft.card_on("vcpu.v", delivered);
    let (beside, inside) = (draft.random.between(1, 8), draft.random.between(1, 9));
    draft.named_task(("beside", "core.0"), [beside, 120, 2]);
    draft.named_task(("inside", "vcpu.v"), [inside, 700, 1]);
    let (distance, isr) = (draft.random.between(60, 200), draft.random.between(1, 3));
    let wakes = draft.random.chance(1, 2);
    if wakes {
        draft.add("[task.handler]\non = \"vcpu.v\"\nwcet = \"1ns\"\npriority = 9");
        draft.filled("period = \"#ns\"\ndeadline = \"none\"", [distance]);
    }
    draft.filled(
        "[interrupt.paid]\non = \"core.0\"\nisr = \"1ns\"\nmin-interarrival = \"#ns\"",
        [distance],
    );
    let own = draft.random.one_of(&["", "priority = 5, ", "priority = 1, "]);
    let woken = if wakes { "wakes = \"task.handler\", " } else { "" };
    let credit = isr + 1 + draft.random.one_of(&[0, 2, 4, 10, 20]);
    draft.filled(
        &format!(
            "virtual = {{ vcpu = \"vcpu.v\", isr = \"#ns\", {woken}pseudo-vcpu = {{ {own}budget = \"#ns\", period = \"#ns\" }} }}"
        ),
        [isr, credit, distance],
    );
    draft.text
}

fn history(system: &System, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    history.seed = random.below(1 << 30);
    let near = random.one_of(&[10, 40, 150]);
    let mut at = || Instant::from_ns(random.below(near));
    for one in history.interrupts.iter_mut().chain(&mut history.tasks).chain(&mut history.timers) {
        *one = Arrivals::from(at());
    }
    history.devices.iter_mut().for_each(|packets| *packets = Some(at()));
    for (supply, phase) in system.supplies.iter().zip(&mut history.phases) {
        let period = supply.server().map_or(1, |server| server.period.as_ns());
        *phase = Duration::from_ns(random.below(period));
    }
    history
}

/// How many bounds are met, and by how many responses those of a changed description are exceeded.
#[derive(Debug, Default)]
struct Found {
    bounded: u64,
    reached: u64,
    noticed: u64,
}

fn of_source(system: &System, known: &Bounds, source: Source) -> Option<Duration> {
    match source {
        Source::Task(id) => known.task(id).bound(),
        // What wakes a task is handled when that is done.
        Source::Interrupt(id) => {
            known.interrupt(id).bound().filter(|_| system.interrupt(id).wakes.is_none())
        }
    }
}

fn attack(draw: fn(&mut Random) -> String, planted: fn(&mut System)) -> Found {
    let mut found = Found::default();
    for index in 0..SYSTEMS {
        let mut random = Random::new(4_520, index);
        let text = draw(&mut random);
        let system =
            read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"));
        let known = bounds(&system);
        let mut changed = system.clone();
        planted(&mut changed);
        let wrong = bounds(&changed);
        let mut seen = Seen::default();
        let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
        for _ in 0..HISTORIES {
            simulator.run(&history(&system, &mut random), END, &mut seen);
        }
        for (source, response) in seen.0 {
            let Some(bound) = of_source(&system, &known, source) else { continue };
            assert!(
                response <= bound,
                "system {index}: {source:?} took {response} of {bound}\n{text}"
            );
            found.bounded += 1;
            found.reached += u64::from(response == bound);
            let wrong = of_source(&changed, &wrong, source);
            found.noticed += u64::from(wrong.is_some_and(|wrong| response > wrong));
        }
    }
    found
}

#[test]
fn no_bound_is_exceeded_beside_a_shield() {
    // Timers that wait are forgotten.
    let found = attack(draw_shielded, |system| system.costs.timer_expiry = Duration::ZERO);
    println!("{found:?}");
    assert!(found.bounded > 2_000 && found.reached > 50 && found.noticed > 50, "{found:?}");
}

#[test]
fn no_bound_is_exceeded_beside_a_pseudo_vcpu() {
    // The interrupt of the card counts as often as is written beside it.
    let found = attack(draw_paid, |system| {
        for device in &mut system.devices {
            device.packets =
                vorrang_model::system::Packets::Periodic { interval: Duration::from_ns(900) };
        }
    });
    println!("{found:?}");
    assert!(found.bounded > 700 && found.reached > 4 && found.noticed > 25, "{found:?}");
}
