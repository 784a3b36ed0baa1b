//! Members that join, leave and change their share.

use crate::driver::{QUANTUM, all_kinds, join_all, letters, quanta, quantum, settle, use_up};
use crate::naive::Naive;
use proptest::prelude::*;
use vorrang_mechanisms::scheduler::turns::{AnyTurns, RoundRobin, Stride, Turns, Vtrr};
use vorrang_time::Duration;

const HALF: Duration = Duration::from_ns(QUANTUM.as_ns() / 2);

#[test]
fn nobody_is_ready_at_first_and_after_the_last_left() {
    for mut turns in all_kinds(&[2, 1]) {
        settle(&mut turns);
        assert_eq!((turns.current(), turns.left()), (None, Duration::ZERO));
        turns.join(1);
        settle(&mut turns);
        assert_eq!((turns.current(), turns.left()), (Some(1), QUANTUM));
        turns.leave(1);
        settle(&mut turns);
        assert_eq!(turns.current(), None);
    }
}

#[test]
fn a_turn_goes_on_while_others_join_and_leave() {
    for mut turns in all_kinds(&[1, 1, 5]) {
        join_all(&mut turns, 2);
        use_up(&mut turns, HALF);
        turns.join(2);
        settle(&mut turns);
        assert_eq!((turns.current(), turns.left()), (Some(0), HALF));
        turns.leave(1);
        settle(&mut turns);
        assert_eq!((turns.current(), turns.left()), (Some(0), HALF));
    }
}

#[test]
fn who_leaves_in_its_turn_begins_a_new_one_later() {
    for mut turns in all_kinds(&[1, 1]) {
        join_all(&mut turns, 2);
        turns.consume(HALF);
        turns.leave(0);
        settle(&mut turns);
        assert_eq!((turns.current(), turns.left()), (Some(1), QUANTUM));
        turns.join(0);
        settle(&mut turns);
        assert_eq!(letters(&quanta(&mut turns, 2)), "BA");
    }
}

#[test]
fn who_was_told_to_join_may_leave_before_it_does() {
    for mut turns in all_kinds(&[1, 1]) {
        turns.join(0);
        turns.join(1);
        turns.leave(0);
        settle(&mut turns);
        assert_eq!(letters(&quanta(&mut turns, 3)), "BBB");
    }
}

#[test]
fn who_joins_a_ring_comes_last() {
    let mut turns = RoundRobin::new(QUANTUM, 5);
    join_all(&mut turns, 2);
    use_up(&mut turns, HALF);
    // Behind B, in the order of declaration however they are told.
    for member in [4, 2] {
        turns.join(member);
    }
    settle(&mut turns);
    use_up(&mut turns, HALF);
    assert_eq!(letters(&quanta(&mut turns, 4)), "BCEA");
    // A turn of B that is over at the instant at which D joins: B stands behind it.
    turns.consume(QUANTUM);
    turns.join(3);
    settle(&mut turns);
    assert_eq!(letters(&quanta(&mut turns, 5)), "CEADB");
    // The place of one that left is kept by the one that came after it.
    turns.leave(2);
    turns.join(2);
    settle(&mut turns);
    assert_eq!(letters(&quanta(&mut turns, 5)), "EADBC");
}

#[test]
fn who_leaves_forfeits_the_rest_of_its_turns() {
    let mut turns = RoundRobin::weighted(QUANTUM, &[3, 2]);
    join_all(&mut turns, 2);
    assert_eq!(quantum(&mut turns), 0);
    turns.leave(0);
    settle(&mut turns);
    turns.join(0);
    settle(&mut turns);
    assert_eq!(letters(&quanta(&mut turns, 8)), "BBAAABBA");
}

/// A member does not save up what it did not use.
#[test]
fn who_slept_does_not_catch_up() {
    for mut turns in [
        AnyTurns::Stride(Stride::new(QUANTUM, &[1, 1])),
        AnyTurns::Vtrr(Vtrr::new(QUANTUM, &[1, 1])),
    ] {
        turns.join(0);
        settle(&mut turns);
        quanta(&mut turns, 100);
        turns.join(1);
        settle(&mut turns);
        let received = quanta(&mut turns, 10);
        assert_eq!(received.iter().filter(|&&member| member == 1).count(), 5, "{received:?}");
    }
}

