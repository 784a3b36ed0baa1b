//! The kernel's tracer of hardware latencies at work: gaps with interrupts off, as firmware makes them.
//!
//! **Assumption.** Nothing else uses the tracer meanwhile: the kernel has one thread for it.

use super::Unable;
use super::tracefs::Tracefs;
use std::time::Duration;

const TRACER: &str = "hwlat";

/// What it writes in some time, a line for each gap.
///
/// # Errors
/// The kernel has no such tracer, or not for this user.
pub fn trace(time: Duration) -> Result<String, Unable> {
    let tracefs = Tracefs::find()?;
    if !tracefs.has_tracer(TRACER) {
        let why = "this kernel was built without the hwlat tracer (CONFIG_HWLAT_TRACER)";
        return Err(Unable(why.to_owned()));
    }
    let instance = tracefs.instance()?;
    instance.write("current_tracer", TRACER)?;
    instance.write("tracing_on", "1")?;
    std::thread::sleep(time);
    instance.write("tracing_on", "0")?;
    instance.trace()
}
