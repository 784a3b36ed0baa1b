//! Reservations on cores as people have them: beside interrupts, and switches that cost.

use crate::program::run;

/// Every one of these is proven, whoever pays for interrupts.
#[test]
fn cores_with_interrupts_and_switches_are_proven() {
    for name in
        ["reservation-beside-an-interrupt", "irq-thread-in-a-reservation", "fifo-and-switches"]
    {
        let file = format!("crates/vorrang/tests/systems/{name}.toml");
        let checked = run(&["check", &file]);
        assert_eq!(checked.code, 0, "{name}\n{}{}", checked.out, checked.err);
    }
}
