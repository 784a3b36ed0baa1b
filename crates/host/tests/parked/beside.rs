//! A core of Linux beside a dispatched one: the plan of the one and the changes that park the threads of the other, in one
//! journal, killed and refused at every call.

use crate::faulty::{Call, Fault, Faulty};
use crate::groups;
use crate::machine::Machine;
use crate::place::Place;
use crate::task::Task;
use crate::{BOTH, LOOK, assert_restored, machine_of};
use std::collections::BTreeMap;
use vorrang_enforce::journal::{self, Described, Found, Head, Journal};
use vorrang_enforce::{Kernel, Plan, Policy, restore};
use vorrang_host::changes::{Parking, parking};
use vorrang_host::of_linux::{self, faults, part, planned};
use vorrang_host::park;
use vorrang_host::scope::Scope;
use vorrang_model::{Format, System, read};

/// A reservation and a priority on a processor of Linux.
const LINUX: &str = r#"
[core.1]
scheduler = "linux"
cpu = 2
[server.fast]
on = "core.1"
server = "sched-deadline"
budget = "3ms"
period = "10ms"
thread = "name:fast"
[task.slow]
on = "core.1"
wcet = "1ms"
period = "1s"
priority = 60
thread = "name:slow"
"#;

/// Processor 1 is dispatched, and 2 is the kernel's own.
fn before(cpus: u32) -> Machine {
    let all: Vec<u32> = (0..cpus).collect();
    let mut machine = machine_of(cpus);
    machine.add(Task::new(300, 300, "fast", &all));
    machine.add(Task { asleep: true, ..Task::new(310, 310, "slow", &all) });
    machine
}

pub(crate) struct Case {
    system: System,
    pub(crate) before: Machine,
    plan: Plan,
    scopes: Vec<Scope>,
    parking: Parking,
}

pub(crate) fn case(text: &str, before: Machine) -> Case {
    let system = read(text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}"));
    let kernel = Faulty::new(&before, None);
    let plan = planned(&kernel, &system).unwrap_or_else(|why| panic!("{why:?}")).expect("of both");
    let scopes = Scope::all(&system, LOOK).unwrap_or_else(|why| panic!("{why:?}"));
    let parking = parking(&kernel, &scopes, None).unwrap_or_else(|why| panic!("{why:?}"));
    Case { system, before, plan, scopes, parking }
}

fn both() -> Case {
    case(&format!("{BOTH}{LINUX}"), before(4))
}

/// The same, and no timer of what is less urgent interrupts what is on the processor of Linux.
fn shielded() -> Case {
    let linux = LINUX.replace("cpu = 2", "cpu = 2\ntimers = \"timershield\"");
    case(&format!("{BOTH}{linux}"), before(4))
}

impl Case {
    fn kernel(&self) -> Faulty {
        Faulty::new(&self.before, None)
    }

    /// As the program does it.
    fn made(&self, kernel: &mut dyn Kernel, place: &Place) -> Result<(), String> {
        let said = |why: std::io::Error| why.to_string();
        let head = Head::of(kernel, Described::new("system.toml", "0", "proven")).map_err(said)?;
        let mut journal = Journal::begin(&place.file(), &head).map_err(said)?;
        of_linux::make(kernel, (&head, &mut journal), Some(&self.plan))?;
        park::make(kernel, &mut journal, &self.parking, &self.scopes.iter().collect::<Vec<_>>())
    }

    /// What is there when nothing fails, and the calls until then.
    pub(crate) fn whole(&self, place: &Place) -> (Machine, Vec<Call>) {
        let mut kernel = Faulty::new(&self.before, None);
        self.made(&mut kernel, place).expect("nothing fails");
        let calls = kernel.calls();
        (kernel.machine.into_inner(), calls)
    }
}

#[test]
fn each_processor_is_had_by_one_of_them() {
    let (case, place) = (both(), Place::new());
    let (machine, _) = case.whole(&place);
    let fast = &machine.tasks[&300];
    assert_eq!(
        (fast.policy.policy, fast.group.as_str()),
        (Policy::DEADLINE, "/sys/fs/cgroup/vorrang/cpu2")
    );
    assert_eq!(machine.tasks[&310].policy, Policy::fifo(60));
    assert_eq!(machine.tasks[&101].group, "/sys/fs/cgroup/vorrang-host/parked");
    assert!(!machine.groups.contains_key("/sys/fs/cgroup/vorrang/cpu1"), "it is no partition");
    assert_eq!(machine.effective(groups::ROOT), [0, 1, 3], "it stays in the first domain");
    let cpus: BTreeMap<u32, &[u32]> =
        machine.irqs.iter().map(|(number, irq)| (*number, &*irq.cpus)).collect();
    assert_eq!(cpus, BTreeMap::from([(24, &[0, 3][..]), (25, &[1])]), "one is the server's");
    assert_eq!(case.plan.doubts, [""; 0]);
    let Ok(Found::Journal(entries)) = journal::read(&place.file(), &Faulty::new(&machine, None))
    else {
        panic!()
    };
    let of_linux = part(&entries).expect("it has one");
    let sampled =
        vorrang_enforce::sample(&Faulty::new(&machine, None), &of_linux).expect("nothing fails");
    let labels: Vec<&str> = sampled.iter().filter_map(|one| one.label.as_deref()).collect();
    assert_eq!(labels, ["server.fast", "task.slow"], "what is lent to is shown by its accounts");
    assert_restored(&machine, &case.before, &place, "both");
}

#[test]
fn both_killed_or_refused_at_any_call_are_restored() {
    killed_or_refused_at_any_call(&both());
}

#[test]
fn shielded_timers_killed_or_refused_at_any_call_are_restored() {
    killed_or_refused_at_any_call(&shielded());
}

