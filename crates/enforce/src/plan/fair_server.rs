//! The machine's server of `SCHED_OTHER`, compared with the description.
//!
//! **Model.** From 6.12 on Linux has a server of `SCHED_OTHER` on each processor, whose runtime and period
//! are files; a runtime of zero turns it off. Before, `SCHED_FIFO` is throttled (`throttling.rs`).
//!
//! **Not covered.** Kernels that are locked down (Secure Boot) do not show these files; the server of
//! `sched_ext`, which is not compared with what a description says of it.

use super::planner::Planner;
use crate::refusal::DEBUG_FILES;
use std::io::ErrorKind;
use vorrang_model::System;
use vorrang_model::system::{FairServer, SupplyId};
use vorrang_time::Duration;

/// Files of the server of `SCHED_OTHER`, a folder for each processor.
const SERVERS: &str = "/sys/kernel/debug/sched/fair_server";
/// The share of every period to which `SCHED_FIFO` is throttled; below zero: it is not throttled.
const THROTTLING: &str = "/proc/sys/kernel/sched_rt_runtime_us";

impl Planner<'_> {
    /// The server of each core is set as stated, turned off, or reported to differ.
    pub(super) fn fair_servers(&mut self, system: &System, cpu: u32) {
        for core in system.cores() {
            let name = &system.supply(core).name;
            if system.host.cpus.get(name) == Some(&cpu) {
                let explained = self.throttling(name, system.supply(core).rt_throttling);
                self.fair_server((name, explained), cpu, stated(system, core));
            }
        }
    }

    /// `explained`: this kernel has none, and throttles as stated.
    fn fair_server(&mut self, (core, explained): (&str, bool), cpu: u32, stated: FairServer) {
        let file = |name: &str| format!("{SERVERS}/cpu{cpu}/{name}");
        let read = |name: &str| self.kernel.read(&file(name));
        let (budget, period) = match (read("runtime"), read("period")) {
            (Ok(budget), Ok(period)) => (nanoseconds(&budget), nanoseconds(&period)),
            (Err(why), _) | (_, Err(why)) => {
                if explained && stated.budget.is_zero() && why.kind() == ErrorKind::NotFound {
                    return;
                }
                let text = self.unseen(core, cpu, &why);
                return self.plan.doubts.push(text);
            }
        };
        let off = stated.budget.is_zero();
        match (budget, period) {
            (Some(Duration::ZERO), _) if off => {}
            _ if off => self.write(
                &format!("{core}: nothing of SCHED_OTHER comes before SCHED_FIFO on processor {cpu}"),
                file("runtime"),
                "0",
            ),
            (Some(budget), Some(period)) if stated == (FairServer { budget, period }) => {}
            (Some(budget), Some(period)) => self.problems.push(format!(
                "{core}: processor {cpu} keeps {budget} of every {period} for SCHED_OTHER, and the description says \
                 {} of every {}; state `fair-server = {{ budget = \"{budget}\", period = \"{period}\" }}`, or write the \
                 nanoseconds into {} and {}",
                stated.budget,
                stated.period,
                file("runtime"),
                file("period"),
            )),
            _ => self.plan.doubts.push(format!("{SERVERS}/cpu{cpu} holds no numbers")),
        }
    }

    /// Why the server of `SCHED_OTHER` is unknown.
    fn unseen(&self, core: &str, cpu: u32, why: &std::io::Error) -> String {
        let debug = self.kernel.read(crate::runtimes::FEATURES).is_ok();
        if debug && why.kind() == ErrorKind::NotFound {
            let throttling = self.kernel.read(THROTTLING).unwrap_or_default();
            return format!(
                "this kernel has no server of SCHED_OTHER ({core}, processor {cpu}); kernels before 6.12 throttle \
                 SCHED_FIFO instead (sched_rt_runtime_us {}; -1 is never), which no bound counts.",
                throttling.trim()
            );
        }
        format!(
            "what processor {cpu} ({core}) keeps for SCHED_OTHER before SCHED_FIFO cannot be seen ({SERVERS}/cpu{cpu}: \
             {why}). {DEBUG_FILES}"
        )
    }
}

/// The server of the description; no budget where it is turned off, and on cores that are not Linux cores.
fn stated(system: &System, core: SupplyId) -> FairServer {
    let off = FairServer { budget: Duration::ZERO, period: Duration::ZERO };
    system.fair_server(core).unwrap_or(off)
}

fn nanoseconds(text: &str) -> Option<Duration> {
    text.trim().parse().ok().map(Duration::from_ns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Kernel, Known};
    use vorrang_model::{Format, read};

    /// Runtime and period of the server of processor 1, where the kernel has one.
    fn machine(files: Option<[&'static str; 2]>) -> impl Kernel {
        Known(move |path: &str| {
            let [runtime, period] = files?;
            match path.strip_prefix("/sys/kernel/debug/sched/fair_server/cpu1/")? {
                "runtime" => Some(format!("{runtime}\n")),
                "period" => Some(format!("{period}\n")),
                _ => None,
            }
        })
    }

    /// The writes, the errors and the doubts for a core with that line.
    fn planned(core: &str, files: Option<[&'static str; 2]>) -> [usize; 3] {
        let text = format!("version = 1\n[core.0]\ncpu = 1\n{core}");
        let system = read(text, Format::Toml).expect("a description");
        let kernel = machine(files);
        let mut planner = Planner::of(&kernel);
        planner.fair_servers(&system, 1);
        [planner.plan.steps.len(), planner.problems.len(), planner.plan.doubts.len()]
    }

    #[test]
    fn the_server_of_sched_other_is_as_stated_or_turned_off_or_said_to_differ() {
        const LINUX: &str = "scheduler = \"linux\"\n";
        let off = format!("{LINUX}fair-server = \"none\"\n");
        let own = format!("{LINUX}fair-server = {{ budget = \"1ms\", period = \"1s\" }}\n");
        let (usual, zero) = (["50000000", "1000000000"], ["0", "1000000000"]);
        assert_eq!(planned(LINUX, Some(usual)), [0, 0, 0]);
        assert_eq!(planned(LINUX, Some(zero)), [0, 1, 0]);
        assert_eq!(planned(LINUX, None), [0, 0, 1]);
        assert_eq!(planned(LINUX, Some(["-", "-"])), [0, 0, 1]);
        assert_eq!(planned(&off, Some(usual)), [1, 0, 0]);
        assert_eq!(planned(&off, Some(zero)), [0, 0, 0]);
        assert_eq!(planned(&own, Some(usual)), [0, 1, 0]);
        assert_eq!(planned("scheduler = \"edf\"\n", Some(usual)), [1, 0, 0]);
    }
}
