//! Sets that are answered without counting steps, counted, and sorted first have the same answers.

use vorrang_batch::{Answers, Asked, Piece, Room, Scheduler, Table, Unit, answered};
use vorrang_random::Random;

/// Columns in the order of urgency: set, wcet, period, deadline, priority.
type Columns = [Vec<i64>; 5];

/// Up to 24 tasks, periods of up to six decades, some sets with a task that is longer than its deadline.
fn drawn(sets: i64) -> Columns {
    let mut all = Columns::default();
    let mut random = Random::new(7, 0);
    let mut between = |low: i64, high: i64| {
        i64::try_from(random.between(low.unsigned_abs(), high.unsigned_abs())).unwrap()
    };
    for set in 0..sets {
        let (tasks, decades, share) = (between(1, 24), between(1, 6), between(30, 100));
        for place in 0..tasks {
            let scale = 10_i64.pow(u32::try_from(between(0, decades)).unwrap());
            let period = between(100, 1_000) * scale;
            let is_hopeless = set % 9 == 0 && place == tasks - 1;
            let wcet = if is_hopeless { period } else { (period * share / 100 / tasks).max(1) };
            let deadline = if is_hopeless { period - 1 } else { between(wcet, period) };
            for (column, value) in all.iter_mut().zip([set, wcet, period, deadline, -place]) {
                column.push(value);
            }
        }
    }
    all
}

fn asked(columns: &Columns, has_deadlines: bool, scheduler: Scheduler) -> Answers {
    let [set, wcet, period, deadline, priority] = columns.each_ref().map(|column| &column[..]);
    let (deadline, priority) = (has_deadlines.then_some(deadline), Some(priority));
    let table = Table::new(
        vec![Piece { set, wcet, period, deadline, priority }],
        [Unit::Nanosecond, Unit::Nanosecond, Unit::Nanosecond],
    );
    let verdicts =
        answered(&table, Asked { scheduler, bounds: false }, Room::default(), || false).unwrap();
    let answers =
        answered(&table, Asked { scheduler, bounds: true }, Room::default(), || false).unwrap();
    assert_eq!(verdicts.proven, answers.proven);
    assert!(verdicts.bounds.is_empty() && verdicts.unbounded.is_empty());
    let without = (0..answers.bounds.len()).filter(|row| answers.bounds[*row] == 0);
    assert!(without.eq(answers.unbounded.iter().copied()));
    answers
}

/// The rows of each set the other way round: all of them have to be sorted.
fn reversed(columns: &Columns) -> Columns {
    columns.each_ref().map(|column| {
        let mut first = 0;
        let ends = columns[0].chunk_by(|one, next| one == next).map(|set| {
            first += set.len();
            first - set.len()..first
        });
        ends.flat_map(|rows| column[rows].iter().rev().copied()).collect()
    })
}

#[test]
fn near_and_far_periods_few_and_many_tasks_are_the_same() {
    let columns = drawn(3_000);
    let other = reversed(&columns);
    for has_deadlines in [false, true] {
        let scheduler = Scheduler::FixedPriority;
        let found = asked(&columns, has_deadlines, scheduler);
        let sorted = asked(&other, has_deadlines, scheduler);
        assert_eq!(found.proven, sorted.proven);
        let set = &columns[0];
        let back = reversed(&[&set[..], &sorted.bounds[..], set, set, set].map(<[i64]>::to_vec));
        assert_eq!(found.bounds[..], back[1][..]);
        let known = found.bounds.len() - found.unbounded.len();
        assert!(known > found.bounds.len() / 4 && found.unbounded.len() > found.bounds.len() / 20);
    }
}

#[test]
fn the_largest_and_the_least_number_are_priorities() {
    for (one, next) in [(i64::MAX, i64::MIN), (i64::MAX, i64::MAX - 1)] {
        let columns = [vec![1, 1], vec![2, 3], vec![9, 9], vec![9, 9], vec![one, next]];
        let found = asked(&columns, true, Scheduler::FixedPriority);
        assert_eq!(found.bounds[..], [2, 5]);
        let equal = [vec![1, 1], vec![2, 3], vec![9, 9], vec![9, 9], vec![one, one]];
        assert_eq!(asked(&equal, true, Scheduler::FixedPriority).bounds[..], [5, 5]);
    }
}
