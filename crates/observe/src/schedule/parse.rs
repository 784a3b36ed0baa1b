//! The text of `/sys/kernel/tracing/trace`: one event a line.
//!
//! ```text
//! #           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
//!           low-67      [000] d..2.     1.234567: sched_switch: prev_comm=low prev_pid=67 …
//! ```
//!
//! Names of threads may hold anything, also `[`, `:` and spaces; so lines are read from the
//! fixed texts inside them, and the values of an event by its keys.

use super::{Routine, Run, Schedule, Wakeup};
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

/// What a processor does, while the trace is read.
#[derive(Default)]
struct Processor {
    running: Option<(u32, String, u64)>,
    routines: Vec<(u32, String, u64)>,
}

impl FromStr for Schedule {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let mut schedule = Self::default();
        let mut processors: BTreeMap<usize, Processor> = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            let malformed = |why| Malformed { line: index + 1, why };
            if line.contains("LOST") && line.contains("EVENTS") {
                return Err(malformed("the kernel lost events"));
            }
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let event = Event::of(line).ok_or_else(|| malformed("this is no event"))?;
            let processor = processors.entry(event.cpu).or_default();
            let read = match event.name {
                "sched_switch" => event.switch(processor, &mut schedule),
                "sched_wakeup" | "sched_wakeup_new" => event.wakeup(&mut schedule),
                "irq_handler_entry" => event.routine_begins(processor),
                "irq_handler_exit" => event.routine_ends(processor, &mut schedule),
                _ => Some(()),
            };
            read.ok_or_else(|| malformed("a value of the event is missing"))?;
        }
        schedule.runs.sort_by_key(|run| (run.begin, run.cpu));
        Ok(schedule)
    }
}

struct Event<'a> {
    cpu: usize,
    at: u64,
    name: &'a str,
    values: &'a str,
}

impl<'a> Event<'a> {
    /// The processor stands in brackets, five flags and the time follow.
    fn of(line: &'a str) -> Option<Self> {
        line.match_indices(" [").find_map(|(at, _)| Self::at_bracket(&line[at + 2..]))
    }

    fn at_bracket(rest: &'a str) -> Option<Self> {
        let (cpu, rest) = rest.split_once("] ")?;
        let (_flags, rest) = rest.trim_start().split_once(' ')?;
        let (time, rest) = rest.trim_start().split_once(": ")?;
        let (name, values) = rest.split_once(": ")?;
        Some(Self { cpu: cpu.parse().ok()?, at: nanoseconds(time)?, name, values })
    }

    /// The value of a key, up to the next key.
    fn value(&self, key: &str, next: &str) -> Option<&'a str> {
        let begin = self.values.find(key)? + key.len();
        let rest = &self.values[begin..];
        let end = if next.is_empty() { rest.len() } else { rest.find(next)? };
        Some(rest[..end].trim())
    }

    fn switch(&self, processor: &mut Processor, schedule: &mut Schedule) -> Option<()> {
        let thread = self.value("prev_pid=", " prev_prio=")?.parse().ok()?;
        let state = self.value("prev_state=", " ==> ")?;
        if let Some((running, name, begin)) = processor.running.take()
            && running == thread
        {
            // `R` could have gone on; `+` marks one that was interrupted on its way to sleep.
            let preempted = state.starts_with('R') || state.ends_with('+');
            let run = Run { cpu: self.cpu, thread, name, begin, end: self.at, preempted };
            schedule.runs.push(run);
        }
        let next = self.value("next_pid=", " next_prio=")?.parse().ok()?;
        let name = self.value("next_comm=", " next_pid=")?.to_owned();
        processor.running = Some((next, name, self.at));
        Some(())
    }

    fn wakeup(&self, schedule: &mut Schedule) -> Option<()> {
        let name = self.value("comm=", " pid=")?.to_owned();
        let thread = self.value(" pid=", " prio=")?.parse().ok()?;
        let cpu = self.value("target_cpu=", "")?.parse().ok()?;
        schedule.wakeups.push(Wakeup { at: self.at, thread, name, cpu });
        Some(())
    }

    fn routine_begins(&self, processor: &mut Processor) -> Option<()> {
        let interrupt = self.value("irq=", " name=")?.parse().ok()?;
        processor.routines.push((interrupt, self.value(" name=", "")?.to_owned(), self.at));
        Some(())
    }

    fn routine_ends(&self, processor: &mut Processor, schedule: &mut Schedule) -> Option<()> {
        let ended: u32 = self.value("irq=", " ret=")?.parse().ok()?;
        // One that began before the trace did has no entry.
        if let Some((interrupt, name, begin)) =
            processor.routines.pop_if(|(known, ..)| *known == ended)
        {
            schedule.routines.push(Routine { cpu: self.cpu, interrupt, name, begin, end: self.at });
        }
        Some(())
    }
}

