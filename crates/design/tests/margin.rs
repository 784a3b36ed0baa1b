//! Both values of a margin are what they are said to be: written into the description, the one is proven
//! and the other is not.

use vorrang_analysis::{bounds, chain_bound};
use vorrang_design::{Amount, Beyond, Limits, Margin, Margins, Parameter, Way};
use vorrang_model::system::RequirementKind;
use vorrang_model::{Format, System, read};
use vorrang_sim::{Search, search};
use vorrang_time::Duration;

const SYSTEM: &str = r#"version = 1
[costs]
context-switch = "3000ns"
scheduler-call = "1us"
[core.0]
scheduler = "fixed-priority"
[interrupt.card]
on = "core.0"
isr = "20us"
min-interarrival = "1000000ns"
[task.watchdog]
on = "core.0"
wcet = "200000ns"
period = "5000000ns"
priority = 90
[vcpu.motor]
on = "core.0"
server = "deferrable"
budget = "4000000ns"
period = "10000000ns"
priority = 20
scheduler = "fixed-priority"
[task.control]
on = "vcpu.motor"
wcet = "1200000ns"
period = "20000000ns"
deadline = "15ms"
priority = 8
[task.log]
on = "vcpu.motor"
wcet = "3000000ns"
period = "100000000ns"
priority = 1
"#;

/// Of each requirement, whether a history is found that breaks it.
fn refuted(system: &System) -> Vec<bool> {
    let seen = search(system, &Search::within(30_000));
    let broken = |own: &vorrang_model::system::Requirement| {
        let worst = match own.kind {
            RequirementKind::Deadline(id) => seen.tasks[id.0].as_ref(),
            RequirementKind::HandledWithin(id) => seen.interrupts[id.0].as_ref(),
        };
        worst.is_some_and(|worst| worst.response > own.limit)
    };
    system.requirements.iter().map(broken).collect()
}

fn margins(system: &System, requirements: &[usize], most: u64) -> (Vec<Margins>, u64) {
    vorrang_design::margins(system, requirements, Limits::of(most), &mut refuted, 10_000)
}

fn breaks(text: &str, requirement: usize) -> bool {
    refuted(&read(text, Format::Toml).unwrap())[requirement]
}

/// The amount that is one step nearer to what it is now.
fn before(margin: &Margin, of: Amount) -> Amount {
    let nearer = |value: u64| if margin.now < of { value - 1 } else { value + 1 };
    match of {
        Amount::Time(time) => Amount::Time(Duration::from_ns(nearer(time.as_ns()))),
        Amount::Factor(factor) => Amount::Factor(nearer(factor)),
        Amount::There(_) => panic!("no margin has it"),
    }
}

fn proves(text: &str, requirement: usize) -> bool {
    let system = read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let required = &system.requirements[requirement];
    bounds(&system).requirement(required).bound().is_some_and(|bound| bound <= required.limit)
}

