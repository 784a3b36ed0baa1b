//! The events of an observer as values: for several checks, for storage, and for tests that alter them.

use vorrang_model::system::{DeviceId, InterruptId, SupplyId, TimerId};
use vorrang_sim::{Cause, Context, History, Job, Observer, Packet, Payer, Running};
use vorrang_time::{Duration, Instant};

/// One call of an [`Observer`], with its arguments in order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named and explained by the methods of the observer")]
pub enum Event {
    Began(SupplyId, Box<History>),
    Ended(Instant),
    Decided(Running, Instant),
    Runs(Running, Instant),
    Ran(Instant, Instant, Running),
    Released(Job),
    Completed(Job, Instant),
    Unfinished(Job, Instant),
    Replenished(SupplyId, Instant),
    Exhausted(SupplyId, Instant),
    Paid(Payer, Instant, Instant),
    Budget(Payer, Duration, Instant),
    Switched(Option<Context>, Context, Instant),
    Lost(Option<Context>, Cause, Duration, Instant),
    Masked(InterruptId, Instant),
    Unmasked(InterruptId, Instant),
    Served(InterruptId, bool, Instant),
    Merged(InterruptId, Instant),
    Expired(TimerId, Instant, Instant),
    Packet(DeviceId, Packet, Instant, Instant),
}

impl Event {
    /// The instant at which it is told.
    pub fn at(&self) -> Instant {
        match *self {
            Self::Began(..) => Instant::ZERO,
            Self::Released(job) => job.release,
            Self::Ended(at)
            | Self::Decided(_, at)
            | Self::Runs(_, at)
            | Self::Ran(_, at, _)
            | Self::Completed(_, at)
            | Self::Unfinished(_, at)
            | Self::Replenished(_, at)
            | Self::Exhausted(_, at)
            | Self::Paid(_, _, at)
            | Self::Budget(_, _, at)
            | Self::Switched(_, _, at)
            | Self::Lost(_, _, _, at)
            | Self::Masked(_, at)
            | Self::Unmasked(_, at)
            | Self::Served(_, _, at)
            | Self::Merged(_, at)
            | Self::Expired(_, _, at)
            | Self::Packet(_, _, _, at) => at,
        }
    }
}

/// Kinds of events, as a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(u32);

impl Kinds {
    pub(super) const BEGAN: Self = Self(1 << 0);
    pub(super) const ENDED: Self = Self(1 << 1);
    pub(super) const DECIDED: Self = Self(1 << 2);
    pub(super) const RUNS: Self = Self(1 << 3);
    pub(super) const RAN: Self = Self(1 << 4);
    pub(super) const RELEASED: Self = Self(1 << 5);
    pub(super) const COMPLETED: Self = Self(1 << 6);
    pub(super) const UNFINISHED: Self = Self(1 << 7);
    pub(super) const REPLENISHED: Self = Self(1 << 8);
    pub(super) const EXHAUSTED: Self = Self(1 << 9);
    pub(super) const PAID: Self = Self(1 << 10);
    pub(super) const BUDGET: Self = Self(1 << 11);
    pub(super) const SWITCHED: Self = Self(1 << 12);
    pub(super) const LOST: Self = Self(1 << 13);
    pub(super) const MASKED: Self = Self(1 << 14);
    pub(super) const UNMASKED: Self = Self(1 << 15);
    pub(super) const SERVED: Self = Self(1 << 16);
    pub(super) const MERGED: Self = Self(1 << 17);
    pub(super) const EXPIRED: Self = Self(1 << 18);
    pub(super) const PACKET: Self = Self(1 << 19);

    /// Those of all of them.
    pub(super) const fn of<const COUNT: usize>(kinds: [Self; COUNT]) -> Self {
        let (mut all, mut place) = (0, 0);
        while place < COUNT {
            all |= kinds[place].0;
            place += 1;
        }
        Self(all)
    }

