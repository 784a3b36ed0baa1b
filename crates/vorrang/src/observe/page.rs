//! What a kernel did as a page: measured beside simulated beside bound.

use super::observed::Observed;
use super::{chains, text};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use vorrang_figure::{
    Axis, Bar, Bars, Figure, Mark, Part, Row as Line, Schedule, Sign, Slice, Use, escaped,
};
use vorrang_model::system::TaskId;
use vorrang_observe::comparison::{Comparison, What};
use vorrang_observe::history::{History, Job};
use vorrang_observe::observation::{Kind, Outcome, Row, Seen};
use vorrang_report::grid::{self, Cell, Head, numbers, words};
use vorrang_report::times::{self, Counted, Marked};
use vorrang_report::{Options, Report, Simulated, document};
use vorrang_time::Duration;
use vorrang_verdict::outcome::Verdict;

const HEADS: [Head; 9] = [
    words("of"),
    words("thread"),
    numbers("jobs"),
    numbers("mean [us]"),
    numbers("longest [us]"),
    numbers("bound [us]"),
    numbers("executed [us]"),
    numbers("stated [us]"),
    words("verdict"),
];

const BUDGETS: [Head; 7] = [
    words("budget of"),
    words("thread"),
    numbers("budget [us]"),
    numbers("period [us]"),
    numbers("mean in a period [us]"),
    numbers("largest in a window [us]"),
    words("verdict"),
];

const CHAINS: [Head; 8] = [
    words("chain"),
    words("time"),
    numbers("values"),
    numbers("mean [us]"),
    numbers("longest [us]"),
    numbers("bound [us]"),
    numbers("limit [us]"),
    words("verdict"),
];

/// Threads of a schedule that are drawn, those with most of the time.
const THREADS: usize = 24;

/// The page.
pub(super) fn of(observed: &Observed, options: &Options) -> Report {
    let Observed { input, observation, .. } = observed;
    let mut figures = Vec::new();
    let mut body = document::heading(&input.name, options.date.as_deref());
    let verdict = match observation.outcome() {
        Outcome::Above => Some(Verdict::Refuted),
        Outcome::Open => Some(Verdict::Undecided),
        Outcome::Below => None,
    };
    body += &document::sentence(verdict, &text::sentence(observed));
    body += "<h2 id=\"responses\">Responses and budgets</h2>\n";
    body += &tables(observed);
    let details: String = observation.rows.iter().map(|row| text::details(observed, row)).collect();
    for paragraph in details.split("\n\n").map(str::trim).filter(|text| !text.is_empty()) {
        let _ = writeln!(body, "<p>{}</p>", escaped(paragraph).replace("\n  ", " "));
    }
    let mut drawn = vec![budgets(observed)];
    drawn.extend(responses(observed, options.detailed));
    for figure in drawn.into_iter().flatten() {
        body += &figure.html();
        figures.push(figure);
    }
    body += "<h2 id=\"assumptions\">Assumptions</h2>\n<ol>\n";
    body += &text::assumed(observed)
        .into_iter()
        .map(|of| format!("<li>{}</li>\n", escaped(of)))
        .collect::<Vec<_>>()
        .concat();
    body += "</ol>\n";
    body += &document::foot(&[
        format!("{}, sha256 {}", input.name, input.sha256),
        text::origin(observed),
    ]);
    Report { html: document::document(&input.name, ("responses", "responses"), &body), figures }
}

fn tables(observed: &Observed) -> String {
    let (mut jobs, mut budgets) = (Vec::new(), Vec::new());
    for row in &observed.observation.rows {
        let Ok(seen) = &row.seen else { continue };
        if row.kind == Kind::Chain {
            continue;
        }
        match &seen.usage {
            Some(usage) => budgets.push(vec![
                Cell::Name(row.name.clone()),
                Cell::Name(text::who(seen)),
                Cell::micros(usage.budget),
                Cell::micros(usage.period),
                Cell::micros(usage.mean / 1_000 * 1_000),
                usage.largest.map_or(Cell::Nothing, |of| Cell::micros(of.used.time)),
                Cell::Text(text::verdict(row)),
            ]),
            None => jobs.push(row_of_jobs(row, seen)),
        }
    }
    let mut all =
        grid::table("Responses", &HEADS, &jobs) + &grid::table("Budgets", &BUDGETS, &budgets);
    let handed: Vec<Vec<Cell>> =
        chains::values(&observed.observation.rows).iter().map(row_of_chains).collect();
    if !handed.is_empty() {
        all += &grid::table("Chains", &CHAINS, &handed);
    }
    all
}

