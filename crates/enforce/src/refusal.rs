//! Why a kernel refuses, with remedies.

use crate::admission;
use crate::groups;
use crate::intent::Intent;
use crate::machine::{Kernel, Policy, last_processor};
use crate::who::Who;
use crate::wish::Wish;
use std::io;
use vorrang_model::target::{LINUX, linux::PERIOD_SETTINGS};

/// The requirements of the scheduler's files below `/sys/kernel/debug`.
pub(crate) const DEBUG_FILES: &str = "Run as root, with debugfs mounted (mount -t debugfs none /sys/kernel/debug); a kernel that is locked \
     down, as with Secure Boot, keeps its files closed.";

/// The meaning of the error of a step, and a remedy, as sentences.
pub(crate) fn explained(kernel: &dyn Kernel, intent: &Intent, why: &io::Error) -> String {
    let code = why.raw_os_error();
    let known = match intent {
        Intent::Thread { who, wish } => {
            let of_reservation =
                not_admitted(kernel, who, wish, code).or_else(|| not_accepted(wish, code));
            if let Some(text) = of_reservation {
                return text;
            }
            of_thread(wish, code)
        }
        _ => of_setting(intent, code),
    };
    let text = known.unwrap_or(match code {
        Some(libc::EACCES | libc::EPERM | libc::EROFS) => {
            "The right to change this is missing. Run as root, outside a container."
        }
        Some(libc::ESRCH) => "The thread has ended.",
        _ => "",
    });
    text.to_owned()
}

fn of_thread(wish: &Wish, code: Option<i32>) -> Option<&'static str> {
    let deadline = matches!(wish, Wish::SetPolicy { policy } if policy.policy == Policy::DEADLINE);
    Some(match (wish, code) {
        (Wish::SetPolicy { .. }, Some(libc::EPERM)) if deadline => {
            "EPERM: the processors that the thread may use are not all of a root domain, or the right to set \
             policies (CAP_SYS_NICE) is missing. Run as root; see that nothing else pins the thread or keeps it \
             in a cpuset of its own."
        }
        (Wish::SetPolicy { .. }, Some(libc::EPERM)) => {
            "EPERM: the right to set policies is missing (CAP_SYS_NICE, or a sufficient RLIMIT_RTPRIO). Run as root."
        }
        (
            Wish::SetAffinity { .. } | Wish::Move { .. } | Wish::MoveProcess { .. },
            Some(libc::EINVAL),
        ) => {
            "EINVAL: this thread of the kernel may not be moved by anybody; on newer kernels that holds for interrupt \
             threads, which follow their interrupt. Name the interrupt with `irq`, or reserve the NAPI thread \
             (`thread = \"napi:...\"`)."
        }
        (Wish::SetAffinity { .. }, Some(libc::EBUSY)) => {
            "EBUSY: a SCHED_DEADLINE thread must be allowed on its whole root domain."
        }
        _ => return None,
    })
}

fn of_setting(intent: &Intent, code: Option<i32>) -> Option<&'static str> {
    Some(match (intent, code) {
        (Intent::EndRuntimesByTimer, _) => DEBUG_FILES,
        (Intent::LoadShield { .. }, Some(libc::EKEYREJECTED | libc::ENOKEY)) => {
            "The kernel loads signed modules only (Secure Boot): sign it with a key that the machine knows (DKMS does, \
             where its key is enrolled: mokutil --import)."
        }
        (Intent::LoadShield { .. }, Some(libc::ENOEXEC)) => {
            "ENOEXEC: the module was built for another kernel. Build it for this one (docs/timer-shield.md)."
        }
        (Intent::LoadShield { .. }, Some(libc::EOPNOTSUPP | libc::EINVAL)) => {
            "The module does not work on this kernel, or the kernel does not unpack it; `dmesg` has the reason."
        }
        (
            Intent::MakeGroup { .. } | Intent::EnableCpuset { .. },
            Some(libc::ENOENT | libc::EINVAL),
        ) => {
            "There is no control group v2 with cpusets at /sys/fs/cgroup. Boot with cgroup v2 (systemd: \
             systemd.unified_cgroup_hierarchy=1), and without cgroup_disable=cpuset."
        }
        (Intent::Write { path, .. }, _) if path.ends_with(".partition") => {
            "The processor cannot become a partition of its own: another cpuset claims it, or it is the last \
             one of the others. See cpuset.cpus and cpuset.cpus.exclusive of the other groups."
        }
        (
            Intent::Write { path, .. },
            Some(libc::EIO | libc::EINVAL | libc::ENOSPC | libc::EPERM),
        ) if path.starts_with("/proc/irq/") => {
            "The kernel keeps this interrupt where it is: it belongs to one processor, or the driver manages it. \
             Choose that processor for the core, or leave `irq` out."
        }
        _ => return None,
    })
}

/// `EINVAL` of a `SCHED_DEADLINE` thread; `None` if it is something else.
fn not_accepted(wish: &Wish, code: Option<i32>) -> Option<String> {
    let deadline = matches!(wish, Wish::SetPolicy { policy } if policy.policy == Policy::DEADLINE);
    (deadline && code == Some(libc::EINVAL)).then(|| {
        let [shortest, longest] = PERIOD_SETTINGS;
        format!(
            "EINVAL: the kernel wants budget <= deadline <= period, a budget of at least {} and a period from {shortest} \
             to {longest}.",
            LINUX.limits.least_budget
        )
    })
}

/// `EBUSY` of a `SCHED_DEADLINE` thread, by the numbers of the machine; `None` if it is something else.
fn not_admitted(kernel: &dyn Kernel, who: &Who, wish: &Wish, code: Option<i32>) -> Option<String> {
    if code != Some(libc::EBUSY) {
        return None;
    }
    let thread = who.now(kernel).ok()?;
    let (cpu, policy) = match wish {
        Wish::Move { group } => (groups::cpu_of(group)?, kernel.policy(thread.thread).ok()?),
        Wish::SetPolicy { policy } => (last_processor(kernel, &thread).ok()??, *policy),
        _ => return None,
    };
    (policy.policy == Policy::DEADLINE)
        .then(|| admission::refused(kernel, cpu, &who.label, &policy))
}
