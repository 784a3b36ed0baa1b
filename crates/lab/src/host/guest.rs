//! Descriptions of a guest whose interrupt is delivered to it, in a server of its own.
//!
//! **Model.** The guest has a budget of every 20 ms. Where it is beside a rival, both compute all the time, and the rival's
//! server is above.

use std::fmt::Write as _;
use vorrang_model::system::System;
use vorrang_model::{Format, read};

/// A guest and its interrupt, times in microseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guest {
    pub(crate) budget: u64,
    /// The thread of its virtual processor.
    pub(crate) thread: &'static str,
    /// From raising the interrupt to the decision.
    pub(crate) raising: u64,
    /// From one interrupt to the next.
    pub(crate) apart: u64,
    /// What the guest does for one.
    pub(crate) handling: u64,
    pub(crate) vector: &'static str,
    /// The pseudo-VCPU has the time of all that come in 20 ms.
    pub(crate) reserved: bool,
    /// The vector of another interrupt, which comes as often, with a pseudo-VCPU of the same priority.
    pub(crate) second: Option<&'static str>,
}

impl Guest {
    /// The core, and the server of the guest on it.
    pub(crate) fn server(&self) -> String {
        let Self { budget, thread, .. } = self;
        format!(
            "[core.0]\nscheduler = \"fixed-priority\"\ncpu = 0\n\
             [vcpu.guest]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"{budget}us\"\nperiod = \"20ms\"\n\
             priority = 1\nvm = \"guest\"\nthread = \"{thread}\"\n"
        )
    }

    /// Its interrupt, and the other one.
    pub(crate) fn card(&self) -> String {
        let second = self.second.map(|vector| self.interrupt("sent", vector));
        self.interrupt("card", self.vector) + &second.unwrap_or_default()
    }

    fn interrupt(&self, name: &str, vector: &str) -> String {
        let Self { raising, apart, handling, reserved, second, .. } = self;
        let mut text = format!(
            "[interrupt.{name}]\non = \"core.0\"\nisr = \"{raising}us\"\nmin-interarrival = \"{apart}us\"\n\
             [interrupt.{name}.virtual]\nvcpu = \"vcpu.guest\"\nisr = \"{handling}us\"\nvector = \"{vector}\"\n"
        );
        if *reserved {
            let budget = handling * 20_000_u64.div_ceil(*apart);
            let _ = write!(
                text,
                "[interrupt.{name}.virtual.pseudo-vcpu]\nbudget = \"{budget}us\"\nperiod = \"20ms\"\n"
            );
            if second.is_some() {
                text += "priority = 3\n";
            }
        }
        text
    }

    /// The whole description, below a rival with so many milliseconds, with what the dispatcher takes; the interrupt is to be
    /// handled within so many microseconds.
    pub(crate) fn below(&self, rival: u64, within: u64) -> String {
        let (server, card, budget) = (self.server(), self.card(), self.budget);
        format!(
            "version = 1\n[costs]\nscheduler-call = \"60us\"\n{server}\
             [server.rival]\non = \"core.0\"\nserver = \"periodic\"\nbudget = \"{rival}ms\"\nperiod = \"20ms\"\n\
             priority = 2\nthread = \"process:vorrang-probe/rival\"\n\
             [task.rival]\non = \"server.rival\"\nwcet = \"{rival}ms\"\nperiod = \"20ms\"\ndeadline = \"none\"\n\
             [task.computing]\non = \"vcpu.guest\"\nwcet = \"{budget}us\"\nperiod = \"20ms\"\njitter = \"1ms\"\n\
             deadline = \"none\"\n\
             [interrupt.look]\non = \"core.0\"\nisr = \"60us\"\nmin-interarrival = \"1ms\"\n{card}\
             [require.answer]\nof = \"interrupt.card\"\nhandled-within = \"{within}us\"\n"
        )
    }
}

/// What a description says.
pub(crate) fn system(description: &str) -> System {
    read(description, Format::Toml).expect("it is right")
}

/// The file of the description of a trial.
pub(crate) fn file(name: &str) -> String {
    format!("/{name}.toml")
}

/// The file of what its guest has seen, or what pings it.
pub(crate) fn told(name: &str) -> String {
    format!("/run/{name}-guest")
}

/// The file of what its rival has done.
pub(crate) fn counted(name: &str) -> String {
    format!("/run/{name}-rival")
}
