//! Event-driven, deterministic simulation of one core.
//!
//! **Model.** `docs/model.md`. At every instant at which something happens:
//!
//! ```text
//!   advance   1. what ran until now is charged; a job whose work is done completes
//!             2. budgets that reached zero are exhausted
//!   fire      3. replenishments   4. releases of interrupts, then tasks
//!   settle    5. levels, wake-ups and sleeps of servers, innermost first
//!   choose       what runs, from the core down to a job
//! ```
//!
//! **Assumptions.**
//! 1. The core is covered ([`crate::covered`]); it does not interact with other cores.
//! 2. Switching costs nothing.
//!
//! **Cost.** Logarithmic in the number of entities per event, plus the depth of nesting. Nothing
//! is allocated per event; memory grows with unfinished jobs only, not with the horizon.
//!
//! **Does not cover** what [`crate::NotCovered`] names.

use crate::coverage::{NotCovered, covered};
use crate::history::{Blocker, History};
use crate::observer::{Observer, Running, Source};
use crate::timers::Timers;
use crate::tree::{Live, Node, NodeMember, Tree};
use std::collections::VecDeque;
use vorrang_mechanisms::scheduler::{edf, fixed_priority};
use vorrang_mechanisms::server::{AnyServer, Server as _};
use vorrang_model::system::{Scheduler, SupplyId, System};
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
    /// One entity per server (node 1 on), interrupt and task, in this order.
    timers: Timers,
    /// Requested service routines, first come first served.
    routines: VecDeque<(usize, Live)>,
    /// Nodes to settle.
    unsettled: NodeSet,
    /// The servers whose budget pays for what runs, outermost first.
    paying: Vec<usize>,
    runs: Choice,
    what: Running,
    since: Instant,
    /// When what runs is done or a budget that pays for it is gone.
    until: Instant,
    blocker: Option<PendingBlocker>,
}

/// Who has the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Nobody,
    Routine,
    Task(usize),
    Server,
}

/// A section of less urgent work that has not appeared yet.
#[derive(Clone, Copy, Debug)]
struct PendingBlocker {
    task: usize,
    at: Instant,
    /// Nothing at least as urgent as its task was ready just before `at`.
    allowed: bool,
}

