//! Distances of several arrivals, and what they make needed or pointless.

use super::activation::Activations;
use super::link::Links;
use super::presence::KeyOf;
use crate::description::{Declared, Description, Field};
use crate::diagnostic::Span;
use crate::diagnostic::collect::Errors;
use crate::system::Distance;
use std::collections::BTreeSet;
use vorrang_time::Duration;

pub(super) fn check(
    description: &Description,
    links: &Links,
    activations: &Activations,
    errors: &mut Errors,
) {
    let polled: BTreeSet<usize> = links.devices.iter().filter_map(|link| link.interrupt).collect();
    for (index, declared) in description.interrupts.iter().enumerate() {
        let body = &declared.body;
        let help = "Least time between two arrivals. Write `min-interarrival = \"5ms\"`";
        key(declared, "min-interarrival").needed(&body.min_interarrival, help, errors);
        once(declared, (&body.min_interarrival, "min-interarrival"), &body.min_distances, errors);
        if polled.contains(&index) {
            let why = "a device raises it, as its packets let it";
            key(declared, "min-distances").pointless(&body.min_distances, why, errors);
        }
    }
    for (declared, several) in description.tasks.iter().zip(&activations.distances) {
        let body = &declared.body;
        once(declared, (&body.period, "period"), &body.min_distances, errors);
        if several.is_some() {
            let help =
                "there is no period that it could be. Write `deadline = \"5ms\"`, or \"none\"";
            key(declared, "deadline").needed(&body.deadline, help, errors);
        }
    }
}

fn key<'a, T>(declared: &'a Declared<T>, key: &'static str) -> KeyOf<'a> {
    KeyOf { name: &declared.name, span: &declared.span, key }
}

/// The least time between two arrivals is stated once.
fn once<T>(
    declared: &Declared<T>,
    (least, name): (&Field<Duration>, &'static str),
    distances: &Field<Vec<Distance>>,
    errors: &mut Errors,
) {
    let span = |of: Option<&Span>| of.cloned();
    let of_list = span(distances.get().map(|at| &at.span));
    if of_list.is_some() && span(least.get().map(|at| &at.span)) != of_list {
        key(declared, name).pointless(least, "`min-distances` says it", errors);
    }
}
