//! The semantics once more, tick by tick, as plainly as they can be said.
//!
//! **Purpose.** An oracle for the simulator and for the bounds. It is written from
//! `docs/model.md` alone and shares no code with the mechanisms or the simulator, so that one
//! mistake would have to be made twice.
//!
//! **Model.** One tick is one nanosecond. At every tick the steps of "Order of events at one
//! instant" are taken in their order, over everything there is, with nothing kept that could be
//! worked out again. What runs then runs for the whole tick.
//!
//! **Assumptions.**
//! 1. A history ([`History`]) lists all jobs with their arrival, release and execution; releases
//!    of one task keep the order of its arrivals.
//! 2. One core at a time: cores do not touch each other.
//!
//! **Cost.** Linear in the number of ticks and of entities: for systems with tiny numbers.

mod choose;
mod replenish;
mod server;
#[cfg(test)]
mod tests;

use server::ServerState;
use vorrang_model::system::{InterruptId, Member, ServerKind, SupplyId, System, TaskId};

/// One job of a task or an interrupt, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// When it arrives: its response time counts from here.
    pub arrival: u64,
    /// When it becomes ready.
    pub release: u64,
    /// How much it executes; at least one tick.
    pub execution: u64,
}

/// Everything that a description leaves open about one run of one core.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The first replenishment of every supply's server, in ticks; by [`SupplyId`].
    pub phases: Vec<u64>,
    /// The jobs of every task in the order of arrival; by [`TaskId`].
    pub tasks: Vec<Vec<Job>>,
    /// The jobs of every interrupt in the order of arrival; by [`InterruptId`].
    pub interrupts: Vec<Vec<Job>>,
    /// Less urgent work that holds one task up, as under "blocking" in the model: the task and
    /// the tick.
    pub blocker: Option<(TaskId, u64)>,
}

/// What the core did during one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ran {
    /// Nothing.
    Idle,
    /// A job of the task.
    Task(TaskId),
    /// A service routine.
    Interrupt(InterruptId),
    /// A periodic server or a slot without work.
    Idling(SupplyId),
    /// Less urgent work that holds the task up.
    Blocking(TaskId),
}

/// What came of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// When each job of each task completed; `None` within the horizon.
    pub tasks: Vec<Vec<Option<u64>>>,
    /// When each service routine completed; `None` within the horizon.
    pub interrupts: Vec<Vec<Option<u64>>>,
    /// What ran in each tick.
    pub ran: Vec<Ran>,
}

/// The jobs of a task or an interrupt, and how far they have come.
#[derive(Clone, Debug)]
struct Queue {
    jobs: Vec<Job>,
    /// The first job that is not complete.
    current: usize,
    /// What the current job still needs.
    left: u64,
    completed: Vec<Option<u64>>,
}

impl Queue {
    fn new(jobs: &[Job]) -> Self {
        let left = jobs.first().map_or(0, |job| job.execution);
        Self { jobs: jobs.to_vec(), current: 0, left, completed: vec![None; jobs.len()] }
    }

    /// The oldest job that is released and not complete.
    fn pending(&self, now: u64) -> Option<&Job> {
        self.jobs.get(self.current).filter(|job| job.release <= now)
    }

    /// The jobs that were released before this instant and not complete before it.
    fn running_until(&self, now: u64) -> impl Iterator<Item = &Job> {
        let before = self.jobs.iter().zip(&self.completed);
        let before = before.filter(move |(job, completed)| {
            job.release < now && completed.is_none_or(|completed| completed == now)
        });
        before.map(|(job, _)| job)
    }

    /// The current job completes if it has received all it needs.
    fn complete(&mut self, now: u64) -> bool {
        if self.current == self.jobs.len() || self.left > 0 {
            return false;
        }
        self.completed[self.current] = Some(now);
        self.current += 1;
        self.left = self.jobs.get(self.current).map_or(0, |job| job.execution);
        true
    }
}

/// Readiness of a member, for the order among equal priorities.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    ready: bool,
    since: u64,
}

impl Place {
    /// Who becomes ready now queues at the back; who stayed ready keeps its place. `slept` says
    /// that it was not ready for a moment within this instant.
    fn update(&mut self, ready: bool, slept: bool, now: u64) {
        if ready && (slept || !self.ready) {
            self.since = now;
        }
        self.ready = ready;
    }
}

/// One core at one tick.
struct Core<'a> {
    system: &'a System,
    id: SupplyId,
    now: u64,
    tasks: Vec<Queue>,
    interrupts: Vec<Queue>,
    servers: Vec<Option<ServerState>>,
    task_places: Vec<Place>,
    blocker: Option<Blocker>,
}

/// Less urgent work that holds a task up.
struct Blocker {
    task: TaskId,
    at: u64,
    left: u64,
    /// The job that it may hold up.
    job: Option<Job>,
}

