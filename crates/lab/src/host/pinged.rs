//! Pings of a Linux in a virtual machine whose budget is exhausted: descriptions, and what the pings say.
//!
//! **Model.** The guest computes all the time, and so does the thread of a server above it. A ping is an interrupt
//! of the guest's network card; the routine of the description is all that the guest does for it, the thread of its
//! interrupt included, which is above what computes there.
//!
//! **Vectors.** The card interrupts a guest of 7.2 once for each ping. It interrupts one of 6.12 a second time when the answer is
//! sent, 0.1 ms later and by another vector. So there the interrupt of the description is that of the first vector, and the
//! second one is a part of its routine; or each has its own.

use super::MS;
use super::guest::Guest;

/// What the two servers have of every 20 ms, and whether the interrupt of the guest's card has a pseudo-VCPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trial {
    pub(crate) name: &'static str,
    /// In milliseconds.
    pub(crate) rival: u64,
    /// The guest's, in microseconds.
    pub(crate) budget: u64,
    pub(crate) reserved: bool,
    /// The vectors that are seen.
    vector: &'static str,
    /// The vector of another interrupt.
    second: Option<&'static str>,
}

/// All devices of a guest.
const DEVICES: &str = "34-90";
/// The card of a guest of 6.12, when something is received.
const RECEIVED: &str = "37";
/// When something was sent.
const SENT: &str = "38";

/// The guest with a budget in microseconds, below a server with so many milliseconds.
const fn pair(rival: u64, budget: u64, names: [&'static str; 2]) -> [Trial; 2] {
    let [off, on] = names;
    [
        Trial { name: off, rival, budget, reserved: false, vector: DEVICES, second: None },
        Trial { name: on, rival, budget, reserved: true, vector: DEVICES, second: None },
    ]
}

/// A small budget, and those of the published case study, 36 to 70 % of a processor.
pub(crate) const TRIALS: [[Trial; 2]; 4] = [
    pair(10, 4000, ["off", "on"]),
    pair(4, 7200, ["off-36", "on-36"]),
    pair(4, 10_000, ["off-50", "on-50"]),
    pair(3, 14_000, ["off-70", "on-70"]),
];

/// On 6.12.
pub(crate) const ON_6_12: [[Trial; 2]; 1] = {
    let [[off, on], ..] = TRIALS;
    [[Trial { vector: RECEIVED, ..off }, Trial { vector: RECEIVED, ..on }]]
};

/// On 6.12, with both interrupts as one, which then comes more often than described.
pub(crate) const AS_ONE: Trial = {
    let [[_, on], ..] = TRIALS;
    Trial { name: "as-one", ..on }
};

/// On 6.12, each with a pseudo-VCPU.
pub(crate) const EACH: Trial = {
    let [[_, on], ..] = TRIALS;
    Trial { name: "each", vector: RECEIVED, second: Some(SENT), ..on }
};

impl Trial {
    pub(crate) fn description(&self) -> String {
        let guest = Guest {
            budget: self.budget,
            thread: "vm:guest/0",
            raising: 60,
            apart: 20_000,
            handling: 300,
            vector: self.vector,
            reserved: self.reserved,
            second: self.second,
        };
        guest.below(self.rival, 2000)
    }
}

/// The instant at the beginning of the first line of `/proc/uptime` in a text, and of the last, in nanoseconds.
pub(crate) fn between(text: &str) -> Option<(u64, u64)> {
    let uptime = |line: &str| -> Option<u64> {
        let (seconds, hundredths) = line.split_once(' ')?.0.split_once('.')?;
        let (seconds, hundredths): (u64, u64) = (seconds.parse().ok()?, hundredths.parse().ok()?);
        Some(seconds * 1000 * MS + hundredths * 10 * MS)
    };
    let mut uptimes = text.lines().filter_map(uptime);
    let first = uptimes.next()?;
    Some((first, uptimes.next_back()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_read_around_what_ping_says() {
        let text = "12.04 3.10\n64 bytes from 10.9.0.2: seq=0 ttl=64 time=0.169 ms\n\n13.50 3.11\n";
        assert_eq!(between(text), Some((12_040 * MS, 13_500 * MS)));
        assert_eq!(between("12.04 3.10\n"), None);
    }
}
