//! What chains require: the change that proves it, budgets where nothing else is required, and why there are none.

use vorrang_analysis::{bounds, chain_bound};
use vorrang_design::{
    Absence, Amount, Answer, Asked, Conflict, Limits, Parameter, Remedies, Sought, conflict, design,
};
use vorrang_model::system::{RequirementKind, System};
use vorrang_model::{Format, Open, read, read_open};
use vorrang_time::Duration;

/// From a guest to a task of another core.
const GUEST: &str = r#"version = 1
[core.0]
scheduler = "linux"
[core.1]
scheduler = "fixed-priority"
[vcpu.a]
on = "core.0"
server = "sched-deadline"
budget = BUDGET
period = "10ms"
scheduler = "fixed-priority"
[task.sense]
on = "vcpu.a"
wcet = "1ms"
period = "20ms"
latest-interarrival = "20ms"
deadline = "none"
priority = 8
[task.act]
on = "core.1"
wcet = "3ms"
period = "20ms"
latest-interarrival = "25ms"
deadline = "none"
priority = 8
[chain.c]
path = ["task.sense", "task.act"]
reaction = "LIMIT"
"#;

fn guest(budget: &str, limit: &str) -> String {
    GUEST.replace("BUDGET", budget).replace("LIMIT", limit)
}

fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

fn bound(system: &System, chain: usize) -> Duration {
    chain_bound(system, &bounds(system), &system.chains[chain]).found.expect("a bound")
}

/// The cheapest change for the first chain.
fn sought(system: &System) -> Sought {
    let found = bounds(system);
    let bound = chain_bound(system, &found, &system.chains[0]).found.ok();
    Remedies::new(system, &found).cheapest_for_chain((0, Asked::Reaction), bound)
}

/// The change and the time it is to be.
#[track_caller]
fn found(text: &str) -> (Parameter, Duration) {
    let sought = sought(&system(text));
    let Sought::Found(remedy) = sought else { panic!("{sought:?}") };
    let Amount::Time(to) = remedy.to else { panic!("{remedy:?}") };
    (remedy.parameter, to)
}

#[test]
fn more_of_the_guest_on_a_chain_helps() {
    let text = guest("\"500us\"", "1s");
    let limit = bound(&system(&text), 0).saturating_sub(Duration::from_us(200));
    let (parameter, to) = found(&text.replace("1s", &limit.to_string()));
    let of = |time: Duration| {
        let mut changed = system(&text);
        match parameter {
            Parameter::Budget(id) => changed.supplies[id.0].server_mut().unwrap().budget = time,
            Parameter::Period(id) => changed.supplies[id.0].server_mut().unwrap().period = time,
            other => panic!("{other:?}"),
        }
        bound(&changed, 0)
    };
    assert!(of(to) <= limit, "{parameter:?} {to}");
    // A fiftieth nearer to what it is does not.
    let fiftieth = Duration::from_ns(to.as_ns() / 49 + 1);
    let nearer = match parameter {
        Parameter::Budget(_) => to.saturating_sub(fiftieth).max(Duration::from_us(500)),
        _ => (to + fiftieth).min(Duration::from_ms(10)),
    };
    assert!(of(nearer) > limit, "{parameter:?} {to} {nearer}");
}

#[test]
fn what_comes_too_rarely_comes_sooner_where_that_is_enough() {
    // 20 + 25 ms until both arrive are more than any budget takes off.
    let (parameter, to) = found(&guest("\"9ms\"", "48ms"));
    assert!(matches!(parameter, Parameter::Latest(_)), "{parameter:?}");
    let text = guest("\"9ms\"", "1s").replace("25ms", &to.to_string());
    assert!(bound(&system(&text), 0) <= Duration::from_ms(48), "{to}");
    // Both would have to come sooner: then it is given more time, the bound.
    let now = bound(&system(&guest("\"9ms\"", "1s")), 0);
    assert_eq!(found(&guest("\"9ms\"", "20ms")), (Parameter::ChainLimit(0, Asked::Reaction), now));
}

/// It writes at its deadline, and no sooner.
const LOGICAL: &str = r#"version = 1
[core.0]
scheduler = "fixed-priority"
[task.drive]
on = "core.0"
wcet = "1ms"
bcet = "1ms"
period = "20ms"
latest-interarrival = "20ms"
deadline = "30ms"
communication = "let"
priority = 8
[chain.c]
path = ["task.drive"]
reaction = "48ms"
"#;

#[test]
fn an_earlier_deadline_of_what_writes_there_helps() {
    let (parameter, to) = found(LOGICAL);
    assert_eq!((parameter, to), (Parameter::Limit(0), Duration::from_ms(28)));
    let required = &system(LOGICAL).requirements[0];
    assert!(matches!(required.kind, RequirementKind::Deadline(_)));
}

/// More time for a task with logical execution time makes the chain longer that it is on.
#[test]
fn no_change_for_a_requirement_takes_a_chain_away() {
    let late = LOGICAL.replace("wcet = \"1ms\"", "wcet = \"4ms\"").replace("30ms", "3ms");
    let of = |limit: &str| {
        let system = system(&late.replace("48ms", limit));
        let found = bounds(&system);
        let response = found.requirement(&system.requirements[0]).bound();
        (system.clone(), Remedies::new(&system, &found).cheapest(0, response))
    };
    let (_, without) = of("1s");
    assert!(matches!(without, Sought::Found(_)), "{without:?}");
    let (tight, kept) = of("24ms");
    assert_eq!(bound(&tight, 0), Duration::from_ms(24));
    let Sought::Found(kept) = kept else { panic!("{kept:?}") };
    assert_ne!(kept.parameter, Parameter::Limit(0), "{kept:?}");
}

const BUDGETS: &str = "{ from = \"500us\", to = \"9500us\", step = \"500us\" }";

fn open(limit: &str) -> Open {
    read_open(guest(BUDGETS, limit), Format::Toml, |_| Err("none".into())).unwrap()
}

/// The least of all budgets with which the chain is within its limit.
#[test]
fn a_budget_is_chosen_where_only_a_chain_requires_something() {
    for limit in ["60ms", "64ms", "70ms"] {
        let most: Duration = limit.parse().expect("a time");
        let is_enough = |steps: &u64| {
            let budget = format!("\"{}us\"", 500 * steps);
            bound(&system(&guest(&budget, "1s")), 0) <= most
        };
        let least = (1..20).find(is_enough).expect("one is enough");
        let Answer::Design(found) = design(&mut open(limit), Limits::default()) else {
            panic!("there is one of {least} for {limit}")
        };
        let own = found.system.supplies.iter().find(|supply| supply.name == "vcpu.a").unwrap();
        assert_eq!(own.server().unwrap().budget, Duration::from_us(500 * least), "{limit}");
    }
}

#[test]
fn a_chain_that_cannot_hold_is_named_with_the_limit_that_would_help() {
    let answer = design(&mut open("30ms"), Limits::default());
    let Answer::Absent(absence) = answer else { panic!("no budget keeps it") };
    let decided = matches!(absence, Absence::Impossible { .. });
    let found = conflict(&mut open("30ms"), Limits::default(), decided).expect("one is looked for");
    let Conflict { requirements, helps, .. } = &found;
    assert_eq!(requirements, &["reaction of chain.c"], "{found:?}");
    let (name, limit) = &helps[0];
    assert_eq!(name, "reaction of chain.c");
    assert!(matches!(design(&mut open(&limit.to_string()), Limits::default()), Answer::Design(_)));
}
