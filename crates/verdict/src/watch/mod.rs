//! Statistics of a run: counts, sums and distributions, in constant memory.
//!
//! **Model.** One observer per question, all fed by one run:
//!
//! | file | content |
//! |---|---|
//! | `responses.rs` | response times, and misses of requirements |
//! | `shares.rs` | shares of jobs beyond a requirement with a probability |
//! | `activity.rs` | use of the core's time, and switches |
//! | `budgets.rs` | use of budgets by servers and pseudo-VCPUs |
//! | `delays.rs` | delays of members until their turns |
//! | `losses.rs` | lost time, by context and cause |
//! | `traffic.rs` | the fate of packets |
//!
//! **Cost.** A few nanoseconds per event. Below 16 MB for any horizon, as long as there are no
//! more than some thousand tasks (`crate::distribution`).

mod activity;
mod budgets;
mod delays;
mod losses;
mod responses;
mod shares;
mod traffic;

#[cfg(test)]
pub(crate) mod example;
#[cfg(test)]
mod tests;

pub use activity::{Activity, Doing, Lateness, Requests};
pub use budgets::{Account, Budgets, goes_on, reserved};
pub use delays::{Delay, Delays};
pub use losses::{CAUSES, Loser, Losses, machine_name};
pub use responses::{Response, Responses, Row};
pub use shares::{Share, Shares};
pub use traffic::{Packets, Traffic, per_second};

use crate::distribution::Resolution;
use vorrang_model::System;
use vorrang_model::system::{DeviceId, InterruptId, SupplyId, TimerId};
use vorrang_sim::{Cause, Context, History, Job, Observer, Packet, Payer, Running};
use vorrang_time::{Duration, Instant};

/// All statistics of a run of one core.
pub struct Watch {
    /// The core.
    pub core: SupplyId,
    /// How long jobs took.
    pub responses: Responses,
    /// How many were late, where a probability says how many may be.
    pub shares: Shares,
    /// What the core did.
    pub activity: Activity,
    /// Use of budgets.
    pub budgets: Budgets,
    /// How long members waited for their turns.
    pub delays: Delays,
    /// Lost time.
    pub losses: Losses,
    /// Packets of each network card.
    pub traffic: Traffic,
}

impl Watch {
    /// Nothing seen yet of this history on this core.
    pub fn of_core(
        system: &System,
        core: SupplyId,
        history: &History,
        resolution: Resolution,
    ) -> Self {
        Self {
            core,
            responses: Responses::of_core(system, core, history, resolution),
            shares: Shares::of_core(system, core, history),
            activity: Activity::of_core(system),
            budgets: Budgets::of_core(system, core),
            delays: Delays::of_core(system, core),
            losses: Losses::of_core(system),
            traffic: Traffic::of_core(system, core, resolution),
        }
    }

    /// How many distributions a watch on every core of the system keeps.
    pub fn distributions(system: &System) -> usize {
        system.tasks.len() + system.interrupts.len() + 2 * system.devices.len()
    }
}

impl Observer for Watch {
    #[inline]
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        self.activity.ran(from, to, what);
        self.delays.ran(from, to, what);
    }

    fn released(&mut self, job: &Job) {
        self.delays.released(job);
    }

    fn ended(&mut self, at: Instant) {
        self.delays.ended(at);
    }

    #[inline]
    fn completed(&mut self, job: &Job, at: Instant) {
        self.responses.completed(job, at);
        self.shares.completed(job, at);
        self.delays.completed(job, at);
    }

    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.responses.unfinished(job, at);
        self.shares.unfinished(job, at);
    }

    #[inline]
    fn exhausted(&mut self, server: SupplyId, at: Instant) {
        self.budgets.exhausted(server, at);
    }

    #[inline]
    fn paid(&mut self, payer: Payer, from: Instant, to: Instant) {
        self.budgets.paid(payer, from, to);
    }

    #[inline]
    fn called(&mut self, at: Instant) {
        self.activity.called(at);
    }

    #[inline]
    fn switched(&mut self, from: Option<Context>, to: Context, at: Instant) {
        self.activity.switched(from, to, at);
    }

    #[inline]
    fn lost(&mut self, context: Option<Context>, cause: Cause, amount: Duration, at: Instant) {
        self.losses.lost(context, cause, amount, at);
    }

    fn masked(&mut self, interrupt: InterruptId, at: Instant) {
        self.activity.masked(interrupt, at);
    }

    fn unmasked(&mut self, interrupt: InterruptId, at: Instant) {
        self.activity.unmasked(interrupt, at);
    }

    fn pseudo_vcpu_budget(&mut self, interrupt: InterruptId, left: Duration, at: Instant) {
        self.budgets.pseudo_vcpu_budget(interrupt, left, at);
    }

    fn merged(&mut self, interrupt: InterruptId, at: Instant) {
        self.activity.merged(interrupt, at);
    }

    fn expired(&mut self, timer: TimerId, due: Instant, at: Instant) {
        self.activity.expired(timer, due, at);
    }

    fn packet(&mut self, device: DeviceId, event: Packet, arrival: Instant, at: Instant) {
        self.traffic.packet(device, event, arrival, at);
    }
}
