//! Pings of a Linux in a virtual machine whose budget is exhausted, as the thread of a server above it computes all the time.
//!
//! **Assumption.** Between two pings lie 37 ms, so that they meet the period of 20 ms at 20 places.

use super::dispatcher::MS;
use super::raised::{self, CARD, LENGTH_MS, RUNNING, Said, counted, file, system, told};
use super::rival::{self, SHORT};
use crate::check::Check;
use crate::evidence::Evidence;
use crate::experiment::ping::round_trip;
use crate::written::{Scenario, words};
use vorrang_guest::{Policy, Step};

const PINGS: usize = 40;
/// A round trip that waits for no budget takes less.
const SOON: u64 = 300_000;
/// The file of those before any server is run.
const ALONE: &str = "/run/alone";
/// The thread of QEMU's main loop; above lent threads and what wakes the dispatcher for interrupts.
const MAIN_LOOP_NAME: &str = "qemu-system-x86";
const MAIN_LOOP: u32 = 30;
const PINGING: u32 = 40;
/// What is said of interrupts that come more often than their description allows.
const SOONER: &str = " came sooner than described, so no bound holds";

/// A run, by the name of its description.
struct Trial {
    name: String,
    /// Whether the interrupt of the guest's card has a pseudo-VCPU.
    reserved: bool,
}

/// Each without a pseudo-VCPU and with one.
fn pairs(of: &Scenario) -> Vec<[Trial; 2]> {
    let pairs: Vec<[String; 2]> = of.given("trials");
    let pair = |[off, on]: [String; 2]| {
        [Trial { name: off, reserved: false }, Trial { name: on, reserved: true }]
    };
    pairs.into_iter().map(pair).collect()
}

/// Pings by the clock, with the time before and after them, once something is there; into a file.
fn pings(file: &str, once: &str) -> Vec<Step> {
    let sleep = "/bin/busybox sleep 0.1";
    // The schedule begins 100 to 200 ms after that.
    let begun = "/bin/busybox sleep 0.4";
    let uptime = "/bin/busybox cat /proc/uptime";
    let ping = format!("/bin/busybox ping -c {PINGS} -i 0.037 -W 3 10.9.0.2");
    let line = format!(
        "{sleep}; until [ -e {once} ]; do {sleep}; done; {begun}; ({uptime}; {ping}; {uptime}) > {file} 2>&1"
    );
    vec![
        Step::Start { command: ["/bin/busybox", "sh", "-c", &line].map(str::to_owned).to_vec() },
        Step::Sleep { time: 50 * MS },
        // Its children have what it has.
        Step::SetThread { name: "busybox".to_owned(), cpu: None, policy: Policy::Fifo(PINGING) },
    ]
}

/// The guest answers, and its main loop is above lent threads.
fn started() -> [Step; 2] {
    let policy = Policy::Fifo(MAIN_LOOP);
    let main_loop = Step::SetThread { name: MAIN_LOOP_NAME.to_owned(), cpu: None, policy };
    [Step::Run { command: words("/bin/busybox sh /guest.sh") }, main_loop]
}

/// It is pinged alone, and in each run.
pub(crate) fn steps(of: &Scenario) -> Vec<Step> {
    let more = of.gives("more", Vec::new()).into_iter().map(|name| Trial { name, reserved: true });
    let mut steps = started().to_vec();
    steps.extend(pings(ALONE, "/proc/uptime"));
    steps.extend([Step::Sleep { time: 2600 * MS }, Step::Read { path: ALONE.to_owned() }]);
    for Trial { name, reserved } in pairs(of).into_iter().flatten().chain(more) {
        let (counted, pinged) = (counted(&name), told(&name));
        // It may have died by itself (docs/lab-reference.md), but not while it is served.
        steps.extend(started());
        steps.push(Step::RememberState);
        steps.extend([raised::counting(&counted), raised::settled()]);
        steps.extend(pings(&pinged, RUNNING));
        steps.push(raised::run(&file(&name), reserved));
        steps.extend(raised::read(&counted, "read"));
        steps.extend([Step::Read { path: pinged }, Step::Sleep { time: 50 * MS }]);
        steps.push(Step::CompareState);
    }
    steps.push(Step::Read { path: "/run/console".to_owned() });
    steps
}

fn text<'a>(path: &'a str, evidence: &'a Evidence) -> &'a str {
    evidence.texts(path).next().unwrap_or_default()
}

/// Every ping is answered, with a pseudo-VCPU at once.
pub(crate) fn checks(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![answered("without reservations", text(ALONE, evidence))];
    let mut said = raised::said(evidence);
    let (pairs, mut soon) = (pairs(of), Vec::new());
    for trial in pairs.iter().flatten() {
        let Some(said) = said.next() else {
            checks.push(raised::not_run(&trial.name));
            continue;
        };
        let (found, percent) = of_run(of, trial, &said, evidence);
        checks.extend(found);
        soon.push(percent);
    }
    for ([off, on], trials) in soon.as_chunks().0.iter().zip(&pairs) {
        let seen = format!("{off} % without a pseudo-VCPU, {on} % with one");
        let what = format!(
            "{} and {}: answered within {} us",
            trials[0].name,
            trials[1].name,
            SOON / 1000
        );
        checks.push(Check::new(what, seen, off < on && *on == 100));
    }
    checks
}

