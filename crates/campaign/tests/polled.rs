//! Network cards on Linux cores, polled and read by threads of any priority beside others: no job takes
//! longer than its bound, and bounds are met.

use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::System;
use vorrang_model::system::{
    Activation, Device, DeviceId, Interrupt, InterruptId, Member, Packets, Priority, Scheduler,
    Supply, SupplyId, Task, TaskId,
};
use vorrang_sim::{Search, search};
use vorrang_time::Duration;

fn few(number: u64) -> u32 {
    u32::try_from(number).expect("few")
}

/// A polling thread, a reader and up to three others, often with the priority of another.
fn draw(random: &mut Random) -> System {
    let core = Supply { name: "core.0".into(), scheduler: Scheduler::Linux, ..Supply::default() };
    let mut system = System { supplies: vec![core], ..System::default() };
    let interval = random.between(20, 200);
    let others = random.between(0, 3);
    for number in 0..2 + others {
        let (activation, wcet) = match number {
            0 => (Activation::Interrupt(InterruptId(0)), random.between(1, 6)),
            1 => (Activation::Device(DeviceId(0)), random.between(1, 4)),
            _ => (Activation::Sporadic, random.between(1, 30)),
        };
        let task = TaskId(system.tasks.len());
        system.supplies[0].members.push(Member::Task(task));
        system.tasks.push(Task {
            name: format!("task.t{number}"),
            on: SupplyId(0),
            wcet: Duration::from_ns(wcet),
            min_interarrival: Duration::from_ns(random.between(100, 900)),
            priority: Priority(few(random.between(1, 4))),
            activation,
            ..Task::default()
        });
    }
    system.interrupts.push(Interrupt {
        name: "interrupt.card".into(),
        isr: Duration::from_ns(random.between(1, 4)),
        min_interarrival: Duration::from_ns(interval),
        wakes: Some(TaskId(0)),
        ..Interrupt::default()
    });
    let packets = random.between(1, 6);
    let waits = random.chance(1, 3);
    let wait = if waits { random.between(1, 40) } else { 0 };
    system.devices.push(Device {
        name: "device.card".into(),
        interrupt: InterruptId(0),
        ring: 64,
        coalesce_packets: if waits { few(random.between(2, 9)) } else { 1 },
        coalesce_time: Duration::from_ns(wait),
        budget: few(random.between(1, 4)),
        per_packet: Duration::from_ns(random.between(0, 6)),
        socket: 64,
        receiver: Some(TaskId(1)),
        payload: 64,
        packets: Packets::Burst { packets: few(packets), interval: Duration::from_ns(interval) },
    });
    system
}

#[test]
fn cards_on_linux_cores_keep_their_bounds() {
    let mut random = Random::new(41, 7);
    let (mut compared, mut reached) = (0, [0; 2]);
    let effort = Search::within(400_000);
    for index in 0..SYSTEMS {
        let system = draw(&mut random);
        let found = bounds(&system);
        let seen = search(&system, &Search { seed: index, ..effort });
        for (id, (task, worst)) in system.tasks.iter().zip(&seen.tasks).enumerate() {
            let Some(bound) = found.task(TaskId(id)).bound() else { continue };
            let Some(worst) = worst else { continue };
            let response = worst.response;
            assert!(
                response <= bound,
                "system {index}, {}: {response} > {bound} in {}: {system:#?}",
                task.name,
                worst.pattern
            );
            compared += 1;
            if id < 2 {
                reached[id] += u64::from(response == bound);
            }
        }
    }
    println!(
        "{compared} responses; bounds reached: polling {}, reading {}",
        reached[0], reached[1]
    );
    assert!(compared > 2 * SYSTEMS && reached[0] > SYSTEMS / 20, "{compared} {reached:?}");
}

/// How many are drawn.
const SYSTEMS: u64 = 600;
