//! What is asked of every system.

use super::keys::{ANALYSES, ASK, QUESTIONS, SCHEDULERS, SERVERS};
use super::table::Table;
use crate::axis::Axis;
use crate::point::{Budget, Deadlines, Point};
use crate::question::{Analysis, Ask, Question, Trials};
use vorrang_model::tree::{Entry, Errors, Value, excerpt};
use vorrang_model::{Code, Diagnostic, Span};

/// Most questions.
const ASKS: usize = 100;
/// Steps of a simulation and analyses of a design where nothing is said.
const STEPS: u64 = 100_000;
const ANALYSES_OF_A_DESIGN: u64 = 2_000;
/// Random histories where nothing is said: as many as `vorrang check` follows.
const HISTORIES: u64 = 24;

/// All of them in the order of the text.
pub(super) fn read(tables: &[&Entry], errors: &mut Errors) -> Vec<Ask> {
    let mut asks = Vec::new();
    for (name, span, entries) in named(tables, errors) {
        let full = format!("ask.{name}");
        asks.push(one(name, &mut Table::new(&full, &span, ASK, entries, errors)));
    }
    if asks.len() > ASKS {
        let message = format!("more than {ASKS} questions");
        errors.push(Diagnostic::new(Code::TooMany, 0..0, message));
    }
    asks
}

/// Names, where they stand, and keys of the questions.
fn named<'a>(tables: &[&'a Entry], errors: &mut Errors) -> Vec<(String, Span, &'a Vec<Entry>)> {
    let mut found = Vec::new();
    for table in tables.iter().filter(|table| table.key == "ask") {
        let Value::Table(asks) = &table.node.value else {
            let message =
                format!("`ask` is {} where a table of tables is expected", table.node.value.kind());
            let diagnostic = Diagnostic::new(Code::WrongType, table.span.clone(), message);
            errors.push(diagnostic.help("each question has a name of its own: [ask.NAME]"));
            continue;
        };
        for ask in asks {
            let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if ask.key.is_empty() || ask.key.len() > 60 || !ask.key.chars().all(allowed) {
                let message = format!("\"{}\" is not a name", excerpt(&ask.key));
                let diagnostic = Diagnostic::new(Code::BadName, ask.span.clone(), message);
                errors.push(diagnostic.help(
                    "a name consists of up to 60 of the letters A to Z and a to z, digits, `-` and `_`",
                ));
                continue;
            }
            let Value::Table(entries) = &ask.node.value else {
                let message = format!("`ask.{}` is {}", ask.key, ask.node.value.kind());
                let diagnostic = Diagnostic::new(Code::WrongType, ask.span.clone(), message);
                errors.push(diagnostic.help("write [ask.NAME] with a `question`"));
                continue;
            };
            found.push((ask.key.clone(), ask.span.clone(), entries));
        }
    }
    found
}

fn one(name: String, table: &mut Table) -> Ask {
    let word = table.word("question", QUESTIONS).unwrap_or(QUESTIONS[0]);
    if word != "accepted" {
        table.has_no_effect("by", "of the question `accepted` only");
    }
    let by = match table.word("by", ANALYSES) {
        Some("liu-layland") => Analysis::LiuLayland,
        Some("hyperbolic") => Analysis::Hyperbolic,
        _ => Analysis::Bounds,
    };
    let steps = |table: &mut Table, default| table.whole("steps", (1, 1_000_000_000_000), default);
    let within = |table: &mut Table| Trials {
        steps: steps(table, STEPS),
        histories: u32::try_from(table.whole("histories", (0, 1_000_000), HISTORIES))
            .expect("a million at most"),
    };
    if word != "refuted" && word != "tightness" {
        table.has_no_effect("histories", "nothing is simulated");
    }
    let question = match word {
        "refuted" => Question::Refuted(within(table)),
        "tightness" => Question::Tightness(within(table)),
        "reserved" => Question::Reserved { steps: steps(table, ANALYSES_OF_A_DESIGN) },
        _ => {
            table.has_no_effect("steps", "accepting takes no steps");
            Question::Accepted(by)
        }
    };
    let owned = |word: Option<&'static str>| word.map(str::to_owned);
    let scheduler = owned(table.word("scheduler", SCHEDULERS));
    let server = owned(table.word("server", SERVERS));
    let costs = table.flag("costs").unwrap_or(true);
    let pseudo_vcpu = table.flag("pseudo-vcpu");
    Ask { name, question, scheduler, server, costs, pseudo_vcpu }
}

/// Whether the questions can be asked of what is drawn.
pub(super) fn fit(asks: &[Ask], points: &[Point], tables: &[&Entry], errors: &mut Errors) {
    let mut ignored = Errors::default();
    let places = named(tables, &mut ignored);
    for (ask, (_, span, _)) in asks.iter().zip(places) {
        for why in points.iter().filter_map(|point| misfit(ask, point)) {
            let message = format!("`ask.{}` cannot be asked of these systems", ask.name);
            let diagnostic = Diagnostic::new(Code::NoEffect, span.clone(), message);
            errors.push(diagnostic.label(why));
        }
    }
}

/// Whether each question has a column of its own.
pub(super) fn are_columns(asks: &[Ask], axes: &[Axis], tables: &[&Entry], errors: &mut Errors) {
    let mut taken: Vec<String> = axes.iter().map(Axis::column).collect();
    taken.extend(["point".to_owned(), "sample".to_owned()]);
    for (ask, (_, span, _)) in asks.iter().zip(named(tables, &mut Errors::default())) {
        for column in [Some(ask.column()), ask.reasons()].into_iter().flatten() {
            if taken.contains(&column) {
                let message =
                    format!("the column `{column}` of `ask.{}` is there already", ask.name);
                let diagnostic = Diagnostic::new(Code::Duplicate, span.clone(), message);
                let help = "give the question another name; `-` and `_` are the same";
                errors.push(diagnostic.help(help));
            }
            taken.push(column);
        }
    }
}

fn misfit(ask: &Ask, point: &Point) -> Option<&'static str> {
    let is_criterion =
        matches!(ask.question, Question::Accepted(Analysis::LiuLayland | Analysis::Hyperbolic));
    let is_bare = point.guests.is_none() && point.interrupts.is_none();
    let takes_time = ask.costs && !point.costs.is_empty();
    let is_monotonic = ask.scheduler.as_deref().unwrap_or(&point.scheduler) != "edf";
    if is_criterion && !(is_bare && !takes_time && is_monotonic) {
        return Some("this criterion is about rate-monotonic tasks on a core, without costs");
    }
    if is_criterion && point.tasks.deadlines != Deadlines::Implicit {
        return Some("this criterion is about deadlines at the periods");
    }
    let designs = point.guests.as_ref().is_some_and(|guests| guests.budget == Budget::Designed);
    if matches!(ask.question, Question::Reserved { .. }) && !designs {
        return Some("nothing is designed: write budget = \"design\" in [vms]");
    }
    if ask.server.is_some() && point.guests.is_none() {
        return Some("there are no servers: [vms] is missing");
    }
    if ask.pseudo_vcpu.is_some() && (point.interrupts.is_none() || point.guests.is_none()) {
        return Some("no interrupt goes to a guest: [interrupts] or [vms] is missing");
    }
    None
}
