//! A description with both kinds of cores takes the place of another one: refused and killed at every call, and cut off at every
//! line of the journal.
//!
//! **What holds.** Refused, or killed and tried again, the machine is as it was with the first description; restored, as it was
//! without any.

use crate::faulty::{Call, Fault, Faulty};
use crate::machine::Machine;
use crate::place::Place;
use crate::task::Task;
use crate::{BOTH, LOOK, assert_restored, machine_of};
use std::collections::BTreeSet;
use vorrang_enforce::journal::{self, Described, Entries, Found, Head, Journal};
use vorrang_enforce::{Kernel, Plan, Policy, following, sample};
use vorrang_host::changes::{Parking, parking};
use vorrang_host::in_place::{Kept, New, begin, settle, undo_since};
use vorrang_host::of_linux::{self, faults, part, planned};
use vorrang_host::park;
use vorrang_host::scope::Scope;
use vorrang_model::{Format, System, read};

/// A core of Linux with these reservations, in microseconds of every 10 ms, and a priority.
fn of_linux(reserved: &[(&str, u32)], priority: u32) -> String {
    let core = "[core.1]\nscheduler = \"linux\"\ncpu = 2\n".to_owned();
    let server = |text: String, (name, budget): &(&str, u32)| {
        text + &format!(
            "[server.{name}]\non = \"core.1\"\nserver = \"sched-deadline\"\nbudget = \"{budget}us\"\nperiod = \"10ms\"\n\
             thread = \"name:{name}\"\n"
        )
    };
    reserved.iter().fold(core, server)
        + &format!(
            "[task.slow]\non = \"core.1\"\nwcet = \"1ms\"\nperiod = \"1s\"\npriority = {priority}\nthread = \"name:slow\"\n"
        )
}

/// One grows by what another one shrinks by, one is gone, and one is new.
pub(crate) fn first() -> String {
    format!("{BOTH}{}", of_linux(&[("fast", 3000), ("big", 5000), ("gone", 500)], 60))
}

pub(crate) fn second() -> String {
    let extra = "[server.extra]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"1ms\"\nperiod = \"20ms\"\npriority = 1\n\
                 thread = \"name:extra\"\n";
    let guest = BOTH.split("[server.irq]").next().expect("the virtual machine");
    format!("{guest}{extra}{}", of_linux(&[("fast", 5000), ("big", 3000), ("new", 500)], 50))
}

pub(crate) fn machine() -> Machine {
    let all = [0, 1, 2, 3];
    let mut machine = machine_of(4);
    for (number, name) in [(300, "fast"), (320, "big"), (340, "new"), (400, "extra")] {
        machine.add(Task::new(number, number, name, &all));
    }
    machine.add(Task::new(330, 331, "sibling", &all));
    for (number, name) in [(310, "slow"), (330, "gone")] {
        machine.add(Task { asleep: true, ..Task::new(number, number, name, &all) });
    }
    machine
}

/// What is done for a description.
pub(crate) struct Planned {
    plan: Plan,
    scopes: Vec<Scope>,
    parking: Parking,
    kept: Kept,
}

pub(crate) fn planned_on(
    kernel: &dyn Kernel,
    text: &str,
    before: Option<&Entries>,
) -> Result<Planned, Vec<String>> {
    let system: System = read(text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}"));
    let whole = planned(kernel, &system).unwrap_or_else(|why| panic!("{why:?}")).expect("of both");
    let scopes = Scope::all(&system, LOOK).unwrap_or_else(|why| panic!("{why:?}"));
    // Those of the dispatched core of the first description.
    let run = before.map(|_| BTreeSet::from([101, crate::IRQ]));
    let parking = parking(kernel, &scopes, run.as_ref())?;
    let found = faults(kernel, &whole, &parking);
    if !found.is_empty() {
        return Err(found);
    }
    let plan =
        before.map_or_else(|| Ok(whole.clone()), |before| following(kernel, &whole, before))?;
    let kept = Kept::of(Some(&whole), &parking, &scopes.iter().collect::<Vec<_>>());
    Ok(Planned { plan, scopes, parking, kept })
}

pub(crate) fn entries(machine: &Machine, place: &Place) -> Entries {
    let found = journal::read(&place.file(), &Faulty::new(machine, None)).expect("it is read");
    let Found::Journal(entries) = found else { panic!("{found:?}") };
    *entries
}

/// The machine with the first description.
fn with_first(place: &Place) -> Machine {
    with(&first(), place)
}

