//! Threads that poll for ever beside everything else that is drawn, and errors about them that are planted.

use crate::woken;
use std::num::NonZeroU64;
use vorrang_analysis::bounds;
use vorrang_campaign::campaign::run;
use vorrang_campaign::check::Effort;
use vorrang_campaign::random::Random;
use vorrang_model::system::{
    Activation, Member, Priority, Scheduler, SupplyId, System, Task, TaskId,
};
use vorrang_sim::search;
use vorrang_time::Duration;

/// With bursts, tasks that are not preempted and chains in some.
fn effort() -> Effort {
    Effort {
        polls_one_in: NonZeroU64::new(1),
        kept_one_in: NonZeroU64::new(3),
        bursts_one_in: NonZeroU64::new(4),
        chained_one_in: NonZeroU64::new(5),
        designed_one_in: u64::MAX,
        ..Effort::quick()
    }
}

#[test]
fn no_bound_is_exceeded_beside_anything_that_is_drawn() {
    let tally = run(47, 1..240, &effort(), |_, _| {});
    assert!(tally.violations.is_empty(), "{:?}", tally.violations);
    for (beside, least) in [
        ("at all", 200),
        ("below another", 40),
        ("beside an equal", 30),
        ("above another", 20),
        ("in turns", 25),
        ("with a time slice", 15),
        ("within a budget", 80),
        ("in a server without a budget", 6),
        ("on a core with edf", 12),
        ("on a core with slots", 8),
        ("beside interrupts of guests", 40),
        ("beside a pseudo-VCPU", 20),
        ("beside a storm", 15),
        ("beside packets", 1),
        ("beside a task that is not preempted", 15),
        ("beside bursts", 15),
        ("beside timers", 20),
        ("beside throttling", 6),
        ("beside sections of the kernel", 10),
        ("beside calls of the scheduler", 12),
        ("beside switches", 12),
        ("beside caches", 12),
    ] {
        let seen = tally.coverage.of(("polls", beside));
        assert!(seen >= least, "{beside}: {seen}");
    }
    let posted = tally.coverage.of(("interrupt", "posted to a guest"));
    assert!(posted >= 6, "{posted}");
    assert!(tally.bounded_tasks > 150, "{} of {}", tally.bounded_tasks, tally.tasks);
}

/// In how many of so many systems a bound of what `planted` makes of one is exceeded by a history of the system.
fn noticed(planted: fn(&mut System)) -> usize {
    let is_exceeded = |index: &u64| {
        let system = effort().system(48, *index);
        let mut wrong = system.clone();
        planted(&mut wrong);
        let (known, seen) = (bounds(&wrong), search(&system, &Effort::quick().search));
        let mut each = system.task_ids().zip(&seen.tasks);
        each.any(|(id, worst)| {
            let bound = known.task(id).bound();
            worst.as_ref().is_some_and(|own| bound.is_some_and(|bound| own.response > bound))
        })
    };
    (1..100).filter(is_exceeded).count()
}

#[test]
fn planted_errors_are_noticed() {
    let is_not_there = noticed(|system| {
        for task in system.tasks.iter_mut().filter(|task| task.polls) {
            (task.wcet, task.bcet) = (Duration::RESOLUTION, Duration::RESOLUTION);
        }
    });
    // What is just below it is beside it then, and has no bound either.
    let equals_are_ignored = noticed(|system| {
        for task in system.tasks.iter_mut().filter(|task| task.polls) {
            task.priority = Priority(task.priority.0.saturating_sub(1));
        }
    });
    println!("not there {is_not_there}, equals ignored {equals_are_ignored}");
    assert!(is_not_there > 6 && equals_are_ignored > 2, "{is_not_there} {equals_are_ignored}");
}

/// A thread that polls, on a supply by priority and mostly the least urgent there, if there is such a supply.
fn add_one(system: &mut System, random: &mut Random) -> Option<()> {
    let by_priority = |id: &SupplyId| {
        matches!(system.supply(*id).scheduler, Scheduler::FixedPriority | Scheduler::Linux)
    };
    let supplies: Vec<SupplyId> = system.supply_ids().filter(by_priority).collect();
    let on = (!supplies.is_empty()).then(|| random.one_of(&supplies))?;
    let id = TaskId(system.tasks.len());
    system.supplies[on.0].members.push(Member::Task(id));
    system.tasks.push(Task {
        name: "task.poll".to_owned(),
        on,
        wcet: Task::ENDLESS,
        bcet: Task::ENDLESS,
        min_interarrival: Task::ENDLESS,
        polls: true,
        priority: Priority(random.one_of(&[1, 1, 1, 8])),
        ..Task::default()
    });
    Some(())
}

/// Tasks that tasks wake, which the campaign does not draw.
#[test]
fn no_woken_task_exceeds_its_bound_beside_one() {
    let (mut bounded, mut near) = (0, 0);
    for stream in 0..200 {
        let mut random = Random::new(474, stream);
        let mut system = woken::system(&mut random);
        if add_one(&mut system, &mut random).is_none() {
            continue;
        }
        let (known, seen) = (bounds(&system), woken::seen(&system, 40, &mut random));
        for (id, seen) in system.task_ids().zip(seen.0) {
            let Some(bound) = known.task(id).bound() else { continue };
            assert!(seen <= bound, "{stream}: {seen} of {bound} in {system:#?}");
            if matches!(system.task(id).activation, Activation::Task(_)) {
                bounded += 1;
                near += u64::from(seen * 2 >= bound);
            }
        }
    }
    assert!(bounded > 60 && near > 20, "{bounded} {near}");
}
