//! The trace that `vorrang observe` kept.

use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_observe::Schedule;
use vorrang_observe::history::History;

/// The text that was kept is a trace, and has the jobs of the threads.
pub(crate) fn trace_is_kept(evidence: &Evidence) -> Check {
    let what = "the trace that was kept has 9 jobs of the one and 4 of the other at least";
    let Some(text) = evidence.texts("/trace").next() else {
        return Check::new(what, "there is none", false);
    };
    let schedule: Schedule = match text.parse() {
        Ok(schedule) => schedule,
        Err(why) => return Check::new(what, why.to_string(), false),
    };
    let jobs = |name: &str| {
        let thread = schedule.names.iter().find(|(_, known)| *known == name);
        thread.map_or(0, |(&thread, _)| History::of(&schedule, thread).jobs.len())
    };
    let seen = (jobs("reserved"), jobs("fifo"));
    Check::new(what, format!("{seen:?}"), seen.0 >= 9 && seen.1 >= 4)
}
