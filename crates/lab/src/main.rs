//! The program `vorrang-lab`: lists scenarios, runs them, fetches kernels.

mod packaged;
mod stop;
mod study;

use clap::Parser;
use std::num::NonZero;
use std::process::ExitCode;
use std::thread;
use stop::{Stop, line, wrong};
use vorrang_lab::check::Check;
use vorrang_lab::emulator::Time;
use vorrang_lab::evidence::Evidence;
use vorrang_lab::kernel::LINES;
use vorrang_lab::runner::{self, Run};
use vorrang_lab::scenario;
use vorrang_lab::written::Scenario;

/// Unmodified Linux kernels in QEMU, with deterministic time
///
/// Exit codes: 0 everything expected was observed, 1 something was not, 2 the command line is
/// wrong, 4 the host cannot do it.
#[derive(Debug, Parser)]
#[command(name = "vorrang-lab", verbatim_doc_comment)]
enum Arguments {
    /// List the scenarios with their kernels
    List,
    /// Download the newest kernel of each line
    Fetch,
    /// Run scenarios, on each of their kernels
    Run(Asked),
    /// Build the source package of the module `timer_shield` by DKMS, for each line of kernels; part of `run ci` and `run all`
    Dkms(packaged::Asked),
    /// The published experiment with reserved interrupt threads, measured beside simulated beside bound
    Experiment(study::Asked),
}

#[derive(Debug, clap::Args)]
struct Asked {
    /// Their names; `all` for all on all their kernels, `ci` for all, less of those that take minutes
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// The most machines at once [default: the processors of this machine]
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<NonZero<usize>>,
    /// On this line of kernels only
    #[arg(long, value_name = "LINE")]
    kernel: Option<String>,
    /// By the host's clock, with KVM where it can be opened; the times that are checked may not hold
    #[arg(long)]
    wall_clock: bool,
    /// Faults at every this many calls only
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    stride: u32,
    /// Print the observations as lines of JSON
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    let done = match Arguments::parse() {
        Arguments::List => {
            list();
            Ok(0)
        }
        Arguments::Fetch => fetch(),
        Arguments::Run(run) => run.run(),
        Arguments::Dkms(asked) => asked.run(),
        Arguments::Experiment(asked) => asked.run(),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(Stop { code, failure }) => {
            eprintln!("error: {failure}");
            ExitCode::from(code)
        }
    }
}

fn list() {
    for Scenario { name, shows, kernels, .. } in scenario::all() {
        println!("{name:<24} {:<16} {shows}", kernels.join(" "));
    }
}

fn fetch() -> Result<u8, Stop> {
    for line in LINES {
        let kernel = line.fetch()?;
        println!("{}: {}", kernel.line, kernel.packages.join(", "));
    }
    Ok(0)
}

/// In `ci`, faults are tried at every this many calls: a prime, so that no pattern of calls is always missed.
const STRIDE_OF_CI: u32 = 13;

impl Asked {
    fn run(&self) -> Result<u8, Stop> {
        let (runs, left_out) = self.runs()?;
        let programs = scenario::programs_of(runs.iter().map(|run| &run.scenario))?;
        let mut failed = Vec::new();
        runner::run(&runs, &programs, self.jobs(), |run, evidence| {
            let checks = run.scenario.checks(evidence);
            self.show(run, evidence, &checks);
            failed.extend(checks.into_iter().filter(|check| !check.holds).map(|check| {
                let (name, release) = (&run.scenario.name, &run.kernel.release);
                format!("{name} on {release}: {}: {}", check.what, check.seen)
            }));
        })?;
        if self.names.iter().any(|name| name == "all" || name == "ci") {
            let in_brief = !self.names.iter().any(|name| name == "all");
            let only = line(self.kernel.as_deref())?;
            failed.extend(packaged::try_all(only, in_brief, self.json)?);
        }
        for left_out in left_out {
            eprintln!("left out: {left_out}");
        }
        // Repeated at the end of the output, where a reader of a long log looks.
        for failed in &failed {
            eprintln!("NOT {failed}");
        }
        Ok(u8::from(!failed.is_empty()))
    }

    fn jobs(&self) -> NonZero<usize> {
        let processors = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        self.jobs.unwrap_or_else(processors)
    }

    /// All runs, and the omissions of `ci`.
    fn runs(&self) -> Result<(Vec<Run>, Vec<String>), Stop> {
        let only = line(self.kernel.as_deref())?;
        let ci = self.names.iter().any(|name| name == "ci");
        let (mut runs, mut left_out) = (Vec::new(), Vec::new());
        for mut scenario in self.scenarios()? {
            if self.wall_clock {
                scenario.machine.time = Time::WallClock;
            }
            let thinned = ci && scenario.can_be_thinned();
            let stride = if thinned { STRIDE_OF_CI } else { self.stride };
            if thinned {
                left_out.push(format!("{}: calls but every {STRIDE_OF_CI}th", scenario.name));
            }
            for line in scenario.lines(only) {
                if ci && !scenario.ci.iter().any(|name| name == line.name) {
                    left_out.push(format!("{} on {}", scenario.name, line.name));
                    continue;
                }
                runs.push(Run { scenario: scenario.clone(), kernel: line.kernel()?, stride });
            }
        }
        Ok((runs, left_out))
    }

    fn scenarios(&self) -> Result<Vec<Scenario>, Stop> {
        if self.names.iter().any(|name| name == "all" || name == "ci") {
            return Ok(scenario::all());
        }
        let named = |name: &String| {
            let found = scenario::all().into_iter().find(|scenario| scenario.name == *name);
            found.ok_or_else(|| {
                wrong(format!("there is no scenario {name}: `vorrang-lab list` shows all"))
            })
        };
        self.names.iter().map(named).collect()
    }

    /// The result of a run.
    fn show(&self, run: &Run, evidence: &Evidence, checks: &[Check]) {
        if self.json {
            for record in &evidence.records {
                println!("{}", serde_json::to_string(record).expect("records have no maps"));
            }
            for check in checks {
                println!("{}", serde_json::to_string(check).expect("checks have no maps"));
            }
            return;
        }
        let [worked, took] = [evidence.worked, evidence.took].map(|time| time.as_secs_f64());
        let Run { scenario, kernel, .. } = run;
        println!(
            "{} on {} ({worked:.1} s of a processor, in {took:.1} s)",
            scenario.name, kernel.release
        );
        for check in checks {
            println!("  {check}");
        }
    }
}
