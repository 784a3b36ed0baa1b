//! Every invariant notices a history that breaks it: a history of the simulator that was altered.

use std::collections::BTreeSet;
use vorrang_campaign::invariant::{Event, Invariant, Listening, Watch};
use vorrang_model::system::{InterruptId, ServerRule, SupplyId, System, TaskId, TimerQueue};
use vorrang_model::{Format, read};
use vorrang_sim::{Cause, Packet, Pattern, Payer, Running, Source, simulate};
use vorrang_time::{Duration, Instant};

/// A server, an interrupt, tasks with cold caches, and all costs.
const SERVER: &str = r#"
version = 1
[costs]
scheduler-call = "1ns"
context-switch = "1ns"
interrupt-entry = "1ns"
interrupt-exit = "1ns"
[core.0]
scheduler = "fixed-priority"
[server.s]
on = "core.0"
server = "deferrable"
budget = "4ns"
period = "40ns"
priority = 2
[task.in]
on = "server.s"
wcet = "2ns"
period = "30ns"
priority = 1
[task.low]
on = "core.0"
wcet = "9ns"
period = "50ns"
priority = 1
cache = "cache.c"
[cache.c]
model = "flood"
useful = "50%"
sustained = "4ns"
[interrupt.i]
on = "core.0"
isr = "2ns"
min-interarrival = "35ns"
"#;

/// Three members that take turns.
const TURNS: &str = r#"
version = 1
[core.0]
scheduler = "round-robin"
quantum = "2ns"
[task.a]
on = "core.0"
wcet = "40ns"
period = "200ns"
[task.b]
on = "core.0"
wcet = "40ns"
period = "200ns"
[task.c]
on = "core.0"
wcet = "40ns"
period = "200ns"
"#;

/// An urgent task, and a timer that is not.
const TIMERS: &str = r#"
version = 1
[costs]
timer-expiry = "1ns"
[core.0]
scheduler = "fixed-priority"
timers = "hrtimer"
[task.urgent]
on = "core.0"
wcet = "10ns"
period = "40ns"
priority = 2
[task.low]
on = "core.0"
wcet = "1ns"
period = "40ns"
priority = 1
[timer.t]
armed-by = "task.low"
period = "7ns"
"#;

/// A network card.
const CARD: &str = r#"
version = 1
[core.0]
scheduler = "fixed-priority"
[task.poll]
on = "core.0"
wcet = "1ns"
period = "5ns"
priority = 2
[task.receiver]
on = "core.0"
wcet = "2ns"
period = "5ns"
priority = 1
[interrupt.i]
on = "core.0"
isr = "1ns"
min-interarrival = "1ns"
wakes = "task.poll"
[device.d]
interrupt = "interrupt.i"
ring = 4
budget = 2
per-packet = "1ns"
socket = 2
receiver = "task.receiver"
packets = { arrive = "periodic", interval = "5ns", payload = 64 }
"#;

/// A pseudo-VCPU with one credit.
const CREDIT: &str = r#"
version = 1
[core.0]
scheduler = "fixed-priority"
[vcpu.v]
on = "core.0"
server = "deferrable"
budget = "5ns"
period = "20ns"
priority = 1
[interrupt.i]
on = "core.0"
isr = "1ns"
min-interarrival = "5ns"
[interrupt.i.virtual]
vcpu = "vcpu.v"
isr = "2ns"
[interrupt.i.virtual.pseudo-vcpu]
budget = "2ns"
period = "10ns"
"#;

fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// What is told of the synchronous history.
fn events(system: &System) -> Vec<Event> {
    run(system, "synchronous")
}

fn run(system: &System, pattern: &str) -> Vec<Event> {
    let core = SupplyId(0);
    let history = Pattern::parse(pattern, system).unwrap().history(system, core).unwrap();
    let mut events = Vec::new();
    let mut listening = Listening(|event| events.push(event));
    simulate(system, core, &history, Instant::from_ns(200), &mut listening).unwrap();
    events
}

fn broken(system: &System, events: Vec<Event>) -> BTreeSet<Invariant> {
    let mut watch = Watch::new(system);
    for event in events {
        watch.hear(event);
    }
    watch.broken().into_iter().map(|broken| broken.invariant).collect()
}

/// Leaves out the event of this number, of those that are meant.
fn drop_one(events: &mut Vec<Event>, number: usize, is_meant: impl Fn(&Event) -> bool) {
    let places = (0..events.len()).filter(|&place| is_meant(&events[place]));
    let place = places.into_iter().nth(number).expect("there is one");
    events.remove(place);
}

/// Changes the event of this number, of those that can be changed.
fn change_one(events: &mut [Event], number: usize, change: impl Fn(&Event) -> Option<Event>) {
    let mut changed = events.iter_mut().filter_map(|event| {
        let other = change(event)?;
        Some((event, other))
    });
    let (event, other) = changed.nth(number).expect("there is one");
    *event = other;
}