impl<'s> Simulator<'s> {
    /// Builds the tables of a core.
    ///
    /// # Errors
    /// What on the core cannot be simulated.
    pub fn new(system: &'s System, core: SupplyId) -> Result<Self, NotCovered> {
        covered(system, core)?;
        let tree = Tree::new(system, core);
        let entities = tree.nodes.len() - 1 + tree.interrupts.len() + tree.tasks.len();
        Ok(Self {
            system,
            timers: Timers::new(entities),
            routines: VecDeque::new(),
            unsettled: NodeSet::new(tree.nodes.len()),
            paying: Vec::new(),
            runs: Choice::Nobody,
            what: Running::Idle,
            since: Instant::ZERO,
            until: Instant::NEVER,
            blocker: None,
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
    ///
    /// # Panics
    /// If the history is of another system.
    pub fn run(&mut self, history: &History, horizon: Instant, observer: &mut impl Observer) {
        self.reset(history);
        let mut now = Instant::ZERO;
        while now < horizon && !observer.has_seen_enough() {
            self.fire(now, observer);
            self.settle(now);
            self.choose(now, observer);
            let next = self.timers.first().min(self.until).min(horizon);
            assert!(next > now, "nothing that is due at {now} may be left there");
            self.advance(now, next, observer);
            now = next;
        }
        observer_ran(observer, self.since, now, self.what);
        if now == horizon {
            self.report_unfinished(horizon, observer);
        }
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
        self.routines.clear();
        (self.runs, self.what) = (Choice::Nobody, Running::Idle);
        self.paying.clear();
        (self.since, self.until) = (Instant::ZERO, Instant::NEVER);
        self.blocker = history.blocker.and_then(|Blocker { task, at }| {
            let task = self.tree.tasks.iter().position(|state| state.id == task)?;
            Some(PendingBlocker { task, at, allowed: at == Instant::ZERO })
        });
    }

    fn set_server_timer(&mut self, node: usize) {
        let due = self.tree.nodes[node].server().due();
        self.timers.set(node - 1, due);
    }

    fn set_interrupt_timer(&mut self, interrupt: usize) {
        let next = self.tree.interrupts[interrupt].next;
        let entity = self.tree.nodes.len() - 1 + interrupt;
        self.timers.set(entity, next.map_or(Instant::NEVER, |plan| plan.release));
    }

    #[inline]
    fn set_task_timer(&mut self, task: usize) {
        let next = self.tree.tasks[task].next;
        let entity = self.tree.nodes.len() - 1 + self.tree.interrupts.len() + task;
        self.timers.set(entity, next.map_or(Instant::NEVER, |plan| plan.release));
    }

    /// Steps 1 and 2: what ran from `now` to `next` is charged; what is done or gone then.
    fn advance(&mut self, now: Instant, next: Instant, observer: &mut impl Observer) {
        self.look_at_blocker(next);
        let amount = next - now;
        match self.runs {
            Choice::Nobody | Choice::Server => {}
            Choice::Routine => {
                let (_, routine) = self.routines.front_mut().expect("the one that runs");
                routine.remaining -= amount;
                if routine.remaining.is_zero() {
                    observer.completed(&routine.job, next);
                    self.routines.pop_front();
                    self.unsettled.insert(0);
                }
            }
            Choice::Task(task) => {
                let live = self.tree.tasks[task].backlog.front_mut().expect("the one that runs");
                if live.blocking.is_zero() {
                    live.remaining -= amount;
                    if live.remaining.is_zero() {
                        observer.completed(&live.job, next);
                        self.complete(task, next);
                    }
                } else {
                    live.blocking -= amount;
                }
            }
        }
        for place in 0..self.paying.len() {
            let node = self.paying[place];
            self.charge(node, next, amount, observer);
        }
    }

    /// Notes whether the blocker may appear at `next`, before anything happens there.
    #[inline]
    fn look_at_blocker(&mut self, next: Instant) {
        let Some(blocker) = self.blocker.filter(|blocker| blocker.at == next) else { return };
        let task = &self.tree.tasks[blocker.task];
        let node = &self.tree.nodes[task.node];
        let is_up = node.ready.first().is_some_and(|key| match node.scheduler {
            Scheduler::Edf => task.next.is_some_and(|plan| {
                edf::is_at_least_as_urgent(key, task.absolute_deadline(plan.arrival))
            }),
            _ => fixed_priority::is_at_least_as_urgent(key, task.priority),
        });
        let allowed = !is_up && (task.node != 0 || self.routines.is_empty());
        self.blocker = Some(PendingBlocker { allowed, ..blocker });
    }

    /// The first job of a task is complete.
    fn complete(&mut self, task: usize, now: Instant) {
        let state = &mut self.tree.tasks[task];
        state.backlog.pop_front();
        let node = &mut self.tree.nodes[state.node];
        match state.backlog.front() {
            None => {
                node.ready.remove(state.declared);
                self.unsettled.insert(state.node);
            }
            // The next job has its own deadline; by priority the task keeps its place.
            Some(live) if node.scheduler == Scheduler::Edf => {
                let key = state.key(node.scheduler, &live.job, now);
                node.ready.remove(state.declared);
                node.ready.insert(key);
            }
            Some(_) => {}
        }
    }

    #[inline]
    fn charge(
        &mut self,
        node: usize,
        now: Instant,
        amount: Duration,
        observer: &mut impl Observer,
    ) {
        let server = self.tree.nodes[node].server();
        server.consume(now, amount);
        if server.budget().is_zero() {
            observer.exhausted(self.tree.nodes[node].id, now);
            self.unlist(node);
            self.set_server_timer(node);
        } else if server.due() <= now {
            self.set_server_timer(node);
        }
    }

    /// An exhausted server loses its place, even if it is replenished at the same instant.
    fn unlist(&mut self, node: usize) {
        let Node { parent, declared, .. } = self.tree.nodes[node];
        self.tree.nodes[node].listed = None;
        self.tree.nodes[parent].ready.remove(declared);
        self.unsettled.insert(parent);
        self.unsettled.insert(node);
    }

    /// Steps 3 and 4: everything that is due, servers first, then interrupts, then tasks.
    #[inline]
    fn fire(&mut self, now: Instant, observer: &mut impl Observer) {
        let servers = self.tree.nodes.len() - 1;
        let interrupts = self.tree.interrupts.len();
        while self.timers.first() <= now {
            let entity = self.timers.first_entity();
            if entity < servers {
                self.replenish(entity + 1, now, observer);
            } else if entity < servers + interrupts {
                self.request(entity - servers, observer);
            } else {
                self.release(entity - servers - interrupts, now, observer);
            }
        }
    }

    fn replenish(&mut self, node: usize, now: Instant, observer: &mut impl Observer) {
        let Self { tree, unsettled, .. } = self;
        let server = tree.nodes[node].server();
        let before = server.budget();
        server.replenish(now);
        let has_budget = !server.budget().is_zero();
        // A sporadic server is also asked where something would be back had it been consumed.
        let nothing_came = matches!(server, AnyServer::Sporadic(_)) && server.budget() == before;
        unsettled.insert(tree.nodes[node].parent);
        unsettled.insert(node);
        self.set_server_timer(node);
        let id = self.tree.nodes[node].id;
        if nothing_came {
            return;
        }
        if has_budget {
            observer.replenished(id, now);
        } else {
            observer.exhausted(id, now);
        }
    }

    fn request(&mut self, interrupt: usize, observer: &mut impl Observer) {
        let state = &mut self.tree.interrupts[interrupt];
        let plan = state.next.expect("its release is due");
        state.next = state.jobs.next();
        let job = plan.job(Source::Interrupt(state.id));
        let live = Live { job, blocking: Duration::ZERO, remaining: plan.execution };
        self.routines.push_back((interrupt, live));
        self.unsettled.insert(0);
        self.set_interrupt_timer(interrupt);
        observer.released(&job);
    }

    #[inline]
    fn release(&mut self, task: usize, now: Instant, observer: &mut impl Observer) {
        let blocking = self.take_blocking(task, now);
        let state = &mut self.tree.tasks[task];
        let plan = state.next.expect("its release is due");
        state.next = state.jobs.next();
        let job = plan.job(Source::Task(state.id));
        if state.backlog.is_empty() {
            let node = &mut self.tree.nodes[state.node];
            node.ready.insert(state.key(node.scheduler, &job, now));
            self.unsettled.insert(state.node);
        }
        state.backlog.push_back(Live { job, blocking, remaining: plan.execution });
        self.set_task_timer(task);
        observer.released(&job);
    }

    /// The less urgent work that appears before a job of the task that is released now.
    #[inline]
    fn take_blocking(&mut self, task: usize, now: Instant) -> Duration {
        match self.blocker {
            Some(blocker) if blocker.task == task && blocker.at == now && blocker.allowed => {
                self.blocker = None;
                self.system.task(self.tree.tasks[task].id).blocking
            }
            _ => Duration::ZERO,
        }
    }

    /// Step 5: what follows for servers, from the innermost outwards.
    #[inline]
    fn settle(&mut self, now: Instant) {
        while let Some(node) = self.unsettled.take_last() {
            for place in 0..self.tree.nodes[node].sporadic.len() {
                let member = self.tree.nodes[node].sporadic[place];
                self.settle_level(node, member, now);
            }
            if node > 0 {
                self.settle_readiness(node, now);
            }
        }
    }

    /// Tells a sporadic member of a node whether its level is active.
    fn settle_level(&mut self, node: usize, member: usize, now: Instant) {
        let priority = self.tree.nodes[member].priority;
        let first = self.tree.nodes[node].ready.first();
        let active = first.is_some_and(|key| fixed_priority::is_at_least_as_urgent(key, priority))
            || (node == 0 && !self.routines.is_empty());
        self.tree.nodes[member].server().level(now, active);
        self.set_server_timer(member);
    }

    /// Wakes a server whose guest got work; puts it into, or takes it out of, the parent's queue.
    fn settle_readiness(&mut self, place: usize, now: Instant) {
        let (parents, rest) = self.tree.nodes.split_at_mut(place);
        let node = &mut rest[0];
        let parent = &mut parents[node.parent];
        let has_work = !node.ready.is_empty();
        let server = node.server.as_mut().expect("only the core is no server");
        if has_work && !node.had_work {
            server.wake(now);
        }
        node.had_work = has_work;
        let is_ready = !server.budget().is_zero() && (has_work || server.idles());
        let key = match node.listed {
            _ if !is_ready => None,
            Some(key) if parent.scheduler == Scheduler::FixedPriority => Some(key),
            _ => Some(node.key(parent.scheduler, now)),
        };
        if key != node.listed {
            if node.listed.is_some() {
                parent.ready.remove(node.declared);
            }
            if let Some(key) = key {
                parent.ready.insert(key);
            }
            node.listed = key;
            self.unsettled.insert(node.parent);
        }
    }

    /// Decides who has the core, and until when at the latest.
    #[inline]
    fn choose(&mut self, now: Instant, observer: &mut impl Observer) {
        self.paying.clear();
        let (runs, what, left) = if let Some((_, live)) = self.routines.front() {
            let Source::Interrupt(id) = live.job.source else {
                unreachable!("only service routines are queued here")
            };
            (Choice::Routine, Running::Interrupt(id), live.remaining)
        } else {
            self.descend()
        };
        self.runs = runs;
        self.until = match runs {
            Choice::Nobody => Instant::NEVER,
            _ => now.checked_add(left).unwrap_or(Instant::NEVER),
        };
        if what != self.what {
            observer_ran(observer, self.since, now, self.what);
            (self.what, self.since) = (what, now);
        }
    }

    /// Follows the most urgent member from the core down. The last part of the result is the
    /// longest time the choice can hold.
    #[inline]
    fn descend(&mut self) -> (Choice, Running, Duration) {
        let nodes = &self.tree.nodes;
        let mut node = &nodes[0];
        let mut left = Duration::MAX;
        loop {
            let Some(key) = node.ready.first() else {
                return match node.server {
                    None => (Choice::Nobody, Running::Idle, left),
                    Some(_) => (Choice::Server, Running::Idling(node.id), left),
                };
            };
            match node.members[key.member() as usize] {
                NodeMember::Server(member) => {
                    node = &nodes[member];
                    let server = node.server.as_ref().expect("only the core is no server");
                    left = left.min(server.budget());
                    self.paying.push(member);
                }
                NodeMember::Task(task) => {
                    let state = &self.tree.tasks[task];
                    let live = state.backlog.front().expect("a ready task has a job");
                    return if live.blocking.is_zero() {
                        (Choice::Task(task), Running::Task(state.id), left.min(live.remaining))
                    } else {
                        (Choice::Task(task), Running::Blocking(state.id), left.min(live.blocking))
                    };
                }
            }
        }
    }

    /// Jobs that arrived before the horizon and are not complete, each source's in order.
    fn report_unfinished(&mut self, horizon: Instant, observer: &mut impl Observer) {
        for (_, live) in &self.routines {
            observer.unfinished(&live.job, horizon);
        }
        for state in &mut self.tree.interrupts {
            while let Some(plan) = state.next.filter(|plan| plan.arrival < horizon) {
                observer.unfinished(&plan.job(Source::Interrupt(state.id)), horizon);
                state.next = state.jobs.next();
            }
        }
        for state in &mut self.tree.tasks {
            for live in &state.backlog {
                observer.unfinished(&live.job, horizon);
            }
            while let Some(plan) = state.next.filter(|plan| plan.arrival < horizon) {
                observer.unfinished(&plan.job(Source::Task(state.id)), horizon);
                state.next = state.jobs.next();
            }
        }
    }
}

/// Reports an interval unless it is empty.
fn observer_ran(observer: &mut impl Observer, from: Instant, to: Instant, what: Running) {
    if from < to {
        observer.ran(from, to, what);
    }
}

/// A set of nodes from which the last is taken first, so that servers come before their parents.
#[derive(Clone, Debug)]
struct NodeSet {
    words: Vec<u64>,
}

impl NodeSet {
    fn new(nodes: usize) -> Self {
        Self { words: vec![0; nodes.div_ceil(64)] }
    }

    #[inline]
    fn insert(&mut self, node: usize) {
        self.words[node / 64] |= 1 << (node % 64);
    }

    #[inline]
    fn take_last(&mut self) -> Option<usize> {
        for (index, word) in self.words.iter_mut().enumerate().rev() {
            if *word != 0 {
                let bit = word.ilog2() as usize;
                *word &= !(1 << bit);
                return Some(64 * index + bit);
            }
        }
        None
    }
}
