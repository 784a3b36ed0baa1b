//! What was seen as a trace for Perfetto: a row for each CPU, below the core of each thing of the
//! description a row for it, and below these the lanes of chains.

use super::lanes;
use super::observed::Observed;
use crate::destination::Draft;
use std::collections::BTreeMap;
use std::io;
use vorrang_model::System;
use vorrang_model::system::{InterruptId, SupplyId, TaskId};
use vorrang_observe::Schedule;
use vorrang_observe::history::History;
use vorrang_observe::matching::{Line, Matching};
use vorrang_observe::observation::Limits;
use vorrang_observe::schedule::{Left, What};
use vorrang_time::Instant;
use vorrang_trace::{HostThread, HostTrace, Label, NewRow};

/// What a row shows.
enum Shown {
    /// Nothing of its own.
    Core,
    Task(TaskId, u32),
    Server(u32),
    Interrupt(Line),
}

/// Writes it.
pub(super) fn write(draft: Draft, observed: &Observed, matching: &Matching) -> io::Result<Draft> {
    let Observed { input, schedule, limits, observation, .. } = observed;
    let (mut rows, shown) = rows(&input.system, matching);
    let lanes = lanes::add(&mut rows, &input.system, limits, observation);
    let mut trace = HostTrace::new(draft, &threads(schedule), &rows);
    switches(&mut trace, schedule);
    for (row, shown) in shown.iter().enumerate() {
        match shown {
            Shown::Core => {}
            Shown::Task(id, thread) => {
                jobs(&mut trace, row, &observation.histories[thread], bound(limits, *id));
            }
            Shown::Server(thread) => server(&mut trace, row, schedule, *thread),
            Shown::Interrupt(line) => {
                let mut last = 0;
                for routine in line.routines(schedule) {
                    // Several may be served at the same time, on different processors.
                    slice(&mut trace, row, Label::Row, routine.begin.max(last), routine.end);
                    last = routine.end;
                }
            }
        }
    }
    trace.lanes(&lanes);
    trace.finish()
}

fn bound(limits: &Limits, id: TaskId) -> u64 {
    limits.tasks[id.0].as_ref().map_or(u64::MAX, |bound| bound.as_ns())
}

fn at(instant: u64) -> Instant {
    Instant::from_ns(instant)
}

/// A row for each core, and under it one for everything of it that is seen.
fn rows(system: &System, matching: &Matching) -> (Vec<NewRow>, Vec<Shown>) {
    let (mut rows, mut shown) = (Vec::new(), Vec::new());
    for core in system.cores() {
        let under = Some(rows.len());
        rows.push(NewRow { name: system.supply(core).name.clone(), under: None });
        shown.push(Shown::Core);
        let mut add = |name: &str, what: Shown| {
            rows.push(NewRow { name: name.to_owned(), under });
            shown.push(what);
        };
        for (id, found) in matching.interrupts.iter().enumerate() {
            let interrupt = system.interrupt(InterruptId(id));
            if let (true, Ok(line)) = (interrupt.on == core, found) {
                add(&interrupt.name, Shown::Interrupt(line.clone()));
            }
        }
        for (id, found) in matching.supplies.iter().enumerate() {
            let supply = system.supply(SupplyId(id));
            let own = !supply.is_core() && system.core_of(SupplyId(id)) == core;
            if let (true, Ok(thread)) = (own, found) {
                add(&supply.name, Shown::Server(*thread));
            }
        }
        for (id, found) in matching.tasks.iter().enumerate() {
            let task = system.task(TaskId(id));
            if let (true, Ok(thread)) = (system.core_of(task.on) == core, found) {
                add(&task.name, Shown::Task(TaskId(id), *thread));
            }
        }
    }
    (rows, shown)
}

fn threads(schedule: &Schedule) -> Vec<HostThread> {
    let names = schedule.names.iter();
    let threads = names.map(|(&number, name)| HostThread {
        number,
        // Every processor has one of its own, with number 0.
        name: if number == 0 { "idle".to_owned() } else { name.clone() },
        priority: schedule.priorities.get(&number).copied().unwrap_or_default(),
    });
    threads.collect()
}

fn switches(trace: &mut HostTrace<Draft>, schedule: &Schedule) {
    let mut could_go_on: BTreeMap<usize, bool> = BTreeMap::new();
    for event in &schedule.events {
        match event.what {
            What::Goes(left) => {
                could_go_on.insert(event.cpu, left == Left::Ready);
            }
            What::Comes => {
                let left = could_go_on.remove(&event.cpu).unwrap_or(true);
                trace.switch(event.cpu, left, event.thread, at(event.at));
            }
            What::Waking => trace.waking(event.cpu, event.thread, at(event.at)),
            What::Queued | What::Woken => {}
        }
    }
}

fn slice(trace: &mut HostTrace<Draft>, row: usize, label: Label, begin: u64, end: u64) {
    trace.begin(row, label, at(begin));
    trace.end(row, at(end));
}

/// Jobs, and in them what they received.
fn jobs(trace: &mut HostTrace<Draft>, row: usize, history: &History, bound: u64) {
    let mut pieces = history.received.all().iter().peekable();
    for job in &history.jobs {
        while pieces.next_if(|piece| piece.1 <= job.release).is_some() {}
        trace.begin(row, Label::Job, at(job.release));
        while let Some(&(begin, end)) = pieces.next_if(|piece| piece.1 <= job.end) {
            // A thread that is woken on its way to sleep has the processor already.
            slice(trace, row, Label::Row, begin.max(job.release), end);
        }
        trace.end(row, at(job.end));
        if job.response() > bound {
            trace.mark(row, Label::AboveBound, at(job.end));
        }
    }
}

/// When the thread ran, and in that when its guest did.
fn server(trace: &mut HostTrace<Draft>, row: usize, schedule: &Schedule, thread: u32) {
    let mut guests = schedule.guests.iter().filter(|guest| guest.thread == thread).peekable();
    let own = schedule.all_runs().filter(|run| run.thread == thread);
    // The last may begin with the end of the trace.
    for run in own.filter(|run| run.begin < run.end) {
        trace.begin(row, Label::Row, at(run.begin));
        while let Some(guest) = guests.next_if(|guest| guest.end <= run.end) {
            slice(trace, row, Label::Guest, guest.begin.max(run.begin), guest.end);
        }
        trace.end(row, at(run.end));
    }
}
