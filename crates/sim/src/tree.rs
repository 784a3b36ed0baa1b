//! The tree of supplies of one core, with the state of everything on it.
//!
//! Everything is identified by its index in a `Vec`, its place; `places.rs` says what stands where. Then each part is
//! made once, whole.

use crate::backlog::Backlog;
use crate::history::History;
use crate::interrupt::InterruptState;
use crate::node::{Node, NodeMember};
use crate::observer::Context;
use crate::places::{NodePlace, Places, TaskPlace};
use crate::pseudo_vcpu;
use crate::task::TaskState;
use crate::turns::{time_slices, turns};
use vorrang_mechanisms::scheduler::ReadyMembers;
use vorrang_mechanisms::server::{
    AnyServer, Bandwidth, CbsHard, CbsSoft, Deferrable, Periodic, Polling, PosixSporadic,
    RefillQueue, SchedDeadline, Server as _, Share, Sporadic, Table,
};
use vorrang_model::system::{
    Member, Server, ServerKind, ServerRule, SupplyId, SupplyKind, System, TaskId, Window,
};
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
        let places = Places::new(system, core);
        let mut nodes: Vec<Node> = Vec::with_capacity(places.nodes.len());
        for (place, own) in places.nodes.iter().enumerate() {
            let outer = nodes.get(own.parent).and_then(|parent| parent.context);
            nodes.push(node(system, &places, place, outer));
        }
        let tasks = places.tasks.iter().map(|own| task(system, own, &quiet)).collect();
        let interrupts = places.interrupts.iter();
        let interrupts = interrupts.map(|&id| InterruptState::new(system, id, &quiet, &places));
        Self { nodes, tasks, interrupts: interrupts.collect() }
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
            let kind = system.supply(self.nodes[node].id).server_kind();
            urgency = if kind == Some(ServerKind::SchedDeadline) {
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

    /// Everything as it is at the start of `history`, before its first event.
    pub(crate) fn reset(&mut self, system: &System, history: &History) {
        for node in &mut self.nodes {
            node.server = match (&system.supply(node.id).kind, node.pays_for) {
                (SupplyKind::Core, _) => None,
                (_, Some(own)) => {
                    Some(AnyServer::PseudoVcpu(pseudo_vcpu::mechanism(system, history, own.id)))
                }
                (SupplyKind::Share(_) | SupplyKind::Level(_), None) => {
                    Some(AnyServer::Share(Share))
                }
                (SupplyKind::Server(server), None) => {
                    Some(reservation(system, history, node.id, server))
                }
            };
            let supply = system.supply(node.id);
            node.ready.reset(turns(system, supply));
            if let Some(slices) = time_slices(system, supply) {
                node.ready.slice(slices);
            }
            node.routines.clear();
            (node.had_work, node.replenished) = (false, true);
            node.kept_by = None;
            (node.active, node.held) = (Bandwidth::NONE, Bandwidth::NONE);
            node.listed = None;
        }
        for task in &mut self.tasks {
            task.jobs = history.jobs_of_task(system, task.id);
            task.next = task.jobs.next();
            task.woken = None;
            task.ahead.fill(0);
            task.backlog.clear();
        }
        for interrupt in &mut self.interrupts {
            interrupt.reset(system, history);
        }
    }
}

/// What stands at a place, in a virtual processor or not.
fn node(system: &System, places: &Places, place: usize, outer: Option<Context>) -> Node {
    let NodePlace { supply: id, parent, declared, priority, pays_for } = places.nodes[place];
    let supply = system.supply(id);
    let members = places.members(system, place);
    let own = Node { parent, declared, priority, pays_for, ..Node::new(id, supply, outer) };
    if pays_for.is_some() {
        return own;
    }
    let servers = supply.members.iter().filter_map(|&member| match member {
        Member::Server(id) => Some((places.node(id), system.supply(id).server()?)),
        Member::Task(_) => None,
    });
    let sporadic = servers.clone().filter(|(_, server)| server.kind() == ServerKind::Sporadic);
    Node {
        sporadic: sporadic.map(|(place, _)| place).collect(),
        reclaims: servers.clone().any(|(_, server)| server.reclaims()),
        ready: ReadyMembers::new(members.len()),
        pseudo_vcpus: places.pseudo_vcpus_of(place),
        members,
        ..own
    }
}

/// A task, none of whose jobs has arrived.
fn task(system: &System, own: &TaskPlace, quiet: &History) -> TaskState {
    let TaskPlace { id, node, declared, woken_by } = *own;
    TaskState {
        id,
        node,
        declared,
        priority: system.task(id).priority.0,
        deadline: system.task(id).deadline,
        keeps: system.keeps(id),
        woken_by,
        // Known with the other cores.
        wakes: Vec::new(),
        ahead: Vec::new(),
        woken: None,
        takes: None,
        jobs: quiet.jobs_of_task(system, id),
        next: None,
        backlog: Backlog::default(),
    }
}

/// The mechanism of a server in a history.
fn reservation(system: &System, history: &History, id: SupplyId, server: &Server) -> AnyServer {
    let phase = history.phase(id).modulo(server.period);
    let start = history.start(system, id) - Instant::ZERO;
    match mechanism(server, &system.supply(id).places(), phase, start) {
        AnyServer::SchedDeadline(own) => {
            AnyServer::SchedDeadline(own.overrun_by(history.overrun(system, id)))
        }
        own => own,
    }
}

/// The mechanism of a server. Only a periodic one has a later start.
fn mechanism(server: &Server, windows: &[Window], phase: Duration, start: Duration) -> AnyServer {
    let (budget, period) = (server.budget, server.period);
    match server.rule {
        ServerRule::Periodic => AnyServer::Periodic(Periodic::new(budget, period, start)),
        ServerRule::Deferrable => AnyServer::Deferrable(Deferrable::new(budget, period, phase)),
        ServerRule::Sporadic => AnyServer::Sporadic(Sporadic::new(budget, period)),
        ServerRule::CbsHard => AnyServer::CbsHard(CbsHard::new(budget, period)),
        ServerRule::Slot { offset } => AnyServer::Table(Table::slot(budget, period, offset)),
        ServerRule::Table => {
            let windows: Vec<_> = windows.iter().map(|own| (own.offset, own.length)).collect();
            AnyServer::Table(Table::new(&windows, period))
        }
        ServerRule::Polling => AnyServer::Polling(Polling::new(budget, period, phase)),
        ServerRule::CbsSoft => AnyServer::CbsSoft(CbsSoft::new(budget, period)),
        ServerRule::RefillQueue { refills, min_budget } => {
            let queue = RefillQueue::with_max_refills(budget, period, refills as usize);
            AnyServer::RefillQueue(queue.with_least_budget(min_budget.unwrap_or_default()))
        }
        ServerRule::PosixSporadic => AnyServer::PosixSporadic(PosixSporadic::new(budget, period)),
        ServerRule::SchedDeadline { reclaims, .. } => {
            let own = SchedDeadline::new(budget, server.relative_deadline(), period);
            AnyServer::SchedDeadline(if reclaims { own.reclaiming() } else { own })
        }
    }
}
