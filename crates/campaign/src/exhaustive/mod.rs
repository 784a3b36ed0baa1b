//! Every history of small systems: the longest response that there is, beside the bound.
//!
//! **Purpose.** Histories that a search finds say how loose a bound is at most; where all histories are
//! explored it is known. A response above the bound is a violation as everywhere in the campaign.
//!
//! **Model.** `docs/model.md` once more, tick by tick, on states instead of histories: a state
//! ([`state`]) is what the future depends on, a choice what a history decides at an instant (which tasks
//! arrive, which are released, whether sections begin, and whether the running job ends early). All states that any choices reach from any phases of
//! the servers, with any lengths by which their runtimes end late, are visited once. A shortest history of the longest response is replayed by
//! the oracle and by the simulator, which must observe the same response; nor may the search of the simulator
//! find a longer one. The explorer shares no code with either, nor with the analysis.
//!
//! **Assumptions.**
//! 1. Times are whole ticks: arrivals and ends between them are not explored.
//! 2. One core without costs; tasks without caches, with less jitter than a period; at most one member that is
//!    blocked, the target or a server around it, always for as long as it may be; servers of the kinds that
//!    [`layout`] lists, none in a periodic one; one interrupt, without a pseudo-VCPU, that wakes no task; servers
//!    of Linux may pay for its routine.
//! 3. A task that may arrive again at once (best-effort work) arrives only when it has no job: one that
//!    waits in the meantime is as good as the next one that comes when this is complete. Its priority is its
//!    own.
//!
//! **Cost.** States times choices; systems with more states than a limit are counted and left out.
//!
//! | what | where |
//! |---|---|
//! | systems, by the rows of the table | [`draw`], `parts`, `features`, `level` |
//! | a system as numbers | [`layout`], [`work`] |
//! | states, rules of servers, instants | [`state`], [`budget`], [`arrival`], `section`, `routine`, [`instant`] |
//! | all states, and a history of the longest response | [`reach`] |
//! | that history once more | [`replay`] |
//! | chains, by the explorer of several cores | `paths` |
//! | counts | [`table`] |

pub mod arrival;
pub mod budget;
pub mod draw;
mod features;
pub mod instant;
pub mod layout;
mod level;
mod parts;
mod paths;
pub mod reach;
pub mod replay;
mod routine;
mod section;
mod slots;
pub mod state;
pub mod table;
pub mod work;

use crate::random::Random;
use draw::ROWS;
use layout::Layout;
use paths::Explored;
use rayon::prelude::*;
use std::fmt::Write as _;
use std::ops::Range;
use std::panic::catch_unwind;
use table::Table;
use vorrang_analysis::bounds;
use vorrang_model::system::System;
use vorrang_model::{Format, read};

/// The most states of one system, unless another number is asked for.
pub const LIMIT: usize = 100_000;

/// Separates the streams of these systems from those of others.
const STREAM: u64 = 0x6578_6861_7573_7400;

/// How often a system is drawn anew because it has no bound.
const DRAWS: u64 = 30;

/// The number of systems between progress reports.
const BATCH: u64 = 2_000;

/// Explores these systems of a seed, each up to so many states; `progress` receives the number of explored systems and of violations.
pub fn run(
    seed: u64,
    systems: Range<u64>,
    limit: usize,
    mut progress: impl FnMut(u64, usize),
) -> Table {
    let mut table = Table::default();
    let mut from = systems.start;
    while from < systems.end {
        let end = (from + BATCH).min(systems.end);
        let one = |mut table: Table, index: u64| {
            explore(seed, index, limit, &mut table);
            table
        };
        let both = |mut first: Table, second: Table| {
            first.merge(second);
            first
        };
        let batch = (from..end).into_par_iter().fold(Table::default, one);
        table.merge(batch.reduce(Table::default, both));
        from = end;
        progress(from - systems.start, table.violations.len());
    }
    // By index: threads finish in any order.
    table.violations.sort();
    table
}

/// The row of a system, whether it has best-effort work, and its text, in which the target has a bound if
/// one was found.
pub fn text(seed: u64, index: u64) -> (usize, bool, String) {
    let rows = ROWS.len() as u64;
    let row = usize::try_from(index % rows).expect("a row");
    let hog = ROWS[row].has_guest && (index / rows) % 2 == 1;
    let mut random = Random::new(seed ^ STREAM, index);
    let mut text = String::new();
    for _ in 0..DRAWS {
        text = ROWS[row].draw(&mut random, hog);
        if bound(&system(&text)).is_some() {
            break;
        }
    }
    (row, hog, text)
}

