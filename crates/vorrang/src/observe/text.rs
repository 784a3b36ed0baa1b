//! The result of `vorrang observe` for people.
//!
//! ```text
//! the table of tasks and interrupts, that of budgets, that of chains
//! the result as a sentence
//! violations, their places, and what ran meanwhile; what was not seen, and why; notes
//! the assumptions; tool, input, trace
//! ```

use super::chains::{table_of_chains, values, way};
use super::observed::Observed;
use super::told::{ns, seconds, whole};
use std::fmt::Write as _;
use vorrang_command::screen::draw;
use vorrang_command::screen::wrapped;
use vorrang_model::system::Kernel;
use vorrang_observe::comparison::{Comparison, Sight, Verdict, What};
use vorrang_observe::observation::{Kind, Outcome, Row, Seen};
use vorrang_observe::witness;
use vorrang_quote::visible;
use vorrang_verdict::identity::TOOL;
use vorrang_verdict::table::Column;
use vorrang_verdict::unit::Unit;

/// The assumptions of an observation.
const ASSUMED: [&str; 5] = [
    "a job of a thread begins when it is woken and ends when it next sleeps (S, I); while it waits for a lock or a disk (D) the job continues",
    "a response is measured from the wake-up, that of an interrupt from its routine, not from the arrival: it is at most the response of the description",
    "time of service routines belongs to no thread, as far as the trace has them",
    "jobs between which a thread does not sleep look like one; where that is possible, a response that is too long is open",
    "threads of a trace from another machine are identified by their names: of a process or a virtual machine the only thread with that name",
];

/// That of chains.
const OF_CHAINS: &str = "a job reads when it first has a processor and writes when it sleeps, with logical execution time at its wake-up and its deadline; a value of a chain counts if each of its tasks was woken in the trace before";

/// All that are made.
pub(super) fn assumed(observed: &Observed) -> Vec<&'static str> {
    let has_chains = !observed.input.system.chains.is_empty();
    ASSUMED.into_iter().chain(has_chains.then_some(OF_CHAINS)).collect()
}

/// The most threads that are named as having had the processor meanwhile.
const NAMED: usize = 6;

/// The whole result.
pub(super) fn of(observed: &Observed) -> String {
    let rows = &observed.observation.rows;
    let seen = rows.iter().filter_map(|row| Some((row, row.seen.as_ref().ok()?)));
    let seen = seen.filter(|(row, _)| row.kind != Kind::Chain);
    let (budgets, jobs): (Vec<_>, Vec<_>) =
        seen.partition(|(row, _)| row.comparisons().iter().any(|one| one.what == What::Budget));
    let chains = values(rows);
    let mut out = String::new();
    if !jobs.is_empty() {
        out += &(table_of_jobs(&jobs) + "\n");
    }
    if !budgets.is_empty() {
        out += &(table_of_budgets(&budgets) + "\n");
    }
    if !chains.is_empty() {
        out += &(table_of_chains(&chains) + "\n");
    }
    out += &wrapped(&sentence(observed), "", "");
    for row in rows {
        out += &details(observed, row);
    }
    out + &foot(observed)
}

fn table_of_jobs(rows: &[(&Row, &Seen)]) -> String {
    let compared = |what: What| {
        let of_row = move |(row, _): &(&Row, &Seen)| {
            row.comparisons().iter().find(|one| one.what == what)?.worst.map(|one| ns(one.bound))
        };
        rows.iter().map(of_row)
    };
    let seen = || rows.iter().map(|(_, seen)| *seen);
    draw(&[
        Column::words("of", rows.iter().map(|(row, _)| row.name.clone())),
        Column::words("thread", seen().map(who)),
        Column::counts("jobs", seen().map(|seen| seen.jobs)),
        Column::times("mean", seen().map(|seen| Some(whole(seen.responses?.mean)))),
        Column::times("longest", seen().map(|seen| Some(ns(seen.responses?.longest)))),
        Column::times("bound", compared(What::Response)),
        Column::times("executed", seen().map(|seen| Some(ns(seen.executed?.longest)))),
        Column::times("stated", compared(What::Execution)),
        Column::counts("preempted", seen().map(|seen| seen.preempted)),
        Column::words("verdict", rows.iter().map(|(row, _)| verdict(row))),
    ])
}

fn table_of_budgets(rows: &[(&Row, &Seen)]) -> String {
    let usage = || rows.iter().map(|(_, seen)| seen.usage.as_ref());
    draw(&[
        Column::words("budget of", rows.iter().map(|(row, _)| row.name.clone())),
        Column::words("thread", rows.iter().map(|(_, seen)| who(seen))),
        Column::times("budget", usage().map(|usage| Some(ns(usage?.budget)))),
        Column::times("period", usage().map(|usage| Some(ns(usage?.period)))),
        Column::times("mean", usage().map(|usage| Some(whole(usage?.mean)))),
        Column::times("largest", usage().map(|usage| Some(ns(usage?.largest?.used.time)))),
        Column::counts("preempted", rows.iter().map(|(_, seen)| seen.preempted)),
        Column::words("verdict", rows.iter().map(|(row, _)| verdict(row))),
    ])
}

pub(super) fn who(seen: &Seen) -> String {
    let name = visible(&seen.who);
    seen.thread.map_or(name.clone(), |thread| format!("{name} ({thread})"))
}

/// The worst of a row.
pub(super) fn verdict(row: &Row) -> String {
    let worst = row.comparisons().iter().map(|one| &one.verdict).max();
    worst.map_or("-", Verdict::word).to_owned()
}

