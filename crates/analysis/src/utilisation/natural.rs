//! Natural numbers without a limit: as much of them as comparing two products takes.

use core::cmp::Ordering;

/// A natural number in digits of 32 bits, the least first, without zeros at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Natural(Vec<u32>);

impl Natural {
    pub(super) fn new(mut value: u128) -> Self {
        let mut digits = Vec::new();
        while value > 0 {
            digits.push(low(value));
            value >>= u32::BITS;
        }
        Self(digits)
    }

    pub(super) fn times(&self, factor: u128) -> Self {
        let factor = Self::new(factor);
        let mut digits = vec![0_u32; self.0.len() + factor.0.len()];
        for (place, &own) in self.0.iter().enumerate() {
            let mut carry = 0_u128;
            for (other, digit) in digits[place..].iter_mut().enumerate() {
                let product = u128::from(own) * u128::from(*factor.0.get(other).unwrap_or(&0));
                let sum = u128::from(*digit) + product + carry;
                *digit = low(sum);
                carry = sum >> u32::BITS;
            }
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Self(digits)
    }

    pub(super) fn product(factors: impl Iterator<Item = u128>) -> Self {
        factors.fold(Self::new(1), |product, factor| product.times(factor))
    }
}

fn low(value: u128) -> u32 {
    u32::try_from(value & u128::from(u32::MAX)).expect("32 bits")
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_length = self.0.len().cmp(&other.0.len());
        by_length.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_compare_as_those_of_128_bits_do(
            a in 0_u64.., b in 0_u64.., c in 0_u64.., d in 0_u64..
        ) {
            let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
            let natural = |a: u64, b: u64| Natural::product([a.into(), b.into()].into_iter());
            prop_assert_eq!(natural(a, b), Natural::new(wide(a, b)));
            prop_assert_eq!(natural(a, b).cmp(&natural(c, d)), wide(a, b).cmp(&wide(c, d)));
        }
    }

    #[test]
    fn a_power_of_two_has_the_digits_it_should_have() {
        let power = Natural::product((0..10).map(|_| 1_u128 << 100));
        assert_eq!(power.0.len(), 1_000 / 32 + 1);
        assert_eq!(power.0.last(), Some(&(1 << (1_000 % 32))));
        assert!(Natural::new(0) < Natural::new(1));
    }
}
