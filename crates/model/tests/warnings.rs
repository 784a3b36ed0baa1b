//! Warnings are said once for one cause, and limited in number.

use core::fmt::Write;
use vorrang_model::{Code, Format, read_with_warnings};

/// Tasks with these priorities on one core, and what is warned of.
fn warned(priorities: impl IntoIterator<Item = usize>) -> Vec<(Code, String)> {
    let mut text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned();
    for (number, priority) in priorities.into_iter().enumerate() {
        let task = "wcet = \"1us\"\nperiod = \"10s\"";
        writeln!(text, "[task.t{number}]\non = \"core.0\"\n{task}\npriority = {priority}").unwrap();
    }
    let no_profile = |_: &str| Err("there is none".to_owned());
    let read = read_with_warnings(&text, Format::Toml, no_profile).expect("no error");
    read.warnings.into_iter().map(|found| (found.code, found.message)).collect()
}

#[test]
fn a_priority_of_several_is_warned_of_once() {
    let said = |priorities: &[usize]| warned(priorities.iter().copied());
    let equal =
        |text: &str| (Code::EqualPriorities, format!("{text} have the same priority on core.0"));
    assert_eq!(said(&[1, 2, 3]), []);
    assert_eq!(said(&[1, 2, 1]), [equal("task.t2 and task.t0")]);
    assert_eq!(said(&[1, 1, 1]), [equal("task.t1, task.t0 and task.t2")]);
    assert_eq!(
        said(&[1, 2, 2, 1, 1, 1]),
        [equal("task.t2 and task.t1"), equal("task.t3, task.t0 and 2 others")]
    );
}

#[test]
fn very_many_warnings_are_counted_and_remain_warnings() {
    let found = warned((0..1_200).map(|number| number / 2));
    assert_eq!(found.len(), 501);
    let (code, message) = found.last().expect("there are some");
    assert_eq!((*code, message.as_str()), (Code::MoreWarnings, "100 more warnings are not listed"));
}

/// Four frames at once, and then none for as long as the last distance says.
#[test]
fn bursts_are_warned_of_by_what_they_take_in_the_long_run() {
    let of_burst = |on: &str, last: &str| {
        let text = format!(
            "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[vcpu.a]\non = \"core.0\"\nserver = \"deferrable\"\n\
             budget = \"1ms\"\nperiod = \"4ms\"\npriority = 1\nscheduler = \"fixed-priority\"\n\
             [task.in]\non = \"vcpu.a\"\nwcet = \"1us\"\nperiod = \"1s\"\npriority = 1\n\
             [task.rx]\non = \"{on}\"\nwcet = \"50us\"\npriority = 2\n\
             deadline = \"5ms\"\nmin-distances = [\"10us\", \"20us\", \"30us\", \"{last}\"]\n"
        );
        let no_profile = |_: &str| Err("there is none".to_owned());
        let read = read_with_warnings(&text, Format::Toml, no_profile).expect("no error");
        read.warnings.into_iter().map(|found| found.code).collect::<Vec<_>>()
    };
    assert_eq!(of_burst("core.0", "210us"), []);
    assert_eq!(of_burst("core.0", "199us"), [Code::WcetOverPeriod]);
    assert_eq!(of_burst("vcpu.a", "801us"), [], "a quarter of a core, and a millionth");
    assert_eq!(of_burst("vcpu.a", "799us"), [Code::BudgetTooSmall]);
}

#[test]
fn a_task_that_wants_all_the_time_is_asked_whether_it_polls() {
    let of = |wcet: &str| {
        let text = format!(
            "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n\
             [task.poll]\non = \"core.0\"\nwcet = \"{wcet}\"\nperiod = \"500us\"\n"
        );
        let no_profile = |_: &str| Err("there is none".to_owned());
        let read = read_with_warnings(&text, Format::Toml, no_profile).expect("no error");
        read.warnings.into_iter().map(|found| found.code).collect::<Vec<_>>()
    };
    assert_eq!(of("499us"), []);
    assert_eq!(of("500us"), [Code::WcetIsPeriod]);
    assert_eq!(of("501us"), [Code::WcetOverPeriod]);
}
