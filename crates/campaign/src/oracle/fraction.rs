//! Exact fractions, for what the model divides.

use core::cmp::Ordering;
use core::ops::{Add, Div, Mul, Sub};

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fraction {
    above: i128,
    below: i128,
}

impl Fraction {
    pub(super) const ZERO: Self = Self { above: 0, below: 1 };

    pub(super) fn new(above: i128, below: i128) -> Self {
        assert!(below != 0, "nothing is divided by zero");
        let common = divisor(above.unsigned_abs(), below.unsigned_abs());
        let common = i128::try_from(common).expect("a divisor of one that fits") * below.signum();
        Self { above: above / common, below: below / common }
    }

    pub(super) fn whole(number: u64) -> Self {
        Self { above: i128::from(number), below: 1 }
    }

    pub(super) fn of(above: u64, below: u64) -> Self {
        Self::new(i128::from(above), i128::from(below))
    }

    pub(super) fn floor(self) -> i128 {
        self.above.div_euclid(self.below)
    }

    pub(super) fn ceil(self) -> i128 {
        -(-self.above).div_euclid(self.below)
    }

    pub(super) fn is_positive(self) -> bool {
        self.above > 0
    }
}

fn divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { divisor(b, a % b) }
}

impl Add for Fraction {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.above * other.below + other.above * self.below, self.below * other.below)
    }
}

impl Sub for Fraction {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + Self { above: -other.above, ..other }
    }
}

impl Mul for Fraction {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(self.above * other.above, self.below * other.below)
    }
}

impl Div for Fraction {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        Self::new(self.above * other.below, self.below * other.above)
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.above * other.below).cmp(&(other.above * self.below))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_exact() {
        let third = Fraction::of(1, 3);
        assert_eq!(third + third + third, Fraction::whole(1));
        assert_eq!((Fraction::of(7, 2) - Fraction::whole(4)).floor(), -1);
        assert_eq!((Fraction::of(7, 2) - Fraction::whole(4)).ceil(), 0);
        assert!(Fraction::of(2, 3) * Fraction::of(3, 4) < Fraction::of(2, 3));
        assert_eq!(Fraction::of(2, 3) / Fraction::of(4, 3), Fraction::of(1, 2));
    }
}
