//! Systems that are drafted line by line, and how near many histories of each come to its bounds.

use super::Longest;
use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Simulator};
use vorrang_time::{Duration, Instant};

/// A system under construction.
pub(crate) struct Draft<'r> {
    pub(crate) text: String,
    pub(crate) random: &'r mut Random,
    /// Of tasks and servers so far.
    pub(crate) number: u64,
}

impl Draft<'_> {
    pub(crate) fn add(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("a string takes it");
    }

    pub(crate) fn name(&mut self) -> u64 {
        self.number += 1;
        self.number
    }
}

/// How a system is attacked.
pub(crate) struct Attack {
    pub(crate) seed: u64,
    pub(crate) draw: fn(&mut Random) -> String,
    /// Everything begins within one of these.
    pub(crate) near: [u64; 4],
    pub(crate) histories: u32,
    pub(crate) end: Instant,
}

impl Attack {
    fn history(&self, system: &System, random: &mut Random) -> History {
        let mut history = History::quiet(system);
        history.seed = random.below(1 << 30);
        let near = random.one_of(&self.near);
        for arrivals in history.interrupts.iter_mut().chain(&mut history.tasks) {
            *arrivals = Arrivals::from(Instant::from_ns(random.below(near)));
        }
        for (supply, phase) in system.supplies.iter().zip(&mut history.phases) {
            let period = supply.server().map_or(1, |server| server.period.as_ns());
            *phase = Duration::from_ns(random.below(period));
        }
        history
    }

    /// The system of an index, and the longest response of each task that has a bound, with that; none may be above it.
    pub(crate) fn on(&self, index: u64) -> (System, Vec<(Duration, Duration)>) {
        let mut random = Random::new(self.seed, index);
        let text = (self.draw)(&mut random);
        let system =
            read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"));
        let known = bounds(&system);
        let mut longest = Longest::new(&system);
        let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
        for _ in 0..self.histories {
            let history = self.history(&system, &mut random);
            simulator.run(&history, self.end, &mut longest);
        }
        let mut found = Vec::new();
        for (id, &seen) in longest.0.iter().enumerate() {
            let Some(bound) = known.task(TaskId(id)).bound() else { continue };
            let name = &system.tasks[id].name;
            assert!(seen <= bound, "system {index}: {name} took {seen} of {bound}\n{text}");
            found.push((seen, bound));
        }
        (system, found)
    }
}

/// How many bounds there are, how many of them were reached, and the sum of how near, in thousandths.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Near {
    pub(crate) bounded: u64,
    pub(crate) reached: u64,
    pub(crate) thousandths: u64,
}

impl Near {
    pub(crate) fn add(&mut self, found: &[(Duration, Duration)]) {
        for (seen, bound) in found {
            self.bounded += 1;
            self.reached += u64::from(seen == bound);
            self.thousandths += seen.as_ns() * 1_000 / bound.as_ns();
        }
    }
}
