//! The tree of supplies of one core, with the state of everything on it.
//!
//! Everything is identified by its index in a `Vec`: node 0 is the core, a parent precedes its servers, tasks
//! and interrupts are in the order of declaration.

mod paying;

use crate::backlog::Backlog;
use crate::history::History;
use crate::interrupt::InterruptState;
use crate::node::{Node, NodeMember};
use crate::pseudo_vcpu;
use crate::task::TaskState;
use crate::turns::turns;
use vorrang_mechanisms::server::{
    AnyServer, Bandwidth, CbsHard, CbsSoft, Deferrable, Periodic, Polling, PosixSporadic,
    RefillQueue, SchedDeadline, Server as _, Share, Slot, Sporadic,
};
use vorrang_model::system::{Member, Server, ServerKind, SupplyId, System, TaskId};
use vorrang_time::{Duration, Instant};
use vorrang_timer::Urgency;

/// One core and everything on it.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) tasks: Vec<TaskState>,
    pub(crate) interrupts: Vec<InterruptState>,
}

impl Tree {
    /// The tree of `core`, in which nothing happens until it is reset to a history.
    pub(crate) fn new(system: &System, core: SupplyId) -> Self {
        let quiet = History::quiet(system);
        let mut tree = Self { nodes: Vec::new(), tasks: Vec::new(), interrupts: Vec::new() };
        // A parent precedes its servers, so its place is known already.
        let mut place_of = vec![None; system.supplies.len()];
        let pseudo_vcpus = pseudo_vcpu::by_vcpu(system, core);
        for id in system.supply_ids() {
            let supply = system.supply(id);
            let parent = match &supply.server {
                None if id == core => 0,
                None => continue,
                Some(server) => match place_of[server.on.0] {
                    Some(parent) => parent,
                    None => continue,
                },
            };
            place_of[id.0] = Some(tree.nodes.len());
            let outer = tree.nodes.get(parent).and_then(|parent| parent.context);
            tree.nodes.push(Node::new(id, supply, parent, outer));
            tree.add_pseudo_vcpus(system, &pseudo_vcpus[id.0]);
        }
        // Each member of a virtual processor is added once, whichever server supplies it.
        let own = |place: &usize| tree.nodes[*place].pays_for.is_none();
        let with_members: Vec<usize> = (0..tree.nodes.len()).filter(own).collect();
        for place in with_members {
            tree.add_members(system, place, &place_of, &quiet);
        }
        // Simultaneous releases are handled in the order of declaration.
        tree.sort_tasks();
        tree.list_pseudo_vcpus(system);
        for id in system.interrupts_of(core) {
            let state = InterruptState::new(system, id, &quiet, &place_of, &tree.tasks);
            if let Some(task) = state.wakes {
                tree.tasks[task].woken_by = Some(tree.interrupts.len());
            }
            tree.interrupts.push(state);
        }
        for place in 0..tree.nodes.len() {
            if let Some(pays_for) = tree.nodes[place].pays_for {
                tree.interrupts[pays_for.interrupt].pseudo_vcpu = Some(place);
            }
        }
        tree
    }

    /// Adds the tasks of a node, and sets the places of its servers in the order of declaration.
    fn add_members(
        &mut self,
        system: &System,
        place: usize,
        place_of: &[Option<usize>],
        quiet: &History,
    ) {
        let supply = system.supply(self.nodes[place].id);
        for (declared, &member) in (0_u32..).zip(&supply.members) {
            let member = match member {
                Member::Server(id) => {
                    let child = place_of[id.0].expect("it is on the same core");
                    self.nodes[child].declared = declared;
                    let server = system.supply(id).server.as_ref().expect("a core is no member");
                    if server.kind == ServerKind::Sporadic {
                        self.nodes[place].sporadic.push(child);
                    }
                    self.nodes[place].reclaims |= server.reclaims;
                    NodeMember::Server(child)
                }
                Member::Task(id) => {
                    self.tasks.push(TaskState {
                        id,
                        node: place,
                        declared,
                        priority: system.task(id).priority.0,
                        deadline: system.task(id).deadline,
                        woken_by: None,
                        takes: None,
                        jobs: quiet.jobs_of_task(system, id),
                        next: None,
                        backlog: Backlog::default(),
                    });
                    NodeMember::Task(self.tasks.len() - 1)
                }
            };
            self.nodes[place].members.push(member);
        }
    }

    /// Adds the bandwidth of a server to its parent.
    #[inline]
    pub(crate) fn count_bandwidth(&mut self, node: usize) {
        let held = self.nodes[node].server().bandwidth();
        if held == self.nodes[node].held {
            return;
        }
        let before = core::mem::replace(&mut self.nodes[node].held, held);
        let parent = self.nodes[node].parent;
        let active = self.nodes[parent].active;
        self.nodes[parent].active = active - before + held;
    }

    /// The place of a member.
    pub(crate) fn member(&self, member: Member) -> Option<NodeMember> {
        match member {
            Member::Task(id) => {
                let place = self.tasks.iter().position(|state| state.id == id)?;
                Some(NodeMember::Task(place))
            }
            Member::Server(id) => {
                let own = |node: &Node| node.id == id && node.pays_for.is_none();
                Some(NodeMember::Server(self.nodes.iter().position(own)?))
            }
        }
    }

