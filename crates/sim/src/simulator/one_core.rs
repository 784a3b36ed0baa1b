//! One core of a simulation: its tables, and where it is in a history.
//!
//! **Assumptions.** What other cores wake on it comes from the [`Simulator`](super::Simulator).

use super::allowance::{Allowance, End};
use super::kernel::Kernel;
use super::node_set::NodeSet;
use super::real_time::RealTime;
use crate::device::DeviceState;
use crate::expiries::Expiries;
use crate::history::{Blocker, History};
use crate::job::Wake;
use crate::node::NodeMember;
use crate::observer::{Observer, Payer, Running};
use crate::timers::Timers;
use crate::tree::Tree;
use vorrang_mechanisms::server::Server as _;
use vorrang_model::system::{InterruptTime, SupplyId, System};
use vorrang_time::{Duration, Instant};

/// One core, ready to run one history after the other without building its tables anew.
#[derive(Clone, Debug)]
pub(super) struct OneCore<'s> {
    pub(super) system: &'s System,
    pub(super) tree: Tree,
    pub(super) timers: Timers,
    pub(super) entities: Entities,
    pub(super) devices: Vec<DeviceState>,
    /// The timers of the core, if it has any.
    pub(super) expiries: Option<Expiries>,
    /// Nodes to settle.
    pub(super) unsettled: NodeSet,
    /// The servers that are charged for what runs, outermost first.
    pub(super) paying: Vec<usize>,
    /// The queues of refills that were charged up to this instant.
    pub(super) paid: Vec<usize>,
    /// The supplies whose members take turns, on the way to what runs.
    pub(super) turning: Vec<usize>,
    /// Whether servers are charged for the routines of the core that interrupt them.
    pub(super) charges_routines: bool,
    /// The server of Linux that the core was decided for last, if it was one.
    pub(super) decided: Option<usize>,
    /// The server that is charged for a sequence of routines without a gap.
    pub(super) interrupted: Option<usize>,
    /// Overheads of the machine.
    pub(super) kernel: Kernel,
    /// Whether members without a reservation of Linux are stopped, if the core stops them at all.
    pub(super) real_time: RealTime,
    pub(super) runs: Choice,
    /// What ran is complete.
    pub(super) is_done: bool,
    /// It was a job that ended with `sched_yield`, on this node.
    pub(super) yielded: Option<usize>,
    pub(super) what: Running,
    pub(super) since: Instant,
    /// The instant at which it is.
    pub(super) now: Instant,
    /// What follows from the ends of this instant, on any core.
    pub(super) wakes: Vec<Wake>,
    /// When what runs is complete or a budget that is charged for it is exhausted.
    pub(super) until: Instant,
    pub(super) blocking: Option<Blocking>,
    pub(super) allowance: Allowance,
}

/// The first index of each kind of event: servers (node 1 on) at zero, then devices, then the
/// timers, then interrupts, then tasks, then the timer of throttling, which only the next decision looks at. What is due at
/// one instant happens in this order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entities {
    pub(super) devices: usize,
    pub(super) expiries: usize,
    pub(super) interrupts: usize,
    pub(super) tasks: usize,
    pub(super) throttling: usize,
}

impl Entities {
    pub(super) fn new(tree: &Tree, count: usize, has_timers: bool) -> Self {
        let devices = tree.nodes.len() - 1;
        let expiries = devices + count;
        let interrupts = expiries + usize::from(has_timers);
        let tasks = interrupts + tree.interrupts.len();
        Self { devices, expiries, interrupts, tasks, throttling: tasks + tree.tasks.len() }
    }
}

/// What the core runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
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
pub(super) struct Blocking {
    pub(super) member: NodeMember,
    pub(super) from: Instant,
    /// The rest of the section that blocks the server; that of a task precedes its job.
    pub(super) left: Duration,
    /// There has been no section yet in this busy window of its level.
    pub(super) is_open: bool,
}

