//! What the dispatcher of `vorrang-host` takes of its processor, by the number of servers.
//!
//! **Model.** So many threads that compute all the time, each in a server with four tenths of a millisecond of every ten.
//! The dispatcher's own processor time is that of the kernel's accounts, by the report of the run.
//!
//! **Assumption.** An instruction is a nanosecond: no caches.

use super::host_kinds::{decisions, words};
use super::{BOTH, Check, Scenario};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::image::File;
use std::fmt::Write as _;
use vorrang_guest::{Plan, Record, Step};

const MS: u64 = 1_000_000;
const KINDS: [&str; 2] = ["periodic", "deferrable"];
const SERVERS: [u64; 5] = [1, 2, 5, 10, 20];
const LENGTH_MS: u64 = 1000;
/// Of a decision, in nanoseconds; beyond that something is wrong.
const MOST_EACH: u64 = 200_000;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-growth",
        shows: "what the dispatcher of vorrang-host takes, by the number of servers",
        lines: BOTH,
        in_ci: &[],
        machine: Machine::default(),
        modules: &[],
        programs: &["vorrang-host", "vorrang-probe"],
        files,
        of_kernel: None,
        plan,
        checks,
    }
}

fn cases() -> impl Iterator<Item = (&'static str, u64)> {
    KINDS.into_iter().flat_map(|kind| SERVERS.map(|count| (kind, count)))
}

fn path((kind, count): (&str, u64)) -> String {
    format!("/{kind}-{count}.toml")
}

fn files() -> Vec<File> {
    let file = |case| File { path: path(case), bytes: description(case).into_bytes() };
    cases().map(file).collect()
}

fn description((kind, count): (&str, u64)) -> String {
    let head = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\ncpu = 0\n".to_owned();
    (1..=count).fold(head, |mut text, place| {
        let _ = write!(
            text,
            "[server.s{place}]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"400us\"\nperiod = \"10ms\"\n\
             priority = {place}\nthread = \"process:vorrang-probe/s{place}\"\n"
        );
        text
    })
}

fn plan() -> Plan {
    let mut steps = vec![Step::RememberState];
    let threads = (1..=SERVERS[SERVERS.len() - 1]).map(|place| format!(" s{place}=always"));
    let probe =
        format!("/bin/vorrang-probe /run/never 10ms 1000000{}", threads.collect::<String>());
    steps.extend([Step::Start { command: words(&probe) }, Step::Sleep { time: 200 * MS }]);
    for case in cases() {
        let run =
            format!("/bin/vorrang-host run {} --unproven --yes --for {LENGTH_MS}ms", path(case));
        steps.push(Step::Run { command: words(&run) });
    }
    Plan { steps }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut ran = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { exit, output, errors, .. } => Some((*exit, output, errors)),
        _ => None,
    });
    let check = |(kind, count)| {
        let what = format!("{count} {kind} servers: the dispatcher");
        let Some((exit, output, errors)) = ran.next() else {
            return Check::new(what, "it did not run", false);
        };
        let Some((steps, each)) = decisions(output) else {
            return Check::new(what, format!("exit code {exit}: {errors}"), false);
        };
        let thousandths = steps * each / (LENGTH_MS * MS / 100_000);
        let seen = format!(
            "{steps} decisions in a second, {each} ns each, {}.{:03} % of the processor",
            thousandths / 1000,
            thousandths % 1000
        );
        // At least the end of each budget is one.
        let holds = exit == 0 && steps >= count * LENGTH_MS / 10 && each <= MOST_EACH;
        Check::new(what, seen, holds)
    };
    cases().map(check).collect()
}
