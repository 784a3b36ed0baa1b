//! Slots and tables of windows.

use super::{system, us};
use vorrang_analysis::bounds;

#[test]
fn a_virtual_machine_on_a_fixed_slot_has_one_gap() {
    let system = system(
        r#"
        version = 1
        [core.0]
        scheduler = "slots"
        [vcpu.b]
        on = "core.0"
        server = "slot"
        offset = "40ms"
        budget = "50ms"
        period = "100ms"
        [task.t]
        on = "vcpu.b"
        wcet = "33ms"
        period = "101ms"
        "#,
    );
    assert_eq!(us(&system, &bounds(&system), "task.t"), Some(83_000));
}

#[test]
fn a_virtual_machine_in_a_table_waits_from_the_worst_of_the_ends() {
    let table = |wcet: &str, interrupt: &str| {
        let text = format!(
            r#"
            version = 1
            [core.0]
            scheduler = "slots"
            [vcpu.b]
            on = "core.0"
            server = "table"
            windows = {{ "0s" = "2ms", "5ms" = "1ms" }}
            period = "10ms"
            [task.t]
            on = "vcpu.b"
            wcet = "{wcet}"
            period = "101ms"
            {interrupt}
            "#
        );
        let system = system(&text);
        us(&system, &bounds(&system), "task.t")
    };
    // 1 ms from the end at 6 ms on: 4 ms until the next period, then itself. 2 ms take 6 ms there, from 2 ms on 3 + 1 + 4 + 1.
    for (wcet, worst) in [("1ms", 5_000), ("2ms", 9_000), ("3ms", 10_000), ("4ms", 15_000)] {
        assert_eq!(table(wcet, ""), Some(worst), "{wcet}");
    }
    // A routine of 100 us may take a part of each window; 1.1 ms take 5.1 ms from 6 ms on, and 3 + 1 + 4 + 0.1 from 2 ms on.
    let routine = "[interrupt.i]\non = \"core.0\"\nmin-interarrival = \"50ms\"\nisr = \"100us\"";
    assert_eq!(table("1ms", routine), Some(8_100));
}
