//! Times as they are written: exact in values, short in comments.

/// Millionths of a whole.
const MILLION: u128 = 1_000_000;

/// A time with a margin, rounded up.
pub(crate) fn longer(time: u64, margin: u32) -> u64 {
    rounded(u128::from(time) * (MILLION + u128::from(margin)), true)
}

/// A distance without a margin, rounded down; at least a nanosecond.
pub(crate) fn shorter(time: u64, margin: u32) -> u64 {
    let scaled = u128::from(time) * MILLION * MILLION / (MILLION + u128::from(margin));
    rounded(scaled, false).max(1)
}

/// Of millionths of nanoseconds; to whole microseconds where that is less than a thousandth.
fn rounded(millionths: u128, is_up: bool) -> u64 {
    const MICROSECOND: u128 = 1_000 * MILLION;
    let step = if millionths > 1_000 * MICROSECOND { MICROSECOND } else { MILLION };
    let steps = if is_up { millionths.div_ceil(step) } else { millionths / step };
    u64::try_from(steps * (step / MILLION)).unwrap_or(u64::MAX)
}

/// As a description has it.
pub(crate) fn exact(ns: u64) -> String {
    match ns {
        0 => "0s".to_owned(),
        _ if ns.is_multiple_of(1_000_000) => format!("{}ms", ns / 1_000_000),
        _ if ns.is_multiple_of(1_000) => format!("{}us", ns / 1_000),
        _ => format!("{ns}ns"),
    }
}

/// As people say it: `1.231 ms`.
pub(crate) fn short(ns: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")];
    let unit = UNITS.iter().find(|(size, _)| ns >= *size);
    let Some((size, unit)) = unit else { return format!("{ns} ns") };
    let text = format!("{}.{:03}", ns / size, ns % size / (size / 1_000));
    format!("{} {unit}", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_safe() {
        assert_eq!(longer(1_231_000, 200_000), 1_478_000);
        assert_eq!(longer(1_001, 1), 1_002);
        assert_eq!((shorter(12_000_000, 200_000), shorter(0, 200_000)), (10_000_000, 1));
        assert_eq!(longer(u64::MAX, 1_000_000), u64::MAX);
    }

    #[test]
    fn times_are_said() {
        assert_eq!(
            (exact(1_478_000), exact(0), exact(7)),
            ("1478us".into(), "0s".into(), "7ns".into())
        );
        assert_eq!(
            (short(1_231_400), short(60_000_000_000), short(9)),
            ("1.231 ms".into(), "60 s".into(), "9 ns".into())
        );
    }
}
