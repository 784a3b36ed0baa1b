//! The text of a trace, line by line, becomes a [`Schedule`].

use super::line::Line;
use super::{Event, Guest, Routine, Run, Schedule, Wakeup, What};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A line that is no event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong.
    pub why: &'static str,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

/// The state of a processor while the trace is read.
#[derive(Default)]
struct Processor {
    /// Its first event, and its last so far.
    first: u64,
    last: u64,
    /// A thread, its name, and since when it has the processor.
    running: Option<(u32, String, u64)>,
    routines: Vec<(u32, String, u64)>,
    vectors: Vec<(u32, String, u64)>,
    soft: Vec<(u32, String, u64)>,
    guest: Option<(u32, u64)>,
}

/// Events that are kept at most, with what is known of each: some 350 MB.
pub const MOST_EVENTS: usize = 2_000_000;

/// Reads a trace. Its memory grows with the events that it stores only.
#[derive(Default)]
pub struct Reader {
    schedule: Schedule,
    processors: BTreeMap<usize, Processor>,
    lines: usize,
    has_time: bool,
}

impl Reader {
    /// The next line.
    ///
    /// # Errors
    /// It is no event, or says that the kernel lost some.
    pub fn line(&mut self, line: &str) -> Result<(), Malformed> {
        self.lines += 1;
        let line_number = self.lines;
        let malformed = |why| Malformed { line: line_number, why };
        if let Some(counts) = line.strip_prefix("# entries-in-buffer/entries-written:") {
            self.schedule.is_cut |= is_overwritten(counts);
        }
        let says_nothing = line.starts_with('#')
            || line.trim().is_empty()
            // How trace-cmd begins.
            || line.starts_with("cpus=")
            || line.starts_with("version = ");
        if says_nothing {
            return Ok(());
        }
        let event = Line::of(line).ok_or_else(|| malformed(why_none(line)))?;
        self.event(&event).map_err(malformed)
    }

    fn event(&mut self, event: &Line<'_>) -> Result<(), &'static str> {
        let schedule = &mut self.schedule;
        if schedule.events.len() + schedule.guests.len() >= MOST_EVENTS
            || schedule.routines.len() + schedule.vectors.len() + schedule.soft.len() >= MOST_EVENTS
        {
            return Err("these are more events than are kept: trace a shorter time");
        }
        if !self.has_time {
            (schedule.begin, schedule.end) = (event.at, event.at);
            schedule.resolution = event.resolution;
            self.has_time = true;
        }
        schedule.begin = schedule.begin.min(event.at);
        schedule.end = schedule.end.max(event.at);
        schedule.resolution = schedule.resolution.max(event.resolution);
        let processor = self
            .processors
            .entry(event.cpu)
            .or_insert_with(|| Processor { first: event.at, ..Processor::default() });
        if event.at < processor.last {
            return Err("the time of this processor goes back");
        }
        processor.last = event.at;
        told(event, processor, schedule).ok_or("a value of the event is missing")
    }

    /// What was read.
    pub fn finish(self) -> Schedule {
        let Self { mut schedule, processors, .. } = self;
        let end = schedule.end;
        for (&cpu, processor) in &processors {
            for (interrupt, name, begin) in processor.routines.iter().chain(&processor.vectors) {
                let (interrupt, name, begin) = (*interrupt, name.clone(), *begin);
                schedule.unfinished_routines.push(Routine { cpu, interrupt, name, begin, end });
            }
            if let Some((thread, name, begin)) = processor.running.clone() {
                schedule.unfinished.push(Run { cpu, thread, name, begin, end, preempted: false });
            }
        }
        if schedule.is_cut {
            let begin = processors.values().map(|processor| processor.first).max();
            schedule.begin_at(begin.unwrap_or(schedule.begin));
        }
        schedule.runs.sort_by_key(|run| (run.begin, run.cpu));
        schedule.wakeups.sort_by_key(|wakeup| wakeup.at);
        schedule.events.sort_by_key(|event| event.at);
        for routines in [&mut schedule.routines, &mut schedule.vectors, &mut schedule.soft] {
            routines.sort_by_key(|routine| (routine.end, routine.cpu));
        }
        schedule
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("lines", &self.lines).finish_non_exhaustive()
    }
}

impl Schedule {
    /// Forgets what was before an instant.
    fn begin_at(&mut self, begin: u64) {
        self.begin = begin;
        self.events.retain(|event| event.at >= begin);
        self.wakeups.retain(|wakeup| wakeup.at >= begin);
        self.runs.retain(|run| run.begin >= begin);
        self.unfinished.retain(|run| run.begin >= begin);
        self.guests.retain(|guest| guest.begin >= begin);
        for routines in
            [&mut self.routines, &mut self.vectors, &mut self.soft, &mut self.unfinished_routines]
        {
            routines.retain(|routine| routine.begin >= begin);
        }
    }
}

impl FromStr for Schedule {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let mut reader = Reader::default();
        text.lines().try_for_each(|line| reader.line(line))?;
        Ok(reader.finish())
    }
}

