//! When the packets of a device arrive in a history.
//!
//! **Model.** Integers only. The remainder of a nanosecond is carried from one packet to the next, so nothing
//! drifts:
//!
//! ```text
//!   line rate   packet k arrives at first + floor(k · bits · 10⁹ / bits per second)
//!   poisson     intervals −ln(u) · mean for uniform u in (0, 1], with 40 binary places:
//!               −ln(u) = −log₂(u) · ln 2, the logarithm by squaring, a bit each time
//! ```

use crate::random::Random;
use vorrang_model::system::{Device, Packets};
use vorrang_time::{Duration, Instant};

/// Binary places of logarithms and of what is left over.
const PLACES: u32 = 40;

/// ln 2 with as many places.
const LN_2: u128 = 762_123_384_786;

/// Iterator over the arrivals of packets, in order. It ends only where the range of [`Instant`]
/// does.
#[derive(Clone, Debug)]
pub struct PacketTimes {
    next: Option<Instant>,
    process: Process,
}

#[derive(Clone, Debug)]
enum Process {
    /// This many at one instant; of these, this many are still to come.
    Burst { packets: u32, left: u32, interval: Duration },
    /// What is left over, with [`PLACES`] binary places.
    Poisson { mean: Duration, left_over: u128, random: Box<Random> },
    /// What is left over, in units of a nanosecond by `bits_per_second`.
    LineRate { bits: u128, bits_per_second: u128, left_over: u128 },
}

impl PacketTimes {
    /// The packets of a device from `first` on; `stream`: seed of the run and number of the
    /// device's stream.
    pub(crate) fn new(device: &Device, first: Option<Instant>, stream: (u64, u64)) -> Self {
        // The resolver refuses packets of zero length; the iterator also ends for systems made otherwise.
        let some = |time: Duration| time.max(Duration::RESOLUTION);
        let process = match device.packets {
            Packets::Periodic { interval } => {
                Process::Burst { packets: 1, left: 1, interval: some(interval) }
            }
            Packets::Burst { packets, interval } => {
                let packets = packets.max(1);
                Process::Burst { packets, left: packets, interval: some(interval) }
            }
            Packets::Poisson { mean } => {
                let random = Box::new(Random::new(stream.0, stream.1));
                Process::Poisson { mean: some(mean), left_over: 0, random }
            }
            Packets::LineRate { bits_per_second, framing } => Process::LineRate {
                bits: ((u128::from(device.payload) + u128::from(framing)) * 8).max(1),
                bits_per_second: u128::from(bits_per_second.max(1)),
                left_over: 0,
            },
        };
        Self { next: first, process }
    }
}

impl Iterator for PacketTimes {
    type Item = Instant;

    fn next(&mut self) -> Option<Instant> {
        let now = self.next?;
        let distance = self.process.distance();
        self.next = distance.and_then(|distance| now.checked_add(distance));
        Some(now)
    }
}

impl Process {
    /// The time to the next packet; `None`: out of range.
    fn distance(&mut self) -> Option<Duration> {
        match self {
            Self::Burst { packets, left, interval } => {
                *left -= 1;
                if *left > 0 {
                    return Some(Duration::ZERO);
                }
                *left = *packets;
                Some(*interval)
            }
            Self::Poisson { mean, left_over, random } => {
                let time = exponential(random.word()) * u128::from(mean.as_ns()) + *left_over;
                *left_over = time & ((1 << PLACES) - 1);
                u64::try_from(time >> PLACES).ok().map(Duration::from_ns)
            }
            Self::LineRate { bits, bits_per_second, left_over } => {
                let time = *bits * 1_000_000_000 + *left_over;
                *left_over = time % *bits_per_second;
                u64::try_from(time / *bits_per_second).ok().map(Duration::from_ns)
            }
        }
    }
}

