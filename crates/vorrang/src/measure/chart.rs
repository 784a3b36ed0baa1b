//! Curves in the terminal: the useful fraction against time, both in units of the flood fit.
//!
//! ```text
//! dirty: a 16k, b 64k, c 256k
//!   1.0                             bbbbbcccc
//!                              ac
//!   0.5                        b
//!                             a
//!   0.0 aaaaaabbbbbbbcccccccccc
//!       0                        1                        2  t/t_sust
//! ```

use std::fmt::Write as _;
use vorrang_measure::cache::{Outcome, State, plan};
use vorrang_measure::curve::fractions;

/// Columns of a chart: two of the times to the full rate.
const COLUMNS: u32 = 60;
/// Lines above zero.
const LINES: usize = 10;
/// Sets that are drawn: few enough to be told apart.
const SETS: [usize; 4] = [16 << 10, 64 << 10, 256 << 10, 1 << 20];

/// The useful fraction in the columns of a chart; `None` where nothing is lost.
pub(super) fn columns(outcome: &Outcome, columns: u32) -> Option<Vec<f64>> {
    let sustained_ns = outcome.flood.sustained_ns;
    let step_ns = 2.0 * sustained_ns / f64::from(columns);
    (step_ns > 0.0).then(|| fractions(&outcome.curve.middle(), step_ns, columns))
}

/// A chart for each cold state.
pub(super) fn draw(outcomes: &[&Outcome]) -> String {
    let mut page = String::new();
    for state in State::existing() {
        let drawn = outcomes
            .iter()
            .filter(|of| of.point.state == state && state != State::Warm)
            .filter(|of| SETS.contains(&of.point.set_bytes))
            .filter_map(|of| Some((of.point.set_bytes, columns(of, COLUMNS)?)));
        let drawn: Vec<(usize, Vec<f64>)> = drawn.collect();
        if !drawn.is_empty() {
            page += &chart(state.word(), &drawn);
        }
    }
    page
}

fn chart(name: &str, curves: &[(usize, Vec<f64>)]) -> String {
    let width = COLUMNS as usize;
    let mut grid = vec![vec![' '; width]; LINES + 1];
    for ((_, curve), letter) in curves.iter().zip('a'..) {
        for (column, fraction) in curve.iter().enumerate() {
            grid[LINES - line(*fraction)][column] = letter;
        }
    }
    let key =
        curves.iter().zip('a'..).map(|((set, _), letter)| format!("{letter} {}", plan::size(*set)));
    let mut out = format!("\nf(t), {name}: {}\n", key.collect::<Vec<_>>().join(", "));
    for (index, row) in grid.iter().enumerate() {
        let label = match index {
            0 => "1.0",
            LINES => "0.0",
            _ if index * 2 == LINES => "0.5",
            _ => "",
        };
        let text = format!("  {label:>3} {}", row.iter().collect::<String>());
        let _ = writeln!(out, "{}", text.trim_end());
    }
    let _ = writeln!(out, "      0{:>1$}{2:>1$}  t/t_sust", 1, width / 2, 2);
    out
}

/// The line of a fraction, from below.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "within the chart"
)]
fn line(fraction: f64) -> usize {
    (fraction.clamp(0.0, 1.0) * LINES as f64).round() as usize
}
