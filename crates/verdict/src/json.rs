//! The result of `vorrang check` for programs: format "vorrang-check/1".
//!
//! **Model.** All times are integers in nanoseconds, under keys that end in `_ns`. A key is always
//! there; `null` where there is nothing to say. Within version 1 keys may be added, none is removed
//! or changes its meaning.
//!
//! `requirements` are those that were asked for: with `--explain` the named ones, each with an
//! `explanation`, lines of text; with `--only` those with such a verdict. `verdict` is about all.
//!
//! A requirement that is not proven has a `code`, which `vorrang explain` knows, and a `help`;
//! `change` is the change of one parameter that the help names, with the values that `vorrang-margin/1` has.
//!
//! `budgets` has an object for each server with a budget: whether it is guaranteed in each period, and
//! `late_ns`, how long after the end of a period it may come; where it is not, `code`, `reason`, `help` and
//! `change` as for requirements. `assumptions` are those of the guarantee. `verdict` is about these, too.
//!
//! `warnings` has what is probably not meant in the description, by code and place; it decides nothing.
//!
//! `tried` has an object for each supply on which a required task stands directly: its name and one
//! object per utilisation bound, whose `outcome` is `accepts` (every task of the supply completes
//! within its period), `does-not-accept` (it may still) or `condition-not-met`, with the `reason`.
//! None of them decides a verdict.
//!
//! `simulation.omitted` has an object for each core and kind of history (`synchronous`, `directed`,
//! `storm`, `random`, `climb`) of which some were left out or ended early, because the steps of a check
//! were used up or too much waited; empty where all were run.
//!
//! `utilisation` has an object for each core and server: shares of a core in percent, as decimal fractions
//! in strings, `left_percent` rounded down and all others up (`null` where nothing says it).
//!
//! `losses` has an object for each core where the machine takes time for itself: `losers` with what each
//! loses by cause in the first `window_ns`, at most in any history and in a few that were run. Of calls,
//! callbacks, entries and exits the bound is that of the core, which may all fall to one of them.

use crate::cause::Cause;
use crate::chain;
use crate::chance::{Chance, Frequency, decimal};
use crate::checked::Checked;
use crate::evidence::Witness;
use crate::guarantee;
use crate::help;
use crate::identity::TOOL;
use crate::input::Placed;
use crate::loss;
use crate::occupied;
use crate::omitted;
use crate::outcome::Verdict;
use crate::replay::Replay;
use crate::report::View;
use crate::ruling::Ruling;
use crate::terms;
use crate::tried;
use serde_json::{Value, json};
use vorrang_analysis::Explanation;
use vorrang_model::system::RequirementKind;
use vorrang_time::Duration;

/// The document, with a line feed at the end; `explained` are places of requirements, whose
/// derivations were asked for.
pub fn check(checked: &Checked, view: &View, explained: &[usize]) -> String {
    format!("{:#}\n", document(checked, view, explained))
}

/// The same, as a part of another document.
pub fn document(checked: &Checked, view: &View, explained: &[usize]) -> Value {
    let observations = &checked.observations;
    let requirements: Vec<Value> = if explained.is_empty() {
        let shown = view.of(&checked.rulings);
        shown.into_iter().map(|ruling| requirement(checked, ruling, None)).collect()
    } else {
        let explained = explained.iter().map(|&place| (place, &checked.rulings[place]));
        explained.map(|(place, ruling)| requirement(checked, ruling, Some(place))).collect()
    };
    json!({
        "format": "vorrang-check/1",
        "tool": TOOL,
        "input_sha256": checked.input.sha256,
        "interrupted": checked.interrupted,
        "verdict": checked.verdict().map(Verdict::word),
        "warnings": checked.input.warnings.iter().map(remark).collect::<Vec<_>>(),
        "requirements": requirements,
        "budgets": guarantee::document(&checked.guarantees),
        "chains": chain::document(&checked.input, observations, &checked.chains),
        "tried": checked.tried.iter().map(|tried| tried::document(&checked.input.system, tried)).collect::<Vec<_>>(),
        "utilisation": occupied::document(&checked.input.system, &checked.occupied),
        "losses": loss::document(&checked.input.system, &checked.losses),
        "simulation": {
            "seed": observations.seed,
            "horizon_ns": observations.horizon.as_ns(),
            "runs": observations.runs(),
            "omitted": omitted::document(checked),
        },
    })
}

