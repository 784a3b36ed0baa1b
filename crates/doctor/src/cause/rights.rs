//! The right to set a policy: capability, user namespace, limits, filters.
//!
//! **Model.** `SCHED_DEADLINE` needs `CAP_SYS_NICE` of the first user namespace, always. A priority needs it beyond
//! `RLIMIT_RTPRIO`. A filter of seccomp answers before the kernel looks at either.

use crate::finding::{Said, absent, costs, stops, unknown};
use crate::look::Look;
use crate::subject::{Asked, Subject};

/// `CAP_SYS_NICE`, as a bit of the effective set.
const SYS_NICE: u64 = 1 << 23;

/// Whether the right is there and counts; `None` if that cannot be seen.
fn may(look: &Look, subject: &Subject) -> Option<bool> {
    let folder = subject.folder();
    let set = look.field(&format!("{folder}/status"), "CapEff")?;
    let set = u64::from_str_radix(&set, 16).ok()?;
    Some(set & SYS_NICE != 0 && is_first_namespace(look, &folder) != Some(false))
}

/// Whether user 0 of its namespace is that of the machine, for all users.
fn is_first_namespace(look: &Look, folder: &str) -> Option<bool> {
    let text = look.quietly(&format!("{folder}/uid_map"))?;
    Some(text.split_whitespace().eq(["0", "0", "4294967295"]))
}

pub(crate) fn capability(look: &Look, subject: &Subject) -> Option<Said> {
    let who = subject.who();
    Some(match may(look, subject) {
        Some(true) => absent(format!("{who} has CAP_SYS_NICE")),
        Some(false) if subject.needs_deadline => stops(
            format!(
                "EPERM: {who} lacks CAP_SYS_NICE of the machine, which SCHED_DEADLINE always needs"
            ),
            "Run as root outside a container, or give it the capability (systemd: \
             AmbientCapabilities=CAP_SYS_NICE; container: --cap-add SYS_NICE, without a user namespace).",
        ),
        Some(false) => costs(
            format!("{who} lacks CAP_SYS_NICE: priorities are bound by RLIMIT_RTPRIO"),
            "Give it the capability, or a limit that suffices (see priority-limit).",
        ),
        None => unknown(
            format!("the capabilities of {who} cannot be read"),
            "Run on the machine itself, as the same user.",
        ),
    })
}

pub(crate) fn user_namespace(look: &Look, subject: &Subject) -> Option<Said> {
    let folder = subject.folder();
    let path = format!("{folder}/uid_map");
    let map = look.field(&path, "")?;
    Some(if is_first_namespace(look, &folder)? {
        absent(format!("{} is in the first user namespace", subject.who()))
    } else {
        stops(
            format!(
                "EPERM: {} is in a user namespace ({}), where CAP_SYS_NICE does not count for policies",
                subject.who(),
                map.split_whitespace().collect::<Vec<_>>().join(" ")
            ),
            "Set policies from outside the namespace, or start the container without one (rootless containers have \
             one).",
        )
    })
}

pub(crate) fn priority_limit(look: &Look, subject: &Subject) -> Option<Said> {
    if !subject.needs_priority {
        return None;
    }
    let who = subject.who();
    if may(look, subject) == Some(true) {
        return Some(absent(format!("with CAP_SYS_NICE no limit counts for {who}")));
    }
    let limit = soft(look, subject, "Max realtime priority")?;
    let most = limit.parse::<u32>().unwrap_or(u32::MAX);
    let needed = match subject.asked {
        Some(Asked::Priority(priority)) => priority,
        _ => 1,
    };
    Some(if most >= needed {
        absent(format!("{who} may set priorities up to {limit} (RLIMIT_RTPRIO)"))
    } else {
        stops(
            format!(
                "EPERM: {who} may set priorities up to {limit} (RLIMIT_RTPRIO), and {needed} is needed"
            ),
            "systemd: LimitRTPRIO=99; sessions: `rtprio` in /etc/security/limits.d; container: --ulimit rtprio=99.",
        )
    })
}

pub(crate) fn time_limit(look: &Look, subject: &Subject) -> Option<Said> {
    let limit = soft(look, subject, "Max realtime timeout")?;
    let who = subject.who();
    Some(if limit == "unlimited" {
        absent(format!("{who} may compute without end (RLIMIT_RTTIME)"))
    } else {
        costs(
            format!(
                "{who} gets SIGXCPU after {limit} us of real-time work without sleeping (RLIMIT_RTTIME)"
            ),
            "systemd: LimitRTTIME=infinity; rtkit sets this limit for threads that it makes real-time.",
        )
    })
}

pub(crate) fn seccomp(look: &Look, subject: &Subject) -> Option<Said> {
    let who = subject.who();
    let mode = look.field(&format!("{}/status", subject.folder()), "Seccomp:")?;
    Some(if mode == "0" {
        absent(format!("no filter of seccomp is in force for {who}"))
    } else {
        unknown(
            format!(
                "a filter of seccomp is in force for {who}: it may answer EPERM to sched_setattr before the kernel \
                 looks at anything else, and what it lets pass is in no file"
            ),
            "systemd: RestrictRealtime=no, and @resources in SystemCallFilter; container: a profile that allows \
             sched_setattr and sched_setscheduler.",
        )
    })
}

/// The soft limit with a name.
fn soft(look: &Look, subject: &Subject, name: &str) -> Option<String> {
    let line = look.field(&format!("{}/limits", subject.folder()), name)?;
    line.split_whitespace().next().map(str::to_owned)
}
