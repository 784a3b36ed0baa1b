//! Round trips of pings against the period of the reservation that answers them.
//!
//! **Model.** The thread that polls has a third of its processor, as published. A competitor has a half, and
//! computes for 20 ms once a second; the publication does not state its load. The thread of the
//! interrupt, which wakes the one that polls, has a tenth: as `SCHED_FIFO` it would wait for both. A ping is answered when that thread and then the one that polls have run;
//! what a round trip takes on the other host and on the way is in the shortest one.
//!
//! **Assumption.** Only the competitor's runtime is exhausted.
//!
//! **Not covered.** The published longest trips are several periods longer than any reservation
//! makes them: they hold queues of traffic that was not published.

use super::case::CPU;
use super::measured::Look;
use super::network::{HANDLER, account, thread};
use super::predicted::{Predicted, of_task};
use super::verdict::{ELSEWHERE, commands};
use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::words;
use std::fmt::Write as _;
use vorrang_guest::{LoadedTask, Policy, Record, Step, Work};

const MS: u64 = 1_000_000;
/// Pings with each reservation, 5 ms apart.
const PINGS: usize = 800;
/// The execution time, period and number of the competitor's jobs: as long as there are pings.
const RIVAL: (u64, u64, u32) = (20 * MS, 1000 * MS, 4);
/// The time of a ping in the thread of the interrupt and in the polling one, rounded up from their observed
/// times.
const TAKES: [u64; 2] = [MS / 5, MS / 4];
/// The reservation of the thread of the interrupt.
const INTERRUPT: (u64, u64) = (3 * MS / 10, 3 * MS);

/// A reservation, and what was published of it: shortest, mean and longest, in ms.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// In milliseconds.
    pub budget: u64,
    /// In milliseconds.
    pub period: u64,
    /// As printed.
    pub published: [&'static str; 3],
}

const fn point(budget: u64, published: [&'static str; 3]) -> Point {
    Point { budget, period: 3 * budget, published }
}

/// All published ones.
pub const POINTS: &[Point] = &[
    point(1, ["0.062", "0.109", "16.498"]),
    point(2, ["0.057", "0.105", "36.504"]),
    point(3, ["0.058", "0.103", "38.684"]),
    point(4, ["0.058", "0.101", "50.991"]),
    point(5, ["0.059", "0.102", "50.928"]),
    point(6, ["0.058", "0.103", "52.814"]),
    point(7, ["0.059", "0.104", "79.782"]),
];

impl Point {
    fn rival(&self) -> u64 {
        self.period * MS / 2
    }

    /// The description of what answers.
    pub fn description(&self) -> String {
        let mut text = format!(
            "version = 1\n\n[core.0]\nscheduler = \"linux\"\nfair-server = \"none\"\ncpu = {CPU}\n"
        );
        let mut member = |name: &str, budget: u64, period: u64, wcet: u64, every: u64| {
            let _ = write!(
                text,
                "\n[server.{name}]\non = \"core.0\"\nserver = \"sched-deadline\"\n\
                 budget = \"{budget}ns\"\nperiod = \"{period}ns\"\n\
                 \n[task.{name}]\non = \"server.{name}\"\nwcet = \"{wcet}ns\"\n\
                 period = \"{every}ns\"\ndeadline = \"none\"\n"
            );
        };
        let (budget, period) = (self.budget * MS, self.period * MS);
        member("interrupt", INTERRUPT.0, INTERRUPT.1, TAKES[0], 4 * MS);
        member("handler", budget, period, TAKES[1], 4 * MS);
        member("rival", self.rival(), period, RIVAL.0, RIVAL.1);
        text
    }

    /// The prediction for a round trip, without its time elsewhere: one thread after the other.
    pub fn predicted(&self) -> Predicted {
        let parts =
            ["task.interrupt", "task.handler"].map(|name| of_task(self.description(), name));
        let [first, second] = &parts;
        Predicted {
            bound: first.bound.zip(second.bound).map(|(first, second)| first + second),
            simulated: first.simulated.zip(second.simulated).map(|(first, second)| first + second),
            reason: first.reason.clone().or_else(|| second.reason.clone()),
        }
    }
}

fn reserved(budget: u64, period: u64) -> Policy {
    Policy::Deadline { runtime: budget, deadline: period, period, reclaims: false }
}

/// All steps.
pub(crate) fn steps() -> Vec<Step> {
    let mut steps = vec![thread("irq/10-eth0", None, reserved(INTERRUPT.0, INTERRUPT.1))];
    // The hosts learn of each other.
    steps.push(ping(1));
    for point in POINTS {
        let rival = LoadedTask {
            name: "rival".to_owned(),
            cpu: Some(CPU),
            policy: reserved(point.rival(), point.period * MS),
            offset: 0,
            period: RIVAL.1,
            jobs: RIVAL.2,
            work: Work::Compute(RIVAL.0),
        };
        let policy = reserved(point.budget * MS, point.period * MS);
        steps.push(thread(&format!("{HANDLER}*"), None, policy));
        let pings = vec![account(), ping(PINGS), account()];
        steps.push(Step::Meanwhile { tasks: vec![rival], steps: pings });
    }
    steps
}

fn ping(count: usize) -> Step {
    let line = format!("/init network enter /bin/busybox ping -i 0.005 -c {count} 10.9.0.2");
    Step::Run { command: words(&line) }
}

/// The observations with one reservation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trips {
    /// Round trips in nanoseconds, the shortest first.
    pub all: Vec<u64>,
    /// How long it took.
    pub elapsed: u64,
    /// Time that `ksoftirqd` received meanwhile.
    pub soft: u64,
    /// Time that the thread that polls received meanwhile.
    pub handler: u64,
    /// Time that the thread of the interrupt received meanwhile.
    pub interrupt: u64,
}

