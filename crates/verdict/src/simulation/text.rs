//! The result of `vorrang simulate` for people.
//!
//! ```text
//! core.0
//! responses: one row per task, interrupt and way of a packet
//! the first miss as a sentence
//! the chart, the histograms
//! budgets, delays, losses, packets, requests, timers: a table each, where there is something to say
//! what the core did with its time
//! chains: a row for reaction times and one for data ages
//! tool, input, history
//! ```

use super::bars;
use super::chains;
use super::rows::{self, Named};
use super::tables;
use super::{Followed, Seen, Simulation};
use crate::chance::{Chance, Frequency, decimal};
use crate::distribution::Distribution;
use crate::gantt::Characters;
use crate::identity::TOOL;
use crate::prose::wrapped;
use crate::screen::Screen;
use crate::table::{self, Column};
use crate::unit::Unit;
use crate::watch::{Doing, Response, Row, Watch, per_second};
use std::fmt::Write as _;
use vorrang_sim::End;
use vorrang_time::{Duration, Instant};

/// What is drawn besides tables.
pub struct Drawing {
    /// With which characters.
    pub characters: Characters,
    /// Names of what to draw a histogram of; empty: of everything; `None`: of nothing.
    pub histograms: Option<Vec<String>>,
}

/// The whole result.
pub fn of(screen: Screen, simulation: &Simulation, drawing: &Drawing) -> String {
    let system = &simulation.input.system;
    let mut out = String::new();
    for Followed { core, seen } in &simulation.cores {
        let name = &system.supply(*core).name;
        match seen {
            Ok(seen) => {
                let _ = writeln!(out, "{name}\n");
                out += &core_of(screen, simulation, seen, drawing);
            }
            Err(what) => {
                let _ = writeln!(out, "{name} is not simulated: {what}.\n");
            }
        }
    }
    out + &chains::text(screen, system, &simulation.chains) + &foot(simulation)
}

fn core_of(screen: Screen, simulation: &Simulation, seen: &Seen, drawing: &Drawing) -> String {
    let system = &simulation.input.system;
    let watch = &seen.watch;
    let rows = rows::all(watch);
    let mut out = responses(screen, &rows);
    let _ = writeln!(out, "\n{}", first_miss(screen, watch));
    if let Some(chart) = &seen.chart {
        let _ = writeln!(out, "{}", chart.draw(screen, drawing.characters));
    }
    for named in rows.iter().filter(|named| drawing.wants(named)) {
        let _ =
            writeln!(out, "{}", bars::draw(&named.name, named.distribution, drawing.characters));
    }
    for table in [
        chances(screen, simulation, watch),
        tables::packets(screen, watch),
        tables::budgets(screen, system, watch),
        tables::delays(screen, system, watch),
        tables::losses(screen, system, watch),
        tables::requests(screen, system, watch),
        tables::timers(screen, system, watch),
    ] {
        out += &table;
    }
    let time = watch.activity.time();
    if !time.is_zero() {
        out += &wrapped(screen, &activity(watch), "", "  ");
    }
    if time < simulation.horizon {
        let at = Unit::of(simulation.horizon).at(Instant::ZERO + time);
        let what = match seen.end {
            End::FullBooks => "Ended, because too many requests and woken jobs wait,",
            _ => "Interrupted",
        };
        let _ = writeln!(out, "{what} at {at}: what comes later is not known.");
    }
    if !out.ends_with("\n\n") {
        out.push('\n');
    }
    out
}

impl Drawing {
    fn wants(&self, named: &Named) -> bool {
        let wanted = self.histograms.as_ref();
        wanted
            .is_some_and(|names| names.is_empty() || names.iter().any(|name| name == named.subject))
    }
}

fn responses(screen: Screen, rows: &[Named]) -> String {
    let distributions = || rows.iter().map(|named| named.distribution);
    let of_row = |named: &Named, what: fn(&Row) -> Option<Duration>| named.row.and_then(what);
    let jobs = |named: &Named| named.row.map_or(named.distribution.count(), Row::jobs);
    let longest = |named: &Named| match named.row {
        Some(row) => row.longest.map(|response| response.time),
        None => named.distribution.longest(),
    };
    let misses = |named: &Named| named.row.filter(|row| row.limit.is_some()).map(|row| row.misses);
    table::draw(
        screen,
        &[
            Column::words("response of", rows.iter().map(|named| named.name.clone())),
            Column::counts("jobs", rows.iter().map(jobs)),
            Column::times("shortest", distributions().map(Distribution::shortest)),
            Column::times("mean", distributions().map(Distribution::mean)),
            Column::times("median", distributions().map(|times| times.percentile(500_000))),
            Column::times("99%", distributions().map(|times| times.percentile(990_000))),
            Column::times("longest", rows.iter().map(longest)),
            Column::times("limit", rows.iter().map(|named| of_row(named, |row| row.limit))),
            Column::some_counts("misses", rows.iter().map(misses)),
        ],
    )
}

