//! One requirement: what is known of it, how its bound comes about, and its figures.

use crate::pattern::folded;
use crate::responses::{self, OnCore};
use crate::verdicts::{margin, micros};
use crate::{decides, document, lanes, margins, page, recorder, schedule, steps};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use vorrang_analysis::{Bounds, Curves, curves, derived_bounds_of};
use vorrang_figure::{Figure, escaped};
use vorrang_model::system::{RequirementKind, SupplyId};
use vorrang_verdict::cause::Cause;
use vorrang_verdict::checked::Checked;
use vorrang_verdict::margin::Found;
use vorrang_verdict::replay::Replay;
use vorrang_verdict::ruling::Ruling;
use vorrang_verdict::terms;
use vorrang_verdict::unit::Unit;

/// What is looked at once for all sections.
pub(crate) struct Looked {
    bounds: Bounds,
    curves: Vec<(usize, Option<Curves>)>,
    seen: Vec<OnCore>,
}

impl Looked {
    /// At the requirements in these places, with about so many jobs by chance.
    pub(crate) fn at(checked: &Checked, places: &[usize], jobs: u64) -> Self {
        let system = &checked.input.system;
        let kinds: Vec<RequirementKind> =
            places.iter().map(|&place| checked.rulings[place].kind).collect();
        let cores: BTreeSet<SupplyId> =
            places.iter().map(|&place| checked.rulings[place].core).collect();
        let cores: Vec<SupplyId> = cores.into_iter().collect();
        Self {
            bounds: derived_bounds_of(system, kinds.iter().copied(), &|| false),
            curves: places.iter().copied().zip(curves(system, &kinds)).collect(),
            seen: responses::on_cores(system, &cores, checked.observations.seed, jobs),
        }
    }
}

/// Its section; its figures are kept, too.
pub(crate) fn section(
    checked: &Checked,
    place: usize,
    looked: &Looked,
    found: &Found,
    figures: &mut Vec<Figure>,
) -> String {
    let ruling = &checked.rulings[place];
    let mut out = format!(
        "<section class=\"requirement\" id=\"{}\">\n<h3>{} {}</h3>\n",
        page::anchor(checked, place),
        escaped(&ruling.name),
        document::verdict(ruling.verdict)
    );
    out += &facts(checked, ruling);
    let mut own = drawn(checked, place, looked, schedule::WIDE);
    own.extend(margins::figure(checked, place, found));
    for figure in &own {
        out += &figure.html();
    }
    figures.extend(own);
    out += &margins::remarks(checked, place, found);
    out + &derivation(checked, place, looked) + "</section>\n"
}

/// Its figures: its path, what decides, the response times, the schedule of its worst history, so many pixels wide.
pub(crate) fn drawn(checked: &Checked, place: usize, looked: &Looked, width: f64) -> Vec<Figure> {
    let (system, ruling) = (&checked.input.system, &checked.rulings[place]);
    let anchor = page::anchor(checked, place);
    let path = lanes::of_woken(&format!("{anchor}-path"), checked, ruling);
    let of_place = looked.curves.iter().find(|(of, _)| *of == place);
    let curves = of_place.and_then(|(_, curves)| curves.as_ref());
    let decides = curves
        .filter(|curves| Some(curves.bound) == ruling.bound)
        .map(|curves| decides::figure(&format!("{anchor}-decides"), ruling, curves));
    let responses = responses::figure(
        &format!("{anchor}-responses"),
        ruling,
        recorder::source(ruling.kind),
        &looked.seen,
    );
    let schedule = schedule::figure(&format!("{anchor}-schedule"), system, ruling, width);
    [path, decides, responses, schedule].into_iter().flatten().collect()
}

/// How its bound comes about, or why there is none.
pub(crate) fn derivation(checked: &Checked, place: usize, looked: &Looked) -> String {
    let (system, ruling) = (&checked.input.system, &checked.rulings[place]);
    let title = if ruling.bound.is_some() {
        "How the bound comes about, step by step"
    } else {
        "Why there is no bound"
    };
    let mut out = format!("<details><summary>{title}</summary>\n");
    out += &steps::list(looked.bounds.explanation(system, ruling.kind).lines());
    if ruling.chance.is_some() {
        let required = &system.requirements[place];
        let by_chance = looked.bounds.explanation_of_chance(system, required);
        out += "<p>The deadline-miss probability:</p>\n";
        out += &steps::list(by_chance.lines());
    }
    out + "</details>\n"
}

fn facts(checked: &Checked, ruling: &Ruling) -> String {
    let mut rows: Vec<(&str, String)> = vec![("limit", format!("{} us", micros(ruling.limit)))];
    let bound = ruling.bound.map_or("none".to_owned(), |bound| format!("{} us", micros(bound)));
    rows.push(("bound", format!("{bound}, by {}", escaped(&ruling.by))));
    if let Some(margin) = margin(ruling) {
        rows.push(("margin of the bound", format!("{margin} % of the limit")));
    }
    if let Some(seen) = &ruling.observed {
        let pattern = folded(&seen.pattern);
        let least = if seen.finished { "" } else { "at least " };
        let time = micros(seen.response);
        rows.push(("worst seen", format!("{least}{time} us, in history {pattern}")));
    }
    if let Some(chance) = &ruling.chance {
        let allowed = vorrang_verdict::chance::decimal(chance.allowed());
        let later = chance.later.as_ref().map_or("none".to_owned(), ToString::to_string);
        rows.push(("deadline-miss probability", format!("bound {later}, allowed {allowed}")));
    }
    if let Some(cause) = ruling.cause() {
        rows.push((
            "code",
            format!("<code>{}</code> (<code>vorrang explain {0}</code>)", Cause::code(cause)),
        ));
    }
    if let Some(reason) = &ruling.reason {
        rows.push(("reason", escaped(&reason.text)));
    }
    if let Some(terms) = terms::said(&ruling.terms, Unit::of(ruling.limit)) {
        rows.push(("largest terms", escaped(&terms)));
    }
    if let Some(help) = &ruling.help {
        rows.push(("what would help", escaped(&help.text)));
    }
    if let Some(seen) = ruling.witness.as_ref() {
        let replay = Replay::of(&checked.input, &checked.observations, ruling.core, &seen.pattern);
        rows.push(("to see it", folded(&replay.to_string())));
    }
    let mut out = String::from("<dl class=\"facts\">\n");
    for (name, value) in rows {
        let _ = writeln!(out, "<dt>{name}</dt><dd>{value}</dd>");
    }
    out + "</dl>\n"
}
