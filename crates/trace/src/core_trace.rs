//! Watches a run of a core: what ran becomes switches and slices.
//!
//! **Model.** When an interval is over, three things are written: that the CPU was given to a
//! thread; a slice on the track of what ran; and, where the servers around it are not the same as
//! before, ends and beginnings of their slices, which so last while anything in them runs:
//!
//! ```text
//!   vcpu.engine        ██████████████          ███
//!     server.can       ████                    ███
//!       task.can-rx    ████                    ███
//!     task.injection       ██████████
//!   interrupt.can0                   ██████████
//! ```

use crate::mark::{ANNOTATIONS, Mark};
use crate::sequence::{Annotation, Event, Sequence};
use crate::switches::{Left, Switches};
use crate::threads::IDLE;
use crate::trace::Trace;
use crate::tracks::{Counter, Track, Tracks};
use std::io::Write;
use vorrang_model::system::{InterruptId, SupplyId, TaskId};
use vorrang_sim::{Running, Section, Source};
use vorrang_time::{Duration, Instant};

/// Names of slices that are not called as their track: sections of the kernel, and what a server
/// does that idles its budget away.
const OTHER_NAMES: [&str; 5] =
    ["scheduler call", "context switch", "timers", "idling", "non-preemptible section"];

/// Writes one run of one core: an observer.
#[derive(Debug)]
pub struct CoreTrace<'t, 's, W> {
    trace: &'t mut Trace<'s, W>,
    core: SupplyId,
    pub(crate) tracks: Tracks,
    /// The number of the name of the first of [`OTHER_NAMES`].
    first_other_name: u64,
    /// What ran and what was charged, in the order of their beginnings.
    slices: Sequence,
    /// What happened and what is left, in the order of instants.
    marks: Sequence,
    switches: Switches,
    pub(crate) limits: Limits,
    /// By task: released jobs that are not complete.
    pub(crate) pending: Vec<u64>,
    /// By interrupt: the last charge of its pseudo-VCPU.
    paid: Vec<Option<(Instant, Instant)>>,
    /// By interrupt: whether its requests are held back.
    pub(crate) held_back: Vec<bool>,
    /// By device: packets at the card and in the socket.
    pub(crate) packets: Vec<[u64; 2]>,
    /// The servers whose slices are open, outermost first.
    open: Vec<SupplyId>,
    /// The servers around what ran last, innermost first; kept for its memory.
    path: Vec<SupplyId>,
    /// The end of what ran last, and what became of it there.
    until: Instant,
    left: Left,
}

/// The times after which jobs are late, by id.
#[derive(Debug)]
pub(crate) struct Limits {
    pub(crate) tasks: Vec<Option<Duration>>,
    pub(crate) interrupts: Vec<Option<Duration>>,
}

impl<'s, W: Write> Trace<'s, W> {
    /// What watches a run of a core. A job that takes longer than the `limit` of its source has
    /// missed its deadline.
    pub fn core(
        &mut self,
        core: SupplyId,
        limit: impl Fn(Source) -> Option<Duration>,
    ) -> CoreTrace<'_, 's, W> {
        CoreTrace::new(self, core, limit)
    }
}

