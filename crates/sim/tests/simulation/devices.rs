//! Network cards: schedules drawn by hand, and that no packet is lost or appears.

use crate::build::{core, interrupt, server, task, time};
use crate::drawing::{CORE, Drawing, at};
use core::fmt::Write as _;
use std::collections::VecDeque;
use vorrang_model::system::{
    Activation, Delivery, Device, DeviceId, Packets, Scheduler, ServerKind, SupplyId, System,
};
use vorrang_sim::{Execution, History, Job, Observer, Packet, Source, simulate};
use vorrang_time::{Duration, Instant};

/// A card that interrupts at every packet; the task that polls it takes a millisecond a round and
/// a millisecond a packet, the receiver, less urgent, one a packet; there is room for much.
fn system(on: SupplyId, mut system: System, packets: Packets) -> System {
    let poller = task(&mut system, "task.poll", on, ["1ms", "100ms"], 2);
    let receiver = task(&mut system, "task.receive", on, ["1ms", "100ms"], 1);
    let id = interrupt(&mut system, "interrupt.0", ["1ms", "100ms"]);
    system.interrupts[id.0].wakes = Some(poller);
    system.tasks[poller.0].activation = Activation::Interrupt(id);
    system.tasks[receiver.0].activation = Activation::Device(DeviceId(0));
    system.devices.push(Device {
        name: "device.0".into(),
        interrupt: id,
        ring: 100,
        coalesce_packets: 1,
        coalesce_time: Duration::ZERO,
        budget: 64,
        per_packet: time("1ms"),
        socket: 100,
        receiver: Some(receiver),
        payload: 192,
        packets,
    });
    system
}

fn on_a_core(packets: Packets) -> System {
    system(CORE, core(Scheduler::FixedPriority), packets)
}

fn every(interval: &str) -> Packets {
    Packets::Periodic { interval: time(interval) }
}

fn burst(packets: u32) -> Packets {
    Packets::Burst { packets, interval: time("1000s") }
}

/// Lists what happens to packets by their arrival, and to the jobs of poller and interrupt:
/// `+3` arrived at 3, `r3` dropped at the ring, `p3@6` polled, `s3` dropped at the socket, `d3@7`
/// delivered, `poll3-8` a job of the poller, `irq3-8` the interrupt.
#[derive(Default)]
struct Log(String);

impl Observer for Log {
    fn packet(&mut self, _: DeviceId, event: Packet, arrival: Instant, at: Instant) {
        let [arrival, at] = [arrival, at].map(|at| at.as_ns() / 1_000_000);
        match event {
            Packet::Arrived => write!(self.0, "+{arrival} "),
            Packet::DroppedAtRing => write!(self.0, "r{arrival} "),
            Packet::Polled => write!(self.0, "p{arrival}@{at} "),
            Packet::DroppedAtSocket => write!(self.0, "s{arrival} "),
            Packet::Delivered => write!(self.0, "d{arrival}@{at} "),
        }
        .unwrap();
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        let [arrival, at] = [job.arrival, at].map(|at| at.as_ns() / 1_000_000);
        match job.source {
            Source::Task(id) if id.0 == 0 => write!(self.0, "poll{arrival}-{at} "),
            Source::Interrupt(_) => write!(self.0, "irq{arrival}-{at} "),
            Source::Task(_) => Ok(()),
        }
        .unwrap();
    }
}

/// What ran and what happened.
fn run(system: &System, length: u64) -> (String, String) {
    let mut history = History::quiet(system);
    history.devices = vec![Some(at(0))];
    for task in 2..system.tasks.len() {
        history.tasks[task].first = Some(at(0));
    }
    let (mut drawing, mut log) = (Drawing::default(), Log::default());
    simulate(system, CORE, &history, at(length), &mut (&mut drawing, &mut log)).unwrap();
    (drawing.0, log.0.trim_end().to_owned())
}

#[test]
fn a_card_interrupts_when_enough_packets_wait() {
    let mut system = on_a_core(every("3ms"));
    system.devices[0].coalesce_packets = 2;
    let (drawn, log) = run(&system, 12);
    assert_eq!(drawn, "...0aaaabbb.");
    // The one that arrives at 6 is polled in the same round.
    let expected = "+0 +3 p0@6 +6 p3@7 p6@8 poll3-8 irq3-8 d0@9 +9 d3@10 d6@11";
    assert_eq!(log, expected);
}

#[test]
fn a_card_interrupts_when_the_first_packet_has_waited_long_enough() {
    let mut system = on_a_core(every("3ms"));
    system.devices[0].coalesce_packets = 5;
    system.devices[0].coalesce_time = time("4ms");
    // Enabled at 9, before a packet arrives there; that one has waited at 13.
    assert_eq!(run(&system, 15).0, "....0aaaabbb.0a");
}

#[test]
fn what_finds_a_buffer_full_is_dropped() {
    let mut system = on_a_core(burst(4));
    system.devices[0].ring = 3;
    assert_eq!(
        run(&system, 9),
        ("0aaaabbb.".into(), "+0 +0 +0 r0 p0@3 p0@4 p0@5 poll0-5 irq0-5 d0@6 d0@7 d0@8".into())
    );
    system.devices[0].socket = 1;
    assert_eq!(run(&system, 9).1, "+0 +0 +0 r0 p0@3 p0@4 s0 p0@5 s0 poll0-5 irq0-5 d0@6");
    // The packet leaves the socket buffer when the receiver's job is complete.
    system.tasks[1].priority = vorrang_model::system::Priority(3);
    let expected = "+0 +0 +0 r0 p0@3 d0@4 p0@5 d0@6 p0@7 poll0-7 irq0-7 d0@8";
    assert_eq!(run(&system, 9), ("0aababab.".into(), expected.into()));
}

