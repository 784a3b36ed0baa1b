//! The share of a server as a function of its period: in the terminal, and as a picture (SVG).
//!
//! ```text
//!   period  budget  takes  without costs
//!     [us]    [us]    [%]            [%]
//!   ------  ------  -----  -------------  ---------------------
//!     1000     ...                        ........#############
//!     2000     ...                        ........##            < least
//! ```
//!
//! A bar is the share of the server; its dots are the share without overheads.

use vorrang_command::screen;
use vorrang_design::{Cost, Point};
use vorrang_figure::{Axis, Chart, Figure, Series, Shape};
use vorrang_time::Duration;
use vorrang_verdict::occupied::{decimal, up};
use vorrang_verdict::table::Column;
use vorrang_verdict::unit::Unit;

/// Columns of the longest bar.
const BAR: i128 = 40;

/// The table, with bars.
pub(super) fn text(server: &str, points: &[Point]) -> String {
    let budget = |of: Option<(Duration, Cost)>| of.map(|(budget, _)| budget);
    let share =
        |of: Option<(Duration, Cost)>| of.map_or("-".to_owned(), |(_, cost)| up(cost.share()));
    let bars = bars(points);
    let columns = [
        Column::times("period", points.iter().map(|point| Some(point.period))),
        Column::times("budget", points.iter().map(|point| budget(point.with_costs))),
        Column::numbers("takes [%]", points.iter().map(|point| share(point.with_costs))),
        Column::numbers("without costs [%]", points.iter().map(|point| share(point.without))),
        Column::words("", bars),
    ];
    let mut out = format!("The share of {server} as a function of its period:\n\n");
    out += &screen::draw(&columns);
    out + "\nA dot is the share without costs, a # what these add. Where there is a -, no budget is enough.\n"
}

/// The cheapest, the longest of several.
fn least(points: &[Point]) -> Option<usize> {
    let costs = points.iter().enumerate();
    let costs = costs.filter_map(|(at, point)| Some((point.with_costs?.1, at)));
    costs.min_by_key(|&(cost, at)| (cost, std::cmp::Reverse(at))).map(|(_, at)| at)
}

fn hundredths(of: Option<(Duration, Cost)>) -> Option<i128> {
    of.map(|(_, cost)| cost.share().hundredths_ceil())
}

fn bars(points: &[Point]) -> Vec<String> {
    let most = points.iter().filter_map(|point| hundredths(point.with_costs)).max().unwrap_or(1);
    let wide = |share: i128| usize::try_from(share * BAR / most).unwrap_or(0);
    let best = least(points);
    let bar = |(at, point): (usize, &Point)| {
        let with = hundredths(point.with_costs).map_or(0, wide);
        let without = hundredths(point.without).map_or(0, wide).min(with);
        let mark = if best == Some(at) { " < least" } else { "" };
        format!("{}{}{mark}", ".".repeat(without), "#".repeat(with - without))
    };
    points.iter().enumerate().map(bar).collect()
}

/// The picture: both curves, and where the least is.
pub(super) fn svg(server: &str, points: &[Point]) -> String {
    let longest = points.last().map_or(Duration::RESOLUTION, |point| point.period);
    let unit = Unit::of(longest);
    let at = |point: &Point, share: i128| (number(point.period, unit), percent(share));
    let curve = |of: &dyn Fn(&Point) -> Option<(Duration, Cost)>| {
        let places = points.iter().filter_map(|point| Some(at(point, hundredths(of(point))?)));
        places.collect::<Vec<(f64, f64)>>()
    };
    let title = format!("What {server} takes of a core against its period");
    let period = Axis::linear("period", unit.name()).from(0.0);
    let share = Axis::linear("budget and switching, over the period", "%").from(0.0);
    let mut chart = Chart::new("share-against-period", title, period, share)
        .with(Series::new("without costs", Shape::Line, curve(&|point| point.without)))
        .with(Series::new("with costs", Shape::LineWithPoints, curve(&|point| point.with_costs)));
    if let Some(point) = least(points).map(|at| &points[at])
        && let Some(share) = hundredths(point.with_costs)
    {
        let label = format!("least: {}, {} %", point.period, decimal(share));
        chart = chart.spot(at(point, share), label.clone()).described(label);
    }
    Figure::from(chart).svg()
}

#[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
fn percent(hundredths: i128) -> f64 {
    hundredths as f64 / 100.0
}

#[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
fn number(time: Duration, unit: Unit) -> f64 {
    let second = Duration::from_ms(1_000);
    time.as_ns() as f64 / second.as_ns() as f64 * unit.whole(second) as f64
}
