//! Priorities and the places of tasks, chosen.

use std::fmt::Write as _;
use vorrang_design::{
    Absence, Answer, Design, Limits, Objective, Optimality, Weights, accepts, design, design_for,
};
use vorrang_model::{Chosen, Format, Open, read_open};

fn open(text: &str) -> Open {
    read_open(text, Format::Toml, |_| Err("none".into()))
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

fn designed(text: &str) -> Result<Design, Absence> {
    match design(&mut open(text), Limits::default()) {
        Answer::Design(found) => Ok(*found),
        Answer::Absent(absence) => Err(absence),
    }
}

fn priority(found: &Design, task: &str) -> u32 {
    found.system.tasks.iter().find(|own| own.name == task).unwrap().priority.0
}

const CORE: &str = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n";

/// With jitter the shorter deadline is not the more urgent one.
const JITTER: &str = r#"
[task.jitters]
on = "core.0"
wcet = "1ms"
period = "10ms"
deadline = "4ms"
jitter = "3ms"
priority = "?"

[task.plain]
on = "core.0"
wcet = "1ms"
period = "10ms"
deadline = "3ms"
priority = "?"
"#;

#[test]
fn an_order_is_found_where_deadline_monotonic_fails() {
    let found = designed(&format!("{CORE}{JITTER}")).unwrap();
    assert!(accepts(&found.system));
    assert!(priority(&found, "task.jitters") > priority(&found, "task.plain"));
    assert_eq!(found.optimality(), Optimality::Optimal);
}

#[test]
fn no_order_is_excluded_only_where_the_condition_holds() {
    let late = format!("{CORE}{}", JITTER.replace("deadline = \"3ms\"", "deadline = \"1500us\""));
    assert!(matches!(designed(&late), Err(Absence::Impossible { .. })));
    // What is charged for cold caches depends on the order of what is above: every order was looked at, as they
    // are few.
    let costs = late.replace("version = 1", "version = 1\n[costs]\ncontext-switch = \"1us\"");
    assert!(matches!(designed(&costs), Err(Absence::Impossible { .. })));
    let mut many = costs;
    for number in 0..4 {
        let keys = "wcet = \"1us\"\nperiod = \"1s\"\npriority = \"?\"";
        write!(many, "[task.more{number}]\non = \"core.0\"\n{keys}\n").unwrap();
    }
    assert!(matches!(designed(&many), Err(Absence::NotFound { .. })));
}

#[test]
fn an_order_in_a_guest_gives_its_server_the_least_budget() {
    let of = |priorities: [&str; 2]| {
        let [jitters, plain] = priorities;
        let tasks = JITTER.replace("core.0", "vcpu.a");
        let tasks = tasks.replacen("\"?\"", jitters, 1).replacen("\"?\"", plain, 1);
        format!(
            "{CORE}[vcpu.a]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"?\"\n\
             period = [\"1ms\", \"2ms\"]\n{tasks}"
        )
    };
    let found = designed(&of(["\"?\"", "[10, 20]"])).unwrap();
    let stated = [designed(&of(["1", "2"])).ok(), designed(&of(["2", "1"])).ok()];
    let least = stated.into_iter().flatten().map(|found| found.cost).min();
    assert_eq!(Some(found.cost), least);
    assert_eq!(found.optimality(), Optimality::Optimal);
}

/// Servers on one core, too many for every order.
#[test]
fn many_orders_are_climbed_and_the_bound_holds() {
    let mut text = CORE.to_owned();
    for server in 0..8_u64 {
        let (work, period) = (300 + 40 * (server * 3 % 8), 8 + 5 * (server * 5 % 8));
        writeln!(
            text,
            "[server.s{server}]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"?\"\n\
             period = [\"2ms\", \"4ms\"]\npriority = \"?\"\n[task.t{server}]\non = \"server.s{server}\"\n\
             wcet = \"{work}us\"\nperiod = \"{period}ms\""
        )
        .unwrap();
    }
    let mut open = open(&text);
    let Answer::Design(found) = design(&mut open, Limits::of(4_000)) else { panic!("{text}") };
    assert!(accepts(&found.system));
    assert!(found.least <= found.cost && found.least.share().hundredths_floor() > 0);
}

#[test]
fn tasks_are_placed_where_they_fit() {
    let mut text =
        "version = 1\n[core.0]\nscheduler = \"edf\"\n[core.1]\nscheduler = \"edf\"\n".to_owned();
    for (task, work) in [6, 5, 4, 3].into_iter().enumerate() {
        let keys = format!("wcet = \"{work}ms\"\nperiod = \"10ms\"");
        writeln!(text, "[task.{task}]\non = \"?\" # chosen\n{keys}").unwrap();
    }
    let found = designed(&text).unwrap();
    assert!(accepts(&found.system));
    let on = |task: usize| found.system.tasks[task].on;
    assert!(on(0) != on(1) && on(2) != on(3));
    let written = open(&text).written(&found.chosen);
    assert_eq!(String::from_utf8(written).unwrap().matches("\" # chosen\n").count(), 4);
    let heavy = text.replace("\"4ms\"", "\"8ms\"");
    assert!(matches!(designed(&heavy), Err(Absence::Impossible { .. })));
}

/// Too many placements to look at each; that nothing was found then excludes nothing.
#[test]
fn many_tasks_are_spread() {
    let of = |work: u64| {
        let mut text = "version = 1\n".to_owned();
        for core in 0..8 {
            writeln!(text, "[core.{core}]\nscheduler = \"fixed-priority\"").unwrap();
        }
        for task in 0..24 {
            let keys = format!("wcet = \"{}us\"\nperiod = \"{}ms\"", work + task * 20, 10 + task);
            writeln!(text, "[task.{task}]\non = \"?\"\n{keys}\npriority = \"?\"").unwrap();
        }
        text
    };
    assert!(accepts(&designed(&of(2_000)).unwrap().system));
    assert!(matches!(designed(&of(9_000)), Err(Absence::NotFound { .. })));
}

/// Two servers, each on one of two cores of which one counts.
#[test]
fn a_core_that_counts_is_left_free() {
    let mut text =
        "version = 1\n[core.0]\nscheduler = \"edf\"\n[core.1]\nscheduler = \"edf\"\n".to_owned();
    for server in 0..2 {
        writeln!(
            text,
            "[server.s{server}]\non = \"?\"\nserver = \"cbs-hard\"\nbudget = \"?\"\nperiod = \"5ms\"\n\
             [task.t{server}]\non = \"server.s{server}\"\nwcet = \"1ms\"\nperiod = \"10ms\""
        )
        .unwrap();
    }
    for (core, other) in [("core.0", "core.1"), ("core.1", "core.0")] {
        let weights = Weights::new(0, vec![(core.into(), 1)]).unwrap();
        let answer = design_for(&mut open(&text), Limits::default(), &Objective::Least(weights));
        let Answer::Design(found) = answer else { panic!("there is room") };
        assert_eq!(found.chosen.iter().filter(|own| **own == Chosen::On(other.into())).count(), 2);
        assert_eq!(found.optimality(), Optimality::Optimal);
    }
}

/// By what all execution times may grow: a thousandth more has no design.
#[test]
fn the_most_work_is_the_most() {
    let of = |thousandths: u64| {
        format!(
            "{CORE}[server.a]\non = \"core.0\"\nserver = \"deferrable\"\n\
             budget = {{ from = \"100us\", to = \"3ms\", step = \"100us\" }}\nperiod = [\"3ms\", \"5ms\"]\n\
             priority = \"?\"\n[task.a]\non = \"server.a\"\nwcet = \"{}ns\"\nperiod = \"20ms\"\n\
             [task.b]\non = \"core.0\"\nwcet = \"{}ns\"\nperiod = \"9ms\"\npriority = \"?\"\n",
            1_900 * thousandths,
            1_100 * thousandths
        )
    };
    let answer = design_for(&mut open(&of(1_000)), Limits::default(), &Objective::Margin);
    let Answer::Design(found) = answer else { panic!("there is one") };
    let reach = found.reach.unwrap();
    assert_eq!(
        (found.optimality(), reach.none_from),
        (Optimality::Optimal, Some(reach.factor + 1))
    );
    assert!(reach.factor > 1_100, "{reach:?}");
    assert!(
        accepts(&found.system) && accepts(&open(&of(reach.factor)).resolve(&found.chosen).unwrap())
    );
    assert!(designed(&of(reach.factor)).is_ok());
    assert!(matches!(designed(&of(reach.factor + 1)), Err(Absence::Impossible { .. })));
}

/// `blocker` holds up what is below it, if something is below that: `careless` may be the least urgent or not,
/// `short` only the least urgent. From the least urgent place up `careless` is the first that may have it.
const BLOCKING: &str = r#"
[task.blocker]
on = "core.0"
wcet = "1ms"
period = "40ms"
deadline = "3ms"
blocking = "2ms"
priority = "?"

[task.short]
on = "core.0"
wcet = "1ms"
period = "40ms"
deadline = "3500us"
priority = "?"

[task.careless]
on = "core.0"
wcet = "1200us"
period = "40ms"
deadline = "8ms"
priority = "?"
"#;

/// The condition of Audsley's algorithm is not met, and it finds none: then every order is tried.
#[test]
fn an_order_is_found_where_blocking_misleads() {
    let text = format!("{CORE}{BLOCKING}");
    let found = designed(&text).unwrap();
    assert!(accepts(&found.system));
    let order = ["task.blocker", "task.careless", "task.short"].map(|task| priority(&found, task));
    assert!(order.is_sorted_by(|one, other| one > other), "{order:?}");
    // Without sections the least urgent is another one.
    assert!(designed(&text.replace("blocking = \"2ms\"\n", "")).is_ok());
}
