//! How much of its processors a kernel admits for `SCHED_DEADLINE`.
//!
//! **Model.** The part that is admitted is `sched_rt_runtime_us / sched_rt_period_us` of each processor of a root
//! domain: -1 is no limit, 0 is EPERM for each thread, and beyond it is EBUSY. The server of `SCHED_OTHER` (6.12) and
//! that of `sched_ext` (7.0) count.

use crate::finding::{Said, absent, stops, unknown};
use crate::look::Look;
use crate::subject::{Asked, Subject};
use vorrang_enforce::admission::{DEBUG, admitted, percent};
use vorrang_model::target::bandwidth;
use vorrang_model::target::linux::SHARE_SETTINGS;

pub(crate) fn share(look: &Look, subject: &Subject) -> Option<Said> {
    if !subject.needs_deadline {
        return None;
    }
    let [runtime, period] = SHARE_SETTINGS.map(|path| look.number(path));
    let (runtime, period) = (runtime?, period?);
    Some(match runtime {
        0 => stops(
            "EPERM: sched_rt_runtime_us is 0, so no bandwidth of SCHED_DEADLINE is admitted",
            "Write 950000 into /proc/sys/kernel/sched_rt_runtime_us.",
        ),
        -1 => absent("every reservation is admitted: sched_rt_runtime_us is -1"),
        _ => absent(format!("{runtime} us of every {period} us may be reserved")),
    })
}

pub(crate) fn room(look: &Look, subject: &Subject) -> Option<Said> {
    if !subject.needs_deadline || look.number(SHARE_SETTINGS[0]) == Some(-1) {
        return None;
    }
    let asked = match subject.asked {
        Some(Asked::Deadline { runtime, period, .. }) => bandwidth(runtime, period)?,
        _ => 1,
    };
    let cpus = subject.among(look.online());
    let mut least: Option<(u64, u32)> = None;
    for &cpu in &cpus {
        let Some(of) = admitted(look.kernel, cpu) else {
            return Some(unknown(
                format!("what is reserved already cannot be seen: {DEBUG} does not show it"),
                "Run as root, with debugfs mounted (mount -t debugfs none /sys/kernel/debug).",
            ));
        };
        look.keep(
            &format!("{DEBUG} dl_rq[{cpu}]"),
            &format!("bw {}, total_bw {}", of.admitted, of.taken),
        );
        // The use is that of the domain, of which this is one processor at least.
        let left = of.admitted.saturating_mul(cpus.len() as u64).saturating_sub(of.taken);
        least = Some(least.map_or((left, cpu), |old| old.min((left, cpu))));
    }
    let (left, cpu) = least?;
    Some(if left >= asked {
        absent(format!("{} of a processor can still be reserved", percent(left)))
    } else {
        stops(
            format!(
                "EBUSY: {} of a processor is asked for, and {} is left in the domain of processor {cpu}",
                percent(asked),
                percent(left)
            ),
            "Find the other reservations (chrt -ap), shorten the budgets, or set the server of SCHED_OTHER lower \
             (/sys/kernel/debug/sched/fair_server).",
        )
    })
}
