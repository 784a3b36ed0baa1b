//! What interrupts are charged to on the machine, compared with the description.
//!
//! **Model.** A kernel built with `IRQ_TIME_ACCOUNTING` charges interrupts to no budget; any other charges them
//! to the thread that they interrupt, so that a reservation has less time for its own work. The boot
//! parameter `tsc=noirqtime` turns the former off. It matters to threads of `SCHED_DEADLINE` only.
//!
//! **Not covered.** Clocks that turn out to be unstable, for which the kernel turns it off, too.

use super::members::Reserved;
use super::planner::Planner;
use crate::machine::Kernel;
use crate::machine::Policy;
use std::io;
use vorrang_model::System;
use vorrang_model::system::InterruptTime;

/// The option of the configuration.
const OPTION: &str = "CONFIG_IRQ_TIME_ACCOUNTING=y";
/// The boot parameter against it.
const OFF: &str = "tsc=noirqtime";

impl Planner<'_> {
    /// Each core with reservations must state the kernel's accounting; otherwise this is reported.
    pub(super) fn interrupt_times(&mut self, system: &System, reserved: &[Reserved]) {
        let deadline = |cpu| {
            reserved.iter().any(|one| one.cpu == cpu && one.policy.policy == Policy::DEADLINE)
        };
        let cores = system.cores().filter(|&core| {
            let cpu = system.host.cpus.get(&system.supply(core).name);
            cpu.is_some_and(|&cpu| deadline(cpu)) && system.interrupts_on(core).next().is_some()
        });
        let cores: Vec<_> = cores.map(|core| system.supply(core)).collect();
        if cores.is_empty() {
            return;
        }
        let known = on(self.kernel);
        for core in cores {
            match &known {
                Ok(of_kernel) if *of_kernel == core.interrupt_time => {}
                Ok(InterruptTime::Charged) => self.problems.push(format!(
                    "{}: this kernel charges interrupts to the thread that they interrupt (it is built without \
                     IRQ_TIME_ACCOUNTING), and the description says that no budget pays; state \
                     `interrupt-time = \"charged\"`",
                    core.name
                )),
                Ok(InterruptTime::Apart) => self.problems.push(format!(
                    "{}: this kernel charges interrupts to no budget (IRQ_TIME_ACCOUNTING), and the description says \
                     that the thread pays which they interrupt; state `interrupt-time = \"apart\"`",
                    core.name
                )),
                Err(why) => self.plan.doubts.push(format!(
                    "whether interrupts are charged to the thread that they interrupt, as {} has it, cannot be seen: \
                     {why}",
                    core.name
                )),
            }
        }
    }
}

/// The accounting of the running kernel.
fn on(kernel: &dyn Kernel) -> io::Result<InterruptTime> {
    let configuration = kernel.configuration()?;
    let is_built = configuration.lines().any(|line| line.trim() == OPTION);
    let booted_with = kernel.read("/proc/cmdline")?;
    let is_off = booted_with.split_whitespace().any(|word| word == OFF);
    Ok(if is_built && !is_off { InterruptTime::Apart } else { InterruptTime::Charged })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Known;
    use vorrang_model::{Format, read};

    /// Its configuration, if available, and its boot parameters.
    fn machine(configuration: Option<&'static str>, booted: &'static str) -> impl Kernel {
        Known(move |path: &str| {
            let text = match path {
                "/proc/sys/kernel/osrelease" => Some("7.2\n"),
                "/lib/modules/7.2/config" => configuration,
                "/proc/cmdline" => Some(booted),
                _ => None,
            };
            text.map(str::to_owned)
        })
    }

    /// How many problems and doubts there are about a core with a reservation, an interrupt and that line.
    fn planned(core: &str, kernel: &dyn Kernel) -> [usize; 2] {
        let text = format!(
            r#"
            version = 1
            [core.0]
            scheduler = "linux"
            cpu = 1
            {core}
            [server.a]
            on = "core.0"
            server = "sched-deadline"
            budget = "1ms"
            period = "10ms"
            thread = "pid:1"
            [interrupt.net]
            on = "core.0"
            isr = "1us"
            min-interarrival = "1ms"
            "#
        );
        let system = read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}"));
        let (reserved, problems) = super::super::members::of(&system);
        assert_eq!((reserved.len(), problems.as_slice()), (1, &[][..]));
        let mut planner = Planner::of(kernel);
        planner.interrupt_times(&system, &reserved);
        [planner.problems.len(), planner.plan.doubts.len()]
    }

    #[test]
    fn the_description_says_who_pays_as_the_kernel_has_it() {
        const BUILT: Option<&str> = Some("CONFIG_SMP=y\nCONFIG_IRQ_TIME_ACCOUNTING=y\n");
        const NOT: Option<&str> =
            Some("# CONFIG_IRQ_TIME_ACCOUNTING is not set\nCONFIG_HAVE_IRQ_TIME_ACCOUNTING=y\n");
        let apart = "interrupt-time = \"apart\"";
        assert_eq!(planned("", &machine(NOT, "quiet")), [0, 0]);
        assert_eq!(planned("", &machine(BUILT, "quiet")), [1, 0]);
        assert_eq!(planned("", &machine(BUILT, "quiet tsc=noirqtime")), [0, 0]);
        assert_eq!(planned(apart, &machine(NOT, "")), [1, 0]);
        assert_eq!(planned(apart, &machine(BUILT, "")), [0, 0]);
        assert_eq!(planned("", &machine(None, "")), [0, 1]);
    }
}
