//! What would help where a requirement is not proven, or a budget not guaranteed: the cheapest single change that
//! proves it.
//!
//! **Model.** The change is found by `vorrang_design` (`remedy.rs` there says what is cheaper, and how much
//! work is done for it at most): the analysis was run on the changed description, found this requirement
//! proven, and everything that was so before. Where there is none of those that are looked at, the
//! cause has a help of its own, and that none was found is said.
//!
//! **Does not cover** what a change of one parameter cannot help: a feature that nothing covers.

use crate::cause::Cause;
use crate::guarantee::Guarantee;
use crate::help::{Change, Help};
use crate::parameter::{key, said, what};
use crate::ruling::Ruling;
use vorrang_analysis::Bounds;
use vorrang_design::{Parameter, Remedies, Remedy, Sought};
use vorrang_model::System;
use vorrang_model::system::RequirementKind;

/// Says of each requirement that is not proven what would help, and then of each budget that is not guaranteed.
pub fn seek(system: &System, found: &Bounds, rulings: &mut [Ruling], guarantees: &mut [Guarantee]) {
    let is_proven = rulings.iter().all(|ruling| ruling.cause().is_none());
    if is_proven && guarantees.iter().all(|guarantee| guarantee.found.is_ok()) {
        return;
    }
    let mut remedies = Remedies::new(system, found);
    for (place, ruling) in rulings.iter_mut().enumerate() {
        let Some(cause) = ruling.cause() else { continue };
        let sought = || remedies.cheapest(place, ruling.bound);
        ruling.help = Some(help(system, cause, "proven", sought));
    }
    for guarantee in guarantees {
        let Err((cause, _)) = guarantee.found else { continue };
        let sought = || remedies.cheapest_for_budget(guarantee.server);
        guarantee.help = Some(help(system, cause, "guaranteed", sought));
    }
}

/// What would help where there is such a cause; with the change that it names something is `so`.
fn help(system: &System, cause: Cause, so: &str, sought: impl FnOnce() -> Sought) -> Help {
    if matches!(
        cause,
        Cause::Unrepresented | Cause::NotCovered | Cause::HeldBack | Cause::Interrupted
    ) {
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
        Sought::Spent => "no single change was found before the analyses were used up",
        Sought::Large => "the cheapest change is not sought: the system is large",
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
