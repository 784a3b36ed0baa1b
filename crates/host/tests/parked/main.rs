//! Parking on the machine in memory of `vorrang-enforce`, where every call fails, and the program is killed at every call, one
//! after the other: threads of programs and of the kernel, and the groups.
//!
//! **What holds.** Wherever it is killed or refused, `restore` returns the machine to what it was. What is reported as done is done.

mod beside;
#[path = "../../../enforce/tests/in_memory/faulty.rs"]
mod faulty;
#[path = "../../../enforce/tests/in_memory/groups.rs"]
mod groups;
mod in_place;
#[path = "../../../enforce/tests/in_memory/machine.rs"]
mod machine;
mod on_core;
#[path = "../../../enforce/tests/in_memory/place.rs"]
mod place;
mod shielded;
#[path = "../../../enforce/tests/in_memory/task.rs"]
mod task;

use faulty::{Call, Fault, Faulty};
use machine::{Irq, Machine};
use place::Place;
use std::collections::{BTreeMap, BTreeSet};
use task::{Held, Task};
use vorrang_enforce::journal::{Described, Head, Journal};
use vorrang_enforce::{Change, Kernel, Policy, Restored, restore};
use vorrang_host::changes::{Parking, parking};
use vorrang_host::park::make;
use vorrang_host::scope::Scope;
use vorrang_model::{Format, read};
use vorrang_time::Duration;

const IRQ: i32 = 70;
const LOOK: Duration = Duration::from_ms(1);

/// A virtual machine and the thread of an interrupt, each in a server.
const BOTH: &str = r#"
version = 1
[core.0]
scheduler = "fixed-priority"
cpu = 1
[server.guest]
on = "core.0"
server = "deferrable"
budget = "2ms"
period = "10ms"
priority = 2
thread = "process:guest/vcpu"
[server.irq]
on = "core.0"
server = "deferrable"
budget = "500us"
period = "5ms"
priority = 3
thread = "irq:can0"
[interrupt.can]
on = "core.0"
isr = "3us"
min-interarrival = "2ms"
jitter = "1ms"
wakes = "task.irq"
[task.irq]
on = "server.irq"
wcet = "50us"
deadline = "none"
"#;

fn machine() -> Machine {
    machine_of(2)
}

fn machine_of(cpus: u32) -> Machine {
    let all: Vec<u32> = (0..cpus).collect();
    let mut machine = Machine::new(cpus);
    machine.add(Task::new(100, 100, "guest", &all));
    machine.add(Task::new(100, 101, "vcpu", &all));
    machine.add(Task::new(200, 200, "other", &all));
    let policy = Policy::fifo(50);
    machine.add(Task { held: Held::ByKernel, policy, ..Task::new(IRQ, IRQ, "irq/25-can0", &all) });
    let irq =
        |handler: &str| Irq { handler: handler.to_owned(), cpus: all.clone(), managed: false };
    machine.irqs = BTreeMap::from([(24, irq("eth0")), (25, irq("can0"))]);
    machine
}

fn scopes(text: &str) -> Vec<Scope> {
    let system = read(text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}"));
    Scope::all(&system, LOOK).unwrap_or_else(|why| panic!("{why:?}"))
}

fn planned(machine: &Machine, scopes: &[Scope]) -> Parking {
    parking(&Faulty::new(machine, None), scopes, None).unwrap_or_else(|why| panic!("{why:?}"))
}

fn parked(
    kernel: &mut dyn Kernel,
    (scopes, parking): (&[Scope], &Parking),
    place: &Place,
) -> Result<(), String> {
    let head = Head::of(kernel, Described::new("system.toml", "0", "proven"));
    let journal = head.and_then(|head| Journal::begin(&place.file(), &head));
    let mut journal = journal.map_err(|why| why.to_string())?;
    make(kernel, &mut journal, parking, &scopes.iter().collect::<Vec<_>>())
}

/// Restored, this machine is as it was before.
#[track_caller]
fn assert_restored(machine: &Machine, before: &Machine, place: &Place, what: &str) {
    let mut kernel = Faulty::new(machine, None);
    let restored = restore(&mut kernel, &place.file()).expect(what);
    assert!(!matches!(restored, Restored::Partly(_)), "{what}: {restored:?}");
    kernel.wait();
    assert_eq!(kernel.machine.into_inner().state(), before.state(), "{what}");
    assert!(!place.file().exists(), "{what}: the journal is gone");
}

#[test]
fn a_thread_of_the_kernel_follows_its_interrupt_and_has_no_priority() {
    let (scopes, before, place) = (scopes(BOTH), machine(), Place::new());
    let parking = planned(&before, &scopes);
    let mut kernel = Faulty::new(&before, None);
    parked(&mut kernel, (&scopes, &parking), &place).expect("nothing fails");
    let after = kernel.machine.into_inner();
    let own = &after.tasks[&IRQ];
    assert_eq!((own.policy, own.allowed.as_slice()), (Policy::plain(Policy::IDLE), &[1][..]));
    assert_eq!(own.group, groups::ROOT, "the kernel keeps it there");
    assert_eq!(after.tasks[&101].group, "/sys/fs/cgroup/vorrang-host/parked");
    assert_eq!(after.irqs[&24].cpus, [0, 1], "other interrupts stay");
    // A run that goes on lends to it by its policy, which is not to be changed.
    let mut lent = after.clone();
    lent.tasks.get_mut(&IRQ).expect("it is there").policy = Policy::fifo(18);
    let run = BTreeSet::from([IRQ, 101]);
    let again = parking_beside(&lent, &scopes, &run);
    assert_eq!(again.changes, []);
    assert_restored(&lent, &before, &place, "a present loan is undone as well");
}