fn first_miss(screen: Screen, watch: &Watch) -> String {
    let mut out = match watch.responses.first_miss() {
        Some((row, miss)) => sentence(screen, row, miss),
        None => NO_MISS.to_owned(),
    };
    let misbehave = watch.responses.rows.iter().filter(|row| row.misbehaves);
    let names: Vec<&str> = misbehave.map(|row| row.name.as_str()).collect();
    if !names.is_empty() {
        let text = format!("In a storm, so that no requirement counts: {}.", names.join(", "));
        out += &wrapped(screen, &text, "", "  ");
    }
    let waiting = |row: &&Row| row.longest.is_some_and(|longest| !longest.finished);
    for row in watch.responses.rows.iter().filter(waiting) {
        let since = row.longest.map_or(Duration::ZERO, |longest| longest.time);
        let unit = Unit::of(row.limit.unwrap_or(since));
        let (count, jobs) = (row.unfinished, row.jobs());
        let are = if count == 1 { "is" } else { "are" };
        let text = format!(
            "{}: {count} of {jobs} jobs {are} not complete at the end; the oldest has waited for {}.",
            row.name,
            unit.text(since)
        );
        out += &wrapped(screen, &text, "", "  ");
    }
    out
}

const NO_MISS: &str = "No requirement is missed in this history.\n";

fn sentence(screen: Screen, row: &Row, miss: Response) -> String {
    let Response { arrival, time, finished } = miss;
    let limit = row.limit.expect("only a limit can be missed");
    let unit = Unit::of(limit);
    let (deadline, end) = (arrival + limit, arrival + time);
    let fate = if finished {
        format!("is complete at {}, {} late", unit.at(end), unit.text(end - deadline))
    } else {
        "is not complete at the end of the history".to_owned()
    };
    let text = format!(
        "The first miss: {} arrives at {}, has its deadline at {} and {fate}.",
        row.name,
        unit.at(arrival),
        unit.at(deadline)
    );
    wrapped(screen, &text, "", "  ")
}

fn chances(screen: Screen, simulation: &Simulation, watch: &Watch) -> String {
    let rows: Vec<_> = simulation.chances(watch).collect();
    if rows.is_empty() {
        return String::new();
    }
    let seen = |of: fn(&Frequency) -> u64| {
        rows.iter().map(move |(_, _, chance)| chance.seen.as_ref().map(of))
    };
    let share = |chance: &Chance| chance.seen.as_ref().map_or("-".to_owned(), Frequency::share);
    let bound = |chance: &Chance| chance.later.as_ref().map_or("-".to_owned(), ToString::to_string);
    let table = table::draw(
        screen,
        &[
            Column::words("late by", rows.iter().map(|(name, ..)| (*name).to_owned())),
            Column::times("limit", rows.iter().map(|(_, limit, _)| Some(*limit))),
            Column::some_counts("jobs", seen(|seen| seen.jobs)),
            Column::some_counts("late", seen(|seen| seen.late)),
            Column::numbers("share", rows.iter().map(|(_, _, chance)| share(chance))),
            Column::numbers("bound", rows.iter().map(|(_, _, chance)| bound(chance))),
            Column::numbers("allowed", rows.iter().map(|(_, _, chance)| decimal(chance.allowed()))),
        ],
    );
    table + "\n"
}

/// What the core did, and how often it changed, in a sentence each.
fn activity(watch: &Watch) -> String {
    let activity = &watch.activity;
    let time = activity.time();
    let spent = Doing::ALL.into_iter().filter(|&doing| !activity.spent(doing).is_zero());
    let parts: Vec<String> = spent
        .filter_map(|doing| {
            let share = table::percent(activity.spent(doing), time)?;
            Some(format!("{} {share}%", doing.text()))
        })
        .collect();
    let mut text = format!("Time of the core: {}.", parts.join(", "));
    let switches = activity.switches;
    if switches > 0 {
        let rate = per_second(u128::from(switches), time);
        let _ = write!(text, " Context switches: {switches} ({rate} a second)");
        let _ = write!(text, "; scheduler calls: {}.", activity.calls);
    }
    text
}

fn foot(simulation: &Simulation) -> String {
    let Simulation { input, pattern, horizon, resolution, .. } = simulation;
    let tenths = resolution.tenths_of_a_percent();
    format!(
        "{TOOL}\n{}\nsha256 {}\nHistory {pattern}, {horizon} long. Percentiles are at most {}.{}% \
         too long.\n",
        input.name,
        input.sha256,
        tenths / 10,
        tenths % 10
    )
}
