//! Small systems at random: no bound of a response is below the longest of all histories. Of chains the rows of
//! `vorrang-campaign --exhaustive` say the same.

use vorrang_analysis::bounds;
use vorrang_campaign::paths::draw::{Manner, Place, text};
use vorrang_campaign::paths::{Followed, Layout, longest};
use vorrang_campaign::random::Random;
use vorrang_model::system::System;
use vorrang_model::{Format, read};

const PLACES: [Place; 5] =
    [Place::Core, Place::ByDeadline, Place::Cores, Place::Levels, Place::Budget];

const LIMIT: usize = 20_000;

pub(crate) fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

pub(crate) fn drawn(stream: u64, place: Place, manner: Manner) -> System {
    system(&text(&mut Random::new(47, stream), place, manner))
}

#[test]
fn no_history_exceeds_a_bound() {
    let woken = PLACES.map(|place| (place, Manner::Woken));
    let all = PLACES.map(|place| (place, Manner::Registers)).into_iter().chain(woken);
    for (place, manner) in all {
        let (mut responses, mut tight) = (0, 0);
        for stream in 0..12 {
            let system = drawn(stream, place, manner);
            let known = bounds(&system);
            for id in system.task_ids() {
                let Some(bound) = known.task(id).bound() else { continue };
                let layout = Layout::new(&system, Followed::Job(id), &[]).expect("covered");
                let Ok(found) = longest(&layout, LIMIT) else { continue };
                let found = u64::from(found.until_over.unwrap());
                let name = &system.task(id).name;
                assert!(
                    found <= bound.as_ns(),
                    "{place:?} {manner:?} {stream}: {name} {found} > {bound}"
                );
                responses += 1;
                tight += u64::from(found == bound.as_ns());
            }
        }
        assert!(responses > 8 && tight > 4, "{place:?} {manner:?}: {responses}, {tight}");
    }
}
