//! The course of a case in a kernel.

use super::case::Case;
use super::course::{Completion, Course, Piece, stretches};
use crate::evidence::Evidence;

/// The course of the kernel, and the end of its threads.
///
/// # Errors
/// A task did not run, as a sentence.
pub(super) fn course(case: &Case, prefix: &str, evidence: &Evidence) -> Result<Course, String> {
    let mut course = Course::default();
    let mut pieces = Vec::new();
    for (task, name) in case.names().iter().enumerate() {
        let thread = format!("{prefix}{name}");
        let (seen, _) = evidence.jobs(&thread);
        let script = case.jobs(name);
        let (Some(first), Some(last)) = (seen.first(), seen.last()) else {
            return Err(format!("{name} did not run: {}", evidence.refusals().join("; ")));
        };
        let origin = first.release - script[0].release();
        course.completions.extend(seen.iter().enumerate().map(|(number, job)| Completion {
            task,
            job: number,
            arrival: job.release - origin,
            at: job.finish - origin,
        }));
        let own = evidence.schedule.runs_of(&thread);
        // Before the common instant the thread is made, after its last job and going to sleep it ends.
        let slept = last.finish + case.tolerance();
        let own = own.filter(|run| run.end > origin && run.begin < slept);
        pieces.extend(own.map(|run| Piece {
            task,
            begin: run.begin.saturating_sub(origin),
            end: run.end - origin,
            preempted: run.preempted,
        }));
    }
    pieces.sort_by_key(|piece| (piece.begin, piece.task));
    course.stretches = stretches(&pieces, &case.reserved(), case.tolerance());
    course.in_order();
    Ok(course)
}
