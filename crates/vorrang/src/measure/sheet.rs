//! What was measured as a page: costs, fits, distributions and the conditions.
//!
//! **Model.** The page is made of a profile: of the one that is in a file, or of what a measurement would put into it.
//! Distributions are drawn through the quantiles that a profile keeps, curves of caches by their fits; a measurement that
//! has more shows that, too (`curves.rs`).

use std::fmt::Write as _;
use vorrang_figure::{Axis, Chart, Figure, Series, Shape, escaped};
use vorrang_measure::fit::{Fit, Model};
use vorrang_measure::profile::{Cache, Number, Profile, Section};
use vorrang_report::grid::{self, Cell, Head, numbers, words};
use vorrang_report::{Options, Report, document};

/// Curves of one figure.
const CURVES: usize = 6;
/// Points of a fitted curve.
const POINTS: u32 = 60;

const COSTS: [Head; 2] = [words("cost"), numbers("charged [us]")];
const CACHES: [Head; 5] = [
    words("cache"),
    words("model"),
    numbers("useful at first [%]"),
    numbers("full rate after, or time constant [us]"),
    numbers("lost by a switch at most [us]"),
];
const NUMBERS: [Head; 8] = [
    words("number"),
    numbers("count"),
    numbers("interrupted"),
    numbers("10 % [us]"),
    numbers("median [us]"),
    numbers("90 % [us]"),
    numbers("longest [us]"),
    words("further"),
];

/// The page of a profile; `seen` is what a measurement shows beyond it.
pub(super) fn of(name: &str, profile: &Profile, seen: Vec<Figure>, options: &Options) -> Report {
    let mut figures = Vec::new();
    let mut body = document::heading(name, options.date.as_deref());
    body += &document::sentence(None, &sentence(profile));
    body += "<h2 id=\"measured\">What was measured</h2>\n";
    for figure in seen {
        body += &figure.html();
        figures.push(figure);
    }
    for section in &profile.sections {
        let _ = writeln!(body, "<h3>{}</h3>", escaped(&section.verb));
        body += &table(section);
        if let Some(figure) = quantiles(section) {
            body += &figure.html();
            figures.push(figure);
        }
        let conditions: Vec<(&str, String)> =
            section.conditions.iter().map(|(key, value)| (key.as_str(), escaped(value))).collect();
        body += &document::facts(&conditions);
    }
    body += "<h2 id=\"costs\">What descriptions are charged</h2>\n";
    body += &charged(profile);
    if let Some(figure) = fits(&profile.caches) {
        body += &figure.html();
        figures.push(figure);
    }
    body += &document::foot(&[]);
    Report { html: document::document(name, ("measured", "numbers"), &body), figures }
}

/// The page of a measurement, by what it puts into a profile.
pub(super) fn of_measurement(
    verb: &str,
    seen: Vec<Figure>,
    options: &Options,
    measured: impl FnOnce(&mut Profile),
) -> Report {
    let mut profile = Profile::default();
    measured(&mut profile);
    of(&format!("vorrang measure {verb}"), &profile, seen, options)
}

/// What is in a profile.
pub(super) fn sentence(profile: &Profile) -> String {
    let count = profile.sections.iter().map(|section| section.numbers.len()).sum();
    let number = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    format!(
        "{} of {}, {} and {} for descriptions.",
        number(count, "number"),
        number(profile.sections.len(), "measurement"),
        number(profile.costs.len(), "cost"),
        number(profile.caches.len(), "cache"),
    )
}

fn micros(ns: f64) -> Cell {
    Cell::Number(format!("{:.3}", ns / 1e3))
}

fn charged(profile: &Profile) -> String {
    let cost = |(name, ns): &(String, u64)| vec![Cell::Name(name.clone()), Cell::micros(*ns)];
    let costs: Vec<Vec<Cell>> = profile.costs.iter().map(cost).collect();
    let cache = |(name, of): &(String, Cache)| {
        let model = match of.model {
            Model::Flood => "flood",
            Model::Exponential => "exponential",
        };
        let useful = Cell::Number(format!("{:.4}", f64::from(of.useful_ppm) / 1e4));
        let lost = fit(of).loss_ns(f64::INFINITY);
        vec![
            Cell::Name(name.clone()),
            Cell::Text(model.to_owned()),
            useful,
            Cell::micros(of.sustained_ns),
            micros(lost),
        ]
    };
    let caches: Vec<Vec<Cell>> = profile.caches.iter().map(cache).collect();
    if costs.is_empty() && caches.is_empty() {
        return "<p>Nothing of it.</p>\n".to_owned();
    }
    grid::table("Costs", &COSTS, &costs) + &grid::table("Caches", &CACHES, &caches)
}

#[expect(clippy::cast_precision_loss, reason = "a time in a picture")]
fn fit(of: &Cache) -> Fit {
    Fit {
        model: of.model,
        useful: f64::from(of.useful_ppm) / 1e6,
        sustained_ns: of.sustained_ns as f64,
        residual_ns: 0.0,
    }
}

