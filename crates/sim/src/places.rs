//! Where everything of a core stands, known before anything is made of it: each part can then be made once, whole.
//!
//! ```text
//!   core ── server ── virtual processor ── its pseudo-VCPUs ── server in it ── …
//!    0        1              2                  3, 4                5
//! ```
//!
//! Supplies stand in the order of their ids, so that a parent precedes its servers. The pseudo-VCPUs of a virtual
//! processor stand right behind it. Tasks and interrupts stand in the order of declaration.
//!
//! A pseudo-VCPU is a second server of a virtual processor, for one interrupt, and a member of the parent after all
//! others. It has no members of its own: what it is given, it gives to the guest.

use crate::node::{NodeMember, Payment};
use crate::pseudo_vcpu::described;
use core::cmp::Reverse;
use core::ops::Range;
use vorrang_model::system::{InterruptId, Member, SupplyId, System, TaskId};

/// What stands where.
#[derive(Debug)]
pub(crate) struct Places {
    pub(crate) nodes: Vec<NodePlace>,
    pub(crate) tasks: Vec<TaskPlace>,
    pub(crate) interrupts: Vec<InterruptId>,
    /// By id; none of what is on other cores.
    of_supply: Vec<Option<usize>>,
    of_task: Vec<Option<usize>>,
    of_pseudo_vcpu: Vec<Option<usize>>,
}

/// The tasks of some cores whose jobs arrive and end, in the order of declaration: all but those that poll for ever.
pub(crate) fn tasks_on(system: &System, cores: &[SupplyId]) -> Vec<TaskId> {
    let on = |id: &TaskId| cores.contains(&system.core_of(system.task(*id).on));
    system.task_ids().filter(on).filter(|&id| !system.task(id).polls).collect()
}

/// The place of a supply, or of a pseudo-VCPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodePlace {
    pub(crate) supply: SupplyId,
    pub(crate) parent: usize,
    /// Among the members of the parent.
    pub(crate) declared: u32,
    pub(crate) priority: u32,
    /// Of a pseudo-VCPU.
    pub(crate) pays_for: Option<Payment>,
}

/// The place of a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TaskPlace {
    pub(crate) id: TaskId,
    pub(crate) node: usize,
    /// Among the members of its supply.
    pub(crate) declared: u32,
    /// The interrupt that wakes it.
    pub(crate) woken_by: Option<usize>,
}

impl Places {
    pub(crate) fn new(system: &System, core: SupplyId) -> Self {
        let mut places = Self {
            nodes: Vec::new(),
            tasks: Vec::new(),
            interrupts: system.interrupts_of(core).collect(),
            of_supply: vec![None; system.supplies.len()],
            of_task: vec![None; system.tasks.len()],
            of_pseudo_vcpu: vec![None; system.interrupts.len()],
        };
        let mut payments = vec![Vec::new(); system.supplies.len()];
        let mut woken_by = vec![None; system.tasks.len()];
        for (place, &id) in places.interrupts.iter().enumerate() {
            let interrupt = system.interrupt(id);
            let delivery = interrupt.delivery.as_ref();
            if let Some(own) = delivery.filter(|own| own.pseudo_vcpu.is_some()) {
                payments[own.vcpu.0].push((place, id));
            }
            if let Some(task) = interrupt.wakes {
                woken_by[task.0] = Some(place);
            }
        }
        for id in system.supply_ids() {
            places.add_supply(system, (id, core), &payments[id.0]);
        }
        for node in 0..places.nodes.len() {
            if places.nodes[node].pays_for.is_none() {
                places.add_members(system, node, &woken_by);
                places.rank_pseudo_vcpus(system, node);
            }
        }
        // Simultaneous releases are handled in the order of declaration.
        places.tasks.sort_unstable_by_key(|task| task.id);
        for (place, task) in places.tasks.iter().enumerate() {
            places.of_task[task.id.0] = Some(place);
        }
        places
    }

