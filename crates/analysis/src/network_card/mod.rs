//! A network card whose packets a polling task takes out of the ring: delay, ring, socket, rate.
//!
//! **Model.** "Network cards" in `docs/model.md`; the polling task is alone on a [`Supply`], such
//! as a reservation of its own. An *episode* begins with the packet that finds the ring empty and
//! the interrupt enabled, and ends when it is enabled again. Of `k` packets the first job takes
//! the first ones, and each job `budget` of them at most:
//!
//! ```text
//!   1st packet  raised  released          enabled
//!   ├───────────┼───────┤─ round ─ p p p ─ round ─ p p ─┤
//!        coalesce  wake        work(5) with a budget of 3
//!
//!   work(k) = ceil(k / budget) round + k packet
//! ```
//!
//! **Argument.** With `w` the longest time from the first packet of an episode to the release of
//! the job it leads to, the polling task has something to do from `w` on until the episode ends; so
//! of an episode of k packets or more the first k are done at `w + time_for(work(k))`, at the
//! latest, and the k-th was in the ring `earliest(k)` after the first one, at the earliest. If `k`
//! packets are done by the time at which the next one can come, the episode has ended. The k-th
//! packet finds in the ring those of the first `k − 1` whose work has not begun. A loss would be
//! the first one, and up to it nothing is lost: so a ring that holds the most that can wait loses
//! nothing at all. The same holds of a socket buffer and its receiver, whose packets come up to
//! the delay of the polling task closer together.
//!
//! The supply may be what more urgent loads leave of one: they do not contain the task, so from the
//! instant on at which they became ready that keep the episode waiting they take no more than in a
//! window of theirs. Beside equally urgent ones that does not hold: the window begins where neither
//! they nor the task had anything to do, and may hold several episodes, each of which ends in a round
//! that is not full. Then every packet counts with a round ([`Polling::shared`]).
//!
//! **Assumptions.** 1. No two packets are closer together than the [`Traffic`] says. 2. The task
//! has the supply for itself; what calls, switches and cold caches take of a job is in `round`. 3. The interrupt is raised within the time counted in `wake`: where several packets are waited
//! for without a limit of time, nothing bounds that.
//!
//! **Cost.** One or two evaluations of the supply for each packet of the longest episode.
//!
//! Reference: derived here; the set-up is that of L. Abeni, N. Manica, L. Palopoli, Reservation-based
//! scheduling for IRQ threads, 2009.
//!
//! Theory: docs/theory/network-card.md.

use crate::ground::Rate;
use crate::ground::{Effort, NoBound};
use crate::request::Traffic;
use crate::supply::Supply;
use vorrang_time::Duration;

/// The polling of a network card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Polling {
    /// The longest time from the packet that begins an episode to the release of the polling task:
    /// coalescing, and the interrupt's response time.
    pub wake: Duration,
    /// What each job takes before the packets.
    pub round: Duration,
    /// What each packet takes.
    pub packet: Duration,
    /// Packets of a job at most, at least 1.
    pub budget: u32,
    /// Whether something as urgent may run between two jobs.
    pub shared: bool,
}

/// What is known about every packet of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Service {
    /// The longest time from the arrival of a packet to the end of its work in the polling task.
    pub delay: Duration,
    /// The longest time from the arrival of the first packet of a job to the end of the job.
    pub response: Duration,
    /// The last packet of that job, counted from the first of its episode.
    pub last: u64,
    /// Packets that the ring holds at most: so many places lose nothing.
    pub ring: u64,
    /// Packets of the longest episode.
    pub episode: u64,
}

impl Polling {
    /// What so many packets of an episode take in all.
    pub fn work(&self, packets: u64) -> Option<Duration> {
        let rounds = self.round.checked_mul(packets.div_ceil(self.certain()))?;
        rounds.checked_add(self.packet.checked_mul(packets)?)
    }

    /// Packets that a job takes if as many wait.
    fn certain(&self) -> u64 {
        if self.shared { 1 } else { u64::from(self.budget) }
    }

    /// The first packet of the job that takes this one, or an earlier one.
    fn first_of_job(&self, packet: u64) -> u64 {
        let budget = u64::from(self.budget);
        if self.shared {
            packet.saturating_sub(budget - 1).max(1)
        } else {
            (packet - 1) / budget * budget + 1
        }
    }

    /// What is done when the work on this packet of an episode has certainly begun.
    fn begun(&self, packet: u64) -> Option<Duration> {
        let rest = self.packet.saturating_sub(Duration::RESOLUTION);
        Some(self.work(packet)?.saturating_sub(rest))
    }

