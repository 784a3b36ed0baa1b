//! Event-driven, deterministic simulation of one core.
//!
//! **Model.** `docs/model.md`. At every instant at which something happens:
//!
//! ```text
//!   advance   1. what ran until now is charged; a job whose work is done completes
//!             2. budgets that reached zero are exhausted
//!   fire      3. replenishments   4. releases of interrupts, then tasks
//!   settle    5. levels, wake-ups and sleeps of servers, innermost first
//!   choose       what runs: a section of the kernel, a routine, or from the core down to a job
//!   stop         servers of seL4 that ran until now and do not run any more
//! ```
//!
//! **Assumptions.**
//! 1. The core is covered ([`crate::covered`]); it does not interact with other cores.
//!
//! **Cost.** Logarithmic in the number of entities per event, plus the depth of nesting, plus the
//! number of sporadic servers on a supply on which something happened: each gets its level.
//! Nothing is allocated per event; memory does not grow with the horizon (`allowance.rs`).
//!
//! **Does not cover** what [`crate::NotCovered`] names.

mod advance;
mod allowance;
mod budget_timer;
mod choose;
mod fire;
mod interrupt_level;
mod kernel;
mod node_set;
mod packets;
mod pseudo_vcpus;
mod real_time;
mod settle;
mod stop;
mod throttling;
mod timer_interrupt;
mod unfinished;

pub use allowance::End;

use crate::coverage::{NotCovered, covered};
use crate::device::DeviceState;
use crate::expiries::Expiries;
use crate::history::{Blocker, History};
use crate::node::NodeMember;
use crate::observer::{Observer, Payer, Running};
use crate::timers::Timers;
use crate::tree::Tree;
use allowance::Allowance;
use kernel::Kernel;
use node_set::NodeSet;
use real_time::RealTime;
use vorrang_mechanisms::server::Server as _;
use vorrang_model::system::{InterruptTime, SupplyId, System};
use vorrang_time::{Duration, Instant};

/// Runs `history` on one core up to `horizon`.
///
/// # Errors
/// What on the core cannot be simulated.
pub fn simulate(
    system: &System,
    core: SupplyId,
    history: &History,
    horizon: Instant,
    observer: &mut impl Observer,
) -> Result<(), NotCovered> {
    Simulator::new(system, core)?.run(history, horizon, observer);
    Ok(())
}

/// One core, ready to run one history after the other without building its tables anew.
#[derive(Clone, Debug)]
pub struct Simulator<'s> {
    system: &'s System,
    tree: Tree,
    timers: Timers,
    entities: Entities,
    devices: Vec<DeviceState>,
    /// The timers of the core, if it has any.
    expiries: Option<Expiries>,
    /// Nodes to settle.
    unsettled: NodeSet,
    /// The servers that are charged for what runs, outermost first.
    paying: Vec<usize>,
    /// The queues of refills that were charged up to this instant.
    paid: Vec<usize>,
    /// The supplies whose members take turns, on the way to what runs.
    turning: Vec<usize>,
    /// Whether servers are charged for the routines of the core that interrupt them.
    charges_routines: bool,
    /// The server of Linux that the core was decided for last, if it was one.
    decided: Option<usize>,
    /// The server that is charged for a sequence of routines without a gap.
    interrupted: Option<usize>,
    /// Overheads of the machine.
    kernel: Kernel,
    /// Whether members without a reservation of Linux are stopped, if the core stops them at all.
    real_time: RealTime,
    runs: Choice,
    /// What ran is complete.
    is_done: bool,
    /// It was a job that ended with `sched_yield`, on this node.
    yielded: Option<usize>,
    what: Running,
    since: Instant,
    /// When what runs is complete or a budget that is charged for it is exhausted.
    until: Instant,
    blocking: Option<Blocking>,
    allowance: Allowance,
}

/// The first index of each kind of event: servers (node 1 on) at zero, then devices, then the
/// timers, then interrupts, then tasks, then the timer of throttling, which only the next decision looks at. What is due at
/// one instant happens in this order.
#[derive(Clone, Copy, Debug)]
struct Entities {
    devices: usize,
    expiries: usize,
    interrupts: usize,
    tasks: usize,
    throttling: usize,
}

impl Entities {
    fn new(tree: &Tree, count: usize, has_timers: bool) -> Self {
        let devices = tree.nodes.len() - 1;
        let expiries = devices + count;
        let interrupts = expiries + usize::from(has_timers);
        let tasks = interrupts + tree.interrupts.len();
        Self { devices, expiries, interrupts, tasks, throttling: tasks + tree.tasks.len() }
    }
}

/// What the core runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Idle,
    Kernel,
    /// The first request at the interrupt level of a node: of the core, or of a guest.
    Routine(usize),
    Task(usize),
    Server,
    /// The section that blocks a server.
    Section,
}

/// Less urgent work that may block a job of a task, or a server.
#[derive(Clone, Copy, Debug)]
struct Blocking {
    member: NodeMember,
    from: Instant,
    /// The rest of the section that blocks the server; that of a task precedes its job.
    left: Duration,
    /// There has been no section yet in this busy window of its level.
    is_open: bool,
}