/// The checks of a run, and how many of a hundred pings wait for no budget.
fn of_run(
    of: &Scenario,
    trial: &Trial,
    said: &Said<'_>,
    evidence: &Evidence,
) -> (Vec<Check>, usize) {
    let Trial { name, reserved } = trial;
    let file = told(name);
    let pinged = text(&file, evidence);
    let trips = round_trips(pinged);
    let mut checks = vec![said.check(name), answered(name, pinged)];
    checks.push(meanwhile(name, pinged, said.origin()));
    if *reserved {
        checks.push(said.holds(name, CARD));
    }
    let longest = trips.last().copied().unwrap_or(u64::MAX);
    let system = system(of, name);
    checks.push(raised::bounded(name, &system, (CARD, *reserved), longest, "with its way"));
    checks.push(rival::supplied(of, name, SHORT, said.origin(), evidence));
    (checks, 100 * trips.iter().filter(|trip| **trip <= SOON).count() / PINGS)
}

/// Where two interrupts are described as one, budgets are kept, some pings are late, and it is said why.
pub(crate) fn as_one(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let name = "as-one";
    let Some(said) = raised::said(evidence).nth(2) else { return vec![raised::not_run(name)] };
    let (line, file) = (said.interrupt(CARD), told(name));
    vec![
        said.check(name),
        answered(name, text(&file, evidence)),
        Check::new(format!("{name}: a wrong description is noticed"), line, line.contains(SOONER)),
        rival::supplied(of, name, SHORT, said.origin(), evidence),
    ]
}

/// Where both interrupts are described, and each has a pseudo-VCPU, everything is as with one.
pub(crate) fn each(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let name = "each";
    let Some(said) = raised::said(evidence).nth(3) else { return vec![raised::not_run(name)] };
    let file = told(name);
    let pinged = text(&file, evidence);
    let longest = round_trips(pinged).last().copied().unwrap_or(u64::MAX);
    vec![
        said.check(name),
        answered(name, pinged),
        said.holds(name, CARD),
        said.holds(name, "interrupt.sent"),
        Check::new(
            format!("{name}: answered within {} us", SOON / 1000),
            format!("{} us at most", longest / 1000),
            longest <= SOON,
        ),
        raised::bounded(name, &system(of, name), (CARD, true), longest, "with its way"),
        rival::supplied(of, name, SHORT, said.origin(), evidence),
    ]
}

/// The shortest first.
fn round_trips(text: &str) -> Vec<u64> {
    let mut trips: Vec<u64> = text.lines().filter_map(round_trip).collect();
    trips.sort_unstable();
    trips
}

fn answered(name: &str, said: &str) -> Check {
    let trips = round_trips(said);
    let middle = trips.get(trips.len() / 2).copied().unwrap_or_default() / 1000;
    let summary: Vec<&str> =
        said.lines().filter(|line| line.contains("transmitted") || line.contains("min/")).collect();
    let seen = format!("{}; in the middle {middle} us", summary.join("; "));
    Check::new(format!("{name}: every ping is answered"), seen, trips.len() == PINGS)
}

/// All pings are of the time of the schedule.
fn meanwhile(name: &str, text: &str, origin: u64) -> Check {
    let end = origin + LENGTH_MS * MS;
    let seen = between(text).map(|(from, to)| (from >= origin && to <= end, from, to));
    let what = format!("{name}: it is pinged while the servers are run");
    let (holds, from, to) = seen.unwrap_or_default();
    let ms = |at: u64| at / MS;
    let seen = format!("{} to {} ms of {} to {} ms", ms(from), ms(to), ms(origin), ms(end));
    Check::new(what, seen, holds)
}

/// The instant at the beginning of the first line of `/proc/uptime` in a text, and of the last, in nanoseconds.
fn between(text: &str) -> Option<(u64, u64)> {
    let uptime = |line: &str| -> Option<u64> {
        let (seconds, hundredths) = line.split_once(' ')?.0.split_once('.')?;
        let (seconds, hundredths): (u64, u64) = (seconds.parse().ok()?, hundredths.parse().ok()?);
        Some(seconds * 1000 * MS + hundredths * 10 * MS)
    };
    let mut uptimes = text.lines().filter_map(uptime);
    let first = uptimes.next()?;
    Some((first, uptimes.next_back()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_read_around_what_ping_says() {
        let text = "12.04 3.10\n64 bytes from 10.9.0.2: seq=0 ttl=64 time=0.169 ms\n\n13.50 3.11\n";
        assert_eq!(between(text), Some((12_040 * MS, 13_500 * MS)));
        assert_eq!(between("12.04 3.10\n"), None);
    }
}
