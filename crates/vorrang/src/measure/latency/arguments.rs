//! Arguments as `cyclictest` takes them.

use vorrang_time::Duration;

/// Where threads run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Affinity {
    /// Thread N on the Nth permitted CPU.
    Each,
    /// On these in turn.
    These(Vec<usize>),
}

/// `2-3,5`; nothing for each on its own.
pub(super) fn affinity(text: &str) -> Result<Affinity, String> {
    if text.is_empty() {
        return Ok(Affinity::Each);
    }
    let wrong = || format!("`{text}` is no list of CPUs such as `2-3,5`");
    let mut cpus = Vec::new();
    for part in text.split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.parse::<u16>().map_err(|_| wrong());
        let (from, to) = (number(from)?, number(to)?);
        if from > to {
            return Err(wrong());
        }
        cpus.extend((from..=to).map(usize::from));
    }
    Ok(Affinity::These(cpus))
}

/// Seconds; `m`, `h`, `d` for minutes, hours, days; or with a unit as elsewhere.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let seconds = |digits: &str, factor: u64| -> Option<Duration> {
        let seconds = digits.parse::<u64>().ok()?.checked_mul(factor)?;
        format!("{seconds}s").parse().ok()
    };
    let units = [("", 1), ("m", 60), ("h", 3_600), ("d", 86_400)];
    let own = units.iter().find_map(|(unit, factor)| seconds(text.strip_suffix(unit)?, *factor));
    match own {
        Some(Duration::ZERO) => Err("a measurement takes time".to_owned()),
        Some(time) => Ok(time),
        None => super::super::page::some_time(text),
    }
}

/// The CPUs on which this process may run.
pub(super) fn permitted() -> Vec<usize> {
    vorrang_measure::machine::place::permitted()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds_unless_they_say_otherwise() {
        let seconds = |text: &str| duration(text).map(|time| time.as_ns() / 1_000_000);
        let times = ["10", "2m", "1h", "1d", "500ms", "3s"].map(seconds);
        assert_eq!(times, [10_000, 120_000, 3_600_000, 86_400_000, 500, 3_000].map(Ok));
        for wrong in ["0", "", "m", "1x", "-1", "99999999999999999999d", "0s"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn lists_of_cpus_have_ranges() {
        assert_eq!(affinity("2-3,5"), Ok(Affinity::These(vec![2, 3, 5])));
        assert_eq!(affinity(""), Ok(Affinity::Each));
        for wrong in ["3-2", "x", "1,", "1-", "-1", "99999999"] {
            assert!(affinity(wrong).is_err(), "{wrong}");
        }
    }
}
