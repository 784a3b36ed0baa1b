//! Observes a run and stores the events in a window of time, as the rows of a chart.
//!
//! **Model.** A row for each kind of kernel section and each interrupt of the core, then for the
//! supplies below it a row for each server and, indented, what stands on it: routines of a guest
//! before its tasks, its pseudo-VCPUs beside it. A server's row shows when something in it runs, a
//! pseudo-VCPU's when that is charged to it. Rows in which nothing happens are left out.
//!
//! **Cost.** Memory for what a column shows of each row, however much happens in it.

use crate::gantt::{Activity, Chart, Grid, Mark, Row};
use crate::watch::Responses;
use std::collections::{BTreeMap, BTreeSet};
use vorrang_model::system::{Interrupt, InterruptId, Member, SupplyId, System};
use vorrang_sim::{Job, Observer, Payer, Running, Section, Source};
use vorrang_time::{Duration, Instant};

/// What a row of the chart stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Source(Source),
    Server(SupplyId),
    /// The less urgent work that blocks a member.
    Blocking(Member),
    Kernel(Section),
    /// The routine of a guest.
    Guest(InterruptId),
    PseudoVcpu(InterruptId),
}

/// A window of one run of one core.
pub struct Recording<'s> {
    system: &'s System,
    /// Of the same run: jobs that they omit have no deadline.
    responses: &'s Responses,
    from: Instant,
    to: Instant,
    /// From the top.
    rows: Vec<Row>,
    places: BTreeMap<Subject, usize>,
    /// The columns of the chart, and the marks that each of them has.
    grid: Grid,
    marked: BTreeSet<(Subject, usize, Mark)>,
    /// By interrupt: the budget of its pseudo-VCPU.
    left: Vec<Duration>,
}

/// What a row has at most that ends in a column: what began before it, both activities within it, and
/// what goes on behind it.
const IN_A_COLUMN: usize = 4;

/// The rows of the kernel.
const SECTIONS: [(Section, &str); 4] = [
    (Section::SchedulerCall, "scheduler call"),
    (Section::ContextSwitch, "context switch"),
    (Section::Timers, "timer interrupt"),
    (Section::NonPreemptible, "non-preemptible section"),
];

impl<'s> Recording<'s> {
    /// Nothing observed yet.
    pub fn new(
        system: &'s System,
        core: SupplyId,
        responses: &'s Responses,
        (from, to): (Instant, Instant),
    ) -> Self {
        let (rows, places) = (Vec::new(), BTreeMap::new());
        let left = vec![Duration::ZERO; system.interrupts.len()];
        let (grid, marked) = (Grid::over(from, to), BTreeSet::new());
        let mut recording = Self { system, responses, from, to, rows, places, grid, marked, left };
        for (section, name) in SECTIONS {
            recording.add(Subject::Kernel(section), name, 0);
        }
        for id in system.interrupts_of(core) {
            recording.add(Subject::Source(Source::Interrupt(id)), &system.interrupt(id).name, 0);
        }
        recording.add_members(core, 0);
        recording
    }

    /// The rows in which something happened.
    pub fn chart(self) -> Chart {
        let happened = |row: &Row| !row.stretches.is_empty() || !row.marks.is_empty();
        let rows = self.rows.into_iter().filter(happened).collect();
        Chart { from: self.from, to: self.to, rows }
    }

    fn add(&mut self, subject: Subject, name: &str, depth: usize) {
        self.places.insert(subject, self.rows.len());
        self.rows.push(Row { name: name.to_owned(), depth, ..Row::default() });
    }

    fn add_members(&mut self, supply: SupplyId, depth: usize) {
        let system = self.system;
        for &member in &system.supply(supply).members {
            let name = system.member_name(member);
            match member {
                Member::Task(id) => {
                    self.add(Subject::Source(Source::Task(id)), name, depth);
                    self.add(Subject::Blocking(member), &format!("blocking {name}"), depth);
                }
                Member::Server(id) => {
                    self.add_pseudo_vcpus(id, depth);
                    self.add(Subject::Server(id), name, depth);
                    self.add(Subject::Blocking(member), &format!("blocking {name}"), depth);
                    self.add_guest_routines(id, depth + 1);
                    self.add_members(id, depth + 1);
                }
            }
        }
    }

    fn add_pseudo_vcpus(&mut self, vcpu: SupplyId, depth: usize) {
        for (id, interrupt) in delivered_to(self.system, vcpu) {
            let name = format!("pseudo-VCPU of {}", interrupt.name);
            self.add(Subject::PseudoVcpu(id), &name, depth);
        }
    }

    fn add_guest_routines(&mut self, vcpu: SupplyId, depth: usize) {
        for (id, interrupt) in delivered_to(self.system, vcpu) {
            self.add(Subject::Guest(id), &format!("{} in the guest", interrupt.name), depth);
        }
    }

    fn row(&mut self, subject: Subject) -> &mut Row {
        let place = self.places.get(&subject).expect("every subject of the core has a row");
        &mut self.rows[*place]
    }

