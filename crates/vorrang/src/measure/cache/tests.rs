//! The page and the picture of a machine that is made up.

use super::*;
use vorrang_measure::cache::Point;
use vorrang_measure::curve::Run;
use vorrang_verdict::identity::TOOL;

/// A set that loses 100 ns in each of the blocks of the first pass, and none afterwards.
fn outcome(set_bytes: usize, kind: Kind, state: State) -> Outcome {
    let lost = match state {
        State::Warm => 0.0,
        State::Switched => 40.0,
        State::Dirty | State::Clean | State::Flushed => 100.0,
    };
    let blocks = [[11.0 + lost; 64], [11.0; 64], [11.0; 64]].concat();
    let run = Run { blocks_ns: blocks, sustained_block_ns: 10.0, preempted: false };
    Outcome::of(Point { set_bytes, kind, state }, &[run.clone(), run]).expect("nothing interrupts")
}

fn measured() -> Measured {
    let kinds = [KINDS[0], KINDS[7]];
    let states = [State::Dirty, State::Switched, State::Warm];
    let outcomes = kinds.iter().flat_map(|kind| {
        let of_set = move |set| states.map(|state| outcome(set, *kind, state));
        [64 << 10, 1 << 20].into_iter().flat_map(of_set)
    });
    Measured {
        outcomes: outcomes.collect(),
        rounds: 2,
        conditions: vec![("kernel", "6.18".to_owned())],
        remarks: vec!["No CPU is isolated.".to_owned()],
    }
}

#[test]
fn the_page_has_the_published_columns_the_curves_and_the_conditions() {
    insta::assert_snapshot!(page(&measured()).replace(TOOL, "TOOL"));
}

#[test]
fn the_picture_has_a_panel_for_each_state_and_the_published_lines() {
    let svg = plot::svg(&measured());
    let panels = svg.matches("<g transform").count();
    assert_eq!(panels, State::existing().len(), "each cold state, and the loss");
    // Two sets as curves of two states and as losses, each with a sample in the legend, and the published rows.
    let published = include_str!("../../../../../published/cache_costs.csv").lines().count() - 1;
    assert_eq!(svg.matches("<polyline").count(), 2 * (2 + 1) * 2 + published);
    assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN"));
}

#[test]
fn unknown_ways_of_access_are_answered_with_those_there_are() {
    assert!(kind("read-chase").is_ok());
    assert!(kind("reed").is_err_and(|said| said.contains("write-descending")));
}
