//! Why a thread woke late: the activity of its processor between the requested time and the time it ran, from
//! the kernel's events.
//!
//! ```text
//!   due        timer interrupt      wake-up      switch           ran
//!   │── asleep ──│█ interrupt █████████│── other ──│── itself ──────│
//!   │ or masked  │                      │ thread    │               │
//! ```
//!
//! **Assumptions.** 1. The trace has the clock of the thread. 2. Events say when an interrupt or a
//! softirq begins and ends and which thread is switched to; a thread in between ran all the time.
//! 3. A thread of less priority that is *switched to* while this one is ready means that real-time
//! threads are throttled: nothing else gives it precedence.
//!
//! **Does not cover** why interrupts were masked; and a hypervisor that preempts the processor appears as the
//! thread that ran there.

use super::record::{Record, value};
use std::fmt;

/// The activity of the processor instead of the thread.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Culprit {
    /// This interrupt was handled.
    Interrupt(String),
    /// This softirq was handled.
    SoftInterrupt(String),
    /// This thread ran although another one was ready to.
    Thread(String),
    /// This thread ran, which is at least as urgent.
    Urgent(String),
    /// This thread ran, and the interrupt of the timer did not come.
    Masked(String),
    /// It was idle, and the interrupt of the timer did not come, or waking took that long.
    Asleep,
    /// This thread ran because real-time threads had used up their share.
    Throttled(String),
    /// The thread itself ran already, on its way to reading the clock.
    Itself,
}

impl fmt::Display for Culprit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupt(name) => write!(f, "the interrupt {name}"),
            Self::SoftInterrupt(name) => write!(f, "the softirq {name}"),
            Self::Thread(name) => write!(f, "the thread {name}, which was not preempted"),
            Self::Urgent(name) => write!(f, "the thread {name}, which is at least as urgent"),
            Self::Masked(name) => write!(
                f,
                "the timer's interrupt, which did not come while the thread {name} ran (interrupts \
                 masked, or the processor with firmware or a hypervisor)"
            ),
            Self::Asleep => f.write_str(
                "the idle processor, which woke slowly (a deep idle state, or a hypervisor)",
            ),
            Self::Throttled(name) => {
                write!(f, "real-time throttling, during which the thread {name} ran")
            }
            Self::Itself => f.write_str("the thread itself, from the switch to reading the clock"),
        }
    }
}

/// A part of the delay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The cause.
    pub culprit: Culprit,
    /// The total time.
    pub ns: u64,
}

/// A wake-up that was late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Late {
    /// The thread, by its number.
    pub id: i32,
    /// On this processor.
    pub cpu: usize,
    /// When it should have run.
    pub due_ns: u64,
    /// When it ran.
    pub ran_ns: u64,
}

/// The causes of the delay, the longest first; empty if the trace does not reach back that far.
pub fn parts(trace: &str, late: Late) -> Vec<Part> {
    let mut watch = Watch::new(late);
    for record in trace.lines().filter_map(Record::of).filter(|of| of.cpu == late.cpu) {
        if record.at_ns > late.ran_ns {
            break;
        }
        watch.see(&record);
    }
    if watch.is_blind {
        return Vec::new();
    }
    watch.charge_until(late.ran_ns);
    ranked(watch.parts)
}

/// Parts with the same cause together, the longest first.
pub(super) fn ranked(mut parts: Vec<Part>) -> Vec<Part> {
    parts.sort_by(|a, b| a.culprit.cmp(&b.culprit));
    parts.dedup_by(|next, first| {
        let same = next.culprit == first.culprit;
        if same {
            first.ns += next.ns;
        }
        same
    });
    parts.retain(|part| part.ns > 0);
    parts.sort_by_key(|part| std::cmp::Reverse(part.ns));
    parts
}

/// The processor as the records show it, one after the other.
struct Watch {
    late: Late,
    /// Nothing was seen of the time before.
    is_blind: bool,
    at_ns: u64,
    thread: String,
    id: i32,
    /// Interrupts and softirqs that have begun and not ended.
    inside: Vec<Culprit>,
    /// The late thread could run.
    is_ready: bool,
    is_throttled: bool,
    /// The kernel's numbers of priorities, once a record said them: less is more urgent.
    own_priority: Option<i32>,
    running_priority: Option<i32>,
    parts: Vec<Part>,
}

