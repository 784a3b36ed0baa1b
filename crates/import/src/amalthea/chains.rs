//! Event chains as paths of tasks.

use super::element::{Model, child, kind_of, names, rounded_down, time, type_of};
use crate::refused::Refused;
use roxmltree::Node;
use std::collections::BTreeMap;

/// Chains within chains.
const DEPTH: usize = 16;

/// A path with its limits.
pub(super) struct Chain {
    pub(super) name: String,
    /// The names of its tasks.
    pub(super) path: Vec<String>,
    pub(super) reaction: Option<u64>,
    pub(super) age: Option<u64>,
}

/// Those that lead over two tasks at least.
///
/// # Errors
/// A limit of one is no time.
pub(super) fn chains(model: &Model, lost: &mut Vec<String>) -> Result<Vec<Chain>, Refused> {
    let limits = limits(model)?;
    let mut chains = Vec::new();
    for node in model.all("eventChains") {
        let name = node.attribute("name").unwrap_or_default().to_owned();
        let mut path = Vec::new();
        let is_known = events(model, node, 0, &mut path);
        path.dedup();
        let mut once = path.clone();
        once.sort();
        once.dedup();
        if !is_known || path.len() < 2 || once.len() < path.len() {
            lost.push(format!("event chain {name}: it is no path over different tasks"));
            continue;
        }
        let limit = |kind| limits.get(&(name.clone(), kind)).copied();
        let (reaction, age) = (limit("Reaction"), limit("Age"));
        if reaction.or(age).is_none() {
            lost.push(format!("event chain {name}: it has no limit of its reaction or age"));
            continue;
        }
        chains.push(Chain { name, path, reaction, age });
    }
    Ok(chains)
}

/// The least limit of each chain and kind.
fn limits(model: &Model) -> Result<BTreeMap<(String, &'static str), u64>, Refused> {
    let mut limits = BTreeMap::new();
    for node in model.all("timingConstraints") {
        let kind = ["Reaction", "Age"].into_iter().find(|kind| kind_of(node) == Some(kind));
        let (Some(kind), Some(maximum)) = (kind, child(node, "maximum")) else { continue };
        let Some(most) = rounded_down(time(maximum)?) else { continue };
        for scope in names(node, "scope") {
            let limit = limits.entry((scope, kind)).or_insert(most);
            *limit = most.min(*limit);
        }
    }
    Ok(limits)
}

/// The tasks of its events in their order; not known where an event is of something else.
fn events(model: &Model, chain: Node, depth: usize, path: &mut Vec<String>) -> bool {
    let segments = chain
        .children()
        .filter(|node| matches!(node.tag_name().name(), "segments" | "items" | "strands"));
    let segments: Vec<_> = segments.collect();
    if depth == DEPTH || segments.iter().any(|node| node.tag_name().name() == "strands") {
        return false;
    }
    let within = segments.into_iter().all(|segment| {
        let below = match type_of(segment) {
            "EventChainReference" => {
                let name = names(segment, "eventChain").into_iter().next();
                name.and_then(|name| model.get("eventChains", &name))
            }
            "EventChainContainer" => child(segment, "eventChain"),
            _ => Some(segment),
        };
        below.is_some_and(|below| events(model, below, depth + 1, path))
    });
    let mut ends = Vec::new();
    let is_known = ["stimulus", "response"]
        .into_iter()
        .all(|key| names(chain, key).iter().all(|event| task_of(model, event, &mut ends)));
    // What is within says more than both ends.
    if path.is_empty() {
        path.extend(ends);
    }
    within && is_known
}

/// Stimuli begin a chain, and are no part of it.
fn task_of(model: &Model, event: &str, tasks: &mut Vec<String>) -> bool {
    let Some(node) = model.get("events", event) else { return false };
    match type_of(node) {
        "StimulusEvent" => true,
        "ProcessEvent" => {
            tasks.extend(names(node, "entity"));
            true
        }
        _ => false,
    }
}
