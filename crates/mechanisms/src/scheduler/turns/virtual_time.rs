//! Time divided by shares, exactly.
//!
//! A virtual time grows by `amount / shares`. It is kept as a mixed number: whole units of 2^-32 ns
//! and a rest in parts of one unit, as many as there are shares. So sums and comparisons are exact
//! as long as the shares stay the same; when they change the rest is dropped (rounded down).
//!
//! It cannot overflow: a history has less than 2^64 ns, hence less than 2^96 units; a rest is less
//! than its shares, which are less than 2^64, so products of the two fit in 128 bits.

use core::cmp::Ordering;
use vorrang_time::Duration;

/// Nanoseconds per share since the beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct VirtualTime {
    units: u128,
    /// Of one unit, in parts.
    rest: u64,
    /// How many parts a unit has.
    shares: u64,
}

impl VirtualTime {
    /// The beginning, in a time that grows by `amount / shares`.
    pub(super) fn zero(shares: u64) -> Self {
        Self { units: 0, rest: 0, shares: shares.max(1) }
    }

    /// The same instant, rounded down to units, in a time of other shares.
    pub(super) fn in_shares(self, shares: u64) -> Self {
        Self { units: self.units, ..Self::zero(shares) }
    }

    /// Later by `amount / shares`.
    pub(super) fn after(self, amount: Duration) -> Self {
        // Below four seconds 64 bits are enough, whose division takes a fraction of the time.
        let short = (amount.as_ns() >> 32 == 0)
            .then(|| (amount.as_ns() << 32).checked_add(self.rest))
            .flatten();
        if let Some(rest) = short {
            let units = self.units + u128::from(rest / self.shares);
            return Self { units, rest: rest % self.shares, ..self };
        }
        let shares = u128::from(self.shares);
        let rest = (u128::from(amount.as_ns()) << 32) + u128::from(self.rest);
        Self {
            units: self.units + rest / shares,
            rest: u64::try_from(rest % shares).expect("less than the shares"),
            ..self
        }
    }
}

impl Ord for VirtualTime {
    fn cmp(&self, other: &Self) -> Ordering {
        self.units.cmp(&other.units).then_with(|| {
            let this = u128::from(self.rest) * u128::from(other.shares);
            this.cmp(&(u128::from(other.rest) * u128::from(self.shares)))
        })
    }
}

impl PartialOrd for VirtualTime {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for VirtualTime {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for VirtualTime {}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(shares: u64, amounts: &[u64]) -> VirtualTime {
        let zero = VirtualTime::zero(shares);
        amounts.iter().fold(zero, |time, &ns| time.after(Duration::from_ns(ns)))
    }

    #[test]
    fn parts_add_up_exactly() {
        assert_eq!(after(3, &[1, 1, 1]), after(1, &[1]));
        assert_eq!(after(6, &[1, 3]), after(3, &[2]));
        assert!(after(3, &[1]) > after(1_000_000_007, &[333_333_335]));
        assert!(after(3, &[1]) < after(1_000_000_007, &[333_333_336]));
    }

    /// On both sides of what 64 bits hold.
    #[test]
    fn long_times_are_exact_too() {
        let second = 1_000_000_000;
        assert_eq!(after(7, &[21 * second]), after(7, &[second; 21]));
        assert_eq!(after(u64::MAX, &[u64::MAX]), after(1, &[1]));
    }

    #[test]
    fn other_shares_round_down() {
        let third = after(3, &[1]).in_shares(5);
        assert!(third < after(3, &[1]));
        assert_eq!(after(4, &[1]).in_shares(5), after(4, &[1]));
    }
}
