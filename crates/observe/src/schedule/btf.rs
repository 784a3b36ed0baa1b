//! A trace in the Best Trace Format (BTF 2), as simulators and tracers of control units write it.
//!
//! ```text
//! #version 2.2.0
//! #timeScale us
//! 120,STI_20ms,3,T,Engine,3,activate
//! 125,Core_1,0,T,Engine,3,start
//! 190,Core_1,0,T,Engine,3,terminate
//! ```
//!
//! **Model.** A task is a thread with its name. It is woken by `activate`, comes with `start` and `resume`, goes with
//! `preempt`, and sleeps with `terminate`. While it waits (`wait`) or polls, its job goes on. A routine (`I`) is one of a
//! device. Cores are processors by the number at the end of their names, or in the order in which they appear.
//!
//! **Assumptions.** 1. Times of one core stand in their order. 2. A task that is activated before its job is
//! complete has one more, which begins then and is released at its activation.
//!
//! **Does not cover** runnables, signals, semaphores and everything else that is no task, routine or core: such lines are
//! counted. BTF has no priorities.

use super::{Event, Left, Routine, Run, Schedule, Wakeup, What};
use std::collections::BTreeMap;

/// How the first line begins.
pub(super) const BEGINNING: &str = "#version";

/// The state of a reader.
#[derive(Debug, Default)]
pub(super) struct Btf {
    /// Nanoseconds of a unit, in thousandths: picoseconds.
    scale: Option<u64>,
    last: u64,
    cores: BTreeMap<String, usize>,
    entities: BTreeMap<String, Entity>,
}

/// A task or a routine.
#[derive(Debug)]
struct Entity {
    number: u32,
    /// Where it runs, since when.
    runs: Option<(usize, u64)>,
    /// Whether its job has begun and not ended.
    is_active: bool,
    /// How often it was activated meanwhile.
    queued: u64,
    /// Where it ran last.
    cpu: usize,
}

/// What a line says.
struct Said<'l> {
    at: u64,
    source: &'l str,
    name: &'l str,
    event: &'l str,
}

