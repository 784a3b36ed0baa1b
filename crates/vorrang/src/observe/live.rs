//! A trace of the running machine, as a schedule.

use super::reading::printable;
use crate::destination::Draft;
use crate::tracing::{listen, text};
use vorrang_command::exit::Failure;
use vorrang_observe::Schedule;
use vorrang_observe::schedule::{Malformed, Reader};
use vorrang_recorded::Means;
use vorrang_time::Duration;

/// What guests do, where a kernel has it.
const OF_GUESTS: [&str; 2] = ["kvm/kvm_entry", "kvm/kvm_exit"];

/// Traces for some time, or until the end is wanted.
pub(super) fn trace(
    time: Duration,
    by: Option<Means>,
    keep: Option<Draft>,
) -> Result<(Schedule, Means), Failure> {
    let mut reader = Reader::default();
    let means = listen(time, by, &OF_GUESTS, keep, |told| {
        for line in text(told)?.split(|&byte| byte == b'\n') {
            reader.line(&printable(line)).map_err(|why| wrong(&why))?;
        }
        Ok(())
    })?;
    let schedule = reader.finish().map_err(|why| wrong(&why))?;
    if schedule.events.is_empty() {
        return Err(Failure::host("error: nothing was traced: no thread was switched to\n"));
    }
    Ok((schedule, means))
}

fn wrong(why: &Malformed) -> Failure {
    Failure::host(format!("error: the trace of this machine: {}\n", why.why))
}
