//! Batches say what the bounds of a description say.

use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_batch::{
    Answers, Asked, Column, Piece, Room, Scheduler, Stopped, Table, Unit, answered,
};
use vorrang_model::Format;
use vorrang_model::system::TaskId;
use vorrang_random::Random;

/// Columns of drawn sets.
#[derive(Default)]
struct Drawn {
    set: Vec<i64>,
    wcet: Vec<i64>,
    period: Vec<i64>,
    deadline: Vec<i64>,
    priority: Vec<i64>,
}

/// Deadlines up to twice the period, priorities of which some are equal, and some hopeless tasks.
fn drawn(sets: i64, seed: u64) -> Drawn {
    let mut all = Drawn::default();
    let mut random = Random::new(seed, 0);
    let mut between = |low: i64, high: i64| {
        i64::try_from(random.between(low.unsigned_abs(), high.unsigned_abs())).unwrap()
    };
    for set in 0..sets {
        let (tasks, utilisation, shape) = (between(1, 6), between(20, 110), between(0, 4));
        for _ in 0..tasks {
            let period = between(10_000, 200_000);
            let wcet = (period * utilisation / 100 / tasks * between(50, 150) / 100).max(1);
            let (tightest, longest) = match shape {
                0 => (period, 2 * period),
                1 => (wcet / 2 + 1, period),
                _ => ((period * 3 / 4).max(wcet.min(period)), period),
            };
            all.set.push(3 * set - 7);
            all.wcet.push(wcet);
            all.period.push(period);
            all.deadline.push(between(tightest.min(longest), longest));
            all.priority.push(if shape == 2 { between(0, 3) } else { -between(1, 1 << 40) });
        }
    }
    all
}

impl Drawn {
    fn piece(&self, from: usize, to: usize) -> Piece<'_> {
        Piece {
            set: &self.set[from..to],
            wcet: &self.wcet[from..to],
            period: &self.period[from..to],
            deadline: Some(&self.deadline[from..to]),
            priority: Some(&self.priority[from..to]),
        }
    }

    fn table(&self) -> Table<'_> {
        Table::new(vec![self.piece(0, self.set.len())], [Unit::Microsecond; 3])
    }

    /// What the description of some rows is proven to keep, one by one; none if it is refused.
    fn checked(&self, from: usize, to: usize, scheduler: Scheduler) -> Option<Vec<i64>> {
        let mut text = format!("version = 1\n[core.0]\nscheduler = \"{}\"\n", scheduler.word());
        let mut priorities = self.priority[from..to].to_vec();
        priorities.sort_unstable();
        for row in from..to {
            let [wcet, period, deadline] = [&self.wcet, &self.period, &self.deadline];
            let _ = write!(
                text,
                "[task.{row}]\non = \"core.0\"\nwcet = \"{}us\"\nperiod = \"{}us\"\ndeadline = \"{}us\"\n",
                wcet[row], period[row], deadline[row]
            );
            if scheduler == Scheduler::FixedPriority {
                let rank = priorities.iter().position(|known| *known == self.priority[row]);
                let _ = writeln!(text, "priority = {}", rank.unwrap());
            }
        }
        let system = vorrang_model::read(text.as_bytes(), Format::Toml).ok()?;
        let found = bounds(&system);
        let bound = |(task, row): (usize, usize)| {
            let bound = found
                .task(TaskId(task))
                .bound()
                .map_or(i64::MAX, |bound| i64::try_from(bound.as_ns()).unwrap());
            if bound <= self.deadline[row] * 1_000 { bound } else { 0 }
        };
        Some((from..to).enumerate().map(bound).collect())
    }
}

fn ask(table: &Table<'_>, scheduler: Scheduler, bounds: bool) -> Answers {
    answered(table, Asked { scheduler, bounds }, Room::default(), || false).unwrap()
}

