//! Where there is no design: what cannot hold together cannot, and with one of it less the rest can.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use vorrang_design::{Absence, Answer, Limits, conflict, design};
use vorrang_model::{Format, Open, read_open};
use vorrang_time::Duration;

/// Three servers on one core; of each the work and the deadline of its task, in microseconds. A task that
/// is not required has no deadline.
fn system(tasks: [(u64, Option<u64>); 3]) -> Open {
    let mut text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned();
    for (place, (work, deadline)) in tasks.into_iter().enumerate() {
        let deadline = deadline.map_or("none".to_owned(), |deadline| format!("{deadline}us"));
        write!(
            text,
            "[server.s{place}]\non = \"core.0\"\nserver = \"deferrable\"\npriority = {place}\n\
             budget = {{ from = \"100us\", to = \"10ms\", step = \"100us\" }}\n\
             period = [\"2ms\", \"5ms\", \"10ms\"]\n[task.t{place}]\non = \"server.s{place}\"\n\
             wcet = \"{work}us\"\nperiod = \"10ms\"\ndeadline = \"{deadline}\"\npriority = 1\n"
        )
        .expect("a string takes everything");
    }
    read_open(text, Format::Toml, |_| Err("none".into())).unwrap()
}

fn is_possible(tasks: [(u64, Option<u64>); 3]) -> bool {
    match design(&mut system(tasks), Limits::of(2_000)) {
        Answer::Design(_) => true,
        // Perhaps decided for the monotonic bounds only: then by all nothing was found.
        Answer::Absent(
            Absence::Impossible { .. }
            | Absence::NothingRequired
            | Absence::NotFound { by_monotonic: true, .. },
        ) => false,
        Answer::Absent(other) => panic!("{other:?}"),
    }
}

#[test]
fn a_set_is_irreducible_and_what_helps_helps() {
    let mut seen = BTreeSet::new();
    for (work, short) in [(4_000, 9_000), (3_000, 5_000), (5_500, 10_000), (2_000, 1_500)] {
        let tasks = [(work, Some(short)), (work, Some(10_000)), (1_000, Some(8_000))];
        assert!(!is_possible(tasks), "{work} within {short}");
        let found = conflict(&mut system(tasks), Limits::of(8_000), true).unwrap();
        assert!(found.irreducible && found.decided && !found.requirements.is_empty(), "{found:?}");
        let place = |name: &str| usize::from(name.as_bytes()[6] - b'0');
        let set: Vec<usize> = found.requirements.iter().map(|name| place(name)).collect();
        let only = |kept: &[usize]| {
            let mut left = tasks;
            for (place, task) in left.iter_mut().enumerate() {
                task.1 = task.1.filter(|_| kept.contains(&place));
            }
            left
        };
        assert!(!is_possible(only(&set)), "{found:?}");
        for dropped in &set {
            let rest: Vec<usize> = set.iter().copied().filter(|place| place != dropped).collect();
            assert!(rest.is_empty() || is_possible(only(&rest)), "{found:?} without {dropped}");
        }
        for (name, limit) in &found.helps {
            let mut more = tasks;
            more[place(name)].1 = Some(limit.as_ns() / 1_000);
            assert!(*limit > Duration::ZERO && is_possible(more), "{found:?}");
        }
        seen.insert((set.len(), found.helps.is_empty()));
    }
    assert!(seen.len() > 1, "{seen:?}");
}
