//! A path as lanes: a row for each of its tasks, one behind the other in time, with the limit across all of them.
//!
//! **Model.** The lanes of a chain are the terms of its bound, laid end to end. Where tasks wake each other, responses
//! count from the same arrival: a lane goes from the bound of the task before to the task's own. What was seen has a row
//! of its own below, or a mark in each lane.

use crate::scale::Scale;
use vorrang_analysis::Until;
use vorrang_figure::{Axis, Figure, Range, Ranges, Stretch, Table};
use vorrang_model::system::{RequirementKind, System, TaskId};
use vorrang_time::Duration;
use vorrang_verdict::chain::ChainRuling;
use vorrang_verdict::checked::Checked;
use vorrang_verdict::ruling::Ruling;

/// How stretches look, by their place among the kinds of a figure.
const WAITING: usize = 5;
const WORKING: usize = 0;
const SEEN: usize = 1;

/// The lanes of a chain, if it has a bound.
pub(crate) fn of_chain(name: &str, system: &System, ruling: &ChainRuling) -> Option<Figure> {
    let bound = ruling.bound?;
    let seen = ruling.observed.as_ref().map(|seen| seen.time);
    let scale = Scale::for_up_to(bound.max(ruling.limit).max(seen.unwrap_or_default()));
    let mut at = Duration::ZERO;
    let (mut ranges, mut rows) = (Vec::new(), Vec::new());
    for step in &ruling.steps {
        let task = system.task(step.task).name.clone();
        let (arrives, ends) = (at + step.distance, at + step.distance + step.time);
        let mut stretches = Vec::new();
        if step.distance > Duration::ZERO {
            stretches.push(stretch(scale, 0, at, arrives));
        }
        if step.time > Duration::ZERO {
            stretches.push(stretch(scale, 1, arrives, ends));
        }
        let row = [
            scale.text(step.distance),
            scale.text(step.time),
            until(step.until).to_owned(),
            scale.text(ends),
        ];
        rows.push([task.clone()].into_iter().chain(row).collect());
        ranges.push(Range { name: task, stretches });
        at = ends;
    }
    if let Some(seen) = seen {
        let stretches = vec![stretch(scale, 2, Duration::ZERO, seen)];
        ranges.push(Range { name: "the longest seen".to_owned(), stretches });
    }
    let head = ["task", "until it arrives", "from then on", "until", "together"];
    let picture = Ranges {
        name: name.to_owned(),
        title: format!("The path of {}: {}", ruling.name, ruling.asked.word()),
        description: format!(
            "What the bound of {} consists of, from the reading to the output: of each task the time until a job of it \
             arrives, then that until it has written. The longest lane is the part to shorten.",
            scale.text(bound)
        ),
        axis: Axis::linear("time since the reading", scale.unit()).from(0.0),
        kinds: vec![
            (WAITING, "until a job arrives".to_owned()),
            (WORKING, "from then on until it has written".to_owned()),
            (SEEN, "in a history".to_owned()),
        ],
        ranges,
        rule: Some(limit(scale, ruling.limit)),
        numbers: Table { head: head.map(str::to_owned).to_vec(), rows },
        width: 680.0,
    };
    Some(picture.into())
}

/// The lanes of a task that another one wakes, from what arrives first; none where a task before has no bound.
pub(crate) fn of_woken(name: &str, checked: &Checked, ruling: &Ruling) -> Option<Figure> {
    let RequirementKind::Deadline(last) = ruling.kind else { return None };
    let system = &checked.input.system;
    let path = path(checked, last);
    if path.len() < 2 {
        return None;
    }
    let bounds = path.iter().map(|&id| checked.bounds.task(id).bound());
    let bounds: Vec<Duration> = bounds.collect::<Option<_>>()?;
    let longest = bounds.iter().copied().fold(ruling.limit, Duration::max);
    let scale = Scale::for_up_to(longest);
    let mut before = Duration::ZERO;
    let (mut ranges, mut rows) = (Vec::new(), Vec::new());
    for (&id, &bound) in path.iter().zip(&bounds) {
        let task = system.task(id).name.clone();
        let mut stretches = vec![stretch(scale, 0, before.min(bound), bound)];
        let seen = checked.observations.tasks[id.0].as_ref().map(|seen| seen.response);
        stretches.extend(seen.map(|seen| stretch(scale, 1, seen, seen)));
        let on = system.supply(system.task(id).on).name.clone();
        let seen = seen.map_or_else(|| "-".to_owned(), |seen| scale.text(seen));
        rows.push(vec![task.clone(), on, seen, scale.text(bound)]);
        ranges.push(Range { name: task, stretches });
        before = bound;
    }
    let head = ["task", "on", "longest seen", "bound"];
    let picture = Ranges {
        name: name.to_owned(),
        title: format!("The path to {}", ruling.name),
        description: "Every task wakes the next, alone or as the latest of several, and all responses count from the arrival of the first. \
                      A lane is what a task \
                      adds to the bound of the one before; its mark is the longest response that a history had, \
                      each in a history of its own."
            .to_owned(),
        axis: Axis::linear("time since the arrival", scale.unit()).from(0.0),
        kinds: vec![
            (WORKING, "what the task adds to the bound".to_owned()),
            (SEEN, "longest response seen".to_owned()),
        ],
        ranges,
        rule: Some(limit(scale, ruling.limit)),
        numbers: Table { head: head.map(str::to_owned).to_vec(), rows },
        width: 680.0,
    };
    Some(picture.into())
}

/// The tasks that wake each other up to this one, from the first; of several that wake one together, that with the
/// largest bound.
fn path(checked: &Checked, last: TaskId) -> Vec<TaskId> {
    let system = &checked.input.system;
    let mut path = vec![last];
    // A task is on it once: nothing wakes itself. One without a bound is larger than all.
    let bound = |&by: &TaskId| checked.bounds.task(by).bound().unwrap_or(Duration::MAX);
    let slowest = |id| system.predecessors(id).into_iter().max_by_key(bound);
    while let Some(before) = slowest(path[path.len() - 1]) {
        path.push(before);
    }
    path.reverse();
    path
}

fn stretch(scale: Scale, of: usize, from: Duration, to: Duration) -> Stretch {
    Stretch { of, ends: (scale.of(from), scale.of(to)) }
}

fn limit(scale: Scale, limit: Duration) -> (f64, String) {
    (scale.of(limit), format!("limit {}", scale.text(limit)))
}

const fn until(of: Until) -> &'static str {
    match of {
        Until::Completed => "it completes",
        Until::Held => "its reader begins, which waits for it anyway",
        Until::Deadline => "its deadline, at which it writes",
        Until::Wakes => "it completes, and the next begins",
        Until::Again => "the arrivals before the one whose reader begins after it",
    }
}
