//! What scenarios of the module `timer_shield` are besides their files.

mod anyone;
mod backlog;
mod beside;
mod case;
mod costs;
mod exercise;
mod files;
mod module;
mod stress;
mod threads;

use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use vorrang_guest::Step;

pub(crate) use module::{HELD, HOOKED, MODULES, NAME, counter, is_hooked};

/// The steps of a part that is a program of this family.
pub(crate) fn part(of: &Scenario, name: &str) -> Option<Vec<Step>> {
    Some(match name {
        "backlog" => backlog::steps(),
        "beside-anyone" => anyone::steps(),
        "beside-others" => beside::steps(),
        "beside-timers" => files::steps(),
        "exercise" => vec![exercise::step(of)],
        "loaded-beside-a-load" => beside::loaded_beside_a_load(),
        "stress" => stress::steps(of),
        "timer-shield-cases" => threads::steps(),
        _ => return None,
    })
}

/// What is expected in this family under a name.
pub(crate) fn checks(of: &Scenario, name: &str, evidence: &Evidence) -> Option<Vec<Check>> {
    Some(match name {
        "exercise" => exercise::checks(of, evidence),
        "stress" => stress::checks(of, evidence),
        "timer-shield" => beside::checks(evidence),
        "timer-shield-anyone" => anyone::checks(evidence),
        "timer-shield-backlog" => backlog::checks(evidence),
        "timer-shield-cases" => threads::checks(evidence),
        "timer-shield-costs" => costs::checks(evidence),
        "timer-shield-files" => files::checks(evidence),
        _ => return None,
    })
}
