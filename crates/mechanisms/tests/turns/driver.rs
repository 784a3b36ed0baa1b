//! Runs turns in whole quanta and in parts of them.

use vorrang_mechanisms::scheduler::turns::{AnyTurns, RoundRobin, Stride, Turns, Vtrr};
use vorrang_time::Duration;

/// One quantum of the tests, a number with many divisors.
pub(crate) const QUANTUM: Duration = Duration::from_ns(60);

/// All kinds for members of these shares.
pub(crate) fn all_kinds(shares: &[u32]) -> [AnyTurns; 4] {
    [
        AnyTurns::RoundRobin(RoundRobin::new(QUANTUM, shares.len())),
        AnyTurns::WeightedRoundRobin(RoundRobin::weighted(QUANTUM, shares)),
        AnyTurns::Stride(Stride::new(QUANTUM, shares)),
        AnyTurns::Vtrr(Vtrr::new(QUANTUM, shares)),
    ]
}

/// All members join.
pub(crate) fn join_all(turns: &mut impl Turns, members: usize) {
    for member in (0..).take(members) {
        turns.join(member);
    }
    turns.settle();
}

/// The members that get the next quanta.
pub(crate) fn quanta(turns: &mut impl Turns, count: usize) -> Vec<u32> {
    (0..count).map(|_| quantum(turns)).collect()
}

/// Uses a whole quantum.
pub(crate) fn quantum(turns: &mut impl Turns) -> u32 {
    let member = turns.current().expect("a member is ready");
    assert_eq!(turns.left(), QUANTUM);
    use_up(turns, QUANTUM);
    member
}

/// The one whose turn it is runs for some time.
pub(crate) fn use_up(turns: &mut impl Turns, time: Duration) {
    turns.consume(time);
    settle(turns);
}

pub(crate) fn settle(turns: &mut impl Turns) {
    turns.settle();
    assert_eq!(turns.check(), Ok(()));
}

/// A letter for each member.
pub(crate) fn letters(members: &[u32]) -> String {
    members.iter().map(|&member| (b'A' + u8::try_from(member).expect("few")) as char).collect()
}