impl Watch {
    fn new(late: Late) -> Self {
        Self {
            late,
            is_blind: true,
            at_ns: 0,
            thread: String::new(),
            id: -1,
            inside: Vec::new(),
            is_ready: false,
            is_throttled: false,
            own_priority: None,
            running_priority: None,
            parts: Vec::new(),
        }
    }

    fn see(&mut self, record: &Record<'_>) {
        if record.at_ns <= self.late.due_ns {
            self.is_blind = false;
        } else {
            self.charge_until(record.at_ns);
        }
        self.at_ns = record.at_ns;
        record.thread.clone_into(&mut self.thread);
        self.id = record.id;
        let Some((event, text)) = record.text.split_once(':') else { return };
        match event {
            "sched_switch" => self.switch(text),
            "sched_waking" | "sched_wakeup" => self.wake(text),
            _ => self.interrupt(event, text),
        }
    }

    /// The time since the last record can be attributed now.
    fn charge_until(&mut self, ns: u64) {
        let ns = ns.saturating_sub(self.at_ns.max(self.late.due_ns));
        let culprit = self.culprit();
        self.parts.push(Part { culprit, ns });
    }

    fn culprit(&self) -> Culprit {
        let thread = || self.thread.clone();
        match self.inside.last() {
            Some(interrupt) => interrupt.clone(),
            None if self.id == self.late.id => Culprit::Itself,
            None if self.is_throttled => Culprit::Throttled(thread()),
            None if self.id == 0 => Culprit::Asleep,
            None if self.is_ready && self.is_less_urgent() == Some(false) => {
                Culprit::Urgent(thread())
            }
            None if self.is_ready => Culprit::Thread(thread()),
            None => Culprit::Masked(thread()),
        }
    }

    /// Compares the running thread with the late one; `None` of an unknown priority.
    fn is_less_urgent(&self) -> Option<bool> {
        Some(self.running_priority? > self.own_priority?)
    }

    fn switch(&mut self, text: &str) {
        let number = |key: &str| value(text, key, None).and_then(|word| word.parse::<i32>().ok());
        if number("prev_pid=") == Some(self.late.id) {
            // Asleep by its own will, or ready to go on.
            self.is_ready = value(text, "prev_state=", None).is_some_and(|of| of.starts_with('R'));
            self.own_priority = number("prev_prio=");
        }
        let Some(id) = number("next_pid=") else { return };
        self.id = id;
        let name = value(text, "next_comm=", Some(" next_pid=")).unwrap_or("?");
        name.clone_into(&mut self.thread);
        self.running_priority = number("next_prio=");
        // A thread that ran before it was ready may not have been preempted yet; a thread that is switched to
        // now was chosen.
        let is_other = id != self.late.id && id != 0;
        self.is_throttled = self.is_ready && is_other && self.is_less_urgent() == Some(true);
    }

    fn wake(&mut self, text: &str) {
        let number = |key: &str| value(text, key, None).and_then(|word| word.parse::<i32>().ok());
        // `pid=` is also the end of `prev_pid=`, which these events do not have.
        if number("pid=") == Some(self.late.id) {
            self.is_ready = true;
            self.own_priority = number("prio=");
        }
    }

    fn interrupt(&mut self, event: &str, text: &str) {
        let name = |text: &str| text.trim().to_owned();
        match event {
            "irq_handler_entry" => {
                let named = value(text, "name=", None).map_or_else(|| name(text), name);
                self.inside.push(Culprit::Interrupt(named));
            }
            "softirq_entry" => {
                let named = value(text, "action=", Some("]")).map_or_else(|| name(text), name);
                self.inside.push(Culprit::SoftInterrupt(named));
            }
            // Their entries and exits nest by themselves, and are no interrupts.
            _ if event.starts_with("hrtimer") || event.starts_with("timer") => {}
            _ => match event.strip_suffix("_entry") {
                Some(vector) => self.inside.push(Culprit::Interrupt(vector.to_owned())),
                None if event.ends_with("_exit") => drop(self.inside.pop()),
                None => {}
            },
        }
    }
}

#[cfg(test)]
mod tests;
