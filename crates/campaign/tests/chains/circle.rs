//! Paths of wake-ups whose delays grow with themselves: undecided, and the circle is named.

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
