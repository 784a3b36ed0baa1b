//! What a decision of `vorrang-host` takes on this machine, while it runs a description.
//!
//! **Model.** The dispatcher of each processor counts its decisions, their processor time and the longest of them, with the
//! switches before and after (`crates/host/src/control.rs`). These are read again and again: the means of the times between two
//! readings have a spread, and the longest is a number by itself.
//!
//! **Assumption.** The description that is run, and what its threads do meanwhile, are those of later.

use crate::machine::conditions::Condition;
use crate::statistics::Sorted;

/// A reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The processor.
    pub cpu: u32,
    /// Decisions since the reading before it.
    pub decisions: u64,
    /// What each of them took in the middle, in nanoseconds.
    pub each_ns: u64,
    /// The longest since the description is run.
    pub longest_ns: u64,
}

/// The decisions of a processor.
#[derive(Clone, Debug, PartialEq)]
pub struct Decisions {
    /// The processor.
    pub cpu: u32,
    /// How many.
    pub count: u64,
    /// The means of readings, in nanoseconds.
    pub each: Sorted,
    /// The longest, in nanoseconds.
    pub longest_ns: u64,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Of each processor with decisions.
    pub processors: Vec<Decisions>,
    /// The conditions.
    pub conditions: Vec<Condition>,
}

impl Measured {
    /// From readings in any order.
    pub fn of(readings: &[Reading], conditions: Vec<Condition>) -> Self {
        let mut cpus: Vec<u32> = readings.iter().map(|reading| reading.cpu).collect();
        cpus.sort_unstable();
        cpus.dedup();
        let decisions = |cpu: u32| {
            let of_it = || readings.iter().filter(move |one| one.cpu == cpu && one.decisions > 0);
            #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
            let each = Sorted::of(of_it().map(|one| one.each_ns as f64))?;
            let count = of_it().map(|one| one.decisions).sum();
            let longest_ns = of_it().map(|one| one.longest_ns).max()?;
            Some(Decisions { cpu, count, each, longest_ns })
        };
        Self { processors: cpus.into_iter().filter_map(decisions).collect(), conditions }
    }

    /// The longest decision of all processors.
    pub fn longest_ns(&self) -> Option<u64> {
        self.processors.iter().map(|one| one.longest_ns).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_put_together_by_processor() {
        let reading =
            |cpu, decisions, each_ns, longest_ns| Reading { cpu, decisions, each_ns, longest_ns };
        let readings = [
            reading(1, 10, 20, 30),
            reading(0, 5, 7, 9),
            reading(1, 30, 22, 41),
            reading(2, 0, 0, 0),
        ];
        let measured = Measured::of(&readings, Vec::new());
        let seen: Vec<(u32, u64, f64, u64)> = measured
            .processors
            .iter()
            .map(|one| (one.cpu, one.count, one.each.quantile(1.0), one.longest_ns))
            .collect();
        assert_eq!(seen, [(0, 5, 7.0, 9), (1, 40, 22.0, 41)]);
        assert_eq!(measured.longest_ns(), Some(41));
        assert_eq!(Measured::of(&[], Vec::new()).longest_ns(), None);
    }
}
