//! What is said of a bound, and of what has none.

use super::{system, us};
use vorrang_analysis::{bounds, explain};
use vorrang_model::system::RequirementKind;

#[test]
fn what_is_not_covered_is_named() {
    let system = system(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [server.p]
        on = "core.0"
        server = "posix-sporadic"
        budget = "1ms"
        period = "2ms"
        priority = 1
        [task.t]
        on = "core.0"
        wcet = "1ms"
        period = "10ms"
        priority = 2
        "#,
    );
    let bounds = bounds(&system);
    let finding = bounds.requirement(&system.requirements[0]);
    assert_eq!(finding.bound(), None);
    let reason = finding.reason().expect("no bound without a reason").to_string();
    assert!(reason.contains("server.p"), "{reason}");
}

#[test]
fn an_unguaranteed_server_leaves_its_guests_without_a_bound_and_others_alone() {
    let system = system(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [task.hog]
        on = "core.0"
        wcet = "6ms"
        period = "10ms"
        priority = 3
        [vcpu.v]
        on = "core.0"
        server = "periodic"
        budget = "5ms"
        period = "10ms"
        priority = 2
        [task.t]
        on = "vcpu.v"
        wcet = "1ms"
        period = "100ms"
        "#,
    );
    let found = bounds(&system);
    assert_eq!(us(&system, &found, "task.hog"), Some(6_000));
    assert_eq!(us(&system, &found, "task.t"), None);
    let reason = found.requirement(&system.requirements[1]).reason().unwrap().to_string();
    assert_eq!(
        reason,
        "vcpu.v may take 17ms to receive its budget, longer than its period of 10ms"
    );
}

#[test]
fn an_explanation_names_every_term() {
    let system = system(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [interrupt.nic]
        on = "core.0"
        isr = "100us"
        min-interarrival = "2ms"
        [vcpu.v]
        on = "core.0"
        server = "deferrable"
        budget = "4ms"
        period = "10ms"
        priority = 2
        [task.high]
        on = "vcpu.v"
        wcet = "1ms"
        period = "20ms"
        priority = 2
        [task.low]
        on = "vcpu.v"
        wcet = "4ms"
        period = "100ms"
        blocking = "500us"
        priority = 1
        "#,
    );
    let low = RequirementKind::Deadline(vorrang_model::system::TaskId(1));
    let text = explain(&system, low).to_string();
    for term in
        ["task.high", "interrupt.nic", "vcpu.v", "blocking", "iteration", "Bril, Cuijpers 2006"]
    {
        assert!(text.contains(term), "{term} is missing in\n{text}");
    }
}
