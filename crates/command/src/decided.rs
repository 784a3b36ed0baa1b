//! The verdicts on a description, with progress and Ctrl-C; which of them lets it run on a machine.

use crate::exit::{Exit, Failure};
use crate::interruption;
use crate::progress;
use vorrang_analysis::{Bounds, bounds_until};
use vorrang_enforce::Plan;
use vorrang_enforce::journal::Described;
use vorrang_model::System;
use vorrang_sim::{Observations, Search};
use vorrang_verdict::bug;
use vorrang_verdict::chain;
use vorrang_verdict::check::{self, Limits};
use vorrang_verdict::checked::{Checked, Decided};
use vorrang_verdict::earlier::Earlier;
use vorrang_verdict::gather::gather;
use vorrang_verdict::guarantee;
use vorrang_verdict::input::Input;
use vorrang_verdict::outcome::Verdict;
use vorrang_verdict::patience::Patience;
use vorrang_verdict::verdict;

/// Everything that is found about a description that was read.
///
/// # Errors
/// A bug came to light.
pub fn checked(input: Input, search: Search, helps: bool) -> Result<Checked, Failure> {
    concluded(input, bounds_until, search, helps)
}

/// The same, by this analysis.
///
/// # Errors
/// A bug came to light.
pub fn concluded(
    input: Input,
    analysis: impl FnOnce(&System, &dyn Fn() -> bool) -> Bounds,
    search: Search,
    helps: bool,
) -> Result<Checked, Failure> {
    let bounds = bounds(&input.system, analysis);
    let observations = searched(&input.system, &bounds, &search, Earlier::default());
    let limits = Limits { search, helps, is_end_wanted: interruption::is_wanted };
    Ok(check::conclude(input, bounds, observations, &limits)?)
}

/// Everything that is found about a description after a change; what an earlier check found stands where it can.
///
/// # Errors
/// A bug came to light.
pub fn checked_since(
    input: Input,
    earlier: Option<&Checked>,
    search: Search,
    helps: bool,
) -> Result<Checked, Failure> {
    let earlier = Earlier::of(earlier, &search);
    let bounds =
        bounds(&input.system, |system, is_end_wanted| earlier.bounds(system, is_end_wanted));
    let observations = searched(&input.system, &bounds, &search, earlier);
    let limits = Limits { search, helps, is_end_wanted: interruption::is_wanted };
    Ok(check::conclude_since(input, bounds, observations, &limits, earlier)?)
}

/// The exit code.
pub fn exit_of(checked: &Checked) -> Exit {
    match checked.verdict() {
        Some(Verdict::Refuted) => Exit::Refuted,
        _ if checked.interrupted => Exit::Interrupted,
        verdict => Exit::of_verdict(verdict),
    }
}

fn searched(
    system: &System,
    bounds: &Bounds,
    limits: &Search,
    earlier: Earlier<'_>,
) -> Observations {
    let (_waiting, mut tell) = progress::of_search();
    let mut patience = Patience(interruption::is_wanted);
    earlier.search((system, bounds), limits, &mut patience, &mut tell)
}

/// By an analysis that ends when that is wanted.
fn bounds(system: &System, analysis: impl FnOnce(&System, &dyn Fn() -> bool) -> Bounds) -> Bounds {
    let count = system.tasks.len() + system.interrupts.len();
    let text = move |seconds| {
        format!("bounding the responses of {count} tasks and interrupts, {seconds}s")
    };
    let _waiting = progress::talk(text);
    analysis(system, &interruption::is_wanted)
}

/// The verdicts on requirements, budgets and chains, as `vorrang check` gives them by default.
///
/// # Errors
/// A bug came to light.
pub fn decided(input: &Input) -> Result<Decided, Failure> {
    let bounds = bounds(&input.system, bounds_until);
    let observations = searched(&input.system, &bounds, &Search::default(), Earlier::default());
    let evidence = gather(&input.system, &bounds, &observations, interruption::is_wanted);
    let rulings =
        verdict::decide(evidence).map_err(|found| bug::of(input, &observations, &found))?;
    let chains = chain::all(&input.system, &bounds, &observations);
    Ok((rulings, guarantee::all(&input.system, &bounds), chains))
}

/// A description that is proven, or that may be what it is; `verb` is what is done with it, and `done` that it was.
///
/// # Errors
/// It is not proven, which it must be; or a bug came to light.
pub fn proven(input: &Input, unproven: bool, verb: &str, done: &str) -> Result<Described, Failure> {
    let (rulings, guarantees, chains) = decided(input)?;
    let verdict = verdict::of_all(&rulings, &guarantees, &chains);
    let word = verdict.map_or("without a requirement", Verdict::word);
    if verdict != Some(Verdict::Proven) && !unproven {
        let message = format!(
            "error: {}: it is {word}, and only what is proven is {done}\n  \
             `vorrang check` says why; --unproven {verb} it all the same\n",
            input.name
        );
        return Err(Failure { exit: Exit::of_verdict(verdict), message });
    }
    Ok(Described::new(&input.name, &input.sha256, word))
}

/// Nothing that bounds depend on is unknown of the machine.
///
/// # Errors
/// Something is.
pub fn undoubted(input: &Input, plan: &Plan) -> Result<(), Failure> {
    if plan.doubts.is_empty() {
        return Ok(());
    }
    let doubts = plan.doubts.join("\n  ");
    Err(Failure::host(format!(
        "error: {}: {doubts}\n  --unproven applies it all the same\n",
        input.name
    )))
}

/// All reasons why a description does not fit a machine: what the machine lacks, and what the description says wrongly. A
/// missing mechanism is an error of the host.
pub fn unfit(input: &Input, missing: &[String], wrong: &[String]) -> Failure {
    let complain = |line: &String| format!("error: {}: {line}\n", input.name);
    let message: String = missing.iter().chain(wrong).map(complain).collect();
    if missing.is_empty() { Failure::bad_input(message) } else { Failure::host(message) }
}
