//! Stride and virtual-time round-robin once more, from `docs/model.md`: plain lists, and fractions
//! as pairs of integers.

use std::cmp::{Ordering, Reverse};

/// A fraction, not reduced below what keeps the tests within range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fraction(u128, u128);

impl Fraction {
    fn of(above: u128, below: u128) -> Self {
        let (mut one, mut other) = (above, below);
        while other > 0 {
            (one, other) = (other, one % other);
        }
        Self(above / one, below / one)
    }

    fn plus(self, above: u64, below: u32) -> Self {
        let below = u128::from(below);
        Self::of(self.0 * below + u128::from(above) * self.1, self.1 * below)
    }

    /// To multiples of 2^-32.
    fn rounded_down(self) -> Self {
        Self::of((self.0 << 32) / self.1, 1 << 32)
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Fraction {}

#[derive(Clone, Copy, Debug)]
struct Member {
    share: u32,
    /// Its finishing time, or its pass.
    finish: Option<Fraction>,
    counter: u32,
    /// The cycle in which it left.
    left_in: Option<u64>,
}

/// Either scheduler.
#[derive(Clone, Debug)]
pub(crate) struct Naive {
    quantum: u64,
    members: Vec<Member>,
    /// The ready ones, in the order of the list.
    list: Vec<usize>,
    time: Fraction,
    cycle: u64,
    /// The member whose turn it is, and the rest of the turn.
    pub(crate) turn: Option<(usize, u64)>,
    /// The member of the last turn.
    last: Option<usize>,
    is_stride: bool,
}

impl Naive {
    pub(crate) fn new(quantum: u64, shares: &[u32], is_stride: bool) -> Self {
        let member = |&share| Member { share, finish: None, counter: 0, left_in: None };
        Self {
            quantum,
            members: shares.iter().map(member).collect(),
            list: vec![],
            time: Fraction(0, 1),
            cycle: 0,
            turn: None,
            last: None,
            is_stride,
        }
    }

    fn place(&self, member: usize) -> (Reverse<u32>, usize) {
        (Reverse(self.members[member].share), member)
    }

    fn shares(&self) -> u32 {
        self.list.iter().map(|&member| self.members[member].share).sum()
    }

    fn counters(&self) -> u32 {
        self.list.iter().map(|&member| self.members[member].counter).sum()
    }

    pub(crate) fn consume(&mut self, amount: u64) {
        let (member, left) = self.turn.unwrap();
        self.time = self.time.plus(amount, self.shares());
        let state = &mut self.members[member];
        state.finish = Some(state.finish.unwrap().plus(amount, state.share));
        self.turn = Some((member, left - amount));
        if left == amount {
            self.members[member].counter -= u32::from(!self.is_stride);
            self.turn = None;
            self.last = Some(member);
        }
    }

    pub(crate) fn leave(&mut self, member: usize) {
        self.time = self.time.rounded_down();
        self.list.retain(|&other| other != member);
        self.members[member].left_in = Some(self.cycle);
        if self.turn.is_some_and(|turn| turn.0 == member) {
            self.turn = None;
            self.last = Some(member);
        }
    }

    /// The first of the list behind the place of the last turn.
    fn after_last(&self) -> Option<usize> {
        let last = self.place(self.last?);
        self.list.iter().copied().find(|&member| self.place(member) > last)
    }

    fn join(&mut self, member: usize) {
        self.time = self.time.rounded_down();
        let (shares, counters) = (self.shares(), self.counters());
        let share = self.members[member].share;
        self.list.push(member);
        self.list.sort_by_key(|&member| (Reverse(self.members[member].share), member));
        let at = self.list.iter().position(|&other| other == member).unwrap();
        let before = at.checked_sub(1).map(|before| self.members[self.list[before]].counter);
        let comes_next = self.turn.map_or(self.after_last(), |turn| Some(turn.0));
        let after = self.list.get(at + 1).map(|&after| {
            self.members[after].counter.saturating_sub(u32::from(Some(after) == comes_next))
        });

        let cycle = self.cycle;
        let first = self.time.plus(self.quantum, share);
        let state = &mut self.members[member];
        state.finish = Some(state.finish.map_or(first, |own| own.max(first)));
        let computed = (2 * share * counters + shares).checked_div(2 * shares).unwrap_or(share);
        let kept = if state.left_in == Some(cycle) { state.counter } else { u32::MAX };
        state.counter = computed.min(kept).min(before.unwrap_or(u32::MAX)).max(after.unwrap_or(0));
    }

    pub(crate) fn settle(&mut self, joining: &[usize]) {
        for &member in joining {
            self.join(member);
        }
        if self.turn.is_none() && !self.list.is_empty() {
            let next = if self.is_stride { self.least_pass() } else { self.next() };
            self.turn = Some((next, self.quantum));
        }
    }

    fn least_pass(&self) -> usize {
        let pass = |member: usize| (self.members[member].finish.unwrap(), member);
        self.list.iter().copied().min_by_key(|&member| pass(member)).unwrap()
    }

    fn next(&mut self) -> usize {
        let first = self.list[0];
        if self.counters() == 0 {
            self.cycle += 1;
            for &member in &self.list {
                self.members[member].counter = self.members[member].share;
            }
            return first;
        }
        let Some(next) = self.after_last() else { return first };
        let at = self.list.iter().position(|&other| other == next).unwrap();
        let before = at.checked_sub(1).map(|before| self.members[self.list[before]].counter);
        let Member { share, finish, counter, .. } = self.members[next];
        // F − (V + quantum/S) < quantum/share
        let ahead = self.time.plus(self.quantum, self.shares()).plus(self.quantum, share);
        let goes_on = before.is_some_and(|before| counter > before) || finish.unwrap() < ahead;
        if counter > 0 && goes_on { next } else { first }
    }
}
