//! Five mechanisms on one processor: whatever is required takes no longer than its bound, in the simulator and on the kernel.

use super::dispatcher::{MS, origin};
use super::handled::simulated_task;
use super::interrupts::Answered;
use super::raised::{LENGTH_MS, content};
use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use vorrang_analysis::bounds;
use vorrang_guest::Record;
use vorrang_guest::counted::Told as Counted;
use vorrang_guest::raised::Told;
use vorrang_model::system::{System, TaskId};
use vorrang_model::{Format, read};
use vorrang_time::Duration;

/// The description.
const FILE: &str = "/five-in-one.toml";
const NAME: &str = "five";
/// From the beginning on, and to the end, others are left aside.
const EDGE: u64 = 100 * MS;
/// The task on the core itself, and the interrupts of the guests: whether it has a pseudo-VCPU, and what its guest tells.
const CONTROL: &str = "task.control";
const INTERRUPTS: [(&str, bool, &str); 2] =
    [("interrupt.net", true, "/run/media"), ("interrupt.pressure", false, "/run/brake")];

/// Of each requirement, and what the status says.
pub(crate) fn checks(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    run(of, &INTERRUPTS, evidence)
}

/// In a storm of the guest with a pseudo-VCPU all others keep to their bounds, and most of what it raises is beyond its credits.
pub(crate) fn in_a_storm(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let [(stormy, ..), calm] = INTERRUPTS;
    let mut checks = run(of, &[calm], evidence);
    let status = printed("status", evidence).unwrap_or_default();
    let line = raised(stormy, status).unwrap_or("it is not in the status");
    let mut numbers = line.split(' ').filter_map(|word| word.parse::<u64>().ok());
    let (all, beyond) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    let what =
        format!("{NAME}: of a thousand and more of {stormy}, nine of ten are beyond its credits");
    checks.push(Check::new(what, line, all > 1000 && beyond * 10 > all * 9));
    checks
}

/// What is so while it is run, with these interrupts as described.
fn run(of: &Scenario, interrupts: &[(&str, bool, &str)], evidence: &Evidence) -> Vec<Check> {
    let system = read(of.text(FILE), Format::Toml).expect("it is right");
    let Some(begun) = printed("apply", evidence).and_then(origin) else {
        return vec![Check::new("it says when it begins", "it does not", false)];
    };
    let mut checks = vec![control(&system, begun, evidence)];
    for &(interrupt, reserved, file) in interrupts {
        match content::<Told>(interrupt, file, evidence) {
            Ok(told) => {
                let one = Answered::at(NAME, interrupt, reserved, (told.uncertain, begun));
                checks.extend(one.checks(&system, told.interrupts.first()).0);
            }
            Err(why) => checks.push(why),
        }
    }
    let status = printed("status", evidence).unwrap_or_default();
    checks.extend([
        as_assumed(interrupts, status),
        shielded(status),
        decisions(&system, status),
        lent("server.irq-thread", status),
    ]);
    checks
}

/// No decision took longer than a call of the scheduler is said to.
fn decisions(system: &System, status: &str) -> Check {
    let stated = system.costs.scheduler_call.as_ns();
    let took = status.split("a decision took at most ").nth(1);
    let took = took.and_then(|rest| rest.split(' ').next()?.parse::<u64>().ok());
    let seen = format!("{} of {} us", took.unwrap_or(0) / 1000, stated / 1000);
    let holds = took.is_some_and(|took| took <= stated);
    Check::new(format!("{NAME}: the longest decision takes no more than is stated"), seen, holds)
}

/// The thread of the server had the processor by its budget.
fn lent(server: &str, status: &str) -> Check {
    let line = status.lines().find(|line| line.starts_with(server));
    // Behind it are what was lost and what ran over.
    let loans = line.and_then(|line| line.split_whitespace().rev().nth(2)?.parse::<u64>().ok());
    let what = format!("{NAME}: {server} is lent to");
    Check::new(what, line.unwrap_or("it is not in the status").to_owned(), loans > Some(0))
}

/// What `vorrang` printed for a verb.
fn printed<'e>(verb: &str, evidence: &'e Evidence) -> Option<&'e str> {
    evidence.records.iter().find_map(|record| match record {
        Record::Ran { command, output, .. }
            if command.iter().any(|word| word == "/bin/vorrang")
                && command.iter().any(|word| word == verb) =>
        {
            Some(output.as_str())
        }
        _ => None,
    })
}

/// The longest response of the task, beside the simulated and the proven one.
fn control(system: &System, begun: u64, evidence: &Evidence) -> Check {
    let what = format!("{NAME}: the longest response of {CONTROL} is at most its bound");
    let told = match content::<Counted>(NAME, "/run/control", evidence) {
        Ok(told) => told,
        Err(why) => return why,
    };
    let place = system.tasks.iter().position(|task| task.name == CONTROL);
    let id = TaskId(place.expect("it is described"));
    let bound = bounds(system).task(id).bound().map_or(0, Duration::as_ns);
    let simulated = simulated_task(system, id, Duration::from_ms(LENGTH_MS));
    let (from, to) = (begun + EDGE, begun + LENGTH_MS * MS - EDGE);
    let jobs = told.threads.iter().flat_map(|thread| &thread.jobs);
    let jobs = jobs.filter(|(release, done)| *release >= from && *done <= to);
    let mut took: Vec<u64> = jobs.map(|(release, done)| done - release).collect();
    took.sort_unstable();
    let longest = took.last().copied().unwrap_or(u64::MAX);
    let seen = format!(
        "{} us of {} jobs, in the middle {} us; simulated {} us; bound {} us",
        longest / 1000,
        took.len(),
        took.get(took.len() / 2).unwrap_or(&0) / 1000,
        simulated / 1000,
        bound / 1000
    );
    let enough = usize::try_from((to - from) / (5 * MS)).expect("few") * 9 / 10;
    Check::new(what, seen, took.len() >= enough && longest <= bound && simulated <= bound)
}

/// Interrupts came as described, and found their threads awake.
fn as_assumed(interrupts: &[(&str, bool, &str)], status: &str) -> Check {
    let lines = interrupts.iter().filter_map(|&(interrupt, ..)| raised(interrupt, status));
    let lines: Vec<&str> = lines.collect();
    let holds = lines.len() == interrupts.len();
    let holds = holds && !lines.iter().any(|line| line.contains("no bound holds"));
    Check::new(format!("{NAME}: its interrupts are as bounds assume"), lines.join("; "), holds)
}

/// What the status says of an interrupt.
fn raised<'s>(interrupt: &str, status: &'s str) -> Option<&'s str> {
    let begin = format!("{interrupt}: raised ");
    status.lines().find(|line| line.starts_with(&begin))
}

/// The processor is shielded.
fn shielded(status: &str) -> Check {
    let table = status.split("since the shield was loaded").nth(1).unwrap_or_default();
    let line = table.lines().find(|line| line.trim_start().starts_with("0 "));
    let seen = line.unwrap_or("nothing is").trim();
    let holds = line.is_some_and(|line| line.split_whitespace().count() == 4);
    Check::new(format!("{NAME}: timers are shielded"), seen, holds)
}