pub(super) fn sentence(observed: &Observed) -> String {
    let rows = &observed.observation.rows;
    let above = |row: &&Row| row.comparisons().iter().any(|one| one.verdict == Verdict::Above);
    match observed.observation.outcome() {
        Outcome::Below if rows.iter().any(|row| !row.is_shown) => {
            "Everything that a trace of the host shows was seen, and nothing above its bound."
                .to_owned()
        }
        Outcome::Below => "Everything was seen, and nothing above its bound.".to_owned(),
        Outcome::Open => {
            "No value was above its bound, but not everything is as described and has been compared with one."
                .to_owned()
        }
        Outcome::Above => match rows.iter().filter(above).count() {
            1 => format!("One of {} is ABOVE its bound or stated value.", rows.len()),
            count => format!("{count} of {} are ABOVE their bounds or stated values.", rows.len()),
        },
    }
}

pub(super) fn details(observed: &Observed, row: &Row) -> String {
    let say = |text: &str| format!("\n{}", wrapped(&visible(text), "", "  "));
    let seen = match &row.seen {
        Ok(seen) => seen,
        Err(why) => return say(&format!("{} was not seen: {why}.", row.name)),
    };
    let mut out = String::new();
    for comparison in &seen.comparisons {
        let what = comparison.what.word();
        match (&comparison.verdict, &comparison.worst) {
            (Verdict::Above, Some(sight)) => out += &say(&above(observed, row, comparison, sight)),
            (Verdict::Open(why), Some(sight)) => {
                let unit = Unit::of(ns(sight.bound));
                let (time, bound) = (unit.text(ns(sight.time)), unit.text(ns(sight.bound)));
                out += &say(&format!(
                    "{}: {what} open, {time} where {bound} is allowed: {why}.",
                    row.name
                ));
            }
            (Verdict::Open(why), None) => {
                out += &say(&format!("{}: {what} open: {why}.", row.name));
            }
            _ => {}
        }
    }
    for note in seen.notes.iter().chain(&seen.remarks) {
        out += &say(&format!("{note}."));
    }
    out
}

/// Violations, their places, and what had the processor meanwhile.
fn above(observed: &Observed, row: &Row, comparison: &Comparison, sight: &Sight) -> String {
    let unit = Unit::of(ns(sight.bound));
    let what = match comparison.what {
        What::Response => "a response of",
        What::Execution => "an execution of",
        What::Budget => "a use of",
        What::Reaction => "a reaction time of",
        What::Age => "a data age of",
    };
    let (begin, end) = sight.place.window;
    let mut text = format!(
        "{}: {what} {} is ABOVE the {} allowed, {} {}; the longest from {} to {}",
        row.name,
        unit.text(ns(sight.time)),
        unit.text(ns(sight.bound)),
        comparison.above,
        if comparison.above == 1 { "time" } else { "times" },
        seconds(begin),
        seconds(end),
    );
    if row.kind == Kind::Chain {
        return text + &format!(". Its jobs read and wrote: {}.", way(row, comparison));
    }
    let _ = write!(text, " on processor {}.", sight.place.cpu);
    let shares = witness::meanwhile(&observed.schedule, &sight.place);
    let named = shares.iter().take(NAMED);
    let named = named.map(|share| format!("{} {}", share.who, unit.text(ns(share.time))));
    let named = named.collect::<Vec<_>>().join(", ");
    let _ = write!(text, " Meanwhile: {named}");
    if shares.len() > NAMED {
        let _ = write!(text, ", and {} more", shares.len() - NAMED);
    }
    text + "."
}

fn foot(observed: &Observed) -> String {
    let mut out = String::from("\nAssumed:\n");
    for (place, assumed) in assumed(observed).into_iter().enumerate() {
        out += &wrapped(assumed, &format!("  {}  ", place + 1), "     ");
    }
    let _ = write!(
        out,
        "\n{TOOL}\n{}\nsha256 {}\n{}\n",
        observed.input.name,
        observed.input.sha256,
        origin(observed)
    );
    out += &besides(observed);
    if observed.schedule.is_cut {
        out += "Older events were overwritten: it begins where that of the last processor does.\n";
    }
    out
}

/// What was not compared, of the trace and of the profile of a kernel.
fn besides(observed: &Observed) -> String {
    let mut out = String::new();
    match observed.schedule.skipped {
        0 => {}
        1 => out += "One line of a tracer says nothing about scheduling, and was skipped.\n",
        lines => {
            let _ = writeln!(
                out,
                "{lines} lines of tracers say nothing about scheduling, and were skipped."
            );
        }
    }
    let system = &observed.input.system;
    let tasks = system.tasks.iter().map(|task| &task.name);
    let names = tasks.chain(system.interrupts.iter().map(|interrupt| &interrupt.name));
    let names: Vec<&str> = names.map(String::as_str).filter(|name| Kernel::does(name)).collect();
    if !names.is_empty() {
        let names = names.join(", ");
        out +=
            &wrapped(&format!("Not compared, from the profile of the kernel: {names}."), "", "  ");
    }
    out
}

/// Which trace it is, and how exact.
pub(super) fn origin(observed: &Observed) -> String {
    let schedule = &observed.schedule;
    let exact = ns(2 * schedule.resolution);
    format!(
        "{}: from {} to {}, {} events of threads; a response is exact to {exact}, a sum to as much for each piece.",
        observed.from,
        seconds(schedule.begin),
        seconds(schedule.end),
        schedule.events.len(),
    )
}
