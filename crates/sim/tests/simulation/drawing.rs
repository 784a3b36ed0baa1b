//! Schedules as texts: one character per millisecond.

use vorrang_model::system::{SupplyId, System};
use vorrang_sim::{Arrivals, History, Observer, Running, simulate};
use vorrang_time::Instant;

pub(crate) const CORE: SupplyId = SupplyId(0);
const MS: u64 = 1_000_000;

/// Draws what ran: tasks as `a`, `b`, … by number, interrupts as `0`, `1`, …, idling servers as
/// `~`, less urgent sections as `*`, guests' routines as `A`, …, the kernel as `^`, nothing as `.`.
#[derive(Default)]
pub(crate) struct Drawing(pub(crate) String);

impl Observer for Drawing {
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        let symbol = match what {
            Running::Idle => '.',
            Running::Task(id) => char::from(b'a' + u8::try_from(id.0).unwrap()),
            Running::Interrupt(id) => char::from(b'0' + u8::try_from(id.0).unwrap()),
            Running::Idling(_) => '~',
            Running::Blocking(_) => '*',
            Running::GuestRoutine(id) => char::from(b'A' + u8::try_from(id.0).unwrap()),
            Running::Kernel(_) => '^',
        };
        assert_eq!((from.as_ns() % MS, to.as_ns() % MS), (0, 0), "whole milliseconds");
        for _ in 0..(to - from).as_ns() / MS {
            self.0.push(symbol);
        }
    }
}

pub(crate) fn at(ms: u64) -> Instant {
    Instant::from_ns(ms * MS)
}

pub(crate) fn arrivals(first: &[u64]) -> Vec<Arrivals> {
    first.iter().map(|&ms| Arrivals::from(at(ms))).collect()
}

/// Draws the first `length` milliseconds of the history in which tasks arrive first as given.
pub(crate) fn draw(system: &System, first: &[u64], length: u64) -> String {
    let history = History { tasks: arrivals(first), ..History::quiet(system) };
    draw_history(system, &history, length)
}

pub(crate) fn draw_history(system: &System, history: &History, length: u64) -> String {
    draw_of(system, CORE, history, length)
}

/// The same of another core.
pub(crate) fn draw_of(system: &System, core: SupplyId, history: &History, length: u64) -> String {
    let mut drawing = Drawing::default();
    simulate(system, core, history, at(length), &mut drawing).unwrap();
    drawing.0
}
