//! Times in sentences: one unit for all that are compared.

use vorrang_time::{Duration, Instant};

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    ns: u64,
    name: &'static str,
}

const UNITS: [Unit; 4] = [
    Unit { ns: 1_000_000_000, name: "s" },
    Unit { ns: 1_000_000, name: "ms" },
    Unit { ns: 1_000, name: "us" },
    Unit { ns: 1, name: "ns" },
];

impl Unit {
    /// The largest unit of which `time` is at least one; seconds for none at all.
    pub fn of(time: Duration) -> Self {
        let fitting = UNITS.into_iter().find(|unit| time.as_ns() >= unit.ns);
        fitting.unwrap_or(UNITS[0])
    }

    /// For an axis up to `longest`, and everything that is written on it: the largest unit of which that is two.
    pub fn up_to(longest: Duration) -> Self {
        UNITS.into_iter().find(|unit| longest.as_ns() / 2 >= unit.ns).unwrap_or(UNITS[3])
    }

    /// Its length in nanoseconds.
    pub const fn ns(self) -> u64 {
        self.ns
    }

    /// The largest unit of which `time` is a whole number.
    pub fn dividing(time: Duration) -> Self {
        let whole = UNITS.into_iter().find(|unit| time.as_ns().is_multiple_of(unit.ns));
        whole.unwrap_or(UNITS[3])
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// How many of it lie in `time`, rounded down.
    pub fn whole(self, time: Duration) -> u64 {
        time.as_ns() / self.ns
    }

    /// Exact, with as many decimals as that takes.
    pub fn text(self, time: Duration) -> String {
        let (whole, rest) = (time.as_ns() / self.ns, time.as_ns() % self.ns);
        if rest == 0 {
            return format!("{whole}{}", self.name);
        }
        let digits = self.ns.ilog10() as usize;
        let fraction = format!("{rest:0digits$}");
        format!("{whole}.{}{}", fraction.trim_end_matches('0'), self.name)
    }

    /// [`Unit::text`] of the time since the start of the history.
    pub fn at(self, instant: Instant) -> String {
        self.text(instant.saturating_since(Instant::ZERO))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_are_compared_share_a_unit_and_are_exact() {
        let unit = Unit::of(Duration::from_ms(50));
        let texts = [69_324_000, 9_900_000_000, 1].map(|ns| unit.text(Duration::from_ns(ns)));
        assert_eq!(texts, ["69.324ms", "9900ms", "0.000001ms"]);
        let axes = [1_999, 2_000, 7_394_229, 1_999_999_999, 2_000_000_000].map(Duration::from_ns);
        assert_eq!(axes.map(|longest| Unit::up_to(longest).name()), ["ns", "us", "ms", "ms", "s"]);
    }
}
