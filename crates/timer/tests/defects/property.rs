//! The properties, by the defect that breaks them.

use crate::machine::{Machine, SLOTS, Task, timer};
use crate::prototype::Defect;
use core::fmt::Debug;
use vorrang_timer::Class::{Deadline, Fair, RealTime, Stop};
use vorrang_timer::Clock::{Boottime, Monotonic, Realtime, Tai};

type Property = fn(&mut dyn Machine) -> Result<(), String>;

/// All properties.
pub(crate) const ALL: [(Defect, Property); 8] = [
    (Defect::RawExpiry, a_clock_is_told_apart_from_the_hardware),
    (Defect::StopBeforeExpiry, what_has_not_expired_is_still_programmed),
    (Defect::RestartAsInterrupted, a_restarted_timer_stays_as_urgent),
    (Defect::OwnPriority, inherited_urgency_counts),
    (Defect::UnboundedBatch, a_batch_at_a_switch_is_bounded_and_nothing_is_lost),
    (Defect::ListOfReader, a_list_shows_all_timers),
    (Defect::DeadlineOutOfBounds, deadline_and_stop_tasks_have_timers),
    (Defect::IdleAsNice, an_idle_core_handles_all_timers),
];

const ALL_AT_ONCE: u32 = SLOTS;

fn equal<T: PartialEq + Debug>(what: &str, is: &T, should: &T) -> Result<(), String> {
    if is == should { Ok(()) } else { Err(format!("{what}: {is:?} instead of {should:?}")) }
}

fn a_clock_is_told_apart_from_the_hardware(core: &mut dyn Machine) -> Result<(), String> {
    for (clock, offset) in [(Realtime, 1_000_000), (Boottime, 500), (Tai, 1_000_037)] {
        let (timer, task) = (timer(clock, 0), Task::of(RealTime(10)));
        core.set_clock(clock, offset);
        core.arm(timer, offset + 50, task, None);
        core.switch(10, task, ALL_AT_ONCE);
        equal("after a switch", &core.programmed(), &Some(50))?;
        core.set_clock(clock, offset - 20);
        equal("after the clock was set back", &core.programmed(), &Some(70))?;
        core.set_clock(clock, offset);
        equal("handled", &core.interrupt(50), &vec![timer])?;
        core.switch(50, Task::IDLE, ALL_AT_ONCE);
    }
    Ok(())
}

fn what_has_not_expired_is_still_programmed(core: &mut dyn Machine) -> Result<(), String> {
    let (tick, other) = (timer(Monotonic, 0), timer(Monotonic, 1));
    core.switch(0, Task::of(Fair(0)), ALL_AT_ONCE);
    core.arm(tick, 10, Task::KERNEL, Some(10));
    core.arm(other, 15, Task::of(RealTime(50)), None);
    equal("handled", &core.interrupt(10), &vec![tick])?;
    equal("after the tick", &core.programmed(), &Some(15))
}

fn a_restarted_timer_stays_as_urgent(core: &mut dyn Machine) -> Result<(), String> {
    let tick = timer(Monotonic, 0);
    core.switch(0, Task::of(Fair(0)), ALL_AT_ONCE);
    core.arm(tick, 10, Task::KERNEL, Some(10));
    core.interrupt(10);
    core.switch(12, Task::of(RealTime(50)), ALL_AT_ONCE);
    equal("the next tick", &core.programmed(), &Some(20))?;
    equal("handled", &core.interrupt(20), &vec![tick])
}

fn inherited_urgency_counts(core: &mut dyn Machine) -> Result<(), String> {
    let (middle, early, late) = (timer(Monotonic, 0), timer(Monotonic, 1), timer(Monotonic, 2));
    let owner = Task::of(Fair(0));
    let boosted = owner.inheriting(RealTime(80));
    core.switch(0, owner, ALL_AT_ONCE);
    core.arm(middle, 10, Task::of(RealTime(50)), None);
    core.arm(early, 20, owner, None);
    core.inherit(early, boosted);
    core.switch(1, boosted, ALL_AT_ONCE);
    core.arm(late, 30, boosted, None);
    equal("while it holds what is waited for", &core.programmed(), &Some(20))?;
    equal("its own, armed before", &core.interrupt(20), &vec![early])?;
    equal("its own, armed since", &core.programmed(), &Some(30))?;
    core.inherit(late, owner);
    equal("handled late", &core.switch(25, Task::of(RealTime(50)), ALL_AT_ONCE), &vec![middle])?;
    equal("after its release", &core.programmed(), &None)
}

fn a_batch_at_a_switch_is_bounded_and_nothing_is_lost(
    core: &mut dyn Machine,
) -> Result<(), String> {
    const LIMIT: u32 = 8;
    let task = Task::of(Fair(0));
    core.switch(0, Task::of(RealTime(50)), LIMIT);
    (0..SLOTS).for_each(|slot| core.arm(timer(Monotonic, slot), 10, task, None));
    let batch = core.switch(100, task, LIMIT).len();
    equal("handled at the switch", &batch, &(LIMIT as usize))?;
    let at_once = core.programmed().is_some_and(|at| at <= 100);
    equal("the hardware fires at once for the others", &at_once, &true)?;
    equal("the others", &core.interrupt(100).len(), &((SLOTS - LIMIT) as usize))
}

fn a_list_shows_all_timers(core: &mut dyn Machine) -> Result<(), String> {
    let owners = [Task::of(Fair(5)), Task::of(RealTime(3)), Task::KERNEL];
    for (slot, owner) in (0..).zip(owners) {
        core.arm(timer(Monotonic, slot), 10, owner, None);
    }
    for reader in owners {
        equal("timers listed", &core.listed(reader).len(), &owners.len())?;
    }
    Ok(())
}

fn deadline_and_stop_tasks_have_timers(core: &mut dyn Machine) -> Result<(), String> {
    for (class, now) in [(Deadline, 0), (Stop, 100)] {
        let (timer, task) = (timer(Monotonic, 0), Task::of(class));
        core.switch(now, task, ALL_AT_ONCE);
        core.arm(timer, now + 20, task, None);
        equal("while it runs", &core.programmed(), &Some(now + 20))?;
        core.switch(now + 5, Task::of(RealTime(99)), ALL_AT_ONCE);
        equal("while the highest priority runs", &core.programmed(), &Some(now + 20))?;
        equal("handled", &core.interrupt(now + 20), &vec![timer])?;
    }
    Ok(())
}

fn an_idle_core_handles_all_timers(core: &mut dyn Machine) -> Result<(), String> {
    let (held_back, later) = (timer(Monotonic, 0), timer(Monotonic, 1));
    core.switch(0, Task::of(RealTime(1)), ALL_AT_ONCE);
    core.arm(held_back, 10, Task::of(Fair(10)), None);
    core.arm(later, 30, Task::of(Fair(19)), None);
    equal("handled", &core.switch(20, Task::IDLE, ALL_AT_ONCE), &vec![held_back])?;
    equal("afterwards", &core.programmed(), &Some(30))
}
