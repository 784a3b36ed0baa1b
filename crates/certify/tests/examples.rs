//! Examples with their certified bounds, and with what is not certified.

use vorrang_certify::{STEPS, Search, certificates, of_task};
use vorrang_model::{Format, System, read};

fn system(text: &str) -> System {
    read(text, Format::Toml).expect("a system")
}

/// Each requirement with its certified bound in microseconds, or with why there is none.
fn certified(system: &System) -> Vec<String> {
    let found = certificates(system, STEPS);
    let rows = system.requirements.iter().zip(found).map(|(of, found)| match found {
        Ok(found) => format!("{}: {} us", of.name, found.bound / 1000),
        Err(why) => format!("{}: {why}", of.name),
    });
    rows.collect()
}

#[test]
fn hello_is_certified() {
    let hello = system(include_str!("../../../examples/hello.toml"));
    let bounds = ["task.watchdog: 200 us", "task.control: 7400 us", "task.log: 16400 us"];
    assert_eq!(certified(&hello), bounds);
}

#[test]
fn a_cost_that_no_theorem_counts_is_named() {
    let text = include_str!("../../../examples/hello.toml");
    let costs = format!("{text}\n[costs]\ncontext-switch = \"1us\"\n");
    let page = "costs of the machine: not mechanised (docs/theory/scheduler-costs.md)";
    let all = certified(&system(&costs));
    assert!(all.iter().all(|row| row.ends_with(page)), "{all:?}");
}

#[test]
fn a_server_beside_an_equal_is_not_certified() {
    let text = include_str!("../../../examples/hello.toml");
    let equals = system(&text.replace("priority = 90", "priority = 20"));
    let all = certified(&equals);
    assert_eq!(all[0].split(' ').next(), Some("task.watchdog:"));
    let page =
        "beside members of equal priority: not mechanised (docs/theory/fixed-priority-server.md)";
    assert!(all[1].ends_with(page) && all[2].ends_with(page), "{all:?}");
}

#[test]
fn a_task_that_an_interrupt_wakes_is_late_by_the_routine() {
    let woken = system(
        "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[interrupt.a]\non = \"core.0\"\nisr = \"2us\"\n\
         min-interarrival = \"100us\"\nwakes = \"task.a\"\n[task.a]\non = \"core.0\"\nwcet = \"10us\"\n\
         deadline = \"50us\"\npriority = 1\n",
    );
    // The routine takes 2 us, then counts once more as interference: 2 + 12.
    assert_eq!(certified(&woken), ["task.a: 14 us"]);
}

#[test]
fn a_search_ends() {
    let hello = system(include_str!("../../../examples/hello.toml"));
    let found = of_task(&hello, hello.task_ids().next().expect("a task"), &mut Search::new(0));
    assert!(found.is_err());
}
