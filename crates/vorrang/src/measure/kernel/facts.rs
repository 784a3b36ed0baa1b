//! Settings of the kernel that the system reveals.

use vorrang_enforce::{Kernel, RuntimesEnd, runtimes_end};
use vorrang_measure::kernel::{Built, Facts};

const RELEASE: &str = "/proc/sys/kernel/osrelease";
const VERSION: &str = "/proc/sys/kernel/version";
const SCHED_EXT: &str = "/sys/kernel/sched_ext/state";
/// A folder for each processor.
const FAIR_SERVERS: &str = "/sys/kernel/debug/sched/fair_server";

pub(super) fn of(kernel: &dyn Kernel) -> Facts {
    let text = |file| kernel.read(file).unwrap_or_default().trim().to_owned();
    Facts {
        release: text(RELEASE),
        is_realtime: text(VERSION).split_whitespace().any(|word| word == "PREEMPT_RT"),
        built: kernel
            .configuration()
            .map_err(|why| why.to_string())
            .and_then(|text| Built::of(&text)),
        runtimes_end: match runtimes_end(kernel) {
            RuntimesEnd::ByTimer => "a timer ends runtimes (HRTICK_DL)".to_owned(),
            RuntimesEnd::ByTick => "the tick ends runtimes (NO_HRTICK_DL)".to_owned(),
            RuntimesEnd::Unknown(_) => "what ends runtimes is not known".to_owned(),
        },
        has_sched_ext: kernel.read(SCHED_EXT).is_ok(),
        fair_server: fair_server(kernel),
    }
}

/// Runtime and period of the server of `SCHED_OTHER`, where they are the same on all processors.
fn fair_server(kernel: &dyn Kernel) -> Result<(u64, u64), String> {
    let processors = kernel.list(FAIR_SERVERS).map_err(|why| format!("{FAIR_SERVERS}: {why}"))?;
    let one = |processor: &String| {
        let number = |file: &str| {
            let path = format!("{FAIR_SERVERS}/{processor}/{file}");
            let text = kernel.read(&path).map_err(|why| format!("{path}: {why}"))?;
            text.trim().parse::<u64>().map_err(|why| format!("{path}: {why}"))
        };
        Ok((number("runtime")?, number("period")?))
    };
    let mut all = processors.iter().map(one).collect::<Result<Vec<_>, String>>()?;
    all.dedup();
    match all.as_slice() {
        [(0, _)] => Ok((0, 0)),
        [same] => Ok(*same),
        [] => Err(format!("{FAIR_SERVERS} is empty")),
        _ => Err(format!("{FAIR_SERVERS} has different ones on different processors")),
    }
}
