//! How often a network card interrupts, and what its packets take, as loads.
//!
//! **Model.** "Network cards" in `docs/model.md`. Packets come at instants that are at least `I` apart
//! ([`Traffic::instants`]), `p` at each.
//!
//! | load | C | T | J |
//! |---|---|---|---|
//! | its interrupt, raised for each packet or after a time at the latest | routine | I | that time |
//! | its interrupt, raised after `n` packets and no time | routine | `max(1, floor(n/p)) I` | 0 |
//! | its polling task | `ceil(p/budget) wcet + p per-packet` | I | from the first packet that waits to the release |
//! | its receiver | `p wcet` | I | the delay of the polling task |
//!
//! **Argument.** Between two raises the interrupt is enabled, with an empty ring, so each has a first
//! packet of its own, which came at an instant of its own; and if `n` packets are waited for, `n` of its
//! own. Packets of one instant are in one episode, for all of them arrive before anything is taken; an
//! episode of `k` packets has `ceil(k/budget)` rounds, which is at most the sum of those of its instants.
//! When a window begins in which the polling task was not ready, what is in the ring waits for its
//! interrupt, and came no earlier than a release may be late. Dropped packets only leave more room.
//!
//! **Assumptions.** Those of [`super::Polling`]. Where several packets are waited for without a limit of
//! time, up to `n − 1` of them may have waited for ever, and the jitter holds as many intervals.
//!
//! Theory: docs/theory/network-card.md.

use crate::arrival::Arrivals;
use crate::demand::Load;
use crate::ground::LONGEST_WINDOW;
use crate::ground::Source;
use crate::request::Traffic;
use vorrang_model::system::{Activation, Device, DeviceId, Interrupt, InterruptId, System, TaskId};
use vorrang_time::Duration;

/// A card whose packets have a least distance.
#[derive(Clone, Copy, Debug)]
pub struct Card<'a> {
    /// The network card.
    pub id: DeviceId,
    /// As described.
    pub device: &'a Device,
    /// Its packets.
    pub traffic: Traffic,
}

impl<'a> Card<'a> {
    fn find(system: &'a System, is: impl Fn(&Device) -> bool) -> Option<Self> {
        let place = system.devices.iter().position(is)?;
        let device = &system.devices[place];
        Some(Self { id: DeviceId(place), device, traffic: Traffic::of(device)? })
    }

    /// The card that raises an interrupt.
    pub fn raising(system: &'a System, id: InterruptId) -> Option<Self> {
        Self::find(system, |device| device.interrupt == id)
    }

    /// The card whose packets a task takes out of the ring.
    pub fn polled_by(system: &'a System, task: TaskId) -> Option<Self> {
        match system.task(task).activation {
            Activation::Interrupt(id) => Self::raising(system, id),
            _ => None,
        }
    }

    /// The card whose packets a task reads.
    pub fn read_by(system: &'a System, task: TaskId) -> Option<Self> {
        match system.task(task).activation {
            Activation::Device(id) => {
                let device = system.devices.get(id.0)?;
                Some(Self { id, device, traffic: Traffic::of(device)? })
            }
            _ => None,
        }
    }

    /// Whether a packet may wait for others for as long as they like.
    pub fn waits_for_others(&self) -> bool {
        self.device.coalesce_packets > 1 && self.device.coalesce_time.is_zero()
    }

    /// The arrivals of its interrupt: of the packet that it is raised for where that is known, else its raises.
    pub fn arrivals(&self) -> Arrivals<'static> {
        let (interval, sooner) = self.traffic.instants();
        let instants = if self.waits_for_others() {
            u64::from(self.device.coalesce_packets) / self.traffic.at_once()
        } else {
            1
        };
        Arrivals::new(times(interval, instants.max(1)), sooner)
    }

    /// Its interrupt, since its arrival.
    pub fn raised(&self, interrupt: &Interrupt) -> Load<'static> {
        let raised = self.arrivals().later(self.device.coalesce_time);
        Load::of(Source::Interrupt(self.device.interrupt), interrupt.isr, raised)
    }

    /// Rounds of polling that packets of one instant take at most.
    pub fn rounds(&self) -> u64 {
        self.traffic.at_once().div_ceil(u64::from(self.device.budget))
    }

    /// What the packets of one instant take of the polling task.
    pub fn work_at_once(&self, system: &System) -> Duration {
        let round = self.poller(system).map_or(Duration::ZERO, |task| system.task(task).wcet);
        let packets = times(self.device.per_packet, self.traffic.at_once());
        (times(round, self.rounds()) + packets).min(LONGEST_WINDOW)
    }

    /// What the polling task takes, given when its interrupt releases it.
    pub fn polling<'b>(&self, system: &System, released: Load<'b>) -> Load<'b> {
        let cost = self.work_at_once(system);
        let (period, _) = self.traffic.instants();
        let mut jitter = released.arrivals.jitter;
        if self.waits_for_others() {
            let waiting = u64::from(self.device.coalesce_packets - 1);
            jitter += times(period, waiting.div_ceil(self.traffic.at_once()));
        }
        Load { cost, arrivals: Arrivals { jitter, ..released.arrivals.apart(period) }, ..released }
    }

    /// What a receiver takes that reads each packet up to `delay` after its arrival.
    pub fn reading(&self, task: TaskId, wcet: Duration, delay: Duration) -> Load<'static> {
        let (interval, sooner) = self.traffic.instants();
        let cost = times(wcet, self.traffic.at_once());
        Load::new(Source::Task(task), cost, interval, sooner + delay)
    }

    /// The task that takes packets out of the ring.
    pub fn poller(&self, system: &System) -> Option<TaskId> {
        system.interrupt(self.device.interrupt).wakes
    }
}

/// A product that no window holds where it is out of range.
fn times(time: Duration, count: u64) -> Duration {
    time.checked_mul(count).unwrap_or(LONGEST_WINDOW).min(LONGEST_WINDOW)
}
