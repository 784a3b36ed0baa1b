//! Members of one priority that take turns of a slice: of their supply's, or of a budget that is the period.

use vorrang_analysis::{Assumption, Bounds, bounds};
use vorrang_model::system::{System, TaskId};
use vorrang_model::{Format, read};

fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn bound_us(bounds: &Bounds, task: usize) -> Option<u64> {
    Some(bounds.task(TaskId(task)).bound()?.as_ns() / 1_000)
}

/// A job of 10 ms beside one of 1 ms every 3 ms, of one priority.
fn equals(slice: &str, more: &str) -> System {
    system(&format!(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        {slice}
        [task.long]
        on = "core.0"
        wcet = "10ms"
        period = "50ms"
        deadline = "12ms"
        priority = 5
        [task.short]
        on = "core.0"
        wcet = "1ms"
        period = "3ms"
        deadline = "none"
        priority = 5
        {more}
        "#
    ))
}

#[test]
fn equals_take_turns_of_a_slice() {
    let first_come = bounds(&equals("", ""));
    // One job of the other is before it at most, and that is what the bound rests on.
    assert_eq!(bound_us(&first_come, 0), Some(11_000));
    assert!(first_come.task(TaskId(0)).assumptions().contains(&Assumption::FirstCome));
    // With slices it has two of every three milliseconds, whatever they are: that rests on no order.
    let slices = bounds(&equals("time-slice = \"1ms\"", ""));
    assert_eq!(bound_us(&slices, 0), Some(15_000));
    assert!(!slices.task(TaskId(0)).assumptions().contains(&Assumption::FirstCome));
    assert!(!slices.task(TaskId(0)).assumptions().contains(&Assumption::ExactSlices));
    // A slice may have begun before: two visits of the other, not all of its job.
    assert_eq!(bound_us(&slices, 1), Some(3_000));
    assert!(slices.task(TaskId(1)).assumptions().contains(&Assumption::ExactSlices));
    // Something more urgent comes before each of them once.
    let urgent =
        "[task.urgent]\non = \"core.0\"\nwcet = \"500us\"\nperiod = \"100ms\"\npriority = 6\n";
    let beside = bounds(&equals("time-slice = \"1ms\"", urgent));
    assert_eq!(bound_us(&beside, 1), Some(3_500));
}

#[test]
fn a_budget_that_is_the_period_is_a_slice() {
    let of = |more: &str| {
        let server = |name: &str, task: &str| {
            format!(
                "[server.{name}]\non = \"core.0\"\nserver = \"refill-queue\"\nbudget = \"5ms\"\nperiod = \"5ms\"\n\
                 {more}priority = 100\n[task.{name}]\non = \"server.{name}\"\n{task}\n"
            )
        };
        let a = server("a", "wcet = \"20ms\"\nperiod = \"100ms\"");
        let b = server("b", "wcet = \"2ms\"\nperiod = \"20ms\"");
        bounds(&system(&format!("version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n{a}{b}")))
    };
    let found = of("refills = 2\n");
    // All that the other has to do in that time: two jobs of 2 ms.
    assert_eq!(bound_us(&found, 0), Some(24_000));
    // What is left of a slice is kept while the guest sleeps, so it may end within a job: two slices of the other.
    assert_eq!(bound_us(&found, 1), Some(12_000));
    // A slice may end by less than the least budget of the kernel early, which is as often here.
    assert_eq!(bound_us(&of("min-budget = \"20us\"\n"), 1), Some(12_000));
}

/// Six jobs of the other come in 16 ms, with two calls each, and two calls of the job's own. Sixteen slices and one of each task more
/// end meanwhile.
#[test]
fn each_end_of_a_slice_calls() {
    let costs = "[costs]\nscheduler-call = \"1us\"\n";
    let of = |slice: &str| bound_us(&bounds(&equals(slice, costs)), 0);
    assert_eq!(of(""), Some(16_014));
    assert_eq!(of("time-slice = \"1ms\""), Some(16_014 + 16 + 2));
}
