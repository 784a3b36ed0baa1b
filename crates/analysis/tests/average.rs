//! Which bounds say that they rest on what cold caches take on average.

use vorrang_analysis::{Assumption, bounds};
use vorrang_model::system::{SupplyId, System, TaskId};
use vorrang_model::{Format, read};

/// A hard guest by the flood model, a soft one by the average, and a task of the core below both.
const MIXED: &str = r#"
    version = 1
    [cache.flood]
    model = "flood"
    useful = "10%"
    sustained = "80us"
    [cache.average]
    model = "exponential"
    useful = "10%"
    sustained = "40us"
    [core.0]
    scheduler = "fixed-priority"
    [vcpu.hard]
    on = "core.0"
    server = "deferrable"
    budget = "2ms"
    period = "10ms"
    priority = 3
    cache = "cache.flood"
    [vcpu.soft]
    on = "core.0"
    server = "deferrable"
    budget = "3ms"
    period = "20ms"
    priority = 2
    cache = "cache.average"
    [task.hard]
    on = "vcpu.hard"
    wcet = "500us"
    period = "20ms"
    priority = 1
    [task.soft]
    on = "vcpu.soft"
    wcet = "1ms"
    period = "40ms"
    priority = 1
    [task.below]
    on = "core.0"
    wcet = "1ms"
    period = "100ms"
    priority = 1
"#;

fn system(text: &str) -> System {
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// The averages that the bound of a task rests on.
fn averages(system: &System, name: &str) -> Vec<String> {
    let mut ids = (0..system.tasks.len()).map(TaskId);
    let id = ids.find(|&id| system.task(id).name == name).expect("it is there");
    let found = bounds(system);
    let finding = found.task(id);
    assert!(finding.bound().is_some(), "{name}: {:?}", finding.reason());
    named(finding.assumptions())
}

fn named(assumed: &[Assumption]) -> Vec<String> {
    let of = |one: &Assumption| match one {
        Assumption::AverageCaches { what } => Some(what.clone()),
        _ => None,
    };
    assumed.iter().filter_map(of).flatten().collect()
}

#[test]
fn a_bound_rests_on_the_average_of_its_own_context() {
    let system = system(MIXED);
    assert_eq!(averages(&system, "task.soft"), ["vcpu.soft (cache.average)"]);
    assert!(
        averages(&system, "task.hard").is_empty(),
        "its cache floods, and budgets keep others away"
    );
}

#[test]
fn what_counts_the_work_in_servers_counts_their_average_loss() {
    // Of a server without cold caches its work counts, where that is less than its budget.
    let system = system(&MIXED.replace("    cache = \"cache.flood\"\n", ""));
    let found = bounds(&system);
    let below =
        (0..system.tasks.len()).map(TaskId).find(|&id| system.task(id).name == "task.below");
    let assumed = found.task(below.expect("it is there")).assumptions();
    let is_work_counted = assumed.contains(&Assumption::WorkInServers);
    assert!(is_work_counted, "{assumed:?}");
    assert_eq!(named(assumed), ["vcpu.soft (cache.average)"]);
}

#[test]
fn nothing_pays_for_the_loss_of_a_task_on_the_core() {
    let text = MIXED.replace("[task.below]", "[task.urgent]\non = \"core.0\"\nwcet = \"100us\"\nperiod = \"50ms\"\npriority = 4\ncache = \"cache.average\"\n[task.below]");
    let system = system(&text);
    assert_eq!(averages(&system, "task.hard"), ["task.urgent (cache.average)"]);
}

#[test]
fn a_flood_is_no_average() {
    let system = system(&MIXED.replace("exponential", "flood"));
    assert!(averages(&system, "task.soft").is_empty());
}

#[test]
fn the_guarantee_of_a_budget_rests_on_it_where_others_work_counts() {
    let system = system(MIXED);
    let found = bounds(&system);
    let soft = (0..system.supplies.len()).map(SupplyId);
    for id in soft.filter(|&id| system.supply(id).server().is_some()) {
        assert!(found.reservation(&system, id).is_some_and(|known| known.is_ok()));
        let assumed = found.assumed_of_reservation(&system, id);
        assert_eq!(!named(&assumed).is_empty(), assumed.contains(&Assumption::WorkInServers));
    }
}
