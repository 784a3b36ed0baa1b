//! What an event says, noted in the schedule.

use super::super::line::{Line, Thread};
use super::super::{Event, Guest, Inherited, Routine, Run, Schedule, Wakeup, What};

/// The state of a processor while the trace is read.
#[derive(Default)]
pub(super) struct Processor {
    /// Its first event, and its last so far.
    pub(super) first: u64,
    pub(super) last: u64,
    /// A thread, its name, and since when it has the processor.
    pub(super) running: Option<(u32, String, u64)>,
    /// Its last switch.
    change: Option<Change>,
    pub(super) routines: Vec<(u32, String, u64)>,
    pub(super) vectors: Vec<(u32, String, u64)>,
    soft: Vec<(u32, String, u64)>,
    guest: Option<(u32, u64)>,
}

impl Processor {
    pub(super) fn begins(first: u64) -> Self {
        Self { first, ..Self::default() }
    }
}

/// A switch, from which thread to which.
#[derive(Clone, Copy)]
struct Change {
    threads: (u32, u32),
    /// Whether an event said so, and not a line of a wakeup tracer.
    is_of_event: bool,
}

impl Change {
    fn is_repeated_by(self, next: Self) -> bool {
        self.threads == next.threads && self.is_of_event != next.is_of_event
    }
}

/// Whether an event was of use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    Nothing,
    Something,
}

/// Notes an event; `None` if a value of it is missing.
pub(super) fn told(
    event: &Line<'_>,
    processor: &mut Processor,
    schedule: &mut Schedule,
) -> Option<Told> {
    match event.name {
        "" => return None,
        "sched_switch" => switch(event, processor, schedule)?,
        "sched_waking" => wakeup(event, schedule, What::Waking)?,
        "sched_wakeup" | "sched_wakeup_new" => wakeup(event, schedule, What::Woken)?,
        "sched_pi_setprio" => inherits(event, schedule)?,
        "irq_handler_entry" => {
            let name = event.value(" name=", "")?.to_owned();
            let number = event.value("irq=", " name=")?.parse().ok()?;
            processor.routines.push((number, name, event.at));
        }
        "irq_handler_exit" => {
            let ended = event.value("irq=", " ret=")?.parse().ok()?;
            let known = &mut processor.routines;
            schedule.routines.extend(ends(known, ended, event));
        }
        "softirq_entry" => {
            let name = event.value("action=", "]")?.to_owned();
            processor.soft.push((event.number("vec=")?, name, event.at));
        }
        "softirq_exit" => {
            schedule.soft.extend(ends(&mut processor.soft, event.number("vec=")?, event));
        }
        "kvm_entry" => {
            let thread = processor.running.as_ref().map_or(0, |(thread, ..)| *thread);
            processor.guest = Some((thread, event.at));
        }
        "kvm_exit" => leaves_guest(event, processor, schedule),
        name => return Some(vector(name, event, processor, schedule)),
    }
    Some(Told::Something)
}

fn switch(event: &Line<'_>, processor: &mut Processor, schedule: &mut Schedule) -> Option<()> {
    let switch = event.switch()?;
    let Line { at, cpu, .. } = *event;
    let change = Change {
        threads: (switch.previous.number, switch.next.number),
        is_of_event: switch.previous.name.is_some(),
    };
    // The wakeup tracers print again what an event says.
    let last = processor.change.replace(change);
    if last.is_some_and(|last| last.is_repeated_by(change)) {
        return Some(());
    }
    leaves_guest(event, processor, schedule);
    let thread = switch.previous.number;
    seen(&switch.previous, schedule);
    schedule.had.entry((thread, switch.previous.priority)).or_insert(at);
    if let Some((running, name, begin)) = processor.running.take()
        && running == thread
    {
        let preempted = switch.preempted;
        schedule.runs.push(Run { cpu, thread, name, begin, end: at, preempted });
    }
    schedule.events.push(Event { at, cpu, thread, what: What::Goes(switch.left) });
    let Thread { number: thread, priority, .. } = switch.next;
    seen(&switch.next, schedule);
    schedule.priorities.insert(thread, priority);
    schedule.had.entry((thread, priority)).or_insert(at);
    schedule.events.push(Event { at, cpu, thread, what: What::Comes });
    processor.running = Some((thread, schedule.names[&thread].clone(), at));
    Some(())
}

/// Notes the name of a thread; the wakeup tracers do not name all.
fn seen(thread: &Thread<'_>, schedule: &mut Schedule) {
    match thread.name {
        Some(name) => drop(schedule.names.insert(thread.number, name.to_owned())),
        None => drop(schedule.names.entry(thread.number).or_insert_with(|| "<...>".to_owned())),
    }
}

fn wakeup(event: &Line<'_>, schedule: &mut Schedule, what: What) -> Option<()> {
    let (woken, cpu) = event.woken()?;
    let cpu = cpu.unwrap_or(event.cpu);
    let thread = woken.number;
    seen(&woken, schedule);
    schedule.events.push(Event { at: event.at, cpu, thread, what });
    if what == What::Woken {
        let name = schedule.names[&thread].clone();
        schedule.wakeups.push(Wakeup { at: event.at, thread, name, cpu });
    }
    Some(())
}

/// Only what raises a priority: what is given back is known.
fn inherits(event: &Line<'_>, schedule: &mut Schedule) -> Option<()> {
    let inherits = event.inherits()?;
    if inherits.new < inherits.own {
        let (at, thread, priority) = (event.at, inherits.thread, inherits.new);
        schedule.inherited.push(Inherited { at, thread, priority });
    }
    Some(())
}

/// A routine that ended; one that began before the trace did has no beginning.
fn ends(open: &mut Vec<(u32, String, u64)>, ended: u32, event: &Line<'_>) -> Option<Routine> {
    let (interrupt, name, begin) = open.pop_if(|(known, ..)| *known == ended)?;
    Some(Routine { cpu: event.cpu, interrupt, name, begin, end: event.at })
}

/// A guest is left, by its exit or because its thread is.
fn leaves_guest(event: &Line<'_>, processor: &mut Processor, schedule: &mut Schedule) {
    if let Some((thread, begin)) = processor.guest.take() {
        schedule.guests.push(Guest { cpu: event.cpu, thread, begin, end: event.at });
    }
}

/// `local_timer_entry: vector=236` and its like.
fn vector(
    name: &str,
    event: &Line<'_>,
    processor: &mut Processor,
    schedule: &mut Schedule,
) -> Told {
    let Some(number) = event.number("vector=") else { return Told::Nothing };
    if let Some(name) = name.strip_suffix("_entry") {
        processor.vectors.push((number, name.to_owned(), event.at));
    } else if name.ends_with("_exit") {
        schedule.vectors.extend(ends(&mut processor.vectors, number, event));
    }
    Told::Something
}
