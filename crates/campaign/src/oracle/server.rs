//! The state of a server from tick to tick.

use super::Place;
use super::linux::Linux;
use super::posix::Posix;
use super::refill_queue::RefillQueue;
use vorrang_model::system::{REFILLS, Server, ServerKind, ServerRule, Window};

/// The state of one server. What a kind does not use stays as it is.
pub(super) struct ServerState {
    pub(super) kind: ServerKind,
    pub(super) full: u64,
    pub(super) period: u64,
    /// First replenishment of a server with a phase, start of a slot.
    pub(super) phase: u64,
    /// Of a table: starts and lengths.
    pub(super) windows: Vec<(u64, u64)>,
    pub(super) budget: u64,
    /// Budget was above zero before this instant and is not any more.
    pub(super) exhausted_now: bool,
    /// It was replenished at this instant.
    pub(super) replenished_now: bool,
    /// End of the current period, or the deadline of a constant-bandwidth server.
    pub(super) deadline: u64,
    /// The guest had something ready after all events of the last instant.
    pub(super) guest_ready: bool,
    pub(super) place: Place,
    pub(super) sporadic: Sporadic,
    pub(super) posix: Posix,
    pub(super) queue: RefillQueue,
    pub(super) linux: Linux,
}

/// The state of a sporadic server.
#[derive(Clone, Debug)]
pub(super) struct Sporadic {
    /// The level was active at the last instant.
    pub(super) level_active: bool,
    /// Their amounts sum to the full budget.
    pub(super) refills: Vec<Refill>,
}

/// A part of the budget of a sporadic server and the instant from which it can be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refill {
    pub(super) time: u64,
    pub(super) amount: u64,
}

impl ServerState {
    pub(super) fn new(server: &Server, windows: &[Window], phase: u64, overrun: u64) -> Self {
        let (full, period) = (server.budget.as_ns(), server.period.as_ns());
        let phase = server.slot_offset().map_or(phase, vorrang_time::Duration::as_ns);
        let has_phase = matches!(
            server.kind(),
            ServerKind::Periodic | ServerKind::Polling | ServerKind::Deferrable
        );
        let deadline = if has_phase { phase } else { 0 };
        // A periodic server has its first budget when it is started, a polling one at its phase.
        let waits = matches!(server.kind(), ServerKind::Periodic | ServerKind::Polling);
        let (refills, least) = match server.rule {
            ServerRule::RefillQueue { refills, min_budget } => {
                (refills, min_budget.map_or(0, vorrang_time::Duration::as_ns))
            }
            _ => (REFILLS, 0),
        };
        Self {
            kind: server.kind(),
            full,
            period,
            phase,
            windows: windows.iter().map(|own| (own.offset.as_ns(), own.length.as_ns())).collect(),
            budget: if waits { 0 } else { full },
            exhausted_now: false,
            replenished_now: false,
            deadline,
            guest_ready: false,
            place: Place::default(),
            sporadic: Sporadic {
                level_active: false,
                refills: vec![Refill { time: 0, amount: full }],
            },
            posix: Posix::new(full, period),
            queue: RefillQueue::new(full, period, refills, least),
            linux: Linux::new(server, overrun),
        }
    }

    /// That of a kind without a budget, which uses nothing of it.
    pub(super) fn without_budget(kind: ServerKind) -> Self {
        Self { kind, ..Self::new(&Server::default(), &[], 0, 0) }
    }

    /// Whether it can supply time now, apart from its guest.
    pub(super) fn has_budget(&self, now: u64) -> bool {
        match self.kind {
            ServerKind::Slot => self.slot_holds(now),
            ServerKind::Table => self.table_holds(now),
            ServerKind::SchedDeadline => self.linux.has_budget(),
            ServerKind::RefillQueue => self.queue.has_budget(),
            // In the background the guest goes on without budget.
            ServerKind::PosixSporadic | ServerKind::Share | ServerKind::Level => true,
            ServerKind::Periodic
            | ServerKind::Polling
            | ServerKind::Deferrable
            | ServerKind::Sporadic
            | ServerKind::CbsHard
            | ServerKind::CbsSoft => self.budget > 0,
        }
    }

    fn slot_holds(&self, now: u64) -> bool {
        (now + self.period - self.phase) % self.period < self.full
    }

    /// Whether an instant is in a window of the table.
    fn table_holds(&self, now: u64) -> bool {
        let place = now % self.period;
        self.windows.iter().any(|&(start, length)| (start..start + length).contains(&place))
    }

    /// The slot begins or ends at this instant; one that is the whole period does both at once.
    pub(super) fn slot_turns(&self, now: u64) -> bool {
        if self.kind == ServerKind::Table {
            // One that is all of its period turns with that; the first window of a history opens like any other.
            let is_whole = self.full == self.period && now.is_multiple_of(self.period);
            let before = now.checked_sub(1).is_some_and(|before| self.table_holds(before));
            return is_whole || self.table_holds(now) != before;
        }
        if self.kind != ServerKind::Slot {
            return false;
        }
        let since_begin = (now + self.period - self.phase) % self.period;
        let ends = now > 0 && since_begin == self.full % self.period;
        since_begin == 0 || ends
    }

    /// Whether the guest is in the background, without charge.
    pub(super) fn in_background(&self) -> bool {
        self.kind == ServerKind::PosixSporadic && self.posix.is_exhausted()
    }