/// One that polls a card has `SCHED_OTHER`, or any other policy, before it is parked.
#[test]
fn a_loan_that_remains_is_undone_whatever_the_policy_was() {
    for policy in [Policy::plain(Policy::OTHER), Policy::plain(Policy::IDLE)] {
        let (scopes, mut before, place) = (scopes(BOTH), machine(), Place::new());
        before.tasks.get_mut(&IRQ).expect("it is there").policy = policy;
        let parking = planned(&before, &scopes);
        let mut kernel = Faulty::new(&before, None);
        parked(&mut kernel, (&scopes, &parking), &place).expect("nothing fails");
        let mut lent = kernel.machine.into_inner();
        lent.tasks.get_mut(&IRQ).expect("it is there").policy = Policy::fifo(18);
        assert_restored(&lent, &before, &place, "it was of no priority before");
    }
}

fn parking_beside(machine: &Machine, scopes: &[Scope], run: &BTreeSet<i32>) -> Parking {
    parking(&Faulty::new(machine, None), scopes, Some(run)).unwrap_or_else(|why| panic!("{why:?}"))
}

#[test]
fn parking_killed_or_refused_at_any_call_is_restored() {
    let (scopes, before) = (scopes(BOTH), machine());
    let parking = planned(&before, &scopes);
    let mut kernel = Faulty::new(&before, None);
    parked(&mut kernel, (&scopes, &parking), &Place::new()).expect("nothing fails");
    let (calls, whole) = (kernel.calls(), kernel.machine.into_inner());
    let mut tried = 0;
    for (at, &call) in calls.iter().enumerate() {
        let refused = if call == Call::Look { libc::EIO } else { libc::EPERM };
        for fault in [Fault::Refuse(refused), Fault::KillBefore, Fault::KillBehind] {
            let place = Place::new();
            let mut kernel = Faulty::new(&before, Some((at, fault)));
            let ended = kernel.run(|kernel| parked(kernel, (&scopes, &parking), &place));
            let what = format!("call {at}, {}, {fault:?}", kernel.at());
            let machine = kernel.machine.into_inner();
            if let Some(Ok(())) = ended {
                assert_eq!(machine.state(), whole.state(), "{what}: it says that all is done");
            }
            assert_restored(&machine, &before, &place, &what);
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn restoring_what_is_parked_killed_at_any_call_is_done_again() {
    let (scopes, before, place) = (scopes(BOTH), machine(), Place::new());
    let parking = planned(&before, &scopes);
    let mut kernel = Faulty::new(&before, None);
    parked(&mut kernel, (&scopes, &parking), &place).expect("nothing fails");
    let (after, journal) = (kernel.machine.into_inner(), place.text());
    let mut whole = Faulty::new(&after, None);
    restore(&mut whole, &place.file()).expect("nothing fails");
    for at in 0..whole.calls().len() {
        for fault in [Fault::KillBefore, Fault::KillBehind] {
            place.write(&journal);
            let mut kernel = Faulty::new(&after, Some((at, fault)));
            assert!(kernel.run(|kernel| restore(kernel, &place.file())).is_none());
            let what = format!("call {at}, {fault:?}");
            assert_restored(&kernel.machine.into_inner(), &before, &place, &what);
        }
    }
}

#[test]
fn of_threads_of_the_kernel_those_of_interrupts_and_cards_are_lent_to() {
    let mut machine = machine();
    let worker = Task { held: Held::ByKernel, ..Task::new(71, 71, "kworker/u", &[1]) };
    machine.add(worker);
    let other = scopes(&BOTH.replace("irq:can0", "name:kworker/u"));
    let why = parking(&Faulty::new(&machine, None), &other, None).expect_err("others wait for it");
    assert!(why[0].contains("is a thread of the kernel for which others"), "{why:?}");
    let card = scopes(&BOTH.replace("irq:can0", "napi:eth0"));
    let why = parking(&Faulty::new(&machine, None), &card, None).expect_err("it does not poll");
    assert!(why[0].contains("echo 1 > /sys/class/net/eth0/threaded"), "{why:?}");
}

/// What could not be seen of a thread of the kernel is no thread of a program.
#[test]
fn a_look_that_fails_parks_a_thread_of_the_kernel_as_such_or_not_at_all() {
    let (scopes, before) = (scopes(BOTH), machine());
    let whole = Faulty::new(&before, None);
    parking(&whole, &scopes, None).unwrap_or_else(|why| panic!("{why:?}"));
    let (calls, mut refused) = (whole.calls().len(), 0);
    for at in 0..calls {
        let kernel = Faulty::new(&before, Some((at, Fault::Refuse(libc::EIO))));
        let Ok(Parking { changes, .. }) = parking(&kernel, &scopes, None) else {
            refused += 1;
            continue;
        };
        let moves = |change: &Change| match change {
            Change::MoveProcess { process, .. } => process.thread == IRQ,
            Change::MoveThread { thread, .. } => thread.thread == IRQ,
            _ => false,
        };
        let lowers = |change: &Change| matches!(change, Change::SetPolicy { thread, .. } if thread.thread == IRQ);
        assert!(!changes.iter().any(moves) && changes.iter().any(lowers), "{}", kernel.at());
    }
    assert!(refused > calls / 2, "{refused} of {calls}");
}
