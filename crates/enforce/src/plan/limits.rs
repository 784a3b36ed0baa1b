//! The reservations that the running kernel takes, by its settings, before any is made.
//!
//! **Model.** The settings of periods and of the part that is admitted are those of the machine
//! ([`vorrang_model::target::linux`]); where one cannot be read, the default counts. A processor becomes a root domain of
//! its own, so the sum is that of its threads, with the server of `SCHED_OTHER` as the plan leaves it and, while a scheduler of
//! `sched_ext` is loaded or described, that of `sched_ext`, on kernels that have them.
//!
//! **Does not cover** what is reserved already in such a domain: the kernel refuses that when a thread moves there.

use super::members::Reserved;
use super::planner::Planner;
use crate::machine::Policy;
use vorrang_model::System;
use vorrang_model::system::FairServer;
use vorrang_model::target::linux::{PERIOD_SETTINGS, SHARE_SETTINGS, version_of};
use vorrang_model::target::{Admission, Fault, LINUX, Limits};
use vorrang_time::Duration;

/// "enabled" while a scheduler of `sched_ext` is loaded.
const EXT_STATE: &str = "/sys/kernel/sched_ext/state";

impl Planner<'_> {
    /// Every reservation is one that this kernel takes, and those of a processor together.
    pub(super) fn limits(&mut self, system: &System, reserved: &[Reserved]) {
        let limits = self.limits_of_periods();
        let is_deadline = |one: &&Reserved| one.policy.policy == Policy::DEADLINE;
        for one in reserved.iter().filter(is_deadline) {
            let (budget, period) = reservation(one);
            for fault in limits.faults(budget, period) {
                self.problems.push(said(one, &limits, fault));
            }
        }
        for core in system.cores() {
            let Some(&cpu) = system.host.cpus.get(&system.supply(core).name) else { continue };
            let here = reserved.iter().filter(is_deadline).filter(|one| one.cpu == cpu);
            let kept = [system.fair_server(core), self.ext_server(system.ext_server(core))];
            self.sum(here.map(reservation).collect(), kept, cpu);
        }
    }

    fn limits_of_periods(&self) -> Limits {
        let [shortest, longest] = PERIOD_SETTINGS.map(|path| self.number(path));
        let or = |set: Option<u64>, default| set.map_or(default, Duration::from_us);
        Limits {
            shortest_period: or(shortest, LINUX.limits.shortest_period),
            longest_period: or(longest, LINUX.limits.longest_period),
            ..LINUX.limits
        }
    }

    /// What is kept for `sched_ext`, as described or, while a scheduler of it is loaded, by default.
    fn ext_server(&self, described: Option<FairServer>) -> Option<FairServer> {
        let state = self.kernel.read(EXT_STATE).unwrap_or_default();
        described.or_else(|| (state.trim() == "enabled").then_some(FairServer::OF_LINUX))
    }

    fn sum(
        &mut self,
        mut here: Vec<(Duration, Duration)>,
        [fair, ext]: [Option<FairServer>; 2],
        cpu: u32,
    ) {
        // -1 is no limit, and no number here.
        let [Some(runtime), Some(period)] = SHARE_SETTINGS.map(|path| self.number(path)) else {
            return;
        };
        let Some(share) = (runtime * 1_000_000).checked_div(period) else { return };
        let Ok(share_ppm) = u32::try_from(share) else { return };
        let release = self.kernel.read("/proc/sys/kernel/osrelease").unwrap_or_default();
        let version = version_of(&release);
        let counts_fair_server = version.is_some_and(|version| version.has_fair_server);
        let counts_ext_server = version.is_some_and(|version| version.has_ext_server);
        let admission = Admission { share_ppm, counts_fair_server };
        if here.is_empty() {
            return;
        }
        let fair = fair.filter(|_| counts_fair_server);
        let ext = ext.filter(|_| counts_ext_server);
        here.extend(fair.into_iter().chain(ext).map(|kept| (kept.budget, kept.period)));
        if let Some(sum) = admission.exceeded_by(here) {
            self.problems.push(format!(
                "the reservations of processor {cpu}{} take {}, and this kernel admits {} ({} {runtime} of {} {period})",
                match (fair, ext) {
                    (Some(_), Some(_)) => ", with the servers of SCHED_OTHER and sched_ext,",
                    (Some(_), None) => ", with the server of SCHED_OTHER,",
                    (None, Some(_)) => ", with the server of sched_ext,",
                    (None, None) => "",
                },
                crate::admission::percent(sum),
                crate::admission::percent(admission.limit()),
                SHARE_SETTINGS[0],
                SHARE_SETTINGS[1],
            ));
        }
    }

    fn number(&self, path: &str) -> Option<u64> {
        self.kernel.read(path).ok()?.trim().parse().ok()
    }
}

fn reservation(one: &Reserved) -> (Duration, Duration) {
    (Duration::from_ns(one.policy.runtime), Duration::from_ns(one.policy.period))
}

