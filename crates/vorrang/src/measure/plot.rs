//! The measurement as a picture (SVG): curves normalised to their time to the full rate, a panel for
//! each state, and the loss against the frequency of switching beside the published machines.
//!
//! **Model.** The losses of this machine are simulated, slice by slice, with the flood fit of each set
//! in the dirty state; those of the publication follow from its rows by the same model. In the
//! double-logarithmic panel both rise with slope one up to the knee at `1/t_sust` (a dot) and are flat
//! from there on.

use super::chart::columns;
use std::fmt::Write as _;
use vorrang_measure::cache::{Measured, Outcome, State, plan};
use vorrang_measure::profile::Cache;
use vorrang_reproduce::switch_loss::{self, Row};
use vorrang_time::Duration;

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 260.0;
const MARGIN: f64 = 50.0;
/// Columns of a curve.
const COLUMNS: u32 = 120;
/// From light to dark: sets in the order of their sizes, also without colour.
pub(super) const COLOURS: [&str; 6] =
    ["#fde725", "#7ad151", "#22a884", "#2a788e", "#414487", "#440154"];
/// Sets that are drawn.
const SETS: [usize; 6] = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20];

/// The whole picture.
pub(super) fn svg(measured: &Measured) -> String {
    let states: Vec<State> =
        State::existing().into_iter().filter(|state| *state != State::Warm).collect();
    let kind = measured.outcomes.first().map(|of| of.point.kind);
    let outcomes: Vec<&Outcome> =
        measured.outcomes.iter().filter(|of| Some(of.point.kind) == kind).collect();
    let mut panels: Vec<String> = states.iter().map(|state| of_state(&outcomes, *state)).collect();
    panels.push(against_frequency(&series(&outcomes)));
    page(&panels, 0.0)
}

/// Room on the right for names of caches.
const NAMES: f64 = 120.0;

/// Panels in two columns; a single one by itself.
fn page(panels: &[String], right: f64) -> String {
    let across = panels.len().min(2);
    let rows = panels.len().div_ceil(2);
    let (width, height) = (WIDTH + 2.0 * MARGIN, HEIGHT + 2.0 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" \
         fill=\"white\"/>\n",
        width * real(across) + right,
        height * real(rows)
    );
    for (index, panel) in panels.iter().enumerate() {
        let (x, y) =
            (width * real(index % across) + MARGIN, height * real(index / across) + MARGIN);
        let _ = writeln!(out, "<g transform=\"translate({x} {y})\">\n{panel}</g>");
    }
    out + "</svg>\n"
}

#[expect(clippy::cast_precision_loss, reason = "counts of panels and columns")]
fn real(count: usize) -> f64 {
    count as f64
}

/// The useful fraction over two of the times to the full rate.
fn of_state(outcomes: &[&Outcome], state: State) -> String {
    let mut panel = frame(&format!("useful fraction f, caches {}", state.word()), "t / t_sust");
    for (part, label) in [(0.0, "0"), (0.5, "1"), (1.0, "2")] {
        panel += &text(part * WIDTH, HEIGHT + 14.0, "middle", label);
    }
    for (part, label) in [(0.0, "0"), (0.5, "0.5"), (1.0, "1")] {
        panel += &text(-6.0, HEIGHT * (1.0 - part) + 4.0, "end", label);
    }
    let of_state = outcomes.iter().filter(|of| of.point.state == state);
    for of in of_state {
        let Some((name, colour)) = key(of.point.set_bytes) else { continue };
        let Some(fractions) = columns(of, COLUMNS) else { continue };
        let points = fractions.iter().enumerate().map(|(column, fraction)| {
            let x = (real(column) + 0.5) / f64::from(COLUMNS) * WIDTH;
            (x, HEIGHT * (1.0 - fraction.clamp(0.0, 1.0)))
        });
        panel += &line(points, colour, "1.5");
        let place = SETS.iter().position(|set| *set == of.point.set_bytes);
        panel += &legend(place.unwrap_or(0), &name, colour);
    }
    panel
}

/// A set that is drawn: its name and colour.
fn key(set_bytes: usize) -> Option<(String, &'static str)> {
    let place = SETS.iter().position(|set| *set == set_bytes)?;
    Some((plan::size(set_bytes), COLOURS[place]))
}

fn legend(place: usize, name: &str, colour: &str) -> String {
    let y = 14.0 * real(place) + 40.0;
    let (from, to) = (WIDTH + 4.0, WIDTH + 16.0);
    let sample = line([(from, y), (to, y)].into_iter(), colour, "3");
    sample + &text(to + 3.0, y + 4.0, "start", name)
}

