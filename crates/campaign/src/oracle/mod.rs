//! The semantics restated tick by tick, as plainly as possible.
//!
//! **Purpose.** An oracle for the simulator and for the bounds. It is written from `docs/model.md` alone and shares no
//! code with the mechanisms or the simulator, so that one mistake would have to be made twice.
//!
//! **Model.** One tick is one nanosecond. At every tick the steps of "Order of events at one
//! instant" are taken in their order, over all entities, without storing anything that can be recomputed. The
//! chosen entity then runs for the whole tick.
//!
//! | file | says |
//! |---|---|
//! | `instant` | the order of the steps |
//! | `server`, `posix`, `refill_queue`, `linux` | budgets |
//! | `settle`, `place`, `turns`, `slices` | readiness, its beginning, turns, time slices |
//! | `choose` | what runs, and which budgets are charged |
//! | `line`, `pseudo` | interrupts, their delivery to guests, pseudo-VCPUs |
//! | `timer`, `budget_timer`, `card` | timers, those of budgets, and network cards |
//! | `kernel` | calls of the scheduler, switches, cold caches |
//! | `throttle` | throttling of the real-time classes |
//!
//! **Assumptions.**
//! 1. A history ([`History`]) lists all jobs with their arrival, release and execution; releases
//!    of one task keep the order of its arrivals.
//! 2. One core at a time: cores do not touch each other.
//!
//! **Cost.** Linear in the number of ticks and of entities: for systems with tiny numbers.

mod blocker;
mod budget_timer;
mod card;
mod choose;
mod fraction;
mod instant;
mod kernel;
mod line;
mod linux;
mod place;
mod posix;
mod pseudo;
mod queue;
mod refill_queue;
mod server;
mod settle;
mod slices;
#[cfg(test)]
mod tests;
mod throttle;
mod timer;
mod turns;

use blocker::Blocker;
use budget_timer::BudgetTimer;
use card::Card;
use kernel::Kernel;
use line::{GuestRoutine, Line};
use place::Place;
pub(crate) use pseudo::credit;
use queue::Queue;
use server::ServerState;
use std::collections::VecDeque;
use throttle::Throttle;
use timer::Timers;
use turns::Turns;
use vorrang_model::system::{
    Activation, InterruptId, Member, ServerKind, SupplyId, System, TaskId,
};

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

/// Everything that a description leaves open about one run of one core. Lists that are too short
/// mean: nothing arrives, and everything executes for its longest time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The first replenishment of every supply's server, in ticks, or of throttling of a core; by [`SupplyId`].
    pub phases: Vec<u64>,
    /// By how much runtimes of every supply's server, or throttling of a core, is late, in ticks; by [`SupplyId`].
    pub overruns: Vec<u64>,
    /// The length in ticks of the non-preemptible section when something becomes ready while the core idles.
    pub sections: u64,
    /// The jobs of every task in the order of arrival; by [`TaskId`]. Of an activated task only
    /// the executions count.
    pub tasks: Vec<Vec<Job>>,
    /// The jobs of every interrupt in the order of arrival; by [`InterruptId`]. Of a network card
    /// only the executions count.
    pub interrupts: Vec<Vec<Job>>,
    /// How long the guest's routines of an interrupt execute, in their order; by [`InterruptId`].
    pub guest_routines: Vec<Vec<u64>>,
    /// The phase of the pseudo-VCPU of an interrupt; by [`InterruptId`].
    pub pseudo_phases: Vec<u64>,
    /// When timers expire.
    pub timers: Vec<Vec<u64>>,
    /// When packets arrive at network cards.
    pub packets: Vec<Vec<u64>>,
    /// Less urgent work that blocks one member, as under "blocking" in the model: the member, and the first
    /// tick.
    pub blocker: Option<(Member, u64)>,
}

/// The activity of the core during one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ran {
    /// Nothing runs.
    Idle,
    /// A job of the task.
    Task(TaskId),
    /// A service routine.
    Interrupt(InterruptId),
    /// A periodic server or a slot without work.
    Idling(SupplyId),
    /// Less urgent work that blocks the member.
    Blocking(Member),
    /// The routine of a guest.
    GuestRoutine(InterruptId),
    /// A call of the scheduler.
    SchedulerCall,
    /// A context switch.
    ContextSwitch,
    /// The timer interrupt, or a batch of callbacks.
    Timers,
    /// A non-preemptible section of the kernel.
    NonPreemptible,
}

/// A job that is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// When it arrived.
    pub arrival: u64,
    /// When it was complete.
    pub at: u64,
}

/// The result of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The jobs of each task that were complete within the horizon, in order.
    pub tasks: Vec<Vec<Done>>,
    /// When each interrupt was handled within the horizon, in order.
    pub interrupts: Vec<Vec<Done>>,
    /// What ran in each tick.
    pub ran: Vec<Ran>,
}

