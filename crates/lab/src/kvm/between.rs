//! Responses of a task in the kernel, between those of its work alone and those of what is described.
//!
//! **Model.** On one processor each response is compared. Of several processors the emulator runs one at a time: when the
//! kernel has work of its own on one, the others stand still, and the responses there are the longer. So there all responses
//! of a task are compared together.

use crate::check::Check;

/// Releases and responses.
pub(super) type Jobs = [(u64, u64)];

/// The responses of a task.
pub(super) struct Between<'a> {
    pub(super) name: &'a str,
    /// What the clocks may differ by.
    pub(super) uncertain: u64,
    pub(super) kernel: &'a Jobs,
    /// Those of the simulator with the work alone, and as described.
    pub(super) alone: &'a Jobs,
    pub(super) described: &'a Jobs,
    /// The bound of each.
    pub(super) bound: u64,
}

impl Between<'_> {
    /// Each response beside those of the simulator, and the longest beside the bound.
    pub(super) fn each(&self) -> Check {
        let Self { uncertain, kernel, alone, described, bound, .. } = *self;
        let (above, below) = self.outside();
        let longest = |of: &Jobs| of.iter().map(|job| job.1).max().unwrap_or_default();
        let [seen, alone, most] = [kernel, alone, described].map(longest);
        let holds =
            self.all() && above == 0 && below == 0 && bound >= most && bound + uncertain >= seen;
        let said = format!(
            "{bound} >= {most} >= {seen} ns, the work alone {alone}; of {} jobs {above} above, {below} below",
            kernel.len()
        );
        Check::new(format!("{}: bound >= simulation >= kernel", self.name), said, holds)
    }

    /// All together; told besides is of how many jobs this does not hold.
    pub(super) fn together(&self) -> Check {
        let Self { uncertain, kernel, alone, described, bound, .. } = *self;
        let (above, below) = self.outside();
        let jobs = kernel.len() as u64;
        let sum = |of: &Jobs| of.iter().map(|job| job.1).sum::<u64>();
        let [seen, alone, most] = [kernel, alone, described].map(sum);
        let may_differ = uncertain * jobs;
        let holds = self.all()
            && bound * jobs >= most
            && most + may_differ >= seen
            && seen + may_differ >= alone;
        let said = format!(
            "{} >= {most} >= {seen} >= {alone} ns; of {jobs} jobs {above} above, {below} below",
            bound * jobs
        );
        let what = format!("{}: bounds >= simulation >= kernel >= work, in sums", self.name);
        Check::new(what, said, holds)
    }

    /// No job is missing.
    fn all(&self) -> bool {
        let jobs = self.kernel.len();
        jobs > 0 && jobs == self.alone.len() && jobs == self.described.len()
    }

    /// How many are above what is described, and below the work alone.
    fn outside(&self) -> (usize, usize) {
        let rows = || self.kernel.iter().zip(self.alone).zip(self.described);
        let above = rows().filter(|((seen, _), most)| seen.1 > most.1 + self.uncertain).count();
        let below = rows().filter(|((seen, least), _)| seen.1 + self.uncertain < least.1).count();
        (above, below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(kernel: &Jobs, bound: u64) -> Between<'_> {
        let (alone, described) = (&[(0, 5), (9, 5)], &[(0, 8), (9, 8)]);
        Between { name: "a", uncertain: 1, kernel, alone, described, bound }
    }

    #[test]
    fn a_response_above_the_described_or_below_the_work_does_not_hold() {
        let holds = |kernel: &Jobs, bound| between(kernel, bound).each().holds;
        assert!(holds(&[(0, 4), (9, 9)], 9));
        assert!(!holds(&[(0, 3), (9, 9)], 9), "below the work alone");
        assert!(!holds(&[(0, 4), (9, 10)], 10), "above what is described");
        assert!(!holds(&[(0, 4), (9, 8)], 7), "above the bound");
        assert!(!holds(&[(0, 4)], 9), "a job is missing");
    }

    #[test]
    fn together_one_may_be_above_what_is_described_if_all_are_not() {
        let holds = |kernel: &Jobs, bound| between(kernel, bound).together().holds;
        assert!(holds(&[(0, 6), (9, 12)], 9), "18 of 16, and 1 for each clock");
        assert!(!holds(&[(0, 6), (9, 13)], 9), "above what is described");
        assert!(holds(&[(0, 4), (9, 4)], 8));
        assert!(!holds(&[(0, 3), (9, 4)], 8), "below the work alone");
        assert!(!holds(&[(0, 6), (9, 6)], 7), "above the bounds");
        assert!(!holds(&[(0, 6)], 9), "a job is missing");
    }
}
