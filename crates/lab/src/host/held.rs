//! The interrupt of an assigned device storms, and its thread has a server: what is delivered, and the work of others.
//!
//! **Model.** Where the thread has no server, all are delivered, but for some that come while servers begin and are one. Where it has one, no period has more deliveries than the
//! scenario says, and what was held back is delivered later, as one. The time of those that are not delivered is left
//! to threads that compute, which count their turns.

use super::dispatcher::MS;
use super::raised::{Said, content, counted, file, read, said, settled, told};
use super::trial::READ_MS;
use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::{Scenario, words};
use serde::Deserialize;
use vorrang_guest::Step;
use vorrang_guest::counted::Told as Counted;
use vorrang_guest::delivered::Told;

/// Servers are run for so long.
const LENGTH_MS: u64 = 1000;
/// The counters are read for so long: a proof comes before the run.
const COUNTED_MS: u64 = 9000;
/// Of all servers.
const PERIOD: u64 = 20 * MS;
/// The budget of the rival.
const BUDGET: u64 = 10 * MS;
/// Interrupts in a storm, and the time from one to the next: they are over, and what is left is delivered, before the run is.
const COUNT: u64 = 5_000;
const APART: u64 = 100_000;
/// The kernel's own time for a delivery, at least.
const DELIVERY: u64 = 2_000;
/// A thread that computes loses so much for each interrupt at most: a timer and a message.
const INTERRUPT: u64 = 6_000;

/// A run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Storm {
    name: String,
    /// The most deliveries in a period; none: all are delivered.
    most: Option<u64>,
    /// Whether the time that deliveries do not take is more than decisions do.
    #[serde(default)]
    saves: bool,
}

/// Each run: threads compute, the device is there, servers are run, and meanwhile it storms.
pub(crate) fn steps(of: &Scenario) -> Vec<Step> {
    let one = |Storm { name, .. }: Storm| {
        let (counted, told) = (counted(&name), told(&name));
        let readings = COUNTED_MS / READ_MS;
        let compute = format!(
            "/bin/vorrang-probe {counted} {READ_MS}ms {readings} rival=always other=always"
        );
        let storm = format!(
            "/bin/vorrang-device {told} {COUNT} {}us {}",
            APART / 1000,
            super::raised::RUNNING
        );
        let run =
            format!("/bin/vorrang-host run {} --unproven --yes --for {LENGTH_MS}ms", file(&name));
        let mut steps: Vec<Step> =
            [compute, storm].map(|line| Step::Start { command: words(&line) }).into();
        steps.extend([settled(), Step::Run { command: words(&run) }]);
        steps.extend(read(&told, "raised"));
        steps.extend(read(&counted, "read"));
        let end = "/bin/busybox killall -9 vorrang-device vorrang-probe";
        steps.extend([Step::Run { command: words(end) }, Step::Sleep { time: 100 * MS }]);
        steps
    };
    storms(of).into_iter().flat_map(one).collect()
}

fn storms(of: &Scenario) -> Vec<Storm> {
    of.given("storms")
}

/// What was delivered in each run, and what others could do meanwhile.
pub(crate) fn checks(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let (mut checks, mut without) = (Vec::new(), None);
    for (storm, said) in storms(of).into_iter().zip(said(evidence)) {
        checks.push(said.check(&storm.name));
        match seen(&storm.name, &said, evidence) {
            Ok(seen) => {
                checks.extend(seen.checks(&storm, without.as_ref()));
                without.get_or_insert(seen);
            }
            Err(why) => checks.push(why),
        }
    }
    checks
}

/// What was seen of a run.
struct Seen {
    told: Told,
    counted: Counted,
    origin: u64,
}

fn seen(name: &str, said: &Said<'_>, evidence: &Evidence) -> Result<Seen, Check> {
    let told = content(name, &told(name), evidence)?;
    let counted = content(name, &counted(name), evidence)?;
    Ok(Seen { told, counted, origin: said.origin() })
}