const LOW: Running = Running::Task(TaskId(1));

/// What breaks an invariant, in the history of which system.
type Case = (Invariant, &'static str, fn(&mut Vec<Event>));

const CASES: &[Case] = &[
    (Invariant::Timeline, SERVER, |events| {
        change_one(events, 2, |event| match *event {
            Event::Ran(from, to, what) => Some(Event::Ran(from + Duration::RESOLUTION, to, what)),
            _ => None,
        });
    }),
    (Invariant::Timeline, TURNS, |events| {
        drop_one(events, 3, |event| matches!(event, Event::Ran(..)));
    }),
    // Idle while something is ready, and the less urgent before the more urgent.
    (Invariant::Urgency, SERVER, |events| {
        change_one(events, 0, |event| match *event {
            Event::Decided(LOW, at) => Some(Event::Decided(Running::Idle, at)),
            _ => None,
        });
    }),
    (Invariant::Urgency, SERVER, |events| {
        change_one(events, 0, |event| match *event {
            Event::Decided(Running::Task(TaskId(0)), at) => Some(Event::Decided(LOW, at)),
            _ => None,
        });
    }),
    (Invariant::InterruptLevel, SERVER, |events| {
        change_one(events, 0, |event| match *event {
            Event::Runs(Running::Interrupt(_), at) => Some(Event::Runs(LOW, at)),
            _ => None,
        });
    }),
    (Invariant::Payment, SERVER, |events| {
        drop_one(events, 0, |event| matches!(event, Event::Paid(..)));
    }),
    (Invariant::Budget, SERVER, |events| {
        change_one(events, 2, |event| match *event {
            Event::Budget(payer, left, at) => {
                Some(Event::Budget(payer, left + Duration::RESOLUTION, at))
            }
            _ => None,
        });
    }),
    // A server that is given its budget twice in a period.
    (Invariant::Window, SERVER, |events| {
        let is_paid = |event: &Event| matches!(event, Event::Paid(..));
        let paid: Vec<Event> = events.iter().filter(|event| is_paid(event)).cloned().collect();
        let place = events.iter().position(is_paid).unwrap();
        let first = paid[0].clone();
        events.splice(place..place, std::iter::repeat_n(first, 4));
    }),
    (Invariant::Starvation, SERVER, |events| {
        let is_back = |event: &Event| {
            matches!(event, Event::Budget(Payer::Server(_), left, at)
                if *at > Instant::ZERO && !left.is_zero())
        };
        events.retain(|event| !is_back(event));
        let at = Instant::from_ns(10);
        let place = events.iter().position(|event| event.at() > at).unwrap();
        let gone = Event::Budget(Payer::Server(SupplyId(1)), Duration::ZERO, at);
        events.insert(place, gone);
    }),
    // A request passes without credit; one is held back with credit.
    (Invariant::Credit, CREDIT, |events| {
        change_one(events, 0, |event| match *event {
            Event::Masked(id, at) => Some(Event::Released(vorrang_sim::Job {
                source: Source::Interrupt(id),
                number: 1,
                arrival: at,
                release: at,
            })),
            _ => None,
        });
    }),
    (Invariant::Credit, CREDIT, |events| {
        change_one(events, 0, |event| match *event {
            Event::Released(job) if job.source == Source::Interrupt(InterruptId(0)) => {
                Some(Event::Masked(InterruptId(0), job.release))
            }
            _ => None,
        });
    }),
    // A turn is cut short.
    (Invariant::Turns, TURNS, |events| {
        let half = Instant::from_ns(5);
        let place = events.iter().position(|event| event.at() > half).unwrap();
        events.insert(place, Event::Decided(Running::Task(TaskId(0)), half));
    }),
    // The third member's turn is given to the first one.
    (Invariant::Shares, TURNS, |events| {
        for event in events.iter_mut() {
            let at = event.at();
            match event {
                Event::Decided(what, _) | Event::Runs(what, _)
                    if *what == Running::Task(TaskId(2)) && at > Instant::from_ns(20) =>
                {
                    *what = Running::Task(TaskId(0));
                }
                _ => {}
            }
        }
    }),
    (Invariant::JobOrder, SERVER, |events| {
        change_one(events, 1, |event| match *event {
            Event::Completed(mut job, at) if job.source == Source::Task(TaskId(0)) => {
                job.number += 1;
                Some(Event::Completed(job, at))
            }
            _ => None,
        });
    }),
    // Work without time, and progress in a cold cache that was none.
    (Invariant::Work, SERVER, |events| {
        change_one(events, 0, |event| match *event {
            Event::Runs(LOW, at) => Some(Event::Runs(Running::Idle, at)),
            _ => None,
        });
    }),
    (Invariant::Work, SERVER, |events| {
        drop_one(events, 0, |event| matches!(event, Event::Lost(_, Cause::ColdCache, ..)));
    }),
    (Invariant::Losses, SERVER, |events| {
        drop_one(events, 0, |event| matches!(event, Event::Lost(_, Cause::SchedulerCall, ..)));
    }),
    (Invariant::Losses, SERVER, |events| {
        drop_one(events, 0, |event| matches!(event, Event::Lost(_, Cause::InterruptEntry, ..)));
    }),
    (Invariant::Losses, TIMERS, |events| {
        drop_one(events, 0, |event| matches!(event, Event::Lost(_, Cause::TimerExpiry, ..)));
    }),
    (Invariant::Requests, SERVER, |events| {
        let is_request = |event: &Event| matches!(event, Event::Released(job) if matches!(job.source, Source::Interrupt(_)));
        drop_one(events, 1, is_request);
    }),
    // A timer that was not due, and one whose expiry is not handled.
    (Invariant::Timers, TIMERS, |events| {
        change_one(events, 1, |event| match *event {
            Event::Expired(id, due, at) => Some(Event::Expired(id, due + Duration::RESOLUTION, at)),
            _ => None,
        });
    }),
    (Invariant::Timers, TIMERS, |events| {
        drop_one(events, 1, |event| matches!(event, Event::Expired(..)));
    }),
    (Invariant::Packets, CARD, |events| {
        drop_one(events, 1, |event| matches!(event, Event::Packet(_, Packet::Arrived, ..)));
    }),
    (Invariant::Packets, CARD, |events| {
        change_one(events, 1, |event| match *event {
            Event::Packet(id, Packet::Delivered, arrival, at) => {
                Some(Event::Packet(id, Packet::DroppedAtSocket, arrival, at))
            }
            _ => None,
        });
    }),
    (Invariant::Context, SERVER, |events| {
        drop_one(events, 1, |event| matches!(event, Event::Switched(..)));
    }),
];

#[test]
fn what_the_simulator_shows_breaks_none() {
    for text in [SERVER, TURNS, TIMERS, CARD, CREDIT] {
        let system = system(text);
        let mut watch = Watch::new(&system);
        for event in events(&system) {
            watch.hear(event);
        }
        assert_eq!(watch.broken(), [], "{text}");
    }
}

#[test]
fn each_notices_what_breaks_it() {
    let mut unnoticed = Vec::new();
    for (number, (invariant, text, doctor)) in CASES.iter().enumerate() {
        let system = system(text);
        let mut events = events(&system);
        doctor(&mut events);
        let found = broken(&system, events);
        if !found.contains(invariant) {
            unnoticed.push((number, invariant, found));
        }
    }
    assert!(unnoticed.is_empty(), "{unnoticed:#?}");
}

/// Callbacks in the order of expiry delay what is more urgent.
#[test]
fn hrtimers_do_not_shield() {
    let by_expiry = system(TIMERS);
    let events = events(&by_expiry);
    let mut shielding = by_expiry;
    shielding.supplies[0].timer_queue = TimerQueue::TimerShield;
    assert!(broken(&shielding, events).contains(&Invariant::Shield));
}

#[test]
fn there_is_a_case_for_each_invariant() {
    let cases: BTreeSet<Invariant> = CASES.iter().map(|case| case.0).collect();
    let elsewhere = BTreeSet::from([Invariant::Shield]);
    assert_eq!(&cases | &elsewhere, Invariant::ALL.into_iter().collect());
}

#[test]
fn each_is_on_the_page() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/campaign.md");
    let page = std::fs::read_to_string(page).unwrap();
    for invariant in Invariant::ALL {
        assert!(page.contains(&format!("| {} |", invariant.name())), "{invariant:?}");
    }
}

/// A server of POSIX that is woken while a part of its budget is away: what returns meanwhile is
/// replenished with what was there, too early.
const POSIX: &str = r#"
version = 1
[core.0]
scheduler = "fixed-priority"
[server.s]
on = "core.0"
server = "posix-sporadic"
budget = "8ns"
period = "20ns"
priority = 1
[task.short]
on = "server.s"
wcet = "4ns"
period = "1us"
priority = 1
[task.long]
on = "server.s"
wcet = "40ns"
period = "1us"
priority = 1
[task.high]
on = "core.0"
wcet = "7ns"
period = "1us"
priority = 2
"#;

#[test]
fn the_first_defect_of_posix_sporadic_breaks_the_window_of_a_sporadic_server() {
    let pattern = "explicit:task.short=0s;task.long=10ns;task.high=13ns";
    let posix = system(POSIX);
    let mut sporadic = posix.clone();
    sporadic.supplies[1].server_mut().unwrap().rule = ServerRule::Sporadic;
    let watched = |runs: &System| broken(&sporadic, run(runs, pattern));
    assert!(watched(&posix).contains(&Invariant::Window));
    assert_eq!(watched(&sporadic), BTreeSet::new());
}
