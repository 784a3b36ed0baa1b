//! Runs with interrupts of a guest without an operating system, beside a rival.

use super::guest::Guest;

/// A run: what the guest does, the rival's budget in milliseconds, and whether its interrupt has a pseudo-VCPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    pub(crate) name: &'static str,
    pub(crate) work: &'static str,
    pub(crate) rival: u64,
    pub(crate) reserved: bool,
}

pub(crate) const TRIALS: [Trial; 3] = [
    Trial { name: "off", work: "computes", rival: 10, reserved: false },
    Trial { name: "on", work: "computes", rival: 10, reserved: true },
    Trial { name: "on-halts", work: "halts", rival: 10, reserved: true },
];

impl Trial {
    pub(crate) fn description(&self) -> String {
        let guest = Guest {
            budget: 4000,
            thread: "process:vorrang-vcpu/guest",
            raising: 60,
            apart: 20_000,
            handling: 150,
            vector: "64",
            second: None,
            reserved: self.reserved,
        };
        guest.below(self.rival, 1000)
    }
}
