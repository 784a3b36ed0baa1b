//! Everything that a result can say, from a run told by hand.

use super::*;
use crate::gantt::Characters;
use crate::recording::Recording;
use crate::screen::PLAIN;
use crate::strict::violations;
use crate::watch::example;
use vorrang_time::Instant;

const SCHEMA: &str = include_str!("../../../../docs/vorrang-simulate.schema.json");

/// A millisecond of one of everything.
fn simulation(horizon: Duration) -> Simulation {
    let system = example::system();
    let watch = example::watch(&system);
    let window = (Instant::ZERO, example::at(1000));
    let mut recording = Recording::new(&system, watch.core, &watch.responses, window);
    example::tell(&mut recording);
    let chart = Some(recording.chart());
    let pattern = Pattern::parse("synchronous", &system).expect("a pattern");
    let cores =
        vec![Followed { core: watch.core, seen: Ok(Seen { watch, end: End::SeenEnough, chart }) }];
    let input = Input::named("one.toml", system);
    Simulation {
        input,
        pattern,
        horizon,
        resolution: Resolution::shared(4, horizon),
        cores,
        chains: Vec::new(),
        bounds: None,
    }
}

fn without_revision(text: &str) -> String {
    text.replace(crate::identity::TOOL, "vorrang")
}

#[test]
fn everything_has_its_table() {
    let simulation = simulation(example::us(1000));
    let histograms = Some(vec!["device.eth".to_owned()]);
    let drawing = Drawing { characters: Characters::Unicode, histograms };
    insta::assert_snapshot!(without_revision(&text::of(PLAIN, &simulation, &drawing)));
    assert!(simulation.is_missed());
}

#[test]
fn everything_has_its_key() {
    let document = document::of(&simulation(example::us(1000)));
    assert_eq!(violations(SCHEMA, &document), [""; 0]);
    insta::assert_snapshot!(without_revision(&document));
}

#[test]
fn a_curve_is_steps_from_zero_to_one() {
    let simulation = simulation(example::us(1000));
    insta::assert_snapshot!(cdf::text(&simulation.input.system, simulation.watches()), @r"
    core,name,response_ns,jobs,share
    core.0,task.handler,33000,1,1.000000000
    core.0,task.host,20000,1,0.500000000
    core.0,task.host,30000,2,1.000000000
    core.0,interrupt.can,33000,1,1.000000000
    core.0,device.eth round trip,20000,1,0.500000000
    core.0,device.eth round trip,25000,2,1.000000000
    core.0,device.eth delivery,25000,1,1.000000000
    ");
}

#[test]
fn a_storm_is_said_to_be_one() {
    let mut simulation = simulation(example::us(1000));
    let system = &simulation.input.system;
    let mut history = vorrang_sim::History::quiet(system);
    history.storms[example::CAN.0] = true;
    let mut watch = Watch::of_core(system, SupplyId(0), &history, simulation.resolution);
    example::tell(&mut watch);
    simulation.cores[0].seen = Ok(Seen { watch, end: End::SeenEnough, chart: None });
    let drawing = Drawing { characters: Characters::Unicode, histograms: None };
    let text = text::of(PLAIN, &simulation, &drawing);
    let sentence = "\nIn a storm, so that no requirement counts: task.handler, interrupt.can.\n";
    assert!(text.contains(sentence), "{text}");
    assert!(!simulation.is_missed() && simulation.interrupted().is_none());
}

#[test]
fn a_run_that_was_cut_short_says_so() {
    let mut simulation = simulation(example::us(2000));
    assert_eq!(simulation.interrupted(), Some(example::us(1000)));
    // A miss is one, however short the run.
    assert!(simulation.is_missed());
    simulation.input.system.requirements.clear();
    let system = &simulation.input.system;
    let watch = example::watch(system);
    simulation.cores[0].seen = Ok(Seen { watch, end: End::SeenEnough, chart: None });
    assert!(!simulation.is_missed() && simulation.interrupted().is_some());
    let drawing = Drawing { characters: Characters::Unicode, histograms: None };
    let text = text::of(PLAIN, &simulation, &drawing);
    assert!(text.contains("\nInterrupted at 1ms: what comes later is not known.\n"), "{text}");
}
