//! The kernel itself: its release, a scheduler of `sched_ext`, and how runtimes end.

use crate::finding::{Said, absent, costs, stops, unknown};
use crate::look::Look;
use crate::subject::Subject;
use vorrang_enforce::{RuntimesEnd, runtimes_end};

/// The first with partitions below groups that are none (`cpuset.cpus.exclusive`).
const NEEDED: (u32, u32) = (6, 7);

pub(crate) fn release(look: &Look, subject: &Subject) -> Option<Said> {
    if !subject.needs_partitions {
        return None;
    }
    let Some((major, minor)) = look.release() else {
        return Some(unknown(
            "the release of the kernel cannot be read",
            "Run on the machine itself.",
        ));
    };
    Some(if (major, minor) >= NEEDED {
        absent(format!("Linux {major}.{minor} has remote partitions"))
    } else {
        stops(
            format!(
                "Linux {major}.{minor} has no remote partitions (cpuset.cpus.exclusive), which `vorrang apply` makes"
            ),
            "Boot Linux 6.7 or later, or export the settings instead (`vorrang export`).",
        )
    })
}

pub(crate) fn sched_ext(look: &Look, _: &Subject) -> Option<Said> {
    let state = look.text("/sys/kernel/sched_ext/state");
    Some(match state.as_deref() {
        None => absent("the kernel has no sched_ext"),
        Some("disabled") => absent("no scheduler of sched_ext is loaded"),
        Some(_) => costs(
            "a scheduler of sched_ext is loaded: since 7.0 its server takes 50 ms of every second before SCHED_FIFO, and \
             counts in what SCHED_DEADLINE admits",
            "Unload it (end the program that loaded it), or state `ext-server` in the description.",
        ),
    })
}

pub(crate) fn runtimes(look: &Look, subject: &Subject) -> Option<Said> {
    const FEATURES: &str = "/sys/kernel/debug/sched/features";
    if !subject.needs_deadline {
        return None;
    }
    Some(match runtimes_end(look.kernel) {
        RuntimesEnd::ByTimer => {
            look.keep(FEATURES, "HRTICK_DL");
            absent("runtimes of SCHED_DEADLINE end when they are used up")
        }
        RuntimesEnd::ByTick => {
            look.keep(FEATURES, "NO_HRTICK_DL");
            costs(
                "runtimes of SCHED_DEADLINE end at the next tick, up to a tick late",
                format!("`vorrang apply` writes HRTICK_DL into {FEATURES}."),
            )
        }
        RuntimesEnd::Unknown(why) => unknown(
            format!(
                "whether runtimes of SCHED_DEADLINE end when they are used up cannot be seen ({why})"
            ),
            "Run as root, with debugfs mounted; a locked-down kernel hides it, and reservations are then applied with \
             --unproven only.",
        ),
    })
}
