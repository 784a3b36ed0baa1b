//! `SCHED_DEADLINE` and `SCHED_FIFO` by the version of the kernel.
//!
//! **Model.** Its limits are settings with a default of its version; a description or the profile of a kernel may state
//! what is set ([`DeadlineLimits`](crate::system::DeadlineLimits)). Where neither names a version, the strictest default
//! counts.
//!
//! **Sources.** kernel/sched/deadline.c (`__checkparam_dl`, `dl_server_apply_params`, `sched_init_dl_servers`) and
//! kernel/sched/rt.c (`sysctl_sched_rt_runtime`) of the versions.

use super::{Admission, LINUX, Limits, bandwidth};
use crate::system::{
    DeadlineLimits, Kernel, Member, Scheduler, Server, ServerKind, Supply, SupplyId, System,
};
use core::fmt;
use vorrang_time::Duration;

/// A version of Linux, and all later ones until the next in [`VERSIONS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// Major and minor number.
    pub from: (u32, u32),
    /// Its default of `sched_rt_runtime_us / sched_rt_period_us`, in millionths.
    pub share_ppm: u32,
    /// Whether it has a server of `SCHED_OTHER`; before, the real-time classes are throttled.
    pub has_fair_server: bool,
    /// Whether it has one of `SCHED_EXT`, which is admitted while a scheduler of `sched_ext` is loaded.
    pub has_ext_server: bool,
}

/// Those that differ, or are in long use.
pub const VERSIONS: [Version; 6] = [
    throttling((5, 10)),
    throttling((6, 1)),
    throttling((6, 6)),
    Version { has_fair_server: true, ..throttling((6, 12)) },
    Version { has_ext_server: true, has_fair_server: true, ..throttling((7, 0)) },
    Version { from: (7, 2), share_ppm: 1_000_000, has_fair_server: true, has_ext_server: true },
];

const fn throttling(from: (u32, u32)) -> Version {
    Version { from, share_ppm: 950_000, has_fair_server: false, has_ext_server: false }
}

/// The setting that gives [`Limits::shortest_period`], in microseconds, and that of the longest.
pub const PERIOD_SETTINGS: [&str; 2] = [
    "/proc/sys/kernel/sched_deadline_period_min_us",
    "/proc/sys/kernel/sched_deadline_period_max_us",
];
/// The settings of which [`Version::share_ppm`] is the quotient.
pub const SHARE_SETTINGS: [&str; 2] =
    ["/proc/sys/kernel/sched_rt_runtime_us", "/proc/sys/kernel/sched_rt_period_us"];

/// The version of a release such as `6.12.95+deb12-rt-amd64`; `None`: it is no release, or an older one.
pub fn version_of(release: &str) -> Option<&'static Version> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else { return None };
    VERSIONS.iter().rfind(|version| version.from <= (major, minor))
}

/// The version that runs a supply, if that is stated.
pub fn version(kernel: Option<&Kernel>) -> Option<&'static Version> {
    version_of(kernel?.release.as_ref()?)
}

/// The reservations that a supply under Linux takes.
pub fn limits(stated: DeadlineLimits) -> Limits {
    Limits {
        shortest_period: stated.shortest_period.unwrap_or(LINUX.limits.shortest_period),
        longest_period: stated.longest_period.unwrap_or(LINUX.limits.longest_period),
        ..LINUX.limits
    }
}

/// How much of it is reserved at most.
pub fn admission(stated: DeadlineLimits, kernel: Option<&Kernel>) -> Admission {
    let own = version(kernel);
    let strictest = VERSIONS.iter().map(|version| version.share_ppm).min().unwrap_or_default();
    let by_version = own.map_or(strictest, |version| version.share_ppm);
    Admission {
        share_ppm: stated.share_ppm.unwrap_or(by_version),
        counts_fair_server: own.is_none_or(|version| version.has_fair_server),
    }
}

impl System {
    /// The reservations that a server's supply takes, where a kernel of Linux runs it.
    pub fn limits_of(&self, server: SupplyId) -> Option<Limits> {
        self.on_linux(server).map(|on| limits(on.deadline_limits))
    }

    /// Whether the kernel admits the reservations of a server's supply together; those of other kernels are.
    pub fn is_admitted(&self, server: SupplyId) -> bool {
        self.on_linux(server).is_none_or(|on| {
            let admission = admission(on.deadline_limits, on.kernel.as_ref());
            let all = self.reservations(on, admission).map(|(_, own)| own);
            admission.exceeded_by(all).is_none()
        })
    }

    /// The part of a processor, in units of 2⁻²⁰, that a server may have beside the others of its supply; `None`: no
    /// kernel counts it.
    pub fn room_of(&self, server: SupplyId) -> Option<u64> {
        let on = self.on_linux(server)?;
        let admission = admission(on.deadline_limits, on.kernel.as_ref());
        let others = self.reservations(on, admission).filter(|(id, _)| *id != server);
        let parts = others.filter_map(|(_, (budget, period))| bandwidth(budget, period));
        Some(admission.limit().saturating_sub(parts.fold(0, u64::saturating_add)))
    }

    fn on_linux(&self, server: SupplyId) -> Option<&Supply> {
        let own = self.supply(server).server()?;
        let on = self.supply(own.on);
        let is_of_linux = own.kind() == ServerKind::SchedDeadline;
        (is_of_linux && on.scheduler == Scheduler::Linux).then_some(on)
    }

    /// What the kernel adds up.
    fn reservations<'s>(
        &'s self,
        on: &'s Supply,
        admission: Admission,
    ) -> impl Iterator<Item = (SupplyId, (Duration, Duration))> + 's {
        on.members.iter().filter_map(move |member| {
            let Member::Server(id) = *member else { return None };
            let supply = self.supply(id);
            let Server { budget, period, .. } = *supply.server()?;
            let counts = !supply.serves_other || admission.counts_fair_server;
            counts.then_some((id, (budget, period)))
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = self.from;
        write!(f, "Linux {major}.{minor}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_of_the_last_version_before_it() {
        let from = |release: &str| version_of(release).map(|version| version.from);
        assert_eq!(from("6.12.95+deb12-rt-amd64"), Some((6, 12)));
        assert_eq!(from("7.2."), Some((7, 2)));
        assert_eq!(from("7.1.3"), Some((7, 0)));
        assert_eq!(from("6.8.0-generic"), Some((6, 6)));
        assert_eq!(from("8.0"), Some((7, 2)));
        for release in ["4.19.0", "", "7", "rt", "99999999999.1"] {
            assert_eq!(from(release), None, "{release}");
        }
        assert!(VERSIONS.windows(2).all(|pair| pair[0].from < pair[1].from));
    }
}