#[test]
fn verdicts_and_bounds_are_those_of_descriptions() {
    let drawn = drawn(600, 1);
    let table = drawn.table();
    for scheduler in Scheduler::ALL {
        let found = ask(&table, scheduler, true);
        let (mut row, mut proven) = (0, 0);
        for (number, set) in found.sets.iter().enumerate() {
            let end = row + drawn.set[row..].iter().take_while(|other| *other == set).count();
            let is_hopeless = (row..end).any(|row| drawn.wcet[row] > drawn.deadline[row]);
            let bounds = &found.bounds[row..end];
            if is_hopeless {
                assert!(!found.proven[number] && bounds.iter().all(|bound| *bound == 0));
            } else {
                let checked = drawn.checked(row, end, scheduler).unwrap();
                assert_eq!(bounds, checked, "{scheduler:?}, set {set}");
                assert_eq!(found.proven[number], bounds.iter().all(|bound| *bound > 0));
            }
            proven += usize::from(found.proven[number]);
            row = end;
        }
        assert_eq!(row, drawn.set.len());
        assert!((100..550).contains(&proven), "{scheduler:?}: {proven} tell nothing");
    }
}

#[test]
fn verdicts_alone_are_the_same() {
    let drawn = drawn(2_000, 2);
    for scheduler in Scheduler::ALL {
        let (all, only) =
            (ask(&drawn.table(), scheduler, true), ask(&drawn.table(), scheduler, false));
        assert_eq!((all.sets, all.proven), (only.sets, only.proven));
        assert!(only.bounds.is_empty());
    }
}

#[test]
fn what_room_held_before_changes_nothing() {
    let drawn = drawn(600, 1);
    let in_order = sorted(&drawn, |row| -drawn.priority[row]);
    let mut room = Room::default();
    for scheduler in Scheduler::ALL {
        for drawn in [&drawn, &in_order] {
            let asked = Asked { scheduler, bounds: true };
            let found = answered(&drawn.table(), asked, room, || false).unwrap();
            assert_eq!(found, ask(&drawn.table(), scheduler, true));
            room = found.bounds;
        }
    }
}

#[test]
fn pieces_change_nothing() {
    let drawn = drawn(300, 3);
    let whole = ask(&drawn.table(), Scheduler::FixedPriority, true);
    let rows = drawn.set.len();
    for cut in [1, 7, 100] {
        let mut pieces = Vec::new();
        for from in (0..rows).step_by(cut) {
            pieces.push(drawn.piece(from, (from + cut).min(rows)));
            pieces.push(drawn.piece(from, from));
        }
        let cut = Table::new(pieces, [Unit::Microsecond; 3]);
        assert_eq!(ask(&cut, Scheduler::FixedPriority, true), whole);
    }
}

/// The same rows, those of each set by this key.
fn sorted(drawn: &Drawn, key: impl Fn(usize) -> i64) -> Drawn {
    let mut rows: Vec<usize> = (0..drawn.set.len()).collect();
    rows.sort_by_key(|row| (drawn.set[*row], key(*row)));
    let of = |column: &[i64]| rows.iter().map(|row| column[*row]).collect();
    let Drawn { set, wcet, period, deadline, priority } = drawn;
    let (set, wcet, period) = (of(set), of(wcet), of(period));
    Drawn { set, wcet, period, deadline: of(deadline), priority: of(priority) }
}

