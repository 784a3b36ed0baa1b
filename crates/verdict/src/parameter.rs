//! Varied parameters and their values, in words and for programs.

use crate::unit::Unit;
use serde_json::{Value, json};
use vorrang_design::{Amount, Parameter};
use vorrang_model::System;

/// The name of a varied parameter.
pub fn what(system: &System, parameter: Parameter) -> String {
    match parameter {
        Parameter::Wcet(task) => format!("wcet of {}", system.task(task).name),
        Parameter::AllWcets => "every wcet".into(),
        Parameter::Budget(id) => format!("budget of {}", system.supply(id).name),
        Parameter::Period(id) => format!("period of {}", system.supply(id).name),
        Parameter::TaskPeriod(id, _) => format!("period of {}", system.task(id).name),
        Parameter::Latest(id) => format!("latest-interarrival of {}", system.task(id).name),
        Parameter::Offset(id, _) => format!("offset of {}", system.task(id).name),
        Parameter::InterruptRate => "rate of interrupts".into(),
        Parameter::ContextSwitch => "context-switch".into(),
        Parameter::Limit(place) => format!("limit of {}", system.requirements[place].name),
        Parameter::ChainLimit(place, of) => of.name(&system.chains[place]),
        Parameter::Credit(id) => {
            format!("budget of the pseudo-VCPU of {}", system.interrupt(id).name)
        }
        Parameter::FairServer(id) => format!("fair-server of {}", system.supply(id).name),
        Parameter::Throttling(id) => format!("rt-throttling of {}", system.supply(id).name),
    }
}

/// The same in one word, for programs.
pub fn key(parameter: Parameter) -> &'static str {
    match parameter {
        Parameter::Wcet(_) => "wcet",
        Parameter::AllWcets => "all-wcets",
        Parameter::Budget(_) => "budget",
        Parameter::Period(_) => "period",
        Parameter::TaskPeriod(..) => "task-period",
        Parameter::Latest(_) => "latest-interarrival",
        Parameter::Offset(..) => "offset",
        Parameter::InterruptRate => "interrupt-rate",
        Parameter::ContextSwitch => "context-switch",
        Parameter::Limit(_) => "limit",
        Parameter::ChainLimit(_, of) => of.word(),
        Parameter::Credit(_) => "pseudo-vcpu-budget",
        Parameter::FairServer(_) => "fair-server",
        Parameter::Throttling(_) => "rt-throttling",
    }
}

/// A value.
pub fn said(amount: Amount) -> String {
    match amount {
        Amount::Time(time) => Unit::of(time).text(time),
        Amount::Factor(factor) => format!("x {}", decimal(factor)),
        Amount::There(there) => if there { "kept" } else { "none" }.into(),
    }
}

/// The same for programs.
pub fn amount(amount: Amount) -> Value {
    match amount {
        Amount::Time(time) => json!({ "ns": time.as_ns(), "factor": null }),
        Amount::Factor(factor) => json!({ "ns": null, "factor": decimal(factor) }),
        Amount::There(there) => json!({ "ns": null, "factor": null, "there": there }),
    }
}

/// Of thousandths.
fn decimal(factor: u64) -> String {
    format!("{}.{:03}", factor / 1_000, factor % 1_000)
}
