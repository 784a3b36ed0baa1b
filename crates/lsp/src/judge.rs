//! A thread that judges the newest text.
//!
//! **Model.** A newer text ends the judgement of an older one, by the flag that the analysis and the search look at. An
//! interrupted result is thrown away: a verdict is of one whole text.

use crossbeam_channel::{Receiver, Sender};
use lsp_types::Uri;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use vorrang_ci::Judged;
use vorrang_command::input::Source;
use vorrang_model::{Diagnostic, Format, LastText, Place};
use vorrang_sim::Search;
use vorrang_verdict::bug::Bug;
use vorrang_verdict::check::{self, Limits};
use vorrang_verdict::earlier::Earlier;
use vorrang_verdict::input::{Included, Placed};
use vorrang_verdict::patience::Patience;

/// A text to be judged.
pub(crate) struct Task {
    pub(crate) uri: Uri,
    pub(crate) file: PathBuf,
    pub(crate) version: i32,
    pub(crate) text: String,
}

/// A verdict.
pub(crate) struct Found {
    /// Each requirement, budget and chain; none where the text is wrong.
    pub(crate) judged: Judged,
}

/// Something about a text, or about one that it includes.
pub(crate) struct Remark {
    /// What.
    pub(crate) of: Diagnostic,
    /// Where it is, where that is in a file that is included.
    pub(crate) elsewhere: Option<Elsewhere>,
}

/// A file that is included, and a line and a column in it.
pub(crate) struct Elsewhere {
    pub(crate) path: PathBuf,
    pub(crate) place: Place,
}

/// What became of a text.
pub(crate) struct Answer {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    /// Errors and warnings of the text itself.
    pub(crate) remarks: Vec<Remark>,
    /// The verdict; a bug in its words.
    pub(crate) found: Option<Result<Arc<Found>, String>>,
}

/// Whether a newer text waits. One process serves one editor.
static IS_NEWER: AtomicBool = AtomicBool::new(false);

/// A text has changed: what is being judged is no longer of interest.
pub(crate) fn interrupt() {
    IS_NEWER.store(true, Ordering::Relaxed);
}

fn is_newer() -> bool {
    IS_NEWER.load(Ordering::Relaxed)
}

/// Judges until no more tasks can come.
pub(crate) fn run(tasks: &Receiver<Task>, answers: &Sender<Answer>) {
    let mut found: Option<(Uri, Arc<Found>)> = None;
    let mut read = LastText::default();
    while let Ok(first) = tasks.recv() {
        let mut waiting = vec![first];
        waiting.extend(tasks.try_iter());
        IS_NEWER.store(false, Ordering::Relaxed);
        for (at, task) in waiting.iter().enumerate() {
            let is_last = waiting[at + 1..].iter().all(|later| later.uri != task.uri);
            let last = found.as_ref().filter(|(uri, _)| *uri == task.uri);
            let last = last.map(|(_, found)| &**found);
            let Some(answer) = is_last.then(|| judged(task, last, &mut read)).flatten() else {
                continue;
            };
            if let Some(Ok(now)) = &answer.found {
                found = Some((task.uri.clone(), Arc::clone(now)));
            }
            if answers.send(answer).is_err() {
                return;
            }
        }
    }
}

fn remarks(placed: Vec<Placed>, included: &[Included]) -> Vec<Remark> {
    let remark = |(of, place): Placed| {
        let file = included.iter().find(|own| Some(own.file.as_str()) == of.file.as_deref());
        let elsewhere = file.map(|own| Elsewhere { path: own.path.clone(), place });
        Remark { of, elsewhere }
    };
    placed.into_iter().map(remark).collect()
}

/// What a text says, after what was found last of the same file; `None`: a newer one waits.
fn judged(task: &Task, last: Option<&Found>, read: &mut LastText) -> Option<Answer> {
    let source = Source {
        file: task.file.clone(),
        format: None,
        allow: Vec::new(),
        text: Some(task.text.clone().into_bytes()),
    };
    let file = task.file.clone();
    let format = Format::of_path(&file);
    let (uri, version) = (task.uri.clone(), task.version);
    let input = match source.examine_since(read) {
        Ok(input) => input,
        Err(refusal) => {
            let remarks = remarks(refusal.diagnostics, &refusal.included);
            return Some(Answer { uri, version, remarks, found: None });
        }
    };
    let remarks = remarks(input.warnings.clone(), &input.included);
    let limits = Limits { search: Search::default(), helps: true, is_end_wanted: is_newer };
    let last = last.and_then(|found| found.judged.outcome.as_ref().ok());
    let earlier = Earlier::of(last, &limits.search);
    let bounds = earlier.bounds(&input.system, &is_newer);
    let of = (&input.system, &bounds);
    let observations = earlier.search(of, &limits.search, &mut Patience(is_newer), &mut |_| {});
    let concluded = check::conclude_since(input, bounds, observations, &limits, earlier);
    let found = match concluded {
        Ok(checked) if checked.interrupted => return None,
        Ok(checked) => {
            let judged = Judged::new(file, task.text.as_bytes(), format, Ok(checked));
            Ok(Arc::new(Found { judged }))
        }
        Err(Bug(bug)) => Err(bug),
    };
    Some(Answer { uri, version, remarks, found: Some(found) })
}
