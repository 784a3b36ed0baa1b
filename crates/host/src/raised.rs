//! Interrupts of guests: whom they wake, and the credits of their pseudo-VCPUs.
//!
//! **Model.** A pseudo-VCPU is a second server of the thread of a virtual processor. An interrupt that is raised wakes that
//! thread for both, and takes a credit. What of it the guest has handled is not visible: a credit lasts until it is
//! used up or the thread sleeps, so it also pays for what else the guest does meanwhile, but never for more than a
//! credit for each interrupt. Requests beyond the credits are not kept from the guest: it handles them in the budget of its
//! virtual processor, or when a credit is back.
//!
//! **Assumption.** Instants of one interrupt are in order.
//!
//! Theory: docs/theory/credits-that-last.md.

use crate::machine::{Machine, Raised};
use crate::member::Member;
use crate::rule::WakeUps;
use vorrang_time::Instant;

/// An interrupt of a guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupt {
    /// What it wakes, by its place: a virtual processor, or the pseudo-VCPU of it.
    wakes: usize,
    /// How often it was raised.
    pub raised: u64,
    /// How often its pseudo-VCPU had no credit for it.
    pub held_back: u64,
}

impl Interrupt {
    pub(crate) fn of(wakes: usize) -> Self {
        Self { wakes, raised: 0, held_back: 0 }
    }
}

/// Those that were raised on a machine: threads have work, and credits are taken.
pub(crate) fn raise(
    interrupts: &mut [Interrupt],
    members: &mut [Member],
    now: Instant,
    machine: &mut impl Machine,
) {
    while let Some(Raised { interrupt, at }) = machine.raised() {
        let Interrupt { wakes, raised, held_back } = &mut interrupts[interrupt];
        *raised += 1;
        let thread = members[*wakes].thread;
        for member in members.iter_mut().filter(|member| member.thread == thread) {
            // Kinds that need not notice a wake-up at once do not know of it.
            if matches!(member.wake_ups, WakeUps::AtOnce | WakeUps::Interrupt) {
                member.has_work = true;
            }
        }
        let member = &mut members[*wakes];
        if member.wake_ups == WakeUps::Interrupt {
            *held_back += u64::from(!member.request(at.min(now)));
        }
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