#[test]
fn without_a_receiver_a_packet_is_delivered_when_it_is_polled() {
    let mut system = on_a_core(burst(2));
    system.devices[0].receiver = None;
    system.tasks[1].activation = Activation::Sporadic;
    assert_eq!(run(&system, 6).1, "+0 +0 p0@3 d0@3 p0@4 d0@4 poll0-4 irq0-4");
}

#[test]
fn a_round_of_polling_ends_with_its_budget_and_the_next_one_is_behind_its_equals() {
    let mut system = on_a_core(burst(5));
    task(&mut system, "task.c", CORE, ["2ms", "4ms"], 2);
    system.devices[0].budget = 2;
    let (drawn, log) = run(&system, 22);
    assert_eq!(drawn, "0ccaaaccaaaccccaaccbcc");
    // Task c, ready again when it completes at 13, keeps its place. The interrupt is handled with
    // the first round.
    assert!(log.contains("poll0-6 irq0-6") && log.contains("poll0-11") && log.contains("poll0-17"));
}

#[test]
fn a_guest_polls_on_the_time_of_its_virtual_processor() {
    let mut empty = core(Scheduler::FixedPriority);
    let vcpu = server(&mut empty, "vcpu.a", CORE, ServerKind::Deferrable, ["3ms", "10ms"], 1);
    let mut system = system(vcpu, empty, burst(2));
    let delivery = Delivery { vcpu, isr: time("1ms"), pseudo_vcpu: None };
    system.interrupts[0].delivery = Some(delivery);
    let (drawn, log) = run(&system, 14);
    assert_eq!(drawn, "0Aaa......abb.");
    assert_eq!(log, "+0 +0 p0@4 p0@11 poll0-11 irq0-11 d0@12 d0@13");
}

/// Follows every packet.
struct Buffers {
    ring: VecDeque<Instant>,
    socket: VecDeque<Instant>,
    room: [usize; 2],
    counts: [u64; 4],
}

impl Observer for Buffers {
    fn packet(&mut self, _: DeviceId, event: Packet, arrival: Instant, _: Instant) {
        // A packet in work has left the ring, and is told of when its work ends.
        match event {
            Packet::Arrived => self.ring.push_back(arrival),
            Packet::DroppedAtRing => {
                assert!(self.ring.len() >= self.room[0], "dropped although there is room");
                self.counts[0] += 1;
            }
            Packet::Polled => {
                assert_eq!(self.ring.pop_front(), Some(arrival));
                self.socket.push_back(arrival);
            }
            Packet::DroppedAtSocket => {
                assert_eq!(self.socket.pop_back(), Some(arrival));
                assert_eq!(self.socket.len(), self.room[1], "dropped although there is room");
                self.counts[1] += 1;
            }
            Packet::Delivered => {
                assert_eq!(self.socket.pop_front(), Some(arrival));
                self.counts[2] += 1;
            }
        }
        self.counts[3] += u64::from(matches!(event, Packet::Arrived | Packet::DroppedAtRing));
        assert!(self.ring.len() <= self.room[0] + 1, "the ring, and one in work");
        assert!(self.socket.len() <= self.room[1] + 1, "the socket, and one that is dropped next");
    }
}

#[test]
fn what_arrives_is_dropped_delivered_or_under_way() {
    let poisson = |mean| Packets::Poisson { mean: time(mean) };
    let link = Packets::LineRate { bits_per_second: 100_000_000, framing: 66 };
    let mut seen = [0_u64; 3];
    for (packets, per_packet, receive) in [
        (poisson("10us"), "5us", "3us"),
        (poisson("10us"), "2us", "12us"),
        (link, "30us", "3us"),
        (link, "5us", "18us"),
        (Packets::Burst { packets: 40, interval: time("500us") }, "5us", "10us"),
    ] {
        for seed in 0..4 {
            let mut system = on_a_core(packets);
            system.interrupts[0].isr = time("2us");
            system.tasks[0].wcet = time("4us");
            system.tasks[1].wcet = time(receive);
            if seed % 2 == 0 {
                system.tasks[1].priority = system.tasks[0].priority;
            }
            system.devices[0] = Device {
                ring: 16,
                socket: 8,
                budget: 5,
                coalesce_packets: 4,
                coalesce_time: time("20us"),
                per_packet: time(per_packet),
                ..system.devices[0].clone()
            };
            let history = History {
                seed,
                execution: Execution::Random,
                devices: vec![Some(at(0))],
                ..History::quiet(&system)
            };
            let mut buffers = Buffers {
                ring: VecDeque::new(),
                socket: VecDeque::new(),
                room: [16, 8],
                counts: [0; 4],
            };
            simulate(&system, CORE, &history, at(50), &mut buffers).unwrap();
            let [at_ring, at_socket, delivered, arrived] = buffers.counts;
            let under_way = (buffers.ring.len() + buffers.socket.len()) as u64;
            assert_eq!(arrived, at_ring + at_socket + delivered + under_way);
            assert!(arrived > 2_000);
            for (sum, count) in seen.iter_mut().zip([at_ring, at_socket, delivered]) {
                *sum += count;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 1_000), "everything happens: {seen:?}");
}
