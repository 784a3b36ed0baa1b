//! Where tasks run: cores with their frequency and scheduler, and what is mapped to them.

use super::element::{Model, child, millionths, names, type_of};
use roxmltree::Node;
use std::collections::{BTreeMap, BTreeSet};
use vorrang_model::limits;

/// The longest execution time that is read: some eleven days.
const LONGEST: u64 = 1_000_000_000_000_000;

/// A processing unit.
pub(super) struct Unit {
    pub(super) name: String,
    /// Its kind, by which execution times differ.
    pub(super) definition: Option<String>,
    /// Millionths of a hertz.
    frequency: Option<u128>,
    /// Millionths of an instruction in a tick.
    per_tick: u128,
}

impl Unit {
    /// The nanoseconds of ticks and instructions, rounded up.
    pub(super) fn time(&self, ticks: u64, instructions: u64) -> Option<u64> {
        const MILLION: u128 = 1_000_000;
        let of_instructions = (u128::from(instructions) * MILLION).div_ceil(self.per_tick);
        let ticks = u128::from(ticks).checked_add(of_instructions)?;
        let frequency = self.frequency.filter(|frequency| *frequency > 0)?;
        let scaled = ticks.checked_mul(1_000_000_000)?.checked_mul(MILLION)?;
        u64::try_from(scaled.div_ceil(frequency)).ok().filter(|time| *time <= LONGEST)
    }
}

/// What is mapped.
#[derive(Default)]
pub(super) struct Places {
    pub(super) units: Vec<Unit>,
    schedulers: BTreeMap<String, Scheduler>,
    tasks: BTreeMap<String, Allocation>,
}

#[derive(Default)]
struct Scheduler {
    rule: String,
    units: Vec<u32>,
}

#[derive(Default)]
struct Allocation {
    scheduler: Option<String>,
    units: Vec<u32>,
    priority: Option<u64>,
}

/// Where a task runs.
pub(super) struct Place {
    /// The numbers of the units, one or several.
    pub(super) units: Vec<u32>,
    /// The scheduler of a description, or the rule of the model that is none.
    pub(super) rule: Result<&'static str, String>,
    pub(super) priority: Option<u64>,
}

impl Places {
    pub(super) fn of(model: &Model) -> Self {
        let mut places = Self::default();
        let units = model.all("modules").filter(|node| type_of(*node) == "ProcessingUnit");
        for node in units.take(usize::try_from(limits::CPU).unwrap_or(usize::MAX)) {
            places.units.push(unit(model, node));
        }
        for node in model.all("taskSchedulers") {
            let rule = child(node, "schedulingAlgorithm").map(type_of).unwrap_or_default();
            let definition = names(node, "definition").into_iter().next();
            let rule = match child(node, "parentAssociation") {
                Some(_) => "a scheduler above it".to_owned(),
                None => definition.unwrap_or_else(|| rule.to_owned()),
            };
            let name = node.attribute("name").unwrap_or_default().to_owned();
            places.schedulers.insert(name, Scheduler { rule, units: Vec::new() });
        }
        for node in model.all("schedulerAllocation") {
            let units = places.numbers(&names(node, "responsibility"));
            for name in names(node, "scheduler") {
                places.schedulers.entry(name).or_default().units.extend(&units);
            }
        }
        for node in model.all("taskAllocation") {
            let units = places.numbers(&names(node, "affinity"));
            let priority = priority(node);
            let scheduler = names(node, "scheduler").into_iter().next();
            for name in names(node, "task") {
                let units = units.clone();
                places
                    .tasks
                    .insert(name, Allocation { scheduler: scheduler.clone(), units, priority });
            }
        }
        places
    }

    fn numbers(&self, names: &[String]) -> Vec<u32> {
        let of_name = |name: &String| self.units.iter().position(|unit| unit.name == *name);
        names.iter().filter_map(of_name).filter_map(|place| u32::try_from(place).ok()).collect()
    }