/// What is lost by a time after a switch, as the fits say; of many caches some, evenly chosen.
fn fits(caches: &[(String, Cache)]) -> Option<Figure> {
    let step = caches.len().div_ceil(CURVES).max(1);
    let chosen: Vec<(&str, Fit)> =
        caches.iter().step_by(step).map(|(name, of)| (name.as_str(), fit(of))).collect();
    let longest = chosen.iter().map(|(_, of)| of.sustained_ns).fold(0.0, f64::max) * 1.5;
    if longest <= 0.0 {
        return None;
    }
    let mut chart = Chart::new(
        "fits",
        "What is lost to cold caches after a switch",
        Axis::linear("time after the switch", "us").from(0.0).to(longest / 1e3),
        Axis::linear("lost", "us").from(0.0),
    )
    .described(
        "By the fits: a flood loses the same part of the time up to the full rate, an exponential less and less.",
    );
    for (name, of) in chosen {
        let at = |step| longest * f64::from(step) / f64::from(POINTS);
        let points = (0..=POINTS).map(|step| (at(step) / 1e3, of.loss_ns(at(step)) / 1e3));
        chart = chart.with(Series::new(name, Shape::Line, points.collect()));
    }
    Some(chart.into())
}

fn table(section: &Section) -> String {
    let row = |(name, of): &(String, Number)| {
        let further = of.further.iter().map(|(key, value)| format!("{key} {value:.1}"));
        vec![
            Cell::Name(name.clone()),
            Cell::Number(of.spread.count.to_string()),
            Cell::Number(of.interrupted.to_string()),
            micros(of.spread.low),
            micros(of.spread.median),
            micros(of.spread.high),
            micros(of.spread.max),
            Cell::Text(further.collect::<Vec<_>>().join(", ")),
        ]
    };
    let rows: Vec<Vec<Cell>> = section.numbers.iter().map(row).collect();
    grid::table(&section.verb, &NUMBERS, &rows)
}

/// The quantiles that a profile keeps beside those of its spread, in percent.
const KEPT: [(&str, f64); 4] =
    [("min-ns", 0.0), ("p01-ns", 1.0), ("p99-ns", 99.0), ("p999-ns", 99.9)];

/// How much of what was measured is at most how long, through the quantiles that are known.
fn quantiles(section: &Section) -> Option<Figure> {
    let name = document::anchor('q', section.numbers.len(), &section.verb);
    let title = format!("Distributions: {}", section.verb);
    let mut chart = Chart::new(
        name,
        title,
        Axis::linear("time", "us"),
        Axis::linear("not longer than that", "%").from(0.0).to(100.0),
    )
    .described("Through the quantiles that the profile keeps; between them it is not known.");
    for (name, of) in section.numbers.iter().filter(|(_, of)| of.spread.count > 1).take(CURVES) {
        chart = chart.with(Series::new(name.as_str(), Shape::LineWithPoints, points(of)));
    }
    (!chart.series.is_empty()).then(|| chart.into())
}

fn points(of: &Number) -> Vec<(f64, f64)> {
    let further =
        |key: &str| of.further.iter().find(|(known, _)| known == key).map(|known| known.1);
    let kept = KEPT.into_iter().filter_map(|(key, part)| Some((further(key)?, part)));
    let spread = &of.spread;
    let own = [(spread.low, 10.0), (spread.median, 50.0), (spread.high, 90.0), (spread.max, 100.0)];
    let mut points: Vec<(f64, f64)> = kept.chain(own).map(|(ns, part)| (ns / 1e3, part)).collect();
    points.sort_by(|one, other| one.1.total_cmp(&other.1));
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use vorrang_measure::statistics::Spread;

    #[test]
    fn a_profile_has_its_costs_fits_and_distributions_on_a_page() {
        let spread = Spread { count: 9, low: 1e3, median: 2e3, high: 3e3, max: 9e3 };
        let number = Number { spread, ..Number::default() }.with(&[("p99-ns", 8e3)]);
        assert_eq!(
            points(&number),
            [(1.0, 10.0), (2.0, 50.0), (3.0, 90.0), (8.0, 99.0), (9.0, 100.0)]
        );
        let cache = Cache { model: Model::Flood, useful_ppm: 250_000, sustained_ns: 40_000 };
        let profile = Profile {
            costs: vec![("context-switch".to_owned(), 2_100)],
            caches: vec![("write-64k-dirty".to_owned(), cache)],
            sections: vec![Section {
                verb: "switch".to_owned(),
                conditions: vec![("kernel".to_owned(), "<6.1>".to_owned())],
                numbers: vec![("direct-futex".to_owned(), number)],
            }],
            kernel: None,
        };
        let made = of("machine.toml", &profile, Vec::new(), &Options::default());
        let names: Vec<String> = made.figures.iter().map(Figure::name).collect();
        assert_eq!(names, ["q1-switch", "fits"]);
        // Three quarters of 40 us.
        for text in ["30.000", "2.100", "direct-futex", "&lt;6.1&gt;"] {
            assert!(made.html.contains(text), "{text}");
        }
        assert_eq!(
            sentence(&profile),
            "1 number of 1 measurement, 1 cost and 1 cache for descriptions."
        );
    }
}