/// Rows most urgent first go to the theorem as they stand, rows most urgent last are sorted.
#[test]
fn rows_in_order_and_the_other_way_round_are_the_same() {
    let mut drawn = drawn(3_000, 6);
    // No two are equally urgent.
    for row in 0..drawn.set.len() {
        let number = i64::try_from(row).unwrap();
        drawn.priority[row] = (number * 7_919) % 1_000_003;
        drawn.deadline[row] = drawn.deadline[row] * 32 + number % 32;
        drawn.period[row] = drawn.period[row] * 32 + number % 32;
        drawn.wcet[row] *= 32;
    }
    for scheduler in
        [Scheduler::FixedPriority, Scheduler::DeadlineMonotonic, Scheduler::RateMonotonic]
    {
        let key = |row: usize| match scheduler {
            Scheduler::DeadlineMonotonic => drawn.deadline[row],
            Scheduler::RateMonotonic => drawn.period[row],
            _ => -drawn.priority[row],
        };
        let (down, up) = (sorted(&drawn, key), sorted(&drawn, |row| -key(row)));
        let [down, up] = [down, up].map(|rows| ask(&rows.table(), scheduler, true));
        assert_eq!((&down.sets, &down.proven), (&up.sets, &up.proven));
        let (mut first, mut known) = (0, 0);
        for set in drawn.set.chunk_by(|one, next| one == next) {
            let rows = first..first + set.len();
            assert!(down.bounds[rows.clone()].iter().eq(up.bounds[rows.clone()].iter().rev()));
            known += down.bounds[rows].iter().filter(|bound| **bound > 0).count();
            first += set.len();
        }
        assert!(known > first / 2, "{scheduler:?}: {known} of {first} tell nothing");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_first_row() {
    let wrong = |change: fn(&mut Drawn)| {
        let mut drawn = drawn(3_000, 4);
        change(&mut drawn);
        let asked = Asked { scheduler: Scheduler::Edf, bounds: false };
        match answered(&drawn.table(), asked, Room::default(), || false) {
            Err(Stopped::Wrong(wrong)) => (wrong.row, wrong.column),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(wrong(|all| all.set[5_000] = -8), (5_000, Column::Set));
    let two = |all: &mut Drawn| (all.wcet[9_000], all.period[80]) = (0, -1);
    assert_eq!(wrong(two), (80, Column::Period));
    assert_eq!(wrong(|all| all.deadline[3] = i64::MAX), (3, Column::Deadline));
    assert_eq!(wrong(|all| all.set.fill(1)), (4_096, Column::Set));
}

/// Tasks of the longest period with this execution time, and above them one that takes `most` of each ns.
fn long(tasks: usize, wcet: i64, most: Option<i64>) -> Answers {
    const LONGEST: i64 = 1_000_000_000_000_000;
    let set = vec![0; tasks];
    let priority: Vec<i64> = (0..).take(tasks).collect();
    let (mut wcet, mut period) = (vec![wcet; tasks], vec![LONGEST; tasks]);
    if let Some(period_ns) = most {
        (wcet[tasks - 1], period[tasks - 1]) = (period_ns, period_ns);
    }
    let (deadline, priority) = (None, Some(&priority[..]));
    let piece = Piece { set: &set, wcet: &wcet, period: &period, deadline, priority };
    let table = Table::new(vec![piece], [Unit::Nanosecond; 3]);
    let answers = ask(&table, Scheduler::FixedPriority, true);
    assert_eq!(ask(&table, Scheduler::FixedPriority, false).proven, answers.proven);
    answers
}

#[test]
fn times_as_long_as_may_be_stated_do_not_overflow() {
    let half = long(4_096, 1_000_000_000_000_000 / 8_192, None);
    assert_eq!(half.proven, [true]);
    assert_eq!(half.bounds[0], 1_000_000_000_000_000 / 8_192 * 4_096);
    assert_eq!(long(8, 1_000_000_000_000_000, None).proven, [false]);
}

#[test]
fn what_is_left_of_nothing_is_soon_said() {
    // Step by step the window below would grow by a nanosecond, up to eleven days.
    let full = long(3, 1, Some(1));
    assert_eq!((&full.proven[..], &full.bounds[..]), (&[false][..], &[0, 0, 1][..]));
}

#[test]
fn an_end_that_is_wanted_comes() {
    let drawn = drawn(100, 5);
    let asked = Asked { scheduler: Scheduler::Edf, bounds: true };
    assert_eq!(
        answered(&drawn.table(), asked, Room::default(), || true),
        Err(Stopped::Interrupted)
    );
}

#[test]
fn nothing_asked_nothing_answered() {
    let drawn = Drawn::default();
    assert_eq!(ask(&drawn.table(), Scheduler::Edf, true), Answers::default());
    assert_eq!(
        ask(&Table::new(Vec::new(), [Unit::Second; 3]), Scheduler::Edf, true),
        Answers::default()
    );
}
