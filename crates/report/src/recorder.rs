//! Watches a run and keeps what happens in a window of time, row by row.
//!
//! **Model.** A row for the kernel of the core and each of its interrupts, then for the supplies below it a
//! row for each server with a line of its budget, its guest's routines and its tasks. Rows in which
//! nothing happens are left out.
//!
//! **Cost.** That of `kept.rs`: where too much happens, the window begins later.

use crate::kept::Kept;
use std::collections::BTreeMap;
use vorrang_figure::{Level, Row, Sign, Slice, Use};
use vorrang_model::system::{InterruptId, Member, RequirementKind, SupplyId, System};
use vorrang_sim::{Job, Observer, Payer, Running, Source};
use vorrang_time::{Duration, Instant};

/// Jobs of which waits are drawn: more than ends of jobs are kept of a window.
const MOST_JOBS: usize = 2000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Kernel,
    Interrupt(InterruptId),
    Server(SupplyId),
    InGuest(InterruptId),
    Task(usize),
}

/// A window of one run of one core.
pub(crate) struct Recorder<'s> {
    system: &'s System,
    limits: BTreeMap<Source, Duration>,
    kept: Kept,
    places: BTreeMap<Subject, usize>,
    /// Arrival and end of jobs of tasks.
    jobs: Vec<(usize, u64, u64)>,
    left: BTreeMap<SupplyId, u64>,
}

impl<'s> Recorder<'s> {
    pub(crate) fn new(system: &'s System, core: SupplyId, window: (u64, u64)) -> Self {
        let mut limits: BTreeMap<Source, Duration> = BTreeMap::new();
        for requirement in &system.requirements {
            let source = source(requirement.kind);
            let limit = limits.entry(source).or_insert(requirement.limit);
            *limit = requirement.limit.min(*limit);
        }
        let mut made = Self {
            system,
            limits,
            kept: Kept::new(window),
            places: BTreeMap::new(),
            jobs: Vec::new(),
            left: BTreeMap::new(),
        };
        made.add(Subject::Kernel, "overhead", 0);
        for id in system.interrupts_of(core) {
            made.add(Subject::Interrupt(id), &system.interrupt(id).name, 0);
        }
        made.add_members(core, 0);
        made
    }

    fn add(&mut self, subject: Subject, name: &str, depth: usize) {
        self.places.insert(subject, self.kept.rows.len());
        self.kept.rows.push(Row { name: name.to_owned(), depth, ..Row::default() });
    }

    fn add_members(&mut self, supply: SupplyId, depth: usize) {
        let system = self.system;
        for &member in &system.supply(supply).members {
            let name = system.member_name(member);
            match member {
                Member::Task(id) => self.add(Subject::Task(id.0), name, depth),
                Member::Server(id) => {
                    self.add(Subject::Server(id), name, depth);
                    let budget = system.supply(id).server().map(|server| server.budget);
                    if let (Some(budget), Some(row)) = (budget, self.kept.rows.last_mut()) {
                        let (name, most) = ("budget [ns]".to_owned(), budget.as_ns());
                        row.level = Some(Level { name, most, points: Vec::new() });
                    }
                    let into = |of: &InterruptId| {
                        let delivery = system.interrupt(*of).delivery.as_ref();
                        delivery.is_some_and(|delivery| delivery.vcpu == id)
                    };
                    let ids = (0..system.interrupts.len()).map(InterruptId).filter(into);
                    for interrupt in ids {
                        let name = format!("{} in the guest", system.interrupt(interrupt).name);
                        self.add(Subject::InGuest(interrupt), &name, depth + 1);
                    }
                    self.add_members(id, depth + 1);
                }
            }
        }
    }

    /// The rows in which something happened, and where what is kept of them begins.
    pub(crate) fn rows(mut self) -> (Vec<Row>, u64) {
        self.add_waits();
        let happened = |row: &Row| !row.slices.is_empty() || !row.marks.is_empty();
        let from = self.kept.from();
        (self.kept.rows.into_iter().filter(happened).collect(), from)
    }

    /// A task waits while one of its jobs is there, wherever it does not run.
    fn add_waits(&mut self) {
        let (from, to) = (self.kept.from(), self.kept.to());
        let mut pending: BTreeMap<usize, Vec<(u64, u64)>> = BTreeMap::new();
        let mut jobs = std::mem::take(&mut self.jobs);
        jobs.sort_unstable();
        for (place, arrival, end) in jobs {
            let (arrival, end) = (arrival.max(from), end.min(to));
            let own = pending.entry(place).or_default();
            match own.last_mut() {
                // Jobs that are there at once are one time of waiting.
                Some(last) if arrival <= last.1 => last.1 = last.1.max(end),
                _ => own.push((arrival, end)),
            }
        }
        for (place, windows) in pending {
            let row = &mut self.kept.rows[place];
            let waits = waits(&row.slices, &windows);
            row.slices.extend(waits);
        }
    }

    fn place(&self, subject: Subject) -> Option<usize> {
        self.places.get(&subject).copied()
    }

    fn slice(&mut self, subject: Subject, window: (u64, u64), of: Use) {
        if let Some(place) = self.place(subject) {
            self.kept.slice(place, window, of);
        }
    }

    fn mark(&mut self, subject: Subject, at: u64, sign: Sign) {
        if let Some(place) = self.place(subject) {
            self.kept.mark(place, at, sign);
        }
    }

