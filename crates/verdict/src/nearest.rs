//! The remedy for a requirement that is not proven, or a budget that is not guaranteed: the cheapest single
//! change that proves it.
//!
//! **Model.** The change is found by `vorrang_design` (`remedy/mod.rs` there defines the order and the limit of
//! the search): by the analysis of the changed description this requirement is proven, and everything that
//! was proven before. Where the search finds none, this is reported; the largest terms of the bound say what decides. One priority
//! for several pseudo-VCPUs takes nothing from anything, so it is looked at first.
//!
//! **Does not cover** what a change of one parameter cannot help: a feature that nothing covers.

use crate::cause::Cause;
use crate::chain::ChainRuling;
use crate::guarantee::Guarantee;
use crate::help::{Change, Help};
use crate::parameter::{key, said, what};
use crate::ruling::Ruling;
use crate::terms;
use vorrang_analysis::Bounds;
use vorrang_design::{Asked, OnePriority, Parameter, Remedies, Remedy, Replacement, Sought};
use vorrang_model::System;
use vorrang_model::system::{Priority, RequirementKind, SupplyId};
use vorrang_time::Duration;

/// Adds the largest terms and a remedy to each requirement that is not proven, then to each budget that is not guaranteed,
/// and a remedy to each chain.
pub fn seek(
    system: &System,
    found: &Bounds,
    (rulings, guarantees, chains): (&mut [Ruling], &mut [Guarantee], &mut [ChainRuling]),
) {
    let is_proven = rulings.iter().all(|ruling| ruling.cause().is_none());
    let are_chains = chains.iter().all(|ruling| ruling.cause().is_none());
    if is_proven && are_chains && guarantees.iter().all(|guarantee| guarantee.found.is_ok()) {
        return;
    }
    let mut remedies = Remedies::new(system, found);
    let derived = remedies.derived();
    for (place, ruling) in rulings.iter_mut().enumerate() {
        let Some(cause) = ruling.cause() else { continue };
        // Within its terms the same bound was found, or also none.
        let same = |derived: &&Bounds| {
            derived.requirement(&system.requirements[place]).bound() == ruling.bound
        };
        if let Some(derived) = derived.as_ref().filter(same) {
            ruling.terms = terms::largest(derived.terms(system, ruling.kind));
        }
        if let Some(one) = remedies.one_priority(place) {
            ruling.help = Some(one_priority(system, one));
            continue;
        }
        let goal = Goal::Requirement(place, ruling.bound);
        ruling.help = Some(help(system, cause, "proven", (&mut remedies, goal)));
    }
    for guarantee in guarantees {
        let Err((cause, _)) = guarantee.found else { continue };
        if let Some(derived) = &derived {
            guarantee.terms = terms::largest(derived.terms_of_budget(system, guarantee.server));
        }
        let goal = Goal::Budget(guarantee.server);
        guarantee.help = Some(help(system, cause, "guaranteed", (&mut remedies, goal)));
    }
    for ruling in chains {
        let Some(cause) = ruling.cause() else { continue };
        let goal = Goal::Chain((ruling.place, ruling.asked), ruling.bound);
        let help = help(system, cause, "proven", (&mut remedies, goal));
        // What gives it a bound says more than that no change does.
        if help.change.is_some() || ruling.help.is_none() {
            ruling.help = Some(help);
        }
    }
}

/// One priority for the pseudo-VCPUs of a guest.
fn one_priority(system: &System, OnePriority { guest, priority }: OnePriority) -> Help {
    let (Priority(priority), guest) = (priority, &system.supply(guest).name);
    let text = format!(
        "would be proven with priority = {priority} for each pseudo-VCPU of {guest}, by \"fixed-priority\" or \"linux\""
    );
    Help { text, change: None }
}

/// What replaces the feature of such a cause, and how it is written.
const fn replacement(cause: Cause) -> Option<(Replacement, &'static str)> {
    Some(match cause {
        Cause::SharedSoftServer | Cause::PacketsInSoftServer | Cause::ColdSoftServer => {
            (Replacement::HardServers, "server = \"cbs-hard\" for each soft one")
        }
        Cause::Reclaiming | Cause::NoBoundOfReclaiming => {
            (Replacement::NoReclaiming, "no `reclaim`")
        }
        Cause::Scheduler => (
            Replacement::WeightedTurns,
            "scheduler = \"weighted-round-robin\" with the same shares",
        ),
        Cause::BudgetLate | Cause::BudgetNotGuaranteed => {
            (Replacement::NoBudget, "server = \"none\" for each whose budget is its period")
        }
        _ => return None,
    })
}

