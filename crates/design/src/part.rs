//! Some of the nodes of one core, as a system of their own, with what is chosen for them.

use crate::bare::{bare, free};
use crate::cost::Cost;
use crate::judge::{Judgement, judge};
use crate::layout::{self, Node, Value};
use crate::relaxation::Relaxation;
use crate::steps::{Spent, Steps};
use vorrang_model::{Chosen, Open};
use vorrang_time::Duration;

/// What the machine takes in a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machine {
    /// What is stated.
    Stated,
    /// No costs and no cold caches.
    Free,
    /// Nothing ([`bare`]).
    Bare,
}

/// A description with some nodes, and a budget and a period for each.
pub(crate) struct Part {
    open: Open,
    pub(crate) nodes: Vec<Node>,
    chosen: Vec<Chosen>,
    /// Of each of its values, the index in the whole description.
    origin: Vec<usize>,
    machine: Machine,
    relaxation: Relaxation,
}

impl Part {
    /// What stays of `open` when only these supplies are kept; `fixed` is what is chosen for places and
    /// kinds, by index in `open`.
    pub(crate) fn new(
        open: &Open,
        fixed: &[Option<Chosen>],
        relaxation: &Relaxation,
        is_kept: &dyn Fn(&str) -> bool,
        machine: Machine,
    ) -> Option<Self> {
        let (mut open, origin) = open.part(is_kept);
        let fixed: Vec<_> = origin.iter().map(|&at| fixed[at].clone()).collect();
        let chosen = layout::provisional(&open, &fixed);
        let system = open.resolve(&chosen)?;
        let nodes = layout::nodes(&open, &system, relaxation);
        Some(Self { open, nodes, chosen, origin, machine, relaxation: relaxation.clone() })
    }

    pub(crate) fn judge(&mut self, steps: &mut Steps) -> Result<Option<Judgement>, Spent> {
        steps.take()?;
        let Some(system) = self.open.resolve(&self.chosen) else { return Ok(None) };
        let system = self.relaxation.applied(system);
        let system = match self.machine {
            Machine::Stated => system,
            Machine::Free => free(system),
            Machine::Bare => bare(system),
        };
        Ok(Some(judge(&system, &self.nodes)))
    }

    pub(crate) fn period(&self, node: usize) -> Duration {
        self.value(&self.nodes[node].period)
    }

    pub(crate) fn budget(&self, node: usize) -> Duration {
        self.value(&self.nodes[node].budget)
    }

    fn value(&self, value: &Value) -> Duration {
        match value {
            Value::Stated(time) => *time,
            Value::Open(at, _) => match self.chosen[*at] {
                Chosen::Time(time) => time,
                ref other => panic!("{other:?} is no time"),
            },
        }
    }

    pub(crate) fn set_period(&mut self, node: usize, time: Duration) {
        if let Value::Open(at, _) = self.nodes[node].period {
            self.chosen[at] = Chosen::Time(time);
        }
    }

    pub(crate) fn set_budget(&mut self, node: usize, time: Duration) {
        if let Value::Open(at, _) = self.nodes[node].budget {
            self.chosen[at] = Chosen::Time(time);
        }
    }

    /// What a node takes, with what switching to those in it takes.
    pub(crate) fn cost(&self, node: usize) -> Cost {
        let Node { parent, switching, .. } = self.nodes[node];
        let budget = if parent.is_none() { self.budget(node) } else { Duration::ZERO };
        Cost::of(budget + switching, self.period(node))
    }

    pub(crate) fn cost_of_all(&self) -> Cost {
        (0..self.nodes.len()).map(|node| self.cost(node)).fold(Cost::ZERO, Cost::plus)
    }

    /// What is chosen, by index in the whole description.
    pub(crate) fn chosen(&self) -> impl Iterator<Item = (usize, &Chosen)> {
        self.origin.iter().copied().zip(&self.chosen)
    }
}