    /// By when so much of an episode is done.
    fn by(&self, supply: &dyn Supply, work: Option<Duration>) -> Result<Duration, NoBound> {
        let time = supply.time_for(work.ok_or(NoBound::TooLong)?)?;
        self.wake.checked_add(time).ok_or(NoBound::TooLong)
    }

    /// The longest delay and the fullest ring.
    ///
    /// # Errors
    /// [`NoBound::Overload`] if more comes in the long run than the supply can take; the longest
    /// episode was not found.
    pub fn serve(
        &self,
        traffic: Traffic,
        supply: &dyn Supply,
        effort: &Effort,
    ) -> Result<Service, NoBound> {
        let many = traffic.at_once() * self.certain();
        let work = self.work(many).ok_or(NoBound::TooLong)?;
        let time = traffic.earliest(many + 1).ok_or(NoBound::TooLong)?;
        if !time.is_zero() {
            effort.expect(Rate::floor(work, time), supply.rate_ceil(), 1)?;
        }
        let zero = Duration::ZERO;
        let mut service = Service { delay: zero, response: zero, last: 0, ring: 0, episode: 0 };
        let mut taken = 0;
        for packet in 1.. {
            effort.spend(1)?;
            let arrival = traffic.earliest(packet).ok_or(NoBound::TooLong)?;
            let done = self.by(supply, self.work(packet))?;
            while taken + 1 < packet && self.by(supply, self.begun(taken + 1))? <= arrival {
                effort.spend(1)?;
                taken += 1;
            }
            service.delay = service.delay.max(done.saturating_sub(arrival));
            let first = traffic.earliest(self.first_of_job(packet)).ok_or(NoBound::TooLong)?;
            let response = done.saturating_sub(first);
            if response >= service.response {
                (service.response, service.last) = (response, packet);
            }
            service.ring = service.ring.max(packet - taken);
            service.episode = packet;
            if traffic.earliest(packet + 1).is_none_or(|next| done <= next) {
                break;
            }
        }
        Ok(service)
    }

    /// Packets that a socket buffer holds at most whose receiver takes `read` for each on a supply
    /// of its own.
    ///
    /// # Errors
    /// As [`Polling::serve`].
    pub fn socket(
        &self,
        traffic: Traffic,
        delay: Duration,
        read: Duration,
        supply: &dyn Supply,
        effort: &Effort,
    ) -> Result<u64, NoBound> {
        let many = traffic.at_once();
        let work = read.checked_mul(many).ok_or(NoBound::TooLong)?;
        let time = traffic.earliest(many + 1).ok_or(NoBound::TooLong)?;
        if !time.is_zero() {
            effort.expect(Rate::floor(work, time), supply.rate_ceil(), 1)?;
        }
        let by = |packets| supply.time_for(read.checked_mul(packets).ok_or(NoBound::TooLong)?);
        // The k-th enters the socket so long after the first of a busy time, at the earliest.
        let enters = |packet: u64| {
            let by_polling = self.packet.checked_mul(packet - 1)?;
            Some(traffic.earliest(packet)?.saturating_sub(delay).max(by_polling))
        };
        let (mut most, mut left) = (0, 0);
        for packet in 1.. {
            effort.spend(1)?;
            let entry = enters(packet).ok_or(NoBound::TooLong)?;
            while left + 1 < packet && by(left + 1)? < entry {
                effort.spend(1)?;
                left += 1;
            }
            most = most.max(packet - left);
            let done = by(packet)?;
            if enters(packet + 1).is_none_or(|next| done < next) {
                break;
            }
        }
        Ok(most)
    }

    /// When the packets of a burst that finds the card idle are all done.
    ///
    /// # Errors
    /// The supply does not provide that much.
    pub fn drain(&self, burst: u64, supply: &dyn Supply) -> Result<Duration, NoBound> {
        self.by(supply, self.work(burst))
    }

    /// Packets in a second that a reservation takes when the ring is never empty, rounded down.
    pub fn packets_per_second(&self, budget: Duration, period: Duration) -> Option<u64> {
        const SECOND: u128 = 1_000_000_000;
        let taken = u64::from(self.budget);
        let work = u128::from(self.work(taken)?.as_ns()).checked_mul(u128::from(period.as_ns()))?;
        let packets = SECOND.checked_mul(u128::from(taken))?.checked_mul(budget.as_ns().into())?;
        u64::try_from(packets.checked_div(work)?).ok()
    }
}

#[cfg(test)]
mod tests;
