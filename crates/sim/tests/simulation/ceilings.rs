//! A search goes no further where no response can be longer than one that was seen.

use vorrang_model::system::System;
use vorrang_model::{Format, read};
use vorrang_sim::{Ceilings, Observations, Search, Worst, search, search_observed};
use vorrang_time::Duration;

const GUESTS: &str = include_str!("../../../../examples/consolidation.toml");

/// By priority on a core: the synchronous history has the longest response of each.
const TASKS: &str = "version = 1
[core.0]
scheduler = \"fixed-priority\"
[task.high]
on = \"core.0\"
wcet = \"1ms\"
period = \"5ms\"
priority = 3
[task.middle]
on = \"core.0\"
wcet = \"2ms\"
period = \"9ms\"
priority = 2
[task.low]
on = \"core.0\"
wcet = \"3ms\"
period = \"20ms\"
priority = 1
";

fn system(text: &str) -> System {
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn responses(of: &[Option<Worst>]) -> Vec<Option<Duration>> {
    of.iter().map(|worst| worst.as_ref().map(|worst| worst.response)).collect()
}

fn all_of(seen: &Observations) -> Ceilings {
    Ceilings { tasks: responses(&seen.tasks), interrupts: responses(&seen.interrupts) }
}

fn within(system: &System, ceilings: &Ceilings) -> Observations {
    search_observed(system, &Search::default(), ceilings, &mut (), &mut |_| {})
}

#[test]
fn a_search_ends_when_every_response_is_as_long_as_it_can_be() {
    let system = system(TASKS);
    let whole = search(&system, &Search::default());
    let known = all_of(&whole);
    let ended = within(&system, &known);
    assert_eq!(all_of(&ended), known);
    assert_eq!(ended.runs(), 1, "the synchronous history is enough");
    assert!(ended.omissions.is_empty(), "nothing is missing: {:?}", ended.omissions);
    // A climb has the steps of one task, and what is drawn at random is for all.
    let mut higher = known.clone();
    higher.tasks[1] = higher.tasks[1].map(|response| response + Duration::RESOLUTION);
    let other = within(&system, &higher);
    assert_eq!(all_of(&other), known);
    assert!((2..whole.runs()).contains(&other.runs()), "{} of {}", other.runs(), whole.runs());
}

#[test]
fn a_search_is_whole_where_nothing_is_known_or_all_is_higher() {
    for text in [TASKS, GUESTS] {
        let system = system(text);
        let whole = search(&system, &Search::default());
        let mut higher = all_of(&whole);
        for known in higher.tasks.iter_mut().chain(&mut higher.interrupts) {
            *known = Some(Duration::MAX);
        }
        assert_eq!(within(&system, &higher), whole);
        assert_eq!(within(&system, &Ceilings::default()), whole);
    }
}
