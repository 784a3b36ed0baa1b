//! What would help where a requirement is not proven: the cheapest single change that proves it.
//!
//! **Model.** The change is found by `vorrang_design` (`remedy.rs` there says what is cheaper, and how much
//! work is done for it at most): the analysis was run on the changed description, found this requirement
//! proven, and everything that was so before. Where there is none of those that are looked at, the
//! cause has a help of its own, and that none was found is said.
//!
//! **Does not cover** what a change of one parameter cannot help: a feature that nothing covers.

use crate::cause::Cause;
use crate::help::{Change, Help};
use crate::parameter::{key, said, what};
use crate::ruling::Ruling;
use vorrang_analysis::Bounds;
use vorrang_design::{Parameter, Remedies, Remedy, Sought};
use vorrang_model::System;
use vorrang_model::system::RequirementKind;

/// Says of each requirement that is not proven what would help.
pub fn seek(system: &System, found: &Bounds, rulings: &mut [Ruling]) {
    if rulings.iter().all(|ruling| ruling.cause().is_none()) {
        return;
    }
    let mut remedies = Remedies::new(system, found);
    for (place, ruling) in rulings.iter_mut().enumerate() {
        let Some(cause) = ruling.cause() else { continue };
        let no_parameter = matches!(
            cause,
            Cause::Unrepresented | Cause::NotCovered | Cause::HeldBack | Cause::Interrupted
        );
        let general = cause.help();
        let sought = (!no_parameter).then(|| remedies.cheapest(place, ruling.bound));
        let plain = |text: String| Help { text, change: None };
        ruling.help = Some(match sought {
            None => plain(general.to_owned()),
            Some(Sought::Found(remedy)) => found_help(system, remedy),
            Some(Sought::None) => {
                plain(format!("{general} (no single change that was tried proves it)"))
            }
            Some(Sought::Spent) => plain(format!(
                "{general} (no single change was found before the analyses were used up)"
            )),
            Some(Sought::Large) => {
                plain(format!("{general} (the cheapest change is not sought: the system is large)"))
            }
        });
    }
}

fn found_help(system: &System, remedy: Remedy) -> Help {
    let Remedy { parameter, now, to } = remedy;
    let what = what(system, parameter);
    let text = format!("would be proven with {}", change(system, remedy));
    Help { text, change: Some(Change { parameter: key(parameter), what, now, to }) }
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
