//! A trace, line by line, and what is known of its threads and interrupts so far.
//!
//! **Cost.** Memory for threads of real-time policies, for virtual processors, and for interrupts, whatever the length of
//! the trace. Threads of `SCHED_OTHER` cost nothing.

use crate::processor::Processor;
use crate::stored;
use crate::thread::Thread;
use crate::wanted::{Learnt, Malformed, Wanted};
use std::collections::BTreeMap;
use vorrang_observe::schedule::Left;
use vorrang_observe::schedule::seen::{Fact, Happened, Named, Seen};
use vorrang_recorded::Record;

/// Real-time threads, at most.
const THREADS: usize = 4096;
/// Processors, at most.
const CPUS: usize = 4096;
/// The first priority that is none of real time, as the kernel counts.
const OTHER: i32 = 100;
/// The resolution that text has; a finer one has no error.
const MICROSECOND: u64 = 1_000;

const TOO_MANY: &str =
    "there are more than 4096 real-time threads or processors: choose some of them";
const BACK: &str = "the time of this processor goes back";
const CUT: &str = "an event is shorter than its format";

/// Reads a trace.
#[derive(Debug, Default)]
pub struct Learner {
    wanted: Wanted,
    processors: Vec<Option<Processor>>,
    threads: BTreeMap<u32, Thread>,
    learnt: Learnt,
    lines: u64,
    is_cut: bool,
}

impl Learner {
    /// One that wants something.
    pub fn new(wanted: Wanted) -> Self {
        Self { wanted, ..Self::default() }
    }

    /// Whole lines.
    ///
    /// # Errors
    /// One is no line of a trace, or says that the kernel lost events.
    pub fn text(&mut self, text: &[u8]) -> Result<(), Malformed> {
        let mut from = 0;
        for end in memchr::memchr_iter(b'\n', text) {
            self.line(&text[from..end])?;
            from = end + 1;
        }
        if from < text.len() { self.line(&text[from..]) } else { Ok(()) }
    }

    /// An event that the kernel stored, as its line.
    ///
    /// # Errors
    /// It is cut, or its line is none of a trace.
    pub fn record(&mut self, record: &Record<'_>) -> Result<(), Malformed> {
        let Some(fact) = stored::fact(record) else {
            let mut line = Vec::new();
            let cut = || Malformed { line: self.lines + 1, why: CUT };
            record.line(&mut line).ok_or_else(cut)?;
            return self.text(&line);
        };
        self.lines += 1;
        let happened = Happened { cpu: record.cpu, at: record.at, resolution: 1, fact };
        let line = self.lines;
        self.happens(&happened).map_err(|why| Malformed { line, why })
    }

    fn line(&mut self, line: &[u8]) -> Result<(), Malformed> {
        self.lines += 1;
        let line_number = self.lines;
        let malformed = |why| Malformed { line: line_number, why };
        match Seen::of(line).map_err(malformed)? {
            Seen::Nothing => {
                self.is_cut |= is_cut(line);
                Ok(())
            }
            Seen::Event(happened) => self.happens(&happened).map_err(malformed),
        }
    }

    fn happens(&mut self, happened: &Happened<'_>) -> Result<(), &'static str> {
        let Happened { cpu, at, resolution, fact } = *happened;
        if cpu >= CPUS {
            return Err(TOO_MANY);
        }
        if self.processors.len() <= cpu {
            self.processors.resize_with(cpu + 1, || None);
        }
        let is_first = self.processors[cpu].is_none();
        if self.learnt.events == 0 || (is_first && self.is_cut) {
            // Older events of other processors were overwritten: it begins here.
            self.threads.clear();
            self.processors.iter_mut().flatten().for_each(Processor::forget);
            self.learnt.begin = at;
        }
        let processor = self.processors[cpu].get_or_insert_default();
        if at < processor.last {
            return Err(BACK);
        }
        processor.last = at;
        self.learnt.end = self.learnt.end.max(at);
        self.learnt.resolution = self.learnt.resolution.max(resolution);
        self.learnt.events += 1;
        let error = if resolution >= MICROSECOND { resolution } else { 0 };
        self.fact(cpu, at, error, fact)
    }

    fn fact(
        &mut self,
        cpu: usize,
        at: u64,
        error: u64,
        fact: Fact<'_>,
    ) -> Result<(), &'static str> {
        let processor = self.processors[cpu].get_or_insert_default();
        match fact {
            Fact::Switch { previous, left, next } => {
                self.leaves(cpu, at, error, &previous, left);
                self.comes(cpu, at, &next)?;
            }
            Fact::Waking(named, target) => {
                let (cause, from) = processor.cause(at);
                processor.wakes(named.number);
                if let Some(thread) = self.thread(&named)? {
                    thread.waking(at + error, from, cause);
                    self.waits(&named, target.unwrap_or(cpu));
                }
            }
            Fact::Woken(named, target) => {
                if let Some(thread) = self.thread(&named)? {
                    thread.woken(at + error);
                    self.waits(&named, target.unwrap_or(cpu));
                }
            }
            Fact::Enters(service, name) => {
                let is_first = !processor.is_interrupted();
                processor.enters(service, name, at, error);
                if is_first && processor.is_interrupted() {
                    self.on_running(cpu, |thread| thread.pauses(at, error));
                }
            }
            Fact::Leaves(service) => {
                let was = processor.is_interrupted();
                processor.leaves(service, at, error);
                if was && !processor.is_interrupted() {
                    self.on_running(cpu, |thread| thread.resumes(at));
                }
            }
            Fact::Calls(name) => {
                self.learnt.has_calls = true;
                self.on_running(cpu, |thread| thread.calls(name));
            }
            Fact::Returns => self.on_running(cpu, Thread::returns),
            Fact::Alarm(instant) => self.on_running(cpu, |thread| thread.asks_for(instant)),
            Fact::Other => {}
        }
        Ok(())
    }