impl<'s> Simulator<'s> {
    /// Builds the tables of a core.
    ///
    /// # Errors
    /// What on the core cannot be simulated.
    pub fn new(system: &'s System, core: SupplyId) -> Result<Self, NotCovered> {
        covered(system, core)?;
        let mut tree = Tree::new(system, core);
        let devices = system.devices_on(core).enumerate();
        let devices: Vec<DeviceState> =
            devices.map(|(place, id)| DeviceState::new(system, id, &mut tree, place)).collect();
        let owner = |id| tree.owner(system, system.timer(id).armed_by);
        let expiries = Expiries::of_core(system, core, owner);
        let entities = Entities::new(&tree, devices.len(), expiries.is_some());
        Ok(Self {
            system,
            timers: Timers::new(entities.throttling + 1),
            entities,
            devices,
            expiries,
            unsettled: NodeSet::new(usize::from(!tree.nodes[0].is_settled()), tree.nodes.len()),
            paying: Vec::new(),
            paid: Vec::new(),
            turning: Vec::new(),
            charges_routines: system.supply(core).interrupt_time == InterruptTime::Charged,
            decided: None,
            interrupted: None,
            kernel: Kernel::new(system, core),
            real_time: RealTime::of(system.supply(core).rt_throttling),
            runs: Choice::Idle,
            is_done: false,
            yielded: None,
            what: Running::Idle,
            since: Instant::ZERO,
            until: Instant::NEVER,
            blocking: None,
            allowance: Allowance::default(),
            tree,
        })
    }

    /// The system that the core is part of.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// The core.
    pub fn core(&self) -> SupplyId {
        self.tree.nodes[0].id
    }

    /// Runs a history up to `horizon`: work that is done there is complete, nothing begins there.
    /// Where it ends early ([`End`]), the same holds there.
    ///
    /// # Panics
    /// If the history is of another system.
    pub fn run(
        &mut self,
        history: &History,
        horizon: Instant,
        observer: &mut impl Observer,
    ) -> End {
        self.set_up();
        self.reset(history);
        observer.began(self.core(), history);
        self.report_budgets(observer);
        let mut now = Instant::ZERO;
        while now < horizon && !observer.has_seen_enough() && !self.is_over() {
            self.take_step();
            self.fire(now, observer);
            self.settle(now, observer);
            while !self.choose(now, observer) {
                self.settle(now, observer);
            }
            self.stop_servers(now, observer);
            if self.is_stuck() {
                break;
            }
            let next = self.timers.first().min(self.until).min(horizon);
            assert!(next > now, "nothing that is due at {now} may be left there");
            self.advance(now, next, observer);
            now = next;
        }
        observer_ran(observer, self.since, now, self.what);
        self.kernel.report(now, observer);
        let end = self.end(now == horizon);
        if end != End::SeenEnough {
            self.report_unfinished(now, observer);
        }
        observer.ended(now);
        end
    }

    fn reset(&mut self, history: &History) {
        self.tree.reset(self.system, history);
        for node in 1..self.tree.nodes.len() {
            self.set_server_timer(node);
            self.unsettled.insert(node);
        }
        for interrupt in 0..self.tree.interrupts.len() {
            self.set_interrupt_timer(interrupt);
        }
        for task in 0..self.tree.tasks.len() {
            self.set_task_timer(task);
        }
        for device in 0..self.devices.len() {
            self.devices[device].reset(self.system, history);
            self.set_device_timer(device);
        }
        if let Some(expiries) = &mut self.expiries {
            expiries.reset(self.system, history);
            self.set_expiries_timer();
        }
        (self.runs, self.what) = (Choice::Idle, Running::Idle);
        self.paying.clear();
        self.paid.clear();
        self.turning.clear();
        (self.decided, self.interrupted) = (None, None);
        self.kernel.reset(history.sections_on(self.system, self.core()));
        self.reset_throttling(history);
        (self.since, self.until) = (Instant::ZERO, Instant::NEVER);
        self.blocking = history.blocker.and_then(|Blocker { member, from }| {
            let member = self.tree.member(member)?;
            Some(Blocking { member, from, left: Duration::ZERO, is_open: true })
        });
    }

    fn set_server_timer(&mut self, node: usize) {
        let due = self.tree.nodes[node].server().due();
        self.timers.set(node - 1, due);
    }

    fn set_interrupt_timer(&mut self, interrupt: usize) {
        let due = self.tree.interrupts[interrupt].due();
        self.timers.set(self.entities.interrupts + interrupt, due);
    }

    #[inline]
    fn set_task_timer(&mut self, task: usize) {
        let state = &self.tree.tasks[task];
        let due = state.next.map_or(Instant::NEVER, |plan| plan.release);
        self.timers.set(self.entities.tasks + task, due);
    }

    fn report_budgets(&mut self, observer: &mut impl Observer) {
        for node in &mut self.tree.nodes[1..] {
            let left = node.server().budget();
            observer_budget(observer, node.payer(), left, Instant::ZERO);
        }
    }
}

/// Reports an interval unless it is empty.
fn observer_ran(observer: &mut impl Observer, from: Instant, to: Instant, what: Running) {
    if from < to {
        observer.ran(from, to, what);
    }
}

/// Reports the remaining budget.
#[inline]
fn observer_budget(observer: &mut impl Observer, of: Payer, left: Duration, now: Instant) {
    match of {
        Payer::Server(id) => observer.budget(id, left, now),
        Payer::PseudoVcpu(id) => observer.pseudo_vcpu_budget(id, left, now),
    }
}
