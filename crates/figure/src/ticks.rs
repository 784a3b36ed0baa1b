//! Round numbers along an axis.

/// Multiples of 1, 2 or 5 times a power of ten between two numbers, about as many as asked for, with
/// their labels.
pub(crate) fn linear(from: f64, to: f64, about: u32) -> Vec<(f64, String)> {
    let raw = (to - from) / f64::from(about.max(1));
    if !(raw.is_finite() && raw > 0.0) {
        return vec![(from, label(from, 0))];
    }
    let (step, decimals) = round_step(raw);
    let (first, last) = ((from / step - 1e-9).ceil(), (to / step + 1e-9).floor());
    let mut out = Vec::new();
    let mut at = first;
    while at <= last && out.len() < 100 {
        out.push((at * step, label(at * step, decimals)));
        at += 1.0;
    }
    out
}

/// The least of 1, 2 and 5 times a power of ten that is not below `raw`, and the decimals that it needs.
fn round_step(raw: f64) -> (f64, usize) {
    let mut decade = 1.0;
    let mut decimals = 0;
    while decade > raw && decimals < 15 {
        decimals += 1;
        decade = 1.0 / power_of_ten(decimals);
    }
    let mut up = 0;
    while decade * 10.0 <= raw && up < 300 {
        decade *= 10.0;
        up += 1;
    }
    for factor in [1.0, 2.0, 5.0] {
        if decade * factor >= raw * (1.0 - 1e-9) {
            return (decade * factor, decimals);
        }
    }
    (decade * 10.0, decimals.saturating_sub(1))
}

fn power_of_ten(exponent: usize) -> f64 {
    (0..exponent).fold(1.0, |power, _| power * 10.0)
}

/// The powers of ten between two positive numbers, with their labels: thinned out where there are many,
/// with their multiples by 2 and 5 where there are few. All labels of an axis have one form.
pub(crate) fn decades(from: f64, to: f64) -> Vec<(f64, String)> {
    let first = (libm::log10(from) - 1e-9).ceil();
    let last = (libm::log10(to) + 1e-9).floor();
    if last - first < 2.0 {
        return between(from, to, first - 1.0);
    }
    let every = ((last - first) / 8.0).floor() + 1.0;
    let label = if first >= -4.0 && last <= 4.0 { as_number } else { as_power };
    let mut out = Vec::new();
    let mut at = first;
    while at <= last {
        out.push((libm::exp10(at), label(at)));
        at += every;
    }
    out
}

/// Multiples by 1, 2 and 5 of powers of ten from this exponent on.
fn between(from: f64, to: f64, first: f64) -> Vec<(f64, String)> {
    let mut out = Vec::new();
    for decade in [0.0, 1.0, 2.0, 3.0] {
        for factor in [1.0, 2.0, 5.0] {
            let value = libm::exp10(first + decade) * factor;
            if value >= from * (1.0 - 1e-9) && value <= to * (1.0 + 1e-9) {
                out.push((value, shown(value)));
            }
        }
    }
    out
}

/// A power of ten that is short.
fn as_number(exponent: f64) -> String {
    let decimals = [-0.5, -1.5, -2.5, -3.5].iter().filter(|&&of| exponent < of).count();
    format!("{:.decimals$}", libm::exp10(exponent))
}

fn as_power(exponent: f64) -> String {
    let digits = format!("{exponent:.0}");
    "10".to_owned() + &digits.chars().map(raised).collect::<String>()
}

const fn raised(digit: char) -> char {
    match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    }
}

/// A number with so many decimals; zero has no sign.
fn label(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.starts_with('-') && text.trim_start_matches(['-', '0', '.']).is_empty() {
        return text[1..].to_owned();
    }
    text
}

/// A number for people: six digits, no zeros at the end.
pub(crate) fn shown(value: f64) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    let magnitude = value.abs();
    if magnitude > 0.0 && !(1e-4..1e12).contains(&magnitude) {
        return format!("{value:.3e}");
    }
    let decimals = [1e5, 1e4, 1e3, 1e2, 1e1].iter().filter(|&&of| magnitude < of).count();
    let decimals = if magnitude < 1.0 { decimals + 3 } else { decimals };
    let text = format!("{value:.decimals$}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(of: Vec<(f64, String)>) -> String {
        of.into_iter().map(|(_, label)| label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn steps_are_round() {
        assert_eq!(labels(linear(0.0, 10.0, 5)), "0 2 4 6 8 10");
        assert_eq!(labels(linear(0.0, 0.3, 6)), "0.00 0.05 0.10 0.15 0.20 0.25 0.30");
        assert_eq!(labels(linear(-0.2, 0.2, 4)), "-0.2 -0.1 0.0 0.1 0.2");
        assert_eq!(labels(linear(990_000.0, 1_000_000.0, 4)), "990000 995000 1000000");
        assert_eq!(labels(linear(3.0, 3.0, 4)), "3");
    }

    #[test]
    fn decades_are_short_or_powers() {
        assert_eq!(labels(decades(0.001, 100.0)), "0.001 0.01 0.1 1 10 100");
        assert_eq!(labels(decades(1.0, 1e4)), "1 10 100 1000 10000");
        assert_eq!(labels(decades(100.0, 1e5)), "10² 10³ 10⁴ 10⁵");
        assert_eq!(labels(decades(1e5, 1e7)), "10⁵ 10⁶ 10⁷");
        assert_eq!(labels(decades(1e-7, 1e-5)), "10⁻⁷ 10⁻⁶ 10⁻⁵");
        assert_eq!(labels(decades(0.3, 6.0)), "0.5 1 2 5");
    }

    #[test]
    fn numbers_for_people_are_short() {
        let all = [0.0, 1.5, 0.045, 1234.5, 1_234_567.0, -0.000_000_1, 99.999_999];
        let all = all.map(shown);
        assert_eq!(all, ["0", "1.5", "0.045", "1234.5", "1234567", "-1.000e-7", "100"]);
    }
}
