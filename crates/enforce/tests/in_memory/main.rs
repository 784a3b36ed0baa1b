//! Enforcement on a machine in memory, where every call fails, and the program is killed at every call, one
//! after the other.
//!
//! **What holds.** Wherever it is killed or refused, `restore` returns the machine to what it was, in as many goes as it is
//! killed or refused itself. What `apply` reports as done is done. A journal that is cut off is read as far
//! as it was written, or refused. What is no part of the plan stays as it is.
//!
//! The lab does the same on kernels, with one description and in minutes (`crates/lab/scenarios/apply`).

mod beginning;
mod cases;
mod changed;
mod cut;
mod elsewhere;
mod faulty;
mod groups;
mod groups_with_budgets;
mod machine;
mod place;
mod refusals;
mod task;

use cases::{Case, all};
use faulty::{Call, Fault, Faulty};
use machine::Machine;
use place::Place;
use task::Held;
use vorrang_enforce::journal::{Described, Found, Head, read};
use vorrang_enforce::{Applied, Kernel, Plan, Restored, Stopped, apply, plan, restore, sample};

/// What a call that changes something may be refused with: rights, room, what others use, what is gone.
const REFUSALS: [i32; 8] = [
    libc::EPERM,
    libc::EBUSY,
    libc::EINVAL,
    libc::ENOSPC,
    libc::ENOMEM,
    libc::EIO,
    libc::EAGAIN,
    libc::EOPNOTSUPP,
];
/// What a look may be refused with; that something is gone is an answer.
const UNSEEN: [i32; 4] = [libc::EMFILE, libc::ENOMEM, libc::EIO, libc::EACCES];

fn planned(case: &Case) -> Plan {
    plan(&Faulty::new(&case.machine, None), &case.system)
        .unwrap_or_else(|unfit| panic!("{}: {unfit:?}", case.name))
}

fn head(kernel: &dyn Kernel) -> Head {
    Head::of(kernel, Described::new("system.toml", "0", "proven")).expect("it may look")
}

/// As the command does it: the head is made on the same machine, and a refusal is undone by `restore`.
fn applied(kernel: &mut dyn Kernel, plan: &Plan, place: &Place) -> Result<Applied, Stopped> {
    let stopped = |why: std::io::Error| Stopped {
        tried: "look".to_owned(),
        why: why.to_string(),
        advice: String::new(),
    };
    let head = Head::of(kernel, Described::new("system.toml", "0", "proven")).map_err(stopped)?;
    apply(kernel, plan, &head, &place.file())
}

/// What differs is shown, not two machines.
#[track_caller]
fn assert_same(machine: &Machine, before: &Machine, what: &str) {
    let [machine, before] = [machine, before].map(Machine::state);
    for (number, task) in &before.tasks {
        assert_eq!(machine.tasks.get(number), Some(task), "{what}");
    }
    assert_eq!(machine, before, "{what}");
}

/// Restores without a fault, and holds the machine against what it was.
#[track_caller]
fn assert_restored(machine: &Machine, place: &Place, before: &Machine, what: &str) {
    let mut kernel = Faulty::new(machine, None);
    let restored = restore(&mut kernel, &place.file()).expect(what);
    assert!(!matches!(restored, Restored::Partly(_)), "{what}: {restored:?}");
    assert_same(&kernel.machine.into_inner(), before, what);
    assert!(!place.file().exists(), "{what}: the journal is gone");
}

/// The machine after `apply`, with what it did.
fn after(case: &Case, place: &Place) -> (Machine, Applied, Vec<Call>) {
    let mut kernel = Faulty::new(&case.machine, None);
    let done =
        kernel.run(|kernel| applied(kernel, &planned(case), place)).expect("it is not killed");
    let done = done.unwrap_or_else(|why| panic!("{}: {why:?}", case.name));
    let calls = kernel.calls();
    (kernel.machine.into_inner(), done, calls)
}

fn faults(call: Call) -> Vec<Fault> {
    let codes: &[i32] = if call == Call::Look { &UNSEEN } else { &REFUSALS };
    let refused = codes.iter().map(|&code| Fault::Refuse(code));
    refused.chain([Fault::KillBefore, Fault::KillBehind]).collect()
}

#[test]
fn what_is_applied_is_restored_and_the_rest_is_left_alone() {
    for case in all() {
        let place = Place::new();
        let (machine, done, _) = after(&case, &place);
        assert!(!done.made.is_empty(), "{}", case.name);
        for (number, task) in &machine.tasks {
            let before = case.machine.tasks.get(number);
            let is_ours =
                task.group.contains("/vorrang") || !case.machine.tasks.contains_key(number);
            let is_of_plan = is_ours || task.thread.name.starts_with("irq/25");
            if !is_of_plan {
                let before = before.expect("it was there");
                assert_eq!((&task.group, task.policy), (&before.group, before.policy), "{number}");
                let own: Vec<u32> = if task.held == Held::OnProcessor {
                    before.allowed.clone()
                } else {
                    machine.effective(&task.group)
                };
                assert!(task.allowed.iter().all(|cpu| own.contains(cpu)), "{task:?}");
            }
        }
        assert_restored(&machine, &place, &case.machine, case.name);
    }
}