impl Trips {
    /// Shortest, mean and longest.
    pub fn summary(&self) -> [u64; 3] {
        let mean = self.all.iter().sum::<u64>() / (self.all.len() as u64).max(1);
        let end = |one: Option<&u64>| one.copied().unwrap_or_default();
        [end(self.all.first()), mean, end(self.all.last())]
    }
}

/// With every reservation, in their order; ends before the first that is not complete.
pub fn trips(evidence: &Evidence) -> Vec<Trips> {
    let told = |record: &&Record| match record {
        Record::Account { .. } => true,
        Record::Ran { command, .. } => command.iter().any(|word| word == "ping"),
        _ => false,
    };
    // The first ping is that by which the hosts learn of each other.
    let records: Vec<&Record> = evidence.records.iter().filter(told).skip(1).collect();
    records.chunks_exact(3).map_while(|three| of_point(three[0], three[1], three[2])).collect()
}

fn of_point(before: &Record, ran: &Record, after: &Record) -> Option<Trips> {
    let (before, after) = (Look::of(before)?, Look::of(after)?);
    let Record::Ran { output, .. } = ran else { return None };
    let time = |name: &str| after.time(name)?.checked_sub(before.time(name)?);
    let mut all: Vec<u64> = output.lines().filter_map(round_trip).collect();
    all.sort_unstable();
    Some(Trips {
        all,
        elapsed: after.at - before.at,
        soft: time("ksoftirqd/1")?,
        handler: time(HANDLER)?,
        interrupt: time("irq/10-eth0")?,
    })
}

/// `64 bytes from 10.9.0.2: seq=7 ttl=64 time=0.123 ms`, in nanoseconds.
pub(crate) fn round_trip(line: &str) -> Option<u64> {
    let (_, rest) = line.split_once("time=")?;
    let (whole, part) = rest.strip_suffix(" ms")?.split_once('.')?;
    let micros: u64 = format!("{part:0<3}").get(..3)?.parse().ok()?;
    Some((whole.parse::<u64>().ok()? * 1000 + micros) * 1000)
}

