//! From a description that was read to its verdicts, with progress and Ctrl-C.

use crate::exit::{Exit, Failure};
use crate::interruption;
use crate::progress;
use vorrang_analysis::{Bounds, bounds_until};
use vorrang_model::System;
use vorrang_sim::{Observations, Search};
use vorrang_verdict::bug;
use vorrang_verdict::check::{self, Limits};
use vorrang_verdict::checked::Checked;
use vorrang_verdict::gather::gather;
use vorrang_verdict::guarantee::{self, Guarantee};
use vorrang_verdict::input::Input;
use vorrang_verdict::outcome::Verdict;
use vorrang_verdict::patience::Patience;
use vorrang_verdict::ruling::Ruling;
use vorrang_verdict::search::search;
use vorrang_verdict::verdict;

/// Everything that is found about a description that was read.
///
/// # Errors
/// A bug came to light.
pub(crate) fn checked(input: Input, search: Search, helps: bool) -> Result<Checked, Failure> {
    concluded(input, bounds_until, search, helps)
}

pub(super) fn concluded(
    input: Input,
    analysis: impl FnOnce(&System, &dyn Fn() -> bool) -> Bounds,
    search: Search,
    helps: bool,
) -> Result<Checked, Failure> {
    let bounds = bounds(&input.system, analysis);
    let observations = searched(&input.system, &bounds, &search);
    let limits = Limits { search, helps, is_end_wanted: interruption::is_wanted };
    Ok(check::conclude(input, bounds, observations, &limits)?)
}

fn searched(system: &System, bounds: &Bounds, limits: &Search) -> Observations {
    let (_waiting, mut tell) = progress::of_search();
    search(system, bounds, limits, &mut Patience(interruption::is_wanted), &mut tell)
}

/// The output and the exit code.
pub(crate) fn exit_of(checked: &Checked) -> Exit {
    match checked.verdict() {
        Some(Verdict::Refuted) => Exit::Refuted,
        _ if checked.interrupted => Exit::Interrupted,
        verdict => exit(verdict),
    }
}

/// A description that requires nothing must not look like one that is proven.
pub(crate) fn exit(verdict: Option<Verdict>) -> Exit {
    match verdict {
        Some(Verdict::Proven) => Exit::Success,
        Some(Verdict::Undecided) | None => Exit::Undecided,
        Some(Verdict::Refuted) => Exit::Refuted,
    }
}

/// The verdict on a description as a whole, as `vorrang check` gives it by default; `None`: it
/// requires nothing.
///
/// # Errors
/// A bug came to light.
pub fn overall(input: &Input) -> Result<Option<Verdict>, Failure> {
    decided(input)
        .map(|(rulings, guarantees)| verdict::overall(&rulings, guarantee::verdicts(&guarantees)))
}

/// The verdicts on requirements and budgets, as `vorrang check` gives them by default.
///
/// # Errors
/// A bug came to light.
pub(crate) fn decided(input: &Input) -> Result<(Vec<Ruling>, Vec<Guarantee>), Failure> {
    let bounds = bounds(&input.system, bounds_until);
    let observations = searched(&input.system, &bounds, &Search::default());
    let evidence = gather(&input.system, &bounds, &observations, interruption::is_wanted);
    let rulings =
        verdict::decide(evidence).map_err(|found| bug::of(input, &observations, &found))?;
    Ok((rulings, guarantee::all(&input.system, &bounds)))
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