impl<'t, 's, W: Write> CoreTrace<'t, 's, W> {
    pub(crate) fn new(
        trace: &'t mut Trace<'s, W>,
        core: SupplyId,
        limit: impl Fn(Source) -> Option<Duration>,
    ) -> Self {
        let system = trace.system;
        let (slices, marks) = (trace.next_sequence(), trace.next_sequence());
        let (tracks, names) = trace.describe(core);
        let switches = trace.next_sequence();
        let sink = &mut trace.sink;
        let event_names = names.iter().map(String::as_str).chain(OTHER_NAMES);
        let (tasks, interrupts) = (0..system.tasks.len(), 0..system.interrupts.len());
        let limits = Limits {
            tasks: tasks.map(|id| limit(Source::Task(TaskId(id)))).collect(),
            interrupts: interrupts.map(|id| limit(Source::Interrupt(InterruptId(id)))).collect(),
        };
        let cpu = system.cores().position(|id| id == core).unwrap_or_default();
        let mut core_trace = Self {
            core,
            tracks,
            first_other_name: names.len() as u64 + 1,
            slices: Sequence::begin(sink, slices, event_names, &[]),
            marks: Sequence::begin(sink, marks, Mark::names(), &ANNOTATIONS),
            switches: Switches::new(switches, cpu as u64, trace.threads.all().len()),
            limits,
            pending: vec![0; system.tasks.len()],
            paid: vec![None; system.interrupts.len()],
            held_back: vec![false; system.interrupts.len()],
            packets: vec![[0; 2]; system.devices.len()],
            open: Vec::new(),
            path: Vec::new(),
            until: Instant::ZERO,
            left: Left::Waiting,
            trace,
        };
        // A reader knows the thread of a CPU from the second switch on.
        core_trace.switch(IDLE, Instant::ZERO);
        core_trace
    }

    /// Ends what is open where the run ended. What it held is then in the trace.
    pub fn finish(mut self) {
        self.close(0, self.until);
        for id in (0..self.held_back.len()).map(InterruptId) {
            self.ends_being_held_back(id, self.until);
            self.stops_paying(id);
        }
        self.switch(IDLE, self.until);
        let Trace { sink, threads, .. } = &mut *self.trace;
        self.switches.write(sink, threads.all());
    }

    pub(crate) fn mark(&mut self, track: Track, mark: Mark, at: Instant, more: &[Annotation]) {
        let event = Event::instant(track.uuid, mark.iid());
        self.marks.happens(&mut self.trace.sink, &event, at, more);
    }

    pub(crate) fn count(&mut self, counter: Counter, value: u64, at: Instant) {
        self.marks.counts(&mut self.trace.sink, &counter.0, value, at);
    }

    pub(crate) fn slice(&mut self, track: Track, from: Instant, to: Instant) {
        self.slices.happens(&mut self.trace.sink, &track.begin, from, &[]);
        self.slices.happens(&mut self.trace.sink, &track.end, to, &[]);
    }

    /// The pseudo-VCPU of an interrupt is charged; adjacent charges become one slice.
    pub(crate) fn pays(&mut self, interrupt: InterruptId, from: Instant, to: Instant) {
        let begin = match self.paid[interrupt.0] {
            Some((begin, end)) if end == from => begin,
            _ => {
                self.stops_paying(interrupt);
                from
            }
        };
        self.paid[interrupt.0] = Some((begin, to));
    }

    fn stops_paying(&mut self, interrupt: InterruptId) {
        if let Some((from, to)) = self.paid[interrupt.0].take()
            && let Some(tracks) = self.tracks.pseudo_vcpu(interrupt)
        {
            self.slice(tracks.pays, from, to);
        }
    }

    /// Requests of an interrupt are held back from now on.
    pub(crate) fn begins_being_held_back(&mut self, interrupt: InterruptId, at: Instant) {
        let Some(tracks) = self.tracks.pseudo_vcpu(interrupt) else { return };
        if !std::mem::replace(&mut self.held_back[interrupt.0], true) {
            self.slices.happens(&mut self.trace.sink, &tracks.held_back.begin, at, &[]);
        }
    }

    /// They no longer are.
    pub(crate) fn ends_being_held_back(&mut self, interrupt: InterruptId, at: Instant) {
        let Some(tracks) = self.tracks.pseudo_vcpu(interrupt) else { return };
        if std::mem::replace(&mut self.held_back[interrupt.0], false) {
            self.slices.happens(&mut self.trace.sink, &tracks.held_back.end, at, &[]);
        }
    }

    /// Whether something could not be written.
    #[inline]
    pub(crate) fn has_failed(&self) -> bool {
        self.trace.sink.has_failed()
    }