/// An error or a warning.
pub fn remark((warning, (line, column)): &Placed) -> Value {
    let mut remark = json!({
        "code": warning.code.text(),
        "message": warning.message,
        "help": warning.help,
        "line": line,
        "column": column,
    });
    if let Some(file) = &warning.file {
        remark["file"] = json!(**file);
    }
    remark
}

/// `explained`: its place, if its bound is to be explained.
fn requirement(checked: &Checked, ruling: &Ruling, explained: Option<usize>) -> Value {
    json!({
        "name": ruling.name,
        "kind": match ruling.kind {
            RequirementKind::Deadline(_) => "deadline",
            RequirementKind::HandledWithin(_) => "handled-within",
        },
        "limit_ns": ruling.limit.as_ns(),
        "bound_ns": ruling.bound.map(Duration::as_ns),
        "observed_ns": ruling.observed.as_ref().map(|observed| observed.response.as_ns()),
        "probability": ruling.chance.as_ref().map(chance),
        "verdict": ruling.verdict.word(),
        "by": ruling.by,
        "assumptions": ruling.assumptions,
        "averages": ruling.averages,
        "code": ruling.cause().map(Cause::code),
        "reason": ruling.reason.as_ref().map(|why| &why.text),
        "terms": terms::document(&ruling.terms),
        "help": ruling.help.as_ref().map(|help| &help.text),
        "change": ruling.help.as_ref().and_then(help::document),
        "witness": witness(checked, ruling),
        "explanation": explained.map(|place| explanation(checked, place, ruling)),
    })
}

/// How the bounds come about, as people read it.
fn explanation(checked: &Checked, requirement: usize, ruling: &Ruling) -> Value {
    let system = &checked.input.system;
    let required = &system.requirements[requirement];
    let bounds = &checked.bounds;
    let chance = ruling.chance.as_ref().map(|_| bounds.explanation_of_chance(system, required));
    let lines = |text: &Explanation| text.lines().map(str::to_owned).collect::<Vec<_>>();
    json!({
        "bound": lines(&bounds.explanation(system, ruling.kind)),
        "probability": chance.as_ref().map(lines),
    })
}

/// Probabilities and shares of late jobs: decimal fractions in strings, exact or rounded up.
pub fn chance(chance: &Chance) -> Value {
    json!({
        "late_allowed": decimal(chance.allowed()),
        "late_bound": chance.later.as_ref().ok().map(ToString::to_string),
        "late_seen": chance.seen.as_ref().map(Frequency::share),
        "jobs_seen": chance.seen.as_ref().map(|seen| seen.jobs),
        "jobs_seen_late": chance.seen.as_ref().map(|seen| seen.late),
        "pattern": chance.seen.as_ref().map(|seen| &seen.pattern),
    })
}

/// The job that breaks a refuted requirement, and how to see it do so.
fn witness(checked: &Checked, ruling: &Ruling) -> Option<Value> {
    let Witness { pattern, arrival, deadline } = ruling.witness.as_ref()?;
    let replay = Replay::of(&checked.input, &checked.observations, ruling.core, pattern);
    Some(json!({
        "core": checked.input.system.supply(ruling.core).name,
        "pattern": &**pattern,
        "seed": checked.observations.seed,
        "arrival_ns": arrival.as_ns(),
        "deadline_ns": deadline.as_ns(),
        "replay": replay.to_string(),
    }))
}