/// The description with a value of a parameter.
fn with(system: &System, parameter: Parameter, amount: Amount) -> String {
    let replaced = |now: &str, key: &str, value: u64| {
        let now = format!("{key} = \"{now}ns\"");
        assert_eq!(SYSTEM.matches(&now).count(), 1, "{now}");
        SYSTEM.replace(&now, &format!("{key} = \"{value}ns\""))
    };
    match (parameter, amount) {
        (Parameter::Wcet(task), Amount::Time(time)) => {
            replaced(&system.task(task).wcet.as_ns().to_string(), "wcet", time.as_ns())
        }
        (Parameter::Budget(_), Amount::Time(time)) => replaced("4000000", "budget", time.as_ns()),
        (Parameter::Period(_), Amount::Time(time)) => replaced("10000000", "period", time.as_ns()),
        (Parameter::TaskPeriod(task, _), Amount::Time(time)) => {
            let now = system.task(task).min_interarrival.as_ns().to_string();
            replaced(&now, "period", time.as_ns())
        }
        (Parameter::ContextSwitch, Amount::Time(time)) => {
            replaced("3000", "context-switch", time.as_ns())
        }
        (Parameter::InterruptRate, Amount::Factor(factor)) => {
            replaced("1000000", "min-interarrival", 1_000_000 * 1_000 / factor)
        }
        (Parameter::AllWcets, Amount::Factor(factor)) => {
            ["200000", "1200000", "3000000"].iter().fold(SYSTEM.to_owned(), |text, wcet| {
                let scaled = (wcet.parse::<u64>().unwrap() * factor).div_ceil(1_000);
                text.replace(&format!("wcet = \"{wcet}ns\""), &format!("wcet = \"{scaled}ns\""))
            })
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn margins_end_where_they_say() {
    let system = read(SYSTEM, Format::Toml).unwrap();
    let all: Vec<usize> = (0..system.requirements.len()).collect();
    let (found, steps) = margins(&system, &all, 100_000);
    assert_eq!(found.len(), 3);
    let (mut ended, mut ends_refuted) = (0, 0);
    for own in &found {
        let of = own.of.as_ref().unwrap_or_else(|| panic!("{own:?} after {steps}"));
        assert_eq!(of.len(), if own.requirement == 0 { 5 } else { 7 });
        for margin in of {
            let Margin { parameter, proven, not_proven, .. } = margin;
            assert_eq!(margin.refused, None, "{own:?}");
            if let Beyond::Refuted(amount) = margin.beyond {
                assert!(breaks(&with(&system, *parameter, amount), own.requirement), "{own:?}");
                let kept = with(&system, *parameter, before(margin, amount));
                assert!(!breaks(&kept, own.requirement), "{own:?}");
                ends_refuted += 1;
            }
            assert!(proves(&with(&system, *parameter, *proven), own.requirement), "{own:?}");
            let Some(beyond) = not_proven else { continue };
            assert!(!proves(&with(&system, *parameter, *beyond), own.requirement), "{own:?}");
            let next = match (proven, beyond) {
                (Amount::Time(one), Amount::Time(other)) => one.as_ns().abs_diff(other.as_ns()),
                (Amount::Factor(one), Amount::Factor(other)) => one.abs_diff(*other),
                other => panic!("{other:?}"),
            };
            assert_eq!(next, 1, "{own:?}");
            ended += 1;
        }
    }
    assert!(ended > 10 && ends_refuted > 10, "{ended}, {ends_refuted}: {found:?}");
}

#[test]
fn what_is_not_proven_has_no_margin_and_steps_end() {
    let late = SYSTEM.replace("deadline = \"15ms\"", "deadline = \"2ms\"");
    let system = read(late, Format::Toml).unwrap();
    let (found, _) = margins(&system, &[1, 2], 3);
    assert_eq!((found[0].is_proven, found[0].of.is_none()), (false, true));
    assert_eq!((found[1].is_proven, found[1].of.is_none()), (true, true));
}

/// A description of a pseudo-VCPU that cannot pay for one interrupt is refused, so nothing beyond is proven.
#[test]
fn a_margin_ends_where_a_pseudo_vcpu_cannot_pay() {
    let text = r#"version = 1
[core.0]
scheduler = "fixed-priority"
[vcpu.io]
on = "core.0"
server = "deferrable"
budget = "4ms"
period = "20ms"
[task.handler]
on = "vcpu.io"
wcet = "60us"
period = "2ms"
[interrupt.nic]
on = "core.0"
isr = "5us"
min-interarrival = "2ms"
virtual = { vcpu = "vcpu.io", isr = "10us", wakes = "task.handler", pseudo-vcpu = { budget = "80us", period = "2ms" } }
"#;
    let system = read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (found, _) = margins(&system, &[0], 10_000);
    let found = found[0].of.as_ref().expect("it is proven as it is");
    let wcet = found.iter().find(|own| matches!(own.parameter, Parameter::Wcet(_)));
    let wcet = wcet.expect("the task has one");
    assert_eq!(wcet.proven, Amount::Time(Duration::from_us(70)));
    let why = wcet.refused.as_ref().expect("no description says more");
    assert!(why.contains("cannot pay"), "{why}");
    assert_eq!(wcet.beyond, Beyond::NotLooked);
}

#[test]
fn searches_end() {
    let system = read(SYSTEM, Format::Toml).unwrap();
    let (found, _) = vorrang_design::margins(&system, &[0], Limits::of(10_000), &mut refuted, 3);
    let of = found[0].of.as_ref().expect("analyses are enough");
    assert!(of.iter().any(|margin| margin.beyond == Beyond::Spent), "{of:?}");
}

/// Behind the requirements come the chains: every task of the path moves, how often it comes both ways, and the bound says
/// where it is proven.
#[test]
fn the_margins_of_a_chain_end_where_they_say() {
    let system = read(include_str!("../../../examples/chain.toml"), Format::Toml).unwrap();
    let (chain, place) = (&system.chains[0], system.requirements.len());
    let limit = chain.reaction.unwrap();
    let bound =
        |changed: &System| chain_bound(changed, &bounds(changed), &changed.chains[0]).found.ok();
    let longest = |changed: &System| {
        let seen = search(changed, &Search::short());
        seen.chains[0].as_ref().map_or(Duration::ZERO, |seen| seen.reaction.time)
    };
    let mut refutes = |changed: &System| {
        let mut all = vec![false; changed.requirements.len() + changed.chains.len()];
        all[place] = longest(changed) > limit;
        all
    };
    let searched = Limits::of(10_000);
    let (found, _) = vorrang_design::margins(&system, &[place], searched, &mut refutes, 10_000);
    let of = found[0].of.as_ref().expect("it is proven");
    let (mut of_tasks, mut longer, mut shorter, mut broken) = (0, 0, 0, 0);
    for margin in of {
        let (id, keys, count) = match margin.parameter {
            Parameter::Wcet(id) => (id, &["wcet"][..], &mut of_tasks),
            Parameter::TaskPeriod(id, way) => {
                let count = if way == Way::Up { &mut longer } else { &mut shorter };
                (id, &["period", "latest-interarrival"][..], count)
            }
            Parameter::AllWcets | Parameter::ContextSwitch => continue,
            other => panic!("{other:?}"),
        };
        *count += 1;
        assert!(chain.path.contains(&id));
        let with = |amount| in_chain(&system.task(id).name, keys, amount);
        let keeps = |amount| bound(&with(amount)).is_some_and(|bound| bound <= limit);
        assert!(keeps(margin.proven), "{margin:?}");
        assert!(!margin.not_proven.is_some_and(keeps), "{margin:?}");
        if let Beyond::Refuted(amount) = margin.beyond {
            assert!(longest(&with(amount)) > limit, "{margin:?}");
            broken += 1;
        }
    }
    let path = chain.path.len();
    assert_eq!((of_tasks, longer, shorter), (path, path, path));
    assert!(broken > path, "{broken}");
    assert_eq!(of.len(), 3 * path + 2);
}

/// The example of a chain with this time for some keys of a task.
fn in_chain(task: &str, keys: &[&str], amount: Amount) -> System {
    let Amount::Time(time) = amount else { panic!("{amount:?}") };
    let mut text = include_str!("../../../examples/chain.toml").to_owned();
    for key in keys {
        let head = text.find(&format!("[{task}]\n")).unwrap();
        let from = head + text[head..].find(&format!("\n{key} = ")).unwrap() + 1;
        let until = from + text[from..].find('\n').unwrap();
        text.replace_range(from..until, &format!("{key} = \"{}ns\"", time.as_ns()));
    }
    read(&*text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}
