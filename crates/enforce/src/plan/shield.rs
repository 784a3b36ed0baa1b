//! Cores with `timers = "timershield"` and the module that shields them.
//!
//! **Model.** The kernel's own queue fires every timer when it expires; the module `timer_shield` holds those of
//! less urgent threads back, on the processors that it is told, for as long as something more urgent runs or
//! until `max-defer`, which the module has once for all processors (0: no limit). In the model one timer
//! interrupt handles all timers that may be handled; so the module's `batch` is not less than the timers of
//! a core, and none waits for a more urgent one that is about to expire (`callback` is 0).
//!
//! **Assumption.** Timers of the description are those on which threads of `SCHED_FIFO` sleep: the module leaves
//! others to the kernel, which a note says.

use super::kernel::{REALTIME, VERSION};
use super::mechanism;
use super::planner::Planner;
use crate::intent::Intent;
use crate::machine::{cpu_list, cpus_of, gone_is_none};
use crate::shield::{self, BATCH, CALLBACK, CPUS, Found, MAX_DEFER, USUAL_BATCH};
use std::collections::BTreeSet;
use vorrang_model::System;
use vorrang_time::Duration;

/// The remedy where the module is missing.
const ADVICE: &str = "build and install it (docs/timer-shield.md#installing-it), or leave `timers` out: \"hrtimer\" is what Linux does";

