//! The size of the numbers of a system, and its utilisation.

use crate::random::Random;
use vorrang_time::Duration;

/// The sizes of a system. Lengths are counted in `unit`, shares of the core in `1 / whole`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Periods of 2 to 10 ns: small enough to try every release offset.
    Tiny,
    /// Periods of 4 to 60 ns: small enough to follow tick by tick.
    Small,
    /// Periods of 1 ms to 100 ms, log-uniform, in microseconds.
    Realistic,
    /// Periods that divide each other, loads that are exact: full load is exactly 1.
    Harmonic,
}

impl Scale {
    pub(super) fn draw(random: &mut Random) -> Self {
        random.weighted(&[
            (25, Self::Tiny),
            (25, Self::Small),
            (35, Self::Realistic),
            (15, Self::Harmonic),
        ])
    }

    /// One length.
    pub(super) fn unit(self) -> Duration {
        match self {
            Self::Tiny | Self::Small => Duration::from_ns(1),
            Self::Realistic | Self::Harmonic => Duration::from_us(1),
        }
    }

    /// The number of shares that make up the whole of a core's time. For the harmonic scale it
    /// divides every period, so that no share is rounded.
    pub(super) fn whole(self) -> u64 {
        match self {
            Self::Tiny | Self::Small => 240,
            Self::Realistic => 1_000_000,
            Self::Harmonic => 64,
        }
    }

    /// A period, in units, for a member of a supply whose own period is `outer` (zero: a core).
    pub(super) fn draw_period(self, random: &mut Random, outer: u64) -> u64 {
        // Inside a server mostly at least as long as the server's: only those can be bounded.
        let outer = if random.chance(1, 10) { 0 } else { outer };
        match (self, outer) {
            (Self::Tiny, 0) => random.between(2, 10),
            (Self::Tiny, _) => random.between(outer, 4 * outer),
            (Self::Small, 0) => random.log_uniform(4, 60),
            (Self::Small, _) => random.log_uniform(outer, 5 * outer),
            (Self::Realistic, 0) => random.log_uniform(1_000, 100_000),
            (Self::Realistic, _) => random.log_uniform(outer, 20 * outer),
            (Self::Harmonic, 0) => self.whole() << random.between(2, 6),
            (Self::Harmonic, _) => outer << random.between(0, 4),
        }
    }

    /// The period of a server, in units: shorter than those of tasks.
    pub(super) fn draw_server_period(self, random: &mut Random, outer: u64) -> u64 {
        let outer = if random.chance(1, 10) { 0 } else { outer };
        match (self, outer) {
            (Self::Tiny, 0) => random.between(2, 8),
            (Self::Tiny, _) => random.between(outer, 3 * outer),
            (Self::Small, 0) => random.log_uniform(3, 16),
            (Self::Small, _) => random.log_uniform(outer, 6 * outer),
            (Self::Realistic, 0) => random.log_uniform(500, 20_000),
            (Self::Realistic, _) => random.log_uniform(outer, 10 * outer),
            (Self::Harmonic, 0) => self.whole() << random.between(1, 3),
            (Self::Harmonic, _) => outer << random.between(0, 3),
        }
    }

    /// A length of about `percent` of what is short here.
    pub(super) fn draw_short(self, random: &mut Random, most: u64) -> u64 {
        match self {
            Self::Tiny => random.between(1, most.min(2)),
            Self::Small => random.between(1, most.min(3)),
            Self::Realistic | Self::Harmonic => random.between(1, 10 * most),
        }
    }

    /// `share` of `length`, at least one unit.
    pub(super) fn part(self, random: &mut Random, share: u64, length: u64) -> u64 {
        let exact = share * length;
        let up = self.unit() == Duration::RESOLUTION
            && random.chance(exact % self.whole(), self.whole());
        (exact / self.whole() + u64::from(up)).max(1)
    }

    pub(super) fn draw_members(self, random: &mut Random, depth: usize) -> usize {
        let most = match (self, depth) {
            (Self::Tiny, 0) | (_, 1..) => 3,
            (Self::Small, 0) => 4,
            (_, 0) => 5,
        };
        random.index(most) + 1
    }
}

/// The utilisation of a core by its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// 10 to 50 %.
    Light,
    /// 50 to 95 %.
    Heavy,
    /// 100 %, up to rounding.
    Full,
    /// 105 to 150 %.
    Over,
}

impl Load {
    pub(super) fn draw(random: &mut Random) -> Self {
        random.weighted(&[(4, Self::Light), (4, Self::Heavy), (1, Self::Full), (1, Self::Over)])
    }

    /// The utilisation as a share of `whole`.
    pub(super) fn share(self, random: &mut Random, whole: u64) -> u64 {
        let percent = match self {
            Self::Light => random.between(10, 50),
            Self::Heavy => random.between(50, 95),
            Self::Full => 100,
            Self::Over => random.between(105, 150),
        };
        (whole * percent / 100).max(1)
    }
}
