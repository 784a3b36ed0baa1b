//! Changes between making a plan and applying it.

use crate::groups::{Group, ROOT};
use crate::machine::Machine;
use crate::{Case, Faulty, Place, all, applied, assert_restored, planned};
use vorrang_enforce::{Policy, plan};

/// Applies the plan for the machine as it was, refused or not, and undoes it.
#[track_caller]
fn applied_and_restored(case: &Case, change: impl Fn(&mut Machine)) -> Result<(), String> {
    let plan = planned(case);
    let mut machine = case.machine.clone();
    change(&mut machine);
    let place = Place::new();
    let mut kernel = Faulty::new(&machine, None);
    let ended = applied(&mut kernel, &plan, &place);
    assert_restored(&kernel.machine.into_inner(), &place, &machine, case.name);
    ended
        .map(|_| ())
        .map_err(|stopped| format!("{}: {} {}", stopped.tried, stopped.why, stopped.advice))
}

#[test]
fn a_thread_that_has_gone_ends_it() {
    for case in all() {
        for (number, task) in &case.machine.tasks {
            let is_named = ["reserved", "fifo", "fast", "slow", "irq/25-can0"]
                .contains(&task.thread.name.as_str());
            let gone = applied_and_restored(&case, |machine| drop(machine.tasks.remove(number)));
            let ended = applied_and_restored(&case, |machine| {
                machine.tasks.get_mut(number).expect("it is there").ended = true;
            });
            assert_eq!((gone.is_err(), ended.is_err()), (is_named, is_named), "{task:?}");
        }
    }
}

/// Its number was used again: a thread of another beginning is another thread.
#[test]
fn a_thread_with_the_number_of_one_that_has_gone_is_not_touched() {
    let case = &all()[0];
    let why = applied_and_restored(case, |machine| {
        let task = machine.tasks.get_mut(&101).expect("it is there");
        (task.thread.start, task.thread.name) = (4711, "another".to_owned());
    });
    assert!(why.expect_err("there is none").contains("there is no thread"));
}

#[test]
fn a_processor_that_another_program_has_taken_ends_it() {
    for case in all() {
        let why = applied_and_restored(&case, |machine| {
            let taken = Group { cpus: vec![1], exclusive: vec![1], root: true, ..Group::default() };
            machine.groups.get_mut(ROOT).expect("it is there").enabled = true;
            machine.groups.insert(format!("{ROOT}/taken"), taken);
        });
        assert!(why.expect_err("it is taken").contains("cpuset.cpus.exclusive"), "{}", case.name);
    }
}

#[test]
fn a_group_of_that_name_is_left_alone() {
    for case in all() {
        let why = applied_and_restored(&case, |machine| {
            machine.groups.insert(format!("{ROOT}/vorrang"), Group::default());
        });
        assert!(why.expect_err("it is there").contains("it exists already"), "{}", case.name);
    }
}

#[test]
fn a_domain_without_room_ends_it_with_its_numbers() {
    let case = &all()[0];
    let mut full = case.machine.clone();
    full.tasks.get_mut(&103).expect("it is there").policy =
        Policy::deadline(18_500_000, 10_000_000, 10_000_000);
    let plan = plan(&Faulty::new(&full, None), &case.system).expect("it fits");
    let place = Place::new();
    let mut kernel = Faulty::new(&full, None);
    let stopped = applied(&mut kernel, &plan, &place).expect_err("it is full");
    assert!(stopped.advice.contains("asks for 20.00 %"), "{stopped:?}");
    assert_restored(&kernel.machine.into_inner(), &place, &full, "full");
}
