//! Distributions of times, in constant memory.
//!
//! **Model.** Times are counted in buckets, a fixed number of them for every power of two
//! (as in `HdrHistogram`), so a bucket is never wider than a fixed part of the times in
//! it. Each remembers the largest time it has counted:
//!
//! ```text
//!   0 1 2 3 4   5   6   7   8       10      12      14      16              20
//!   | | | | |   |   |   |   |       |       |       |       |               |      4 per octave
//! ```
//!
//! Number, sum, shortest and longest are exact. A percentile is a time that occurred, never
//! shorter than the true one, and longer by less than the resolution; it is exact where a bucket
//! has seen one time only. The count up to the largest time of a bucket is exact, too.
//!
//! **Cost.** A few nanoseconds per time. Memory depends on the range of the times, not on their
//! number: [`Resolution::shared`] makes the buckets so wide that many distributions stay below
//! [`BYTES`] together.

use vorrang_time::Duration;

/// The memory of all distributions of a simulation together, unless there are more than about 8000 of them:
/// then a kilobyte each.
pub const BYTES: usize = 8 << 20;

/// The finest resolution: 512 buckets for every power of two.
const MOST_BITS: u32 = 9;

/// How wide the buckets are: less than one part in 2 to the power of this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolution(u32);

/// The times that were counted in one bucket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bucket {
    /// How many.
    pub count: u64,
    largest_ns: u64,
}

/// The distribution of a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    resolution: Resolution,
    /// The place of the first of `buckets` among all.
    first: usize,
    buckets: Vec<Bucket>,
    count: u64,
    sum_ns: u128,
    shortest_ns: u64,
    longest_ns: u64,
}

impl Resolution {
    /// The finest with which so many distributions of times up to `longest` fit into [`BYTES`].
    pub fn shared(distributions: usize, longest: Duration) -> Self {
        let each = BYTES / size_of::<Bucket>() / distributions.max(1);
        let octaves =
            |bits: u32| (longest.as_ns().max(1).ilog2() + 2).saturating_sub(bits) as usize;
        let fits = |&bits: &u32| (octaves(bits) << bits) <= each;
        Self((0..=MOST_BITS).rev().find(fits).unwrap_or(0))
    }

    /// How much longer than the true one a percentile may be, in tenths of a percent, rounded up.
    pub fn tenths_of_a_percent(self) -> u32 {
        1000_u32.div_ceil(1 << self.0)
    }

    /// The place of the bucket that counts this time.
    #[inline]
    fn place(self, ns: u64) -> usize {
        let Self(bits) = self;
        if ns >> bits == 0 {
            return index(ns);
        }
        let shift = ns.ilog2() - bits;
        // The leading one of the time counts the octave on: 1xxx becomes octave + 1, xxx.
        ((shift as usize) << bits) + index(ns >> shift)
    }
}

/// The smaller numbers that places are made of.
#[inline]
fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl Bucket {
    /// The largest of the times counted here.
    pub fn largest(&self) -> Duration {
        Duration::from_ns(self.largest_ns)
    }
}

impl Distribution {
    /// Nothing counted yet.
    pub fn new(resolution: Resolution) -> Self {
        Self {
            resolution,
            first: 0,
            buckets: Vec::new(),
            count: 0,
            sum_ns: 0,
            shortest_ns: u64::MAX,
            longest_ns: 0,
        }
    }

    /// Counts a time.
    #[inline]
    pub fn record(&mut self, time: Duration) {
        let ns = time.as_ns();
        let place = self.resolution.place(ns);
        // Below the first it wraps around, which is beyond the last as well.
        let mut offset = place.wrapping_sub(self.first);
        if offset >= self.buckets.len() {
            self.make_room(place);
            offset = place - self.first;
        }
        let bucket = &mut self.buckets[offset];
        bucket.count += 1;
        bucket.largest_ns = bucket.largest_ns.max(ns);
        self.count += 1;
        self.sum_ns += u128::from(ns);
        self.shortest_ns = self.shortest_ns.min(ns);
        self.longest_ns = self.longest_ns.max(ns);
    }

    /// Buckets for the whole octave of this place and all between it and those that are there.
    #[cold]
    fn make_room(&mut self, place: usize) {
        let octave = 1 << self.resolution.0;
        let first = place / octave * octave;
        if self.buckets.is_empty() {
            self.first = first;
        }
        let before = self.first.saturating_sub(first);
        let length = (self.first + self.buckets.len()).max(first + octave) - self.first.min(first);
        let mut buckets = vec![Bucket::default(); length];
        buckets[before..before + self.buckets.len()].copy_from_slice(&self.buckets);
        (self.first, self.buckets) = (self.first.min(first), buckets);
    }

    /// How many times were counted.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The shortest, if any was counted.
    pub fn shortest(&self) -> Option<Duration> {
        (self.count > 0).then(|| Duration::from_ns(self.shortest_ns))
    }

    /// The longest, if any was counted.
    pub fn longest(&self) -> Option<Duration> {
        (self.count > 0).then(|| Duration::from_ns(self.longest_ns))
    }

    /// The mean, rounded down to a nanosecond.
    pub fn mean(&self) -> Option<Duration> {
        let mean = self.sum_ns.checked_div(u128::from(self.count))?;
        Some(Duration::from_ns(u64::try_from(mean).expect("at most the longest")))
    }

    /// A time that at least this many of a million did not exceed.
    pub fn percentile(&self, of_a_million: u32) -> Option<Duration> {
        let wanted = u128::from(self.count) * u128::from(of_a_million);
        let mut seen = 0_u128;
        let enough = |bucket: &&Bucket| {
            seen += u128::from(bucket.count);
            seen * 1_000_000 >= wanted
        };
        self.buckets().find(enough).map(Bucket::largest)
    }

    /// Where something was counted, shortest first.
    pub fn buckets(&self) -> impl Iterator<Item = &Bucket> {
        self.buckets.iter().filter(|bucket| bucket.count > 0)
    }
}

#[cfg(test)]
mod tests;
