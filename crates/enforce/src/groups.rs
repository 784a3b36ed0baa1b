//! The paths of control groups, and which of them are created here.

/// All groups.
pub(crate) const ROOT: &str = "/sys/fs/cgroup";
/// The group of everything that is applied, wherever the journal is.
pub const GROUP: &str = "/sys/fs/cgroup/vorrang";

/// The partition of a processor.
pub(crate) fn of_cpu(cpu: u32) -> String {
    format!("{GROUP}/cpu{cpu}")
}

/// The processor of such a group.
pub(crate) fn cpu_of(group: &str) -> Option<u32> {
    group.strip_prefix(GROUP)?.strip_prefix("/cpu")?.parse().ok()
}

/// Whether a file or group is in a group of our own.
pub(crate) fn is_own(path: &str) -> bool {
    path.strip_prefix(GROUP).is_some_and(|rest| rest.starts_with('/'))
}
