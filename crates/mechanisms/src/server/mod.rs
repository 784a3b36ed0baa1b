//! The common interface of all kinds of servers, and the choice among the kinds.

mod bandwidth;
mod cbs;
mod cbs_hard;
mod cbs_soft;
mod clocked;
mod deferrable;
mod periodic;
mod polling;
mod posix_sporadic;
mod refill_queue;
mod sched_deadline;
mod share;
mod sporadic;
mod table;

pub use bandwidth::Bandwidth;
pub use cbs_hard::CbsHard;
pub use cbs_soft::CbsSoft;
pub use deferrable::Deferrable;
pub use periodic::Periodic;
pub use polling::Polling;
pub use posix_sporadic::PosixSporadic;
pub use refill_queue::RefillQueue;
pub use sched_deadline::SchedDeadline;
pub use share::Share;
pub use sporadic::Sporadic;
pub use table::Table;

use crate::interrupt::PseudoVcpu;
use vorrang_time::{Duration, Instant};

/// An invariant of a server that does not hold, in words. Always a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation(pub &'static str);

/// A server: `budget` of its parent's time in every `period`, by some rule.
pub trait Server {
    /// The longest time that it may run from now on before the next call; zero: it may not run. Where budget
    /// is enforced by a tick this may exceed the remaining budget.
    fn budget(&self) -> Duration;

    /// Charges `amount` of time, all of it up to `now` and since the last call.
    fn consume(&mut self, now: Instant, amount: Duration);

    /// When [`Server::replenish`] must be called next; [`Instant::NEVER`]: nothing is pending.
    fn due(&self) -> Instant;

    /// Processes the event that is due. A slot begins or ends; the time consumed by a sleeping guest no
    /// longer counts as bandwidth; all others regain budget.
    fn replenish(&mut self, now: Instant);

    /// It ran up to now, and from now on it does not have the core: called after the decision, when all
    /// consumption is charged.
    fn stop(&mut self, _now: Instant) {}

    /// Whether it goes behind the members of its priority, though it has budget; asked after each
    /// [`Server::consume`] and [`Server::stop`].
    fn goes_behind(&mut self) -> bool {
        false
    }

    /// The guest has something ready, having had nothing.
    fn wake(&mut self, _now: Instant) {}

    /// The guest has nothing ready after the events of an instant. Called when it had something before, at
    /// the start, and whenever the server is replenished in that state.
    fn sleep(&mut self, _now: Instant) {}

    /// Whether the guest may run without budget, below every other member of the parent. Nothing
    /// is consumed then.
    fn background(&self) -> bool {
        false
    }

    /// Its active bandwidth on the parent; zero for kinds that do not take part in reclaiming.
    fn bandwidth(&self) -> Bandwidth {
        Bandwidth::NONE
    }

    /// The sum of [`Server::bandwidth`] of all servers of the parent. Called whenever that has changed, after
    /// consumption.
    fn reclaim(&mut self, _active: Bandwidth) {}

    /// Whether something on the parent that is at least as urgent as the server is ready. Called at every
    /// instant at which that, or the budget, may have changed.
    fn level(&mut self, _now: Instant, _active: bool) {}

    /// The absolute deadline by which an EDF parent orders it.
    fn deadline(&self) -> Instant {
        Instant::NEVER
    }

    /// Whether it consumes its budget even when its guest has nothing ready.
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
pub(crate) fn assert_invariant(server: &impl Server) {
    debug_assert_eq!(server.check(), Ok(()));
}

/// `holds`, or the violation with that text.
pub(crate) fn require(holds: bool, text: &'static str) -> Result<(), Violation> {
    if holds { Ok(()) } else { Err(Violation(text)) }
}

/// A server of any kind, dispatched by `match` so that the call can be inlined.
#[derive(Clone, Debug)]
pub enum AnyServer {
    /// See [`Periodic`].
    Periodic(Periodic),
    /// See [`Polling`].
    Polling(Polling),
    /// See [`Deferrable`].
    Deferrable(Deferrable),
    /// See [`Sporadic`].
    Sporadic(Sporadic),
    /// See [`RefillQueue`].
    RefillQueue(RefillQueue),
    /// See [`PosixSporadic`].
    PosixSporadic(PosixSporadic),
    /// See [`CbsHard`].
    CbsHard(CbsHard),
    /// See [`CbsSoft`].
    CbsSoft(CbsSoft),
    /// See [`SchedDeadline`].
    SchedDeadline(SchedDeadline),
    /// See [`Table`].
    Table(Table),
    /// See [`Share`].
    Share(Share),
    /// See [`PseudoVcpu`].
    PseudoVcpu(PseudoVcpu),
}

/// Calls the method on whatever kind it is.
macro_rules! dispatch {
    ($self:ident.$method:ident($($argument:expr),*)) => {
        match $self {
            AnyServer::Periodic(server) => server.$method($($argument),*),
            AnyServer::Polling(server) => server.$method($($argument),*),
            AnyServer::Deferrable(server) => server.$method($($argument),*),
            AnyServer::Sporadic(server) => server.$method($($argument),*),
            AnyServer::RefillQueue(server) => server.$method($($argument),*),
            AnyServer::PosixSporadic(server) => server.$method($($argument),*),
            AnyServer::CbsHard(server) => server.$method($($argument),*),
            AnyServer::CbsSoft(server) => server.$method($($argument),*),
            AnyServer::SchedDeadline(server) => server.$method($($argument),*),
            AnyServer::Table(server) => server.$method($($argument),*),
            AnyServer::Share(server) => server.$method($($argument),*),
            AnyServer::PseudoVcpu(server) => server.$method($($argument),*),
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
    fn stop(&mut self, now: Instant) {
        dispatch!(self.stop(now));
    }

    #[inline]
    fn goes_behind(&mut self) -> bool {
        dispatch!(self.goes_behind())
    }

    #[inline]
    fn wake(&mut self, now: Instant) {
        dispatch!(self.wake(now));
    }

    #[inline]
    fn sleep(&mut self, now: Instant) {
        dispatch!(self.sleep(now));
    }

    #[inline]
    fn background(&self) -> bool {
        dispatch!(self.background())
    }

    #[inline]
    fn bandwidth(&self) -> Bandwidth {
        dispatch!(self.bandwidth())
    }

    #[inline]
    fn reclaim(&mut self, active: Bandwidth) {
        dispatch!(self.reclaim(active));
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
