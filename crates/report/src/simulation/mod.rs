//! One history of every core: response times, the schedule around what matters most, where time went.
//!
//! **Model.** Numbers are those of the document of `vorrang simulate --json`. Bounds of the analysis stand beside what was
//! seen where there are any.

mod tables;

use crate::document::{self, Report};
use crate::grid::{self, Cell, Head, numbers, words};
use crate::options::Options;
use crate::responses::shown;
use crate::schedule;
use crate::times::{self, Counted, Marked};
use serde_json::Value;
use std::fmt::Write as _;
use vorrang_analysis::Bounds;
use vorrang_figure::{Axis, Bar, Bars, Figure, Part, escaped};
use vorrang_sim::Source;
use vorrang_time::{Duration, Instant};
use vorrang_verdict::outcome::Verdict;
use vorrang_verdict::simulation::chains::Values;
use vorrang_verdict::simulation::{
    Followed, Seen, Simulation, document as of_programs, matters_most,
};
use vorrang_verdict::watch::{Doing, Row};

const HEADS: [Head; 10] = [
    words("response of"),
    numbers("jobs"),
    numbers("shortest [us]"),
    numbers("mean [us]"),
    numbers("median [us]"),
    numbers("99 % [us]"),
    numbers("longest [us]"),
    numbers("bound [us]"),
    numbers("limit [us]"),
    numbers("misses"),
];

/// The report of a simulation; a `window` says what is drawn of a schedule, otherwise it is what matters most.
pub fn of_simulation(
    simulation: &Simulation,
    window: Option<(Instant, Instant)>,
    options: &Options,
) -> Report {
    let document = serde_json::from_str(&of_programs::of(simulation)).unwrap_or(Value::Null);
    let bounds = vorrang_analysis::bounds(&simulation.input.system);
    let mut figures = Vec::new();
    let mut body = document::heading(&simulation.input.name, options.date.as_deref());
    let missed = simulation.is_missed();
    body += &document::sentence(missed.then_some(Verdict::Refuted), &sentence(simulation));
    let pattern = escaped(&simulation.pattern.to_string());
    body += &document::facts(&[
        ("history", format!("<code>{pattern}</code>")),
        ("lasts", simulation.horizon.to_string()),
    ]);
    let cores = document["cores"].as_array().map_or(&[][..], Vec::as_slice);
    body += "<h2 id=\"responses\">Response times</h2>\n";
    for (Followed { seen, .. }, core) in simulation.cores.iter().zip(cores) {
        body += &responses(seen.as_ref().ok(), core, &bounds);
    }
    body += &tables::chains(&document["chains"]);
    let budget = options.detailed.div_ceil(simulation.cores.len().max(1));
    for Followed { seen, .. } in &simulation.cores {
        let Ok(seen) = seen else { continue };
        let own: Vec<Figure> =
            drawn(simulation, seen, (window, budget), &bounds).into_iter().flatten().collect();
        body += &own.iter().map(Figure::html).collect::<String>();
        figures.extend(own);
    }
    body += "<h2 id=\"time\">Where time went</h2>\n";
    let time = Figure::from(time(simulation));
    body += &time.html();
    figures.push(time);
    body += &cores.iter().map(tables::of_core).collect::<String>();
    body += &document::foot(&[
        format!("{}, sha256 {}", simulation.input.name, simulation.input.sha256),
        format!("History {} of {}.", simulation.pattern, simulation.horizon),
    ]);
    let html = document::document(&simulation.input.name, ("responses", "response times"), &body);
    Report { html, figures }
}

fn sentence(simulation: &Simulation) -> String {
    let rows = simulation.watches().flat_map(|watch| &watch.responses.rows);
    let mut missed: Vec<String> = rows
        .filter(|row| row.misses > 0)
        .map(|row| format!("{} ({} of {} jobs)", row.name, row.misses, row.jobs()))
        .collect();
    let end = simulation.interrupted().or(simulation.ended_early());
    let end = end.map_or(String::new(), |at| format!(" It ended after {at}."));
    let of_chain = |own: &Values| {
        let (count, all) = (own.misses().count(), own.all.len());
        let name = &simulation.input.system.chains[own.chain].name;
        (count > 0).then(|| format!("the {} of {name} ({count} of {all} values)", own.asked.word()))
    };
    missed.extend(simulation.chains.iter().filter_map(of_chain));
    if missed.is_empty() {
        format!("In this history nothing is late. That proves nothing of others.{end}")
    } else {
        format!("In this history these are late: {}.{end}", missed.join(", "))
    }
}

/// A core, and a row for everything that responds on it.
fn responses(seen: Option<&Seen>, core: &Value, bounds: &Bounds) -> String {
    let name = core["name"].as_str().unwrap_or_default();
    let mut out = format!("<h3>{}</h3>\n", escaped(name));
    if let Some(why) = core["not_simulated"].as_str() {
        return out + &format!("<p>It is not simulated: {}.</p>\n", escaped(why));
    }
    let of_name = |name: &str| {
        let rows = &seen?.watch.responses.rows;
        bound(bounds, rows.iter().find(|row| row.name == name)?)
    };
    let row = |response: &Value| {
        let mut cells: Vec<Cell> =
            ["name", "jobs", "shortest_ns", "mean_ns"].map(|key| Cell::of(response, key)).to_vec();
        cells.extend(["50_ns", "99_ns"].map(|key| Cell::of(&response["percentiles"], key)));
        cells.push(Cell::of(response, "longest_ns"));
        let bound = of_name(response["name"].as_str().unwrap_or_default());
        cells.push(bound.map_or(Cell::Nothing, |bound| Cell::micros(bound.as_ns())));
        cells.extend(["limit_ns", "misses"].map(|key| Cell::of(response, key)));
        cells
    };
    let rows: Vec<Vec<Cell>> =
        core["responses"].as_array().into_iter().flatten().map(row).collect();
    out += &grid::table(&format!("Response times of {name}"), &HEADS, &rows);
    out
}

