//! What comes before the end of something, in words.

use super::Names;
use crate::derivation::{Occurrences, OfInterference};

pub(super) fn text(fact: &OfInterference, names: &Names<'_>) -> String {
    match fact {
        OfInterference::Term { of, occurrences, cost } => {
            let (name, count) = (names.of(*of), occurrences.count);
            format!(
                "{name}: {} x {cost} = {count} x {cost} = {}",
                counted(occurrences),
                *cost * count
            )
        }
        OfInterference::ByClock { of, count, cost } => {
            format!("{}: {count} x {cost} by the clock = {}", names.of(*of), *cost * *count)
        }
        OfInterference::Behind { count, cost } => {
            format!(
                "what own jobs before it have woken here: {count} x {cost} = {}",
                *cost * *count
            )
        }
        OfInterference::Kept { deadline, kept } => {
            format!("carry-in of the previous budget, deadline {deadline}: {kept}")
        }
        OfInterference::UsedLess(of) => {
            format!("{}: at most the demand of the work in it", names.of(*of))
        }
        OfInterference::FirstCome(time) => {
            format!("members of equal priority that became ready first: {time}")
        }
        OfInterference::Blocking(time) => format!("blocking by less urgent work: {time}"),
        OfInterference::BlockingByLater(time) => {
            format!("blocking by work with later deadlines: {time}")
        }
        OfInterference::Due { of, released: None, due, at, .. } => {
            format!("{}: {due} due by {at}, whenever released", names.of(*of))
        }
        OfInterference::Due { of, released: Some(released), window, due, at } => format!(
            "{}: min({released} released in {window}, {due} due by {at}) = {}",
            names.of(*of),
            (*released).min(*due)
        ),
        OfInterference::DueWork { of, work, window, at } => {
            format!("{}: at most {work} of work inside in {window}, due by {at}", names.of(*of))
        }
        OfInterference::OwnRequests(time) => format!("own requests by then: {time}"),
        OfInterference::Begun(time) => format!("in progress: {time}"),
        OfInterference::Merging => "each request with one of each interrupt that merges".to_owned(),
    }
}

/// The derivation of a number of occurrences.
fn counted(of: &Occurrences) -> String {
    let Occurrences { count, window, each, period, jitter, by_distances } = of;
    if *by_distances {
        let jitter = if jitter.is_zero() { String::new() } else { format!(" + {jitter}") };
        return format!("{count} in {window}{jitter} by their distances");
    }
    let ceil = if jitter.is_zero() {
        format!("ceil({window} / {period})")
    } else {
        format!("ceil(({window} + {jitter}) / {period})")
    };
    if *each == 1 { ceil } else { format!("{each} x {ceil}") }
}
