//! What scenarios with KVM are besides their files.

mod between;
mod compared;
mod frames;
mod guest;
mod host;
mod load;
mod phases;

use crate::check::Check;
use crate::evidence::Evidence;
use crate::failure::Failure;
use crate::image::File;
use crate::kernel::Kernel;
use crate::written::Scenario;
use vorrang_guest::Step;

/// The steps of a part that is a program of this family.
pub(crate) fn part(of: &Scenario, name: &str) -> Option<Vec<Step>> {
    Some(match name {
        "frames" => frames::steps(of),
        "load-of-kvm-host" => vec![host::start_load(of)],
        "until-cores-are-loaded" => vec![host::until_loaded(of)],
        _ => return None,
    })
}

/// What is expected in this family under a name.
pub(crate) fn checks(of: &Scenario, name: &str, evidence: &Evidence) -> Option<Vec<Check>> {
    Some(match name {
        "frames" => frames::checks(of, evidence),
        "guest-answers" => guest::answers(evidence),
        "guest-is-reserved" => guest::is_reserved(evidence),
        "guest-is-started" => vec![guest::is_started(evidence)],
        "kvm-host" => host::compared(of, evidence),
        _ => return None,
    })
}

/// Files that are built in this family.
pub(crate) fn built(
    of: &Scenario,
    name: &str,
    kernel: &Kernel,
) -> Option<Result<Vec<File>, Failure>> {
    match name {
        "linux-guest" => Some(guest::files(kernel)),
        "standing-in" => Some(Ok(vec![host::file(of)])),
        _ => None,
    }
}
