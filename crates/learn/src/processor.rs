//! One processor: which thread it runs, and which service routines interrupt that.

use crate::distances::Window;
use crate::tally::Tally;
use crate::thread::{Arrivals, Cause};
use std::collections::BTreeMap;
use vorrang_observe::schedule::seen::Service;

/// What a service routine is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// A device: its number.
    Device(u32),
    /// The processor itself: a name.
    Vector(Vec<u8>),
}

impl Source {
    fn is_of(&self, service: Service<'_>) -> bool {
        match (self, service) {
            (Self::Device(own), Service::Device(number)) => *own == number,
            (Self::Vector(own), Service::Vector(name)) => own == name,
            _ => false,
        }
    }
}

/// What is known of an interrupt on a processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Routine {
    /// The name of its device.
    pub name: Vec<u8>,
    /// Its requests.
    pub arrivals: Arrivals,
    /// Times of its service routine.
    pub executed: Tally,
    /// The threads that it woke, how often.
    pub wakes: BTreeMap<u32, u64>,
}

/// Routines that run inside each other, at most: more have lost their ends.
const DEEPEST: usize = 16;
/// Threads that a routine woke, as far as they are told apart.
const WOKEN: usize = 64;
/// Soft interrupts of timers: `TIMER` and `HRTIMER`.
const OF_TIMERS: [u32; 2] = [1, 8];

/// A processor, at an instant of the trace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Processor {
    /// Its last event.
    pub(crate) last: u64,
    /// The thread that runs, its priority, and since when.
    pub(crate) running: Option<(u32, i32, u64)>,
    /// Threads that wait for it.
    pub(crate) waiting: Vec<u32>,
    /// Those that run inside each other, by their places in `routines`, and since when.
    services: Vec<(usize, u64)>,
    soft: Vec<(u32, u64)>,
    /// In the order in which they were seen first: there are few, and each event names one.
    routines: Vec<(Source, Routine)>,
}

impl Processor {
    /// Whether a service routine interrupts the thread that runs.
    pub(crate) fn is_interrupted(&self) -> bool {
        !self.services.is_empty()
    }

    pub(crate) fn enters(&mut self, service: Service<'_>, name: &[u8], at: u64, resolution: u64) {
        if let Service::Soft(number) = service {
            if self.soft.len() < DEEPEST {
                self.soft.push((number, at));
            }
            return;
        }
        if self.services.len() == DEEPEST {
            self.services.clear();
        }
        let place = self.place(service);
        let (_, routine) = &mut self.routines[place];
        if routine.name != name {
            routine.name = name.to_vec();
        }
        routine.arrivals.add(Window { from: at, to: at + resolution });
        self.services.push((place, at));
    }

    /// Where the routine of a service stands, from now on.
    fn place(&mut self, service: Service<'_>) -> usize {
        let place = self.routines.iter().position(|(source, _)| source.is_of(service));
        place.unwrap_or_else(|| {
            let source = match service {
                Service::Device(number) | Service::Soft(number) => Source::Device(number),
                Service::Vector(name) => Source::Vector(name.to_vec()),
            };
            self.routines.push((source, Routine::default()));
            self.routines.len() - 1
        })
    }

    /// What is known of its routines, which begins anew.
    pub(crate) fn forget(&mut self) {
        self.services.clear();
        self.routines.clear();
    }

    /// What is known of its routines.
    pub(crate) fn into_routines(self) -> BTreeMap<Source, Routine> {
        self.routines.into_iter().collect()
    }

    pub(crate) fn leaves(&mut self, service: Service<'_>, at: u64, error: u64) {
        if let Service::Soft(number) = service {
            self.soft.pop_if(|(own, _)| *own == number);
            return;
        }
        let routines = &mut self.routines;
        if let Some((place, begin)) =
            self.services.pop_if(|(place, _)| routines[*place].0.is_of(service))
        {
            routines[place].1.executed.add(at.saturating_sub(begin) + error);
        }
    }

    /// What wakes a thread now, and since when.
    pub(crate) fn cause(&self, at: u64) -> (Cause, u64) {
        let service = self.services.last().map(|(place, begin)| (&self.routines[*place].0, begin));
        match (service, self.soft.last()) {
            (Some((Source::Device(number), begin)), _) => (Cause::Interrupt(*number), *begin),
            (Some((Source::Vector(name), begin)), _) if is_timer(name) => (Cause::Timer, *begin),
            (None, Some((number, begin))) if OF_TIMERS.contains(number) => (Cause::Timer, *begin),
            (Some((_, begin)), _) | (None, Some((_, begin))) => (Cause::Other, *begin),
            (None, None) => (Cause::Thread, at),
        }
    }

    /// A routine of a device wakes a thread.
    pub(crate) fn wakes(&mut self, thread: u32) {
        if let Some((place, _)) = self.services.last()
            && let (_, routine) = &mut self.routines[*place]
            && (routine.wakes.len() < WOKEN || routine.wakes.contains_key(&thread))
        {
            *routine.wakes.entry(thread).or_default() += 1;
        }
    }

    /// Nothing that began before goes on: routines end before threads change.
    pub(crate) fn switches(&mut self) {
        self.services.clear();
        self.soft.clear();
    }
}

/// Whether a routine of a processor is that of its timer, by the names of several architectures.
fn is_timer(name: &[u8]) -> bool {
    name.windows(5).any(|part| part == b"timer")
}
