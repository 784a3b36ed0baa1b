//! `SCHED_SPORADIC` of POSIX, with its defects.

/// Replenishments that may be pending.
const MOST_PENDING: usize = 8;

/// The state of one such server.
#[derive(Clone, Debug)]
pub(super) struct Posix {
    full: u64,
    period: u64,
    capacity: u64,
    /// Since when it is active, while its guest has work and it is not exhausted.
    activation: u64,
    consumed: u64,
    /// Amounts with their instants.
    pending: Vec<(u64, u64)>,
}

impl Posix {
    pub(super) fn new(full: u64, period: u64) -> Self {
        Self { full, period, capacity: full, activation: 0, consumed: 0, pending: Vec::new() }
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.capacity == 0 || self.pending.len() >= MOST_PENDING
    }

    pub(super) fn pay(&mut self) {
        if !self.is_exhausted() {
            self.capacity -= 1;
            self.consumed += 1;
        }
    }

    /// The consumption since the activation is pending from now on.
    fn note_consumed(&mut self) {
        if self.consumed > 0 {
            self.pending.push((self.activation + self.period, self.consumed));
            self.consumed = 0;
        }
    }

    /// The capacity is gone at this instant.
    pub(super) fn exhaust(&mut self) -> bool {
        let gone = self.capacity == 0 && self.consumed > 0;
        if gone {
            self.note_consumed();
        }
        gone
    }

    /// Adds what is due; whether anything was.
    pub(super) fn replenish(&mut self, now: u64, guest_has_work: bool) -> bool {
        let was_exhausted = self.is_exhausted();
        let due: u64 =
            self.pending.iter().filter(|(at, _)| *at <= now).map(|(_, amount)| amount).sum();
        self.pending.retain(|(at, _)| *at > now);
        self.capacity = (self.capacity + due).min(self.full);
        if was_exhausted && !self.is_exhausted() && guest_has_work {
            self.activation = now;
        }
        due > 0
    }

    pub(super) fn wake(&mut self, now: u64) {
        if !self.is_exhausted() {
            self.activation = now;
        }
    }

    pub(super) fn sleep(&mut self, now: u64) {
        self.note_consumed();
        self.replenish(now, false);
    }
}