/// A member that sleeps and wakes in every turn does not get more of a cycle than its share.
#[test]
fn who_blocks_often_stays_within_its_cycle() {
    let mut turns = Vtrr::new(QUANTUM, &[2, 1]);
    join_all(&mut turns, 2);
    let mut used = [0; 2];
    for _ in 0..300 {
        let member = turns.current().unwrap();
        let time = if member == 0 { HALF } else { QUANTUM };
        used[member as usize] += time.as_ns();
        turns.consume(time);
        if member == 0 {
            turns.leave(0);
            turns.join(0);
        }
        settle(&mut turns);
    }
    assert!(used[0] <= 2 * used[1] + QUANTUM.as_ns(), "{used:?}");
}

#[test]
fn a_changed_share_is_served() {
    for mut turns in [
        AnyTurns::WeightedRoundRobin(RoundRobin::weighted(QUANTUM, &[1, 1])),
        AnyTurns::Stride(Stride::new(QUANTUM, &[1, 1])),
        AnyTurns::Vtrr(Vtrr::new(QUANTUM, &[1, 1])),
    ] {
        join_all(&mut turns, 2);
        use_up(&mut turns, HALF);
        // It is the turn of A, which goes on; B is not.
        turns.set_share(0, 2);
        turns.set_share(1, 3);
        settle(&mut turns);
        assert_eq!((turns.current(), turns.left()), (Some(0), HALF));
        use_up(&mut turns, HALF);
        quanta(&mut turns, 10);
        let received = quanta(&mut turns, 50);
        assert_eq!(received.iter().filter(|&&member| member == 1).count(), 30, "{received:?}");
    }
}

/// The events of one instant: how much of the turn was used, and which members change.
#[derive(Clone, Debug)]
struct Step {
    used: u64,
    changes: Vec<usize>,
}

fn steps(members: usize) -> impl Strategy<Value = Vec<Step>> {
    let used = prop_oneof![Just(60_u64), 0..=60_u64];
    let changes = prop::collection::vec(0..members, 0..3);
    let step = (used, changes).prop_map(|(used, changes)| Step { used, changes });
    prop::collection::vec(step, 1..80)
}

/// Both run the same steps; a ready member sleeps and a sleeping one wakes, and a member that is named twice
/// does both at the same instant.
fn compare(turns: &mut impl Turns, naive: &mut Naive, steps: &[Step], members: usize) {
    let mut ready = vec![false; members];
    for Step { used, changes } in steps {
        let used = (*used).min(turns.left().as_ns());
        if used > 0 {
            turns.consume(Duration::from_ns(used));
            naive.consume(used);
        }
        let mut joining = Vec::new();
        for &member in changes {
            if !ready[member] {
                turns.join(u32::try_from(member).unwrap());
                joining.push(member);
                ready[member] = true;
            } else if !joining.contains(&member) {
                turns.leave(u32::try_from(member).unwrap());
                naive.leave(member);
                ready[member] = false;
            }
        }
        joining.sort_unstable();
        settle(turns);
        naive.settle(&joining);
        let turn = turns.current().map(|member| (member as usize, turns.left().as_ns()));
        assert_eq!(turn, naive.turn);
    }
}

proptest! {
    #[test]
    fn stride_does_what_the_naive_one_does(
        shares in prop::collection::vec(1_u32..6, 5),
        steps in steps(5),
    ) {
        let mut naive = Naive::new(60, &shares, true);
        compare(&mut Stride::new(QUANTUM, &shares), &mut naive, &steps, 5);
    }

    #[test]
    fn vtrr_does_what_the_naive_one_does(
        shares in prop::collection::vec(1_u32..6, 5),
        steps in steps(5),
    ) {
        let mut naive = Naive::new(60, &shares, false);
        compare(&mut Vtrr::new(QUANTUM, &shares), &mut naive, &steps, 5);
    }

    /// The invariants hold whatever happens; with many members and changes of share, too.
    #[test]
    fn invariants_hold(
        shares in prop::collection::vec(1_u32..20, 70),
        steps in steps(70),
        changes in prop::collection::vec((0..70_u32, 1..20_u32), 80),
    ) {
        for mut turns in all_kinds(&shares) {
            join_all(&mut turns, 40);
            let mut ready = [[true; 40].as_slice(), &[false; 30]].concat();
            for (Step { used, changes }, &(member, share)) in steps.iter().zip(&changes) {
                let used = Duration::from_ns(*used).min(turns.left());
                turns.consume(used);
                for &member in changes {
                    let told = u32::try_from(member).unwrap();
                    if ready[member] { turns.leave(told) } else { turns.join(told) }
                    ready[member] = !ready[member];
                }
                turns.set_share(member, share);
                settle(&mut turns);
                let is_ready = |member: u32| ready[member as usize];
                prop_assert_eq!(turns.current().map(is_ready), turns.current().map(|_| true));
                prop_assert_eq!(turns.current().is_some(), ready.contains(&true));
            }
        }
    }
}
