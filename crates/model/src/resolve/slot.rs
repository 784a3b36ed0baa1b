//! Slots of one core must not overlap: exactly, and without walking a hyperperiod.
//!
//! Two slots `[O, O + Q)` of periods T and T' ever meet if and only if they meet when both are
//! folded modulo g = gcd(T, T'): by the Chinese remainder theorem every pair of positions that is
//! congruent modulo g occurs. Folded, each is an arc of a circle of length g; the arcs are
//! disjoint if each ends before the other starts, going round.
//!
//! **Cost.** One gcd per pair of slots of a core, at most [`limits::SLOT_PAIRS`].

use super::tree::{Local, Tree, rule};
use crate::description::{Description, Server};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span};
use crate::limits;
use crate::system::{ServerKind, Window};
use crate::word::Rule;
use vorrang_time::Duration;

/// One slot, in nanoseconds.
struct Slot<'a> {
    name: &'a str,
    span: Span,
    start: u64,
    length: u64,
    period: u64,
}

pub(super) fn check(description: &Description, tree: &Tree, errors: &mut Errors) {
    let cores: Vec<Vec<Slot<'_>>> = (0..description.supplies.len())
        .filter(|core| rule(description, *core) == Some(Rule::Slots))
        .map(|core| slots_of(description, tree, core))
        .collect();
    let pairs: usize =
        cores.iter().map(|slots| slots.len() * slots.len().saturating_sub(1) / 2).sum();
    if pairs > limits::SLOT_PAIRS {
        let largest = cores.iter().max_by_key(|slots| slots.len()).and_then(|slots| slots.first());
        let message = format!(
            "the slots of the cores make {pairs} pairs, more than the {} that are compared",
            limits::SLOT_PAIRS
        );
        let span = largest.map_or(0..0, |slot| slot.span.clone());
        errors.push(Diagnostic::new(Code::TooMany, span, message));
        return;
    }
    for slots in &cores {
        check_core(slots, errors);
    }
}

/// The slots on a core that are right in themselves.
fn slots_of<'a>(description: &'a Description, tree: &Tree, core: usize) -> Vec<Slot<'a>> {
    let slots = |member: &Local| {
        let Local::Server(index) = *member else { return Vec::new() };
        let declared = &description.supplies[index];
        let Some((windows, period)) = declared.body.server.as_ref().and_then(places) else {
            return Vec::new();
        };
        let fits = windows.iter().filter(|window| window.offset + window.length <= period);
        fits.map(|window| Slot {
            name: &declared.name,
            span: declared.span.clone(),
            start: window.offset.as_ns(),
            length: window.length.as_ns(),
            period: period.as_ns(),
        })
        .collect()
    };
    tree.members[core].iter().flat_map(slots).collect()
}

/// The intervals of a slot or a table, and its period.
fn places(server: &Server) -> Option<(Vec<Window>, Duration)> {
    let period = server.period.get()?.value;
    let windows = match server.kind.get()?.value {
        ServerKind::Slot => {
            let (offset, length) = (server.offset.get()?.value, server.budget.get()?.value);
            vec![Window { offset, length }]
        }
        ServerKind::Table => server.windows.get()?.value.clone(),
        ServerKind::Periodic
        | ServerKind::Polling
        | ServerKind::Deferrable
        | ServerKind::Sporadic
        | ServerKind::CbsHard
        | ServerKind::CbsSoft
        | ServerKind::SchedDeadline
        | ServerKind::PosixSporadic
        | ServerKind::RefillQueue
        | ServerKind::Share
        | ServerKind::Level => return None,
    };
    Some((windows, period))
}

/// Reports, for each slot, the first one before it that it overlaps with.
fn check_core(slots: &[Slot<'_>], errors: &mut Errors) {
    for (index, second) in slots.iter().enumerate() {
        if let Some(first) = slots[..index].iter().find(|first| overlap(first, second)) {
            let message = format!("the slots of {} and {} overlap", first.name, second.name);
            errors.push(
                Diagnostic::new(Code::SlotsOverlap, second.span.clone(), message)
                    .label(said(second))
                    .also(first.span.clone(), said(first)),
            );
        }
    }
}

fn said(slot: &Slot<'_>) -> String {
    let ns = Duration::from_ns;
    format!(
        "from {} to {} of every {}",
        ns(slot.start),
        ns(slot.start + slot.length),
        ns(slot.period)
    )
}

fn overlap(a: &Slot<'_>, b: &Slot<'_>) -> bool {
    let circle = gcd(a.period, b.period);
    // How far b starts after a, going round.
    let gap = (circle + b.start % circle - a.start % circle) % circle;
    gap < a.length || circle - gap < b.length
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(start: u64, length: u64, period: u64) -> Slot<'static> {
        Slot { name: "slot", span: 0..0, start, length, period }
    }

    /// Walks a common period.
    fn overlap_by_walking(a: &Slot<'_>, b: &Slot<'_>) -> bool {
        let inside = |slot: &Slot<'_>, t: u64| {
            (t % slot.period).checked_sub(slot.start).is_some_and(|into| into < slot.length)
        };
        (0..a.period * b.period).any(|t| inside(a, t) && inside(b, t))
    }

    #[test]
    fn folding_agrees_with_walking() {
        let mut all = Vec::new();
        for period in 1..=8 {
            for length in 1..=period {
                all.extend((0..=period - length).map(|start| slot(start, length, period)));
            }
        }
        let mut overlaps = 0;
        for a in &all {
            for b in &all {
                assert_eq!(overlap(a, b), overlap_by_walking(a, b));
                overlaps += usize::from(overlap(a, b));
            }
        }
        assert!(overlaps > 0 && overlaps < all.len() * all.len());
    }
}
