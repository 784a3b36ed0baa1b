//! What `vorrang-host` says of a run.

pub(super) const MS: u64 = 1_000_000;

/// The report of the dispatcher.
pub(super) fn last_line(output: &str) -> String {
    let line = output.lines().find(|line| line.contains(" decisions, "));
    line.unwrap_or_default().to_owned()
}

/// How many decisions there were, and what each took.
pub(super) fn decisions(output: &str) -> Option<(u64, u64)> {
    let line = output.lines().find(|line| line.contains(" decisions, "))?;
    let (count, rest) = line.split_once(" decisions, ")?;
    Some((count.parse().ok()?, rest.split_once(" ns each")?.0.parse().ok()?))
}

/// When the schedule began.
pub(super) fn origin(output: &str) -> Option<u64> {
    let line = output.lines().find_map(|line| line.strip_prefix("from "))?;
    line.split_once(" ns")?.0.parse().ok()
}