impl Planner<'_> {
    /// Loads the module and sets the processors of shielded cores; otherwise reports the reason for each
    /// core.
    pub(super) fn shields(&mut self, system: &System) -> Vec<String> {
        let cores: Vec<&str> = mechanism::shielded(system).collect();
        // A core without a processor is reported elsewhere.
        let cpus: BTreeSet<u32> =
            cores.iter().filter_map(|core| system.host.cpus.get(*core).copied()).collect();
        if cores.is_empty() {
            return Vec::new();
        }
        let path = match self.module() {
            Ok(path) => path,
            Err(why) => return cores.iter().map(|core| format!("{core}: {why}")).collect(),
        };
        let limits: Vec<Option<Duration>> =
            mechanism::shielded_cores(system).map(|core| system.supply(core).max_defer).collect();
        let differs = |(_, limit): &(&&str, &Option<Duration>)| **limit != limits[0];
        let first = cores[0];
        let differing: Vec<String> = cores
            .iter()
            .zip(&limits)
            .filter(differs)
            .map(|(core, _)| {
                format!(
                    "{core}: its `max-defer` is not that of {first}: the module timer_shield has one for all processors; state the same"
                )
            })
            .collect();
        if !differing.is_empty() {
            return differing;
        }
        let own: Vec<u32> = cpus.iter().copied().collect();
        let why = format!(
            "timers of less urgent threads do not interrupt more urgent ones on processor {} (module timer_shield)",
            cpu_list(&own)
        );
        if let Some(path) = path {
            self.step(&why, Intent::LoadShield { path });
        }
        self.plan.shielded.clone_from(&cpus);
        let all = self.shielded_by_others().into_iter().chain(cpus).collect::<BTreeSet<u32>>();
        let all: Vec<u32> = all.into_iter().collect();
        self.batch(system, &why);
        let limit = limits[0].map_or(0, Duration::as_ns);
        self.write(&why, MAX_DEFER.to_owned(), limit.to_string());
        self.write(&why, CPUS.to_owned(), cpu_list(&all));
        self.plan.notes.push(
            "Held back are timers on which threads sleep (nanosleep, poll, futex and the like). Those of timerfd, \
             timer_create and setitimer interrupt whatever runs, for long enough to wake ktimers: state them as \
             interrupts."
                .to_owned(),
        );
        Vec::new()
    }

    /// The file to load it from, if it is not loaded; or why it cannot be used.
    fn module(&self) -> Result<Option<String>, String> {
        if let Some(why) = self.without_bounds() {
            return Err(why.to_owned());
        }
        match shield::find(self.kernel) {
            Found::Loaded => Ok(None),
            Found::File(path) => Ok(Some(path)),
            Found::Not(why) => Err(format!(
                "`timers = \"timershield\"` needs the module timer_shield, which {why}; {ADVICE}"
            )),
        }
    }

    /// Why no bound holds with the module on the kernel that runs.
    fn without_bounds(&self) -> Option<&'static str> {
        let version = self.kernel.read(VERSION).ok()?;
        let is_real_time = version.split_whitespace().any(|word| word == REALTIME);
        (!is_real_time).then_some(
            "this kernel is without PREEMPT_RT: the module works there, but callbacks of all programs run in \
             interrupts, which no bound of `timers = \"timershield\"` counts; boot a kernel with PREEMPT_RT, or load the \
             module by hand (docs/timer-shield.md#without-preempt_rt)",
        )
    }

    /// The module takes as many timers at once as a core has, whatever expires next.
    fn batch(&mut self, system: &System, why: &str) {
        let timers = mechanism::shielded_cores(system).map(|core| system.timers_on(core).count());
        let most = timers.max().unwrap_or_default() as u64;
        let batch = self.kernel.read(BATCH).ok().and_then(|text| text.trim().parse().ok());
        if batch.unwrap_or(USUAL_BATCH) < most {
            self.write(why, BATCH.to_owned(), most.to_string());
        }
        self.write(why, CALLBACK.to_owned(), "0".to_owned());
    }

    /// Another program may have loaded it for other processors.
    fn shielded_by_others(&mut self) -> Vec<u32> {
        match gone_is_none(self.kernel.read(CPUS)) {
            Ok(list) => list.and_then(|list| cpus_of(&list)).unwrap_or_default(),
            Err(why) => {
                self.problems.push(format!("{CPUS}: {why}"));
                Vec::new()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Known;
    use vorrang_model::{Format, read};

    const ONE: &str =
        "version = 1\n[core.0]\nscheduler = \"linux\"\ntimers = \"timershield\"\ncpu = 1\n";

    fn loaded(path: &str) -> Option<&'static str> {
        (path == "/sys/module/timer_shield/version").then_some("2\n")
    }

    /// The steps for a description with shielded cores, the first on processor 1, or why there are none.
    fn planned(
        text: &str,
        files: fn(&str) -> Option<&'static str>,
    ) -> Result<Vec<String>, Vec<String>> {
        let system = read(text, Format::Toml).expect("a description");
        let kernel = Known(|path: &str| files(path).map(str::to_owned));
        let mut planner = Planner::of(&kernel);
        let missing = planner.shields(&system);
        let steps = planner.plan.steps.iter().map(|step| step.intent.exact()).collect();
        if missing.is_empty() { Ok(steps) } else { Err(missing) }
    }

    #[test]
    fn what_others_shield_stays_shielded() {
        let loaded = planned(ONE, |path| match path {
            "/sys/module/timer_shield/version" => Some("2\n"),
            CPUS => Some("2-3\n"),
            _ => None,
        });
        let steps = [
            format!("write \"0\" to {CALLBACK}"),
            format!("write \"0\" to {MAX_DEFER}"),
            format!("write \"1-3\" to {CPUS}"),
        ];
        assert_eq!(loaded, Ok(steps.to_vec()));
    }

    #[test]
    fn the_limit_and_the_number_of_timers_are_told() {
        let mut text = format!(
            "{ONE}max-defer = \"2ms\"\n[task.t]\non = \"core.0\"\nwcet = \"1us\"\nperiod = \"1ms\"\npriority = 1\n"
        );
        for number in 0..=USUAL_BATCH {
            let timer = format!("[timer.t{number}]\narmed-by = \"task.t\"\nperiod = \"1ms\"\n");
            text.push_str(&timer);
        }
        let steps = [
            format!("write \"17\" to {BATCH}"),
            format!("write \"0\" to {CALLBACK}"),
            format!("write \"2000000\" to {MAX_DEFER}"),
            format!("write \"1\" to {CPUS}"),
        ];
        assert_eq!(planned(&text, loaded), Ok(steps.to_vec()));
    }

    #[test]
    fn two_limits_are_refused() {
        let two = format!(
            "{ONE}[core.1]\nscheduler = \"linux\"\ntimers = \"timershield\"\nmax-defer = \"1ms\"\ncpu = 2\n"
        );
        let differing = planned(&two, loaded).expect_err("the module has one limit");
        assert!(
            matches!(differing.as_slice(), [one] if one.starts_with("core.1:")),
            "{differing:?}"
        );
    }

    #[test]
    fn without_preempt_rt_no_bound_holds() {
        let of = |kernel: &'static str| {
            let files = move |path: &str| match path {
                "/sys/module/timer_shield/version" => Some("2\n".to_owned()),
                VERSION => Some(kernel.to_owned()),
                _ => None,
            };
            let system = read(ONE, Format::Toml).expect("a description");
            Planner::of(&Known(files)).shields(&system)
        };
        let refused = of("#1 SMP PREEMPT_DYNAMIC Debian 7.2.12-1~bpo13+1\n");
        assert!(matches!(refused.as_slice(), [one] if one.contains("without PREEMPT_RT")));
        assert_eq!(of("#1 SMP PREEMPT_RT Debian 7.2.12-1~bpo13+1\n"), Vec::<String>::new());
    }

    #[test]
    fn without_the_module_it_is_said_what_to_do() {
        let missing = planned(ONE, |_| None).expect_err("there is none");
        assert!(matches!(missing.as_slice(), [one] if one.contains(ADVICE)), "{missing:?}");
    }
}
