//! The bandwidth that the kernel admits for `SCHED_DEADLINE`, and the bandwidth in use.
//!
//! **Model.** A root domain admits a thread if the bandwidths in it stay within a part of its
//! processors: `sched_rt_runtime_us / sched_rt_period_us`. The server of `SCHED_OTHER` counts there, too, but
//! kernels differ: some keep room for it in partitions only. So nothing is computed here that the kernel
//! reports itself: `/sys/kernel/debug/sched/debug` has the limit and the use of each domain, as multiples of
//! 2⁻²⁰ of a processor.
//!
//! **Not covered.** Processors of different capacity in one domain, which the kernel weighs.

use crate::machine::{Kernel, Policy};
use std::fmt::Write as _;
use vorrang_model::target::{self, linux::SHARE_SETTINGS};
use vorrang_time::Duration;

/// Where the kernel has the numbers of its domains.
pub const DEBUG: &str = "/sys/kernel/debug/sched/debug";

/// The bandwidth that a domain admits, and its use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Of each processor, in units of 2⁻²⁰.
    pub admitted: u64,
    /// Of all its processors.
    pub taken: u64,
}

/// What the kernel says of the domain of a processor; `None` where it does not.
pub fn admitted(kernel: &dyn Kernel, cpu: u32) -> Option<Domain> {
    kernel.read(DEBUG).ok().and_then(|debug| domain(&debug, cpu))
}

/// Why a processor, with those of its domain, does not admit a policy: the machine's numbers.
pub(crate) fn refused(kernel: &dyn Kernel, cpu: u32, label: &str, policy: &Policy) -> String {
    let mut text = format!("EBUSY: {label} asks for {} of a processor", percent(bandwidth(policy)));
    match admitted(kernel, cpu) {
        Some(Domain { admitted, taken }) => {
            let _ = write!(
                text,
                "; of each in the domain of processor {cpu} the kernel admits {}, and {} are in use there",
                percent(admitted),
                percent(taken)
            );
        }
        None => {
            let _ = write!(text, "; {DEBUG} would have the limit of the domain of processor {cpu}");
        }
    }
    if let [Some(runtime), Some(period)] = SHARE_SETTINGS.map(|path| number(kernel, path)) {
        let _ = write!(
            text,
            " (sched_rt_runtime_us {runtime} of sched_rt_period_us {period}{})",
            fair_server(kernel, cpu).unwrap_or_default()
        );
    }
    text.push_str(
        ". Give the servers smaller budgets or longer periods, or find the other threads with that policy (chrt -a).",
    );
    text
}

/// The bandwidth of the server of `SCHED_OTHER`.
fn fair_server(kernel: &dyn Kernel, cpu: u32) -> Option<String> {
    let folder = format!("/sys/kernel/debug/sched/fair_server/cpu{cpu}");
    let runtime = number(kernel, &format!("{folder}/runtime"))?;
    let period = number(kernel, &format!("{folder}/period"))?;
    let share = percent(parts(runtime, period)?);
    Some(format!(", of which {share} are the fair server's where it counts"))
}

fn number(kernel: &dyn Kernel, path: &str) -> Option<u64> {
    kernel.read(path).ok()?.trim().parse().ok()
}

/// The part of a processor that a reservation takes, in units of 2⁻²⁰.
fn bandwidth(policy: &Policy) -> u64 {
    parts(policy.runtime, policy.period).unwrap_or(0)
}

fn parts(runtime: u64, period: u64) -> Option<u64> {
    target::bandwidth(Duration::from_ns(runtime), Duration::from_ns(period))
}

/// A part in units of 2⁻²⁰, to the nearest hundredth of a percent.
pub fn percent(parts: u64) -> String {
    let hundredths = (u128::from(parts) * 10_000 + (1 << 19)) >> 20;
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}

/// The numbers of the domain of a processor in the kernel's text: those of its queue.
fn domain(debug: &str, cpu: u32) -> Option<Domain> {
    let head = format!("dl_rq[{cpu}]:");
    let mut lines = debug.lines().skip_while(|line| *line != head).skip(1);
    let mut value = |name: &str| {
        let line = lines.find(|line| line.trim_start().starts_with(name))?;
        line.rsplit(':').next()?.trim().parse().ok()
    };
    Some(Domain { admitted: value(".dl_bw->bw ")?, taken: value(".dl_bw->total_bw ")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "dl_rq[0]:\n  .dl_nr_running : 0\n  .dl_bw->bw                     : 996147\n  \
                        .dl_bw->total_bw               : 52428\n\ndl_rq[1]:\n  .dl_nr_running : 1\n  \
                        .dl_bw->bw                     : 1048576\n  .dl_bw->total_bw               : 209715\n";

    #[test]
    fn each_processor_has_the_numbers_of_its_own_domain() {
        let told = |cpu| domain(TEXT, cpu).map(|of| (percent(of.admitted), percent(of.taken)));
        assert_eq!(told(0), Some(("95.00 %".to_owned(), "5.00 %".to_owned())));
        assert_eq!(told(1), Some(("100.00 %".to_owned(), "20.00 %".to_owned())));
        assert_eq!(told(2), None);
    }

    #[test]
    fn a_reservation_takes_its_runtime_of_every_period() {
        let policy = Policy { runtime: 9_600_000, period: 10_000_000, ..Policy::default() };
        assert_eq!(percent(bandwidth(&policy)), "96.00 %");
        assert_eq!(bandwidth(&Policy::default()), 0);
    }
}
