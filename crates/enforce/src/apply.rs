//! Executing a plan: read, journal, change.

use crate::beginning::{TRIES, may_still_begin};
use crate::change::Change;
use crate::intent::{Intent, Unprepared};
use crate::journal::{Head, Journal, Unmade};
use crate::machine::Kernel;
use crate::plan::{Plan, Step};
use crate::refusal;
use crate::wish::Wish;
use std::io;
use std::path::Path;
use vorrang_quote::visible;

/// The result of an execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// The changes, as lines.
    pub made: Vec<String>,
    /// What the kernel kept as it was, and may.
    pub kept: Vec<String>,
}

/// Why it ended early. The changes until then are in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The change that was tried.
    pub tried: String,
    /// The error of the kernel.
    pub why: String,
    /// Its meaning and a remedy; may be empty.
    pub advice: String,
}

/// Executes the steps of a plan in their order, and writes each into the journal before.
///
/// # Errors
/// A journal exists already or cannot be written, or the kernel refuses a required step.
pub fn apply(
    kernel: &mut dyn Kernel,
    plan: &Plan,
    head: &Head,
    path: &Path,
) -> Result<Applied, Stopped> {
    let no_journal = |why: io::Error| Stopped {
        tried: format!("write the journal {}", visible(&path.to_string_lossy())),
        why: why.to_string(),
        advice: String::new(),
    };
    let mut journal = Journal::begin(path, head).map_err(no_journal)?;
    carry_out(kernel, plan, head, &mut journal)
}

/// The same with a journal that has begun, with this head.
///
/// # Errors
/// The journal cannot be written, or the kernel refuses a required step.
pub fn carry_out(
    kernel: &mut dyn Kernel,
    plan: &Plan,
    head: &Head,
    journal: &mut Journal,
) -> Result<Applied, Stopped> {
    let mut applied = Applied::default();
    let mut attempts = 0;
    let mut next = 0;
    while let Some(Step { intent, must, .. }) = plan.steps.get(next) {
        next += 1;
        match one(kernel, journal, head, intent) {
            Ok(Some(line)) => applied.made.push(line),
            Ok(None) => {}
            Err(Undone::Journal(stopped)) => return Err(stopped),
            Err(Undone::Step(stopped)) => match staged(plan, next - 1) {
                Some(staged) if attempts < ATTEMPTS => {
                    attempts += 1;
                    next = staged;
                }
                _ if *must => return Err(stopped),
                _ => applied.kept.push(format!("{}: {}", stopped.tried, stopped.why)),
            },
        }
    }
    Ok(applied)
}

/// A thread that wakes up between being staged and being given its policy is in another domain by
/// then: it is staged again this many times.
const ATTEMPTS: u32 = 5;

/// The step that stages the thread which a step gives its policy.
fn staged(plan: &Plan, step: usize) -> Option<usize> {
    let Intent::Thread { who, wish: Wish::SetPolicy { .. } } = &plan.steps[step].intent else {
        return None;
    };
    let stages = |step: &Step| match &step.intent {
        Intent::Thread { who: staged, wish: Wish::Stage { .. } } => staged == who,
        _ => false,
    };
    plan.steps[..step].iter().rposition(stages)
}

/// Why a step was not done.
enum Undone {
    /// There is no journal any more, so nothing may be done.
    Journal(Stopped),
    /// The step cannot be done, or not now.
    Step(Stopped),
}

fn one(
    kernel: &mut dyn Kernel,
    journal: &mut Journal,
    head: &Head,
    intent: &Intent,
) -> Result<Option<String>, Undone> {
    let change = match intent.prepare(kernel) {
        Ok(Some(change)) => change,
        Ok(None) => return Ok(None),
        Err(Unprepared::Kernel(why)) => {
            return Err(Undone::Step(stopped(kernel, intent, intent.exact(), &why)));
        }
        Err(Unprepared::Thread(why)) => {
            let (tried, why) = (intent.exact(), why.to_string());
            return Err(Undone::Step(Stopped { tried, why, advice: String::new() }));
        }
    };
    let exact = change.exact();
    match made(kernel, journal, head, &change) {
        Ok(()) => Ok(Some(exact)),
        Err(Unmade::Kernel(why)) => Err(Undone::Step(stopped(kernel, intent, exact, &why))),
        Err(Unmade::Journal(why)) => {
            let tried = "write the journal".to_owned();
            Err(Undone::Journal(stopped(kernel, intent, tried, &why)))
        }
    }
}

/// Makes a change; again where it moves a thread of the kernel that has not run yet.
fn made(
    kernel: &mut dyn Kernel,
    journal: &mut Journal,
    head: &Head,
    change: &Change,
) -> Result<(), Unmade> {
    for _ in 1..TRIES {
        match journal.make(kernel, change) {
            Err(Unmade::Kernel(why)) if may_still_begin(kernel, head, change, &why) => {
                kernel.wait();
            }
            other => return other,
        }
    }
    journal.make(kernel, change)
}

fn stopped(kernel: &dyn Kernel, intent: &Intent, tried: String, why: &io::Error) -> Stopped {
    Stopped { tried, why: why.to_string(), advice: refusal::explained(kernel, intent, why) }
}
