//! What a step of a derivation says: its numbers, and what they are about.

mod interference;
mod probability;
mod response;
mod supply;

pub use interference::{Occurrences, OfInterference};
pub use probability::OfProbability;
pub use response::{OfLoneTask, OfPackets, OfResponse};
pub use supply::{OfIdleStart, OfRule, OfSupply};

/// What one step says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Where the theorem was published, or is derived.
    Cited(&'static str),
    /// How long a supply takes for some work.
    Supply(OfSupply),
    /// How long one takes that a rule describes.
    Rule(OfRule),
    /// How long a server takes that keeps its budget, from an idle guest on.
    IdleStart(OfIdleStart),
    /// What comes first.
    Interference(OfInterference),
    /// How long something takes to respond.
    Response(OfResponse),
    /// How packets are polled and read.
    Packets(OfPackets),
    /// When the only task of a constant-bandwidth server completes.
    LoneTask(OfLoneTask),
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

impl From<OfRule> for Fact {
    fn from(fact: OfRule) -> Self {
        Self::Rule(fact)
    }
}

impl From<OfIdleStart> for Fact {
    fn from(fact: OfIdleStart) -> Self {
        Self::IdleStart(fact)
    }
}

impl From<OfPackets> for Fact {
    fn from(fact: OfPackets) -> Self {
        Self::Packets(fact)
    }
}

impl From<OfLoneTask> for Fact {
    fn from(fact: OfLoneTask) -> Self {
        Self::LoneTask(fact)
    }
}
