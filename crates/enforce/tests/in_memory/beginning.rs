//! A thread of the kernel that `apply` makes cannot be moved before it has run.

use crate::cases::all;
use crate::machine::{Machine, NAPI};
use crate::{Case, Faulty, Place, applied, assert_restored, planned};
use vorrang_enforce::Change;
use vorrang_enforce::journal::{Found, read};

/// The case with a thread that polls a card, which the machine makes.
fn polled() -> Case {
    all().into_iter().find(|case| case.name == "everything").expect("there is such a case")
}

/// How it ends, and how often the kernel refused to move the thread.
fn ended(case: &Case, machine: &Machine) -> (Result<(), String>, usize) {
    let (plan, place) = (planned(case), Place::new());
    let mut kernel = Faulty::new(machine, None);
    let ended = applied(&mut kernel, &plan, &place);
    let Ok(Found::Journal(entries)) = read(&place.file(), &kernel) else { panic!("it is kept") };
    assert_restored(&kernel.machine.into_inner(), &place, machine, case.name);
    let ended =
        ended.map(|_| ()).map_err(|stopped| format!("{}: {}", stopped.tried, stopped.advice));
    let is_move = |place: &&usize| matches!(&entries.changes[**place], Change::MoveProcess { process, .. } if process.thread == NAPI);
    (ended, entries.undone.iter().filter(is_move).count())
}

#[test]
fn it_is_moved_as_soon_as_it_has_run() {
    let case = polled();
    for waits in [0, 1, 2, 100] {
        let machine = Machine { begin_after: waits, ..case.machine.clone() };
        let (ended, refused) = ended(&case, &machine);
        assert_eq!(ended, Ok(()), "{waits}");
        assert_eq!(refused, waits as usize, "tried once for each wait");
    }
}

#[test]
fn it_is_given_up_after_a_stated_time() {
    let case = polled();
    let machine = Machine { begin_after: 1_000_000, ..case.machine.clone() };
    let (ended, refused) = ended(&case, &machine);
    assert!(ended.expect_err("it never runs").contains("may not be moved by anybody"));
    assert_eq!(refused, 200);
}

/// One that was there before is refused at once: it has run, so another reason holds it.
#[test]
fn one_that_was_there_is_tried_once() {
    let case = polled();
    let mut machine = Machine { begin_after: 1_000_000, ..case.machine.clone() };
    machine.set("/sys/class/net/eth0/threaded", "1").expect("it has such a file");
    assert!(machine.tasks.contains_key(&NAPI));
    let (ended, refused) = ended(&case, &machine);
    assert!(ended.expect_err("it never runs").contains("may not be moved by anybody"));
    assert_eq!(refused, 1);
}
