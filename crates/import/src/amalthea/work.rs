//! What a task does in a job: its ticks at most, and what it triggers.
//!
//! **Model.** A graph is a sequence, in which a switch takes one of its branches: the longest counts. Accesses to labels
//! and channels take no time here. What waits, or ends nowhere that is known, has no execution time.

use super::element::{Model, child, most, names, type_of};
use crate::refused::Refused;
use crate::xml::line;
use roxmltree::Node;
use std::collections::{BTreeMap, BTreeSet};

/// Takes no time of the processor that is stated in ticks.
const WITHOUT_TICKS: [&str; 12] = [
    "LabelAccess",
    "ModeLabelAccess",
    "ChannelAccess",
    "ChannelSend",
    "ChannelReceive",
    "CustomEventTrigger",
    "SetEvent",
    "ClearEvent",
    "SchedulePoint",
    "SenderReceiverRead",
    "SenderReceiverWrite",
    "TerminateProcess",
];
/// Groups, branches and calls within each other.
const DEPTH: usize = 64;

/// What a job needs at most.
#[derive(Clone, Default)]
pub(super) struct Work {
    pub(super) ticks: u64,
    /// In instructions, of which a core executes some in a tick.
    pub(super) instructions: u64,
    /// The stimuli that it triggers.
    pub(super) triggers: BTreeSet<String>,
    /// Why its time is not known.
    pub(super) unknown: BTreeSet<String>,
}

impl Work {
    fn then(&mut self, next: Self) {
        self.ticks = self.ticks.saturating_add(next.ticks);
        self.instructions = self.instructions.saturating_add(next.instructions);
        self.either(next);
    }

    /// One of two branches, of which the longer one counts.
    fn or(&mut self, other: Self) {
        self.ticks = self.ticks.max(other.ticks);
        self.instructions = self.instructions.max(other.instructions);
        self.either(other);
    }

    fn either(&mut self, other: Self) {
        self.triggers.extend(other.triggers);
        self.unknown.extend(other.unknown);
    }

    fn unknown(why: String) -> Self {
        Self { unknown: BTreeSet::from([why]), ..Self::default() }
    }
}

/// Reads graphs, each runnable once for each kind of core.
pub(super) struct Reader<'m, 'a> {
    model: &'m Model<'a>,
    /// The kind of core that it is for.
    definition: Option<String>,
    known: BTreeMap<String, Work>,
}

impl<'m, 'a> Reader<'m, 'a> {
    pub(super) fn new(model: &'m Model<'a>, definition: Option<String>) -> Self {
        Self { model, definition, known: BTreeMap::new() }
    }

    /// Of a task.
    ///
    /// # Errors
    /// Runnables call each other round about, or too deep.
    pub(super) fn of_task(&mut self, task: Node<'a, 'a>) -> Result<Work, Refused> {
        self.sequence(task, 0)
    }

    /// Everything below an element, one after the other.
    fn sequence(&mut self, node: Node<'a, 'a>, depth: usize) -> Result<Work, Refused> {
        if depth == DEPTH {
            return Err(Refused::at(
                line(node),
                "runnables call each other round about, or too deep",
            ));
        }
        let mut work = Work::default();
        for below in node.children().filter(Node::is_element) {
            match below.tag_name().name() {
                "callGraph" | "activityGraph" => work.then(self.sequence(below, depth + 1)?),
                "graphEntries" | "items" | "calls" | "runnableItems" => {
                    work.then(self.item(below, depth)?);
                }
                _ => {}
            }
        }
        Ok(work)
    }

    fn item(&mut self, item: Node<'a, 'a>, depth: usize) -> Result<Work, Refused> {
        match type_of(item) {
            "CallSequence" | "Group" => self.sequence(item, depth + 1),
            "TaskRunnableCall" | "RunnableCall" => self.call(item, depth),
            "Ticks" => Ok(self.ticks(item)),
            "RunnableInstructions" | "ExecutionNeed" => Ok(instructions(item)),
            "InterProcessTrigger" => {
                let triggers = names(item, "stimulus").into_iter().collect();
                Ok(Work { triggers, ..Work::default() })
            }
            of if of.ends_with("Switch") => self.switch(item, depth),
            of if WITHOUT_TICKS.contains(&of) => Ok(Work::default()),
            of => Ok(Work::unknown(format!("line {}: {of}", line(item)))),
        }
    }

    fn switch(&mut self, item: Node<'a, 'a>, depth: usize) -> Result<Work, Refused> {
        let mut work = Work::default();
        for branch in item.children() {
            if matches!(branch.tag_name().name(), "entries" | "defaultEntry") {
                work.or(self.sequence(branch, depth + 1)?);
            }
        }
        Ok(work)
    }

    fn call(&mut self, item: Node<'a, 'a>, depth: usize) -> Result<Work, Refused> {
        let at = line(item);
        let [name] = &names(item, "runnable")[..] else {
            return Ok(Work::unknown(format!("line {at}: no runnable is called")));
        };
        if let Some(work) = self.known.get(name) {
            return Ok(work.clone());
        }
        let Some(runnable) = self.model.get("runnables", name) else {
            return Ok(Work::unknown(format!("line {at}: runnable {name} is in another file")));
        };
        let work = self.sequence(runnable, depth + 1)?;
        self.known.insert(name.clone(), work.clone());
        Ok(work)
    }

    fn ticks(&self, item: Node<'a, 'a>) -> Work {
        let own = item.children().find(|below| {
            let is_own = |of| names(*below, "key").first() == Some(of);
            below.tag_name().name() == "extended" && self.definition.as_ref().is_some_and(is_own)
        });
        let of = own.and_then(|own| child(own, "value")).or_else(|| child(item, "default"));
        match of.and_then(most) {
            Some(ticks) => Work { ticks, ..Work::default() },
            None => Work::unknown(format!("line {}: these ticks have no upper bound", line(item))),
        }
    }
}

/// Before version 0.9.3.
fn instructions(item: Node) -> Work {
    let of = child(item, "default")
        .filter(|of| of.attribute("key").is_none_or(|key| key == "Instructions"));
    match of.and_then(most) {
        Some(instructions) => Work { instructions, ..Work::default() },
        None => {
            Work::unknown(format!("line {}: these instructions have no upper bound", line(item)))
        }
    }
}