/// The checks.
pub(crate) fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![commands(evidence)];
    let trips = trips(evidence);
    let seen = format!("{} of {}", trips.len(), POINTS.len());
    checks.push(Check::new("reservations that are complete", seen, trips.len() == POINTS.len()));
    for (point, trips) in POINTS.iter().zip(&trips) {
        checks.extend(of_trips(point, trips));
    }
    if let (Some(first), Some(last)) = (trips.first(), trips.last()) {
        let ([least, _, short], [other, _, long]) = (first.summary(), last.summary());
        let seen = format!("{} us, not {} us", long / 1000, short / 1000);
        checks.push(Check::new("the longest grows with the period", seen, long > short));
        let seen = format!("{} us and {} us", least / 1000, other / 1000);
        let alike = least.abs_diff(other) * 10 <= least;
        checks.push(Check::new("the shortest does not, but for a tenth", seen, alike));
    }
    checks
}

fn of_trips(point: &Point, trips: &Trips) -> Vec<Check> {
    let of = |what: &str| format!("{} ms of {} ms: {what}", point.budget, point.period);
    let us = |time: u64| format!("{} us", time / 1000);
    let [shortest, _, longest] = trips.summary();
    let pings = trips.all.len() as u64;
    let answered =
        Check::new(of("pings that are answered"), pings.to_string(), pings == PINGS as u64);
    let seen =
        format!("{} and {}", us(trips.interrupt / PINGS as u64), us(trips.handler / PINGS as u64));
    let described = trips.interrupt <= TAKES[0] * pings && trips.handler <= TAKES[1] * pings;
    let takes = Check::new(of("of both threads a ping takes what is described"), seen, described);
    let elapsed = trips.elapsed;
    let moved = Check::new(
        of("ksoftirqd does nothing in their place"),
        format!("{} of {}", us(trips.soft), us(elapsed)),
        trips.soft * ELSEWHERE <= elapsed,
    );
    let Predicted { bound: Some(bound), simulated: Some(simulated), .. } = point.predicted() else {
        return vec![answered, Check::new(of("it is bounded and simulated"), "no", false)];
    };
    let seen = format!("{}, {} and {}", us(bound), us(simulated), us(longest - shortest));
    let holds = bound >= simulated && simulated >= longest - shortest;
    let ordered = Check::new(
        of("bound >= simulation >= what the longest takes more than the shortest"),
        seen,
        holds,
    );
    vec![answered, takes, moved, ordered]
}

/// A table in Markdown.
pub fn table(heading: &str, trips: &[Trips]) -> String {
    let mut text = format!(
        "{heading}:\n\n\
         | reserved [ms] | published: shortest [ms] | mean | longest | measured: shortest [ms] | mean | longest | simulated | bound |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
    );
    let ms = |time: u64| format!("{}.{:03}", time / 1_000_000, time / 1000 % 1000);
    for (point, trips) in POINTS.iter().zip(trips) {
        let summary = trips.summary();
        let predicted = point.predicted();
        let with = |time: Option<u64>| time.map_or("–".to_owned(), |time| ms(time + summary[0]));
        let [least, mean, longest] = summary.map(ms);
        let _ = writeln!(
            text,
            "| {} of {} | {} | {least} | {mean} | {longest} | {} | {} |",
            point.budget,
            point.period,
            point.published.join(" | "),
            with(predicted.simulated),
            with(predicted.bound),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_are_read_from_what_ping_says() {
        let line = "64 bytes from 10.9.0.2: seq=0 ttl=64 time=12.034 ms";
        assert_eq!(round_trip(line), Some(12_034_000));
        assert_eq!(round_trip("PING 10.9.0.2 (10.9.0.2): 56 data bytes"), None);
    }

    #[test]
    fn every_reservation_is_bounded_and_simulated() {
        for point in POINTS {
            let Predicted { bound, simulated, .. } = point.predicted();
            let (bound, simulated) = (bound.expect("a bound"), simulated.expect("simulated"));
            assert!(simulated <= bound, "{} ms", point.period);
            // The competitor alone makes it wait for its budget.
            assert!(simulated > point.rival(), "{} ms", point.period);
        }
    }
}