/// Runs one core through a history for `horizon` ticks.
pub fn run(system: &System, core: SupplyId, history: &History, horizon: u64) -> Outcome {
    let mut state = Core::new(system, core, history);
    let ran = (0..horizon).map(|_| state.tick()).collect();
    state.complete();
    let completed = |queues: Vec<Queue>| queues.into_iter().map(|queue| queue.completed).collect();
    Outcome { tasks: completed(state.tasks), interrupts: completed(state.interrupts), ran }
}

/// When a supply is started: a periodic server with the first of its periods that begins when
/// what it stands on is started, everything else with what it stands on.
pub fn start(system: &System, supply: SupplyId, phases: &[u64]) -> u64 {
    let Some(server) = &system.supply(supply).server else { return 0 };
    let parent = start(system, server.on, phases);
    let phase = phases.get(supply.0).copied().unwrap_or(0);
    match server.kind {
        ServerKind::Periodic if phase < parent => {
            let period = server.period.as_ns();
            phase + (parent - phase).div_ceil(period) * period
        }
        ServerKind::Periodic => phase,
        _ => parent,
    }
}

impl<'a> Core<'a> {
    fn new(system: &'a System, core: SupplyId, history: &History) -> Self {
        let on_core = |supply: SupplyId| system.core_of(supply) == core;
        let server = |id: usize| {
            let server = system.supplies[id].server.as_ref();
            server.filter(|_| on_core(SupplyId(id))).map(|server| {
                let phase = match server.kind {
                    ServerKind::Periodic => start(system, SupplyId(id), &history.phases),
                    _ => history.phases.get(id).copied().unwrap_or(0),
                };
                ServerState::new(server, phase)
            })
        };
        let jobs = |list: &[Vec<Job>], id: usize, here: bool| {
            Queue::new(list.get(id).filter(|_| here).map_or(&[], Vec::as_slice))
        };
        let task = |id: usize| jobs(&history.tasks, id, on_core(system.tasks[id].on));
        let interrupt = |id: usize| jobs(&history.interrupts, id, system.interrupts[id].on == core);
        Self {
            system,
            id: core,
            now: 0,
            tasks: (0..system.tasks.len()).map(task).collect(),
            interrupts: (0..system.interrupts.len()).map(interrupt).collect(),
            servers: (0..system.supplies.len()).map(server).collect(),
            task_places: vec![Place::default(); system.tasks.len()],
            blocker: history.blocker.map(|(task, at)| Blocker {
                task,
                at,
                left: system.task(task).blocking.as_ns(),
                job: None,
            }),
        }
    }

    /// Everything that happens at this instant, and what runs until the next.
    fn tick(&mut self) -> Ran {
        let completed = self.complete();
        self.place_blocker();
        self.exhaust();
        self.replenish();
        self.ready_tasks(&completed);
        self.ready_servers();
        self.levels();
        let ran = self.choose_and_charge();
        self.now += 1;
        ran
    }

    /// Step 1: jobs that have received all they need; which tasks completed one.
    fn complete(&mut self) -> Vec<bool> {
        for queue in &mut self.interrupts {
            queue.complete(self.now);
        }
        self.tasks.iter_mut().map(|queue| queue.complete(self.now)).collect()
    }

    fn ready_tasks(&mut self, completed: &[bool]) {
        for (id, queue) in self.tasks.iter().enumerate() {
            // A task with another job released before this instant never stopped being ready.
            let backlog = self.now > 0 && queue.pending(self.now - 1).is_some();
            let slept = completed[id] && !backlog;
            self.task_places[id].update(queue.pending(self.now).is_some(), slept, self.now);
        }
    }

    /// The blocker appears if nothing at least as urgent was ready on the supply just before,
    /// and a job of the task is released now.
    fn place_blocker(&mut self) {
        let Some(blocker) = &self.blocker else { return };
        let task = blocker.task;
        if blocker.at != self.now {
            return;
        }
        let job =
            self.tasks[task.0].pending(self.now).filter(|job| job.release == self.now).copied();
        let free = job.is_some_and(|job| !self.was_ready_at_least_as_urgent(task, job));
        match &mut self.blocker {
            Some(blocker) if free => blocker.job = job,
            blocker => *blocker = None,
        }
    }

    /// Service routines on a core included.
    fn was_ready_at_least_as_urgent(&self, task: TaskId, job: Job) -> bool {
        let supply = self.system.task(task).on;
        let mut routines = self.interrupts.iter();
        let interrupted = routines.any(|queue| queue.running_until(self.now).next().is_some());
        let mut members = self.system.supply(supply).members.iter();
        (interrupted && supply == self.id)
            || members.any(|&member| {
                self.place(member).ready && self.at_least_as_urgent(member, task, job)
            })
    }

    fn place(&self, member: Member) -> Place {
        match member {
            Member::Task(id) => self.task_places[id.0],
            Member::Server(id) => self.server(id).place,
        }
    }

    fn server(&self, id: SupplyId) -> &ServerState {
        self.servers[id.0].as_ref().expect("a server of this core")
    }
}