fn row_of_chains((row, of, one): &chains::Of<'_>) -> Vec<Cell> {
    let time = |of: Option<u64>| of.map_or(Cell::Nothing, Cell::micros);
    vec![
        Cell::Name(row.name.clone()),
        Cell::Text(one.what.word().to_owned()),
        Cell::Number(of.values.to_string()),
        time(of.times.map(|times| times.mean / 1_000 * 1_000)),
        time(of.times.map(|times| times.longest)),
        time(one.worst.map(|sight| sight.bound)),
        time(of.limit),
        Cell::Text(one.verdict.word().to_owned()),
    ]
}

fn row_of_jobs(row: &Row, seen: &Seen) -> Vec<Cell> {
    let time = |of: Option<u64>| of.map_or(Cell::Nothing, Cell::micros);
    vec![
        Cell::Name(row.name.clone()),
        Cell::Name(text::who(seen)),
        Cell::Number(seen.jobs.to_string()),
        // A mean is no more exact than what it is of.
        time(seen.responses.map(|of| of.mean / 1_000 * 1_000)),
        time(seen.responses.map(|of| of.longest)),
        time(promised(row, What::Response)),
        time(seen.executed.map(|of| of.longest)),
        time(promised(row, What::Execution)),
        Cell::Text(text::verdict(row)),
    ]
}

/// The bound of a row.
fn promised(row: &Row, what: What) -> Option<u64> {
    let one = |of: &&Comparison| of.what == what;
    row.comparisons().iter().find(one)?.worst.map(|sight| sight.bound)
}

/// What servers used of their budgets, in parts of them.
fn budgets(observed: &Observed) -> Option<Figure> {
    let axis = Axis::linear("used in a period", "% of the budget");
    let mut bars = Bars::new("budgets", "What was used of budgets", axis)
        .described("The mean in a period, and what the largest window of a period has beyond it.");
    bars.parts = vec!["mean".to_owned(), "largest beyond it".to_owned()];
    bars.rule = Some((100.0, "budget".to_owned()));
    for row in &observed.observation.rows {
        let Some(usage) = row.seen.as_ref().ok().and_then(|seen| seen.usage.as_ref()) else {
            continue;
        };
        let largest = usage.largest.map_or(usage.mean, |of| of.used.time);
        let part = |of: usize, time: u64| Part { of, value: percent(time, usage.budget) };
        let parts = vec![part(0, usage.mean), part(1, largest.saturating_sub(usage.mean))];
        bars.bars.push(Bar { name: row.name.clone(), parts });
    }
    (!bars.bars.is_empty()).then(|| bars.into())
}

#[expect(clippy::cast_precision_loss, reason = "a length in a picture")]
fn percent(part: u64, of: u64) -> f64 {
    part as f64 * 100.0 / of.max(1) as f64
}

/// Of each task that was seen, its responses beside those that are simulated, and the schedule of its longest.
fn responses(observed: &Observed, most: usize) -> Vec<Option<Figure>> {
    let system = &observed.input.system;
    let simulated = Simulated::of(system);
    let mut drawn = Vec::new();
    for id in system.task_ids().take(most) {
        let name = &system.task(id).name;
        let row = observed.observation.rows.iter().find(|row| row.name == *name);
        let seen = row.and_then(|row| row.seen.as_ref().ok());
        let Some(history) = seen.and_then(|of| observed.observation.histories.get(&of.thread?))
        else {
            continue;
        };
        let jobs: Vec<&Job> = history.jobs.iter().filter(|job| job.is_complete).collect();
        drawn.push(beside(observed, id, &jobs, &simulated));
        let longest = jobs.iter().max_by_key(|job| job.response());
        drawn.extend(longest.map(|job| Some(scheduled(observed, (id, name), history, job))));
    }
    drawn
}

