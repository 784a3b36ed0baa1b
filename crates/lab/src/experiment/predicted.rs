//! The predictions of analysis and simulation for the task, from the description of a case.

use super::case::{Case, Taken};
use serde::Serialize;
use vorrang_model::{Format, System, read};
use vorrang_sim::Search;

/// The predictions of the task's responses, in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Predicted {
    /// The longest by the analysis, as `vorrang check` gives it; none: nothing bounds it.
    pub bound: Option<u64>,
    /// The longest that the simulator found.
    pub simulated: Option<u64>,
    /// Why nothing bounds it.
    pub reason: Option<String>,
}

/// A search of a second or two where nothing is optimised: directed histories find what matters here.
const SEARCH: (u32, u64) = (16, 300_000);

/// The predictions, with the costs of the kernel.
pub fn predict(case: &Case, taken: Taken) -> Predicted {
    of_task(case.description(taken), "task.control")
}

/// The predictions for a task of a description.
pub(super) fn of_task(description: String, name: &str) -> Predicted {
    let system: System = read(description, Format::Toml).expect("a description");
    let place = system.tasks.iter().position(|task| task.name == name);
    let id = vorrang_model::system::TaskId(place.expect("it is described"));
    let bounds = vorrang_analysis::bounds(&system);
    let (climbs, work) = SEARCH;
    let observations = vorrang_sim::search(&system, &Search { climbs, work, ..Search::default() });
    let finding = bounds.task(id);
    Predicted {
        bound: finding.bound().map(vorrang_time::Duration::as_ns),
        simulated: observations.tasks[id.0].as_ref().map(|worst| worst.response.as_ns()),
        reason: finding.reason().map(ToString::to_string),
    }
}

#[cfg(test)]
mod tests {
    use super::super::case::{Taken, all, one};
    use super::*;

    #[test]
    fn every_case_is_simulated_and_its_bound_is_kept() {
        for case in &all() {
            let Predicted { bound, simulated, reason } = predict(case, Taken::default());
            let simulated = simulated.expect("it is simulated");
            assert!(bound.is_none_or(|bound| simulated <= bound), "{}", case.name);
            assert_eq!(bound.is_none(), reason.is_some(), "{}", case.name);
        }
    }

    /// Ten thousand interrupts of 7 us a second are seven hundredths of the processor, the task's part included.
    #[test]
    fn interrupts_make_the_task_late() {
        let taken = Taken { excess: 0, timer: 7_000 };
        let all = all();
        let all = all.iter().filter(|case| case.timers == 10);
        let late = all.map(|case| {
            let alone = Case { timers: 0, ..case.clone() };
            predict(case, taken).simulated.zip(predict(&alone, taken).simulated)
        });
        for pair in late {
            let (beside, alone) = pair.expect("both are simulated");
            assert!(beside > alone + 1_000_000, "{beside} and {alone}");
        }
    }

    /// The published configurations are whole budgets: ceil(19/4) and ceil(19/5) of 10 ms at most, and the last of them comes
    /// after the others' by their deadlines.
    #[test]
    fn reserved_tasks_end_with_their_budgets() {
        let bound = |name| predict(&one(name), Taken::default()).bound;
        assert!(
            bound("4 ms; task 4 ms, program 1.5 ms")
                .is_some_and(|bound| (40_000_000..=50_000_000).contains(&bound))
        );
        assert!(
            bound("2 ms; task 5 ms, program 1 ms")
                .is_some_and(|bound| (30_000_000..=40_000_000).contains(&bound))
        );
    }
}
