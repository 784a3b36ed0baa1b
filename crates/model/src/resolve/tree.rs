//! The tree of supplies: what is on what, down to the cores.

use super::name::Names;
use crate::description::Description;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::keys::Noun;
use crate::limits;
use crate::system::SupplyId;
use crate::word::Rule;

/// A member of a supply, by its index in the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Local {
    Task(usize),
    Server(usize),
}

/// The tree; supplies and tasks by their index in the description.
pub(super) struct Tree {
    /// The supply that each supply is on: `None` for cores, and where it is wrong.
    pub(super) parent: Vec<Option<usize>>,
    /// The supply that each task is on.
    pub(super) task_parent: Vec<Option<usize>>,
    /// What is on each supply, in the order of declaration.
    pub(super) members: Vec<Vec<Local>>,
    /// The supplies whose chain of `on` ends at a core: as declared, but every parent before its
    /// servers. The position is the id.
    pub(super) order: Vec<usize>,
    /// The core of each supply, for those in `order`.
    pub(super) core: Vec<Option<usize>>,
    /// The outermost virtual processor that each supply is or is on, for those in `order`.
    guest: Vec<Option<usize>>,
    ids: Vec<Option<SupplyId>>,
}

impl Tree {
    pub(super) fn of(description: &Description, names: &Names<'_>, errors: &mut Errors) -> Self {
        let supplies = &description.supplies;
        let parent: Vec<_> = supplies
            .iter()
            .map(|supply| supply.body.server.as_ref())
            .map(|server| server.and_then(|server| names.find(&server.on, errors)))
            .map(|target| target.map(|target| target.index))
            .collect();
        let task_parent: Vec<_> = description
            .tasks
            .iter()
            .map(|task| names.find(&task.body.on, errors).map(|target| target.index))
            .collect();
        let mut tree = Self {
            members: members(description, &parent, &task_parent),
            ids: vec![None; supplies.len()],
            core: vec![None; supplies.len()],
            guest: vec![None; supplies.len()],
            order: Vec::new(),
            parent,
            task_parent,
        };
        if !description.mentions_cores {
            let message = "there is no core that anything could run on";
            errors.push(
                Diagnostic::new(Code::NoCore, 0..0, message)
                    .help("declare one: `[core.0]` with `scheduler = \"fixed-priority\"`"),
            );
        }
        tree.place(description, errors);
        tree
    }

    /// The id of a supply in the order.
    pub(super) fn id(&self, supply: usize) -> SupplyId {
        self.ids[supply].expect("every supply is placed where there is no error")
    }

    /// The outermost virtual processor that a supply is, or is on; `None` on the host.
    pub(super) fn guest_of(&self, supply: usize) -> Option<usize> {
        self.guest[supply]
    }

    /// The scheduler of the supply that a supply is on.
    pub(super) fn rule_above(&self, description: &Description, supply: usize) -> Option<Rule> {
        rule(description, self.parent[supply]?)
    }

    /// Fills `order`, `core` and `ids`; reports cycles, and chains that are too long.
    fn place(&mut self, description: &Description, errors: &mut Errors) {
        // The walk that first came by; a walk that meets itself goes round.
        let mut walk = vec![None; self.parent.len()];
        let mut depth = vec![0; self.parent.len()];
        let mut too_deep = None;
        for start in 0..self.parent.len() {
            let mut chain = Vec::new();
            let mut next = Some(start);
            while let Some(supply) = next.filter(|supply| walk[*supply].is_none()) {
                walk[supply] = Some(start);
                chain.push(supply);
                next = self.parent[supply];
            }
            if let Some(again) = next.filter(|supply| walk[*supply] == Some(start)) {
                let from = chain.iter().position(|supply| *supply == again).unwrap_or_default();
                errors.push(cycle(description, &chain[from..]));
            }
            for &supply in chain.iter().rev() {
                let is_core = description.supplies[supply].body.server.is_none();
                let core = if is_core {
                    Some(supply)
                } else {
                    self.parent[supply].and_then(|parent| self.core[parent])
                };
                if core.is_none() {
                    continue;
                }
                depth[supply] = self.parent[supply].map_or(0, |parent| depth[parent] + 1);
                if depth[supply] > limits::SERVER_DEPTH {
                    too_deep = too_deep.or(Some(supply));
                }
                let is_vcpu = description.supplies[supply].noun == Noun::Vcpu;
                self.guest[supply] = self.parent[supply]
                    .and_then(|parent| self.guest[parent])
                    .or(is_vcpu.then_some(supply));
                self.core[supply] = core;
                self.ids[supply] = Some(SupplyId(self.order.len()));
                self.order.push(supply);
            }
        }
        if let Some(supply) = too_deep {
            let declared = &description.supplies[supply];
            let message = format!(
                "{} is nested in more than {} servers",
                declared.name,
                limits::SERVER_DEPTH - 1
            );
            errors.push(Diagnostic::new(Code::ServersTooDeep, declared.span.clone(), message));
        }
    }
}

/// The scheduler of a supply, where it is known.
pub(super) fn rule(description: &Description, supply: usize) -> Option<Rule> {
    let supply = &description.supplies[supply].body;
    match supply.server {
        // A core states its scheduler; if it does not, that has been reported.
        None => supply.scheduler.get().map(|at| at.value),
        Some(_) => supply.scheduler.or(Rule::FixedPriority),
    }
}

fn members(
    description: &Description,
    parent: &[Option<usize>],
    task_parent: &[Option<usize>],
) -> Vec<Vec<Local>> {
    let mut members = vec![Vec::new(); parent.len()];
    let servers = parent.iter().enumerate().map(|(index, parent)| {
        (description.supplies[index].span.start, *parent, Local::Server(index))
    });
    let tasks = task_parent
        .iter()
        .enumerate()
        .map(|(index, parent)| (description.tasks[index].span.start, *parent, Local::Task(index)));
    let mut all: Vec<_> = servers.chain(tasks).collect();
    all.sort_by_key(|(start, ..)| *start);
    for (_, parent, member) in all {
        if let Some(parent) = parent {
            members[parent].push(member);
        }
    }
    members
}

/// A chain of supplies that comes back to its start.
fn cycle(description: &Description, chain: &[usize]) -> Diagnostic {
    const SHOWN: usize = 8;
    let supply = |index: usize| &description.supplies[index];
    let shown = &chain[..chain.len().min(SHOWN)];
    let mut names: Vec<_> = shown.iter().map(|index| supply(*index).name.as_str()).collect();
    if chain.len() > SHOWN {
        names.push("...");
    }
    names.push(&supply(chain[0]).name);
    let on = |index: usize| {
        let server = supply(index).body.server.as_ref().expect("a core is on nothing");
        server.on.get().expect("it was followed").span.clone()
    };
    let message = format!("servers are on each other: {}", names.join(" on "));
    let mut diagnostic = Diagnostic::new(Code::Cycle, on(chain[0]), message)
        .help("every chain of `on` must end at a core");
    for index in &shown[1..] {
        diagnostic = diagnostic.also(on(*index), "");
    }
    diagnostic
}
