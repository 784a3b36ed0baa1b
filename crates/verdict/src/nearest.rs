//! The remedy for a requirement that is not proven, or a budget that is not guaranteed: the cheapest single
//! change that proves it.
//!
//! **Model.** The change is found by `vorrang_design` (`remedy/mod.rs` there defines the order and the limit of
//! the search): by the analysis of the changed description this requirement is proven, and everything that
//! was proven before. Where the search finds none, this is reported with the general remedy of the cause. One priority
//! for several pseudo-VCPUs takes nothing from anything, so it is looked at first.
//!
//! **Does not cover** what a change of one parameter cannot help: a feature that nothing covers.

use crate::cause::Cause;
use crate::guarantee::Guarantee;
use crate::help::{Change, Help};
use crate::parameter::{key, said, what};
use crate::ruling::Ruling;
use vorrang_analysis::Bounds;
use vorrang_design::{OnePriority, Parameter, Remedies, Remedy, Sought};
use vorrang_model::System;
use vorrang_model::system::{Priority, RequirementKind};

/// Adds a remedy to each requirement that is not proven, and then to each budget that is not guaranteed.
pub fn seek(system: &System, found: &Bounds, rulings: &mut [Ruling], guarantees: &mut [Guarantee]) {
    let is_proven = rulings.iter().all(|ruling| ruling.cause().is_none());
    if is_proven && guarantees.iter().all(|guarantee| guarantee.found.is_ok()) {
        return;
    }
    let mut remedies = Remedies::new(system, found);
    for (place, ruling) in rulings.iter_mut().enumerate() {
        let Some(cause) = ruling.cause() else { continue };
        if let Some(one) = remedies.one_priority(place) {
            ruling.help = Some(one_priority(system, one));
            continue;
        }
        let sought = || remedies.cheapest(place, ruling.bound);
        ruling.help = Some(help(system, cause, "proven", sought));
    }
    for guarantee in guarantees {
        let Err((cause, _)) = guarantee.found else { continue };
        let sought = || remedies.cheapest_for_budget(guarantee.server);
        guarantee.help = Some(help(system, cause, "guaranteed", sought));
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

/// The remedy for such a cause; with the change something is `so`.
fn help(system: &System, cause: Cause, so: &str, sought: impl FnOnce() -> Sought) -> Help {
    let no_parameter = matches!(cause, Cause::Unrepresented | Cause::HeldBack | Cause::Interrupted);
    if no_parameter || cause.is_not_covered() {
        return Help::general(cause);
    }
    let none = match sought() {
        Sought::Found(remedy) => {
            let Remedy { parameter, now, to } = remedy;
            let text = format!("would be {so} with {}", change(system, remedy));
            let what = what(system, parameter);
            return Help {
                text,
                change: Some(Change { parameter: key(parameter), what, now, to }),
            };
        }
        Sought::None => "no single change that was tried proves it",
        Sought::Spent => "no single change was found within the limit of analyses",
        Sought::Large => "the search for the cheapest change is omitted: the system is large",
    };
    let general = cause.help();
    Help { text: format!("{general} ({none})"), change: None }
}

/// As it is written into the description.
fn change(system: &System, Remedy { parameter, now, to }: Remedy) -> String {
    let (now, to) = (said(now), said(to));
    let stated = |key: &str, name: &str| format!("{key} = \"{to}\" of {name} (now {now})");
    match parameter {
        Parameter::Wcet(id) => stated("wcet", &system.task(id).name),
        Parameter::Budget(id) => stated("budget", &system.supply(id).name),
        Parameter::Period(id) => stated("period", &system.supply(id).name),
        Parameter::AllWcets => format!("all execution times {to}"),
        Parameter::InterruptRate => format!("the rate of all interrupts {to}"),
        Parameter::ContextSwitch => format!("context-switch = \"{to}\" (now {now})"),
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
