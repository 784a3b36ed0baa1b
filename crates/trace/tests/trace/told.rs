//! Events told by hand: what a trace makes of each of them, to the nanosecond.

use crate::reading::{Annotations, Reading};
use vorrang_model::system::{
    Delivery, Device, DeviceId, Interrupt, InterruptId, Member, Packets, PseudoVcpu,
    PseudoVcpuRule, Server, Supply, SupplyId, SupplyKind, System, Task, TaskId, Timer, TimerId,
};
use vorrang_sim::{Job, Observer, Packet, Payer, Running, Section, Source};
use vorrang_time::{Duration, Instant};
use vorrang_trace::{CoreTrace, Trace};

const CORE: SupplyId = SupplyId(0);
const VCPU: SupplyId = SupplyId(1);
const CAN: InterruptId = InterruptId(0);
const LOGGER: TaskId = TaskId(0);
const RX: TaskId = TaskId(1);

fn ns(ns: u64) -> Instant {
    Instant::from_ns(ns)
}

/// A virtual processor that takes an interrupt, paid by a pseudo-VCPU, for one of its tasks; beside
/// it a task with a timer, and a network card.
fn system() -> System {
    let core = Supply {
        name: "core.0".into(),
        members: vec![Member::Task(LOGGER), Member::Server(VCPU)],
        ..Supply::default()
    };
    let vcpu = Supply {
        name: "vcpu.engine-1".into(),
        kind: SupplyKind::Server(Server::default()),
        members: vec![Member::Task(RX)],
        vm: Some("engine".into()),
        ..Supply::default()
    };
    let task = |name: &str, on| Task { name: name.into(), on, ..Task::default() };
    let pseudo_vcpu = PseudoVcpu {
        budget: Duration::from_us(2),
        period: Duration::from_us(9),
        priority: None,
        rule: PseudoVcpuRule::Arrival,
    };
    let delivery =
        Delivery { vcpu: VCPU, isr: Duration::RESOLUTION, pseudo_vcpu: Some(pseudo_vcpu) };
    let can = Interrupt {
        name: "interrupt.can0".into(),
        delivery: Some(delivery),
        wakes: Some(RX),
        ..Interrupt::default()
    };
    let card = Interrupt { name: "interrupt.eth0".into(), ..Interrupt::default() };
    let timer = Timer {
        name: "timer.logger".into(),
        armed_by: LOGGER,
        period: Duration::from_us(1),
        wakes: true,
    };
    let device = Device {
        name: "device.eth0".into(),
        interrupt: InterruptId(1),
        ring: 4,
        coalesce_packets: 1,
        coalesce_time: Duration::ZERO,
        budget: 1,
        per_packet: Duration::RESOLUTION,
        socket: 1,
        receiver: None,
        payload: 1,
        packets: Packets::Periodic { interval: Duration::from_us(1) },
    };
    System {
        supplies: vec![core, vcpu],
        tasks: vec![task("task.logger", CORE), task("task.rx", VCPU)],
        interrupts: vec![can, card],
        timers: vec![timer],
        devices: vec![device],
        ..System::default()
    }
}

/// What is read after these events.
fn told(tell: impl FnOnce(&mut CoreTrace<'_, '_, Vec<u8>>)) -> Reading {
    let system = system();
    let mut trace = Trace::new(&system, Vec::new());
    let mut core = trace.core(CORE, |_| Some(Duration::from_ns(50)));
    tell(&mut core);
    core.finish();
    Reading::of(&trace.finish().unwrap())
}

fn slice(track: &str, name: &str, from: u64, to: u64) -> (String, String, u64, u64) {
    (track.into(), name.into(), from, to)
}

fn mark(
    track: &str,
    name: &str,
    at: u64,
    said: &[(&str, u64)],
) -> (String, String, u64, Annotations) {
    let said = said.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    (track.into(), name.into(), at, said)
}

#[test]
fn a_routine_of_a_guest_is_in_its_virtual_processor() {
    let reading = told(|core| {
        core.ran(ns(0), ns(10), Running::Kernel(Section::ContextSwitch));
        core.ran(ns(10), ns(30), Running::GuestRoutine(CAN));
        core.ran(ns(30), ns(40), Running::Task(RX));
        core.ran(ns(40), ns(50), Running::Interrupt(CAN));
        core.ran(ns(50), ns(60), Running::Idling(VCPU));
        core.ran(ns(60), ns(70), Running::Blocking(Member::Task(LOGGER)));
    });
    let vcpu = "core.0/vcpu.engine-1";
    let guest = "interrupt.can0 in the guest";
    let expected = [
        slice("core.0/kernel", "context switch", 0, 10),
        slice(&format!("{vcpu}/{guest}"), guest, 10, 30),
        slice(&format!("{vcpu}/task.rx"), "task.rx", 30, 40),
        slice(vcpu, "vcpu.engine-1", 10, 40),
        slice("core.0/interrupt.can0", "interrupt.can0", 40, 50),
        slice(vcpu, "idling", 50, 60),
        slice(vcpu, "vcpu.engine-1", 50, 60),
    ];
    assert_eq!(reading.slices, expected);
    let threads: Vec<_> = reading.switches.iter().map(|switch| switch.3.as_str()).collect();
    let expected = [
        "idle",
        "kernel on core.0",
        guest,
        "task.rx",
        "interrupt.can0",
        "vcpu.engine-1",
        "blocking task.logger",
        "idle",
    ];
    assert_eq!(threads, expected);
    let machine = |name: &str| {
        let process = reading.threads.values().find(|thread| thread.0 == name);
        process.map(|thread| thread.1.as_str())
    };
    assert_eq!(machine("task.rx"), Some("engine"));
    assert_eq!(machine(guest), Some("engine"));
    assert_eq!(machine("vcpu.engine-1"), Some("engine"));
    assert_eq!(machine("interrupt.can0"), Some("interrupt.can0"));
    assert_eq!(machine("task.logger"), Some("task.logger"));
}