/// The machine with a description.
pub(crate) fn with(text: &str, place: &Place) -> Machine {
    let mut kernel = Faulty::new(&machine(), None);
    let Planned { plan, scopes, parking, .. } =
        planned_on(&kernel, text, None).expect("it is as described");
    let head = Head::of(&kernel, Described::new("first", "1", "proven")).expect("nothing fails");
    let mut journal = Journal::begin(&place.file(), &head).expect("nothing fails");
    of_linux::make(&mut kernel, (&head, &mut journal), Some(&plan)).expect("nothing fails");
    let scopes: Vec<&Scope> = scopes.iter().collect();
    park::make(&mut kernel, &mut journal, &parking, &scopes).expect("nothing fails");
    kernel.machine.into_inner()
}

/// As the program does it, up to where dispatchers give way.
fn begun(
    kernel: &mut dyn Kernel,
    place: &Place,
    before: &Entries,
    new: &Planned,
) -> Result<(), String> {
    let scopes: Vec<&Scope> = new.scopes.iter().collect();
    let Planned { plan, parking, .. } = new;
    begin(kernel, (&place.file(), before), New { plan: Some(plan), parking, scopes: &scopes })
}

fn settled(kernel: &mut dyn Kernel, place: &Place, new: &Planned) -> Vec<String> {
    let described = Described::new("second", "2", "proven");
    settle(kernel, &place.file(), &described, &new.kept).expect("the journal is there")
}

pub(crate) fn changed(
    kernel: &mut dyn Kernel,
    place: &Place,
    before: &Entries,
    new: &Planned,
) -> Result<(), String> {
    begun(kernel, place, before, new)?;
    assert_eq!(settled(kernel, place, new), [""; 0]);
    Ok(())
}

/// The names, and budgets or priorities, that are shown of cores of Linux.
fn shown(machine: &Machine, place: &Place) -> Vec<(String, u64, bool)> {
    let part = part(&entries(machine, place)).expect("it has one");
    let samples = sample(&Faulty::new(machine, None), &part).expect("nothing fails");
    let row = |one: vorrang_enforce::Sample| {
        let Policy { runtime, priority, .. } = one.policy;
        Some((one.label?, if runtime > 0 { runtime } else { priority.into() }, one.holds))
    };
    let mut rows: Vec<_> = samples.into_iter().filter_map(row).collect();
    rows.sort();
    rows
}

fn row(name: &str, number: u64) -> (String, u64, bool) {
    (name.to_owned(), number, true)
}

#[test]
fn a_description_takes_the_place_of_another_one_and_back() {
    let place = Place::new();
    let mut machine = with_first(&place);
    let rows = |fast, big, other, slow| {
        let [fast, big] = [row("server.fast", fast), row("server.big", big)];
        let mut rows = vec![big, fast, row(other, 500_000), row("task.slow", slow)];
        rows.sort();
        rows
    };
    let one = rows(3_000_000, 5_000_000, "server.gone", 60);
    let other = rows(5_000_000, 3_000_000, "server.new", 50);
    assert_eq!(shown(&machine, &place), one);
    for _ in 0..3 {
        for (text, expected) in [(second(), &other), (first(), &one)] {
            let mut kernel = Faulty::new(&machine, None);
            let before = entries(&machine, &place);
            let new = planned_on(&kernel, &text, Some(&before)).expect("it can take its place");
            changed(&mut kernel, &place, &before, &new).expect("nothing fails");
            machine = kernel.machine.into_inner();
            assert_eq!(&shown(&machine, &place), expected);
        }
    }
    assert_eq!(machine.tasks[&400].group, crate::groups::ROOT, "it is run no more");
    assert_eq!(machine.tasks[&340].policy, Policy::default());
    assert_restored(&machine, &self::machine(), &place, "after six changes");
}

#[test]
fn what_is_new_is_all_that_is_changed() {
    let place = Place::new();
    let machine = with_first(&place);
    let kernel = Faulty::new(&machine, None);
    let before = entries(&machine, &place);
    let same = planned_on(&kernel, &first(), Some(&before)).expect("it is the same");
    assert_eq!(same.plan.steps, []);
    let new = planned_on(&kernel, &second(), Some(&before)).expect("it can take its place");
    let steps: Vec<String> = new.plan.steps.iter().map(|step| step.intent.exact()).collect();
    let place_of = |part: &str| steps.iter().position(|step| step.contains(part)).expect(part);
    let (big, fast) = (place_of("sched_setattr(320, "), place_of("sched_setattr(300, "));
    assert!(big < fast, "what shrinks comes first: {steps:#?}");
    assert!(place_of("sched_setattr(310, SCHED_FIFO, priority 50") < fast, "{steps:#?}");
    assert!(!steps.iter().any(|step| step.contains("mkdir")), "{steps:#?}");
}

