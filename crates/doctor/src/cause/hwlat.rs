//! Gaps that the kernel cannot explain: system management interrupts, and a hypervisor.
//!
//! **Model.** The tracer `hwlat` spins with interrupts off and writes each gap between two readings of the clock that is
//! longer than `tracing_thresh`.

use crate::finding::{Said, absent, costs, unknown};
use crate::look::Look;
use crate::subject::Subject;

const TRACING: &str = "/sys/kernel/tracing";

pub(crate) fn seen(look: &Look, subject: &Subject) -> Option<Said> {
    let text = match &subject.hwlat {
        Some(text) => Some(text.clone()),
        None if look.text(&format!("{TRACING}/current_tracer")).as_deref() == Some("hwlat") => {
            look.quietly(&format!("{TRACING}/trace"))
        }
        None => None,
    };
    let Some(text) = text else {
        return Some(unknown(
            "interrupts of the firmware (SMI) are seen by the tracer hwlat only, and it did not run",
            "Run as root with --hwlat 10s.",
        ));
    };
    let gaps: Vec<u64> = text.lines().filter_map(gap).collect();
    let Some(longest) = gaps.iter().max() else {
        return Some(absent("the tracer hwlat has seen no gap"));
    };
    look.keep("tracer hwlat", &format!("{} gaps, the longest {longest} us", gaps.len()));
    Some(costs(
        format!(
            "the processor was taken away {} times with interrupts off, for {longest} us at most",
            gaps.len()
        ),
        "Firmware does that (system management interrupts): turn off what it manages (USB emulation, power, memory \
         scrubbing), or have it updated. In a virtual machine the host does.",
    ))
}

/// The longer of the two gaps of a line: `#1 inner/outer(us): 12/11 ts:...`.
fn gap(line: &str) -> Option<u64> {
    let (_, rest) = line.split_once("inner/outer(us):")?;
    let (inner, outer) = rest.split_whitespace().next()?.split_once('/')?;
    Some(inner.parse::<u64>().ok()?.max(outer.parse().ok()?))
}
