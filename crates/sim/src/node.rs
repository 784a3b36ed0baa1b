//! A supply of a core, in the tree of all its supplies.

use crate::observer::{Context, Payer};
use crate::routines::Routines;
use core::ops::Range;
use vorrang_mechanisms::scheduler::{Key, ReadyMembers, edf, fixed_priority, linux, slots};
use vorrang_mechanisms::server::{AnyServer, Bandwidth, Server as _};
use vorrang_model::system::{InterruptId, Scheduler, Supply, SupplyId};
use vorrang_time::Instant;

/// The attributes of a node that is a pseudo-VCPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Payment {
    /// The place of the virtual processor that it supplies.
    pub(crate) guest: usize,
    /// The interrupt that it is for, by its place.
    pub(crate) interrupt: usize,
    pub(crate) id: InterruptId,
}

/// A supply of the core: the core itself or a server.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) id: SupplyId,
    pub(crate) parent: usize,
    /// Place among the members of the parent.
    pub(crate) declared: u32,
    pub(crate) priority: u32,
    pub(crate) scheduler: Scheduler,
    pub(crate) members: Vec<NodeMember>,
    /// The sporadic servers among the members.
    pub(crate) sporadic: Vec<usize>,
    /// `None` for the core.
    pub(crate) server: Option<AnyServer>,
    /// The members that are ready.
    pub(crate) ready: ReadyMembers,
    /// Service routines that are requested in it.
    pub(crate) routines: Routines,
    /// The outermost virtual processor that it is, or is in.
    pub(crate) context: Option<Context>,
    /// Whether the guest had something ready at the last decision.
    pub(crate) had_work: bool,
    /// Whether the server was replenished since; so it is at the start.
    pub(crate) replenished: bool,
    /// Whether one of its members reclaims.
    pub(crate) reclaims: bool,
    /// The bandwidth of its members.
    pub(crate) active: Bandwidth,
    /// Its own bandwidth on the parent.
    pub(crate) held: Bandwidth,
    /// The member whose job has begun and is not interrupted by others.
    pub(crate) kept_by: Option<u32>,
    /// Its place in the parent's queue.
    pub(crate) listed: Option<Key>,
    /// Its interrupt, if it is a pseudo-VCPU.
    pub(crate) pays_for: Option<Payment>,
    /// The pseudo-VCPUs that supply it.
    pub(crate) pseudo_vcpus: Range<usize>,
}

/// A member of a node, by its place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NodeMember {
    Task(usize),
    Server(usize),
}

impl Node {
    /// A supply without members, in a virtual processor or not.
    pub(crate) fn new(id: SupplyId, supply: &Supply, outer: Option<Context>) -> Self {
        let own = supply.vm.is_some().then_some(Context::Vcpu(id));
        Self {
            id,
            parent: 0,
            declared: 0,
            priority: 0,
            scheduler: supply.scheduler,
            members: Vec::new(),
            sporadic: Vec::new(),
            server: None,
            ready: ReadyMembers::new(supply.members.len()),
            routines: Routines::new(supply.interrupt_order),
            context: outer.or(own),
            had_work: false,
            replenished: true,
            reclaims: false,
            active: Bandwidth::NONE,
            held: Bandwidth::NONE,
            kept_by: None,
            listed: None,
            pays_for: None,
            pseudo_vcpus: 0..0,
        }
    }

    /// The server; only the core has none.
    #[inline]
    pub(crate) fn server(&mut self) -> &mut AnyServer {
        self.server.as_mut().expect("only the core is no server")
    }

    /// Whether its ready members matter for more than its own state as a server.
    pub(crate) fn is_settled(&self) -> bool {
        !self.sporadic.is_empty() || self.scheduler.takes_turns()
    }

    /// Whether it is the core or a server outside virtual processors, whose members the core's
    /// scheduler looks at.
    #[inline]
    pub(crate) fn is_host(&self) -> bool {
        self.context.is_none()
    }

    /// The budget that it is charged to.
    #[inline]
    pub(crate) fn payer(&self) -> Payer {
        self.pays_for.map_or(Payer::Server(self.id), |own| Payer::PseudoVcpu(own.id))
    }

    /// Whether priorities order its members, or some of them.
    pub(crate) fn is_ordered(&self) -> bool {
        matches!(self.scheduler, Scheduler::FixedPriority | Scheduler::Linux)
    }

    /// Whether something in it is ready: a service routine, or a member.
    #[inline]
    pub(crate) fn has_work(&self) -> bool {
        !self.ready.is_empty() || !self.routines.is_empty()
    }

    /// Whether something ready on it is at least as urgent as a priority.
    #[inline]
    pub(crate) fn is_up(&self, priority: u32) -> bool {
        self.ready.first().is_some_and(|key| match self.scheduler {
            Scheduler::Linux => linux::is_at_least_as_urgent(key, priority),
            _ => fixed_priority::is_at_least_as_urgent(key, priority),
        })
    }

    /// Its key on a parent with that scheduler if it becomes ready now.
    pub(crate) fn key(&self, scheduler: Scheduler, now: Instant) -> Key {
        let server = self.server.as_ref().expect("only the core is no server");
        match scheduler {
            Scheduler::FixedPriority | Scheduler::Linux if server.background() => {
                Key::background(now, self.declared)
            }
            Scheduler::FixedPriority => fixed_priority::key(self.priority, now, self.declared),
            Scheduler::Linux if matches!(server, AnyServer::SchedDeadline(_)) => {
                linux::deadline_key(server.deadline(), self.declared)
            }
            Scheduler::Linux => linux::priority_key(self.priority, now, self.declared),
            Scheduler::Edf if self.pays_for.is_some() => {
                edf::priority_key(self.priority, now, self.declared)
            }
            Scheduler::Edf => edf::key(server.deadline(), self.declared),
            _ => slots::key(self.declared),
        }
    }

    /// Its key there if it stays ready: by priority it keeps its place, unless it goes to the
    /// background or comes back.
    pub(crate) fn key_after(&self, listed: Key, scheduler: Scheduler, now: Instant) -> Key {
        let server = self.server.as_ref().expect("only the core is no server");
        let by_priority = match scheduler {
            Scheduler::FixedPriority => true,
            Scheduler::Linux => !matches!(server, AnyServer::SchedDeadline(_)),
            Scheduler::Edf => self.pays_for.is_some(),
            _ => false,
        };
        if by_priority && listed.is_background() == server.background() {
            return listed;
        }
        self.key(scheduler, now)
    }
}
