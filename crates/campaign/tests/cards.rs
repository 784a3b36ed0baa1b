//! Network cards whose polling task is alone in a reservation: nothing is lost in a ring and a
//! socket buffer of the size that the analysis gives, and no packet takes longer than it says.

use vorrang_analysis::Effort;
use vorrang_analysis::Source;
use vorrang_analysis::network_card::{Polling, Service};
use vorrang_analysis::request::Traffic;
use vorrang_analysis::supply::PeriodicResource;
use vorrang_campaign::random::Random;
use vorrang_model::System;
use vorrang_model::system::{
    Activation, Device, DeviceId, Interrupt, InterruptId, Member, Packets, Scheduler, Server,
    ServerKind, Supply, SupplyId, SupplyKind, Task, TaskId,
};
use vorrang_sim::{Observer, Packet, Pattern, simulate};
use vorrang_time::{Duration, Instant};

const fn ns(ns: u64) -> Duration {
    Duration::from_ns(ns)
}

fn few(number: u64) -> u32 {
    u32::try_from(number).expect("few")
}

/// A core with the polling task, the receiver and a busy task, each in a reservation of its own.
fn draw(random: &mut Random) -> System {
    let core = Supply { name: "core.0".into(), scheduler: Scheduler::Edf, ..Supply::default() };
    let mut system = System { supplies: vec![core], ..System::default() };
    let polls = Activation::Interrupt(InterruptId(0));
    let round = random.between(5_000, 30_000);
    let per_packet = random.between(0, 10) * random.between(100, 1_000);
    let read = random.between(1_000, 10_000);
    for (name, wcet, activation, percent) in [
        ("poll", round, polls, random.between(10, 40)),
        ("read", read, Activation::Device(DeviceId(0)), random.between(10, 30)),
        ("busy", 1_000_000, Activation::Sporadic, 15),
    ] {
        let kinds = [ServerKind::Periodic, ServerKind::CbsHard, ServerKind::SchedDeadline];
        let period = random.between(100_000, 1_000_000);
        let server = Server {
            rule: random.one_of(&kinds).rule().expect("it has a budget"),
            budget: ns(period * percent / 100),
            period: ns(period),
            ..Server::default()
        };
        let task = TaskId(system.tasks.len());
        let on = SupplyId(system.supplies.len());
        system.supplies.push(Supply {
            name: format!("server.{name}"),
            kind: SupplyKind::Server(server),
            members: vec![Member::Task(task)],
            ..Supply::default()
        });
        system.supplies[0].members.push(Member::Server(on));
        system.tasks.push(Task {
            name: format!("task.{name}"),
            on,
            wcet: ns(wcet),
            min_interarrival: ns(wcet),
            activation,
            ..Task::default()
        });
    }
    system.interrupts.push(Interrupt {
        name: "interrupt.card".into(),
        isr: ns(random.between(1, 200)),
        min_interarrival: ns(per_packet + 5_000),
        wakes: Some(TaskId(0)),
        ..Interrupt::default()
    });
    let interval = ns(random.between(20_000, 2_000_000));
    let packets = match random.below(3) {
        0 => Packets::Periodic { interval },
        1 => Packets::Burst { packets: few(random.between(2, 40)), interval },
        _ => Packets::LineRate {
            bits_per_second: random.between(1_000_000, 100_000_000),
            framing: 66,
        },
    };
    let waits = random.chance(1, 2);
    system.devices.push(Device {
        name: "device.card".into(),
        interrupt: InterruptId(0),
        ring: 1,
        coalesce_packets: if waits { few(random.between(2, 8)) } else { 1 },
        coalesce_time: if waits { ns(random.between(1_000, 300_000)) } else { Duration::ZERO },
        budget: few(random.between(1, 16)),
        per_packet: ns(per_packet),
        socket: 1,
        receiver: Some(TaskId(1)),
        payload: 192,
        packets,
    });
    system
}

/// What may be left out of the bound, to see whether that is noticed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forgotten {
    Nothing,
    Coalescing,
    Rounds,
    Absence,
}

