//! Designs of drawn descriptions hold; and a search that errs is noticed.

use vorrang_campaign::check::Effort;
use vorrang_campaign::designs::{Counts, Designer, check, draw};
use vorrang_design::{Absence, Answer, Limits, design};
use vorrang_model::{Allowed, Chosen, Open, OpenKey};
use vorrang_time::Duration;

const SEED: u64 = 7;

fn wrong(designs: u64, designer: Designer) -> (usize, Counts) {
    let mut counts = Counts::default();
    let one =
        |index| check(&draw(SEED, index), &Effort::brief().search, designer, &mut counts).len();
    ((0..designs).map(one).sum(), counts)
}

#[test]
fn designs_are_proven_and_where_none_is_there_is_none() {
    let (wrong, counts) = wrong(60, design);
    assert_eq!(wrong, 0, "{counts:?}");
    for (name, count) in counts.named().into_iter().filter(|(name, _)| !name.contains("refused")) {
        assert!(count > 0, "{name}: {counts:?}");
    }
}

/// Gives up after the first placement, or the first periods, that do not hold.
fn a_search_that_gives_up(open: &mut Open, limits: Limits) -> Answer {
    match design(open, Limits::of(limits.steps.min(6))) {
        Answer::Absent(Absence::NotFound { steps, .. }) => {
            Answer::Absent(Absence::Impossible { steps })
        }
        answer => answer,
    }
}

/// Another budget instead of each that is found, where there is one.
fn another(
    open: &mut Open,
    limits: Limits,
    other: fn(&Allowed, Duration) -> Option<Duration>,
) -> Answer {
    let mut answer = design(open, limits);
    if let Answer::Design(found) = &mut answer {
        let mut chosen = found.chosen.clone();
        for (value, chosen) in open.values().iter().zip(&mut chosen) {
            let Chosen::Time(time) = chosen else { continue };
            let other = other(&value.allowed, *time).filter(|_| value.key == OpenKey::Budget);
            *time = other.unwrap_or(*time);
        }
        // Another budget may not fit what is stated.
        if let Some(system) = open.resolve(&chosen) {
            (found.system, found.chosen) = (system, chosen);
        }
    }
    answer
}

/// The least budget but one, as a bisection would find that ends a step early.
fn a_step_too_low(open: &mut Open, limits: Limits) -> Answer {
    another(open, limits, |allowed, time| match allowed {
        Allowed::Times(times) => times.iter().rfind(|less| **less < time).copied(),
        Allowed::Grid { from, step, .. } if time > *from => Some(time.saturating_sub(*step)),
        _ => None,
    })
}

/// One more than the least, which is called optimal all the same.
fn a_step_too_high(open: &mut Open, limits: Limits) -> Answer {
    another(open, limits, |allowed, time| match allowed {
        Allowed::Times(times) => times.iter().find(|more| **more > time).copied(),
        Allowed::Grid { to, step, .. } => Some(time + *step).filter(|more| more <= to),
        _ => None,
    })
}

#[test]
fn searches_that_err_are_noticed() {
    for designer in [a_step_too_low, a_step_too_high, a_search_that_gives_up] {
        let (wrong, counts) = wrong(150, designer);
        assert!(wrong > 0, "{counts:?}");
    }
}

/// Descriptions for which a design was missed, or called optimal and was not.
#[test]
fn what_was_once_wrong_is_right() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/designed");
    let mut found = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut counts = Counts::default();
        let wrong = check(&text, &Effort::quick().search, design, &mut counts);
        assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
        assert_eq!((counts.refused, counts.enumerated), (0, 1), "{}", path.display());
        found += 1;
    }
    assert_eq!(found, 6);
}
