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
    let said = "How far wcet of task.control, every wcet, budget of vcpu.motor, period of vcpu.motor, \
                context-switch may move was not looked for";
    assert!(html.contains(said) && html.contains("vorrang margin hello.toml --of task.control"));
    let few = Work { limits: Limits::of(1), terms_each: most, terms: most, searches: 0 };
    let html = of_check(&checked, &margins(&checked, &few), &Options::default()).html;
    assert_eq!(html.matches("How far any parameter may move was not looked for").count(), 3);
}
