//! The running kernel, compared with the profile that the description names.
//!
//! **Model.** A profile applies to the kernels whose release begins with the stated text, with or without
//! `PREEMPT_RT`. One that states neither cannot be compared. A scheduler of `sched_ext` comes with a
//! deadline server of its own, which no description has.
//!
//! **Not covered.** Whether another machine takes the times of the profile: those are measured.

use super::planner::Planner;
use crate::machine::gone_is_none;
use vorrang_model::System;
use vorrang_model::system::Kernel as Named;

const RELEASE: &str = "/proc/sys/kernel/osrelease";
/// As `uname -v` prints it, with the model of preemption in it. (`/sys/kernel/realtime` is of the patches before
/// 6.12 only.)
pub(super) const VERSION: &str = "/proc/sys/kernel/version";
pub(super) const REALTIME: &str = "PREEMPT_RT";
/// Holds `disabled` where no scheduler of `sched_ext` is loaded.
const SCHED_EXT: &str = "/sys/kernel/sched_ext/state";

impl Planner<'_> {
    /// The running kernel must be that of each core that names one; otherwise this is reported.
    pub(super) fn kernels(&mut self, system: &System) {
        let cores = system.cores().map(|core| system.supply(core));
        let named = cores.filter_map(|core| Some((core.name.as_str(), core.kernel.as_ref()?)));
        for (core, named) in named {
            self.kernel(core, named);
        }
        let loaded =
            gone_is_none(self.kernel.read(SCHED_EXT)).unwrap_or_else(|why| Some(why.to_string()));
        let loaded = loaded.as_deref().unwrap_or_default().trim();
        let has_linux = system.cores().any(|core| system.fair_server(core).is_some());
        if has_linux && !matches!(loaded, "" | "disabled") {
            self.problems.push(format!(
                "a scheduler of sched_ext is loaded ({SCHED_EXT}: {loaded}); the kernel's server for it comes before \
                 SCHED_FIFO, and no description states that"
            ));
        }
    }

    fn kernel(&mut self, core: &str, named: &Named) {
        let Named { name, release, is_realtime, .. } = named;
        let text = |file| self.kernel.read(file).map_err(|why| format!("{file}: {why}"));
        let (runs, version) = match (text(RELEASE), text(VERSION)) {
            (Ok(runs), Ok(version)) => (runs.trim().to_owned(), version),
            (Err(why), _) | (_, Err(why)) => {
                let text = format!("{core}: it is unknown which kernel runs ({why})");
                return self.plan.doubts.push(text);
            }
        };
        let is_of = release.as_ref().is_none_or(|start| runs.starts_with(start.as_str()));
        let realtime = version.split_whitespace().any(|word| word == REALTIME);
        let is_built_so = is_realtime.is_none_or(|stated| stated == realtime);
        if !is_of || !is_built_so {
            let with = if realtime { "with" } else { "without" };
            self.problems.push(format!(
                "{core}: this is Linux {runs}, {with} PREEMPT_RT, and the kernel profile {name} is of another kernel; \
                 name a profile of this one (docs/kernel.md)"
            ));
        } else if release.is_none() {
            self.plan.doubts.push(format!(
                "{core}: the kernel profile {name} does not state its release; this is Linux {runs}"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Kernel, Known};
    use vorrang_model::{Format, read};

    fn machine(
        release: Option<&'static str>,
        realtime: bool,
        sched_ext: &'static str,
    ) -> impl Kernel {
        Known(move |path: &str| match path {
            RELEASE => release.map(str::to_owned),
            VERSION => {
                let preemption = if realtime { REALTIME } else { "PREEMPT_DYNAMIC" };
                Some(format!("#1 SMP {preemption} Debian 7.2.12-1~bpo13+1 (2026-11-04)\n"))
            }
            SCHED_EXT => Some(format!("{sched_ext}\n")),
            _ => None,
        })
    }

    /// How many problems and doubts there are about a core with the line.
    fn planned(core: &str, kernel: &dyn Kernel) -> [usize; 2] {
        let text = format!("version = 1\n[core.0]\nscheduler = \"linux\"\n{core}");
        let system = read(text, Format::Toml).expect("a description");
        let mut planner = Planner::of(kernel);
        planner.kernels(&system);
        [planner.problems.len(), planner.plan.doubts.len()]
    }

    #[test]
    fn the_kernel_is_the_one_that_is_named() {
        let named = "kernel = \"7.2-rt\"";
        let debian = Some("7.2.12+deb13-rt-amd64\n");
        assert_eq!(planned(named, &machine(debian, true, "disabled")), [0, 0]);
        assert_eq!(planned(named, &machine(debian, false, "disabled")), [1, 0]);
        assert_eq!(planned(named, &machine(Some("7.21.0\n"), true, "disabled")), [1, 0]);
        assert_eq!(planned(named, &machine(Some("6.12.95\n"), true, "disabled")), [1, 0]);
        assert_eq!(planned(named, &machine(None, true, "disabled")), [0, 1]);
        assert_eq!(planned(named, &machine(debian, true, "enabled")), [1, 0]);
        assert_eq!(planned("", &machine(debian, false, "disabled")), [0, 0]);
    }
}
