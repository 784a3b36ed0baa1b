//! A page is the same each time, says what a user wrote as text only, and has what the issue of it needs.

use std::collections::BTreeSet;
use std::path::Path;
use vorrang_design::{Limits, Work};
use vorrang_model::{Colour, Format};
use vorrang_report::{BEGINNING, Options, Report, of_check};
use vorrang_verdict::check::{self, conclude};
use vorrang_verdict::checked::Checked;
use vorrang_verdict::input::{Given, Reading};
use vorrang_verdict::margin::{Found, find};
use vorrang_verdict::search::search;

fn checked(text: &str, name: &str) -> Checked {
    let mut none = |_: &Path| Err("there is no such file".to_owned());
    let input = Reading {
        given: Given { file: name.into(), format: None, standard_input: None },
        bytes: text.as_bytes(),
        format: Format::Toml,
        allow: &[],
        file: &mut none,
        colour: Colour::Never,
    };
    let input = input.complete().unwrap_or_else(|refusal| panic!("{}", refusal.message));
    let limits = check::Limits::usual();
    let bounds = vorrang_analysis::bounds(&input.system);
    let observations = search(&input.system, &bounds, &limits.search, &mut (), &mut |_| {});
    conclude(input, bounds, observations, &limits).unwrap_or_else(|bug| panic!("{}", bug.0))
}

/// No margins.
const NONE: Found = Found { all: Vec::new(), analyses: 0 };

fn report(text: &str, name: &str) -> Report {
    of_check(&checked(text, name), &NONE, &Options::default())
}

const HELLO: &str = include_str!("../../../examples/hello.toml");

#[test]
fn the_same_input_gives_the_same_bytes() {
    let (one, other) = (report(HELLO, "hello.toml"), report(HELLO, "hello.toml"));
    assert_eq!(one.html, other.html);
    assert!(one.html.starts_with(BEGINNING));
}

#[test]
fn a_date_stands_there_only_if_it_is_given() {
    let checked = checked(HELLO, "hello.toml");
    let dated = Options { date: Some("2026-11-25 <b>".to_owned()), ..Options::default() };
    assert!(of_check(&checked, &NONE, &dated).html.contains("2026-11-25 &lt;b&gt;"));
    assert!(!of_check(&checked, &NONE, &Options::default()).html.contains("2026-11-25"));
}

#[test]
fn the_limit_is_drawn_beside_the_curves_or_said_to_be_beyond_them() {
    let made = report(HELLO, "hello.toml");
    let decides = made.figures.iter().filter(|figure| figure.name().ends_with("decides"));
    let told: Vec<(bool, bool)> = decides
        .map(|figure| (figure.svg().contains(">limit "), figure.description().contains("farther")))
        .collect();
    // Of 0.2, 7.4 and 10.6 ms, with limits of 5, 15 and 100 ms.
    assert_eq!(told, [(false, true), (true, false), (false, true)]);
}

#[test]
fn every_requirement_has_its_three_figures_with_names_of_their_own() {
    let made = report(HELLO, "hello.toml");
    // Three for each of three requirements, and the utilisation.
    assert_eq!(made.figures.len(), 3 * 3 + 1);
    let names: BTreeSet<String> = made.figures.iter().map(vorrang_figure::Figure::name).collect();
    assert_eq!(names.len(), made.figures.len());
    for figure in &made.figures {
        assert!(roxmltree::Document::parse(&figure.svg()).is_ok(), "{}", figure.name());
    }
}

#[test]
fn what_a_user_wrote_is_no_markup() {
    // Names of a description have letters, digits and two signs only; a file may be called anything.
    let made = report(HELLO, "<script>alert(1)</script><img src=x>.toml");
    assert!(made.html.contains("&lt;script&gt;alert(1)"));
    assert!(!made.html.contains("<script>alert") && !made.html.contains("<img"));
    for figure in &made.figures {
        assert!(!figure.svg().contains("<script"));
    }
}

