//! Paths of wake-ups that come back to where they were: what a task wakes is not before it, and a circle is named.

use super::table::rows;
use vorrang_analysis::bounds;

#[test]
fn a_path_that_waits_for_itself_is_named() {
    let row = rows().find(|row| row.id == "W13").expect("listed");
    let system = row.system(1_000);
    let known = bounds(&system);
    for id in system.task_ids() {
        let finding = known.task(id);
        let Some(reason) = finding.reason() else { continue };
        let reason = reason.to_string();
        for part in [
            "task.c waits for task.b, which task.d may delay",
            "task.d waits for task.a, which task.c may delay",
        ] {
            assert!(reason.contains(part), "{reason}");
        }
    }
    let undecided = system.task_ids().filter(|&id| known.task(id).bound().is_none()).count();
    assert!(undecided > 2, "{undecided}");
}

/// Each wakes a more urgent one. True are 3, 5 and 8 at once, and by counting what comes behind as if it came at any time
/// 25, 38 and 41.
#[test]
fn what_comes_behind_a_task_is_not_before_it() {
    let row = rows().find(|row| row.id == "W05").expect("listed");
    let system = row.system(1_000);
    let known = bounds(&system);
    let bound = |name: &str| {
        let id = system.task_ids().find(|&id| system.task(id).name == name).expect("it is there");
        known.task(id).bound().expect("a bound").as_ns() / 1_000
    };
    assert_eq!(["task.a", "task.b", "task.c"].map(bound), [3, 6, 9]);
}
