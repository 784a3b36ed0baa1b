//! A simulated history in the Best Trace Format (BTF 2), as tools for control units read it.
//!
//! **Model.** Tasks are of type `T`, activated by a stimulus of their own; routines of interrupts, and those of guests, are
//! of type `I`. A job is an instance. At one instant ends come first, then activations, then beginnings.
//!
//! **Assumptions.** A run reports what ran without overlap, in order; whether a job is complete at the end of that may be
//! told before it or after.
//!
//! **Cost.** Memory for each line, until all cores were simulated: lines are in the order of time.
//!
//! **Does not cover** budgets, sections of the kernel, and servers that idle: BTF has no word for them.

use std::collections::VecDeque;
use std::fmt::Write as _;
use vorrang_model::System;
use vorrang_model::system::{InterruptId, SupplyId, TaskId};
use vorrang_sim::{Job, Observer, Running, Source};
use vorrang_time::Instant;

/// What a trace begins with, at least.
pub const BEGINNING: &str = "#version 2.2.0\n#creator vorrang";

/// The lines of a trace, of all cores.
#[derive(Debug)]
pub struct Btf<'s> {
    system: &'s System,
    lines: Vec<Line>,
}

/// The order of lines at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    End,
    Activation,
    Beginning,
}

#[derive(Debug)]
struct Line {
    at: Instant,
    order: Order,
    text: String,
}

impl<'s> Btf<'s> {
    /// Nothing was simulated yet.
    pub fn new(system: &'s System) -> Self {
        Self { system, lines: Vec::new() }
    }

    /// What watches a run of a core.
    pub fn core(&mut self, core: SupplyId) -> BtfCore<'_, 's> {
        let tasks = self.system.tasks.iter().map(|_| Entity::default()).collect();
        let routines = self.system.interrupts.iter().map(|_| [0; 2]).collect();
        BtfCore { trace: self, core, tasks, routines, last: None }
    }

    /// The text, by a tool of this version.
    pub fn text(mut self, version: &str) -> String {
        // What one core told at an instant stays in its order.
        self.lines.sort_by_key(|line| (line.at, line.order));
        let mut text = format!("{BEGINNING} {version}\n#timeScale ns\n");
        for line in &self.lines {
            let _ = writeln!(text, "{},{}", line.at.as_ns(), line.text);
        }
        text
    }
}

/// A task.
#[derive(Debug, Default)]
struct Entity {
    /// Its jobs that are not complete, the oldest first, and whether that has begun.
    jobs: VecDeque<u64>,
    has_begun: bool,
    /// Completions that are told before the run in which they are.
    completed: VecDeque<Instant>,
}

/// Watches a run of one core.
#[derive(Debug)]
pub struct BtfCore<'t, 's> {
    trace: &'t mut Btf<'s>,
    core: SupplyId,
    tasks: Vec<Entity>,
    /// How often each routine has begun: the core's, and the guest's.
    routines: Vec<[u64; 2]>,
    /// A task that ran until then, of which it is not known whether its job is complete.
    last: Option<(TaskId, Instant)>,
}

impl BtfCore<'_, '_> {
    fn line(&mut self, at: Instant, order: Order, text: String) {
        self.trace.lines.push(Line { at, order, text });
    }

    /// An event of a task that its core tells.
    fn task(&mut self, id: TaskId, event: &str, at: Instant) {
        let system = self.trace.system;
        let (core, name) = (&system.supply(self.core).name, &system.task(id).name);
        let job = self.tasks[id.0].jobs.front().copied().unwrap_or_default();
        let begins = matches!(event, "start" | "resume");
        let order = if begins { Order::Beginning } else { Order::End };
        self.line(at, order, format!("{core},0,T,{name},{job},{event}"));
    }

    /// The oldest job of a task begins, or goes on.
    fn begins(&mut self, id: TaskId, at: Instant) {
        let has_begun = std::mem::replace(&mut self.tasks[id.0].has_begun, true);
        self.task(id, if has_begun { "resume" } else { "start" }, at);
    }

    fn ends(&mut self, id: TaskId, at: Instant) {
        self.task(id, "terminate", at);
        let own = &mut self.tasks[id.0];
        own.jobs.pop_front();
        own.has_begun = false;
    }

    /// What ran last is not complete.
    fn settles(&mut self) {
        if let Some((id, at)) = self.last.take() {
            self.task(id, "preempt", at);
        }
    }

    fn task_ran(&mut self, id: TaskId, from: Instant, to: Instant) {
        let mut from = from;
        while let Some(at) = self.tasks[id.0].completed.pop_front() {
            self.begins(id, from);
            self.ends(id, at);
            from = at;
        }
        if from < to {
            self.begins(id, from);
            self.last = Some((id, to));
        }
    }

    /// A part of a routine, as an instance of its own: a run does not tell whether it has ended.
    fn routine_ran(&mut self, id: InterruptId, in_guest: bool, from: Instant, to: Instant) {
        let system = self.trace.system;
        let (core, name) = (&system.supply(self.core).name, &system.interrupt(id).name);
        let name = if in_guest { format!("{name} in the guest") } else { name.clone() };
        let number = &mut self.routines[id.0][usize::from(in_guest)];
        let instance = *number;
        *number += 1;
        let line = |event| format!("{core},0,I,{name},{instance},{event}");
        let (start, terminate) = (line("start"), line("terminate"));
        self.line(from, Order::Beginning, start);
        self.line(to, Order::End, terminate);
    }
}

impl Observer for BtfCore<'_, '_> {
    fn on(&mut self, core: SupplyId) {
        self.core = core;
    }

    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        self.settles();
        match what {
            Running::Task(id) => self.task_ran(id, from, to),
            Running::Interrupt(id) => self.routine_ran(id, false, from, to),
            Running::GuestRoutine(id) => self.routine_ran(id, true, from, to),
            Running::Idle | Running::Idling(_) | Running::Blocking(_) | Running::Kernel(_) => {}
        }
    }

    fn released(&mut self, job: &Job) {
        let Source::Task(id) = job.source else { return };
        self.tasks[id.0].jobs.push_back(job.number);
        let (name, number) = (&self.trace.system.task(id).name, job.number);
        let text = format!("arrivals of {name},{number},T,{name},{number},activate");
        self.line(job.release, Order::Activation, text);
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        let Source::Task(id) = job.source else { return };
        if self.last == Some((id, at)) {
            self.last = None;
            self.ends(id, at);
        } else {
            self.tasks[id.0].completed.push_back(at);
        }
    }

    fn ended(&mut self, _at: Instant) {
        self.settles();
    }
}