    /// Of a task by its name; all units where nothing says which.
    pub(super) fn of_task(&self, name: &str) -> Place {
        let none = (Allocation::default(), Scheduler::default());
        let allocation = self.tasks.get(name).unwrap_or(&none.0);
        let scheduler = allocation.scheduler.as_ref().and_then(|of| self.schedulers.get(of));
        let scheduler = scheduler.unwrap_or(&none.1);
        let both = [&allocation.units, &scheduler.units];
        let stated = both.into_iter().find(|units| !units.is_empty()).cloned();
        let all = || (0..).zip(&self.units).map(|(number, _)| number).collect();
        let units: BTreeSet<u32> = stated.unwrap_or_else(all).into_iter().collect();
        Place {
            units: units.into_iter().collect(),
            rule: rule(&scheduler.rule),
            priority: allocation.priority,
        }
    }
}

/// Tasks without a scheduler are scheduled by priority.
fn rule(of: &str) -> Result<&'static str, String> {
    match of {
        "" | "OSEK" | "FixedPriority" | "FixedPriorityPreemptive" | "PriorityBased" => {
            Ok("fixed-priority")
        }
        "EarliestDeadlineFirst" => Ok("edf"),
        "RateMonotonic" => Ok("rate-monotonic"),
        "DeadlineMonotonic" => Ok("deadline-monotonic"),
        other => Err(other.to_owned()),
    }
}

fn unit(model: &Model, node: Node) -> Unit {
    let domain = names(node, "frequencyDomain").into_iter().next();
    let domain = domain.and_then(|name| model.get("domains", &name));
    let stated = domain.and_then(|of| child(of, "defaultValue"));
    let frequency = stated.and_then(|of| {
        let scale = match of.attribute("unit")? {
            "Hz" => 1,
            "kHz" => 1_000,
            "MHz" => 1_000_000,
            "GHz" => 1_000_000_000,
            _ => return None,
        };
        millionths(of.attribute("value")?)?.checked_mul(scale)
    });
    let definition = names(node, "definition").into_iter().next();
    let features = definition.as_ref().and_then(|name| model.get("definitions", name));
    let features = features.map(|of| names(of, "features")).unwrap_or_default();
    let per_tick = features.iter().find_map(|name| instructions_in_a_tick(model, name));
    Unit {
        name: node.attribute("name").unwrap_or_default().to_owned(),
        definition,
        frequency,
        per_tick: per_tick.filter(|of| *of > 0).unwrap_or(1_000_000),
    }
}

/// A feature is named after its category where that is told.
fn instructions_in_a_tick(model: &Model, name: &str) -> Option<u128> {
    let (category, own) = name.split_once('/').unwrap_or(("", name));
    if category != "Instructions" && !own.starts_with("IPC") {
        return None;
    }
    let feature = model.get("features", own)?;
    let value = feature.attribute("value").or_else(|| child(feature, "value")?.attribute("value"));
    millionths(value?)
}

/// `priority="3"`, or a parameter of that name with its value below.
fn priority(allocation: Node) -> Option<u64> {
    let parameters =
        allocation.children().filter(|node| node.tag_name().name() == "schedulingParameters");
    let stated = parameters.into_iter().find_map(|node| {
        let named = node.attribute("key").filter(|key| *key == "priority");
        let below = named.and_then(|_| child(node, "value")).and_then(|of| of.attribute("value"));
        node.attribute("priority").or(below).or_else(|| named.and_then(|_| node.attribute("value")))
    });
    stated.and_then(|text| text.parse().ok())
}

/// As version 0.9.2 and before state it, at the task.
pub(super) fn priority_of_task(task: Node) -> Option<u64> {
    let properties = task.children().filter(|node| node.tag_name().name() == "customProperties");
    let own = properties.into_iter().find(|node| node.attribute("key") == Some("priority"));
    child(own?, "value")?.attribute("value")?.parse().ok()
}
