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
        Fact::Interference(fact) => interference::text(fact, names),
        Fact::Response(fact) => response::text(fact, names),
        Fact::Probability(fact) => probability::text(fact, names),
    }
}
