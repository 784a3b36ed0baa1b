//! What decisions ask of the processor, and what they do to it.

use super::look::Look;
use super::watched::Watched;
use super::{Linux, clock, urgency, watchers};
use crate::machine::{Attention, Heard, Machine, Raised, Woken};
use std::sync::atomic::Ordering::SeqCst;
use vorrang_time::{Duration, Instant};

/// The longest sleep: it shows the guard that the dispatcher is alive.
const LONGEST_SLEEP: u64 = 1_000_000_000;

impl Machine for Linux {
    fn now(&mut self) -> Instant {
        // The beginning of a decision: they may have run before.
        self.threads.iter_mut().for_each(|thread| thread.is_sampled = false);
        Instant::from_ns(clock::now().saturating_sub(self.origin))
    }

    fn decided(&mut self) -> Instant {
        Instant::from_ns(clock::now().saturating_sub(self.origin))
    }

    fn raised(&mut self) -> Option<Raised> {
        let (interrupt, at) = self.read.take().or_else(|| self.interrupts.next())?;
        let at = Instant::from_ns(at.saturating_sub(self.origin));
        Some(Raised { interrupt, at, unheard: self.interrupts.take_lost(interrupt) })
    }

    fn received(&mut self, thread: usize) -> Duration {
        let thread = &mut self.threads[thread];
        // It does not run while the dispatcher does.
        if !thread.is_sampled {
            // One that has ended receives nothing any more.
            thread.received = thread.look.received().unwrap_or(thread.received);
            thread.is_sampled = true;
        }
        thread.received
    }

    fn wants(&mut self, thread: usize) -> bool {
        let look = &self.threads[thread].look;
        let wants = look.wants();
        if wants || self.interrupts.are_heard() {
            return wants;
        }
        // What is raised later is told, what was raised before has woken it.
        self.interrupts.hear(Heard::ALL);
        look.wants()
    }

    fn precedes(&mut self, level: usize) -> bool {
        self.tasks[..self.levels.tasks_above(level)].iter().any(Look::wants)
    }

    fn tasks_rest(&mut self) -> bool {
        !self.tasks.iter().any(Look::wants)
    }

    fn lend(&mut self, thread: usize, level: usize) {
        let _it_has_ended = urgency::raise(self.threads[thread].lender, self.levels.lent(level));
        self.lent = Some((thread, level));
    }

    fn lend_first(&mut self, thread: usize, level: usize) {
        let _it_has_ended = urgency::raise(self.threads[thread].lender, self.levels.first(level));
        self.first = Some((thread, level));
    }

    fn take_back(&mut self, thread: usize) {
        let _it_has_ended = self.threads[thread].park();
        let of = if self.first.is_some() { &mut self.first } else { &mut self.lent };
        debug_assert!(of.is_some_and(|(own, _)| own == thread), "what is first ends first");
        *of = None;
    }

    fn sleep(&mut self, until: Instant, at_most: Duration, attention: Attention) -> Woken {
        let Attention { watch, heard, preceded } = attention;
        self.interrupts.hear(heard);
        let shared = self.shared();
        let until = self.origin.saturating_add(until.as_ns());
        self.notice.forget();
        // The one that is lent to first, or only.
        let first = self.first.map(|(_, level)| watchers::of_loan(level, true));
        let last = first.or_else(|| self.lent.map(|(_, level)| watchers::of_loan(level, false)));
        let (last, tasks) = (last.filter(|_| watch), preceded.map(watchers::of_tasks));
        let own = last.map(|last| &shared.watched[last]);
        for (place, watched) in shared.watched.iter().enumerate() {
            if Some(place) == last || Some(place) == tasks { watched.arm() } else { watched.rest() }
        }
        // The lent thread has not had the processor since the decision: its time begins now.
        let mut now = clock::now();
        let until = until.min(now.saturating_add(at_most.as_ns().min(LONGEST_SLEEP)));
        shared.deadline.store(until, SeqCst);
        while shared.stop.load(SeqCst) == 0
            && !self.notice.is_given()
            && !self.interrupts.is_written()
            && self.notice.wait(self.interrupts.files(), now, until)
        {
            now = clock::now();
        }
        if own.is_some_and(Watched::is_told) { Woken::ThreadLeft } else { Woken::InTime }
    }
}