    /// A source that had nothing to do has a job.
    pub(crate) fn waking(&mut self, source: Source, at: Instant) {
        let Trace { sink, threads, .. } = &mut *self.trace;
        self.switches.waking(sink, threads.all(), threads.of(source), at);
    }

    /// The core ran something, and something else before.
    pub(crate) fn interval(&mut self, from: Instant, to: Instant, what: Running) {
        self.switch(self.trace.threads.running(self.core, what), from);
        self.go_into(what, from);
        if let Some(track) = self.track(what) {
            self.slice(track, from, to);
        }
        self.until = to;
        self.left = self.what_becomes_of(what);
    }

    fn switch(&mut self, next: usize, at: Instant) {
        let Trace { sink, threads, .. } = &mut *self.trace;
        self.switches.switch(sink, threads.all(), self.left, next, at);
    }

    /// What becomes of a thread that is about to leave.
    fn what_becomes_of(&self, what: Running) -> Left {
        match what {
            Running::Task(id) if self.pending[id.0] == 0 => Left::Sleeping,
            Running::Task(_) | Running::Idle => Left::Waiting,
            _ => Left::Sleeping,
        }
    }

    fn track(&self, what: Running) -> Option<Track> {
        match what {
            Running::Idle => None,
            Running::Idling(id) => Some(self.named(self.tracks.servers[id.0]?.runs, 3)),
            Running::Task(id) => self.tracks.tasks[id.0],
            Running::Blocking(member) => self.tracks.blocking.get(&member).copied(),
            Running::Interrupt(id) => Some(self.tracks.interrupts[id.0]?.routine),
            Running::GuestRoutine(id) => self.tracks.interrupts[id.0]?.guest_routine,
            Running::Kernel(section) => {
                let place = match section {
                    Section::SchedulerCall => 0,
                    Section::ContextSwitch => 1,
                    Section::Timers => 2,
                    Section::NonPreemptible => 4,
                };
                Some(self.named(self.tracks.kernel, place))
            }
        }
    }

    /// A track whose slices have one of [`OTHER_NAMES`].
    fn named(&self, track: Track, place: u64) -> Track {
        Track { begin: Event::begin(track.uuid, self.first_other_name + place), ..track }
    }

    /// Opens and closes the slices of servers so that those around `what` are open.
    fn go_into(&mut self, what: Running, at: Instant) {
        let system = self.trace.system;
        let innermost = match what {
            Running::Idle | Running::Interrupt(_) | Running::Kernel(_) => None,
            Running::Task(id) => Some(system.task(id).on),
            Running::Blocking(member) => Some(system.on(member)),
            Running::Idling(id) => Some(id),
            Running::GuestRoutine(id) => system.interrupt(id).delivery.as_ref().map(|to| to.vcpu),
        };
        self.path.clear();
        let mut supply = innermost;
        while let Some(id) = supply {
            supply = system.supply(id).on();
            self.path.extend(supply.map(|_| id));
        }
        let same = self.open.iter().zip(self.path.iter().rev()).take_while(|(a, b)| a == b);
        let kept = if at == self.until { same.count() } else { 0 };
        self.close(kept, self.until);
        for place in (0..self.path.len() - kept).rev() {
            let id = self.path[place];
            self.open.push(id);
            if let Some(tracks) = self.tracks.servers[id.0] {
                self.slices.happens(&mut self.trace.sink, &tracks.runs.begin, at, &[]);
            }
        }
    }

    /// Closes all but the outermost slices of servers.
    fn close(&mut self, kept: usize, at: Instant) {
        while self.open.len() > kept {
            let tracks = self.open.pop().and_then(|id| self.tracks.servers[id.0]);
            if let Some(tracks) = tracks {
                self.slices.happens(&mut self.trace.sink, &tracks.runs.end, at, &[]);
            }
        }
    }
}