pub(crate) fn killed_or_refused_at_any_call(case: &Case) {
    let (whole, calls) = case.whole(&Place::new());
    let mut tried = 0;
    for (at, &call) in calls.iter().enumerate() {
        let refused = if call == Call::Look { libc::EIO } else { libc::EPERM };
        for fault in [Fault::Refuse(refused), Fault::KillBefore, Fault::KillBehind] {
            let place = Place::new();
            let mut kernel = Faulty::new(&case.before, Some((at, fault)));
            let ended = kernel.run(|kernel| case.made(kernel, &place));
            let what = format!("call {at}, {}, {fault:?}", kernel.at());
            let machine = kernel.machine.into_inner();
            // The kernel may keep an interrupt where it is.
            if let Some(Ok(())) = ended
                && !what.contains("/proc/irq/")
            {
                assert_eq!(machine.state(), whole.state(), "{what}: it says that all is done");
            }
            assert_restored(&machine, &case.before, &place, &what);
            tried += 1;
        }
    }
    assert!(tried > 150, "{tried}");
}

#[test]
fn restoring_both_killed_or_refused_at_any_call_is_done_again() {
    restored_in_spite_of_any_call(&both());
}

#[test]
fn restoring_shielded_timers_killed_or_refused_at_any_call_is_done_again() {
    restored_in_spite_of_any_call(&shielded());
}

pub(crate) fn restored_in_spite_of_any_call(case: &Case) {
    let place = Place::new();
    let (after, _) = case.whole(&place);
    let journal = place.text();
    let mut whole = Faulty::new(&after, None);
    restore(&mut whole, &place.file()).expect("nothing fails");
    for (at, &call) in whole.calls().iter().enumerate() {
        let refused = if call == Call::Look { libc::EIO } else { libc::EPERM };
        for fault in [Fault::Refuse(refused), Fault::KillBefore, Fault::KillBehind] {
            place.write(&journal);
            let mut kernel = Faulty::new(&after, Some((at, fault)));
            let ended = kernel.run(|kernel| restore(kernel, &place.file()));
            let is_refused = matches!(fault, Fault::Refuse(_));
            assert_eq!(ended.is_some(), is_refused, "call {at}, {fault:?}");
            let what = format!("call {at}, {}, {fault:?}", kernel.at());
            let machine = kernel.machine.into_inner();
            // What was refused may not matter, where it is undone by what comes behind.
            if place.file().exists() {
                assert_restored(&machine, &case.before, &place, &what);
            } else {
                let kernel = Faulty::new(&machine, None);
                kernel.wait();
                assert_eq!(kernel.machine.into_inner().state(), case.before.state(), "{what}");
            }
        }
    }
}

/// What could not be seen is refused, or planned so that it is undone as well.
#[test]
fn both_planned_where_a_look_fails_are_restored() {
    let whole = both();
    let planned_on = |kernel: &Faulty| {
        let plan = planned(kernel, &whole.system).ok()?.expect("of both");
        let parking = parking(kernel, &whole.scopes, None).ok()?;
        faults(kernel, &plan, &parking).is_empty().then_some((plan, parking))
    };
    let kernel = whole.kernel();
    planned_on(&kernel).expect("nothing fails");
    let (calls, mut refused) = (kernel.calls().len(), 0);
    for at in 0..calls {
        let kernel = Faulty::new(&whole.before, Some((at, Fault::Refuse(libc::EIO))));
        let planned = planned_on(&kernel);
        let what = format!("call {at}, {}", kernel.at());
        let Some((plan, parking)) = planned else {
            refused += 1;
            continue;
        };
        let (system, scopes) = (whole.system.clone(), whole.scopes.clone());
        let (case, place) =
            (Case { system, scopes, plan, parking, before: before(4) }, Place::new());
        let mut kernel = case.kernel();
        let _may_be_refused = case.made(&mut kernel, &place);
        assert_restored(&kernel.machine.into_inner(), &case.before, &place, &what);
    }
    assert!(refused > calls / 2, "{refused} of {calls}");
}

/// The module is loaded, and gone when both are restored.
#[test]
fn timers_are_shielded_beside_a_dispatched_core() {
    let (case, place) = (shielded(), Place::new());
    let (machine, _) = case.whole(&place);
    assert_eq!(machine.shield.as_ref().map(|(cpus, ..)| cpus.as_slice()), Some(&[2][..]));
    assert_restored(&machine, &case.before, &place, "shielded");
}

#[test]
fn a_process_on_both_kinds_of_cores_is_refused() {
    let text = format!("{BOTH}{}", LINUX.replace("name:slow", "process:guest/other"));
    let mut machine = before(4);
    machine.add(Task::new(100, 102, "other", &[0, 1, 2, 3]));
    let of_both = case(&text, machine);
    let said = faults(&of_both.kernel(), &of_both.plan, &of_both.parking);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("process 100 (with thread vcpu)"), "{said:?}");
    let both = both();
    assert_eq!(faults(&both.kernel(), &both.plan, &both.parking), [""; 0]);
}

/// Interrupts have to go somewhere, and no bound of a dispatched core counts them.
#[test]
fn without_a_processor_for_everything_else_interrupts_are_doubted() {
    let text = format!("{BOTH}{LINUX}").replace("cpu = 1", "cpu = 0").replace("cpu = 2", "cpu = 1");
    let case = case(&text, before(2));
    assert!(
        case.plan.doubts.iter().any(|one| one.contains("(0) is dispatched")),
        "{:?}",
        case.plan.doubts
    );
    let (machine, _) = case.whole(&Place::new());
    assert_eq!(machine.irqs[&24].cpus, [0]);
    assert_eq!(case.system.cores().count(), 2);
}
