//! A check: a claim and an observation.

use crate::evidence::Evidence;
use std::fmt;
use vorrang_guest::Record;

/// A check.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Check {
    /// The claim, as a sentence without a full stop.
    pub what: String,
    /// The observation.
    pub seen: String,
    /// Whether it holds.
    pub holds: bool,
}

impl Check {
    /// Something that holds or does not.
    pub fn new(what: impl Into<String>, seen: impl Into<String>, holds: bool) -> Self {
        Self { what: what.into(), seen: seen.into(), holds }
    }

    /// There is none of these.
    pub fn none(what: impl Into<String>, seen: &[String]) -> Self {
        let said = if seen.is_empty() { "nothing".to_owned() } else { seen.join("; ") };
        Self::new(what, said, seen.is_empty())
    }

    /// The guest could execute its whole plan.
    pub fn nothing_refused(evidence: &Evidence) -> Self {
        Self::none("what the guest could not do", &evidence.refusals())
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, seen, holds } = self;
        write!(f, "{} {what}: {seen}", if *holds { "ok " } else { "NOT" })
    }
}

/// Nothing differs wherever the machine was compared with what it was.
pub(crate) fn differences(evidence: &Evidence) -> Vec<Check> {
    let told = evidence.records.iter().filter_map(|record| match record {
        Record::Differences { lines } => Some(Check::none("what differs on the machine", lines)),
        _ => None,
    });
    told.collect()
}

/// Every program ended with 0.
pub(crate) fn succeeded(evidence: &Evidence) -> Vec<Check> {
    let ran = evidence.records.iter().filter_map(|record| {
        let Record::Ran { command, exit, output, errors } = record else { return None };
        let seen = format!("exit code {exit}\n{output}{errors}");
        Some(Check::new(command.join(" "), seen, *exit == 0))
    });
    ran.collect()
}

/// Whatever a kernel says when something is wrong with it.
pub(crate) fn no_warning(evidence: &Evidence) -> Check {
    const WORDS: [&str; 9] = [
        "WARNING",
        "BUG",
        "cut here",
        "Call Trace",
        "stall",
        "lockup",
        "Oops",
        "hung task",
        "timer_shield: ",
    ];
    // Told of every module that is not Debian's own.
    const USUAL: [&str; 2] =
        ["loading out-of-tree module taints kernel", "module verification failed"];
    let is_bad = |line: &&str| {
        WORDS.iter().any(|word| line.contains(word))
            && !USUAL.iter().any(|usual| line.contains(usual))
    };
    let bad: Vec<&str> = evidence.console.lines().filter(is_bad).collect();
    let seen = bad.first().map_or_else(|| "none".to_owned(), |line| (*line).to_owned());
    Check::new("warnings in the kernel's log", seen, bad.is_empty())
}