/// −ln((word + 1) / 2⁶⁴), with [`PLACES`] binary places: exponentially distributed, mean 1.
fn exponential(word: u64) -> u128 {
    let value = u128::from(word) + 1;
    let whole = value.ilog2();
    // In [1, 2) with 63 places.
    let mut mantissa = (value << 63) >> whole;
    let mut logarithm = u128::from(whole);
    for _ in 0..PLACES {
        mantissa = (mantissa * mantissa) >> 63;
        logarithm <<= 1;
        if mantissa >= 1 << 64 {
            mantissa >>= 1;
            logarithm |= 1;
        }
    }
    (((64 << PLACES) - logarithm) * LN_2) >> PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(packets: Packets, count: usize) -> Vec<u64> {
        let device = Device {
            name: String::new(),
            interrupt: vorrang_model::system::InterruptId(0),
            ring: 1,
            coalesce_packets: 1,
            coalesce_time: Duration::ZERO,
            budget: 1,
            per_packet: Duration::ZERO,
            socket: 1,
            receiver: None,
            payload: 192,
            packets,
        };
        let times = PacketTimes::new(&device, Some(Instant::from_ns(5)), (1, 0));
        times.take(count).map(Instant::as_ns).collect()
    }

    #[test]
    fn periodic_packets_and_bursts() {
        let interval = Duration::from_ns(10);
        assert_eq!(times(Packets::Periodic { interval }, 3), [5, 15, 25]);
        assert_eq!(times(Packets::Burst { packets: 2, interval }, 5), [5, 5, 15, 15, 25]);
    }

    /// 192 bytes of payload and 66 around them on a link of 100 Mb/s: 20.64 us each, and on one of
    /// 3 Gb/s 688 ns exactly; on one of 7 bits a nanosecond 2064/7 ns, rounded down each time.
    #[test]
    fn packets_at_line_rate_do_not_drift() {
        let at = |bits_per_second, count| {
            times(Packets::LineRate { bits_per_second, framing: 66 }, count)
        };
        assert_eq!(at(100_000_000, 3), [5, 20_645, 41_285]);
        assert_eq!(at(3_000_000_000, 3), [5, 693, 1_381]);
        let fast = at(7_000_000_000, 7_001);
        assert_eq!(fast[..4], [5, 5 + 294, 5 + 589, 5 + 884]);
        assert_eq!(fast[7_000], 5 + 2_064_000);
    }

    #[test]
    fn the_logarithm_is_right_to_a_part_in_a_billion() {
        let one: u128 = 1 << PLACES;
        let near = |value: u128, expected: u128| value.abs_diff(expected) * 1_000_000_000 <= one;
        assert_eq!(exponential(u64::MAX), 0);
        assert!(near(exponential((1 << 63) - 1), LN_2), "of a half");
        // ln 4/3 = 0.287682072452 and 64 ln 2 = 44.361419555836.
        assert!(near(exponential(3 << 62), one * 287_682_072_452 / 1_000_000_000_000));
        assert!(near(exponential(0), one * 44_361_419_555_836 / 1_000_000_000_000));
    }

    #[test]
    fn poisson_arrivals_have_their_mean_and_its_deviation() {
        let mean = Duration::from_ns(1_000);
        let times = times(Packets::Poisson { mean }, 100_001);
        let intervals: Vec<u64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let sum: u64 = intervals.iter().sum();
        assert!((99_000_000..101_000_000).contains(&sum), "{sum}");
        // The variance is the mean squared; 37 in 100 intervals are longer than the mean.
        let squares: u64 = intervals.iter().map(|interval| interval.abs_diff(1_000).pow(2)).sum();
        assert!((97_000..103_000).contains(&(squares / 1_000_000)), "{squares}");
        let long = intervals.iter().filter(|&&interval| interval > 1_000).count();
        assert!((36_300..37_300).contains(&long), "{long}");
    }

    /// A witness printed today must replay in every later version.
    #[test]
    fn the_packets_of_a_seed_never_change() {
        let mean = Duration::from_ns(1_000);
        assert_eq!(times(Packets::Poisson { mean }, 6), [5, 915, 3436, 3952, 5469, 6729]);
    }
}
