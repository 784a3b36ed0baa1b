//! Every figure of a publication has its picture, on the publication's axes, and words in pictures can be read.

use crate::MADE;
use vorrang_figure::{Chart, Figure, Shape};
use vorrang_reproduce::published::source;

/// A chart that was drawn.
pub(crate) fn chart(name: &str) -> &'static Chart {
    let mut all = MADE.iter().flat_map(|(_, found)| &found.pictures);
    match all.find(|picture| picture.name() == name) {
        Some(Figure::Chart(chart)) => chart,
        other => panic!("{name}: {other:?}"),
    }
}

/// The names of its curves.
pub(crate) fn curves(name: &str) -> Vec<&'static str> {
    chart(name).series.iter().map(|one| one.name.as_str()).filter(|name| !name.is_empty()).collect()
}

/// A line of `figures.csv` and its pictures.
type Drawn = (usize, &'static str, usize, &'static [(&'static str, &'static str)]);

/// Lines of `figures.csv`, the beginnings of the names of their pictures and how many these are, and units of the
/// publication's axes that are others here, because what would turn one into the other was not published.
const DRAWN: [Drawn; 20] = [
    (2, "cache-progress-work", 1, &[("bytes accessed", "us")]),
    (3, "cache-progress-rate", 1, &[("MB/s", "")]),
    (4, "cache-progress-normalised", 1, &[]),
    (5, "proxy-utilisation-relative", 1, &[]),
    (6, "switch-loss-", 5, &[("", "Hz"), ("", "%")]),
    (7, "vtrr-slices-loss", 1, &[]),
    (8, "vtrr-slices-delay", 1, &[]),
    (9, "vint-study-1-", 2, &[]),
    (10, "vint-study-2-", 2, &[]),
    (11, "interrupt-storm-handling", 1, &[]),
    (12, "interrupt-storm-frames", 1, &[("", "1/s")]),
    (13, "timer-interference-tasks", 2, &[]),
    (14, "timer-interference-timers", 1, &[]),
    (15, "timer-interference-switch", 1, &[]),
    (16, "timer-interference-processing", 1, &[]),
    (17, "timer-interference-queue", 1, &[]),
    (18, "irq-threads-", 3, &[]),
    (19, "throughput-", 2, &[]),
    (20, "round-trip-", 3, &[]),
    (21, "service-error", 1, &[]),
];

/// The unit of an axis as the table has it: `time since the switch [us]`.
fn unit(axis: &str) -> &str {
    axis.split_once('[').map_or("", |(_, unit)| unit.trim_end_matches(']'))
}

#[test]
fn every_published_figure_has_its_pictures_on_its_axes() {
    let published: Vec<(usize, Vec<String>)> = source("figures.csv").rows().collect();
    assert_eq!(published.len(), DRAWN.len());
    let pictures: Vec<&Figure> = MADE.iter().flat_map(|(_, found)| &found.pictures).collect();
    for ((line, cells), (own, name, count, other)) in published.iter().zip(DRAWN) {
        assert_eq!(*line, own);
        let drawn = pictures.iter().filter(|picture| picture.name().starts_with(name));
        let drawn: Vec<&&Figure> = drawn.collect();
        assert_eq!(drawn.len(), count, "{cells:?}");
        for picture in drawn {
            // Bars have their parts beside each other, in the order of the publication's other axis.
            let units = match picture {
                Figure::Chart(chart) => vec![chart.x.unit.as_str(), chart.y.unit.as_str()],
                Figure::Bars(bars) => vec![bars.axis.unit.as_str()],
                other => panic!("{other:?}"),
            };
            for (axis, unit_here) in cells[2..4].iter().zip(units) {
                let there = unit(axis);
                let is_said = other.contains(&(there, unit_here));
                assert!(there == unit_here || is_said, "{}: {axis} in {unit_here}", picture.name());
            }
        }
    }
}

/// Of the cache tables: work over time of the largest sets, and all rows over `t/t_sust` and over frequency.
#[test]
fn every_row_of_the_cache_table_is_drawn() {
    let rows = source("cache_costs.csv").rows().count();
    let normalised = &chart("cache-progress-normalised").series;
    let simulated = normalised.iter().filter(|one| one.shape == Shape::Steps);
    assert_eq!(simulated.count(), rows);
    // Published of each: f0 at the switch; and the sustained rate at t_sust.
    let measured = normalised.iter().find(|one| one.shape == Shape::Points).expect("published");
    assert_eq!(measured.points.len(), rows + 1);
    let work = chart("cache-progress-work");
    let seen = work.series.iter().filter(|one| one.shape == Shape::Points);
    assert!(seen.clone().count() == 6 && seen.clone().all(|one| one.points.len() == 20));
    let loss: usize = MADE
        .iter()
        .flat_map(|(_, found)| &found.pictures)
        .filter(|picture| picture.name().starts_with("switch-loss-"))
        .map(|picture| curves(&picture.name()).len())
        .sum();
    assert_eq!(loss, rows);
}

