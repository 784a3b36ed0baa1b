//! What scenarios of `vorrang measure` and `vorrang observe` expect.

mod kernel;
mod observe;

use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use kernel::profiles;
use observe::trace_is_kept;

/// What is expected in this family under a name.
pub(crate) fn checks(of: &Scenario, name: &str, evidence: &Evidence) -> Option<Vec<Check>> {
    Some(match name {
        "profiles" => profiles(of, evidence),
        "trace-is-kept" => vec![trace_is_kept(evidence)],
        _ => return None,
    })
}
