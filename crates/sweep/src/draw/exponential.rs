//! Powers of two, the same to the last bit on every machine.
//!
//! **Model.** With `n` the whole number nearest to `x`, `2^x = 2^n 2^r` where `|r| <= 1/2`. The second factor is its Taylor
//! polynomial of degree 11, as four polynomials in the fourth power of `r` that do not wait for each other. What
//! that leaves out is below `(ln 2 / 2)^12 / 12! < 2^-47`. Additions and multiplications only, none of them
//! fused, so that all machines round alike; no branch and no call, so that compilers take several
//! powers at once.
//!
//! **Assumptions.** 1. `|x| <= 1000`. The result then differs from the true one by less than a part of 2^-46: a
//! test compares it with another implementation.

/// `(ln 2)^k / k!`, for k from 8, 4 and 0 on.
const COEFFICIENTS: [[f64; 4]; 3] = [
    [
        1.321_548_679_014_431e-6,
        1.017_808_600_923_97e-7,
        7.054_911_620_801_123e-9,
        4.445_538_271_870_811_6e-10,
    ],
    [
        0.009_618_129_107_628_477,
        0.001_333_355_814_642_844_3,
        0.000_154_035_303_933_816_1,
        1.525_273_380_405_984_1e-5,
    ],
    [1.0, std::f64::consts::LN_2, 0.240_226_506_959_100_72, 0.055_504_108_664_821_58],
];

/// 3 · 2^51: added to what is below 2^51, it leaves the nearest whole number in the lowest bits.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// 2 to the power of a number.
#[inline]
pub(super) fn power_of_two(exponent: f64) -> f64 {
    let shifted = exponent + WHOLE;
    let rest = exponent - (shifted - WHOLE);
    let square = rest * rest;
    let fourth = square * square;
    let [first, lower @ ..] = COEFFICIENTS;
    let mut sums = first;
    for row in lower {
        for (sum, coefficient) in sums.iter_mut().zip(row) {
            *sum = *sum * fourth + coefficient;
        }
    }
    let polynomial = (sums[0] + sums[1] * rest) + (sums[2] + sums[3] * rest) * square;
    // The whole number becomes the exponent of a factor.
    let factor = (shifted.to_bits() << 52).wrapping_add(1.0_f64.to_bits());
    polynomial * f64::from_bits(factor)
}

#[cfg(test)]
mod tests {
    use super::super::cube::exact;
    use super::*;
    use vorrang_random::Random;

    #[test]
    fn powers_are_those_of_another_implementation() {
        let mut random = Random::new(1, 0);
        let least = (0.5_f64).powi(46);
        for _ in 0..200_000 {
            let exponent = exact(random.below(1 << 53)) / exact(1 << 47) - 14.0;
            let (found, known) = (power_of_two(exponent), libm::exp2(exponent));
            assert!((found - known).abs() < least * known, "2^{exponent}: {found}, {known}");
        }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "to the last bit")]
    fn powers_of_whole_numbers_are_exact() {
        for exponent in [-1_000, -1, 0, 1, 49, 1_000] {
            assert_eq!(power_of_two(f64::from(exponent)), 2.0_f64.powi(exponent));
        }
    }
}
