//! Chains in small systems of one core or two: the explorer of paths beside the bound, and beside the search.

use crate::check::Effort;
use crate::paths::{Followed, Layout, Longest, longest};
use vorrang_analysis::{Bounds, chain_bound};
use vorrang_model::system::{Chain, System};
use vorrang_sim::Search;

/// What all histories of a chain say.
pub(super) struct Explored {
    /// The longest reaction time.
    pub(super) reaction: u64,
    pub(super) states: u64,
    /// What contradicts it.
    pub(super) wrong: Vec<String>,
}

/// The bound, and where it is published.
pub(super) fn bound(system: &System, bounds: &Bounds, chain: &Chain) -> Option<(u64, String)> {
    let found = chain_bound(system, bounds, chain);
    found.found.ok().map(|bound| (bound.as_ns(), found.by.to_owned()))
}

/// What all histories show, as a comment.
pub(super) fn describe(system: &System, chain: &Chain, limit: usize) -> String {
    match found(system, chain, limit) {
        Some(Longest { until_over: Some(reaction), age, states }) => {
            let age = age.map_or("none".to_owned(), |age| age.to_string());
            format!("# longest reaction time {reaction}, data age {age}, of {states} states\n")
        }
        _ => "# more states than the limit\n".to_owned(),
    }
}

fn found(system: &System, chain: &Chain, limit: usize) -> Option<Longest> {
    let followed = Followed::Path(chain.path.clone());
    let layout = Layout::new(system, followed, &[]).expect("such a chain is covered");
    longest(&layout, limit).ok()
}

/// `None`: too many states.
pub(super) fn explore(
    system: &System,
    chain: &Chain,
    (bound, text): (u64, &str),
    limit: usize,
) -> Option<Explored> {
    let found = found(system, chain, limit)?;
    let reaction = u64::from(found.until_over?);
    let age = u64::from(found.age.unwrap_or_default());
    let mut wrong = Vec::new();
    if reaction > bound || age > bound {
        wrong.push(format!("reaction {reaction}, age {age} > bound {bound}:\n{text}"));
    }
    let search = Search { seed: bound, ..Effort::brief().search };
    let seen = vorrang_sim::search(system, &search);
    for seen in seen.chains.iter().flatten() {
        let both = [(seen.reaction.time, reaction), (seen.age.time, age)];
        if both.iter().any(|&(seen, longest)| seen.as_ns() > longest) {
            wrong.push(format!("the search sees {both:?} of all histories:\n{text}"));
        }
    }
    Some(Explored { reaction, states: found.states as u64, wrong })
}
