//! The text of a trace, line by line, becomes a [`Schedule`].

mod event;

use super::btf::{self, Btf};
use super::kind::{self, Kind};
use super::line::Line;
use super::stamp::Stamp;
use super::{Routine, Run, Schedule};
use event::{Processor, Told, told};
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

/// Events that are kept at most, with what is known of each: some 350 MB.
pub const MOST_EVENTS: usize = 2_000_000;

/// Reads a trace. Its memory grows with the events that it stores only.
#[derive(Default)]
pub struct Reader {
    schedule: Schedule,
    processors: BTreeMap<usize, Processor>,
    lines: usize,
    has_time: bool,
    /// Of a trace in BTF.
    btf: Option<Btf>,
    /// An event of which a mailer may have put values on the next line.
    begun: Option<Begun>,
    /// Whether the last line was of a tracer, or an event that is of no use here.
    says_nothing: bool,
}

/// An event whose values are not all there yet.
struct Begun {
    text: String,
    line: usize,
    /// The number of lines that were added to it.
    pieces: u32,
}

impl Begun {
    fn malformed(&self) -> Malformed {
        Malformed { line: self.line, why: "a value of the event is missing" }
    }
}

/// So many lines a mailer makes of one at most, besides the first.
const PIECES: u32 = 4;

impl Reader {
    /// The next line.
    ///
    /// # Errors
    /// It is no line of a trace, or says that the kernel lost some.
    pub fn line(&mut self, line: &str) -> Result<(), Malformed> {
        self.lines += 1;
        if self.lines == 1 && line.starts_with(btf::BEGINNING) {
            self.btf = Some(Btf::default());
        }
        if let Some(btf) = &mut self.btf {
            self.schedule.is_not_too_long().map_err(|why| Malformed { line: self.lines, why })?;
            let read = btf.line(line, &mut self.schedule);
            return read.map_err(|why| Malformed { line: self.lines, why });
        }
        let line = unquoted(line);
        if let Some(counts) = line.strip_prefix("# entries-in-buffer/entries-written:") {
            self.schedule.is_cut |= is_overwritten(counts);
        }
        let Some(begun) = self.begun.take() else { return self.whole(line, self.lines, 0) };
        if !matches!(Kind::of(line), Kind::Unknown(_)) {
            return Err(begun.malformed());
        }
        let text = format!("{} {}", begun.text, line.trim());
        self.whole(&text, begun.line, begun.pieces + 1)
    }

    /// A line that no mailer has broken, or the pieces of one.
    fn whole(&mut self, text: &str, line: usize, pieces: u32) -> Result<(), Malformed> {
        let malformed = |why| Malformed { line, why };
        match Kind::of(text) {
            Kind::Heading => {}
            Kind::OfTracer(stamp) => {
                self.schedule.skipped += 1;
                self.says_nothing = true;
                stamp.map_or(Ok(()), |stamp| self.stamped(&stamp).map_err(malformed))?;
            }
            Kind::Event(event) => {
                let Line { cpu, at, resolution, .. } = event;
                self.stamped(&Stamp { cpu, at, resolution, rest: "" }).map_err(malformed)?;
                let told = self.event(&event).map_err(malformed)?;
                self.says_nothing = told == Some(Told::Nothing);
                if told.is_none() {
                    let begun = Begun { text: text.to_owned(), line, pieces };
                    if pieces == PIECES {
                        return Err(begun.malformed());
                    }
                    self.begun = Some(begun);
                }
            }
            Kind::Unknown(_) if self.says_nothing && kind::goes_on(text) => {}
            Kind::Unknown(why) => return Err(malformed(why)),
        }
        Ok(())
    }

    /// Something happened on a processor.
    fn stamped(&mut self, stamp: &Stamp<'_>) -> Result<(), &'static str> {
        let schedule = &mut self.schedule;
        if !self.has_time {
            (schedule.begin, schedule.end) = (stamp.at, stamp.at);
            schedule.resolution = stamp.resolution;
            self.has_time = true;
        }
        schedule.begin = schedule.begin.min(stamp.at);
        schedule.end = schedule.end.max(stamp.at);
        schedule.resolution = schedule.resolution.max(stamp.resolution);
        let processor =
            self.processors.entry(stamp.cpu).or_insert_with(|| Processor::begins(stamp.at));
        if stamp.at < processor.last {
            return Err("the time of this processor goes back");
        }
        processor.last = stamp.at;
        Ok(())
    }

    /// Notes an event; `None` if a value of it is missing.
    fn event(&mut self, event: &Line<'_>) -> Result<Option<Told>, &'static str> {
        let schedule = &mut self.schedule;
        schedule.is_not_too_long()?;
        let processor = self.processors.entry(event.cpu).or_default();
        Ok(told(event, processor, schedule))
    }

    /// What was read.
    ///
    /// # Errors
    /// The last event has not all its values.
    pub fn finish(self) -> Result<Schedule, Malformed> {
        let Self { mut schedule, processors, begun, btf, .. } = self;
        if let Some(btf) = btf {
            btf.finish(&mut schedule);
        }
        if let Some(begun) = begun {
            return Err(begun.malformed());
        }
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
        Ok(schedule)
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("lines", &self.lines).finish_non_exhaustive()
    }
}

impl Schedule {
    /// # Errors
    /// No more is kept.
    fn is_not_too_long(&self) -> Result<(), &'static str> {
        let routines = self.routines.len() + self.vectors.len() + self.soft.len();
        let events = self.events.len() + self.guests.len();
        if events.max(routines).max(self.inherited.len()) >= MOST_EVENTS {
            return Err("these are more events than are kept: trace a shorter time");
        }
        Ok(())
    }

    /// Forgets what was before an instant.
    fn begin_at(&mut self, begin: u64) {
        self.begin = begin;
        self.events.retain(|event| event.at >= begin);
        self.wakeups.retain(|wakeup| wakeup.at >= begin);
        self.runs.retain(|run| run.begin >= begin);
        self.unfinished.retain(|run| run.begin >= begin);
        self.guests.retain(|guest| guest.begin >= begin);
        self.inherited.retain(|one| one.at >= begin);
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
        reader.finish()
    }
}

/// Without what mailers put before a line that is quoted.
fn unquoted(mut line: &str) -> &str {
    while let Some(rest) = line.strip_prefix('>') {
        line = rest.strip_prefix(" >").map_or(rest, |_| &rest[1..]);
    }
    line
}

/// `213/400   #P:1`: fewer are left than were written.
fn is_overwritten(counts: &str) -> bool {
    let numbers = counts.split_whitespace().next().and_then(|counts| counts.split_once('/'));
    numbers.is_some_and(|(left, written)| left != written)
}

#[cfg(test)]
mod tests;