#[test]
fn only_the_most_interesting_are_drawn_and_all_are_listed() {
    let checked = checked(HELLO, "hello.toml");
    let made = of_check(&checked, &NONE, &Options { detailed: 1, date: None });
    // task.control has the least margin: 7400 us of 15000 us.
    assert_eq!(made.html.matches("<section class=\"requirement\"").count(), 1);
    assert!(made.html.contains("-task-control\">\n<h3>"));
    assert_eq!(made.html.matches("<tr data-verdict=").count(), 3);
}

/// The cells of the numbers of a figure.
fn cells(made: &Report, name: &str) -> Vec<Vec<String>> {
    let figure = made.figures.iter().find(|figure| figure.name() == name);
    figure.unwrap_or_else(|| panic!("no figure {name}")).table().rows
}

/// Laid end to end, the terms of a bound are the bound; what was seen has a lane below, and the limit is across.
#[test]
fn a_chain_has_a_lane_for_each_task_of_its_path() {
    let text = include_str!("../../../examples/chain.toml");
    let made = report(text, "chain.toml");
    let brake = cells(&made, "c0-chain-brake-reaction");
    let tasks: Vec<&str> = brake.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(tasks, ["task.wheel", "task.slip", "task.plan", "task.drive"]);
    let checked = checked(text, "chain.toml");
    assert_eq!(checked.chains[0].bound.expect("a bound").to_string(), "47400us");
    assert_eq!(
        brake[3],
        ["task.drive", "5ms", "2ms", "its deadline, at which it writes", "47.4ms"]
    );
    assert!(made.html.contains("limit 50ms") && made.html.contains("the longest seen"));
    assert!(made.html.contains("id=\"figure-c2-chain-estimate-age\""));
}

/// From an interrupt through six tasks on three supplies: bounds count from the interrupt and grow along the path.
#[test]
fn tasks_that_wake_each_other_are_lanes_up_to_the_last() {
    let made = report(include_str!("../../../examples/path.toml"), "path.toml");
    let mut names = made.figures.iter().map(vorrang_figure::Figure::name);
    let name = names.find(|name| name.ends_with("task-actuator-path")).expect("its path");
    let path = cells(&made, &name);
    let ends = path.iter().map(|row| (row[0].as_str(), row[1].as_str()));
    let wanted = [
        ("task.irq-fieldbus", "core.0"),
        ("task.vhost-in", "core.0"),
        ("task.driver", "vcpu.plc"),
        ("task.control", "vcpu.plc"),
        ("task.vhost-out", "core.0"),
        ("task.actuator", "vcpu.drive"),
    ];
    assert_eq!(ends.collect::<Vec<_>>(), wanted);
    let us = |text: &str| text.trim_end_matches("us").parse::<f64>().expect("microseconds");
    let bounds: Vec<f64> = path.iter().map(|row| us(&row[3])).collect();
    assert!(bounds.is_sorted(), "{bounds:?}");
    assert!(path.iter().all(|row| us(&row[2]) <= us(&row[3])), "{path:?}");
    // What an interrupt wakes, and nothing before it, has no path.
    let first = |figure: &vorrang_figure::Figure| figure.name().ends_with("irq-fieldbus-path");
    assert!(!made.figures.iter().any(first));
}

/// Every part of the page has a link above it, and each link its part.
#[test]
fn contents_lead_to_every_part() {
    let made = report(include_str!("../../../examples/chain.toml"), "chain.toml");
    let nav = made.html.split_once("<nav class=\"contents\"").expect("contents").1;
    let nav = nav.split_once("</nav>").expect("their end").0;
    let links: Vec<&str> = nav
        .split("href=\"#")
        .skip(1)
        .map(|rest| rest.split_once('"').expect("its end").0)
        .collect();
    assert_eq!(links, ["verdicts", "chains", "cores", "requirements", "assumptions"]);
    for link in links {
        assert_eq!(made.html.matches(&format!("<h2 id=\"{link}\">")).count(), 1, "{link}");
    }
}

