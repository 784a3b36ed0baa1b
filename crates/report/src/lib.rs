//! What Vorrang finds as one page each: HTML that opens from disk, needs no network, and prints.
//!
//! **Model.** [`of_check`] takes what `vorrang check` found and looks at the description once more for what is
//! drawn: how each bound comes about and what it is read off (`vorrang-analysis`), one history by chance for
//! the distributions of response times, and the worst history of each requirement for its schedule
//! (`vorrang-sim`). Verdicts and numbers are those of the check; nothing is decided here. [`of_simulation`] shows one
//! history. What other pages are made of is public: [`document`], [`grid`], [`times`].
//!
//! | part of the page | file |
//! |---|---|
//! | the document, its policy, style and script; what every page has | `document.rs` |
//! | what stands above and below the result of a check | `page.rs` |
//! | a table, times on one axis | `grid.rs`, `times.rs` |
//! | verdicts in a table | `verdicts.rs` |
//! | one requirement | `requirement.rs` |
//! | the pattern of a history, folded where it is long | `pattern.rs` |
//! | steps of a derivation | `steps.rs` |
//! | supply against demand | `decides.rs` |
//! | a path as lanes | `lanes.rs` |
//! | how far parameters may move | `margins.rs` |
//! | response times on one axis with bound and limit | `responses.rs` |
//! | the schedule of a history | `recorder.rs`, `kept.rs`, `schedule.rs` |
//! | cores: what is used of them, what is lost | `cores.rs` |
//! | a simulation | `simulation.rs` |
//!
//! **Assumptions.** The same input gives the same bytes: no clock; a date stands on the page only if it is given.
//!
//! **Cost.** Of a large system only some requirements are drawn ([`Options::detailed`]): those refuted first, then
//! the undecided, then those with the least margin. All are in the table.

mod cores;
mod decides;
pub mod document;
pub mod grid;
mod kept;
mod lanes;
mod margins;
mod options;
mod page;
mod pattern;
mod recorder;
mod requirement;
mod responses;
mod scale;
mod schedule;
mod simulation;
mod steps;
pub mod times;
mod verdicts;

pub use document::Report;
pub use document::shell;
pub use options::{BEGINNING, Options};
pub use responses::Simulated;
pub use simulation::of_simulation;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use vorrang_figure::Figure;
use vorrang_time::Duration;
use vorrang_verdict::checked::Checked;
use vorrang_verdict::margin::Found;
use vorrang_verdict::outcome::Verdict;
use vorrang_verdict::ruling::Ruling;

/// The report of a check, with the margins that were found ([`with_margins`] says of which they are wanted).
pub fn of_check(checked: &Checked, margins: &Found, options: &Options) -> Report {
    let detailed = most_interesting(&checked.rulings, options.detailed);
    let looked = requirement::Looked::at(checked, &detailed, responses::JOBS);
    let mut figures = Vec::new();
    let mut body = verdicts::section(checked, &detailed);
    body += &page::chains(checked, &mut figures);
    body += &cores::section(checked, &mut figures);
    body += "<h2 id=\"requirements\">Requirements</h2>\n";
    if detailed.len() < checked.rulings.len() {
        let _ = writeln!(
            body,
            "<p>Of {} requirements {} are drawn here: those refuted, then the undecided, then those with the \
             least margin. All are in the table above.</p>",
            checked.rulings.len(),
            detailed.len()
        );
    }
    for &place in &detailed {
        body += &requirement::section(checked, place, &looked, margins, &mut figures);
    }
    body += &page::assumptions(checked);
    body += &page::foot(checked);
    let body = page::heading(checked, options) + &page::contents(&body) + &body;
    Report {
        html: document::document(&checked.input.name, ("verdicts", "verdicts"), &body),
        figures,
    }
}

/// The figures of one requirement and how its bound comes about, for half of a page that has [`vorrang_figure::css`]; about
/// so many jobs are run for the response times.
pub fn of_requirement(checked: &Checked, place: usize, jobs: u64) -> String {
    let looked = requirement::Looked::at(checked, &[place], jobs);
    let figures = requirement::drawn(checked, place, &looked, schedule::BESIDE);
    let figures: String = figures.iter().map(Figure::html).collect();
    figures + &requirement::derivation(checked, place, &looked)
}

/// The path of what is required of a chain, by its place among [`Checked::chains`], for the same page.
pub fn of_chain(checked: &Checked, place: usize) -> String {
    page::lanes(checked, place).map_or_else(String::new, |figure| figure.html())
}

/// How far each parameter may move for one requirement, for the same page.
pub fn margins_of(checked: &Checked, place: usize, found: &Found) -> String {
    let figure = margins::figure(checked, place, found);
    figure.map_or_else(String::new, |figure| figure.html())
        + &margins::remarks(checked, place, found)
}

/// The places of those that are drawn and proven, the least margin first: in this order margins are looked for.
pub fn with_margins(rulings: &[Ruling], options: &Options) -> Vec<usize> {
    let mut places = most_interesting(rulings, options.detailed);
    places.retain(|&place| rulings[place].verdict == Verdict::Proven);
    places.sort_by_key(|&place| (left(&rulings[place]), place));
    places
}

/// What the bound leaves of the limit, in millionths, so that short limits count like long ones.
fn left(ruling: &Ruling) -> u128 {
    let (bound, limit) = (ruling.bound.map_or(0, Duration::as_ns), ruling.limit.as_ns());
    u128::from(limit.saturating_sub(bound)) * 1_000_000 / u128::from(limit.max(1))
}

/// The places of those that are drawn, in the order of the page.
fn most_interesting(rulings: &[Ruling], most: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..rulings.len()).collect();
    if places.len() <= most {
        return places;
    }
    let rank = |place: &usize| {
        let ruling = &rulings[*place];
        let worst_first = match ruling.verdict {
            Verdict::Refuted => 0,
            Verdict::Undecided => 1,
            Verdict::Proven => 2,
        };
        (worst_first, left(ruling), *place)
    };
    places.sort_by_key(rank);
    places.truncate(most);
    let kept: BTreeSet<usize> = places.into_iter().collect();
    kept.into_iter().collect()
}
