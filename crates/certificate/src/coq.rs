//! A certificate as a term of `proofs/Certificate.v`.

use crate::{Certificate, Kind, Member, Point, Supply};

/// The term, without a name.
pub fn as_coq(certificate: &Certificate) -> String {
    let Certificate {
        on,
        urgent,
        blocked_by,
        cost,
        period,
        jitter,
        bound,
        length,
        length_below,
        points,
    } = certificate;
    let points = list(points, |Point { upto, window, below }| {
        format!("Point {upto} {window} {}", numbers(below))
    });
    format!(
        "Certificate ({}) {} {blocked_by} {cost} {period} {jitter} {bound} {length} {} {points}",
        supply(on),
        members(urgent),
        numbers(length_below),
    )
}

fn supply(of: &Supply) -> String {
    let Supply::Server(s) = of else { return "Core".to_owned() };
    let (kind, urgent, full) = (kind(s.kind), members(&s.urgent), numbers(&s.full));
    let parent = supply(&s.parent);
    format!("Server {kind} {} {} {} {urgent} {full} ({parent})", s.budget, s.period, s.blocking)
}

const fn kind(of: Kind) -> &'static str {
    match of {
        Kind::Periodic => "(Fixed Periodic)",
        Kind::Polling => "(Fixed Polling)",
        Kind::Deferrable => "(Fixed Deferrable)",
        Kind::Sporadic => "Sporadic",
    }
}

fn members(of: &[Member]) -> String {
    list(of, |member| match *member {
        Member::Jobs { cost, period, jitter } => format!("Jobs_of {cost} {period} {jitter}"),
        Member::Budgets { kind: of, budget, period } => {
            format!("Budgets_of {} {budget} {period}", kind(of))
        }
    })
}

fn numbers(of: &[u64]) -> String {
    list(of, u64::to_string)
}

fn list<T>(of: &[T], item: impl Fn(&T) -> String) -> String {
    format!("[{}]", of.iter().map(item).collect::<Vec<_>>().join("; "))
}