fn bound(bounds: &Bounds, row: &Row) -> Option<Duration> {
    // What misbehaves is in no bound.
    let found = match row.source {
        _ if row.misbehaves => return None,
        Source::Task(id) => bounds.task(id),
        Source::Interrupt(id) => bounds.interrupt(id),
    };
    found.bound()
}

/// The schedule of a core and the distributions of its responses, so many at most.
fn drawn(
    simulation: &Simulation,
    seen: &Seen,
    (window, most): (Option<(Instant, Instant)>, usize),
    bounds: &Bounds,
) -> Vec<Option<Figure>> {
    let core = seen.watch.core.0;
    let distribution = |(place, row): (usize, &Row)| {
        let name = document::anchor('d', place, &format!("{core}-{}", row.name));
        let description = format!(
            "{} jobs: shortest {}, mean {}, longest {}.",
            row.completed.count(),
            shown(row.completed.shortest()),
            shown(row.completed.mean()),
            shown(row.completed.longest())
        );
        let bound = bound(bounds, row).map(Marked::bound);
        let marked: Vec<Marked> = bound.into_iter().chain(row.limit.map(Marked::limit)).collect();
        let counted = [Counted::of("jobs", &row.completed)];
        let title = format!("Response times: {}", row.name);
        times::figure(&name, (&title, &description), ("response time", "jobs"), &counted, &marked)
    };
    let rows = seen.watch.responses.rows.iter().enumerate().take(most);
    [scheduled(simulation, seen, window)].into_iter().chain(rows.map(distribution)).collect()
}

/// The schedule in a window, or around the job that matters most.
fn scheduled(
    simulation: &Simulation,
    seen: &Seen,
    window: Option<(Instant, Instant)>,
) -> Option<Figure> {
    let system = &simulation.input.system;
    let core = seen.watch.core;
    let history = simulation.pattern.history(system, core).ok()?;
    let job = matters_most(&seen.watch.responses);
    let is_given = window.is_some();
    let window = window.or_else(|| schedule::around(job?.1.arrival, job?.1.time, job?.0.limit))?;
    let title = format!("Schedule of {}", system.supply(core).name);
    let name = document::anchor('s', core.0, &system.supply(core).name);
    let end = job.filter(|_| !is_given).map_or(window.1, |(row, response)| {
        let limit = row.limit.unwrap_or(response.time);
        response.arrival + response.time.min(limit)
    });
    let on = (system, core);
    let (mut schedule, cut) = schedule::around_end(&name, &title, on, &history, (window, end))?;
    let mut text = format!("History {}.", simulation.pattern);
    if let Some((row, response)) = job {
        let (arrival, time) = (response.arrival.as_ns(), response.time.as_ns());
        let what = if row.limit.is_some_and(|limit| response.time > limit) {
            "is the first that is late"
        } else {
            "comes closest to its limit"
        };
        let at = response.arrival.saturating_since(Instant::ZERO);
        let _ = write!(text, " The job of {} that arrives at {at} {what}.", row.name);
        schedule = schedule.point_out(arrival, arrival.saturating_add(time), &row.name);
    }
    Some(schedule.described(text + cut).into())
}

/// What a core does, in as many parts as can be told apart; what is left of the time it has nothing to do.
const PARTS: [(&str, &[Doing]); 6] = [
    ("tasks", &[Doing::Tasks]),
    ("interrupt routines", &[Doing::Routines, Doing::GuestRoutines]),
    ("scheduler calls and switches", &[Doing::SchedulerCalls, Doing::Switches]),
    ("timer interrupts", &[Doing::Timers]),
    ("non-preemptible sections", &[Doing::Sections]),
    ("budget idled away", &[Doing::Idling]),
];

/// What each core did with its time.
fn time(simulation: &Simulation) -> Bars {
    let axis = Axis::linear("share of the time", "%").to(100.0);
    let mut bars = Bars::new("time", "What each core did", axis)
        .described("Shares of the time that was simulated; what is left, it had nothing to do.");
    bars.parts = PARTS.iter().map(|(name, _)| (*name).to_owned()).collect();
    bars.rule = Some((100.0, "whole time".to_owned()));
    for watch in simulation.watches() {
        let all = watch.activity.time().as_ns().max(1);
        let share = |(of, (_, own)): (usize, &(&str, &[Doing]))| {
            let spent = own.iter().map(|doing| watch.activity.spent(*doing).as_ns()).sum();
            Part { of, value: percent(spent, all) }
        };
        let name = simulation.input.system.supply(watch.core).name.clone();
        bars.bars.push(Bar { name, parts: PARTS.iter().enumerate().map(share).collect() });
    }
    bars
}

#[expect(clippy::cast_precision_loss, reason = "a length in a picture")]
fn percent(part: u64, of: u64) -> f64 {
    part as f64 * 100.0 / of as f64
}