    fn mark(&mut self, subject: Subject, at: Instant, mark: Mark) {
        if self.from <= at && at <= self.to {
            let column = self.grid.column_of(at);
            if column.is_none_or(|column| self.marked.insert((subject, column, mark))) {
                self.row(subject).marks.push((at, mark));
            }
        }
    }

    /// A row did something. What lies within a column is put together with what did before.
    fn did(&mut self, subject: Subject, (from, to): (Instant, Instant), activity: Activity) {
        let within = |from: Instant, to: Instant| {
            let column = self.grid.column_of(from)?;
            (self.grid.column_of(to - Duration::RESOLUTION) == Some(column)).then_some(column)
        };
        let place = self.places[&subject];
        if let Some(column) = within(from, to) {
            let mut last = self.rows[place].stretches.iter_mut().rev().take(IN_A_COLUMN);
            let known = last
                .find(|(begin, end, own)| *own == activity && within(*begin, *end) == Some(column));
            if let Some((_, end, _)) = known {
                *end += to - from;
                return;
            }
        }
        self.rows[place].stretches.push((from, to, activity));
    }

    fn ran_in(&mut self, mut supply: SupplyId, from: Instant, to: Instant, activity: Activity) {
        while let Some(on) = self.system.supply(supply).on() {
            self.did(Subject::Server(supply), (from, to), activity);
            supply = on;
        }
    }

    fn deadline(&mut self, job: &Job, at: Instant, finished: bool) {
        let Some(limit) = self.responses.limit(job.source) else { return };
        let deadline = job.arrival + limit;
        let mark = match (at > deadline, finished) {
            (true, _) => Mark::Miss,
            (false, true) => Mark::Deadline,
            // The history ends before the deadline.
            (false, false) => return,
        };
        self.mark(Subject::Source(job.source), deadline, mark);
    }
}

impl Observer for Recording<'_> {
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        if to <= self.from || from >= self.to {
            return;
        }
        let (subject, supply) = match what {
            Running::Idle => return,
            Running::Idling(server) => return self.ran_in(server, from, to, Activity::Idled),
            Running::Interrupt(id) => (Subject::Source(Source::Interrupt(id)), None),
            Running::GuestRoutine(id) => (Subject::Guest(id), vcpu_of(self.system.interrupt(id))),
            Running::Kernel(section) => (Subject::Kernel(section), None),
            Running::Task(id) => (Subject::Source(Source::Task(id)), Some(self.system.task(id).on)),
            Running::Blocking(member) => (Subject::Blocking(member), Some(self.system.on(member))),
        };
        self.did(subject, (from, to), Activity::Ran);
        if let Some(supply) = supply {
            self.ran_in(supply, from, to, Activity::Ran);
        }
    }

    fn released(&mut self, job: &Job) {
        self.mark(Subject::Source(job.source), job.release, Mark::Release);
        if job.arrival < job.release {
            self.mark(Subject::Source(job.source), job.arrival, Mark::Arrival);
        }
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        self.deadline(job, at, true);
    }

    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.deadline(job, at, false);
    }

    fn replenished(&mut self, server: SupplyId, at: Instant) {
        self.mark(Subject::Server(server), at, Mark::Replenished);
    }

    fn exhausted(&mut self, server: SupplyId, at: Instant) {
        self.mark(Subject::Server(server), at, Mark::Exhausted);
    }

    fn paid(&mut self, payer: Payer, from: Instant, to: Instant) {
        // The activity of servers follows from what runs in them.
        let Payer::PseudoVcpu(id) = payer else { return };
        if to > self.from && from < self.to {
            self.did(Subject::PseudoVcpu(id), (from, to), Activity::Ran);
        }
    }

    fn masked(&mut self, interrupt: InterruptId, at: Instant) {
        self.mark(Subject::Source(Source::Interrupt(interrupt)), at, Mark::HeldBack);
    }

    fn pseudo_vcpu_budget(&mut self, interrupt: InterruptId, left: Duration, at: Instant) {
        let before = std::mem::replace(&mut self.left[interrupt.0], left);
        if left > before {
            self.mark(Subject::PseudoVcpu(interrupt), at, Mark::Replenished);
        } else if left.is_zero() && !before.is_zero() {
            self.mark(Subject::PseudoVcpu(interrupt), at, Mark::Exhausted);
        }
    }
}

/// The virtual processor that takes an interrupt, if one does.
fn vcpu_of(interrupt: &Interrupt) -> Option<SupplyId> {
    interrupt.delivery.as_ref().map(|delivery| delivery.vcpu)
}

/// The interrupts that a virtual processor takes, in the order of declaration.
fn delivered_to(
    system: &System,
    vcpu: SupplyId,
) -> impl Iterator<Item = (InterruptId, &Interrupt)> {
    let interrupts = system.interrupts.iter().enumerate();
    let ids = interrupts.map(|(index, interrupt)| (InterruptId(index), interrupt));
    ids.filter(move |(_, interrupt)| vcpu_of(interrupt) == Some(vcpu))
}
