//! The plan of a description that takes the place of another one.
//!
//! **Model.** Processors stay what they are, and threads where they are. So what is new is a policy, or a thread. What shrinks
//! comes first: then the kernel admits at every step no more than it did before or does in the end.
//!
//! **Not covered.** Threads that are not reserved any more: their changes are undone when the other description is in effect. So
//! the kernel counts what they have until then.

use super::step::{Plan, Step};
use crate::change::Change;
use crate::intent::Intent;
use crate::journal::{Entries, Part};
use crate::machine::{Kernel, Policy, Thread, cpus_of};
use crate::shield::{CPUS, PARAMETERS};
use crate::who::Who;
use crate::wish::Wish;
use std::collections::BTreeSet;
use vorrang_quote::visible;

/// What is left to do of a plan where another one is in effect, by its journal.
///
/// # Errors
/// What does not change while it is in effect, a sentence each.
pub fn following(kernel: &dyn Kernel, plan: &Plan, before: &Entries) -> Result<Plan, Vec<String>> {
    let is_group = |intent: &Intent| matches!(intent, Intent::MakeGroup { .. });
    if groups_of(plan) != groups_before(before) {
        return Err(vec![
            "the processors of cores of Linux stay the same while they are in effect: everything else runs on the others; \
             `vorrang restore` ends it"
                .to_owned(),
        ]);
    }
    if !shields_stay(kernel, plan, before) {
        return Err(vec![
            "what is shielded from timers stays the same while it is in effect: the module has one set of processors; \
             `vorrang restore` ends it"
                .to_owned(),
        ]);
    }
    let (mut of_machine, mut of_threads) = (Vec::new(), Vec::<Vec<Step>>::new());
    for step in &plan.steps {
        match (who_of(step), of_threads.last_mut()) {
            (None, _) if is_group(&step.intent) || is_so(kernel, step) => {}
            (None, _) => of_machine.push(step.clone()),
            (Some(who), Some(last)) if who_of(&last[0]) == Some(who) => last.push(step.clone()),
            (Some(_), _) => of_threads.push(vec![step.clone()]),
        }
    }
    let moved: Vec<String> =
        of_threads.iter().filter_map(|steps| moves(kernel, steps, before)).collect();
    if !moved.is_empty() {
        return Err(moved);
    }
    of_threads.retain(|steps| !steps.iter().all(|step| is_on_the_way(step) || is_so(kernel, step)));
    of_threads.sort_by_key(|steps| grows(kernel, steps));
    let steps = of_machine.into_iter().chain(of_threads.into_iter().flatten()).collect();
    Ok(Plan { steps, ..plan.clone() })
}

/// The threads of a plan that are there.
pub fn known_threads(plan: &Plan) -> impl Iterator<Item = &Thread> {
    plan.steps.iter().filter_map(|step| who_of(step)?.known.as_ref())
}

fn groups_of(plan: &Plan) -> BTreeSet<&String> {
    let mut groups = BTreeSet::new();
    for step in &plan.steps {
        if let Intent::MakeGroup { path } = &step.intent {
            groups.insert(path);
        }
    }
    groups
}

fn groups_before(before: &Entries) -> BTreeSet<&String> {
    let mut groups = BTreeSet::new();
    for (_, change) in before.of(Part::Linux) {
        if let Change::MakeGroup { path } = change {
            groups.insert(path);
        }
    }
    groups
}

/// Whether the module shields what it does already, as it does.
fn shields_stay(kernel: &dyn Kernel, plan: &Plan, before: &Entries) -> bool {
    let told = before.of(Part::Linux).filter_map(|(_, change)| match change {
        Change::Write { path, text, undo } if path == CPUS => Some((text, undo)),
        _ => None,
    });
    let of =
        |text: &str| -> BTreeSet<u32> { cpus_of(text).unwrap_or_default().into_iter().collect() };
    let (all, others) = told.last().map_or_else(Default::default, |(text, undo)| {
        (of(text), of(undo.as_deref().unwrap_or_default()))
    });
    let own: BTreeSet<u32> = all.difference(&others).copied().collect();
    let is_of_it = |step: &&Step| match &step.intent {
        Intent::LoadShield { .. } => true,
        Intent::Write { path, .. } => path.starts_with(PARAMETERS),
        _ => false,
    };
    let is_as_wanted = plan.steps.iter().filter(is_of_it).all(|step| is_so(kernel, step));
    is_as_wanted && own.is_subset(&plan.shielded) && plan.shielded.is_subset(&all)
}

fn who_of(step: &Step) -> Option<&Who> {
    match &step.intent {
        Intent::Thread { who, .. } => Some(who),
        _ => None,
    }
}

/// Whether nothing has to be done for a step; one whose thread does not exist yet is not waited for.
fn is_so(kernel: &dyn Kernel, step: &Step) -> bool {
    who_of(step).is_none_or(|who| who.known.is_some())
        && matches!(step.intent.prepare(kernel), Ok(None))
}

/// Whether a step is only for what comes behind it: one that sleeps where it is to be is not staged for nothing.
fn is_on_the_way(step: &Step) -> bool {
    matches!(
        &step.intent,
        Intent::Thread { wish: Wish::Stage { .. } | Wish::SetAffinity { .. }, .. }
    )
}

/// That a thread which is reserved would move to another processor.
fn moves(kernel: &dyn Kernel, steps: &[Step], before: &Entries) -> Option<String> {
    let who = who_of(&steps[0])?;
    let known = who.known.as_ref()?;
    let is_known = |(_, change): (usize, &Change)| matches!(change, Change::SetPolicy { thread, .. } if thread == known);
    let cpu = steps.iter().find_map(|step| match &step.intent {
        Intent::Thread { wish: Wish::Verify { cpu, .. }, .. } => Some(*cpu),
        _ => None,
    })?;
    let is_there = kernel.affinity(known.thread).is_ok_and(|cpus| cpus == [cpu]);
    (before.of(Part::Linux).any(is_known) && !is_there).then(|| {
        format!(
            "{}: {} ({}) is reserved on another processor than {cpu}, and a thread that sleeps belongs to that one until it wakes \
             up; leave it out in one change, and add it in the next one",
            who.label,
            visible(&known.name),
            known.thread
        )
    })
}

/// Whether the kernel has to admit more for a thread than it does now.
fn grows(kernel: &dyn Kernel, steps: &[Step]) -> bool {
    let wanted = steps.iter().find_map(|step| match &step.intent {
        Intent::Thread { who, wish: Wish::SetPolicy { policy } } => Some((who, policy)),
        _ => None,
    });
    let Some((who, policy)) = wanted else { return false };
    let now = who.known.as_ref().and_then(|thread| kernel.policy(thread.thread).ok());
    // The part of a processor, without a division.
    let of = |one: &Policy| match one.policy {
        Policy::DEADLINE => (u128::from(one.runtime), u128::from(one.period.max(1))),
        _ => (0, 1),
    };
    let ((before, each), (after, every)) = (of(&now.unwrap_or_default()), of(policy));
    after * each > before * every
}
