//! Which of the times that a thread missed were ticks.
//!
//! **Model.** A thread that nothing may preempt reads the clock repeatedly. A long time between two readings
//! is a *gap*. Ticks come at multiples of a period, with a phase that is unknown; so their gaps begin in one
//! short window of the period, and most periods have one.
//!
//! ```text
//!   |····#·········|····#··#······|·····#········|       # a gap, | multiples of the period
//!        └─ window: the one with the most gaps
//! ```
//!
//! **Assumptions.** 1. The kernel's tick does not stop while a thread runs: with `nohz_full` it does, and then
//! nothing is found. 2. Another interruption in the window counts as a tick, which errs on the safe side.
//!
//! **Cost.** O(gaps · log gaps).

/// A time that a thread missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The last reading before it.
    pub from_ns: u64,
    /// The first one after it.
    pub to_ns: u64,
}

impl Gap {
    /// How long it was.
    pub fn ns(&self) -> u64 {
        self.to_ns - self.from_ns
    }
}

/// When ticks come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// From one to the next.
    pub period_ns: u64,
    /// Of the earliest one, counted from a multiple of the period.
    pub phase_ns: u64,
    /// By how much others were later.
    pub jitter_ns: u64,
}

/// Windows that are tried, the shortest first: in the last one an interrupt is masked for as long as none is on a
/// kernel for real time. If one is, it counts among the others.
const WINDOWS_NS: [u64; 6] = [2_000, 5_000, 10_000, 20_000, 50_000, 100_000];

impl Grid {
    /// From gaps that were seen while a thread ran for so long: the shortest window with nine tenths of the ticks,
    /// or the longest. `None` where fewer than half of the periods have one.
    pub fn of(gaps: &[Gap], ran_ns: u64, period_ns: u64) -> Option<Self> {
        let mut phases: Vec<u64> = gaps.iter().map(|gap| gap.from_ns % period_ns).collect();
        phases.sort_unstable();
        // A window may go on in the next period.
        let again: Vec<u64> = phases.iter().map(|phase| phase + period_ns).collect();
        let both = [phases.as_slice(), &again].concat();
        let fullest = |window: u64| {
            let within = |at: usize| both.partition_point(|phase| *phase <= both[at] + window) - at;
            (0..phases.len()).rev().map(|at| (within(at), at)).max()
        };
        let ticks = ran_ns / period_ns;
        let all: Vec<(usize, usize)> = WINDOWS_NS.into_iter().filter_map(fullest).collect();
        let (count, at) = all
            .iter()
            .find(|(count, _)| *count as u64 * 10 >= ticks * 9)
            .or(all.last())
            .copied()?;
        let (first, last) = (both[at], both[at + count - 1]);
        let found = count as u64 * 2 > ticks;
        found.then_some(Self { period_ns, phase_ns: first % period_ns, jitter_ns: last - first })
    }

    /// Whether a tick belongs into a gap.
    pub fn is_in(&self, gap: &Gap) -> bool {
        let after =
            (gap.from_ns + self.period_ns - self.phase_ns % self.period_ns) % self.period_ns;
        after <= self.jitter_ns || after + gap.ns() >= self.period_ns
    }

    /// The first time from this one on that is as far as can be from ticks.
    pub fn between(&self, from_ns: u64) -> u64 {
        let aim = self.phase_ns + self.period_ns / 2;
        let after = (from_ns + self.period_ns - aim % self.period_ns) % self.period_ns;
        from_ns + (self.period_ns - after) % self.period_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: u64 = 4_000_000;

    fn gap(from_ns: u64, ns: u64) -> Gap {
        Gap { from_ns, to_ns: from_ns + ns }
    }

    /// A hundred ticks with a phase, by turns on time and a little late, and others at any time.
    fn made(phase: u64) -> Vec<Gap> {
        let tick = |number: u64| gap(phase + number * PERIOD + number % 3 * 700, 2_500);
        let other = |number: u64| gap(phase + number * 5_234_567 + 1_000_000, 9_000);
        let mut gaps: Vec<Gap> = (1..=100).map(tick).chain((1..=40).map(other)).collect();
        gaps.sort_by_key(|gap| gap.from_ns);
        gaps
    }

    #[test]
    fn ticks_are_told_from_what_else_interrupts() {
        for phase in [0, 1_234_567, PERIOD - 300] {
            let gaps = made(phase);
            let grid = Grid::of(&gaps, 100 * PERIOD, PERIOD).expect("there are ticks");
            assert!(
                grid.phase_ns == phase && (1_400..=2_000).contains(&grid.jitter_ns),
                "{grid:?}"
            );
            let ticks = gaps.iter().filter(|gap| grid.is_in(gap));
            let (all, long) = ticks
                .fold((0, 0), |(all, long), gap| (all + 1, long + u32::from(gap.ns() > 2_500)));
            assert!((100..104).contains(&all) && long < 4, "{all} {long}");
        }
    }

    #[test]
    fn without_a_tick_there_is_no_grid() {
        let others: Vec<Gap> = made(7).into_iter().filter(|gap| gap.ns() > 2_500).collect();
        assert_eq!(Grid::of(&others, 100 * PERIOD, PERIOD), None);
        assert_eq!(Grid::of(&[], 100 * PERIOD, PERIOD), None);
        // Of ticks in a quarter of the time, neither.
        let quarter: Vec<Gap> =
            made(7).into_iter().filter(|gap| gap.from_ns < 25 * PERIOD).collect();
        assert_eq!(Grid::of(&quarter, 100 * PERIOD, PERIOD), None);
    }

    #[test]
    fn a_gap_that_goes_on_until_a_tick_has_it() {
        let grid = Grid { period_ns: PERIOD, phase_ns: 1_000, jitter_ns: 10 };
        let seen = [(PERIOD + 1_005, 5), (PERIOD + 2_000, 5), (500, 600), (500, 400)];
        let has: Vec<bool> = seen.iter().map(|&(from, ns)| grid.is_in(&gap(from, ns))).collect();
        assert_eq!(has, [true, false, true, false]);
    }

    #[test]
    fn between_ticks_is_half_a_period_away() {
        for phase in [0, 1_000, PERIOD - 1] {
            let grid = Grid { period_ns: PERIOD, phase_ns: phase, jitter_ns: 0 };
            for from in [0, 999, 2_001_000, 3 * PERIOD] {
                let at = grid.between(from);
                assert!(at >= from && at - from < PERIOD, "{from} {at}");
                assert_eq!(at % PERIOD, (phase + PERIOD / 2) % PERIOD);
            }
        }
    }
}
