//! Products of quotients between two bounds of 58 binary places: they decide most comparisons in linear time.

use core::iter;

/// Binary places after the point.
const PLACES: u32 = 58;
/// What quotients, products and limits stay below, so that no step leaves 128 bits.
const MOST: u128 = 4 << PLACES;

/// Whether the product of `above / below` of all factors, each at least 1, is at most `limit`, a quotient as
/// well; `None` if rounding down and rounding up disagree.
pub(super) fn is_at_most(
    factors: impl Iterator<Item = (u128, u128)>,
    limit: (u128, u128),
) -> Option<bool> {
    let limit = scaled(1 << PLACES, limit).filter(|&limit| limit <= MOST)?;
    let (mut low, mut high) = (1 << PLACES, 1 << PLACES);
    for (above, below) in factors {
        if above >= below.saturating_mul(4) {
            return Some(false);
        }
        low = scaled(low, (above, below))?;
        // The factors that follow make it no less.
        if low > limit {
            return Some(false);
        }
        high = scaled(high, (above, below))? + 1;
    }
    (high <= limit).then_some(true)
}

/// The same for n factors that are equal.
pub(super) fn is_power_at_most(
    factor: (u128, u128),
    n: usize,
    limit: (u128, u128),
) -> Option<bool> {
    is_at_most(iter::repeat_n(factor, n), limit)
}

/// `value above / below`, rounded down; `None` beyond 128 bits.
fn scaled(value: u128, (above, below): (u128, u128)) -> Option<u128> {
    Some(value.checked_mul(above)? / below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::utilisation::natural::Natural;
    use proptest::prelude::*;

    fn exact(factors: &[(u128, u128)], limit: (u128, u128)) -> bool {
        let product = |of: fn(&(u128, u128)) -> u128| Natural::product(factors.iter().map(of));
        product(|factor| factor.0).times(limit.1) <= product(|factor| factor.1).times(limit.0)
    }

    proptest! {
        #[test]
        fn what_is_decided_is_so(
            parts in prop::collection::vec((0_u64.., 1_u64..), 1..8),
            (over, below) in (0_u64.., 1_u64..),
            shift in 0_u32..40,
        ) {
            let quotient = |part: u64, whole: u64| {
                (u128::from(whole) + u128::from(part >> shift), u128::from(whole))
            };
            let factors: Vec<_> = parts.iter().map(|&(part, whole)| quotient(part, whole)).collect();
            let limit = quotient(over, below);
            if let Some(found) = is_at_most(factors.iter().copied(), limit) {
                prop_assert_eq!(found, exact(&factors, limit));
            }
        }

        #[test]
        fn utilisations_are_decided_unless_they_are_at_the_limit(
            parts in prop::collection::vec((0_u64..1_000_000, 1_000_000_u64..1_000_000_000), 1..50),
        ) {
            let factors: Vec<_> = parts
                .iter()
                .map(|&(wcet, period)| (u128::from(wcet + period), u128::from(period)))
                .collect();
            prop_assert_eq!(is_at_most(factors.iter().copied(), (2, 1)), Some(exact(&factors, (2, 1))));
        }
    }

    #[test]
    fn a_product_at_its_limit_is_left_open() {
        assert_eq!(is_at_most([(4, 3), (3, 2)].into_iter(), (2, 1)), None);
        assert_eq!(is_at_most([(4, 3), (3, 2)].into_iter(), (3, 1)), Some(true));
        assert_eq!(is_at_most([(4, 3), (3, 2)].into_iter(), (19, 10)), Some(false));
        assert_eq!(is_power_at_most((1001, 1000), 694, (2, 1)), Some(false));
        assert_eq!(is_power_at_most((1001, 1000), 693, (2, 1)), Some(true));
    }
}