/// Why a line is no event: tracefs, trace-cmd and perf say that they lost some, each in its words.
fn why_none(line: &str) -> &'static str {
    let is_of_buffer = line.contains("EVENTS");
    let dropped = is_of_buffer && (line.contains("[LOST") || line.contains("DROPPED]"));
    if dropped || line.contains("PERF_RECORD_LOST") {
        "the kernel lost events"
    } else {
        "this is no event"
    }
}

/// `213/400   #P:1`: fewer are left than were written.
fn is_overwritten(counts: &str) -> bool {
    let numbers = counts.split_whitespace().next().and_then(|counts| counts.split_once('/'));
    numbers.is_some_and(|(left, written)| left != written)
}

/// Notes an event; `None` if a value of it is missing.
fn told(event: &Line<'_>, processor: &mut Processor, schedule: &mut Schedule) -> Option<()> {
    match event.name {
        "sched_switch" => switch(event, processor, schedule)?,
        "sched_waking" => wakeup(event, schedule, What::Waking)?,
        "sched_wakeup" | "sched_wakeup_new" => wakeup(event, schedule, What::Woken)?,
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
        name => vector(name, event, processor, schedule),
    }
    Some(())
}

fn switch(event: &Line<'_>, processor: &mut Processor, schedule: &mut Schedule) -> Option<()> {
    let switch = event.switch()?;
    let Line { at, cpu, .. } = *event;
    leaves_guest(event, processor, schedule);
    let (thread, last_name) = switch.previous;
    schedule.names.insert(thread, last_name.to_owned());
    if let Some((running, name, begin)) = processor.running.take()
        && running == thread
    {
        let preempted = switch.preempted;
        schedule.runs.push(Run { cpu, thread, name, begin, end: at, preempted });
    }
    schedule.events.push(Event { at, cpu, thread, what: What::Goes(switch.left) });
    let (thread, name) = switch.next;
    schedule.names.insert(thread, name.to_owned());
    schedule.priorities.insert(thread, switch.priority);
    schedule.events.push(Event { at, cpu, thread, what: What::Comes });
    processor.running = Some((thread, name.to_owned(), at));
    Some(())
}

fn wakeup(event: &Line<'_>, schedule: &mut Schedule, what: What) -> Option<()> {
    let ((thread, name), cpu) = event.woken()?;
    let cpu = cpu.unwrap_or(event.cpu);
    schedule.names.insert(thread, name.to_owned());
    schedule.events.push(Event { at: event.at, cpu, thread, what });
    if what == What::Woken {
        schedule.wakeups.push(Wakeup { at: event.at, thread, name: name.to_owned(), cpu });
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
fn vector(name: &str, event: &Line<'_>, processor: &mut Processor, schedule: &mut Schedule) {
    let Some(number) = event.number("vector=") else { return };
    if let Some(name) = name.strip_suffix("_entry") {
        processor.vectors.push((number, name.to_owned(), event.at));
    } else if name.ends_with("_exit") {
        schedule.vectors.extend(ends(&mut processor.vectors, number, event));
    }
}

#[cfg(test)]
mod tests;
