//! The points as a table, for people and as CSV.

use super::point::{Point, Required, columns};
use super::vary::Vary;
use std::borrow::Cow;
use std::fmt::Write as _;
use vorrang_command::screen;
use vorrang_time::Duration;
use vorrang_verdict::outcome::toned;
use vorrang_verdict::screen::Tone;
use vorrang_verdict::table::{Column, percent_at_most};

/// A row for each point: its values, the verdict, what is nearest to its limit, and bounds.
pub(super) fn text(varied: &[Vary], points: &[Point], of: &[String]) -> String {
    let mut table: Vec<Column> = varied
        .iter()
        .enumerate()
        .map(|(axis, vary)| {
            let cells = points.iter().map(move |point| point.values[axis].clone());
            Column::words(&vary.key, cells)
        })
        .collect();
    table.push(Column::toned("verdict", points.iter().map(verdict)));
    let named = |one: &Required| one.name.clone();
    let nearest = || points.iter().map(|point| nearest(point.requirements()));
    table.push(Column::words(
        "nearest to its limit",
        nearest().map(|one| one.map_or_else(dash, named)),
    ));
    let share = |one: &Required| percent_at_most(one.bound?, one.limit);
    table.push(Column::numbers(
        "of it [%]",
        nearest().map(|one| one.and_then(share).unwrap_or_else(dash)),
    ));
    for name in columns(points, of) {
        let bound = |point: &Point| point.requirement(&name)?.bound;
        table.push(Column::times(&name, points.iter().map(bound)));
    }
    let mut text = screen::draw(&table);
    text += &below(points);
    text
}

fn dash() -> String {
    "-".to_owned()
}

fn verdict(point: &Point) -> (&'static str, Tone) {
    match &point.found {
        Err(_) => ("refused", Tone::Bad),
        Ok(found) => found.verdict.map_or(("nothing", Tone::Open), toned),
    }
}

/// The requirement whose bound is the largest part of its limit; one without a bound, if there is one.
fn nearest(all: &[Required]) -> Option<&Required> {
    let part = |one: &Required| {
        let bound = one.bound.map_or(u128::MAX, |bound| u128::from(bound.as_ns()) << 64);
        bound / u128::from(one.limit.as_ns().max(1))
    };
    // The first of equals.
    all.iter().rev().max_by_key(|one| part(one))
}

/// How many points have each verdict, and why descriptions are refused.
fn below(points: &[Point]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for (word, _) in points.iter().map(verdict) {
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    let counts: Vec<String> =
        counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    let mut text = format!("\nOf {} points: {}.\n", points.len(), counts.join(", "));
    let mut said: Vec<&str> = Vec::new();
    for point in points {
        if let Err(why) = &point.found
            && !said.contains(&why.as_str())
        {
            said.push(why);
            let _ = writeln!(text, "Refused at {}: {why}", point.values.join(", "));
        }
    }
    text
}

/// A row for each point and requirement, times in nanoseconds; a head of names comes first.
pub(super) fn csv(varied: &[Vary], points: &[Point]) -> String {
    let mut text = String::new();
    let keys = varied.iter().map(|vary| quoted(&vary.key));
    let own = ["whole", "requirement", "verdict", "limit_ns", "bound_ns", "observed_ns", "refused"];
    line(&mut text, keys.chain(own.map(Cow::from)));
    for point in points {
        let values = || point.values.iter().map(|value| quoted(value));
        let (whole, _) = verdict(point);
        if let Err(why) = &point.found {
            let rest =
                [whole.into(), "".into(), "".into(), "".into(), "".into(), "".into(), quoted(why)];
            line(&mut text, values().chain(rest));
        }
        for one in point.requirements() {
            let rest: [Cow<str>; 7] = [
                whole.into(),
                quoted(&one.name),
                one.verdict.word().into(),
                one.limit.as_ns().to_string().into(),
                ns(one.bound),
                ns(one.observed),
                "".into(),
            ];
            line(&mut text, values().chain(rest));
        }
    }
    text
}

fn ns(time: Option<Duration>) -> Cow<'static, str> {
    time.map_or_else(|| "".into(), |time| time.as_ns().to_string().into())
}

/// As RFC 4180 has it.
fn quoted(text: &str) -> Cow<'_, str> {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\"")).into()
    } else {
        text.into()
    }
}

fn line<'a>(text: &mut String, cells: impl Iterator<Item = Cow<'a, str>>) {
    let cells: Vec<Cow<'a, str>> = cells.collect();
    *text += &cells.join(",");
    text.push('\n');
}
