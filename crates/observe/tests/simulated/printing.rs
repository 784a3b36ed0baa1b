//! A simulated history in the words of a kernel.
//!
//! Every task is a thread, numbered from [`FIRST`]; what else has the core (a guest's routine, a section of the kernel,
//! work that blocks, an idling server) is the thread [`OTHER`].

use std::collections::BTreeSet;
use std::fmt::Write as _;
use vorrang_model::System;
use vorrang_model::system::InterruptId;
use vorrang_sim::{Job, Observer, Running, Source};
use vorrang_time::Instant;

pub(crate) const FIRST: u32 = 1000;
const OTHER: u32 = 999;
/// When the history begins in the trace: some buffers begin at zero, none of a kernel does.
const BEGIN: u64 = 5_000_000_000;

/// What a run tells, in its order.
#[derive(Default)]
pub(crate) struct Recorded {
    ran: Vec<(u64, u64, Running)>,
    /// Releases and completions of tasks.
    jobs: Vec<(u64, usize, bool)>,
    /// When routines of the core were complete.
    served: Vec<(u64, usize)>,
}

impl Observer for Recorded {
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        self.ran.push((from.as_ns(), to.as_ns(), what));
    }

    fn released(&mut self, job: &Job) {
        if let Source::Task(id) = job.source {
            self.jobs.push((job.release.as_ns(), id.0, true));
        }
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        if let Source::Task(id) = job.source {
            self.jobs.push((at.as_ns(), id.0, false));
        }
    }

    fn served(&mut self, interrupt: InterruptId, in_guest: bool, at: Instant) {
        if !in_guest {
            self.served.push((at.as_ns(), interrupt.0));
        }
    }
}

impl Recorded {
    /// By task: when it was woken and when it slept; jobs that meet are one.
    pub(crate) fn busy(&self, tasks: usize) -> Vec<Vec<(u64, Option<u64>)>> {
        let mut busy: Vec<Vec<(u64, Option<u64>)>> = vec![Vec::new(); tasks];
        let mut pending = vec![0_u64; tasks];
        for &(at, task, released) in &self.jobs {
            if released {
                pending[task] += 1;
                match busy[task].last_mut() {
                    Some((_, end)) if end.is_none_or(|end| end == at) => *end = None,
                    _ => busy[task].push((at, None)),
                }
            } else {
                pending[task] -= 1;
                if let (0, Some((_, end))) = (pending[task], busy[task].last_mut()) {
                    *end = Some(at);
                }
            }
        }
        busy
    }

    /// By task: when it had the core.
    pub(crate) fn received(&self, tasks: usize) -> Vec<Vec<(u64, u64)>> {
        let mut received = vec![Vec::new(); tasks];
        for &(from, to, what) in &self.ran {
            if let Running::Task(id) = what {
                received[id.0].push((from, to));
            }
        }
        received
    }

    /// The text, with so many digits behind the point of a second.
    pub(crate) fn text(&self, system: &System, digits: u32) -> String {
        let busy = self.busy(system.tasks.len());
        let sleeps: BTreeSet<(u64, usize)> = busy
            .iter()
            .enumerate()
            .flat_map(|(task, all)| all.iter().filter_map(move |(_, end)| Some(((*end)?, task))))
            .collect();
        let mut printer = Printer { text: String::new(), digits, current: 0, sleeps };
        let mut wakes: Vec<(u64, usize)> = busy
            .iter()
            .enumerate()
            .flat_map(|(task, all)| all.iter().map(move |(begin, _)| (*begin, task)))
            .collect();
        wakes.sort_unstable();
        let mut wakes = wakes.into_iter().peekable();
        let mut open: Vec<usize> = Vec::new();
        let mut served = self.served.iter().peekable();
        for &(from, to, what) in &self.ran {
            while let Some((at, task)) = wakes.next_if(|(at, _)| *at < from) {
                printer.wake(at, task);
            }
            while let Some(&(at, id)) = served.next_if(|(at, _)| *at <= from) {
                if open.pop_if(|known| *known == id).is_some() {
                    printer.line(at, &format!("irq_handler_exit: irq={id} ret=handled"));
                }
            }
            while let Some((at, task)) = wakes.next_if(|(at, _)| *at == from) {
                printer.wake(at, task);
            }
            if let Running::Interrupt(id) = what {
                printer.leaves_if_done(from);
                if !open.contains(&id.0) {
                    open.push(id.0);
                    let name = &system.interrupt(id).name;
                    printer.line(from, &format!("irq_handler_entry: irq={} name={name}", id.0));
                }
                // Several one after the other are told as one stretch.
                while let Some(&(at, _)) = served.next_if(|&&(at, of)| at < to && of == id.0) {
                    while let Some((at, task)) = wakes.next_if(|(wake, _)| *wake <= at) {
                        printer.wake(at, task);
                    }
                    printer.line(at, &format!("irq_handler_exit: irq={} ret=handled", id.0));
                    let name = &system.interrupt(id).name;
                    printer.line(at, &format!("irq_handler_entry: irq={} name={name}", id.0));
                }
            } else {
                printer.switch(from, thread_of(what));
            }
        }
        let end = self.ran.last().map_or(0, |(_, to, _)| *to);
        for (at, task) in wakes {
            printer.wake(at, task);
        }
        printer.switch(end, 0);
        printer.text
    }
}

fn thread_of(what: Running) -> u32 {
    match what {
        Running::Idle => 0,
        Running::Task(id) => FIRST + u32::try_from(id.0).expect("few tasks"),
        _ => OTHER,
    }
}

struct Printer {
    text: String,
    digits: u32,
    current: u32,
    /// When which task goes to sleep.
    sleeps: BTreeSet<(u64, usize)>,
}

impl Printer {
    fn line(&mut self, at: u64, event: &str) {
        let unit = 10_u64.pow(9 - self.digits);
        // As the kernel rounds.
        let at = (BEGIN + at + unit / 2) / unit;
        let (whole, digits) = (10_u64.pow(self.digits), self.digits as usize);
        let (seconds, rest) = (at / whole, at % whole);
        let current = self.current;
        let _ = writeln!(
            self.text,
            "          t{current}-{current}     [000] d..2.     {seconds}.{rest:0digits$}: {event}"
        );
    }

    fn wake(&mut self, at: u64, task: usize) {
        let thread = u64::from(FIRST) + task as u64;
        let who = format!("comm=t{thread} pid={thread} prio=50 target_cpu=000");
        self.line(at, &format!("sched_waking: {who}"));
        self.line(at, &format!("sched_wakeup: {who}"));
    }

    /// Whether the thread that has the core goes to sleep by then.
    fn is_done(&self, at: u64) -> bool {
        let task = self.current.checked_sub(FIRST).map(|task| task as usize);
        task.is_some_and(|task| self.sleeps.contains(&(at, task)))
    }

    fn leaves_if_done(&mut self, at: u64) {
        if self.is_done(at) {
            self.switch(at, 0);
        }
    }

    fn switch(&mut self, at: u64, next: u32) {
        if next == self.current {
            return;
        }
        let (last, state) = (self.current, if self.is_done(at) { "S" } else { "R" });
        self.line(
            at,
            &format!(
                "sched_switch: prev_comm=t{last} prev_pid={last} prev_prio=50 prev_state={state} ==> next_comm=t{next} next_pid={next} next_prio=50"
            ),
        );
        self.current = next;
    }
}
