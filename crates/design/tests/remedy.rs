//! The cheapest change proves what was not, loses nothing, and a fiftieth less does not prove it.

use vorrang_analysis::bounds;
use vorrang_design::{Amount, Parameter, Remedies, Remedy, Sought, accepts};
use vorrang_model::system::{RequirementKind, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_time::Duration;

/// A guest with a budget that is short of what its task needs, and a task of the host below.
const GUEST: &str = r#"version = 1
[core.0]
scheduler = "fixed-priority"
[vcpu.motor]
on = "core.0"
server = "deferrable"
budget = "2ms"
period = "10ms"
priority = 20
scheduler = "fixed-priority"
[task.control]
on = "vcpu.motor"
wcet = "3ms"
period = "20ms"
deadline = "10ms"
priority = 8
[task.below]
on = "core.0"
wcet = "2ms"
period = "40ms"
deadline = "LIMIT"
priority = 1
"#;

fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn proven(system: &System) -> Vec<bool> {
    let found = bounds(system);
    let within = |bound: Option<Duration>, limit| bound.is_some_and(|bound| bound <= limit);
    let all = system.requirements.iter();
    all.map(|own| within(found.requirement(own).bound(), own.limit)).collect()
}

fn sought(system: &System, requirement: usize) -> Sought {
    let found = bounds(system);
    let bound = found.requirement(&system.requirements[requirement]).bound();
    Remedies::new(system, &found).cheapest(requirement, bound)
}

/// The system with one parameter changed by hand.
fn with(system: &System, parameter: Parameter, amount: Amount) -> System {
    let mut system = system.clone();
    let scaled =
        |time: Duration, factor: u64| Duration::from_ns((time.as_ns() * factor).div_ceil(1_000));
    match (parameter, amount) {
        (Parameter::Wcet(id), Amount::Time(time)) => system.tasks[id.0].wcet = time,
        (Parameter::Budget(id), Amount::Time(time)) => server(&mut system, id).budget = time,
        (Parameter::Period(id), Amount::Time(time)) => server(&mut system, id).period = time,
        (Parameter::ContextSwitch, Amount::Time(time)) => system.costs.context_switch = time,
        (Parameter::AllWcets, Amount::Factor(factor)) => {
            system.tasks.iter_mut().for_each(|task| task.wcet = scaled(task.wcet, factor));
        }
        (Parameter::Limit(place), Amount::Time(time)) => {
            system.requirements[place].limit = time;
            if let RequirementKind::Deadline(id) = system.requirements[place].kind {
                system.tasks[id.0].deadline = Some(time);
            }
        }
        other => panic!("{other:?}"),
    }
    system
}

fn server(system: &mut System, id: SupplyId) -> &mut vorrang_model::system::Server {
    system.supplies[id.0].server_mut().expect("a server")
}

/// So much nearer to what it is now that rounding to few digits cannot have moved it from there.
fn nearer(Remedy { now, to, .. }: Remedy) -> Amount {
    let step = |now: u64, to: u64| {
        if to > now { (to - to / 50 - 1).max(now) } else { (to + to / 49 + 1).min(now) }
    };
    match (now, to) {
        (Amount::Time(now), Amount::Time(to)) => {
            Amount::Time(Duration::from_ns(step(now.as_ns(), to.as_ns())))
        }
        (Amount::Factor(now), Amount::Factor(to)) => Amount::Factor(step(now, to)),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn found(system: &System, requirement: usize) -> Remedy {
    let before = proven(system);
    assert!(!before[requirement], "it is proven as it is");
    let sought = sought(system, requirement);
    let Sought::Found(remedy) = sought else { panic!("{sought:?}") };
    let after = proven(&with(system, remedy.parameter, remedy.to));
    assert!(after[requirement], "{remedy:?}");
    assert!(before.iter().zip(&after).all(|(was, is)| *is || !was), "{remedy:?} loses something");
    assert!(!proven(&with(system, remedy.parameter, nearer(remedy)))[requirement], "{remedy:?}");
    remedy
}

/// Of all budgets and periods none that reserves less proves it: every microsecond is looked at.
#[test]
fn what_is_found_reserves_least() {
    let system = system(&GUEST.replace("LIMIT", "40ms"));
    let remedy = found(&system, 0);
    let id = SupplyId(1);
    let reserved = |system: &System| {
        let server = system.supply(id).server().expect("a server");
        1_000_000 * server.budget.as_ns() / server.period.as_ns()
    };
    let least = reserved(&with(&system, remedy.parameter, remedy.to));
    let (mut looked, mut cheaper) = (0, 0);
    for us in 1..10_000 {
        let time = Amount::Time(Duration::from_us(us));
        for (parameter, is_there) in
            [(Parameter::Budget(id), us > 2_000), (Parameter::Period(id), us >= 2_000)]
        {
            let other = with(&system, parameter, time);
            if is_there && reserved(&other) < least {
                looked += 1;
                cheaper += u32::from(proven(&other)[0]);
            }
        }
    }
    assert!(looked > 500, "{looked}");
    assert_eq!(cheaper, 0, "{remedy:?}");
}

/// More for the guest would prove its task and lose the one below: then it is not named.
#[test]
fn what_loses_something_is_not_offered() {
    let with_limit =
        |limit| system(&GUEST.replace("LIMIT", limit).replace("wcet = \"3ms\"", "wcet = \"7ms\""));
    let reserves = |of: Remedy| matches!(of.parameter, Parameter::Budget(_) | Parameter::Period(_));
    assert!(reserves(found(&with_limit("40ms"), 0)));
    assert_eq!(sought(&with_limit("6ms"), 0), Sought::None);
}

#[test]
fn without_a_server_the_least_relative_change_counts() {
    let text = r#"version = 1
[costs]
context-switch = "10us"
[core.0]
scheduler = "fixed-priority"
[task.above]
on = "core.0"
wcet = "1ms"
period = "10ms"
priority = 9
[task.below]
on = "core.0"
wcet = "4ms"
period = "20ms"
deadline = "5ms"
priority = 1
"#;
    let system = system(text);
    let remedy = found(&system, 1);
    // 40 us of switches are too much: a hundredth of what it takes, less than any other change.
    assert!(matches!(remedy.parameter, Parameter::AllWcets | Parameter::Wcet(_)), "{remedy:?}");
    let relative = |now: u64, to: u64| 1_000_000 * now.abs_diff(to) / now;
    let least = match (remedy.now, remedy.to) {
        (Amount::Time(now), Amount::Time(to)) => relative(now.as_ns(), to.as_ns()),
        (Amount::Factor(now), Amount::Factor(to)) => relative(now, to),
        other => panic!("{other:?}"),
    };
    for (parameter, now) in [
        (Parameter::Wcet(TaskId(0)), 1_000_000),
        (Parameter::Wcet(TaskId(1)), 4_000_000),
        (Parameter::ContextSwitch, 10_000),
    ] {
        // A tenth of a thousandth less than what was found.
        let less = now - now * least.saturating_sub(100) / 1_000_000;
        let other = with(&system, parameter, Amount::Time(Duration::from_ns(less)));
        assert!(!proven(&other)[1], "{parameter:?} = {less} is cheaper than {remedy:?}");
    }
}

#[test]
fn a_deadline_is_the_last_that_is_looked_at() {
    let text = r#"version = 1
[core.0]
scheduler = "fixed-priority"
[task.alone]
on = "core.0"
wcet = "9ms"
period = "20ms"
deadline = "4ms"
"#;
    let system = system(text);
    let remedy = found(&system, 0);
    assert_eq!(remedy.parameter, Parameter::Limit(0));
    assert_eq!(remedy.to, Amount::Time(Duration::from_ms(9)));
}

/// Two servers of which the less urgent is not guaranteed its budget, with best-effort work in it.
const CROWDED: &str = r#"version = 1
[core.0]
scheduler = "fixed-priority"
[server.above]
on = "core.0"
server = "periodic"
budget = "ABOVE"
period = "10ms"
priority = 20
[task.above]
on = "server.above"
wcet = "2ms"
period = "20ms"
[server.below]
on = "core.0"
server = "deferrable"
budget = "7ms"
period = "10ms"
priority = 10
[task.batch]
on = "server.below"
wcet = "5ms"
period = "100ms"
deadline = "none"
"#;

/// Half a millisecond less of either budget: of the larger one it is less. With a longer period 500 us are not
/// enough, for less comes out of the other server then.
#[test]
fn a_budget_is_guaranteed_with_the_least_relative_change() {
    let system = system(&CROWDED.replace("ABOVE", "3500us"));
    let (above, below) = (SupplyId(1), SupplyId(2));
    let found = bounds(&system);
    assert!(found.reservation(&system, below).is_some_and(|found| found.is_err()));
    let sought = Remedies::new(&system, &found).cheapest_for_budget(below);
    let Sought::Found(remedy) = sought else { panic!("{sought:?}") };
    let is_guaranteed = |parameter, amount| {
        let changed = with(&system, parameter, amount);
        bounds(&changed).reservation(&changed, below).is_some_and(|found| found.is_ok())
    };
    assert!(is_guaranteed(remedy.parameter, remedy.to), "{remedy:?}");
    assert!(!is_guaranteed(remedy.parameter, nearer(remedy)), "{remedy:?}");
    let relative = |now: u64, to: u64| 1_000_000 * now.abs_diff(to) / now;
    let (Amount::Time(now), Amount::Time(to)) = (remedy.now, remedy.to) else { panic!() };
    let least = relative(now.as_ns(), to.as_ns());
    let all = [
        (Parameter::Budget(above), 3_500_000, false),
        (Parameter::Budget(below), 7_000_000, false),
        (Parameter::Period(below), 10_000_000, true),
    ];
    for (parameter, now, is_upwards) in all {
        let change = now * least.saturating_sub(100) / 1_000_000;
        let other: u64 = if is_upwards { now + change } else { now - change };
        let other = Amount::Time(Duration::from_ns(other));
        assert!(
            !is_guaranteed(parameter, other),
            "{parameter:?} {other:?} is as good as {remedy:?}"
        );
    }
}

/// A nested server comes late as long as the one around it gives too little: more of that is reserved.
#[test]
fn more_of_the_server_around_guarantees_a_budget_in_it() {
    let text = r#"version = 1
[core.0]
scheduler = "fixed-priority"
[vcpu.guest]
on = "core.0"
server = "periodic"
budget = "2ms"
period = "5ms"
priority = 5
scheduler = "fixed-priority"
[server.inner]
on = "vcpu.guest"
server = "deferrable"
budget = "4ms"
period = "12ms"
priority = 5
[task.batch]
on = "server.inner"
wcet = "1ms"
period = "100ms"
deadline = "none"
[task.required]
on = "vcpu.guest"
wcet = "1us"
period = "50ms"
priority = 9
"#;
    let system = system(text);
    let found = bounds(&system);
    let inner = SupplyId(2);
    assert!(found.reservation(&system, inner).is_some_and(|found| found.is_err()));
    let sought = Remedies::new(&system, &found).cheapest_for_budget(inner);
    let Sought::Found(remedy) = sought else { panic!("{sought:?}") };
    let outer = SupplyId(1);
    assert!([Parameter::Budget(outer), Parameter::Period(outer)].contains(&remedy.parameter));
    assert!(accepts(&with(&system, remedy.parameter, remedy.to)));
    assert!(!accepts(&with(&system, remedy.parameter, nearer(remedy))));
}

#[test]
fn where_nothing_helps_it_is_said() {
    let text = r#"version = 1
[core.0]
scheduler = "edf"
[task.much]
on = "core.0"
wcet = "50ms"
period = "20ms"
"#;
    assert_eq!(sought(&system(text), 0), Sought::None);
    let many = (1..60).fold(text.to_owned(), |text, at| {
        text + &format!("[task.t{at}]\non = \"core.0\"\nwcet = \"1us\"\nperiod = \"20ms\"\n")
    });
    assert_eq!(sought(&system(&many), 0), Sought::Large);
}

#[test]
fn what_is_proven_by_chance_is_not_lost() {
    // Of a hundred jobs one is late in any case; the others are not as long as the guest takes no more.
    let below = "execution = { \"7600us\" = 99, \"10ms\" = 1 }\nperiod = \"40ms\"";
    let text = GUEST.replace("wcet = \"2ms\"\nperiod = \"40ms\"", below).replace("LIMIT", "none");
    let alone = system(&text);
    let reserves = |of: Remedy| matches!(of.parameter, Parameter::Budget(_) | Parameter::Period(_));
    assert!(reserves(found(&alone, 0)));
    let required =
        "[require.below]\nof = \"task.below\"\nhandled-within = \"12ms\"\nprobability = \"98%\"\n";
    let both = system(&(text + required));
    let remedy = found(&both, 0);
    assert!(!reserves(remedy), "{remedy:?}");
    assert!(accepts(&with(&both, remedy.parameter, remedy.to)));
}

/// One job in a hundred is late whatever is reserved; one in ten is with what is stated.
#[test]
fn what_is_required_with_a_probability_gets_a_larger_budget() {
    let text = "version = 1\n[core.0]\nscheduler = \"edf\"\n[server.v]\non = \"core.0\"\n\
                server = \"cbs-hard\"\nbudget = \"3ms\"\nperiod = \"10ms\"\n[task.v]\non = \"server.v\"\n\
                execution = { \"3ms\" = 90, \"9ms\" = 9, \"30ms\" = 1 }\nperiod = \"100ms\"\ndeadline = \"none\"\n\
                [require.v]\nof = \"task.v\"\nhandled-within = \"20ms\"\nprobability = \"95%\"\n";
    let system = system(text);
    assert!(!accepts(&system));
    let Sought::Found(remedy) = sought(&system, 0) else { panic!("there is one") };
    let (Parameter::Budget(_), Amount::Time(enough)) = (remedy.parameter, remedy.to) else {
        panic!("{remedy:?}")
    };
    assert!(accepts(&with(&system, remedy.parameter, remedy.to)));
    let less = Amount::Time(enough.saturating_sub(Duration::RESOLUTION));
    assert!(!accepts(&with(&system, remedy.parameter, less)));
}
