//! How many jobs a second the simulator runs while it writes a trace, and how large that is: ten
//! periodic tasks on a core, and the same tasks in two deferrable servers. Each is run without a
//! trace, with one that goes nowhere, and with one in a file (the first argument, or one in the
//! directory for temporary files, removed afterwards). Prints the share of the rate without a
//! trace that is left, and the memory that all of it took:
//!
//! ```text
//! cargo run --release -p vorrang-trace --example traced -- /dev/shm/trace.pftrace
//! ```

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant as Clock;
use vorrang_model::system::{Member, Server, ServerRule, Supply, SupplyId, SupplyKind, System};
use vorrang_model::{Format, read};
use vorrang_sim::{Job, Observer, Pattern, Simulator};
use vorrang_time::{Duration, Instant};
use vorrang_trace::Trace;

const REF10: &str = include_str!("../../../examples/ref10.toml");
const CORE: SupplyId = SupplyId(0);
/// 930 000 jobs.
const HORIZON: Instant = Instant::from_ns(2_000_000_000_000);

/// The tasks of a core, dealt out to so many deferrable servers in turn.
fn in_servers(mut system: System, count: usize) -> System {
    let servers: Vec<SupplyId> = (1..=count).map(SupplyId).collect();
    let members = std::mem::take(&mut system.supplies[CORE.0].members);
    for &id in &servers {
        system.supplies[CORE.0].members.push(Member::Server(id));
        system.supplies.push(Supply {
            name: format!("vcpu.{}", id.0),
            kind: SupplyKind::Server(Server {
                rule: ServerRule::Deferrable,
                budget: Duration::from_us(5000 / count as u64),
                period: Duration::from_us(5000),
                ..Server::default()
            }),
            ..Supply::default()
        });
    }
    for (member, &on) in members.into_iter().zip(servers.iter().cycle()) {
        let Member::Task(task) = member else { continue };
        system.tasks[task.0].on = on;
        system.supplies[on.0].members.push(member);
    }
    system
}

#[derive(Default)]
struct Count(u64);

impl Observer for Count {
    #[inline]
    fn completed(&mut self, _job: &Job, _at: Instant) {
        self.0 += 1;
    }
}

/// Jobs and jobs a second of a run that `observer` watches too.
fn timed(system: &System, observer: impl Observer) -> (u64, u64) {
    let pattern = Pattern::parse("synchronous", system).expect("it is one");
    let history = pattern.history(system, CORE).expect("covered");
    let mut simulator = Simulator::new(system, CORE).expect("covered");
    let mut watched = (Count::default(), observer);
    let begin = Clock::now();
    simulator.run(&history, HORIZON, &mut watched);
    let jobs = watched.0.0;
    let rate = u128::from(jobs) * 1_000_000 / begin.elapsed().as_micros().max(1);
    (jobs, u64::try_from(rate).expect("fewer jobs"))
}

/// Jobs a second with a trace that goes to `out`.
fn traced(system: &System, out: impl Write) -> io::Result<u64> {
    let mut trace = Trace::new(system, out);
    let mut core = trace.core(CORE, |_| None);
    let (_, rate) = timed(system, &mut core);
    core.finish();
    trace.finish()?;
    Ok(rate)
}

/// What Linux says about the memory that this took at most.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find(|line| line.starts_with("VmHWM")).map(str::to_owned)
}

fn main() -> io::Result<()> {
    let own = || std::env::temp_dir().join(format!("vorrang-{}.pftrace", std::process::id()));
    let (path, kept) = match std::env::args().nth(1) {
        Some(path) => (PathBuf::from(path), true),
        None => (own(), false),
    };
    let ref10 = read(REF10, Format::Toml).expect("it is right");
    let servers = in_servers(ref10.clone(), 2);
    for (name, system) in [("ref10", ref10), ("ref10-in-two-servers", servers)] {
        let (jobs, alone) = timed(&system, ());
        let nowhere = traced(&system, io::sink())?;
        let file = traced(&system, File::create(&path)?)?;
        let bytes = std::fs::metadata(&path)?.len();
        let ratio = |rate: u64| {
            let percent = rate * 100 / alone.max(1);
            format!("{}.{:02}", percent / 100, percent % 100)
        };
        println!("ratio {name}-trace {} ({nowhere} of {alone} jobs/s)", ratio(nowhere));
        println!(
            "ratio {name}-trace-in-a-file {} ({file} of {alone} jobs/s, {} bytes/job)",
            ratio(file),
            bytes / jobs
        );
    }
    if let Some(line) = peak_memory() {
        println!("{line}");
    }
    if !kept {
        std::fs::remove_file(path)?;
    }
    Ok(())
}