/// What was simulated of a film in a storm stands beside what was recorded of it on a kernel.
#[test]
fn the_film_on_a_kernel_is_drawn() {
    let names = curves("interrupt-storm-frames");
    let recorded: Vec<&&str> = names.iter().filter(|name| name.starts_with("Linux 7.2")).collect();
    assert_eq!((names.len(), recorded.len()), (5, 3), "{names:?}");
    let held = chart("interrupt-storm-frames").series.iter();
    let mut held = held.filter(|one| one.name.ends_with("a server for what raises it"));
    let points = &held.next().expect("a curve").points;
    assert_eq!(points, &[(36.0, 29.97), (50.0, 29.97), (70.0, 29.97)]);
}

/// No more curves than looks that differ; all but the grey ones, of which there is one that means something.
#[test]
fn curves_of_a_picture_differ_without_colour() {
    for picture in MADE.iter().flat_map(|(_, found)| &found.pictures) {
        let Figure::Chart(chart) = picture else { continue };
        let named = chart.series.iter().enumerate().filter(|(_, one)| !one.name.is_empty());
        let looks: Vec<String> = named
            .map(|(place, one)| {
                let line = one.shape != Shape::Points;
                let nth = one.look.map_or(format!("{}", place % 6), |look| match look {
                    vorrang_figure::Look::Nth(nth) => format!("{}", nth % 6),
                    grey => format!("{grey:?}"),
                });
                format!("{nth} {line}")
            })
            .collect();
        let differ: std::collections::BTreeSet<&String> = looks.iter().collect();
        assert_eq!(differ.len(), looks.len(), "{}: {looks:?}", picture.name());
    }
}

type Point = (f64, f64);
type Line = (Point, Point);

/// The lines of a path of absolute moves and lines; none of any other.
fn lines(path: &str) -> Vec<Line> {
    if path.chars().any(|c| !(c.is_ascii_digit() || "MLHV.,-".contains(c))) {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut at = (0.0, 0.0);
    let ends = path.char_indices().filter(|(_, c)| c.is_ascii_uppercase());
    let ends: Vec<(usize, char)> = ends.collect();
    for (nth, (from, command)) in ends.iter().enumerate() {
        let to = ends.get(nth + 1).map_or(path.len(), |(to, _)| *to);
        let numbers: Vec<f64> =
            path[from + 1..to].split(',').map(|number| number.parse().unwrap()).collect();
        let next = match command {
            'H' => (numbers[0], at.1),
            'V' => (at.0, numbers[0]),
            _ => (numbers[0], numbers[1]),
        };
        if *command != 'M' {
            out.push((at, next));
        }
        at = next;
    }
    out
}

/// Words in a plot and what is drawn there, as a reader of the file has them; the grid is no line.
fn words_and_lines(svg: &str) -> (Vec<(String, [f64; 4])>, Vec<Line>) {
    let document = roxmltree::Document::parse(svg).unwrap();
    let number = |node: roxmltree::Node<'_, '_>, name: &str| -> f64 {
        node.attribute(name).unwrap().parse().unwrap()
    };
    let words = document.descendants().filter(|node| node.attribute("paint-order").is_some());
    let words = words.map(|node| {
        let text = node.text().unwrap().to_owned();
        let wide = f64::from(u32::try_from(text.chars().count()).unwrap()) * 12.0 * 0.58;
        let (x, y) = (number(node, "x"), number(node, "y"));
        let left = match node.attribute("text-anchor") {
            Some("end") => x - wide,
            Some("middle") => x - wide / 2.0,
            _ => x,
        };
        (text, [left, y - 9.0, left + wide, y + 2.0])
    });
    let is_grid = |node: &roxmltree::Node<'_, '_>| {
        node.ancestors().any(|of| of.attribute("class").is_some_and(|class| class.contains("grid")))
    };
    let paths = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "path")));
    let paths = paths.filter(|node| node.attribute("transform").is_none() && !is_grid(node));
    let lines = paths.flat_map(|node| lines(node.attribute("d").unwrap()));
    (words.collect(), lines.collect())
}

#[test]
fn no_curve_passes_through_words() {
    let mut looked = 0;
    for picture in MADE.iter().flat_map(|(_, found)| &found.pictures) {
        let (words, lines) = words_and_lines(&picture.svg());
        looked += words.len();
        for (text, [left, top, right, bottom]) in words {
            for &((from_x, from_y), (to_x, to_y)) in &lines {
                for step in 0..=200 {
                    let part = f64::from(step) / 200.0;
                    let at = (from_x + part * (to_x - from_x), from_y + part * (to_y - from_y));
                    let is_crossed = at.0 > left && at.0 < right && at.1 > top && at.1 < bottom;
                    assert!(!is_crossed, "{}: {text} at {at:?}", picture.name());
                }
            }
        }
    }
    assert!(looked > 10, "{looked}");
}