/// What the analysis says: the service of the card, and the places of the socket.
fn bounds(system: &System, forgotten: Forgotten) -> Option<(Service, u64)> {
    let device = system.device(DeviceId(0));
    let traffic = Traffic::of(device)?;
    let mut polling = Polling {
        // The interrupt is alone on its core, and does not come again before it is enabled.
        wake: device.coalesce_time + system.interrupt(InterruptId(0)).isr,
        round: system.task(TaskId(0)).wcet,
        packet: device.per_packet,
        budget: device.budget,
        shared: false,
    };
    match forgotten {
        Forgotten::Coalescing => polling.wake = system.interrupt(InterruptId(0)).isr,
        Forgotten::Rounds => polling.budget = u32::MAX,
        Forgotten::Nothing | Forgotten::Absence => {}
    }
    let supply = |task: usize| {
        let supply = system.supply(system.tasks[task].on);
        let server = supply.server().expect("in a server");
        let deadline = if forgotten == Forgotten::Absence { server.budget } else { server.period };
        PeriodicResource::new(Source::Unnamed, server.budget, server.period, deadline)
    };
    let service = polling.serve(traffic, &supply(0), &Effort::default()).ok()?;
    let read = system.task(TaskId(1)).wcet;
    let socket =
        polling.socket(traffic, service.delay, read, &supply(1), &Effort::default()).ok()?;
    Some((service, socket))
}

#[derive(Default)]
struct Seen {
    at_ring: u64,
    at_socket: u64,
    packets: u64,
    longest: Duration,
}

impl Observer for Seen {
    fn packet(&mut self, _: DeviceId, event: Packet, arrival: Instant, at: Instant) {
        match event {
            Packet::Arrived | Packet::Delivered => {}
            Packet::DroppedAtRing => self.at_ring += 1,
            Packet::DroppedAtSocket => self.at_socket += 1,
            Packet::Polled => {
                self.packets += 1;
                self.longest = self.longest.max(at - arrival);
            }
        }
    }
}

fn run(system: &System, seeds: u64) -> Seen {
    let mut seen = Seen::default();
    let patterns =
        (0..seeds).flat_map(|seed| [format!("random:{seed}"), format!("periodic:{seed}")]);
    for text in patterns.chain(["synchronous".to_owned()]) {
        let core = SupplyId(0);
        let pattern = Pattern::parse(&text, system).expect("a pattern of every system");
        let history = pattern.history(system, core).expect("covered by the simulator");
        let horizon = Instant::ZERO + Duration::from_ms(30);
        simulate(system, core, &history, horizon, &mut seen).expect("covered by the simulator");
    }
    seen
}

/// The system with a ring and a socket of these sizes.
fn sized(system: &System, (service, socket): (Service, u64)) -> System {
    let mut system = system.clone();
    let card = &mut system.devices[0];
    card.ring = few(service.ring).max(card.coalesce_packets);
    card.socket = few(socket);
    system
}

#[test]
fn what_is_left_out_of_a_bound_is_noticed() {
    for forgotten in [Forgotten::Coalescing, Forgotten::Rounds, Forgotten::Absence] {
        let mut random = Random::new(11, 0);
        let noticed = (0..150).any(|_| {
            let system = draw(&mut random);
            bounds(&system, forgotten).is_some_and(|(service, socket)| {
                let seen = run(&sized(&system, (service, socket)), 4);
                seen.at_ring + seen.at_socket > 0 || seen.longest > service.delay
            })
        });
        assert!(noticed);
    }
}

#[test]
fn nothing_is_lost_in_a_ring_of_the_size_that_the_analysis_gives() {
    let mut random = Random::new(11, 0);
    let (mut bounded, mut packets, mut tight) = (0, 0, 0);
    let mut reached = [0; 2];
    for index in 0..150 {
        let system = draw(&mut random);
        let Some((service, socket)) = bounds(&system, Forgotten::Nothing) else { continue };
        bounded += 1;
        let system = sized(&system, (service, socket));
        let seen = run(&system, 4);
        let lost = (seen.at_ring, seen.at_socket);
        assert_eq!(lost, (0, 0), "system {index}: {service:?}, socket {socket}, {system:#?}");
        assert!(seen.longest <= service.delay, "system {index}: {} {service:?}", seen.longest);
        packets += seen.packets;
        tight += u64::from(seen.longest * 2 >= service.delay);
        for (place, of) in [service.ring, socket].into_iter().enumerate().filter(|(_, of)| *of > 1)
        {
            let mut small = system.clone();
            let card = &mut small.devices[0];
            let fewer = few(of - 1);
            if place == 0 {
                card.coalesce_packets = card.coalesce_packets.min(fewer);
                card.ring = fewer;
            } else {
                card.socket = fewer;
            }
            let seen = run(&small, 4);
            reached[place] += u64::from(seen.at_ring + seen.at_socket > 0);
        }
    }
    println!(
        "{bounded} cards, {packets} packets; half the delay is reached by {tight}; with a place less \
         {} lose at the ring and {} at the socket",
        reached[0], reached[1]
    );
    // Or nothing was compared, or the sizes are far from what is needed.
    assert!(bounded > 60 && packets > 100_000, "{bounded} {packets}");
    assert!(tight > 20 && reached[0] > 10 && reached[1] > 0, "{tight} {reached:?}");
}
