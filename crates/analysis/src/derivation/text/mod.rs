//! Facts in words and numbers.

mod interference;
mod names;
mod probability;
mod response;
mod supply;

pub(super) use names::Names;

use super::Fact;

/// One line.
pub(super) fn of(fact: &Fact, names: &Names<'_>) -> String {
    match fact {
        Fact::Cited(publication) => format!("[{publication}]"),
        Fact::Supply(fact) => supply::text(fact, names),
        Fact::Rule(fact) => supply::of_a_rule(fact, names),
        Fact::IdleStart(fact) => supply::from_an_idle_guest(fact, names),
        Fact::Interference(fact) => interference::text(fact, names),
        Fact::Response(fact) => response::text(fact, names),
        Fact::Packets(fact) => response::of_packets(fact, names),
        Fact::LoneTask(fact) => response::alone(fact, names),
        Fact::Probability(fact) => probability::text(fact, names),
    }
}
