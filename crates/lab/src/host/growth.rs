//! What the dispatcher of `vorrang-host` takes of its processor, by the number of servers.

use super::dispatcher::{MS, decisions};
use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_guest::Record;

const KINDS: [&str; 2] = ["periodic", "deferrable"];
const SERVERS: [u64; 5] = [1, 2, 5, 10, 20];
const LENGTH_MS: u64 = 1000;
/// Of a decision, in nanoseconds; beyond that something is wrong.
const MOST_EACH: u64 = 200_000;

fn cases() -> impl Iterator<Item = (&'static str, u64)> {
    KINDS.into_iter().flat_map(|kind| SERVERS.map(|count| (kind, count)))
}

/// The decisions with each number of servers.
pub(crate) fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut ran = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { exit, output, errors, .. } => Some((*exit, output, errors)),
        _ => None,
    });
    let check = |(kind, count)| {
        let what = format!("{count} {kind} servers: the dispatcher");
        let Some((exit, output, errors)) = ran.next() else {
            return Check::new(what, "it did not run", false);
        };
        let Some((steps, each)) = decisions(output) else {
            return Check::new(what, format!("exit code {exit}: {errors}"), false);
        };
        let thousandths = steps * each / (LENGTH_MS * MS / 100_000);
        let seen = format!(
            "{steps} decisions in a second, {each} ns each, {}.{:03} % of the processor",
            thousandths / 1000,
            thousandths % 1000
        );
        // At least the end of each budget is one.
        let holds = exit == 0 && steps >= count * LENGTH_MS / 10 && each <= MOST_EACH;
        Check::new(what, seen, holds)
    };
    cases().map(check).collect()
}