fn said(one: &Reserved, limits: &Limits, fault: Fault) -> String {
    let (budget, period) = reservation(one);
    let (label, rule) = (&one.label, limits.rule(fault));
    match fault {
        Fault::Budget | Fault::BudgetUnit => {
            format!("{label}: its budget is {budget}, and this kernel {rule}")
        }
        Fault::Short => {
            format!(
                "{label}: its period is {period}, and this kernel {rule} ({})",
                PERIOD_SETTINGS[0]
            )
        }
        Fault::Long => {
            format!(
                "{label}: its period is {period}, and this kernel {rule} ({})",
                PERIOD_SETTINGS[1]
            )
        }
        Fault::PeriodUnit => format!("{label}: its period is {period}, and this kernel {rule}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Kernel, Known};
    use crate::plan::members;
    use vorrang_model::{Format, read};

    /// Settings in the order of the constants; `None`: there is no such file.
    fn machine(release: &'static str, settings: [Option<&'static str>; 4]) -> impl Kernel {
        Known(move |path: &str| {
            let all = [PERIOD_SETTINGS, SHARE_SETTINGS].concat();
            match all.iter().position(|known| *known == path) {
                Some(place) => settings[place].map(str::to_owned),
                None => (path == "/proc/sys/kernel/osrelease").then(|| release.to_owned()),
            }
        })
    }

    /// The problems with a server with that budget and period on processor 1.
    fn problems(core: &str, budget: &str, period: &str, kernel: &dyn Kernel) -> Vec<String> {
        let text = format!(
            "version = 1\n[core.0]\nscheduler = \"linux\"\n{core}\ncpu = 1\n[server.x]\non = \"core.0\"\n\
             server = \"sched-deadline\"\nbudget = \"{budget}\"\nperiod = \"{period}\"\nthread = \"pid:1\"\n"
        );
        let system = read(&text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}"));
        let (reserved, _) = members::of(&system);
        let mut planner = Planner::of(kernel);
        planner.limits(&system, &reserved);
        planner.problems
    }

    const USUAL: [Option<&str>; 4] =
        [Some("100\n"), Some("4194304\n"), Some("950000\n"), Some("1000000\n")];

    #[test]
    fn a_period_is_one_that_the_kernel_takes() {
        let usual = machine("6.12.95", USUAL);
        let off = "fair-server = \"none\"";
        assert_eq!(
            problems(off, "20us", "40us", &usual),
            ["server.x: its period is 40us, and this kernel takes no period below 100us \
              (/proc/sys/kernel/sched_deadline_period_min_us)"]
        );
        assert_eq!(problems(off, "1s", "5s", &usual).len(), 1);
        assert_eq!(problems(off, "1s", "4194304us", &usual), [""; 0]);
        let [_, longest, runtime, period] = USUAL;
        let short = machine("6.12.95", [Some("20\n"), longest, runtime, period]);
        assert_eq!(problems(off, "20us", "40us", &short), [""; 0]);
        // Without the files the default counts.
        assert_eq!(problems(off, "20us", "40us", &machine("6.12", [None; 4])).len(), 1);
    }

    #[test]
    fn a_processor_admits_what_its_kernel_does() {
        let usual = machine("6.12.95", USUAL);
        let off = "fair-server = \"none\"";
        assert_eq!(problems(off, "9500us", "10ms", &usual), [""; 0]);
        assert_eq!(problems(off, "9501us", "10ms", &usual).len(), 1);
        // 50 ms of every second are kept for SCHED_OTHER.
        assert_eq!(problems("", "9ms", "10ms", &usual), [""; 0]);
        assert_eq!(problems("", "9001us", "10ms", &usual).len(), 1);
        assert_eq!(problems("", "9500us", "10ms", &machine("6.6.1", USUAL)), [""; 0]);
        let [shortest, longest, _, period] = USUAL;
        let free = machine("6.12.95", [shortest, longest, Some("-1\n"), period]);
        assert_eq!(problems(off, "9999us", "10ms", &free), [""; 0]);
        let whole = machine("7.2.12", [shortest, longest, Some("1000000\n"), period]);
        assert_eq!(problems("", "9500us", "10ms", &whole), [""; 0]);
        assert_eq!(problems("", "9501us", "10ms", &whole).len(), 1);
    }
    #[test]
    fn a_loaded_scheduler_has_its_part() {
        let loaded = |release: &'static str| {
            let usual = machine(release, USUAL);
            Known(move |path: &str| {
                let read = || usual.read(path).ok();
                if path == EXT_STATE { Some("enabled\n".to_owned()) } else { read() }
            })
        };
        assert_eq!(problems("", "8500us", "10ms", &loaded("7.0.3")), [""; 0]);
        let [problem] = &problems("", "8501us", "10ms", &loaded("7.0.3"))[..] else { panic!() };
        assert!(problem.contains("with the servers of SCHED_OTHER and sched_ext,"), "{problem}");
        // Kernels before 7.0 have no such server.
        assert_eq!(problems("", "9ms", "10ms", &loaded("6.12.95")), [""; 0]);
    }
}