    /// Whether one of them is in both.
    pub(super) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl Event {
    pub(super) fn kind(&self) -> Kinds {
        match self {
            Self::Began(..) => Kinds::BEGAN,
            Self::Ended(..) => Kinds::ENDED,
            Self::Decided(..) => Kinds::DECIDED,
            Self::Runs(..) => Kinds::RUNS,
            Self::Ran(..) => Kinds::RAN,
            Self::Released(..) => Kinds::RELEASED,
            Self::Completed(..) => Kinds::COMPLETED,
            Self::Unfinished(..) => Kinds::UNFINISHED,
            Self::Replenished(..) => Kinds::REPLENISHED,
            Self::Exhausted(..) => Kinds::EXHAUSTED,
            Self::Paid(..) => Kinds::PAID,
            Self::Budget(..) => Kinds::BUDGET,
            Self::Switched(..) => Kinds::SWITCHED,
            Self::Lost(..) => Kinds::LOST,
            Self::Masked(..) => Kinds::MASKED,
            Self::Unmasked(..) => Kinds::UNMASKED,
            Self::Served(..) => Kinds::SERVED,
            Self::Merged(..) => Kinds::MERGED,
            Self::Expired(..) => Kinds::EXPIRED,
            Self::Packet(..) => Kinds::PACKET,
        }
    }
}

/// An observer that passes on every call as an event.
pub struct Listening<F>(pub F);

impl<F: FnMut(Event)> Observer for Listening<F> {
    fn began(&mut self, core: SupplyId, history: &History) {
        self.0(Event::Began(core, Box::new(history.clone())));
    }

    fn ended(&mut self, at: Instant) {
        self.0(Event::Ended(at));
    }

    fn decided(&mut self, what: Running, at: Instant) {
        self.0(Event::Decided(what, at));
    }

    fn runs(&mut self, what: Running, at: Instant) {
        self.0(Event::Runs(what, at));
    }

    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        self.0(Event::Ran(from, to, what));
    }

    fn released(&mut self, job: &Job) {
        self.0(Event::Released(*job));
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        self.0(Event::Completed(*job, at));
    }

    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.0(Event::Unfinished(*job, at));
    }

    fn replenished(&mut self, server: SupplyId, at: Instant) {
        self.0(Event::Replenished(server, at));
    }

    fn exhausted(&mut self, server: SupplyId, at: Instant) {
        self.0(Event::Exhausted(server, at));
    }

    fn paid(&mut self, payer: Payer, from: Instant, to: Instant) {
        self.0(Event::Paid(payer, from, to));
    }

    fn budget(&mut self, server: SupplyId, left: Duration, at: Instant) {
        self.0(Event::Budget(Payer::Server(server), left, at));
    }

    fn switched(&mut self, from: Option<Context>, to: Context, at: Instant) {
        self.0(Event::Switched(from, to, at));
    }

    fn lost(&mut self, context: Option<Context>, cause: Cause, amount: Duration, at: Instant) {
        self.0(Event::Lost(context, cause, amount, at));
    }

    fn masked(&mut self, interrupt: InterruptId, at: Instant) {
        self.0(Event::Masked(interrupt, at));
    }

    fn unmasked(&mut self, interrupt: InterruptId, at: Instant) {
        self.0(Event::Unmasked(interrupt, at));
    }

    fn pseudo_vcpu_budget(&mut self, interrupt: InterruptId, left: Duration, at: Instant) {
        self.0(Event::Budget(Payer::PseudoVcpu(interrupt), left, at));
    }

    fn served(&mut self, interrupt: InterruptId, in_guest: bool, at: Instant) {
        self.0(Event::Served(interrupt, in_guest, at));
    }

    fn merged(&mut self, interrupt: InterruptId, at: Instant) {
        self.0(Event::Merged(interrupt, at));
    }

    fn expired(&mut self, timer: TimerId, due: Instant, at: Instant) {
        self.0(Event::Expired(timer, due, at));
    }

    fn packet(&mut self, device: DeviceId, event: Packet, arrival: Instant, at: Instant) {
        self.0(Event::Packet(device, event, arrival, at));
    }
}
