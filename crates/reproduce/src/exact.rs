//! Exact numbers: fractions of integers, which decide every verdict.
//!
//! **Model.** A published `0.109` is 109/1000, a time is whole nanoseconds, a share is one count over another. What is
//! compared is compared as fractions; decimals are made of them, rounded half up, for people to read.
//!
//! **Assumptions.** Numerators and denominators fit 128 bits, which products of a run's nanoseconds with published
//! decimals do; where they do not, the program panics in every build.

use num_rational::Ratio;
use vorrang_time::Duration;

/// A fraction.
pub type Exact = Ratio<i128>;

/// A whole number.
pub fn whole(number: u64) -> Exact {
    Exact::from(i128::from(number))
}

/// One count over another.
pub fn part(of: u64, whole: u64) -> Exact {
    Exact::new(i128::from(of), i128::from(whole))
}

/// The same in percent.
pub fn percent(of: u64, whole: u64) -> Exact {
    part(of, whole) * 100
}

/// A time in milliseconds.
pub fn ms(time: Duration) -> Exact {
    part(time.as_ns(), 1_000_000)
}

/// A time in microseconds.
pub fn us(time: Duration) -> Exact {
    part(time.as_ns(), 1_000)
}

/// Bits in a time as megabits per second: bits per microsecond.
pub fn mbps(bits: u64, time: Duration) -> Exact {
    Exact::from(i128::from(bits)) / us(time)
}

/// A published number as it is written: `-3.8`, `0.109`, `150`.
///
/// # Panics
/// If it is not a decimal number; tests read all of them.
pub fn decimal(text: &str) -> Exact {
    let (before, after) = text.split_once('.').unwrap_or((text, ""));
    let digits: i128 = format!("{before}{after}").parse().expect("a decimal number");
    Exact::new(digits, 10_i128.pow(u32::try_from(after.len()).expect("short")))
}

/// For people, with so many decimals.
pub fn shown(number: Exact, decimals: u32) -> String {
    let scale = 10_i128.pow(decimals);
    let scaled = (number * scale + Exact::new(1, 2)).floor().to_integer();
    let sign = if scaled < 0 { "-" } else { "" };
    let (before, after) = (scaled.abs() / scale, scaled.abs() % scale);
    if decimals == 0 {
        return format!("{sign}{before}");
    }
    format!("{sign}{before}.{after:0places$}", places = decimals as usize)
}

/// The least and the greatest of some numbers; both zero of none.
pub fn range(numbers: impl IntoIterator<Item = Exact>) -> (Exact, Exact) {
    let mut numbers = numbers.into_iter();
    let first = numbers.next().unwrap_or_else(|| whole(0));
    numbers.fold((first, first), |(least, most), one| (least.min(one), most.max(one)))
}

/// A range for people: `59.4 to 72.2`, or one number where both are shown alike.
pub fn span((least, most): (Exact, Exact), decimals: u32) -> String {
    let (least, most) = (shown(least, decimals), shown(most, decimals));
    if least == most { least } else { format!("{least} to {most}") }
}

/// For a place in a picture, where nothing is decided.
#[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
pub fn place(number: Exact) -> f64 {
    *number.numer() as f64 / *number.denom() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_and_shown_as_they_are_written() {
        for text in ["0.109", "150.0", "-3.8", "0.062", "79.782"] {
            let decimals = u32::try_from(text.split_once('.').unwrap().1.len()).unwrap();
            assert_eq!(shown(decimal(text), decimals), text);
        }
        assert_eq!(decimal("150"), whole(150));
        assert_eq!(shown(part(1, 8), 2), "0.13");
        assert_eq!(shown(part(2, 3), 0), "1");
        assert_eq!(span(range([whole(3), whole(1)]), 1), "1.0 to 3.0");
        assert_eq!(span(range([part(1, 3), part(1, 3)]), 2), "0.33");
    }
}