/// One core at one tick.
struct Core<'a> {
    system: &'a System,
    history: &'a History,
    id: SupplyId,
    now: u64,
    tasks: Vec<Queue>,
    task_places: Vec<Place>,
    servers: Vec<Option<ServerState>>,
    turns: Vec<Option<Turns>>,
    lines: Vec<Line>,
    /// Routines pending in virtual processors.
    guests: Vec<VecDeque<GuestRoutine>>,
    timers: Timers,
    budget_timers: VecDeque<BudgetTimer>,
    cards: Vec<Card>,
    kernel: Kernel,
    throttle: Option<Throttle>,
    blocker: Option<Blocker>,
    /// By supply: the task whose job has begun and is not interrupted.
    kept: Vec<Option<TaskId>>,
    last: Last,
}

/// The results of the previous tick.
#[derive(Clone, Debug, Default)]
struct Last {
    ran: Option<Ran>,
    /// The pseudo-VCPUs that were charged, one inside the other.
    pseudo: Vec<usize>,
    /// It was the time of a virtual processor.
    vcpu: bool,
    /// The running entity is complete now.
    completed: bool,
    /// It was a routine of the core, or the timer interrupt.
    routine: bool,
}

/// Runs one core through a history for `horizon` ticks.
pub fn run(system: &System, core: SupplyId, history: &History, horizon: u64) -> Outcome {
    let mut state = Core::new(system, core, history);
    let ran = (0..horizon).map(|_| state.tick()).collect();
    state.complete();
    Outcome {
        tasks: state.tasks.into_iter().map(Queue::into_done).collect(),
        interrupts: state.lines.into_iter().map(|line| line.done).collect(),
        ran,
    }
}

/// When a supply is started: a periodic server with the first of its periods that begins when
/// its parent supply is started, everything else with its parent supply.
pub fn start(system: &System, supply: SupplyId, phases: &[u64]) -> u64 {
    let Some(on) = system.supply(supply).on() else { return 0 };
    let parent = start(system, on, phases);
    let phase = phases.get(supply.0).copied().unwrap_or(0);
    match system.supply(supply).server() {
        Some(server) if server.kind() == ServerKind::Periodic && phase < parent => {
            let period = server.period.as_ns();
            phase + (parent - phase).div_ceil(period) * period
        }
        Some(server) if server.kind() == ServerKind::Periodic => phase,
        _ => parent,
    }
}

/// An entry of a list that may be too short.
fn listed<T>(lists: &[Vec<T>], id: usize) -> &[T] {
    lists.get(id).map_or(&[], Vec::as_slice)
}

impl<'a> Core<'a> {
    fn new(system: &'a System, core: SupplyId, history: &'a History) -> Self {
        let on_core = |supply: SupplyId| system.core_of(supply) == core;
        let server = |id: usize| {
            let supply = on_core(SupplyId(id)).then_some(&system.supplies[id])?;
            let phase = match supply.server_kind()? {
                own @ (ServerKind::Share | ServerKind::Level) => {
                    return Some(ServerState::without_budget(own));
                }
                ServerKind::Periodic => start(system, SupplyId(id), &history.phases),
                ServerKind::Polling
                | ServerKind::Deferrable
                | ServerKind::Sporadic
                | ServerKind::CbsHard
                | ServerKind::CbsSoft
                | ServerKind::SchedDeadline
                | ServerKind::Slot
                | ServerKind::Table
                | ServerKind::PosixSporadic
                | ServerKind::RefillQueue => history.phases.get(id).copied().unwrap_or(0),
            };
            let overrun = history.overruns.get(id).copied().unwrap_or(0);
            Some(ServerState::new(supply.server()?, &supply.windows, phase, overrun))
        };
        let task = |id: usize| {
            let task = &system.tasks[id];
            let arrives = on_core(task.on) && task.activation == Activation::Sporadic;
            Queue::new(if arrives { listed(&history.tasks, id) } else { &[] })
        };
        let phase = |id: usize| history.pseudo_phases.get(id).copied().unwrap_or(0);
        let line = |id: usize| Line::new(system, InterruptId(id), phase(id));
        Self {
            system,
            history,
            id: core,
            now: 0,
            tasks: (0..system.tasks.len()).map(task).collect(),
            task_places: vec![Place::default(); system.tasks.len()],
            servers: (0..system.supplies.len()).map(server).collect(),
            turns: system.supply_ids().map(|id| turns::of(system, id)).collect(),
            lines: (0..system.interrupts.len()).map(line).collect(),
            guests: vec![VecDeque::new(); system.supplies.len()],
            timers: Timers::default(),
            budget_timers: VecDeque::new(),
            cards: system.devices.iter().map(Card::new).collect(),
            kernel: Kernel::default(),
            throttle: Throttle::new(system, core, history),
            blocker: history
                .blocker
                .filter(|&(member, _)| on_core(system.on(member)))
                .map(|(member, from)| Blocker::new(member, from)),
            kept: vec![None; system.supplies.len()],
            last: Last::default(),
        }
    }

    fn on_core(&self, supply: SupplyId) -> bool {
        self.system.core_of(supply) == self.id
    }

    fn server(&self, id: SupplyId) -> &ServerState {
        self.servers[id.0].as_ref().expect("a server of this core")
    }

    /// Whether a supply is the core or a server outside virtual processors.
    fn is_of_host(&self, mut supply: SupplyId) -> bool {
        loop {
            if self.system.supply(supply).vm.is_some() {
                return false;
            }
            match self.system.supply(supply).on() {
                Some(on) => supply = on,
                None => return true,
            }
        }
    }
}