    /// The parent of a server.
    #[inline]
    pub(crate) fn parent(&self, node: usize) -> &Node {
        &self.nodes[self.nodes[node].parent]
    }

    /// The place of a task, and the urgency of the member of the core through which it runs.
    pub(crate) fn owner(&self, system: &System, task: TaskId) -> (usize, Urgency) {
        let place = self.task(task);
        let mut urgency = Urgency::of_priority(self.tasks[place].priority);
        let mut node = self.tasks[place].node;
        while node > 0 {
            let server = system.supply(self.nodes[node].id).server.as_ref();
            let has_deadlines = server.is_some_and(|own| own.kind == ServerKind::SchedDeadline);
            urgency = if has_deadlines {
                Urgency::MOST
            } else {
                Urgency::of_priority(self.nodes[node].priority)
            };
            node = self.nodes[node].parent;
        }
        (place, if self.nodes[0].is_ordered() { urgency } else { Urgency::MOST })
    }

    /// The urgency of a member of a core that orders members by priority.
    pub(crate) fn urgency(&self, member: NodeMember) -> Urgency {
        let server = match member {
            NodeMember::Task(task) => return Urgency::of_priority(self.tasks[task].priority),
            NodeMember::Server(server) => &self.nodes[server],
        };
        match &server.server {
            Some(AnyServer::SchedDeadline(_)) => Urgency::MOST,
            Some(own) if own.background() => Urgency::BACKGROUND,
            _ => Urgency::of_priority(server.priority),
        }
    }

    /// The place of a task of this core.
    pub(crate) fn task(&self, id: TaskId) -> usize {
        let place = self.tasks.binary_search_by_key(&id, |state| state.id);
        place.expect("covered: on the same core")
    }

    fn sort_tasks(&mut self) {
        self.tasks.sort_by_key(|task| task.id);
        for (place, task) in self.tasks.iter().enumerate() {
            self.nodes[task.node].members[task.declared as usize] = NodeMember::Task(place);
        }
    }

    /// Everything as it is at the start of `history`, before its first event.
    pub(crate) fn reset(&mut self, system: &System, history: &History) {
        for node in &mut self.nodes {
            let server = system.supply(node.id).server.as_ref();
            node.server = server.map(|server| {
                if let Some(own) = node.pays_for {
                    return AnyServer::PseudoVcpu(pseudo_vcpu::mechanism(system, history, own.id));
                }
                let phase = history.phase(node.id).modulo(server.period);
                let start = history.start(system, node.id) - Instant::ZERO;
                match mechanism(server, phase, start) {
                    AnyServer::SchedDeadline(own) => {
                        let overrun = history.overrun(system, node.id);
                        AnyServer::SchedDeadline(own.overrun_by(overrun))
                    }
                    own => own,
                }
            });
            node.ready.reset(turns(system, system.supply(node.id)));
            node.routines.clear();
            (node.had_work, node.replenished) = (false, true);
            (node.active, node.held) = (Bandwidth::NONE, Bandwidth::NONE);
            node.listed = None;
        }
        for task in &mut self.tasks {
            task.jobs = history.jobs_of_task(system, task.id);
            task.next = task.jobs.next();
            task.backlog.clear();
        }
        for interrupt in &mut self.interrupts {
            interrupt.reset(system, history);
        }
    }
}

/// The mechanism of a server. Only a periodic one has a later start.
fn mechanism(server: &Server, phase: Duration, start: Duration) -> AnyServer {
    let (budget, period) = (server.budget, server.period);
    match server.kind {
        ServerKind::Periodic => AnyServer::Periodic(Periodic::new(budget, period, start)),
        ServerKind::Deferrable => AnyServer::Deferrable(Deferrable::new(budget, period, phase)),
        ServerKind::Sporadic => AnyServer::Sporadic(Sporadic::new(budget, period)),
        ServerKind::CbsHard => AnyServer::CbsHard(CbsHard::new(budget, period)),
        ServerKind::Slot => AnyServer::Slot(Slot::new(budget, period, server.offset)),
        ServerKind::Polling => AnyServer::Polling(Polling::new(budget, period, phase)),
        ServerKind::CbsSoft => AnyServer::CbsSoft(CbsSoft::new(budget, period)),
        ServerKind::RefillQueue => {
            let limit = server.refills as usize;
            let queue = RefillQueue::with_max_refills(budget, period, limit);
            AnyServer::RefillQueue(queue.with_least_budget(server.min_budget.unwrap_or_default()))
        }
        ServerKind::PosixSporadic => AnyServer::PosixSporadic(PosixSporadic::new(budget, period)),
        ServerKind::SchedDeadline => {
            let own = SchedDeadline::new(budget, server.deadline.unwrap_or(period), period);
            AnyServer::SchedDeadline(if server.reclaims { own.reclaiming() } else { own })
        }
        ServerKind::Share => AnyServer::Share(Share),
    }
}
