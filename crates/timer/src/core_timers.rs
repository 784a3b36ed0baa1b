//! All timers of a core: a queue for each clock, and the hardware that they share.
//!
//! **Model.** The core runs something of some urgency, and has one timer in hardware that fires
//! once. Whatever is called returns what the hardware must be told: a [`Program`].
//!
//! ```text
//!  arm, cancel, rekey, set_clock ──────────────────────────▶ Program
//!  interrupt ─▶ expire … expire ─▶ finish ─────────────────▶ Program
//!  switch ────▶ expire … expire ─▶ finish ─────────────────▶ Program
//!               └ callbacks: arm, restart, woke, …  ─▶ Program::Keep
//! ```
//!
//! **Assumptions.**
//! 1. The caller obeys every `Program`, and calls `interrupt` when the hardware fires.
//! 2. The caller tells of every change in what the core runs, a change of its urgency included
//!    (inheritance, a ceiling): `switch`.
//! 3. No clock is behind the hardware's counter, as in Linux, where civil time cannot be set to
//!    before the start of the machine.
//!
//! **Invariant.** While no batch is open, the hardware stands at the first instant at which a
//! timer is due that may run now.
//!
//! **Cost.** That of the queue; what returns a `Program` asks the four queues for their next
//! event. A batch at a switch takes out at most as many timers as it was limited to.
//!
//! **Does not cover** slack (timers that may be late on purpose), moving timers to other cores.

use crate::clock::Offset;
use crate::queue::require;
use crate::{Clock, Pending, TimerQueue, Urgency, Violation};
use core::num::NonZeroU32;
use vorrang_time::{Duration, Instant};

/// A timer: a slot in the queue of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimerId {
    /// On which clock it is set.
    pub clock: Clock,
    /// Which timer of that clock's queue.
    pub slot: u32,
}

/// What the hardware must be told. Instants are on its own axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the hardware fires at the wrong time unless it is told"]
pub enum Program {
    /// Nothing: it fires when it should, or a batch is open, which ends in a decision.
    Keep,
    /// To fire at an instant; at once, if that is not in the future.
    At(Instant),
    /// Not to fire.
    Never,
}

/// A timer whose callback must run now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expired {
    /// The timer that expired.
    pub timer: TimerId,
    /// When it expired, on its clock.
    pub at: Instant,
    /// When that was on the hardware's axis.
    pub due: Instant,
    /// How urgent its owner is.
    pub urgency: Urgency,
    /// Who waits for its callback.
    pub cause: Cause,
}

/// Why a callback runs; whom its time is charged to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The hardware fired: a timer at least as urgent as what runs.
    Interrupt,
    /// The core goes to something less urgent, which waits for timers that were held back.
    Switch,
}

/// What [`CoreTimers::cancel`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the hardware fires at the wrong time unless it is told"]
pub struct Cancelled {
    /// Whether the timer was pending.
    pub was_pending: bool,
    /// What the hardware must be told.
    pub program: Program,
}

/// The timers of a core.
#[derive(Clone, Debug)]
pub struct CoreTimers<Q> {
    queues: [Q; 4],
    offsets: [Offset; 4],
    running: Urgency,
    /// When the hardware fires; [`Instant::NEVER`]: it does not.
    programmed: Instant,
    batch: Option<Batch>,
}

/// The callbacks that are being run.
#[derive(Clone, Copy, Debug)]
struct Batch {
    cause: Cause,
    /// How many more there may be.
    left: u32,
}

impl<Q: TimerQueue> CoreTimers<Q> {
    /// The timers of an idle core; the queues in the order of [`Clock::ALL`], of which no timer
    /// is pending. All clocks show what the hardware shows.
    pub fn new(queues: [Q; 4]) -> Self {
        let offsets = [Offset::default(); 4];
        let programmed = Instant::NEVER;
        Self { queues, offsets, running: Urgency::LEAST, programmed, batch: None }
    }

    /// Arms a timer at an instant of its clock, for an owner of that urgency: the effective one,
    /// with what it inherits.
    pub fn arm(&mut self, timer: TimerId, at: Instant, urgency: Urgency) -> Program {
        self.queue(timer.clock).arm(timer.slot, at, urgency);
        self.program()
    }

    /// Arms a timer with the urgency that it had: for callbacks that restart their timer, which
    /// run in the context of whatever they interrupted.
    pub fn restart(&mut self, timer: TimerId, at: Instant) -> Program {
        self.queue(timer.clock).restart(timer.slot, at);
        self.program()
    }

    /// Makes a timer not pending.
    pub fn cancel(&mut self, timer: TimerId) -> Cancelled {
        let was_pending = self.queue(timer.clock).cancel(timer.slot);
        Cancelled { was_pending, program: self.program() }
    }

    /// The owner of a timer, pending or not, has become this urgent: by itself, by inheritance,
    /// or because it inherits no longer.
    pub fn rekey(&mut self, timer: TimerId, urgency: Urgency) -> Program {
        self.queue(timer.clock).rekey(timer.slot, urgency);
        self.program()
    }

