//! The release of the kernel.

use vorrang_enforce::Kernel;

const RELEASE: &str = "/proc/sys/kernel/osrelease";
/// What a report has instead: `Linux NAME RELEASE ...`.
const REPORTED: &str = "/sos_commands/kernel/uname_-a";

/// Of the kernel that runs, or ran when a report was made.
pub fn release(root: &dyn Kernel) -> Option<String> {
    let own = root.read(RELEASE).ok().map(|text| text.trim().to_owned());
    let reported = || root.read(REPORTED).ok()?.split_whitespace().nth(2).map(str::to_owned);
    own.or_else(reported).filter(|text| !text.is_empty())
}
