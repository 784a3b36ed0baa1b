//! Doing a plan: look, write down, change.

use crate::intent::{Intent, Unprepared};
use crate::journal::{Head, Journal};
use crate::machine::Kernel;
use crate::plan::{Plan, Step};
use crate::refusal;
use std::io;
use std::path::Path;
use vorrang_quote::visible;

/// What was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// The changes, as lines.
    pub made: Vec<String>,
    /// What the kernel kept as it was, and may.
    pub kept: Vec<String>,
}

/// Why it ended early. What was changed until then is in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// What was tried.
    pub tried: String,
    /// What the kernel said.
    pub why: String,
    /// What that means and what to do; may be empty.
    pub advice: String,
}

/// Does the steps of a plan, in their order, and writes each into the journal before.
///
/// # Errors
/// A journal is there already or cannot be written, or the kernel refuses a step that has to be.
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
    let mut applied = Applied::default();
    let mut attempts = 0;
    let mut next = 0;
    while let Some(Step { intent, must, .. }) = plan.steps.get(next) {
        next += 1;
        match one(kernel, &mut journal, intent) {
            Err(_) if attempts < ATTEMPTS && staged(plan, next - 1).is_some() => {
                attempts += 1;
                next = staged(plan, next - 1).expect("just looked");
            }
            Ok(Some(line)) => applied.made.push(line),
            Ok(None) => {}
            Err(stopped) if !must => {
                applied.kept.push(format!("{}: {}", stopped.tried, stopped.why));
            }
            Err(stopped) => return Err(stopped),
        }
    }
    Ok(applied)
}

/// A thread that wakes up between being staged and being given its policy is in another domain by
/// then: so often it is staged again.
const ATTEMPTS: u32 = 5;

/// The step that stages the thread which a step gives its policy.
fn staged(plan: &Plan, step: usize) -> Option<usize> {
    let Intent::SetPolicy { who, .. } = &plan.steps[step].intent else { return None };
    let stages = |step: &Step| matches!(&step.intent, Intent::StageThread { who: staged, .. } if staged == who);
    plan.steps[..step].iter().rposition(stages)
}

fn one(
    kernel: &mut dyn Kernel,
    journal: &mut Journal,
    intent: &Intent,
) -> Result<Option<String>, Stopped> {
    let change = match intent.prepare(kernel) {
        Ok(Some(change)) => change,
        Ok(None) => return Ok(None),
        Err(Unprepared::Kernel(why)) => return Err(stopped(kernel, intent, intent.exact(), &why)),
        Err(Unprepared::Thread(why)) => {
            return Err(Stopped {
                tried: intent.exact(),
                why: why.to_string(),
                advice: String::new(),
            });
        }
    };
    let exact = change.exact();
    journal
        .record(&change)
        .map_err(|why| stopped(kernel, intent, "write the journal".to_owned(), &why))?;
    change.make(kernel).map_err(|why| stopped(kernel, intent, exact.clone(), &why))?;
    Ok(Some(exact))
}

fn stopped(kernel: &dyn Kernel, intent: &Intent, tried: String, why: &io::Error) -> Stopped {
    Stopped { tried, why: why.to_string(), advice: refusal::explained(kernel, intent, why) }
}
