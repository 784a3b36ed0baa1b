//! What may be asked of a system: bounds, with their derivations, within an effort, by some theorems only.

use super::derives::Derives;
use super::woken::settled;
use super::{Bounds, Fold, Known};
use crate::ground::Effort;
use vorrang_model::system::{RequirementKind, System};

/// Bounds the response time of every task and every interrupt.
pub fn bounds(system: &System) -> Bounds {
    bounds_until(system, &|| false)
}

/// The same, until its end is wanted: what is on cores and servers that were not begun by then has no
/// bound, and [`crate::Reason::Interrupted`] says why.
pub fn bounds_until(system: &System, is_end_wanted: &dyn Fn() -> bool) -> Bounds {
    let system = &*settled(system, None, is_end_wanted);
    Fold { is_end_wanted, ..Fold::new(system) }.bounds()
}

/// The same, after a change: without what is known.
pub fn bounds_since(
    system: &System,
    known: &Known<'_>,
    is_end_wanted: &dyn Fn() -> bool,
) -> Bounds {
    let system = &*settled(system, Some(known), is_end_wanted);
    let known = Some(known.clone());
    Fold { known, is_end_wanted, ..Fold::new(system) }.bounds()
}

/// The same, with their derivations.
pub fn derived_bounds_until(system: &System, is_end_wanted: &dyn Fn() -> bool) -> Bounds {
    let system = &*settled(system, None, is_end_wanted);
    Fold { is_end_wanted, derives: Derives::everything(system), ..Fold::new(system) }.bounds()
}

/// The same, with the derivations for requirements of these kinds only: of each pair of entities on a core there may
/// be a fact.
pub fn derived_bounds_of(
    system: &System,
    wanted: impl Iterator<Item = RequirementKind>,
    is_end_wanted: &dyn Fn() -> bool,
) -> Bounds {
    let system = &*settled(system, None, is_end_wanted);
    Fold { is_end_wanted, derives: Derives::of(system, wanted), ..Fold::new(system) }.bounds()
}

/// [`bounds_within`], with their derivations.
pub fn derived_bounds_within(system: &System, terms: u64) -> Bounds {
    let system = &*settled(system, None, &|| false);
    let (effort, refinements) = (Effort::in_all(terms), Some(Effort::in_all(terms)));
    Fold { effort, refinements, derives: Derives::everything(system), ..Fold::new(system) }.bounds()
}

/// The same by theorems alone that are monotonic in every budget: more of its own harms no server, and more of
/// another's helps none. Nothing is looked at once more with what is known of guests.
pub fn monotonic_bounds(system: &System) -> Bounds {
    let system = &*settled(system, None, &|| false);
    Fold { refinements: None, ..Fold::new(system) }.bounds()
}

/// [`bounds`], or where that is asked for [`monotonic_bounds`], and how many terms of equations were evaluated for
/// them, which is the same on every machine.
pub fn counted_bounds(system: &System, monotonic: bool) -> (Bounds, u64) {
    counted(system, monotonic, None)
}

/// [`bounds_since`], and how many terms were evaluated for what is not known.
pub fn counted_bounds_since(system: &System, known: &Known<'_>) -> (Bounds, u64) {
    counted(system, false, Some(known))
}

fn counted(system: &System, monotonic: bool, known: Option<&Known<'_>>) -> (Bounds, u64) {
    let system = &*settled(system, known, &|| false);
    let fold = Fold::new(system);
    let refinements = fold.refinements.as_ref().filter(|_| !monotonic).map(Effort::another);
    let mut fold = Fold { known: known.cloned(), refinements, ..fold };
    fold.whole_system();
    let terms = fold.terms();
    (fold.into_bounds(), terms)
}

/// [`bounds`] with at most so many terms of equations in all, and how many of them are left: 0 may mean that
/// what has no bound would have one.
pub fn bounds_within(system: &System, terms: u64) -> (Bounds, u64) {
    within(system, terms, None)
}

/// The same, after a change: without what is known, which takes no terms.
pub fn bounds_within_since(system: &System, terms: u64, known: &Known<'_>) -> (Bounds, u64) {
    within(system, terms, Some(known))
}

fn within(system: &System, terms: u64, known: Option<&Known<'_>>) -> (Bounds, u64) {
    let system = &*settled(system, known, &|| false);
    let (effort, refinements) = (Effort::in_all(terms), Some(Effort::in_all(terms)));
    let known = known.cloned();
    let mut fold = Fold { effort, known, refinements, ..Fold::new(system) };
    fold.whole_system();
    let left = fold.effort.left_in_all();
    (fold.into_bounds(), left)
}