#[test]
fn applying_twice_changes_nothing_more() {
    for case in all() {
        let (place, second) = (Place::new(), Place::new());
        let (machine, ..) = after(&case, &place);
        let mut kernel = Faulty::new(&machine, None);
        let head = head(&kernel);
        apply(&mut kernel, &planned(&case), &head, &place.file())
            .expect_err("it is applied already");
        assert_eq!(
            kernel.machine.borrow().state(),
            machine.state(),
            "{}: the same journal",
            case.name
        );
        apply(&mut kernel, &planned(&case), &head, &second.file()).expect_err("its group is there");
        let kernel = kernel.machine.into_inner();
        assert_restored(&kernel, &second, &machine, case.name);
        assert_restored(&kernel, &place, &case.machine, case.name);
    }
}

#[test]
fn apply_killed_or_refused_at_any_call_is_restored() {
    let mut tried = 0;
    for case in all() {
        let plan = planned(&case);
        let (whole, done, calls) = after(&case, &Place::new());
        for (at, &call) in calls.iter().enumerate() {
            for fault in faults(call) {
                let place = Place::new();
                let mut kernel = Faulty::new(&case.machine, Some((at, fault)));
                let ended = kernel.run(|kernel| applied(kernel, &plan, &place));
                let what = format!("{}: call {at}, {}, {fault:?}", case.name, kernel.at());
                let machine = kernel.machine.into_inner();
                if let Some(Ok(said)) = ended
                    && said.kept == done.kept
                {
                    assert_same(&machine, &whole, &format!("{what}: it says that all is done"));
                }
                assert_restored(&machine, &place, &case.machine, &what);
                tried += 1;
            }
        }
    }
    assert!(tried > 4000, "{tried}");
}

#[test]
fn restore_killed_or_refused_at_any_call_is_done_again() {
    for case in all() {
        let place = Place::new();
        let (machine, ..) = after(&case, &place);
        let journal = place.text();
        let mut whole = Faulty::new(&machine, None);
        restore(&mut whole, &place.file()).expect("nothing fails");
        for (at, call) in whole.calls().into_iter().enumerate() {
            for fault in faults(call) {
                place.write(&journal);
                let mut kernel = Faulty::new(&machine, Some((at, fault)));
                let ended = kernel.run(|kernel| restore(kernel, &place.file()));
                let what = format!("{}: call {at}, {}, {fault:?}", case.name, kernel.at());
                let machine = kernel.machine.into_inner();
                // With this the kernel keeps a thread where it is, which ends nothing.
                if what.contains("sched_setaffinity") && fault == Fault::Refuse(libc::EINVAL) {
                    continue;
                }
                if matches!(ended, Some(Ok(Restored::All(_)))) {
                    assert_same(&machine, &case.machine, &format!("{what}: it says so"));
                }
                assert_restored(&machine, &place, &case.machine, &what);
            }
        }
    }
}

/// Both: of `apply` every change, of `restore` every seventh call.
#[test]
fn restore_killed_behind_a_killed_apply_is_done_again() {
    for case in all() {
        let plan = planned(&case);
        let (_, _, calls) = after(&case, &Place::new());
        let changes = calls.iter().enumerate().filter(|(_, call)| **call == Call::Change);
        for (at, _) in changes {
            let place = Place::new();
            let mut kernel = Faulty::new(&case.machine, Some((at, Fault::KillBehind)));
            assert!(kernel.run(|kernel| applied(kernel, &plan, &place)).is_none());
            let machine = kernel.machine.into_inner();
            let journal = place.text();
            for again in (at % 7..).step_by(7) {
                place.write(&journal);
                let mut kernel = Faulty::new(&machine, Some((again, Fault::KillBehind)));
                if kernel.run(|kernel| restore(kernel, &place.file())).is_some() {
                    break;
                }
                let what = format!("{}: calls {at} and {again}", case.name);
                assert_restored(&kernel.machine.into_inner(), &place, &case.machine, &what);
            }
        }
    }
}

#[test]
fn status_shows_the_threads_or_says_that_it_cannot() {
    for case in all() {
        let place = Place::new();
        let (machine, ..) = after(&case, &place);
        let Ok(Found::Journal(entries)) = read(&place.file(), &Faulty::new(&machine, None)) else {
            panic!("it is applied")
        };
        let whole = Faulty::new(&machine, None);
        let seen = sample(&whole, &entries).expect("nothing fails");
        assert!(seen.iter().filter(|one| one.label.is_some()).count() >= 2);
        assert!(seen.iter().all(|one| one.holds && one.times.is_some()), "{seen:?}");
        for at in 0..whole.calls().len() {
            for code in UNSEEN {
                let kernel = Faulty::new(&machine, Some((at, Fault::Refuse(code))));
                assert!(sample(&kernel, &entries).is_err(), "{}: call {at}", case.name);
                assert_eq!(*kernel.machine.borrow(), machine, "reading changes nothing");
            }
        }
    }
}

/// A plan is the whole one, or refused, or says what could not be seen.
#[test]
fn a_plan_of_what_was_not_seen_is_refused_or_doubted() {
    for case in all() {
        let whole = Faulty::new(&case.machine, None);
        let all = plan(&whole, &case.system).expect("it fits");
        for at in 0..whole.calls().len() {
            for code in UNSEEN {
                let kernel = Faulty::new(&case.machine, Some((at, Fault::Refuse(code))));
                let Ok(seen) = plan(&kernel, &case.system) else { continue };
                let lacks = all.steps.iter().filter(|step| !seen.steps.contains(step)).count();
                let says = seen.doubts.len() > all.doubts.len();
                assert!(lacks == 0 || says, "{}: {}: {lacks} steps", case.name, kernel.at());
            }
        }
    }
}