    /// Every server on the way up gives this time.
    fn supplies(&mut self, mut on: SupplyId, window: (u64, u64)) {
        while let Some(up) = self.system.supply(on).on() {
            self.slice(Subject::Server(on), window, Use::Supplies);
            on = up;
        }
    }

    fn level(&mut self, server: SupplyId, at: u64, value: u64) {
        if let Some(place) = self.place(Subject::Server(server)) {
            self.kept.level(place, at, value);
        }
    }

    fn subject(source: Source) -> Subject {
        match source {
            Source::Task(id) => Subject::Task(id.0),
            Source::Interrupt(id) => Subject::Interrupt(id),
        }
    }

    fn job_ended(&mut self, job: &Job, at: Instant, complete: bool) {
        let subject = Self::subject(job.source);
        let (arrival, at) = (ns(job.arrival), ns(at));
        if let (Source::Task(_), Some(place)) = (job.source, self.place(subject))
            && at > self.kept.from()
            && arrival < self.kept.to()
        {
            self.jobs.push((place, arrival, at));
            if self.jobs.len() > MOST_JOBS {
                let from = self.kept.from();
                self.jobs.retain(|&(_, _, end)| end > from);
            }
        }
        let sign =
            if matches!(job.source, Source::Task(_)) { Sign::Arrival } else { Sign::Request };
        self.mark(subject, arrival, sign);
        if complete {
            self.mark(subject, at, Sign::Completion);
        }
        if let Some(limit) = self.limits.get(&job.source) {
            let due = ns(job.arrival + *limit);
            if due <= at || complete {
                let sign = if due < at { Sign::Miss } else { Sign::Deadline };
                self.mark(subject, due, sign);
            }
        }
    }
}

/// What of windows, apart from each other and in order, no slice has that runs.
fn waits(slices: &[Slice], windows: &[(u64, u64)]) -> Vec<Slice> {
    let wait = |from, to| Slice { from, to, of: Use::Waits, tip: String::new() };
    let mut waits = Vec::new();
    let mut runs = slices.iter().filter(|slice| slice.of == Use::Runs).peekable();
    for &(from, to) in windows {
        let mut at = from;
        while let Some(slice) = runs.next_if(|slice| slice.from < to) {
            if slice.from > at {
                waits.push(wait(at, slice.from));
            }
            at = at.max(slice.to);
        }
        if at < to {
            waits.push(wait(at, to));
        }
    }
    waits
}

fn ns(at: Instant) -> u64 {
    at.saturating_since(Instant::ZERO).as_ns()
}

impl Observer for Recorder<'_> {
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        let window = (ns(from), ns(to));
        if window.1 <= self.kept.from() || window.0 >= self.kept.to() {
            return;
        }
        match what {
            Running::Idle => {}
            Running::Task(id) => {
                self.slice(Subject::Task(id.0), window, Use::Runs);
                self.supplies(self.system.task(id).on, window);
            }
            Running::Interrupt(id) => self.slice(Subject::Interrupt(id), window, Use::Serves),
            Running::GuestRoutine(id) => {
                self.slice(Subject::InGuest(id), window, Use::Serves);
                if let Some(delivery) = &self.system.interrupt(id).delivery {
                    self.supplies(delivery.vcpu, window);
                }
            }
            Running::Idling(server) => self.slice(Subject::Server(server), window, Use::Idles),
            Running::Blocking(_) | Running::Kernel(_) => {
                self.slice(Subject::Kernel, window, Use::Overhead);
            }
        }
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        self.job_ended(job, at, true);
    }

    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.job_ended(job, at, false);
    }

    fn replenished(&mut self, server: SupplyId, at: Instant) {
        self.mark(Subject::Server(server), ns(at), Sign::Replenishment);
    }

    fn paid(&mut self, payer: Payer, from: Instant, _to: Instant) {
        if let Payer::Server(server) = payer
            && let Some(&left) = self.left.get(&server)
            && ns(from) < self.kept.to()
        {
            self.level(server, ns(from), left);
        }
    }

    fn budget(&mut self, server: SupplyId, left: Duration, at: Instant) {
        let (at, left) = (ns(at), left.as_ns());
        if at <= self.kept.to() {
            if let Some(&before) = self.left.get(&server).filter(|&&before| before < left) {
                self.level(server, at, before);
            }
            self.level(server, at, left);
        }
        self.left.insert(server, left);
    }
}

/// What a requirement is about.
pub(crate) fn source(kind: RequirementKind) -> Source {
    match kind {
        RequirementKind::Deadline(task) => Source::Task(task),
        RequirementKind::HandledWithin(interrupt) => Source::Interrupt(interrupt),
    }
}

#[cfg(test)]
mod tests {
    use super::waits;
    use vorrang_figure::{Slice, Use};

    #[test]
    fn a_task_waits_where_a_job_is_there_and_does_not_run() {
        let run = |from, to| Slice { from, to, of: Use::Runs, tip: String::new() };
        let slices = [run(0, 3), run(5, 8), run(20, 30)];
        let windows = [(0, 10), (12, 14), (18, 25)];
        let found: Vec<(u64, u64)> =
            waits(&slices, &windows).iter().map(|wait| (wait.from, wait.to)).collect();
        assert_eq!(found, [(3, 5), (8, 10), (12, 14), (18, 20)]);
    }
}