impl<'s> OneCore<'s> {
    /// Builds the tables of a core that is covered.
    pub(super) fn new(system: &'s System, core: SupplyId) -> Self {
        let mut tree = Tree::new(system, core);
        let devices = system.devices_on(core).enumerate();
        let devices: Vec<DeviceState> =
            devices.map(|(place, id)| DeviceState::new(system, id, &mut tree, place)).collect();
        let owner = |id| tree.owner(system, system.timer(id).armed_by);
        let expiries = Expiries::of_core(system, core, owner);
        let entities = Entities::new(&tree, devices.len(), expiries.is_some());
        Self {
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
            now: Instant::ZERO,
            wakes: Vec::new(),
            until: Instant::NEVER,
            blocking: None,
            allowance: Allowance::default(),
            tree,
        }
    }

    /// The core.
    pub(super) fn core(&self) -> SupplyId {
        self.tree.nodes[0].id
    }

    /// When something happens on it next by itself.
    #[inline]
    pub(super) fn next(&self) -> Instant {
        self.timers.first().min(self.until)
    }

    /// Steps 1 and 2 of an instant, unless it is there already.
    #[inline]
    pub(super) fn go_to(&mut self, next: Instant, observer: &mut impl Observer) {
        let now = core::mem::replace(&mut self.now, next);
        if now < next {
            self.advance(now, next, observer);
        }
    }

    /// Steps 3 to 5 of the instant at which it is.
    #[inline]
    pub(super) fn decide(&mut self, observer: &mut impl Observer) {
        let now = self.now;
        self.take_step();
        self.fire(now, observer);
        self.settle(now, observer);
        while !self.choose(now, observer) {
            self.settle(now, observer);
        }
        self.stop_servers(now, observer);
    }

    /// The run is over, at the instant at which it is.
    pub(super) fn finish(&mut self, end: End, observer: &mut impl Observer) {
        let now = self.now;
        observer_ran(observer, self.since, now, self.what);
        self.kernel.report(now, observer);
        if end != End::SeenEnough {
            self.report_unfinished(now, observer);
        }
        observer.ended(now);
    }

    pub(super) fn reset(&mut self, history: &History) {
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
        (self.now, self.since, self.until) = (Instant::ZERO, Instant::ZERO, Instant::NEVER);
        self.wakes.clear();
        self.blocking = history.blocker.and_then(|Blocker { member, from }| {
            let member = self.tree.member(member)?;
            Some(Blocking { member, from, left: Duration::ZERO, is_open: true })
        });
    }

    pub(super) fn set_server_timer(&mut self, node: usize) {
        let due = self.tree.nodes[node].server().due();
        self.timers.set(node - 1, due);
    }

    pub(super) fn set_interrupt_timer(&mut self, interrupt: usize) {
        let due = self.tree.interrupts[interrupt].due();
        self.timers.set(self.entities.interrupts + interrupt, due);
    }

    #[inline]
    pub(super) fn set_task_timer(&mut self, task: usize) {
        let state = &self.tree.tasks[task];
        let due = state.next.map_or(Instant::NEVER, |plan| plan.release);
        self.timers.set(self.entities.tasks + task, due);
    }

    pub(super) fn report_budgets(&mut self, observer: &mut impl Observer) {
        for node in &mut self.tree.nodes[1..] {
            let left = node.server().budget();
            observer_budget(observer, node.payer(), left, Instant::ZERO);
        }
    }
}

/// Reports an interval unless it is empty.
pub(super) fn observer_ran(
    observer: &mut impl Observer,
    from: Instant,
    to: Instant,
    what: Running,
) {
    if from < to {
        observer.ran(from, to, what);
    }
}

/// Reports the remaining budget.
#[inline]
pub(super) fn observer_budget(
    observer: &mut impl Observer,
    of: Payer,
    left: Duration,
    now: Instant,
) {
    match of {
        Payer::Server(id) => observer.budget(id, left, now),
        Payer::PseudoVcpu(id) => observer.pseudo_vcpu_budget(id, left, now),
    }
}