    /// A supply, if it is on the core, and its pseudo-VCPUs.
    fn add_supply(
        &mut self,
        system: &System,
        (id, core): (SupplyId, SupplyId),
        payments: &[(usize, InterruptId)],
    ) {
        let supply = system.supply(id);
        let parent = match supply.on() {
            None => (id == core).then_some(0),
            Some(on) => self.of_supply[on.0],
        };
        let Some(parent) = parent else { return };
        let guest = self.nodes.len();
        let priority = supply.priority().0;
        let own = NodePlace { supply: id, parent, declared: 0, priority, pays_for: None };
        self.of_supply[id.0] = Some(guest);
        self.nodes.push(own);
        for &(interrupt, id) in payments {
            self.of_pseudo_vcpu[id.0] = Some(self.nodes.len());
            self.nodes.push(NodePlace { pays_for: Some(Payment { guest, interrupt, id }), ..own });
        }
    }

    /// The members of a supply of the description.
    fn add_members(&mut self, system: &System, node: usize, woken_by: &[Option<usize>]) {
        let members = &system.supply(self.nodes[node].supply).members;
        for (declared, &member) in (0_u32..).zip(members) {
            match member {
                Member::Task(id) => {
                    let woken_by = woken_by[id.0];
                    self.tasks.push(TaskPlace { id, node, declared, woken_by });
                }
                Member::Server(id) => {
                    let child = self.node(id);
                    self.nodes[child].declared = declared;
                }
            }
        }
    }

    /// The pseudo-VCPUs on a supply: those without a priority of their own are above all others, the shorter period
    /// first.
    fn rank_pseudo_vcpus(&mut self, system: &System, node: usize) {
        let members = &system.supply(self.nodes[node].supply).members;
        let mut highest = members.iter().map(|&member| match member {
            Member::Task(id) => system.task(id).priority.0,
            Member::Server(id) => self.nodes[self.node(id)].priority,
        });
        let mut highest = highest.by_ref().max().unwrap_or(0);
        let declared = u32::try_from(members.len()).expect("members are limited");
        let mut unranked = Vec::new();
        for (declared, (id, place)) in (declared..).zip(self.pseudo_vcpus_on(node)) {
            let own = described(system, id);
            let priority = own.priority.unwrap_or_default().0;
            highest = highest.max(priority);
            self.nodes[place] = NodePlace { declared, priority, ..self.nodes[place] };
            if own.priority.is_none() {
                unranked.push((Reverse((own.period, id)), place));
            }
        }
        unranked.sort_unstable();
        for (above, (_, place)) in (highest + 1..).zip(unranked) {
            self.nodes[place].priority = above;
        }
    }

    /// That of a supply of the core.
    pub(crate) fn node(&self, id: SupplyId) -> usize {
        self.of_supply[id.0].expect("covered: on the same core")
    }

    /// That of a task of the core.
    pub(crate) fn task(&self, id: TaskId) -> usize {
        self.of_task[id.0].expect("covered: on the same core")
    }

    /// That of the pseudo-VCPU of an interrupt, if it has one.
    pub(crate) fn pseudo_vcpu(&self, id: InterruptId) -> Option<usize> {
        self.of_pseudo_vcpu[id.0]
    }

    /// The pseudo-VCPUs of the supply at a place.
    pub(crate) fn pseudo_vcpus_of(&self, node: usize) -> Range<usize> {
        let is_own = |other: &&NodePlace| other.pays_for.is_some_and(|own| own.guest == node);
        let count = self.nodes[node + 1..].iter().take_while(is_own).count();
        node + 1..node + 1 + count
    }

    /// The pseudo-VCPUs on the supply at a place, in the order of their interrupts.
    fn pseudo_vcpus_on(&self, node: usize) -> Vec<(InterruptId, usize)> {
        let all = self.of_pseudo_vcpu.iter().enumerate();
        let all = all.filter_map(|(id, &place)| Some((InterruptId(id), place?)));
        all.filter(|&(_, place)| self.nodes[place].parent == node).collect()
    }

    /// The members of what stands at a place: as declared, then the pseudo-VCPUs.
    pub(crate) fn members(&self, system: &System, node: usize) -> Vec<NodeMember> {
        let own = &self.nodes[node];
        if own.pays_for.is_some() {
            return Vec::new();
        }
        let declared = system.supply(own.supply).members.iter().map(|&member| match member {
            Member::Task(id) => NodeMember::Task(self.task(id)),
            Member::Server(id) => NodeMember::Server(self.node(id)),
        });
        let paying = self.pseudo_vcpus_on(node).into_iter();
        declared.chain(paying.map(|(_, place)| NodeMember::Server(place))).collect()
    }
}