/// Killed and tried again is what was there before; so is refused.
#[test]
fn killed_or_refused_at_any_call_it_is_as_before_and_is_restored() {
    let place = Place::new();
    let machine = with_first(&place);
    let (journal, before) = (place.text(), entries(&machine, &place));
    let new = planned_on(&Faulty::new(&machine, None), &second(), Some(&before)).expect("it can");
    let mut kernel = Faulty::new(&machine, None);
    begun(&mut kernel, &place, &before, &new).expect("nothing fails");
    let mut tried = 0;
    for (at, &call) in kernel.calls().iter().enumerate() {
        let refused = if call == Call::Look { libc::EIO } else { libc::EPERM };
        for fault in [Fault::Refuse(refused), Fault::KillBefore, Fault::KillBehind] {
            place.write(&journal);
            let mut kernel = Faulty::new(&machine, Some((at, fault)));
            let ended = kernel.run(|kernel| begun(kernel, &place, &before, &new));
            let what = format!("call {at}, {}, {fault:?}", kernel.at());
            let (now, text) = (kernel.machine.into_inner(), place.text());
            assert_restored(&now, &self::machine(), &place, &what);
            tried += 1;
            if let Some(Ok(())) = ended {
                continue;
            }
            place.write(&text);
            let mut kernel = Faulty::new(&now, None);
            let left = undo_since(&mut kernel, &place.file(), before.changes.len());
            assert_eq!(left, [""; 0], "{what}");
            kernel.wait();
            let now = kernel.machine.into_inner();
            assert_eq!(now.state(), machine.state(), "{what}: as before");
            assert_restored(&now, &self::machine(), &place, &what);
        }
    }
    assert!(tried > 150, "{tried}");
}

#[test]
fn in_effect_it_is_restored_wherever_it_is_killed_or_refused() {
    let place = Place::new();
    let machine = with_first(&place);
    let before = entries(&machine, &place);
    let mut kernel = Faulty::new(&machine, None);
    let new = planned_on(&kernel, &second(), Some(&before)).expect("it can");
    begun(&mut kernel, &place, &before, &new).expect("nothing fails");
    let (machine, journal) = (kernel.machine.into_inner(), place.text());
    let mut whole = Faulty::new(&machine, None);
    assert_eq!(settled(&mut whole, &place, &new), [""; 0]);
    for (at, &call) in whole.calls().iter().enumerate() {
        let refused = if call == Call::Look { libc::EIO } else { libc::EPERM };
        for fault in [Fault::Refuse(refused), Fault::KillBefore, Fault::KillBehind] {
            place.write(&journal);
            let mut kernel = Faulty::new(&machine, Some((at, fault)));
            let described = Described::new("second", "2", "proven");
            let _it_may_fail =
                kernel.run(|kernel| settle(kernel, &place.file(), &described, &new.kept).is_ok());
            let what = format!("call {at}, {}, {fault:?}", kernel.at());
            assert_restored(&kernel.machine.into_inner(), &self::machine(), &place, &what);
        }
    }
    // Killed before the first change of the machine, so everything in between is of the journal alone.
    let first = whole.calls().iter().position(|call| *call == Call::Change).expect("one");
    place.write(&journal);
    let mut kernel = Faulty::new(&machine, Some((first, Fault::KillBefore)));
    assert!(kernel.run(|kernel| settled(kernel, &place, &new)).is_none());
    let text = place.text();
    let mut lines = 0;
    for end in (journal.len()..=text.len()).filter(|&end| text[end - 1] == b'\n') {
        place.write(&text[..end]);
        assert_restored(&machine, &self::machine(), &place, &format!("the journal ends at {end}"));
        lines += 1;
    }
    assert!(lines > 8, "{lines}");
}

#[test]
fn what_does_not_change_while_it_is_run_is_refused() {
    let place = Place::new();
    let machine = with_first(&place);
    let before = entries(&machine, &place);
    let refused = |text: &str| {
        planned_on(&Faulty::new(&machine, None), text, Some(&before)).map(|_| ()).expect_err(text)
    };
    let other = refused(&first().replace("cpu = 2", "cpu = 3"));
    assert!(other[0].contains("stay the same while they are in effect"), "{other:?}");
    let shielded = refused(&first().replace("cpu = 2", "cpu = 2\ntimers = \"timershield\""));
    assert!(shielded[0].starts_with("what is shielded from timers stays"), "{shielded:?}");
    let lent = refused(
        &second().replace("name:new", "name:vcpu").replace("process:guest/vcpu", "name:other"),
    );
    assert!(lent[0].starts_with("vcpu (101) is in /sys/fs/cgroup/vorrang-host/parked"), "{lent:?}");
    let reserved = refused(&second().replace("name:extra", "name:sibling"));
    assert!(reserved[0].starts_with("sibling (331) is in /sys/fs/cgroup/vorrang,"), "{reserved:?}");
}