#[test]
fn a_pseudo_vcpu_pays_and_holds_back() {
    let reading = told(|core| {
        core.pseudo_vcpu_budget(CAN, Duration::from_ns(30), ns(5));
        core.masked(CAN, ns(12));
        core.masked(CAN, ns(14));
        core.merged(CAN, ns(16));
        core.paid(Payer::PseudoVcpu(CAN), ns(6), ns(8));
        core.paid(Payer::PseudoVcpu(CAN), ns(10), ns(17));
        core.paid(Payer::PseudoVcpu(CAN), ns(17), ns(20));
        core.paid(Payer::Server(VCPU), ns(20), ns(25));
        core.pseudo_vcpu_budget(CAN, Duration::from_ns(20), ns(20));
        core.unmasked(CAN, ns(30));
        core.masked(CAN, ns(40));
        core.ran(ns(0), ns(50), Running::Task(RX));
    });
    let (vcpu, can) = ("core.0/vcpu.engine-1", "core.0/interrupt.can0");
    let held_back = format!("{can}/held back");
    let pays = format!("{can}/pseudo-VCPU");
    let expected = [
        slice(&pays, "pseudo-VCPU", 6, 8),
        slice(&held_back, "held back", 12, 30),
        slice(&format!("{vcpu}/task.rx"), "task.rx", 0, 50),
        slice(vcpu, "vcpu.engine-1", 0, 50),
        slice(&held_back, "held back", 40, 50),
        slice(&pays, "pseudo-VCPU", 10, 20),
    ];
    assert_eq!(reading.slices, expected);
    let expected = [
        mark(can, "masked", 12, &[]),
        mark(can, "masked", 14, &[]),
        mark(can, "merged", 16, &[]),
        mark(can, "unmasked", 30, &[]),
        mark(can, "masked", 40, &[]),
    ];
    assert_eq!(reading.marks, expected);
    let budget = format!("{pays}/budget");
    assert_eq!(reading.counts, [(budget.clone(), 30, 5), (budget, 20, 20)]);
}

#[test]
fn jobs_say_which_they_are_and_when_they_are_late() {
    let job = Job { source: Source::Task(LOGGER), number: 7, arrival: ns(3), release: ns(8) };
    let handled = Job { source: Source::Interrupt(CAN), number: 0, arrival: ns(9), release: ns(9) };
    let reading = told(|core| {
        core.released(&job);
        core.released(&handled);
        core.expired(TimerId(0), ns(40), ns(45));
        core.completed(&handled, ns(59));
        core.completed(&job, ns(60));
        core.unfinished(&Job { number: 8, ..job }, ns(53));
        core.unfinished(&Job { number: 9, arrival: ns(2), ..job }, ns(53));
    });
    let expected = [
        mark("core.0/task.logger", "released", 8, &[("job", 7), ("arrival_ns", 3)]),
        mark("core.0/interrupt.can0", "requested", 9, &[("job", 0)]),
        mark("core.0/timer.logger", "expired", 45, &[("due_ns", 40)]),
        mark("core.0/task.logger", "deadline missed", 53, &[("job", 7), ("late_ns", 7)]),
        mark("core.0/task.logger", "deadline missed", 52, &[("job", 9), ("late_ns", 1)]),
    ];
    assert_eq!(reading.marks, expected);
}

#[test]
fn packets_are_counted_where_they_are() {
    let reading = told(|core| {
        let mut tell = |event, at| core.packet(DeviceId(0), event, ns(at - at % 10), ns(at));
        tell(Packet::Arrived, 10);
        tell(Packet::Arrived, 20);
        tell(Packet::DroppedAtRing, 30);
        tell(Packet::Polled, 41);
        tell(Packet::Polled, 42);
        tell(Packet::DroppedAtSocket, 42);
        tell(Packet::Delivered, 53);
    });
    let counted = |name: &str| -> Vec<(u64, u64)> {
        let counts = reading.counts.iter().filter(|count| count.0.ends_with(name));
        counts.map(|&(_, value, at)| (value, at)).collect()
    };
    assert_eq!(counted("/packets at the card"), [(1, 10), (2, 20), (1, 41), (0, 42)]);
    assert_eq!(counted("/packets in the socket"), [(1, 41), (1, 42), (0, 53)]);
    let expected = [
        mark("core.0/device.eth0", "dropped at the ring", 30, &[("arrival_ns", 30)]),
        mark("core.0/device.eth0", "dropped at the socket", 42, &[("arrival_ns", 40)]),
    ];
    assert_eq!(reading.marks, expected);
}

#[test]
fn the_longest_numbers_fit() {
    let end = u64::MAX - 1;
    let job = Job { source: Source::Task(RX), number: end, arrival: ns(end), release: ns(end) };
    let reading = told(|core| {
        core.released(&job);
        core.released(&Job { arrival: ns(end - 1), release: ns(3), ..job });
        core.budget(VCPU, Duration::MAX, ns(end));
        core.ran(ns(0), ns(end), Running::Task(RX));
    });
    assert_eq!(reading.marks[0].3, [("job".to_owned(), end)]);
    assert_eq!(reading.marks[1].2, 3);
    assert_eq!(reading.counts[0].1, u64::MAX);
    assert_eq!(reading.switches.last().map(|switch| switch.1), Some(end));
}
