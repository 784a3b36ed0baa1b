//! Which of two designs is better.

/// What is best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Objective {
    /// What servers take, each core by its weight, is least; of equals, what they take of all cores.
    Least(Weights),
    /// All execution times of tasks may grow by the largest factor; of equals, what servers take of all cores
    /// is least.
    Margin,
}

/// How much a share of each core counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Of every core.
    all: u64,
    /// Of some, by name, besides.
    cores: Vec<(String, u64)>,
}

/// The largest weight: with it the costs of a thousand cores stay within what they are counted in.
pub const MOST_WEIGHT: u64 = 1_000;

impl Weights {
    /// Each core counts once.
    pub const PRICE: Self = Self { all: 1, cores: Vec::new() };

    /// What every core counts, and what some count besides, by full name; `None`: nothing counts, or
    /// something counts more than [`MOST_WEIGHT`].
    pub fn new(all: u64, cores: Vec<(String, u64)>) -> Option<Self> {
        let weights = Self { all, cores };
        let sum = weights.cores.iter().try_fold(all, |sum, (_, own)| sum.checked_add(*own))?;
        (1..=MOST_WEIGHT).contains(&sum).then_some(weights)
    }

    /// The cores that are named.
    pub fn named(&self) -> impl Iterator<Item = &str> {
        self.cores.iter().map(|(name, _)| &**name)
    }

    /// What a core counts.
    pub(crate) fn of(&self, core: &str) -> u64 {
        let own = self.cores.iter().filter(|(name, _)| name == core);
        self.all + own.map(|(_, weight)| weight).sum::<u64>()
    }
}
