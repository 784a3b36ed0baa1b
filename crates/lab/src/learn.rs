//! What `vorrang learn` learnt, compared with the threads that the plan started.

use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use toml::{Table, Value};
use vorrang_guest::{LoadedTask, Step, Work};
use vorrang_time::Duration;

/// The description into which was learnt.
const DESCRIPTION: &str = "/system.toml";

/// What is expected in this family under a name.
pub(crate) fn checks(of: &Scenario, name: &str, evidence: &Evidence) -> Option<Vec<Check>> {
    (name == "learnt").then(|| learnt(of, evidence))
}

/// Periods are those of the threads, and execution times are not less, and not more by twice the margin of a fifth.
fn learnt(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let text = evidence.texts(DESCRIPTION).next().unwrap_or_default();
    let description: Table = text.parse().unwrap_or_default();
    let started = of.plan().steps.into_iter().filter_map(|step| match step {
        Step::StartLoad { tasks, .. } => Some(tasks),
        _ => None,
    });
    started.flatten().map(|thread| as_started(&thread, &description)).collect()
}

fn as_started(thread: &LoadedTask, description: &Table) -> Check {
    let own = description.get("task").and_then(|tasks| tasks.get(&thread.name));
    let time = |key: &str| {
        let text = own.and_then(|own| own.get(key)).and_then(Value::as_str)?;
        text.parse().ok().map(Duration::as_ns)
    };
    let (Work::Compute(work) | Work::ComputeByTurns(work)) = thread.work else {
        panic!("{}: a load computes", thread.name);
    };
    let (wcet, period) = (time("wcet"), time("period"));
    let holds = period == Some(thread.period)
        && wcet.is_some_and(|wcet| (work..=work * 7 / 5).contains(&wcet));
    Check::new(
        format!("{} has {work} ns of work every {} ns", thread.name, thread.period),
        format!("learnt {wcet:?} every {period:?}"),
        holds,
    )
}
