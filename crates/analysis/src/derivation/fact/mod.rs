//! What a step of a derivation says: its numbers, and what they are about.

mod interference;
mod probability;
mod response;
mod supply;

pub use interference::{Occurrences, OfInterference};
pub use probability::OfProbability;
pub use response::OfResponse;
pub use supply::OfSupply;

/// What one step says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Where the theorem was published, or is derived.
    Cited(&'static str),
    /// How long a supply takes for some work.
    Supply(OfSupply),
    /// What comes first.
    Interference(OfInterference),
    /// How long something takes to respond.
    Response(OfResponse),
    /// How often it takes longer.
    Probability(OfProbability),
}

impl From<OfSupply> for Fact {
    fn from(fact: OfSupply) -> Self {
        Self::Supply(fact)
    }
}

impl From<OfInterference> for Fact {
    fn from(fact: OfInterference) -> Self {
        Self::Interference(fact)
    }
}

impl From<OfResponse> for Fact {
    fn from(fact: OfResponse) -> Self {
        Self::Response(fact)
    }
}

impl From<OfProbability> for Fact {
    fn from(fact: OfProbability) -> Self {
        Self::Probability(fact)
    }
}