impl Seen {
    fn checks(&self, storm: &Storm, without: Option<&Self>) -> Vec<Check> {
        let name = &storm.name;
        let periods: Vec<u64> = self.periods().collect();
        let (most, all) = (periods.iter().max().unwrap_or(&0), self.delivered());
        let Told { raised, interrupted, between, .. } = self.told;
        let seen = format!(
            "{all} of {raised}, at most {most} in a period of {}; {interrupted} interrupts of the processor",
            periods.len()
        );
        let last =
            self.told.delivered.iter().filter(|(_, count)| *count > 0).map(|(at, _)| *at).max();
        let is_last_delivered = last.is_some_and(|last| last >= between.1);
        let mut checks = vec![match storm.most {
            None => {
                Check::new(format!("{name}: all are delivered"), seen, all * 100 >= raised * 99)
            }
            Some(limit) => {
                let what = format!(
                    "{name}: at most {limit} are delivered in a period, and the last one later"
                );
                let holds = (1..=limit).contains(most) && periods.len() > 10 && is_last_delivered;
                Check::new(what, seen, holds && interrupted == raised)
            }
        }];
        checks.push(self.of_the_rival(name));
        if let Some(without) = without.filter(|_| storm.saves) {
            checks.push(self.more_than(without, name));
        }
        checks
    }

    /// Deliveries in each period that is within the storm.
    fn periods(&self) -> impl Iterator<Item = u64> {
        let (first, last) = self.told.between;
        let begin = self.origin + first.saturating_sub(self.origin).div_ceil(PERIOD) * PERIOD;
        let count = last.saturating_sub(begin) / PERIOD;
        (0..count).map(move |period| {
            let from = begin + period * PERIOD;
            self.told.within(from, from + PERIOD)
        })
    }

    fn delivered(&self) -> u64 {
        self.told.delivered.iter().map(|(_, count)| count).sum()
    }

    /// The rival has its budget in every period of the storm, but for what interrupts it.
    fn of_the_rival(&self, name: &str) -> Check {
        let every = usize::try_from(PERIOD / (READ_MS * MS)).expect("few");
        let (first, last) = self.told.between;
        let from = self.counted.read.iter().position(|(at, _)| {
            *at >= first.max(self.origin) && (at - self.origin).is_multiple_of(PERIOD)
        });
        let until = self.counted.read.iter().position(|(at, _)| *at >= last);
        let (from, until) = (from.unwrap_or(0), until.unwrap_or(0));
        let given = |begin: usize| -> u64 {
            (begin..begin + every)
                .map(|at| self.counted.between(&self.counted.threads[0], at))
                .sum()
        };
        let given: Vec<u64> =
            (from..until.saturating_sub(every)).step_by(every).map(given).collect();
        let short = given.iter().map(|given| BUDGET.saturating_sub(*given)).max().unwrap_or(BUDGET);
        let most = super::rival::SHORT + PERIOD / APART * INTERRUPT;
        let seen = format!("short by at most {} us in {} periods", short / 1000, given.len());
        let what = format!("{name}: the rival has its budget in every period, but for interrupts");
        Check::new(what, seen, given.len() > 10 && short <= most)
    }

    /// The time of deliveries that are held back is work of others.
    fn more_than(&self, without: &Self, name: &str) -> Check {
        let (own, other) = (self.work(), without.work());
        let held = without.delivered().saturating_sub(self.delivered());
        let seen = format!(
            "{} us instead of {} us of work, {held} deliveries fewer",
            own / 1000,
            other / 1000
        );
        let what = format!("{name}: what is held back is work of others");
        Check::new(what, seen, held > 0 && own >= other + held * DELIVERY)
    }

    /// The work of all threads in the time of a storm, from its first reading on.
    fn work(&self) -> u64 {
        let first = self.counted.read.iter().position(|(at, _)| *at >= self.told.between.0);
        let readings = usize::try_from(COUNT * APART / (READ_MS * MS)).expect("few") - 2;
        let Some(first) = first.filter(|first| first + readings < self.counted.read.len()) else {
            return 0;
        };
        let of = |thread| {
            (first..first + readings).map(|at| self.counted.between(thread, at)).sum::<u64>()
        };
        self.counted.threads.iter().map(of).sum()
    }
}