/// `1.234567` seconds; up to nine digits behind the point.
fn nanoseconds(text: &str) -> Option<u64> {
    let (seconds, fraction) = text.split_once('.')?;
    let digits = u32::try_from(fraction.len()).ok().filter(|&digits| digits <= 9)?;
    let fraction: u64 = fraction.parse().ok()?;
    let seconds: u64 = seconds.parse().ok()?;
    seconds.checked_mul(1_000_000_000)?.checked_add(fraction * 10_u64.pow(9 - digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "\
# tracer: nop
#
          <idle>-0       [000] dN..3.     1.000010: sched_wakeup: comm=low [0]: x pid=67 prio=120 target_cpu=000
          <idle>-0       [000] d...2.     1.000012: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=low [0]: x next_pid=67 next_prio=120
     low [0]: x-67       [000] d..h1.     1.000100: irq_handler_entry: irq=24 name=eth0
     low [0]: x-67       [000] d..h1.     1.000103: irq_handler_exit: irq=24 ret=handled
     low [0]: x-67       [000] d...2.     1.000112: sched_switch: prev_comm=low [0]: x prev_pid=67 prev_prio=120 prev_state=R+ ==> next_comm=high next_pid=68 next_prio=9
            high-68      [000] d...2.     1.000212: sched_switch: prev_comm=high prev_pid=68 prev_prio=9 prev_state=S ==> next_comm=low [0]: x next_pid=67 next_prio=120
";

    #[test]
    fn a_trace_becomes_a_schedule() {
        let schedule: Schedule = TRACE.parse().expect("a trace");
        let names: Vec<(&str, u64, u64, bool)> = schedule
            .runs
            .iter()
            .map(|run| (run.name.as_str(), run.begin, run.end, run.preempted))
            .collect();
        assert_eq!(
            names,
            [
                ("low [0]: x", 1_000_012_000, 1_000_112_000, true),
                ("high", 1_000_112_000, 1_000_212_000, false)
            ]
        );
        assert_eq!(schedule.wakeups[0].at, 1_000_010_000);
        assert_eq!(schedule.wakeups[0].thread, 67);
        assert_eq!(schedule.routines.len(), 1);
        assert_eq!(
            (schedule.routines[0].interrupt, schedule.routines[0].name.as_str()),
            (24, "eth0")
        );
        assert_eq!(schedule.received("high", 1_000_150_000, 2_000_000_000), 62_000);
    }

    #[test]
    fn what_is_no_event_is_refused_with_its_line() {
        let refused = "# tracer\nnonsense\n".parse::<Schedule>().expect_err("nonsense");
        assert_eq!(refused, Malformed { line: 2, why: "this is no event" });
        let lost = "CPU:0 [LOST 12 EVENTS]\n".parse::<Schedule>().expect_err("a gap");
        assert_eq!(lost.why, "the kernel lost events");
        let cut = TRACE.replace("next_pid=68 next_prio=9", "");
        assert!(cut.parse::<Schedule>().is_err());
    }
}
