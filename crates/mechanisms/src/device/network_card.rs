//! A network card, the task that polls it, and the socket buffer.
//!
//! ```text
//!   wire ─▶ ring ─▶ polling task ─▶ socket buffer ─▶ receiver
//!            │ full: dropped         │ full: dropped
//!            └─ interrupt, while it is enabled: enough packets wait, or the first long enough
//!
//!   ring   1 2 2 2 1 0
//!   enabled───┐ · · · ┌───       raised at the second packet; enabled when the ring is empty
//! ```
//!
//! **Model.** "Network cards" in `docs/model.md`. A round of polling takes at most `budget`
//! packets; if more wait then, another round follows and the interrupt stays disabled.
//!
//! **Invariant.** Ring and socket buffer hold no more than they have room for; every packet that
//! was accepted is in the ring, in work, in the socket buffer, dropped or delivered.
//!
//! **Cost.** Constant time; memory for the packets in the ring.

use crate::server::{Violation, require};
use alloc::collections::VecDeque;
use vorrang_time::{Duration, Instant};

/// State of a network card.
#[derive(Clone, Debug)]
pub struct NetworkCard {
    room: u32,
    socket_room: u32,
    coalesce_packets: u32,
    /// Zero: no limit.
    coalesce_time: Duration,
    budget: u32,
    /// The arrivals of the waiting packets, in order.
    ring: VecDeque<Instant>,
    enabled: bool,
    /// Packets that this round of polling has taken.
    taken: u32,
    /// The arrival of the packet in work.
    in_work: Option<Instant>,
    in_socket: u32,
    accepted: u64,
    gone: u64,
}

/// The next step of the polling task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It processes the packet with this arrival.
    Packet(Instant),
    /// The round is over and more packets wait; the first arrived then.
    Again(Instant),
    /// No packet waits: the interrupt is enabled.
    Done,
}

impl NetworkCard {
    /// A card with room for `ring` packets that interrupts when `coalesce.0` packets wait, or
    /// `coalesce.1` after the first of them unless that is zero; a round of polling takes up to
    /// `budget` packets; the socket buffer has room for `socket`.
    pub fn new(ring: u32, coalesce: (u32, Duration), budget: u32, socket: u32) -> Self {
        Self {
            room: ring,
            socket_room: socket,
            coalesce_packets: coalesce.0,
            coalesce_time: coalesce.1,
            budget,
            ring: VecDeque::new(),
            enabled: true,
            taken: 0,
            in_work: None,
            in_socket: 0,
            accepted: 0,
            gone: 0,
        }
    }

    /// A packet arrives; whether there is room for it.
    pub fn arrive(&mut self, now: Instant) -> bool {
        self.assert_invariant();
        let has_room = self.ring.len() < self.room as usize;
        if has_room {
            self.ring.push_back(now);
            self.accepted += 1;
        }
        self.assert_invariant();
        has_room
    }

    /// When the first packet has waited long enough; [`Instant::NEVER`]: nothing is pending.
    pub fn due(&self) -> Instant {
        match self.ring.front() {
            Some(&first) if self.enabled && !self.coalesce_time.is_zero() => {
                first.checked_add(self.coalesce_time).unwrap_or(Instant::NEVER)
            }
            _ => Instant::NEVER,
        }
    }

    /// Whether the interrupt is raised now, which disables it.
    pub fn raise(&mut self, now: Instant) -> bool {
        let enough = self.ring.len() >= self.coalesce_packets as usize;
        let raised = self.enabled && (enough || self.due() <= now);
        self.enabled &= !raised;
        raised
    }

    /// The polling task has completed the work of a round, or of a packet; returns its next step.
    pub fn poll(&mut self) -> Next {
        self.assert_invariant();
        let next = match self.ring.front() {
            None => {
                (self.taken, self.enabled) = (0, true);
                Next::Done
            }
            Some(&first) if self.taken == self.budget => {
                self.taken = 0;
                Next::Again(first)
            }
            Some(&first) => {
                self.taken += 1;
                self.ring.pop_front();
                self.in_work = Some(first);
                Next::Packet(first)
            }
        };
        self.assert_invariant();
        next
    }

    /// The arrival of the packet whose work in the polling task is over, if there is one. It has not been put
    /// into the socket buffer yet.
    pub fn finish(&mut self) -> Option<Instant> {
        self.gone += u64::from(self.in_work.is_some());
        self.in_work.take()
    }

    /// A packet comes from the polling task; whether the socket buffer has room for it.
    pub fn put(&mut self) -> bool {
        self.assert_invariant();
        let has_room = self.in_socket < self.socket_room;
        if has_room {
            self.in_socket += 1;
            self.gone -= 1;
        }
        self.assert_invariant();
        has_room
    }

    /// The receiver has processed a packet.
    pub fn receive(&mut self) {
        self.assert_invariant();
        self.in_socket -= 1;
        self.gone += 1;
        self.assert_invariant();
    }

    /// The invariant, asserted by every mutator at both ends in debug builds.
    ///
    /// # Errors
    /// The first violated clause.
    pub fn check(&self) -> Result<(), Violation> {
        require(self.ring.len() <= self.room as usize, "the ring holds too many packets")?;
        require(self.in_socket <= self.socket_room, "the socket buffer holds too many packets")?;
        require(self.taken <= self.budget, "a round of polling takes too many packets")?;
        require(self.ring.iter().is_sorted(), "packets are out of order")?;
        let inside =
            self.ring.len() as u64 + u64::from(self.in_work.is_some()) + u64::from(self.in_socket);
        require(inside + self.gone == self.accepted, "a packet is lost or appears")
    }

    fn assert_invariant(&self) {
        debug_assert_eq!(self.check(), Ok(()));
    }
}