/// Measured beside simulated beside bound.
fn beside(observed: &Observed, id: TaskId, jobs: &[&Job], simulated: &Simulated) -> Option<Figure> {
    let system = &observed.input.system;
    let name = &system.task(id).name;
    let times = jobs.iter().map(|job| (Duration::from_ns(job.response()), 1)).collect();
    let measured = Counted { name: "measured".to_owned(), times };
    let counted: Vec<Counted> = [measured].into_iter().chain(simulated.task(id)).collect();
    let bound = observed.limits.tasks[id.0].as_ref().ok().copied().map(Marked::bound);
    let limit = system.requirements.iter().find(|of| of.name == *name).map(|of| of.limit);
    let marked: Vec<Marked> =
        simulated.worst(id).into_iter().chain(bound).chain(limit.map(Marked::limit)).collect();
    let title = format!("Response times, measured and simulated: {name}");
    let description = format!(
        "{} jobs that were measured, beside a history by chance of the simulator; the worst of all histories that \
         were tried, the bound and the limit are on the same axis.",
        jobs.len()
    );
    let of = document::anchor('t', id.0, name);
    times::figure(&of, (&title, &description), ("response time", "jobs"), &counted, &marked)
}

/// What its processor did while a job took longest.
fn scheduled(
    observed: &Observed,
    (id, name): (TaskId, &str),
    history: &History,
    job: &Job,
) -> Figure {
    let begin = observed.schedule.begin;
    let margin = (job.response() / 8).max(1_000);
    let (from, to) = (job.release.saturating_sub(margin).max(begin), job.end + margin);
    let at = |instant: u64| instant.clamp(from, to) - begin;
    let title = format!("The longest response measured: {name}");
    let mut schedule =
        Schedule::new(document::anchor('j', id.0, name), title, (at(from), at(to))).described(format!(
            "What processor {} did while this job of {name} took {}; times are from the beginning of the trace.",
            job.cpu,
            Duration::from_ns(job.response())
        ));
    let mut lines: BTreeMap<String, Line> = BTreeMap::new();
    let mut add = |who: &str, begin: u64, end: u64, of: Use| {
        let empty = || Line { name: who.to_owned(), ..Line::default() };
        let line = lines.entry(who.to_owned()).or_insert_with(empty);
        line.slices.push(Slice { from: at(begin), to: at(end), of, tip: String::new() });
    };
    let inside = |cpu: usize, begin: u64, end: u64| cpu == job.cpu && end > from && begin < to;
    for run in observed.schedule.all_runs().filter(|run| inside(run.cpu, run.begin, run.end)) {
        if run.thread != 0 {
            add(&format!("{} ({})", run.name, run.thread), run.begin, run.end, Use::Runs);
        }
    }
    let routines = observed.schedule.routines.iter().chain(&observed.schedule.vectors);
    for routine in routines.filter(|of| inside(of.cpu, of.begin, of.end)) {
        add(&routine.name, routine.begin, routine.end, Use::Serves);
    }
    let mut lines: Vec<Line> = lines.into_values().collect();
    let time = |line: &Line| line.slices.iter().map(|slice| slice.to - slice.from).sum::<u64>();
    lines.sort_by_key(|line| std::cmp::Reverse(time(line)));
    lines.truncate(THREADS);
    lines.insert(0, own_line(name, history, job, &at));
    schedule.rows = lines;
    schedule.point_out(at(job.release), at(job.end), name).into()
}

/// The job itself: when it had a processor, and when it waited for one.
fn own_line(name: &str, history: &History, job: &Job, at: &impl Fn(u64) -> u64) -> Line {
    let mut line = Line { name: name.to_owned(), ..Line::default() };
    let mut slice = |from: u64, to: u64, of: Use| {
        if at(from) < at(to) {
            line.slices.push(Slice { from: at(from), to: at(to), of, tip: String::new() });
        }
    };
    let mut last = job.release;
    let pieces = history.received.all().iter();
    for &(begin, end) in pieces.filter(|piece| piece.1 > job.release && piece.0 < job.end) {
        slice(last, begin, Use::Waits);
        slice(begin.max(last), end, Use::Runs);
        last = end;
    }
    slice(last, job.end, Use::Waits);
    let marks = [(job.release, Sign::Arrival), (job.end, Sign::Completion)];
    line.marks.extend(marks.map(|(when, sign)| Mark { at: at(when), sign, tip: String::new() }));
    line
}
