//! Cores with `timers = "timershield"` and the module that shields them.
//!
//! **Model.** The kernel's own queue fires every timer when it expires; the module `timer_shield` holds those of
//! less urgent threads back, on the processors that it is told. In the model a timer waits for as long as something
//! more urgent runs, so the module's `max_defer` is 0.
//!
//! **Assumption.** Timers of the description are those on which threads of `SCHED_FIFO` sleep: the module leaves
//! others to the kernel, which a note says.

use super::{Planner, mechanism};
use crate::intent::Intent;
use crate::machine::{cpu_list, cpus_of};
use crate::shield::{self, CPUS, Found, MAX_DEFER};
use std::collections::BTreeSet;
use vorrang_model::System;

/// What helps where the module is missing.
const ADVICE: &str = "build and install it (docs/timer-shield.md#installing-it), or leave `timers` out: \"hrtimer\" is what Linux does";

impl Planner<'_> {
    /// The module is loaded and told the processors of shielded cores; else, why it cannot be, of each core.
    pub(super) fn shields(&mut self, system: &System) -> Vec<String> {
        let cores: Vec<&str> = mechanism::shielded(system).collect();
        // A core without a processor is complained of elsewhere.
        let cpus: BTreeSet<u32> =
            cores.iter().filter_map(|core| system.host.cpus.get(*core).copied()).collect();
        if cores.is_empty() {
            return Vec::new();
        }
        let path = match shield::find(self.kernel) {
            Found::Loaded => None,
            Found::File(path) => Some(path),
            Found::Not(why) => {
                let missing = |core: &&str| {
                    format!(
                        "{core}: `timers = \"timershield\"` needs the module timer_shield, which {why}; {ADVICE}"
                    )
                };
                return cores.iter().map(missing).collect();
            }
        };
        let own: Vec<u32> = cpus.iter().copied().collect();
        let why = format!(
            "timers of less urgent threads do not interrupt more urgent ones on processor {} (module timer_shield)",
            cpu_list(&own)
        );
        if let Some(path) = path {
            self.step(&why, Intent::LoadShield { path });
        }
        // Somebody else may have loaded it for processors of his own.
        let before = self.kernel.read(CPUS).ok().and_then(|list| cpus_of(&list));
        let all: BTreeSet<u32> = before.into_iter().flatten().chain(cpus).collect();
        let all: Vec<u32> = all.into_iter().collect();
        self.write(&why, MAX_DEFER.to_owned(), "0");
        self.write(&why, CPUS.to_owned(), cpu_list(&all));
        self.plan.notes.push(
            "Held back are timers on which threads sleep (nanosleep, poll, futex and the like). Those of timerfd, \
             timer_create and setitimer interrupt whatever runs, for long enough to wake ktimers: state them as \
             interrupts."
                .to_owned(),
        );
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Readable;
    use crate::plan::Plan;
    use vorrang_model::{Format, read};

    /// The steps for a shielded core on processor 1, or why there are none.
    fn planned(files: fn(&str) -> Option<&'static str>) -> Result<Vec<String>, Vec<String>> {
        let text =
            "version = 1\n[core.0]\nscheduler = \"linux\"\ntimers = \"timershield\"\ncpu = 1\n";
        let system = read(text, Format::Toml).expect("a description");
        let kernel = Readable(|path: &str| files(path).map(str::to_owned));
        let mut planner = Planner {
            kernel: &kernel,
            all: Vec::new(),
            plan: Plan::default(),
            problems: Vec::new(),
            rest: Vec::new(),
            online: Vec::new(),
        };
        let missing = planner.shields(&system);
        let steps = planner.plan.steps.iter().map(|step| step.intent.exact()).collect();
        if missing.is_empty() { Ok(steps) } else { Err(missing) }
    }

    #[test]
    fn what_others_shield_stays_shielded() {
        let loaded = planned(|path| match path {
            "/sys/module/timer_shield/version" => Some("1\n"),
            CPUS => Some("2-3\n"),
            _ => None,
        });
        let steps = [format!("write \"0\" to {MAX_DEFER}"), format!("write \"1-3\" to {CPUS}")];
        assert_eq!(loaded, Ok(steps.to_vec()));
    }

    #[test]
    fn without_the_module_it_is_said_what_to_do() {
        let missing = planned(|_| None).expect_err("there is none");
        assert!(matches!(missing.as_slice(), [one] if one.contains(ADVICE)), "{missing:?}");
    }
}
