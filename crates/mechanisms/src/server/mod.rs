//! What every kind of server can be told and asked, and the choice among the kinds.

mod cbs_hard;
mod deferrable;
mod periodic;
mod slot;
mod sporadic;

pub use cbs_hard::CbsHard;
pub use deferrable::Deferrable;
pub use periodic::Periodic;
pub use slot::Slot;
pub use sporadic::Sporadic;

use vorrang_time::{Duration, Instant};

/// An invariant of a server that does not hold, in words. Always a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation(pub &'static str);

/// A server: `budget` of its parent's time in every `period`, by some rule.
pub trait Server {
    /// The longest time it may be given from now on before it must be asked again; zero: it may
    /// not run.
    fn budget(&self) -> Duration;

    /// Charges `amount` of time, all of it up to `now` and since the server was last told
    /// anything.
    fn consume(&mut self, now: Instant, amount: Duration);

    /// When [`Server::replenish`] must be called next; [`Instant::NEVER`]: nothing is pending.
    fn due(&self) -> Instant;

    /// What was due happens. A slot begins or ends; all others regain budget.
    fn replenish(&mut self, now: Instant);

    /// The guest has something ready, having had nothing.
    fn wake(&mut self, _now: Instant) {}

    /// Whether something on the parent that is at least as urgent as the server is ready. Told
    /// at every instant at which that, or the budget, may have changed.
    fn level(&mut self, _now: Instant, _active: bool) {}

    /// The absolute deadline by which an EDF parent orders it.
    fn deadline(&self) -> Instant {
        Instant::NEVER
    }

    /// Whether it takes its time from the parent even when its guest has nothing ready.
    fn idles(&self) -> bool {
        false
    }

    /// The invariant, asserted by every mutator at both ends.
    ///
    /// # Errors
    /// The first violated clause.
    fn check(&self) -> Result<(), Violation>;
}

/// Asserts the invariant of a server, in debug builds.
fn assert_invariant(server: &impl Server) {
    debug_assert_eq!(server.check(), Ok(()));
}

/// `holds`, or the violation with that text.
fn require(holds: bool, text: &'static str) -> Result<(), Violation> {
    if holds { Ok(()) } else { Err(Violation(text)) }
}

/// A server of any kind, dispatched by `match` so that the call can be inlined.
#[derive(Clone, Debug)]
pub enum AnyServer {
    /// See [`Periodic`].
    Periodic(Periodic),
    /// See [`Deferrable`].
    Deferrable(Deferrable),
    /// See [`Sporadic`].
    Sporadic(Sporadic),
    /// See [`CbsHard`].
    CbsHard(CbsHard),
    /// See [`Slot`].
    Slot(Slot),
}

/// Calls the method on whatever kind it is.
macro_rules! dispatch {
    ($self:ident.$method:ident($($argument:expr),*)) => {
        match $self {
            AnyServer::Periodic(server) => server.$method($($argument),*),
            AnyServer::Deferrable(server) => server.$method($($argument),*),
            AnyServer::Sporadic(server) => server.$method($($argument),*),
            AnyServer::CbsHard(server) => server.$method($($argument),*),
            AnyServer::Slot(server) => server.$method($($argument),*),
        }
    };
}

impl Server for AnyServer {
    #[inline]
    fn budget(&self) -> Duration {
        dispatch!(self.budget())
    }

    #[inline]
    fn consume(&mut self, now: Instant, amount: Duration) {
        dispatch!(self.consume(now, amount));
    }

    #[inline]
    fn due(&self) -> Instant {
        dispatch!(self.due())
    }

    #[inline]
    fn replenish(&mut self, now: Instant) {
        dispatch!(self.replenish(now));
    }

    #[inline]
    fn wake(&mut self, now: Instant) {
        dispatch!(self.wake(now));
    }

    #[inline]
    fn level(&mut self, now: Instant, active: bool) {
        dispatch!(self.level(now, active));
    }

    #[inline]
    fn deadline(&self) -> Instant {
        dispatch!(self.deadline())
    }

    #[inline]
    fn idles(&self) -> bool {
        dispatch!(self.idles())
    }

    fn check(&self) -> Result<(), Violation> {
        dispatch!(self.check())
    }
}