/// A drawn text reads as a system.
fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

/// The bound of the target, in ticks, and its method.
fn bound(system: &System) -> Option<(u64, String)> {
    let bounds = bounds(system);
    if let Some(chain) = system.chains.first() {
        return paths::bound(system, &bounds, chain);
    }
    let task = system.task_ids().find(|&id| system.task(id).name == "task.target");
    let finding = match task {
        Some(id) => bounds.task(id),
        None => bounds.interrupt(system.interrupt_ids().next()?),
    };
    finding.bound().map(|bound| (bound.as_ns(), finding.method.to_string()))
}

/// One in this many systems is searched by the simulator as well.
const SEARCHED_ONE_IN: u64 = 8;

/// Explores one system. Nothing is ignored: a panic is a violation, too.
pub fn explore(seed: u64, index: u64, limit: usize, table: &mut Table) {
    let outcome = catch_unwind(|| {
        let mut own = Table::default();
        explore_one(seed, index, limit, &mut own);
        own
    });
    match outcome {
        Ok(own) => table.merge(own),
        Err(_) => table.violations.push((index, "panic".to_owned())),
    }
}

fn explore_one(seed: u64, index: u64, limit: usize, table: &mut Table) {
    let (row, hog, text) = text(seed, index);
    let counts = &mut table.rows[row][usize::from(hog)];
    let system = system(&text);
    let Some((bound, method)) = bound(&system) else {
        counts.unbounded += 1;
        return;
    };
    if let Some(chain) = system.chains.first() {
        let found = paths::explore(&system, chain, (bound, &text), limit);
        return match found {
            None => counts.too_large += 1,
            Some(Explored { reaction, states, wrong }) => {
                counts.add(reaction, bound);
                table.states += states;
                table.violations.extend(wrong.into_iter().map(|what| (index, what)));
            }
        };
    }
    let Some(layout) = Layout::new(&system, target(&system)) else {
        table.violations.push((index, format!("not covered:\n{text}")));
        return;
    };
    let Some(longest) = reach::longest(&layout, limit) else {
        counts.too_large += 1;
        return;
    };
    let response = u64::from(longest.response);
    counts.add(response, bound);
    table.states += longest.states as u64;
    let mut violation = |what: String| table.violations.push((index, format!("{what}:\n{text}")));
    if response > bound {
        violation(format!("response {response} > bound {bound} ({method})"));
    }
    if let Some(difference) = replay::difference(&system, &layout, &longest) {
        violation(difference);
    }
    if index.is_multiple_of(SEARCHED_ONE_IN)
        && let Some(observed) = replay::searched(&system, &layout, index)
        && observed > response
    {
        violation(format!("the search observes {observed}, the longest of all is {response}"));
    }
}

fn target(system: &System) -> &'static str {
    let is_task = system.tasks.iter().any(|task| task.name == "task.target");
    if is_task { "task.target" } else { "interrupt.target" }
}

/// One system, its bound, and the history of its longest response, as comments.
pub fn describe(seed: u64, index: u64) -> String {
    let (row, _, mut text) = text(seed, index);
    let system = system(&text);
    let _ = writeln!(text, "\n# {}", ROWS[row].name);
    let _ = match bound(&system) {
        Some((bound, method)) => writeln!(text, "# bound {bound}: {method}"),
        None => writeln!(text, "# no bound"),
    };
    if let Some(chain) = system.chains.first() {
        return text + &paths::describe(&system, chain, LIMIT);
    }
    let explored = Layout::new(&system, target(&system));
    let explored = explored.and_then(|layout| Some((reach::longest(&layout, LIMIT)?, layout)));
    let Some((longest, layout)) = explored else { return text + "# more states than the limit\n" };
    let reach::Longest { response, shown_by, states } = longest;
    let _ =
        writeln!(text, "# longest response {response}, of {states} states, at {}", shown_by.until);
    let _ = writeln!(
        text,
        "# phases of the servers, or by how much their runtimes end late: {:?}",
        shown_by.phases
    );
    if let Some(from) = shown_by.held_up_from {
        let _ = writeln!(text, "# less urgent work holds up a member from {from} on");
    }
    for (work, jobs) in layout.work.iter().zip(&shown_by.jobs) {
        let jobs = jobs.iter().map(|job| {
            let late = job.release - job.arrival;
            let late = if late > 0 { format!("(+{late})") } else { String::new() };
            format!(" {}{late}+{}", job.arrival, job.execution)
        });
        let name = work::name(&system, work.of);
        let _ = writeln!(text, "# {name}, arrival + execution:{}", jobs.collect::<String>());
    }
    text
}