    /// From now on a clock shows `offset` when the hardware shows zero.
    pub fn set_clock(&mut self, clock: Clock, offset: Duration) -> Program {
        self.offsets[clock as usize] = Offset(offset);
        self.program()
    }

    /// The hardware has fired. Follow with [`expire`](Self::expire) and [`finish`](Self::finish).
    pub fn interrupt(&mut self) {
        self.programmed = Instant::NEVER;
        self.batch = Some(Batch { cause: Cause::Interrupt, left: u32::MAX });
    }

    /// The core goes to something of this urgency, or what it runs has become so. Follow with
    /// [`expire`](Self::expire) and [`finish`](Self::finish): if it is less urgent than before,
    /// what was held back comes first, but not more than `limit` timers; the hardware then fires
    /// at once for the others.
    pub fn switch(&mut self, to: Urgency, limit: NonZeroU32) {
        let less_urgent = self.running.is_more_urgent_than(to);
        let left = if less_urgent { limit.get() } else { 0 };
        self.running = to;
        self.batch = Some(Batch { cause: Cause::Switch, left });
    }

    /// A callback has made something ready that is this urgent. If that is more than what runs,
    /// the core will go to it: timers that are less urgent than it need not come first.
    ///
    /// If the core does not go to it after all, [`switch`](Self::switch) says what to.
    pub fn woke(&mut self, urgency: Urgency) -> Program {
        self.running = self.running.max(urgency);
        self.program()
    }

    /// Takes out the next timer whose callback must run, with `now` on the hardware's axis; none
    /// if no batch is open.
    pub fn expire(&mut self, now: Instant) -> Option<Expired> {
        let batch = self.batch.as_mut().filter(|batch| batch.left > 0)?;
        // A queue that holds nothing back leaves all to the interrupt.
        if batch.cause == Cause::Switch && !self.queues[0].shields() {
            return None;
        }
        let (due, clock) = first(&self.queues, &self.offsets, self.running)?;
        if due > now {
            return None;
        }
        batch.left -= 1;
        let cause = batch.cause;
        let (queue, offset) = (&mut self.queues[clock as usize], self.offsets[clock as usize]);
        let at = queue.next_event(self.running)?;
        let slot = queue.expire(offset.clock(now), self.running)?;
        let urgency = queue.urgency(slot);
        Some(Expired { timer: TimerId { clock, slot }, at, due, urgency, cause })
    }

    /// All callbacks have run.
    pub fn finish(&mut self) -> Program {
        self.batch = None;
        self.program()
    }

    /// What the core runs, as far as it has been told.
    pub fn running(&self) -> Urgency {
        self.running
    }

    /// When the hardware fires.
    pub fn programmed(&self) -> Option<Instant> {
        Some(self.programmed).filter(|at| *at != Instant::NEVER)
    }

    /// A timer, if it is pending; the instant is of its clock.
    pub fn pending(&self, timer: TimerId) -> Option<Pending> {
        self.queues[timer.clock as usize].pending(timer.slot)
    }

    /// All pending timers, whatever runs, by clock and slot; the instants are of their clocks.
    pub fn iter(&self) -> impl Iterator<Item = (TimerId, Pending)> + '_ {
        Clock::ALL.into_iter().flat_map(|clock| {
            let timers = self.queues[clock as usize].iter();
            timers.map(move |(slot, pending)| (TimerId { clock, slot }, pending))
        })
    }

    /// The invariant, asserted wherever a `Program` is returned in debug builds.
    ///
    /// # Errors
    /// The first violated clause.
    pub fn check(&self) -> Result<(), Violation> {
        self.queues.iter().try_for_each(TimerQueue::check)?;
        require(
            self.batch.is_some() || self.programmed == self.next(),
            "the hardware does not stand at the next event",
        )
    }

    fn queue(&mut self, clock: Clock) -> &mut Q {
        &mut self.queues[clock as usize]
    }

    /// When the hardware should fire.
    fn next(&self) -> Instant {
        first(&self.queues, &self.offsets, self.running).map_or(Instant::NEVER, |(due, _)| due)
    }

    /// Decides what the hardware must be told.
    fn program(&mut self) -> Program {
        if self.batch.is_some() {
            return Program::Keep;
        }
        let next = self.next();
        let before = core::mem::replace(&mut self.programmed, next);
        debug_assert_eq!(self.check(), Ok(()));
        match next {
            same if same == before => Program::Keep,
            Instant::NEVER => Program::Never,
            at => Program::At(at),
        }
    }
}

/// The first event on the hardware's axis that may come while something of urgency `running`
/// runs, and its clock.
fn first<Q: TimerQueue>(
    queues: &[Q; 4],
    offsets: &[Offset; 4],
    running: Urgency,
) -> Option<(Instant, Clock)> {
    let events = Clock::ALL.into_iter().zip(queues).zip(offsets);
    events
        .filter_map(|((clock, queue), offset)| {
            Some((offset.hardware(queue.next_event(running)?), clock))
        })
        .min()
}
