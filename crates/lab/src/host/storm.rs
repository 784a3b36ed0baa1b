//! A storm of interrupts of a guest: the budget of what is above it, how often the dispatcher wakes, and the kernel's trace.
//!
//! **Model.** In each period the thread is on the processor for its budget, by `sched_switch`. It computes for less:
//! within these intervals the timer of the thread that raises interrupts comes, and the kernel charges it to the interrupted thread.
//! What is left is the entries and exits of these interrupts, and the parts of a switch before and after the clock is read.
//!
//! **Assumption.** The trace itself takes time, within interrupts and switches: so more is missing than without it.

use super::dispatcher::MS;
use super::raised::{self, LENGTH_MS, Raiser, content, counted, trials};
use super::rival::{self, budget_ms};
use super::trial::READ_MS;
use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use vorrang_guest::counted::Told as Counted;

/// Of all servers.
const PERIOD: u64 = 20 * MS;
/// A timer of the raiser interrupts, and its time is charged to the interrupted thread: so long at most, with what the switches
/// leave in it.
const TIMER_NS: u64 = 5_000;
/// A period of it has so many at least.
const MANY: u64 = 50;
/// The thread may be on the processor for less than its budget by so much, in nanoseconds: the trace has microseconds.
const SHORT: u64 = 10_000 + 1_000;
/// And for more: part of each switch, and what all parked threads have of a second.
const OVER: u64 = 5 * MS;
/// Before and after each interrupt: its entry and exit, and part of two switches, with what the trace takes.
const AROUND: u64 = 6_000;

/// Budgets are kept, and few interrupts wake the dispatcher.
pub(crate) fn kept(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let raiser: Raiser = of.given("raiser");
    let most = rival::SHORT + PERIOD / raiser.apart * TIMER_NS;
    raised::of_each(of, evidence, |trial, said| {
        let woken = woken(&trial.name, said.output, raiser.count as u64);
        vec![woken, rival::supplied(of, &trial.name, most, said.origin(), evidence)]
    })
}

/// How often the dispatcher woke, and how many interrupts it was told of.
fn woken(name: &str, output: &str, count: u64) -> Check {
    let number = |line: &str, place| line.split(' ').nth(place)?.parse::<u64>().ok();
    let decisions = output.lines().find(|line| line.contains(" decisions, "));
    let decisions = decisions.and_then(|line| number(line, 0)).unwrap_or(u64::MAX);
    let told = output.lines().find_map(|line| line.strip_prefix("interrupt.card: raised "));
    let told = told.and_then(|line| number(line, 0)).unwrap_or(0);
    let seen = format!(
        "{decisions} decisions in {LENGTH_MS} ms, {} thousandths for each of {count}; {told} were counted",
        decisions.saturating_mul(1000) / count
    );
    let what = format!("{name}: at most a decision for each two interrupts");
    // Those after the last one that it was told of are not.
    let holds = decisions <= count / 2 && told > count * 9 / 10 && told <= count;
    Check::new(what, seen, holds)
}

/// A period: the time on the processor, that of interrupts within it, their number, and the work.
struct Period {
    on: u64,
    interrupts: u64,
    count: u64,
    work: u64,
}

/// The thread above the guest in the kernel's trace.
pub(crate) fn traced(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let name = &trials(of)[0].name;
    let counted = match content::<Counted>(name, &counted(name), evidence) {
        Ok(counted) => counted,
        Err(why) => return vec![why],
    };
    let mut checks = Vec::new();
    let periods = periods(&counted, evidence);
    let budget = budget_ms(of, name) * MS;
    let on = || periods.iter().map(|period| period.on);
    let short = on().map(|on| budget.saturating_sub(on)).max().unwrap_or(budget);
    let over = on().map(|on| on.saturating_sub(budget)).max().unwrap_or(budget);
    checks.push(Check::new(
        "the thread is on the processor for its budget in every period",
        format!("short by at most {short} ns, over by at most {over} ns in {}", periods.len()),
        periods.len() > 10 && short <= SHORT && over <= OVER,
    ));
    let all = |of: fn(&Period) -> u64| periods.iter().map(of).sum::<u64>();
    let lacks = all(|one| one.on).saturating_sub(all(|one| one.work));
    let within = all(|one| one.interrupts);
    let count = all(|one| one.count).max(1);
    let rest = lacks.saturating_sub(within) / count;
    checks.push(Check::new(
        "what it lacks there is the time of timers that interrupt it",
        format!(
            "{} us, of these {} us within {count} interrupts, and {rest} ns before and after each",
            lacks / 1000,
            within / 1000
        ),
        within <= lacks && rest <= AROUND,
    ));
    checks
}

/// Those of the storm that were traced and counted as a whole.
fn periods(counted: &Counted, evidence: &Evidence) -> Vec<Period> {
    let schedule = &evidence.schedule;
    let runs: Vec<_> = schedule.runs_of("rival").collect();
    let (Some(first), Some(last)) = (runs.first(), runs.last()) else { return Vec::new() };
    let begin = first.begin.next_multiple_of(PERIOD);
    let place = counted.read.iter().position(|(at, _)| *at == begin);
    let Some(place) = place else { return Vec::new() };
    let every = usize::try_from(PERIOD / (READ_MS * MS)).expect("few");
    let count = usize::try_from(last.begin.saturating_sub(begin) / PERIOD).expect("few");
    let one = |number: usize| {
        let from = begin + number as u64 * PERIOD;
        let readings = place + number * every..place + (number + 1) * every;
        let work = readings.map(|reading| counted.between(&counted.threads[0], reading)).sum();
        let own = runs.iter().filter(|run| (from..from + PERIOD).contains(&run.begin));
        let (mut interrupts, mut count) = (0, 0);
        for run in own {
            let within = |at: u64| run.begin <= at && at <= run.end;
            for one in schedule.vectors.iter().filter(|one| within(one.begin) && within(one.end)) {
                interrupts += one.end - one.begin;
                count += 1;
            }
        }
        Period { on: schedule.received("rival", from, from + PERIOD), interrupts, count, work }
    };
    (0..count).map(one).filter(|period| period.count >= MANY).collect()
}