    fn on_running(&mut self, cpu: usize, act: impl FnOnce(&mut Thread)) {
        let running = self.processors[cpu].as_ref().and_then(|processor| processor.running);
        if let Some((number, ..)) = running
            && let Some(thread) = self.threads.get_mut(&number)
        {
            act(thread);
        }
    }

    fn leaves(&mut self, cpu: usize, at: u64, error: u64, previous: &Named<'_>, left: Left) {
        let Some(processor) = &mut self.processors[cpu] else { return };
        let is_interrupted = processor.is_interrupted();
        processor.switches();
        let ran = processor.running.take().filter(|(number, ..)| *number == previous.number);
        if let Some((_, priority, since)) = ran {
            for waiting in &processor.waiting {
                let Some(thread) = self.threads.get_mut(waiting) else { continue };
                let own = thread.priorities.last().copied().unwrap_or(i32::MAX);
                if let Some((from, blocked)) = &mut thread.waits
                    && own < priority
                {
                    *blocked += at.saturating_sub(since.max(*from)) + error;
                }
            }
        }
        if let Some(thread) = self.threads.get_mut(&previous.number) {
            if !is_interrupted && ran.is_some() {
                thread.pauses(at, error);
            }
            thread.goes(at, left, previous.priority);
        }
    }

    fn comes(&mut self, cpu: usize, at: u64, next: &Named<'_>) -> Result<(), &'static str> {
        if let Some(thread) = self.thread(next)? {
            let waited = thread.waits.is_some();
            thread.comes(at, cpu, next.priority);
            if waited {
                let all = self.processors.iter_mut().flatten();
                all.for_each(|processor| processor.waiting.retain(|one| *one != next.number));
            }
        }
        if let Some(processor) = &mut self.processors[cpu] {
            processor.running = Some((next.number, next.priority, at));
        }
        Ok(())
    }

    fn waits(&mut self, named: &Named<'_>, target: usize) {
        let Some(Some(processor)) = self.processors.get_mut(target) else { return };
        let is_running = processor.running.is_some_and(|(number, ..)| number == named.number);
        if !is_running && !processor.waiting.contains(&named.number) {
            processor.waiting.push(named.number);
        }
    }

    /// A thread that is learnt; `None`: it is not.
    fn thread(&mut self, named: &Named<'_>) -> Result<Option<&mut Thread>, &'static str> {
        if named.number == 0 {
            return Ok(None);
        }
        let is_known = self.threads.contains_key(&named.number);
        if !is_known {
            if named.priority >= OTHER && !is_virtual(named.name) || !self.wants(named.name) {
                return Ok(None);
            }
            if self.threads.len() == THREADS {
                return Err(TOO_MANY);
            }
        }
        let separations = &self.wanted.separations;
        let thread = self.threads.entry(named.number).or_default();
        if thread.name != named.name && (!is_known || named.name != b"<...>") {
            thread.name = named.name.to_vec();
            let separation =
                std::str::from_utf8(named.name).ok().and_then(|name| separations.get(name));
            thread.separation = separation.copied().unwrap_or_default();
        }
        if !is_known {
            thread.priorities.insert(named.priority);
        }
        Ok(Some(thread))
    }

    fn wants(&self, name: &[u8]) -> bool {
        let names = &self.wanted.names;
        names.is_empty() || names.iter().any(|one| one.as_bytes() == name)
    }

    /// What was learnt.
    pub fn finish(self) -> Learnt {
        let Self { wanted, processors, threads, mut learnt, .. } = self;
        learnt.cpus = wanted.cpus;
        for (cpu, processor) in processors.into_iter().enumerate() {
            let routines = processor.map(Processor::into_routines).unwrap_or_default();
            if learnt.looks_at(cpu) && !routines.is_empty() {
                learnt.routines.insert(cpu, routines);
            }
        }
        for (number, mut thread) in threads {
            // One that was only lent a priority is none of real time.
            let is_real_time = thread.priorities.last().is_none_or(|last| *last < OTHER);
            let ran_there = thread.cpus.iter().any(|cpu| learnt.looks_at(*cpu));
            if ran_there && (is_real_time || is_virtual(&thread.name)) {
                thread.ends();
                learnt.threads.insert(number, thread);
            }
        }
        learnt
    }
}

/// A virtual processor of QEMU, by the name of its thread.
pub(crate) fn virtual_processor(name: &[u8]) -> Option<u32> {
    let name = std::str::from_utf8(name.strip_prefix(b"CPU ")?).ok()?;
    let (number, kind) = name.split_once('/')?;
    ["KVM", "TCG"].contains(&kind).then(|| number.parse().ok())?
}

fn is_virtual(name: &[u8]) -> bool {
    virtual_processor(name).is_some()
}

/// `# entries-in-buffer/entries-written: 213/400   #P:1`: fewer are left than were written.
fn is_cut(line: &[u8]) -> bool {
    let counts = std::str::from_utf8(line).ok().and_then(|line| {
        let counts = line.strip_prefix("# entries-in-buffer/entries-written:")?;
        counts.split_whitespace().next()?.split_once('/')
    });
    counts.is_some_and(|(left, written)| left != written)
}
