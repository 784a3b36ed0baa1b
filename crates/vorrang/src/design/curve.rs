//! What a server takes against its period: in the terminal, and as a picture (SVG).
//!
//! ```text
//!   period  budget  takes  without costs
//!     [us]    [us]    [%]            [%]
//!   ------  ------  -----  -------------  ---------------------
//!     1000     ...                        ........#############
//!     2000     ...                        ........##            < least
//! ```
//!
//! A bar is what the server takes; its dots what it would take if the machine took nothing.

use crate::screen;
use std::fmt::Write as _;
use vorrang_design::{Cost, Point};
use vorrang_time::Duration;
use vorrang_verdict::occupied::{decimal, up};
use vorrang_verdict::table::Column;

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
    let mut out = format!("What {server} takes of a core against its period:\n\n");
    out += &screen::draw(&columns);
    out + "\nA dot is what it would take without costs, a # what these add. No budget is enough where there is a -.\n"
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

const WIDTH: i128 = 560;
const HEIGHT: i128 = 320;
const MARGIN: i128 = 60;

/// The picture: both curves, and a dot where the least is.
pub(super) fn svg(server: &str, points: &[Point]) -> String {
    let longest = points.last().map_or(1, |point| i128::from(point.period.as_ns())).max(1);
    let most = points
        .iter()
        .flat_map(|point| [hundredths(point.with_costs), hundredths(point.without)])
        .flatten()
        .max()
        .unwrap_or(1)
        .max(1);
    let x = |point: &Point| i128::from(point.period.as_ns()) * WIDTH / longest;
    let y = |share: i128| HEIGHT - share * HEIGHT / most;
    let line = |of: &dyn Fn(&Point) -> Option<i128>, colour: &str| {
        let places =
            points.iter().filter_map(|point| Some(format!("{},{}", x(point), y(of(point)?))));
        let places = places.collect::<Vec<_>>().join(" ");
        format!(
            "<polyline points=\"{places}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n"
        )
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <g transform=\"translate({MARGIN} {MARGIN})\">\n\
         <path d=\"M0,0 V{HEIGHT} H{WIDTH}\" fill=\"none\" stroke=\"black\"/>\n",
        WIDTH + 2 * MARGIN,
        HEIGHT + 2 * MARGIN
    );
    out += &line(&|point| hundredths(point.without), "#7ad151");
    out += &line(&|point| hundredths(point.with_costs), "#414487");
    let mut label = |x: i128, y: i128, anchor: &str, text: &str| {
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>");
    };
    label(WIDTH / 2, -30, "middle", &format!("what {server} takes of a core against its period"));
    label(-8, 4, "end", &format!("{} %", decimal(most)));
    label(-8, HEIGHT + 4, "end", "0 %");
    label(
        WIDTH,
        HEIGHT + 20,
        "end",
        &Duration::from_ns(u64::try_from(longest).unwrap_or(0)).to_string(),
    );
    label(0, HEIGHT + 20, "middle", "0");
    label(WIDTH, HEIGHT + 40, "end", "dark: with costs; light: without; dot: the least");
    if let Some(point) = least(points).map(|at| &points[at])
        && let Some(share) = hundredths(point.with_costs)
    {
        let (x, y) = (x(point), y(share));
        label(x, y - 10, "middle", &format!("{}, {} %", point.period, decimal(share)));
        let _ = writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"#440154\"/>");
    }
    out + "</g>\n</svg>\n"
}