/// The remedy for such a cause: with the change something is `so`. What was not tried is no remedy.
fn help(
    system: &System,
    cause: Cause,
    so: &str,
    (remedies, goal): (&mut Remedies<'_>, Goal),
) -> Help {
    let replaced = replacement(cause);
    let tried = replaced.and_then(|(by, text)| Some((goal.has_with(remedies, by)?, text)));
    match tried {
        Some((true, text)) => return Help::of(format!("would be {so} with {text}")),
        Some((false, text)) if cause.is_not_covered() => {
            return Help::of(format!("with {text} it is covered, and not {so} either"));
        }
        _ => {}
    }
    let sought = if cause.is_not_covered() { Sought::None } else { goal.sought(remedies) };
    match (sought, cause.covered()) {
        (Sought::Found(remedy), _) => {
            let Remedy { parameter, now, to } = remedy;
            let text = format!("would be {so} with {}", change(system, remedy));
            let what = what(system, parameter);
            Help { text, change: Some(Change { parameter: key(parameter), what, now, to }) }
        }
        (_, Some(covered)) => {
            Help::of(format!("to be covered, {covered}; whether it is {so} then is not known"))
        }
        (Sought::None, None) => Help::of("no single change that was tried proves it"),
        (Sought::Spent, None) => {
            Help::of("no single change was found within the limit of analyses")
        }
        (Sought::Large, None) => {
            Help::of("the search for the cheapest change is omitted: the system is large")
        }
    }
}

/// What is to be proven.
#[derive(Clone, Copy)]
enum Goal {
    Requirement(usize, Option<Duration>),
    Budget(SupplyId),
    Chain((usize, Asked), Option<Duration>),
}

impl Goal {
    fn sought(self, remedies: &mut Remedies<'_>) -> Sought {
        match self {
            Self::Requirement(place, bound) => remedies.cheapest(place, bound),
            Self::Budget(server) => remedies.cheapest_for_budget(server),
            Self::Chain(of, bound) => remedies.cheapest_for_chain(of, bound),
        }
    }

    fn has_with(self, remedies: &Remedies<'_>, replacement: Replacement) -> Option<bool> {
        match self {
            Self::Requirement(place, _) => remedies.is_proven_with(place, replacement),
            Self::Chain(of, _) => remedies.is_kept_along_with(of, replacement),
            // Where there is no budget none is guaranteed.
            Self::Budget(_) if replacement == Replacement::NoBudget => None,
            Self::Budget(server) => remedies.is_guaranteed_with(server, replacement),
        }
    }
}

/// As it is written into the description.
fn change(system: &System, Remedy { parameter, now, to }: Remedy) -> String {
    let (now, to) = (said(now), said(to));
    let stated = |key: &str, name: &str| format!("{key} = \"{to}\" of {name} (now {now})");
    match parameter {
        Parameter::Wcet(id) => stated("wcet", &system.task(id).name),
        Parameter::Budget(id) => stated("budget", &system.supply(id).name),
        Parameter::Period(id) => stated("period", &system.supply(id).name),
        Parameter::TaskPeriod(id, _) => stated("period", &system.task(id).name),
        Parameter::Latest(id) => stated("latest-interarrival", &system.task(id).name),
        Parameter::Offset(id, _) => stated("offset", &system.task(id).name),
        Parameter::AllWcets => format!("every wcet {to}"),
        Parameter::Credit(id) => stated("pseudo-vcpu.budget", &system.interrupt(id).name),
        Parameter::FairServer(id) => {
            format!("fair-server = \"none\" of {}", system.supply(id).name)
        }
        Parameter::Throttling(id) => {
            format!("rt-throttling = \"none\" of {}", system.supply(id).name)
        }
        Parameter::InterruptRate => format!("the rate of all interrupts {to}"),
        Parameter::ContextSwitch => format!("context-switch = \"{to}\" (now {now})"),
        Parameter::ChainLimit(place, of) => stated(of.word(), &system.chains[place].name),
        Parameter::Limit(place) => match system.requirements[place].kind {
            RequirementKind::Deadline(id) => {
                format!("deadline = \"{to}\" of {}", system.task(id).name)
            }
            RequirementKind::HandledWithin(id) => {
                format!("{to} allowed for {}", system.interrupt(id).name)
            }
        },
    }
}
