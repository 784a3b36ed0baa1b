//! Posted interrupts: the systems of kicks (`kicks.rs`), in which guests poll and what reaches them on their own core is posted to them.

use crate::kicks::{Found, look_at, system as with_kicks};
use vorrang_campaign::random::Random;
use vorrang_model::system::{Interrupt, Member, Priority, Scheduler, System, Task, TaskId};
use vorrang_time::Duration;

/// A guest polls behind everything else, or before some of it.
fn poll(system: &mut System, random: &mut Random) {
    for on in system.supply_ids().collect::<Vec<_>>() {
        let supply = system.supply(on);
        if supply.vm.is_none() || supply.scheduler != Scheduler::FixedPriority {
            continue;
        }
        let id = TaskId(system.tasks.len());
        system.supplies[on.0].members.push(Member::Task(id));
        system.tasks.push(Task {
            name: format!("task.idle{}", id.0),
            on,
            wcet: Task::ENDLESS,
            bcet: Task::ENDLESS,
            min_interarrival: Task::ENDLESS,
            polls: true,
            priority: Priority(random.one_of(&[0, 0, 0, 2])),
            ..Task::default()
        });
    }
}

fn system(random: &mut Random) -> System {
    let mut system = with_kicks(random);
    poll(&mut system, random);
    for id in system.interrupt_ids() {
        let polls = |member: &Member| matches!(member, Member::Task(id) if system.task(*id).polls);
        let to = system.interrupt(id).delivery.as_ref().map(|own| own.vcpu);
        let is_awake = to.is_some_and(|to| system.supply(to).members.iter().any(polls));
        let own = system.interrupt(id);
        if is_awake && own.is_external() && random.chance(3, 4) {
            let own = &mut system.interrupts[id.0];
            (own.posted, own.isr, own.priority) = (true, Duration::ZERO, Priority::default());
            own.delivery.as_mut().expect("it is delivered").isr =
                Duration::from_ns(random.between(1, 3));
        }
    }
    system
}

fn look(stream: u64, histories: u64, analysed: fn(&System) -> System, found: &mut Found) {
    let mut random = Random::new(4711, stream);
    let system = system(&mut random);
    let is_posted = |own: &Interrupt| own.posted;
    look_at(&system, (stream, histories), (analysed, is_posted), &mut random, found);
}

#[test]
fn no_history_exceeds_a_bound_where_interrupts_are_posted() {
    let mut found = Found::default();
    for stream in 0..1_000 {
        look(stream, 40, System::clone, &mut found);
    }
    let Found { exceeded, kicks } = &found;
    assert!(exceeded.is_empty(), "{}, the first: {}", exceeded.len(), exceeded[0]);
    assert!(kicks[0] > 60 && kicks[1] > 40, "{kicks:?}");
}

/// The system, in which what is posted takes its guest next to nothing.
fn without_guest_routines(system: &System) -> System {
    let mut wrong = system.clone();
    for own in wrong.interrupts.iter_mut().filter(|own| own.posted) {
        own.delivery.as_mut().expect("it is delivered").isr = Duration::ZERO;
    }
    wrong
}

/// The system, in which what is posted is there when it arrives.
fn without_jitter(system: &System) -> System {
    let mut wrong = system.clone();
    for own in wrong.interrupts.iter_mut().filter(|own| own.posted) {
        own.jitter = Duration::ZERO;
    }
    wrong
}

#[test]
fn planted_errors_are_noticed() {
    let planted: [fn(&System) -> System; 2] = [without_guest_routines, without_jitter];
    for analysed in planted {
        let mut found = Found::default();
        for stream in 0..200 {
            look(stream, 60, analysed, &mut found);
        }
        assert!(found.exceeded.len() > 3, "{found:?}");
    }
}

/// `VORRANG_SYSTEMS` systems with `VORRANG_HISTORIES` histories each.
#[test]
#[ignore = "a long campaign"]
fn no_history_exceeds_a_bound_where_interrupts_are_posted_in_very_many() {
    let number = |name: &str, otherwise| {
        std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let mut found = Found::default();
    for stream in 0..number("VORRANG_SYSTEMS", 20_000) {
        look(stream, number("VORRANG_HISTORIES", 500), System::clone, &mut found);
    }
    eprintln!("{:?} bounded and near", found.kicks);
    assert!(found.exceeded.is_empty(), "{:?}", found.exceeded);
}