    /// One tick of its time is given.
    pub(super) fn pay(&mut self) {
        match self.kind {
            ServerKind::Slot | ServerKind::Table | ServerKind::Share | ServerKind::Level => {}
            ServerKind::PosixSporadic => self.posix.pay(),
            ServerKind::SchedDeadline => self.linux.pay(),
            ServerKind::RefillQueue => self.queue.pay(),
            ServerKind::Sporadic => {
                self.budget -= 1;
                self.consume_refill();
            }
            ServerKind::Periodic
            | ServerKind::Polling
            | ServerKind::Deferrable
            | ServerKind::CbsHard
            | ServerKind::CbsSoft => self.budget -= 1,
        }
    }

    /// One tick of the refill that could be used first; it comes back one period after that.
    fn consume_refill(&mut self) {
        let first = self.sporadic.refills.iter_mut().min_by_key(|refill| refill.time);
        let first = first.expect("the amounts sum to a full budget");
        first.amount -= 1;
        let time = first.time + self.period;
        self.sporadic.refills.retain(|refill| refill.amount > 0);
        self.sporadic.refills.push(Refill { time, amount: 1 });
    }

    /// Step 2: the budget has reached zero.
    pub(super) fn exhaust(&mut self, now: u64) {
        self.replenished_now = false;
        self.exhausted_now = match self.kind {
            ServerKind::PosixSporadic => self.posix.exhaust(),
            ServerKind::SchedDeadline => self.linux.exhaust(),
            ServerKind::RefillQueue => self.queue.exhaust(now),
            ServerKind::Share | ServerKind::Level | ServerKind::Slot | ServerKind::Table => false,
            ServerKind::Periodic
            | ServerKind::Polling
            | ServerKind::Deferrable
            | ServerKind::Sporadic
            | ServerKind::CbsHard
            | ServerKind::CbsSoft => self.place.ready && self.budget == 0,
        };
    }

    /// Step 3: what is due.
    pub(super) fn replenish(&mut self, now: u64) {
        match self.kind {
            ServerKind::Periodic | ServerKind::Polling | ServerKind::Deferrable => {
                self.start_period(now);
            }
            ServerKind::CbsHard if self.budget == 0 && self.deadline <= now => self.postpone(),
            ServerKind::CbsSoft if self.budget == 0 => self.postpone(),
            ServerKind::Sporadic => self.count_usable(now),
            ServerKind::PosixSporadic => {
                let guest = self.guest_ready;
                self.replenished_now = self.posix.replenish(now, guest);
            }
            ServerKind::SchedDeadline => self.replenished_now = self.linux.replenish(now),
            ServerKind::RefillQueue => self.replenished_now = self.queue.replenish(now),
            ServerKind::CbsHard
            | ServerKind::CbsSoft
            | ServerKind::Slot
            | ServerKind::Table
            | ServerKind::Share
            | ServerKind::Level => {}
        }
    }

    fn start_period(&mut self, now: u64) {
        if now >= self.phase && (now - self.phase).is_multiple_of(self.period) {
            self.budget = self.full;
            self.deadline = now + self.period;
            self.replenished_now = true;
        }
    }

    /// CBS: a full budget for a later deadline.
    fn postpone(&mut self) {
        self.budget = self.full;
        self.deadline += self.period;
        self.replenished_now = true;
    }

    /// Sporadic: the budget is what can be used by now.
    fn count_usable(&mut self, now: u64) {
        let usable = self.sporadic.refills.iter().filter(|refill| refill.time <= now);
        let usable = usable.map(|refill| refill.amount).sum();
        // What comes back while it is consumed, its time long over, is no event.
        let comes = self.sporadic.refills.iter().any(|refill| refill.time == now);
        self.replenished_now = comes && usable > self.budget;
        self.budget = usable;
    }

    /// Step 5: whether the guest has something ready after the events of this instant.
    pub(super) fn settle_guest(&mut self, ready: bool, now: u64) {
        let (woken, asleep) = (ready && !self.guest_ready, !ready && self.guest_ready);
        self.guest_ready = ready;
        match self.kind {
            ServerKind::Polling if !ready => self.budget = 0,
            ServerKind::CbsHard | ServerKind::CbsSoft if woken => self.wake_bandwidth(now),
            ServerKind::PosixSporadic if woken => self.posix.wake(now),
            ServerKind::PosixSporadic if asleep => self.posix.sleep(now),
            ServerKind::SchedDeadline if woken => self.linux.wake(now),
            ServerKind::RefillQueue if woken => self.queue.wake(now),
            ServerKind::SchedDeadline if asleep => self.linux.sleep(now),
            ServerKind::Periodic
            | ServerKind::Polling
            | ServerKind::Deferrable
            | ServerKind::Sporadic
            | ServerKind::CbsHard
            | ServerKind::CbsSoft
            | ServerKind::SchedDeadline
            | ServerKind::Slot
            | ServerKind::Table
            | ServerKind::PosixSporadic
            | ServerKind::RefillQueue
            | ServerKind::Share
            | ServerKind::Level => {}
        }
    }

    /// CBS: its guest has work after it had none.
    fn wake_bandwidth(&mut self, now: u64) {
        let worn = self.deadline <= now
            || u128::from(self.budget) * u128::from(self.period)
                >= u128::from(self.deadline - now) * u128::from(self.full);
        if worn {
            self.deadline = now + self.period;
            self.budget = self.full;
        }
    }

    /// The absolute deadline under EDF.
    pub(super) fn edf_deadline(&self) -> u64 {
        if self.kind == ServerKind::SchedDeadline { self.linux.deadline() } else { self.deadline }
    }
}
