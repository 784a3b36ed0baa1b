//! A set of small numbers with neighbours.
//!
//! Bits in words, and above them a bit for every word that is not empty, level by level: every
//! operation looks at most at two words of each level, of which 10 000 numbers have three.

use alloc::vec;
use alloc::vec::Vec;

/// A set of numbers below a bound.
#[derive(Clone, Debug)]
pub(super) struct MemberSet {
    /// The numbers first, one word on top.
    levels: Vec<Vec<u64>>,
}

impl MemberSet {
    /// An empty set of numbers below `bound`.
    pub(super) fn below(bound: usize) -> Self {
        let mut levels = Vec::new();
        let mut words = bound;
        loop {
            words = words.div_ceil(64).max(1);
            levels.push(vec![0; words]);
            if words == 1 {
                return Self { levels };
            }
        }
    }

    pub(super) fn insert(&mut self, number: usize) {
        let mut number = number;
        for level in &mut self.levels {
            level[number / 64] |= 1 << (number % 64);
            number /= 64;
        }
    }

    pub(super) fn remove(&mut self, number: usize) {
        let mut number = number;
        for level in &mut self.levels {
            level[number / 64] &= !(1 << (number % 64));
            if level[number / 64] != 0 {
                return;
            }
            number /= 64;
        }
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        self.levels[0][number / 64] >> (number % 64) & 1 == 1
    }

    /// The least number of the set that is not below `from`.
    pub(super) fn first_from(&self, from: usize) -> Option<usize> {
        let mut from = from;
        for (height, level) in self.levels.iter().enumerate() {
            let word = level.get(from / 64)?;
            let found = word & (u64::MAX << (from % 64));
            if found != 0 {
                let number = from / 64 * 64 + found.trailing_zeros() as usize;
                return Some(self.down(height, number, u64::trailing_zeros));
            }
            from = from / 64 + 1;
        }
        None
    }

    /// The greatest number of the set that is below `to`.
    pub(super) fn last_below(&self, to: usize) -> Option<usize> {
        let mut to = to;
        for (height, level) in self.levels.iter().enumerate() {
            if !to.is_multiple_of(64) {
                let found = level[to / 64] & !(u64::MAX << (to % 64));
                if found != 0 {
                    let number = to / 64 * 64 + found.ilog2() as usize;
                    return Some(self.down(height, number, u64::ilog2));
                }
            }
            to /= 64;
        }
        None
    }

    /// From a number of a level down to one of the set, by the same side of every word.
    fn down(&self, height: usize, number: usize, side: fn(u64) -> u32) -> usize {
        let levels = self.levels[..height].iter().rev();
        levels.fold(number, |number, level| number * 64 + side(level[number]) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    #[test]
    fn neighbours_are_those_of_an_ordered_set() {
        for bound in [1, 63, 64, 65, 4096, 5000] {
            let mut set = MemberSet::below(bound);
            let mut model = BTreeSet::new();
            let mut state = 1_usize;
            for _ in 0..400 {
                // A full-period generator modulo a power of two: any sequence will do.
                state = (state * 8_121 + 28_411) % 134_456;
                let number = state * 7 % bound;
                if model.remove(&number) {
                    set.remove(number);
                } else {
                    model.insert(number);
                    set.insert(number);
                }
                let probe = state % bound;
                assert_eq!(set.contains(probe), model.contains(&probe));
                assert_eq!(set.first_from(probe), model.range(probe..).next().copied());
                assert_eq!(set.last_below(probe), model.range(..probe).next_back().copied());
            }
        }
    }
}
