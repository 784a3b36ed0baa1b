//! The storm of `host-storm` in the kernel's trace: what the thread above the guest lacks of its budget, and what had it.
//!
//! **Model.** In each period the thread is on the processor for its budget, by `sched_switch`. It computes for less:
//! within these intervals the timer of the thread that raises interrupts comes, and the kernel charges it to the interrupted thread.
//! What is left is the entries and exits of these interrupts, and the parts of a switch before and after the clock is read.
//!
//! **Assumption.** The trace itself takes time, within interrupts and switches: so more is missing than without it.

use super::host_storm::raiser;
use super::raised::{self, LENGTH_MS, RUNNING, Raiser};
use super::{Check, Scenario, host_storm};
use crate::evidence::Evidence;
use crate::host::guest::{counted, file};
use crate::host::interrupted::Trial;
use crate::host::{MS, READ_MS};
use vorrang_guest::{Plan, Step};
use vorrang_probe::Told as Counted;

/// The one with the guest that halts: it has more decisions.
const TRIAL: Trial = Trial { name: "on-halts", work: "halts", rival: 6, reserved: true };
/// A storm of 0.4 s. What starts and ends the trace is of `SCHED_OTHER`, which it leaves nothing: so the trace begins before it.
const COUNT: usize = 8_000;
const TRACED: u64 = 1000 * MS;
/// A period of it has so many at least.
const MANY: u64 = 50;
const PERIOD: u64 = 20 * MS;
/// The thread may be on the processor for less than its budget by so much, in nanoseconds: the trace has microseconds.
const SHORT: u64 = 10_000 + 1_000;
/// And for more: part of each switch, and what all parked threads have of a second.
const OVER: u64 = 5 * MS;
/// Before and after each interrupt: its entry and exit, and part of two switches, with what the trace takes.
const AROUND: u64 = 6_000;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-storm-traced",
        shows: "in a storm a server of vorrang-host is on the processor for its budget in every period, by the kernel's trace",
        files: || raised::files([(TRIAL.name, TRIAL.description())].into_iter()),
        plan,
        checks,
        ..host_storm::scenario()
    }
}

fn plan() -> Plan {
    let counted = counted(TRIAL.name);
    let raiser = Raiser { count: COUNT, ..raiser(&TRIAL) };
    let events =
        ["sched/sched_switch", "irq_vectors/local_timer_entry", "irq_vectors/local_timer_exit"];
    let mut steps = vec![
        Step::RememberState,
        raised::counting(&counted),
        raiser.start(),
        raised::settled(),
        Step::Start { command: raised::command(&file(TRIAL.name), true) },
        Step::Await { path: RUNNING.to_owned(), text: String::new(), limit: 10_000 * MS },
        Step::StartTrace { events: events.map(str::to_owned).to_vec() },
        Step::Sleep { time: TRACED },
        Step::EndTrace,
        Step::Sleep { time: LENGTH_MS * MS },
    ];
    steps.extend(raised::read(&counted, "read"));
    steps.extend(raiser.ended());
    steps.push(Step::CompareState);
    Plan { steps }
}

/// A period: the time on the processor, that of interrupts within it, their number, and the work.
struct Period {
    on: u64,
    interrupts: u64,
    count: u64,
    work: u64,
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let counted = match raised::told::<Counted>(TRIAL.name, &counted(TRIAL.name), evidence) {
        Ok(counted) => counted,
        Err(why) => return vec![why],
    };
    let periods = periods(&counted, evidence);
    let budget = TRIAL.rival * MS;
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
