//! Interrupts of guests: whom they wake, and the credits of their pseudo-VCPUs.
//!
//! **Model.** A pseudo-VCPU is a second server of the thread of a virtual processor. An interrupt that is raised wakes that
//! thread for both, and takes a credit. What of it the guest has handled is not visible: a credit lasts until it is
//! used up or the thread sleeps, so it also pays for what else the guest does meanwhile, but never for more than a
//! credit for each interrupt. One whose loan finds the thread asleep waits for a look that finds it awake, and for no more than
//! two: then the guest has handled its interrupt by other means. Requests beyond the credits are not kept from the guest: it
//! handles them in the budget of its virtual processor, or when a credit is back.
//!
//! **Storms.** While a decision cannot depend on an interrupt, the machine is not asked for it ([`matters`]), so that it wakes
//! nothing: of a storm a request for each credit and one that is held back are seen. One that is raised after a credit is back
//! and before the decision that gives it is one with the request that takes it, or the guest, if it runs then, takes it at once.
//!
//! **Assumption.** Instants of one interrupt are in order.
//!
//! Theory: docs/theory/credits-that-last.md.

use crate::machine::{Machine, Raised};
use crate::member::Member;
use crate::pace::Pace;
use crate::rule::WakeUps;
use vorrang_mechanisms::server::Server as _;
use vorrang_time::{Duration, Instant};

/// An interrupt of a guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupt {
    /// What it wakes, by its place: a virtual processor, or the pseudo-VCPU of it.
    wakes: usize,
    /// How often it was raised.
    pub raised: u64,
    /// How often its pseudo-VCPU had no credit for it.
    pub held_back: u64,
    /// How often it came sooner than its description allows.
    pub too_soon: u64,
    /// How often a loan for its credit found its thread asleep.
    pub asleep: u64,
    pace: Pace,
}

impl Interrupt {
    pub(crate) fn of(wakes: usize) -> Self {
        Self { wakes, raised: 0, held_back: 0, too_soon: 0, asleep: 0, pace: Pace::ANY }
    }

    /// It is described to come no more often than that.
    pub(crate) fn is_apart(&mut self, apart: Duration, jitter: Duration) {
        self.pace = Pace::of(apart, jitter);
    }
}

/// Those that were raised on a machine: threads have work, and credits are taken. Returns whether one is of this thread.
pub(crate) fn raise(
    interrupts: &mut [Interrupt],
    members: &mut [Member],
    now: Instant,
    machine: &mut impl Machine,
    of: Option<usize>,
) -> bool {
    let mut is_raised = false;
    while let Some(Raised { interrupt, at, unheard }) = machine.raised() {
        let Interrupt { wakes, raised, held_back, too_soon, pace, .. } = &mut interrupts[interrupt];
        *raised += 1 + unheard;
        *too_soon += pace.too_soon(at, unheard);
        if let Some(thread) = members[*wakes].thread {
            wake(members, thread);
            is_raised |= of == Some(thread);
        }
        let member = &mut members[*wakes];
        if member.wake_ups == WakeUps::Interrupt {
            *held_back += u64::from(!member.request(at.min(now))) + unheard;
        }
    }
    is_raised
}

/// Whether a decision may depend on an interrupt: it would wake its thread, or one that is `idle`, or take a credit. It does
/// neither where the thread has work anyway, or is `standing`, a thread whose loan stands, and its pseudo-VCPU holds a request back
/// already, which is one with all that follow.
pub(crate) fn matters(
    interrupt: &Interrupt,
    members: &[Member],
    idle: Option<usize>,
    standing: Option<usize>,
) -> bool {
    let member = &members[interrupt.wakes];
    if idle.is_some() && idle == member.thread {
        return true;
    }
    let is_woken = |one: &Member| {
        one.thread == member.thread
            && matches!(one.wake_ups, WakeUps::AtOnce | WakeUps::Interrupt)
            && !one.has_work
    };
    let takes_credit = member.wake_ups == WakeUps::Interrupt && !member.holds_back();
    let stands = standing.is_some() && standing == member.thread;
    takes_credit || !stands && members.iter().any(is_woken)
}

/// A thread has work: those kinds that must notice it at once do.
pub(crate) fn wake(members: &mut [Member], thread: usize) {
    let of_thread = members.iter_mut().filter(|member| member.thread == Some(thread));
    for member in of_thread {
        // Others need not know of it.
        if matches!(member.wake_ups, WakeUps::AtOnce | WakeUps::Interrupt) {
            member.has_work = true;
        }
    }
}

/// A loan has found its thread asleep: the credits that wait for it are counted.
pub(crate) fn miss(interrupts: &mut [Interrupt], members: &[Member], thread: usize) {
    for Interrupt { wakes, asleep, .. } in interrupts {
        let member = &members[*wakes];
        let waits = member.wake_ups == WakeUps::Interrupt && !member.server.budget().is_zero();
        *asleep += u64::from(waits && member.thread == Some(thread));
    }
}

/// A thread has left the processor, and is ready or not. One that has received nothing counts as asleep whatever its state:
/// a loan to it has no effect. One that sleeps after it has received something has handled its interrupts.
pub(crate) fn leave(members: &mut [Member], thread: usize, progress: bool, is_ready: bool) {
    let of_thread = members.iter_mut().filter(|member| member.thread == Some(thread));
    for member in of_thread.filter(|member| member.wake_ups != WakeUps::Unneeded) {
        member.has_work = progress && is_ready;
        if progress && !is_ready {
            member.leave_guest();
        }
    }
}
