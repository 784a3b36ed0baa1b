//! What stands on one core, or on several that are looked at together, once everything has a place and a kind.

use crate::aim::Aim;
use crate::group::group_of;
use crate::layout::{self, Node, chain};
use crate::part::{Machine, Part};
use crate::payer;
use std::collections::BTreeMap;
use vorrang_model::system::{Priority, SupplyId};
use vorrang_model::{Chosen, Open, OpenKey, OpenValue, System};

/// A description with places and kinds.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub(crate) open: &'a Open,
    /// With something for the values that are still open.
    pub(crate) system: &'a System,
    pub(crate) fixed: &'a [Option<Chosen>],
    pub(crate) aim: &'a Aim,
}

/// The unit of a server, with all that is stated on its core, where the first is chosen that may be.
pub(crate) fn alone_on_core(
    open: &Open,
    system: &System,
    aim: &Aim,
    server: &str,
    machine: Machine,
) -> Option<Part> {
    let nothing_fixed = vec![None; open.values().len()];
    let fixed = &nothing_fixed;
    let given = Given { open, system, fixed, aim };
    let id = system.supplies.iter().position(|supply| supply.name == server).map(SupplyId);
    let paid = || payer::of_interrupt(system, payer::by_name(system, server)?).map(|(id, _)| id);
    let core = system.core_of(id.or_else(paid)?);
    let on_core = OnCore::new(given, &group_of(system, core));
    on_core.joined(&[on_core.unit_of(server)?], machine)
}

/// What stands on one core, or on several.
pub(crate) struct OnCore<'a> {
    of: Given<'a>,
    /// Its supplies and pseudo-VCPUs by name, each with all that it stands on, one of a pseudo-VCPU its virtual processor first.
    chains: BTreeMap<String, Vec<SupplyId>>,
    pub(crate) nodes: Vec<Node>,
}

impl<'a> OnCore<'a> {
    pub(crate) fn new(of: Given<'a>, cores: &[SupplyId]) -> Self {
        let Given { system, .. } = of;
        let supplies = system.supply_ids().map(|id| (system.supply(id).name.clone(), id));
        let pays = system.interrupt_ids().filter_map(|id| {
            Some((system.pseudo_vcpu_name(id), payer::of_interrupt(system, id)?.0))
        });
        let chains = supplies
            .chain(pays)
            .map(|(name, id)| (name, chain(system, id)))
            .filter(|(_, chain)| cores.iter().any(|core| chain.contains(core)))
            .collect();
        Self { of, chains, nodes: layout::nodes(of.open, of.system, of.aim) }
    }

    /// The outermost node around a supply or a pseudo-VCPU of the core.
    pub(crate) fn unit_of(&self, name: &str) -> Option<usize> {
        let is = |node: &Node, id: SupplyId| node.name == self.of.system.supply(id).name;
        let node = |id: &SupplyId| self.nodes.iter().position(|node| is(node, *id));
        let around = self.chains.get(name)?.iter().filter_map(node).next_back();
        around.or_else(|| self.nodes.iter().position(|node| node.name == name))
    }

    /// Whether a pseudo-VCPU is to be designed in a unit.
    pub(crate) fn pays_in(&self, unit: usize) -> bool {
        self.nodes.iter().any(|node| node.pays && self.unit_of(&node.name) == Some(unit))
    }

    /// The most urgent first.
    pub(crate) fn units(&self) -> Vec<usize> {
        let is_unit = |&node: &usize| {
            let Node { parent, name, .. } = &self.nodes[node];
            parent.is_none() && self.chains.contains_key(&**name)
        };
        let mut units: Vec<usize> = (0..self.nodes.len()).filter(is_unit).collect();
        units.sort_by_key(|&unit| std::cmp::Reverse(self.urgency(&self.nodes[unit])));
        units
    }

    fn urgency(&self, node: &Node) -> Priority {
        let is_own = |value: &OpenValue| value.of == node.name && value.key == OpenKey::Priority;
        let at = self.of.open.values().iter().position(is_own);
        match at.and_then(|at| self.of.fixed[at].as_ref()) {
            Some(Chosen::Priority(priority)) => *priority,
            _ => node.urgency,
        }
    }

    fn part(&self, is_kept: &dyn Fn(&str) -> bool, machine: Machine) -> Option<Part> {
        let Given { open, fixed, aim, .. } = self.of;
        Part::new(open, fixed, aim, is_kept, machine)
    }

    /// The core with these units, and with all that is stated.
    pub(crate) fn joined(&self, kept: &[usize], machine: Machine) -> Option<Part> {
        let is_kept = |name: &str| {
            let is_supply = self.of.system.supplies.iter().any(|supply| supply.name == name);
            let is_node = self.nodes.iter().any(|node| node.name == name);
            let is_other = self.unit_of(name).is_some_and(|unit| !kept.contains(&unit));
            !is_supply && !is_node || self.chains.contains_key(name) && !is_other
        };
        self.part(&is_kept, machine)
    }

    /// A unit with its parent supply, and nothing else of that, where the machine takes nothing.
    pub(crate) fn alone(&self, unit: usize) -> Option<Part> {
        let system = self.of.system;
        let around = &self.chains[&*self.nodes[unit].name];
        let is_kept = |name: &str| {
            if let Some(task) = system.tasks.iter().find(|task| task.name == name) {
                return self.unit_of(&system.supply(task.on).name) == Some(unit);
            }
            let is_around = |id: &SupplyId| system.supply(*id).name == name;
            let is_stated = payer::by_name(system, name).is_some()
                && !self.nodes.iter().any(|node| node.name == name);
            is_stated || self.unit_of(name) == Some(unit) || around.iter().any(is_around)
        };
        self.part(&is_kept, Machine::Bare)
    }
}
