//! A system with one of everything, and a run of it told by hand.

use super::Watch;
use crate::distribution::Resolution;
use vorrang_model::System;
use vorrang_model::system::{
    Activation, Delivery, Device, DeviceId, Interrupt, InterruptId, Member, Packets, PseudoVcpu,
    PseudoVcpuRule, Requirement, RequirementKind, Server, Supply, SupplyId, SupplyKind, Task,
    TaskId, Timer, TimerId,
};
use vorrang_sim::{
    Cause, Context, History, Job, Observer, Packet, Payer, Running, Section, Source,
};
use vorrang_time::{Duration, Instant};

pub(crate) const VCPU: SupplyId = SupplyId(1);
pub(crate) const HANDLER: TaskId = TaskId(0);
pub(crate) const HOST: TaskId = TaskId(1);
pub(crate) const CAN: InterruptId = InterruptId(0);

pub(crate) fn us(us: u64) -> Duration {
    Duration::from_us(us)
}

pub(crate) fn at(time: u64) -> Instant {
    Instant::ZERO + us(time)
}

/// A task of the host, a virtual machine that handles an interrupt, a timer and a card.
pub(crate) fn system() -> System {
    let core = Supply {
        name: "core.0".to_owned(),
        members: vec![Member::Task(HOST), Member::Server(VCPU)],
        ..Supply::default()
    };
    let server = Server { budget: us(400), period: us(1000), ..Server::default() };
    let vcpu = Supply {
        name: "vcpu.guest".to_owned(),
        kind: SupplyKind::Server(server),
        members: vec![Member::Task(HANDLER)],
        vm: Some("vm.guest".to_owned()),
        ..Supply::default()
    };
    let task = |name: &str, on, activation| Task {
        name: name.to_owned(),
        on,
        activation,
        wcet: us(20),
        min_interarrival: us(500),
        ..Task::default()
    };
    let rule = PseudoVcpuRule::Arrival;
    let pseudo_vcpu = PseudoVcpu { budget: us(50), period: us(1000), priority: None, rule };
    let delivery = Delivery { vcpu: VCPU, isr: us(5), pseudo_vcpu: Some(pseudo_vcpu) };
    let can = Interrupt {
        name: "interrupt.can".to_owned(),
        wakes: Some(HANDLER),
        delivery: Some(delivery),
        ..Interrupt::default()
    };
    let tick =
        Timer { name: "timer.tick".to_owned(), armed_by: HOST, period: us(1000), wakes: false };
    let card = Device {
        name: "device.eth".to_owned(),
        interrupt: CAN,
        ring: 4,
        coalesce_packets: 1,
        coalesce_time: Duration::ZERO,
        budget: 4,
        per_packet: us(2),
        socket: 4,
        receiver: Some(HOST),
        payload: 125,
        packets: Packets::Periodic { interval: us(250) },
    };
    let kind = RequirementKind::HandledWithin(CAN);
    let handled =
        Requirement { name: "require.can".to_owned(), kind, limit: us(100), probability: None };
    System {
        supplies: vec![core, vcpu],
        tasks: vec![
            task("task.handler", VCPU, Activation::Interrupt(CAN)),
            task("task.host", SupplyId(0), Activation::Sporadic),
        ],
        interrupts: vec![can],
        timers: vec![tick],
        devices: vec![card],
        requirements: vec![handled],
        ..System::default()
    }
}

/// A job of this source.
pub(crate) fn job(source: Source, number: u64, arrival: u64) -> Job {
    Job { source, number, arrival: at(arrival), release: at(arrival) }
}

/// A millisecond in which everything happens.
pub(crate) fn tell(observer: &mut impl Observer) {
    let running = [
        (0, 4, Running::Kernel(Section::SchedulerCall)),
        (4, 6, Running::Kernel(Section::ContextSwitch)),
        (6, 30, Running::Task(HOST)),
        (30, 33, Running::Interrupt(CAN)),
        (33, 40, Running::GuestRoutine(CAN)),
        (40, 60, Running::Task(HANDLER)),
        (60, 70, Running::Kernel(Section::Timers)),
        (70, 500, Running::Idle),
        (500, 520, Running::Task(HOST)),
        (520, 900, Running::Idle),
        (900, 1000, Running::Task(HANDLER)),
    ];
    for (from, to, what) in running {
        observer.ran(at(from), at(to), what);
    }
    let (host, guest) = (Context::Task(HOST), Context::Vcpu(VCPU));
    observer.called(at(0));
    observer.switched(None, host, at(4));
    observer.switched(Some(host), guest, at(30));
    for (context, cause, amount) in [
        (None, Cause::SchedulerCall, 4),
        (Some(host), Cause::ContextSwitch, 2),
        (Some(guest), Cause::ColdCache, 15),
        (Some(guest), Cause::ColdCache, 10),
        (Some(guest), Cause::VmExit, 1),
    ] {
        observer.lost(context, cause, us(amount), at(100));
    }
    for (number, arrival, end) in [(0, 0, 30), (1, 500, 520)] {
        observer.completed(&job(Source::Task(HOST), number, arrival), at(end));
    }
    observer.completed(&job(Source::Task(HANDLER), 0, 27), at(60));
    observer.completed(&job(Source::Interrupt(CAN), 0, 27), at(60));
    observer.unfinished(&job(Source::Task(HANDLER), 1, 800), at(1000));
    observer.unfinished(&job(Source::Interrupt(CAN), 1, 800), at(1000));
    tell_budgets(observer);
    for (event, arrival, end) in [
        (Packet::Arrived, 10, 10),
        (Packet::Arrived, 260, 260),
        (Packet::DroppedAtRing, 510, 510),
        (Packet::Polled, 10, 35),
        (Packet::Delivered, 10, 35),
        (Packet::Polled, 260, 280),
        (Packet::DroppedAtSocket, 260, 280),
    ] {
        observer.packet(DeviceId(0), event, at(arrival), at(end));
    }
    observer.expired(TimerId(0), at(55), at(65));
    observer.expired(TimerId(0), at(58), at(70));
}

fn tell_budgets(observer: &mut impl Observer) {
    let pseudo_vcpu = Payer::PseudoVcpu(CAN);
    observer.paid(pseudo_vcpu, at(33), at(40));
    observer.paid(pseudo_vcpu, at(40), at(60));
    observer.paid(Payer::Server(VCPU), at(900), at(1000));
    observer.exhausted(VCPU, at(1000));
    for (left, time) in [(25, 33), (18, 40), (0, 60), (25, 900)] {
        observer.pseudo_vcpu_budget(CAN, us(left), at(time));
    }
    observer.masked(CAN, at(700));
    observer.masked(CAN, at(750));
    observer.unmasked(CAN, at(800));
    observer.merged(CAN, at(950));
}

/// What is kept of it.
pub(crate) fn watch(system: &System) -> Watch {
    let resolution = Resolution::shared(4, us(1000));
    let mut watch = Watch::of_core(system, SupplyId(0), &History::quiet(system), resolution);
    tell(&mut watch);
    watch
}