/// A history that states every arrival is as long as a paragraph: it is folded, and not in the caption of its figure.
#[test]
fn a_long_history_is_folded() {
    let made = report(include_str!("../../../examples/path.toml"), "path.toml");
    let long = "explicit:task.irq-fieldbus=never;task.vhost-in=never;task.vhost-out=never";
    assert!(made.html.contains(long), "a history to look at");
    for figure in &made.figures {
        assert!(!figure.description().contains(long), "{}", figure.name());
    }
    let folded = made.html.split("<details><summary><code>explicit:").skip(1);
    let whole = folded
        .filter(|part| part.split_once("</details>").is_some_and(|(own, _)| own.contains(long)));
    assert!(whole.count() > 0);
    assert!(made.html.contains("in history <code>synchronous</code>"));
}

/// So many packets come around this miss that only a part of the window is drawn, and its end is after the miss.
#[test]
fn a_miss_is_in_sight_where_too_much_happens_to_draw_all() {
    let made = report(include_str!("../../../examples/irq-reservations.toml"), "irq.toml");
    let figure = made
        .figures
        .iter()
        .find(|figure| figure.name() == "r2-task-overload-control-schedule")
        .expect("the schedule of the miss");
    let svg = figure.svg();
    let document = roxmltree::Document::parse(&svg).expect("XML");
    let at = |name: &str| document.root_element().attribute(name).and_then(|at| at.parse().ok());
    let (from, to): (u64, u64) = (at("data-from").expect("from"), at("data-to").expect("to"));
    // The job arrives at 0 and is to be complete at 50 ms.
    assert!(svg.contains("not complete at its deadline, 50ms. Too much happens to show all of it"));
    assert!(0 < from && from < 50_000_000 && 50_000_000 < to, "{from} to {to}");
    assert!(svg.contains("deadline missed"));
}

/// The margins of what is drawn, within this work.
fn margins(checked: &Checked, work: &Work) -> Found {
    let places = vorrang_report::with_margins(&checked.rulings, &Options::default());
    find(&checked.input.system, &places, work).unwrap_or_else(|bug| panic!("{}", bug.0))
}

#[test]
fn margins_are_drawn_with_the_numbers_of_the_command_line() {
    let checked = checked(HELLO, "hello.toml");
    let (limits, most) = (Limits::of(20_000), u64::MAX);
    let found = margins(&checked, &Work { limits, terms_each: most, terms: most, searches: 2_000 });
    let made = of_check(&checked, &found, &Options::default());
    assert_eq!(made.figures.iter().filter(|of| of.name().ends_with("-margins")).count(), 3);
    // The session in the manual of `vorrang margin`, which a test compares with what it prints.
    let row = ["budget of vcpu.motor", "4ms", "1.2ms", "1.199999ms", "1.199999ms"];
    let row = row.map(|cell| format!("<td>{cell}</td>")).concat();
    assert!(made.html.contains(&row), "no {row}");
    assert!(!made.html.contains("was not looked for"));
}

#[test]
fn what_margins_were_not_looked_for_is_said() {
    let checked = checked(HELLO, "hello.toml");
    let (limits, most) = (Limits::of(20_000), u64::MAX);
    let one = margins(&checked, &Work { limits, terms_each: 0, terms: 0, searches: 0 });
    let html = of_check(&checked, &one, &Options::default()).html;
    let said = "How far wcet of task.control, every wcet, period of task.control, budget of vcpu.motor, \
                period of vcpu.motor, context-switch may move was not looked for";
    assert!(html.contains(said) && html.contains("vorrang margin hello.toml --of task.control"));
    let few = Work { limits: Limits::of(1), terms_each: most, terms: most, searches: 0 };
    let html = of_check(&checked, &margins(&checked, &few), &Options::default()).html;
    assert_eq!(html.matches("How far any parameter may move was not looked for").count(), 3);
}
