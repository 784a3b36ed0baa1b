//! What chains require, one by one.

use vorrang_model::System;
use vorrang_model::system::Chain;
use vorrang_time::Duration;

/// What is required of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asked {
    /// The longest reaction time.
    Reaction,
    /// The longest data age.
    Age,
}

impl Asked {
    /// Both, as they are told.
    pub const BOTH: [Self; 2] = [Self::Reaction, Self::Age];

    /// As its key is written.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reaction => "reaction",
            Self::Age => "age",
        }
    }

    /// What a chain states of it.
    pub const fn limit(self, chain: &Chain) -> Option<Duration> {
        match self {
            Self::Reaction => chain.reaction,
            Self::Age => chain.age,
        }
    }

    /// What is required of a chain by its name, as people are told it.
    pub fn name(self, chain: &Chain) -> String {
        format!("{} of {}", self.word(), chain.name)
    }

    /// The same limit, to be changed.
    pub(crate) const fn limit_mut(self, chain: &mut Chain) -> &mut Option<Duration> {
        match self {
            Self::Reaction => &mut chain.reaction,
            Self::Age => &mut chain.age,
        }
    }
}

/// All that is required of chains: by place, in the order of declaration, the reaction time first.
pub(crate) fn all(system: &System) -> impl Iterator<Item = (usize, Asked, Duration)> + '_ {
    system.chains.iter().enumerate().flat_map(|(place, chain)| {
        Asked::BOTH.into_iter().filter_map(move |of| Some((place, of, of.limit(chain)?)))
    })
}
