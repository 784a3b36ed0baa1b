//! Numbers of several systems at once.
//!
//! **Model.** A row has one number of each of sixteen systems, side by side, so that compilers take as many of them
//! in one instruction as the processor can. Everything here is without a branch.
//!
//! **Assumptions.** 1. The four basic operations on floating-point numbers, none of them fused, and comparisons only.

/// Systems that are drawn at once.
pub(super) const LANES: usize = 16;

/// One number of each of them.
pub(super) type Lanes<T> = [T; LANES];

/// Uniform from zero to below one, in whole multiples of 2^-52, of 64 random bits.
#[inline]
pub(super) fn unit(number: u64) -> f64 {
    f64::from_bits((number >> 12) | 1.0_f64.to_bits()) - 1.0
}

/// Uniform from zero to below `end`, of 64 random bits: some numbers are likelier by a part of `end / 2^64`.
#[inline]
pub(super) fn below(number: u64, end: u64) -> u64 {
    ((u128::from(number) * u128::from(end)) >> 64) as u64
}

/// Added to what is from zero to below 2^52, it leaves the nearest whole number in the lowest bits.
const WHOLE: f64 = 4_503_599_627_370_496.0;

/// The largest whole number that is not above, of what is from zero to below 2^52.
#[inline]
pub(super) fn floor(number: f64) -> f64 {
    let nearest = (number + WHOLE) - WHOLE;
    nearest - if nearest > number { 1.0 } else { 0.0 }
}

/// The lesser of two numbers.
#[inline]
pub(super) fn least(one: f64, other: f64) -> f64 {
    if one < other { one } else { other }
}

/// A whole number from zero to below 2^52.
#[inline]
pub(super) fn integer(number: f64) -> u64 {
    (number + WHOLE).to_bits() ^ WHOLE.to_bits()
}

/// A row for each of `rows`, number by number.
#[inline]
pub(super) fn each<A: Copy, B: Copy + Default>(
    into: &mut Vec<Lanes<B>>,
    rows: &[Lanes<A>],
    of: impl Fn(A) -> B,
) {
    let first = into.len();
    into.resize(first + rows.len(), [B::default(); LANES]);
    for (into, row) in into[first..].iter_mut().zip(rows) {
        for (into, number) in into.iter_mut().zip(row) {
            *into = of(*number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cube::exact;
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "to the last bit")]
    fn numbers_are_below_their_end() {
        assert_eq!([unit(0), unit(1 << 63), unit(u64::MAX)], [0.0, 0.5, 1.0 - 2.0_f64.powi(-52)]);
        assert_eq!([below(0, 7), below(1 << 63, 7), below(u64::MAX, 7)], [0, 3, 6]);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "to the last bit")]
    fn floors_are_those_of_the_library() {
        let last = 2.0_f64.powi(52);
        for number in [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 1e9 + 0.5, 1e15 - 0.125, last - 1.0] {
            assert_eq!(floor(number), number.floor());
        }
        for number in [0, 1, 2, 1_000_000_007, 1 << 50, (1 << 52) - 1] {
            assert_eq!(integer(exact(number)), number);
        }
    }
}
