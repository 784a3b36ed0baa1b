//! The program `vorrang-lab`: lists scenarios, runs them, fetches kernels.

use clap::Parser;
use std::process::ExitCode;
use vorrang_lab::emulator::Time;
use vorrang_lab::failure::Failure;
use vorrang_lab::kernel::{LINES, Line};
use vorrang_lab::scenario::{self, Check, Scenario};

/// Unmodified Linux kernels in QEMU, with deterministic time
///
/// Exit codes: 0 everything that must be seen was seen, 1 something was not, 2 the command line is
/// wrong, 4 the host cannot do it.
#[derive(Debug, Parser)]
#[command(name = "vorrang-lab", verbatim_doc_comment)]
enum Arguments {
    /// The scenarios, and the kernels each is for
    List,
    /// Download the newest kernel of each line
    Fetch,
    /// Run scenarios, on every kernel that each is for
    Run(Run),
}

#[derive(Debug, clap::Args)]
struct Run {
    /// Their names; `all` for all on all their kernels, `ci` for all, long ones on the newest kernel only
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// On this line of kernels only
    #[arg(long, value_name = "LINE")]
    kernel: Option<String>,
    /// By the host's clock, with KVM where it can be opened; the times that are checked may not hold
    #[arg(long)]
    wall_clock: bool,
    /// Print what was seen as lines of JSON
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
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(Stop { code, failure }) => {
            eprintln!("error: {failure}");
            ExitCode::from(code)
        }
    }
}

/// Why the program ends early, and its exit code.
struct Stop {
    code: u8,
    failure: Failure,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self { code: 4, failure }
    }
}

fn wrong(text: String) -> Stop {
    Stop { code: 2, failure: Failure(text) }
}

fn list() {
    for Scenario { name, shows, lines, .. } in scenario::all() {
        println!("{name:<24} {:<16} {shows}", lines.join(" "));
    }
}

fn fetch() -> Result<u8, Stop> {
    for line in LINES {
        let kernel = line.fetch()?;
        println!("{}: {}", kernel.line, kernel.packages.join(", "));
    }
    Ok(0)
}

impl Run {
    fn run(&self) -> Result<u8, Stop> {
        let scenarios = self.scenarios()?;
        let only = match &self.kernel {
            Some(name) => Some(Line::named(name).ok_or_else(|| {
                let known: Vec<&str> = LINES.iter().map(|line| line.name).collect();
                wrong(format!("there are no kernels {name}: it is one of {}", known.join(", ")))
            })?),
            None => None,
        };
        let ci = self.names.iter().any(|name| name == "ci");
        let mut held = true;
        for mut scenario in scenarios {
            if self.wall_clock {
                scenario.machine.time = Time::WallClock;
            }
            for line in LINES.iter().filter(|line| scenario.lines.contains(&line.name)) {
                let left_out = ci && scenario.takes_long && Some(line) != LINES.last();
                if only.is_none_or(|only| only == *line) && !left_out {
                    held &= self.one(&scenario, *line)?;
                }
            }
        }
        Ok(u8::from(!held))
    }

    fn scenarios(&self) -> Result<Vec<Scenario>, Stop> {
        if self.names.iter().any(|name| name == "all" || name == "ci") {
            return Ok(scenario::all());
        }
        let named = |name: &String| {
            let found = scenario::all().into_iter().find(|scenario| scenario.name == name);
            found.ok_or_else(|| {
                wrong(format!("there is no scenario {name}: `vorrang-lab list` shows all"))
            })
        };
        self.names.iter().map(named).collect()
    }

    /// One scenario on one kernel; whether everything was seen.
    fn one(&self, scenario: &Scenario, line: Line) -> Result<bool, Stop> {
        let kernel = line.kernel()?;
        let evidence = scenario.run(&kernel)?;
        let checks = (scenario.checks)(&evidence);
        if self.json {
            for record in &evidence.records {
                println!("{}", serde_json::to_string(record).expect("records have no maps"));
            }
            for check in &checks {
                println!("{}", serde_json::to_string(check).expect("checks have no maps"));
            }
        } else {
            println!(
                "{} on {} ({:.1} s)",
                scenario.name,
                kernel.release,
                evidence.took.as_secs_f64()
            );
            for Check { what, seen, holds } in &checks {
                println!("  {} {what}: {seen}", if *holds { "ok " } else { "NOT" });
            }
        }
        Ok(checks.iter().all(|check| check.holds))
    }
}