impl Btf {
    /// The next line.
    ///
    /// # Errors
    /// It is no line of such a trace.
    pub(super) fn line(&mut self, line: &str, schedule: &mut Schedule) -> Result<(), &'static str> {
        if let Some(heading) = line.strip_prefix('#') {
            return self.heading(heading);
        }
        if line.trim().is_empty() {
            return Ok(());
        }
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let [at, source, _, kind, name, _, event, ..] = cells[..] else {
            return Err(
                "a line of BTF has seven values: time, source, its instance, type, target, its instance, event",
            );
        };
        let at = at.parse::<u64>().map_err(|_| "the time is no whole number")?;
        let scale = self.scale.unwrap_or(1_000);
        let at = at.checked_mul(scale).ok_or("the time is too large")? / 1_000;
        if at < self.last {
            return Err("the time goes back");
        }
        if schedule.events.is_empty() && schedule.skipped == 0 {
            schedule.begin = at;
            schedule.resolution = scale.div_ceil(1_000);
            schedule.tells_activations = true;
        }
        (self.last, schedule.end) = (at, at);
        let said = Said { at, source, name, event };
        match kind {
            "T" => self.task(&said, schedule),
            "I" => self.routine(&said, schedule),
            _ => {
                schedule.skipped += 1;
                Ok(())
            }
        }
    }

    fn heading(&mut self, heading: &str) -> Result<(), &'static str> {
        if let Some(unit) = heading.strip_prefix("timeScale") {
            self.scale = Some(match unit.trim() {
                "ps" => 1,
                "ns" => 1_000,
                "us" => 1_000_000,
                "ms" => 1_000_000_000,
                "s" => 1_000_000_000_000,
                _ => return Err("the timeScale is none of ps, ns, us, ms and s"),
            });
        }
        Ok(())
    }

    fn core(&mut self, name: &str) -> usize {
        let digits = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let is_free = |cpu: &usize| !self.cores.values().any(|own| own == cpu);
        let next = (0..=self.cores.len()).find(is_free).unwrap_or_default();
        let stated = name[digits..].parse().ok().filter(is_free);
        *self.cores.entry(name.to_owned()).or_insert(stated.unwrap_or(next))
    }

    fn entity(&mut self, name: &str) -> &mut Entity {
        let number = u32::try_from(self.entities.len() + 1).unwrap_or(u32::MAX);
        let new = Entity { number, runs: None, is_active: false, queued: 0, cpu: 0 };
        self.entities.entry(name.to_owned()).or_insert(new)
    }

    fn task(&mut self, said: &Said<'_>, schedule: &mut Schedule) -> Result<(), &'static str> {
        let Said { at, source, name, event } = *said;
        let comes = matches!(event, "start" | "resume" | "run");
        let cpu = comes.then(|| self.core(source));
        let own = self.entity(name);
        let thread = own.number;
        schedule.names.entry(thread).or_insert_with(|| name.to_owned());
        let mut tell = |cpu, what| schedule.events.push(Event { at, cpu, thread, what });
        match (event, cpu) {
            ("activate", _) if own.is_active => {
                own.queued += 1;
                tell(own.cpu, What::Queued);
            }
            ("activate", _) => {
                own.is_active = true;
                tell(own.cpu, What::Waking);
                tell(own.cpu, What::Woken);
                let name = name.to_owned();
                schedule.wakeups.push(Wakeup { at, thread, name, cpu: own.cpu });
            }
            (_, Some(cpu)) => {
                // One whose activation is before the trace.
                own.is_active = true;
                own.cpu = cpu;
                if own.runs.replace((cpu, at)).is_some() {
                    return Err("a task starts that runs");
                }
                tell(cpu, What::Comes);
            }
            ("preempt", _) => goes(own, at, name, Left::Ready, schedule)?,
            ("wait" | "poll" | "park", _) => goes(own, at, name, Left::Held, schedule)?,
            ("release" | "release_parking", _) => tell(own.cpu, What::Woken),
            ("terminate", _) => {
                goes(own, at, name, Left::Asleep, schedule)?;
                own.is_active = own.queued > 0;
                own.queued = own.queued.saturating_sub(1);
            }
            _ => schedule.skipped += 1,
        }
        Ok(())
    }

    fn routine(&mut self, said: &Said<'_>, schedule: &mut Schedule) -> Result<(), &'static str> {
        let Said { at, source, name, event } = *said;
        let cpu = (event == "start").then(|| self.core(source));
        let own = self.entity(name);
        match (event, cpu) {
            (_, Some(cpu)) => own.runs = Some((cpu, at)),
            ("terminate", _) => {
                let (cpu, begin) = own.runs.take().ok_or("a routine ends that has not started")?;
                let (interrupt, name) = (own.number, name.to_owned());
                schedule.routines.push(Routine { cpu, interrupt, name, begin, end: at });
            }
            // One that is interrupted by another goes on after that.
            _ => {}
        }
        Ok(())
    }

    /// What had not ended when the trace did.
    pub(super) fn finish(self, schedule: &mut Schedule) {
        for (name, own) in self.entities {
            let Some((cpu, begin)) = own.runs else { continue };
            let (end, thread) = (schedule.end, own.number);
            if schedule.names.contains_key(&thread) {
                schedule.unfinished.push(Run { cpu, thread, name, begin, end, preempted: false });
            } else {
                let interrupt = thread;
                schedule.unfinished_routines.push(Routine { cpu, interrupt, name, begin, end });
            }
        }
    }
}

/// A task leaves its core.
fn goes(
    own: &mut Entity,
    at: u64,
    name: &str,
    left: Left,
    schedule: &mut Schedule,
) -> Result<(), &'static str> {
    let (cpu, begin) = own.runs.take().ok_or("a task leaves a core that it is not on")?;
    let (thread, preempted) = (own.number, left == Left::Ready);
    let name = name.to_owned();
    schedule.runs.push(Run { cpu, thread, name, begin, end: at, preempted });
    schedule.events.push(Event { at, cpu, thread, what: What::Goes(left) });
    Ok(())
}