/// Decades of the frequency, in hertz, and of the loss.
const FREQUENCIES: (f64, f64) = (2.0, 6.0);
const LOSSES: (f64, f64) = (-4.0, 0.0);

/// A curve of the loss against the frequency of switching.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) colour: &'static str,
    pub(super) row: Row,
}

/// These curves alone, beside the published ones.
pub(super) fn sweep(series: &[Series]) -> String {
    let panel = against_frequency(series);
    page(&[panel], NAMES)
}

/// Those of a measurement that are drawn.
fn series(outcomes: &[&Outcome]) -> Vec<Series> {
    let dirty = outcomes.iter().filter(|of| of.point.state == State::Dirty);
    let series = dirty.filter_map(|of| {
        let (name, colour) = key(of.point.set_bytes)?;
        Some(Series { name, colour, row: row_of(of) })
    });
    series.collect()
}

fn against_frequency(series: &[Series]) -> String {
    let mut panel = frame("loss against switching, dirty; grey: published", "switches per second");
    for decade in [2.0, 3.0, 4.0, 5.0, 6.0] {
        panel += &text(x_of(decade), HEIGHT + 14.0, "middle", &format!("1e{decade}"));
    }
    for (decade, label) in
        [(-4.0, "0.01 %"), (-3.0, "0.1 %"), (-2.0, "1 %"), (-1.0, "10 %"), (0.0, "100 %")]
    {
        panel += &text(-4.0, y_of(decade) + 4.0, "end", label);
    }
    for row in switch_loss::rows() {
        panel += &of_row(&row, "#bbbbbb", "0.7", switch_loss::formula);
    }
    for (place, Series { name, colour, row }) in series.iter().enumerate() {
        panel += &of_row(row, colour, "1.8", switch_loss::loss);
        panel += &legend(place, name, colour);
    }
    panel
}

/// The flood fit as a row of the published table.
fn row_of(outcome: &Outcome) -> Row {
    let cache = Cache::of(&outcome.flood);
    Row {
        name: [String::new(), String::new(), String::new(), String::new()],
        useful_ppm: cache.useful_ppm,
        sustained: Duration::from_ns(cache.sustained_ns),
    }
}

/// A line through four points of every decade and the knee, with a dot there.
fn of_row(row: &Row, colour: &str, width: &str, loss: fn(&Row, Duration) -> f64) -> String {
    let at = |frequency: f64| {
        let slice = Duration::from_ns(slice_ns(frequency));
        (x_of(frequency.log10()), y_of(loss(row, slice).log10()))
    };
    let knee = 1e9 / as_real(row.sustained.as_ns());
    let decades = (0..=16).map(|step| 10_f64.powf(FREQUENCIES.0 + f64::from(step) / 4.0));
    let is_inside = (FREQUENCIES.0..=FREQUENCIES.1).contains(&knee.log10());
    let mut frequencies: Vec<f64> = decades.chain(is_inside.then_some(knee)).collect();
    frequencies.sort_by(f64::total_cmp);
    let curve = line(frequencies.into_iter().map(at), colour, width);
    let (x, y) = at(knee);
    let knee = format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{colour}\"/>\n");
    if is_inside { curve + &knee } else { curve }
}

#[expect(clippy::cast_precision_loss, reason = "a time in a picture")]
fn as_real(ns: u64) -> f64 {
    ns as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 µs to 10 ms")]
fn slice_ns(frequency: f64) -> u64 {
    (1e9 / frequency).round().clamp(1.0, 1e9) as u64
}

fn x_of(decade: f64) -> f64 {
    (decade - FREQUENCIES.0) / (FREQUENCIES.1 - FREQUENCIES.0) * WIDTH
}

fn y_of(decade: f64) -> f64 {
    let decade = decade.clamp(LOSSES.0, LOSSES.1);
    HEIGHT * (1.0 - (decade - LOSSES.0) / (LOSSES.1 - LOSSES.0))
}

fn frame(title: &str, below: &str) -> String {
    format!(
        "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#888888\"/>\n{}{}",
        text(0.0, -8.0, "start", title),
        text(WIDTH / 2.0, HEIGHT + 30.0, "middle", below)
    )
}

fn text(x: f64, y: f64, anchor: &str, words: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>\n")
}

fn line(points: impl Iterator<Item = (f64, f64)>, colour: &str, width: &str) -> String {
    let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let points = points.join(" ");
    format!(
        "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" points=\"{points}\"/>\n"
    )
}
