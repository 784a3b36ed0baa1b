//! The course of a case in a kernel.

use super::case::Case;
use super::course::{Completion, Course, Ended, Piece, stretches};
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
    end_with_jobs(&mut course, case.tolerance());
    course.in_order();
    Ok(course)
}

/// A thread that is preempted while it wakes another one has completed its job before: it is done.
fn end_with_jobs(course: &mut Course, tolerance: u64) {
    let Course { stretches, completions } = course;
    for one in stretches.iter_mut().filter(|one| one.ended == Ended::Preempted) {
        let is_of = |done: &&Completion| done.task == one.task && done.at <= one.end;
        let newest = completions.iter().filter(is_of).map(|done| done.at).max();
        if newest.is_some_and(|at| one.begin < at && one.end - at <= tolerance) {
            one.ended = Ended::Done;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::course::Stretch;
    use super::*;

    #[test]
    fn who_is_preempted_after_its_job_is_done() {
        let of = |end, ended| Stretch { task: 1, begin: 10, end, ended };
        let at = |task, at| Completion { task, job: 0, arrival: 0, at };
        let ended = |stretch: Stretch, completions| {
            let mut course = Course { stretches: vec![stretch], completions };
            end_with_jobs(&mut course, 5);
            course.stretches[0].ended
        };
        assert_eq!(ended(of(25, Ended::Preempted), vec![at(1, 20)]), Ended::Done);
        assert_eq!(ended(of(26, Ended::Preempted), vec![at(1, 20)]), Ended::Preempted);
        assert_eq!(ended(of(25, Ended::Preempted), vec![at(2, 20)]), Ended::Preempted);
        assert_eq!(ended(of(25, Ended::Preempted), vec![at(1, 9)]), Ended::Preempted);
        assert_eq!(ended(of(25, Ended::Throttled), vec![at(1, 20)]), Ended::Throttled);
    }
}
