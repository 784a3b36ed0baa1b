//! `vorrang-host`, killed during loans: its dispatcher, its guard, both, and the lent threads. What undoes it undoes all changes,
//! and no loan is left.

use super::dispatcher::MS;
use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::{Line, Scenario, words};
use serde::Deserialize;
use vorrang_guest::{Record, Step};

/// What is killed, one after the other, in the middle of so many loans.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Killing {
    victims: Vec<String>,
    loans: usize,
    /// How many threads are lent to.
    threads: usize,
    /// What is run, and the programs whose threads are in it.
    description: String,
    programs: Vec<Line>,
}

/// Programs are started, the description is run, and what is killed is killed.
pub(crate) fn steps(of: &Scenario) -> Vec<Step> {
    let Killing { victims, loans, description, programs, .. } = of.given("killing");
    let script = "/bin/vorrang-probe before-all /bin/busybox sh /kill.sh";
    let run = format!("/bin/vorrang-host run {description} --unproven --yes");
    let mut steps = Vec::new();
    for victims in &victims {
        let kill = format!("{script} {loans} {victims}");
        steps.extend(programs.iter().map(|line| Step::Start { command: line.command() }));
        steps.extend([
            Step::Sleep { time: 200 * MS },
            Step::Start { command: words(&run) },
            Step::Run { command: words(&kill) },
            Step::Run { command: words("/bin/vorrang-host restore") },
            Step::Run { command: words(script) },
            Step::CompareState,
            Step::Run { command: words("/bin/vorrang-host restore") },
            Step::Run { command: words("/bin/busybox killall -9 vorrang-probe vorrang-vcpu") },
            Step::Sleep { time: 100 * MS },
        ]);
    }
    steps
}

/// What is left of each.
pub(crate) fn checks(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    of.given::<Killing>("killing").checks(evidence)
}

impl Killing {
    fn checks(&self, evidence: &Evidence) -> Vec<Check> {
        let mut checks = Vec::new();
        let ran = evidence.records.iter().filter_map(|record| match record {
            Record::Ran { command, exit, output, errors } => {
                Some((command, (*exit, format!("{output}{errors}"))))
            }
            _ => None,
        });
        // Others may be before.
        let kills =
            |(command, _): &(&Vec<String>, _)| command.iter().any(|word| word == "/kill.sh");
        let mut ran = ran.skip_while(|one| !kills(one)).map(|(_, ran)| ran);
        for victims in &self.victims {
            let mut next = || ran.next().unwrap_or((-1, "it did not run".to_owned()));
            let mut check = |what: &str, seen: &str, holds: bool| {
                let said = seen.lines().collect::<Vec<_>>().join(", ");
                checks.push(Check::new(format!("{victims} killed: {what}"), said, holds));
            };
            let (exit, seen) = next();
            let holds = exit == 0 && seen.contains(&format!("in the middle of {}\n", self.loans));
            check(self.what_is_left(victims), &seen, holds && self.leaves(victims, &seen));
            let (exit, seen) = next();
            let undone = seen.contains("changes are undone");
            // Without a guard the run ends, and undoes everything by itself.
            let by_itself = victims == "guard" && seen.contains("Nothing is changed");
            check("it is undone", &seen, exit == 0 && (undone || by_itself));
            let (exit, seen) = next();
            check("then no loan is left", &seen, exit == 0 && loans(&seen)[1] == 0);
            let (exit, seen) = next();
            check("undone once", &seen, exit == 0 && seen.contains("Nothing is changed"));
            next();
        }
        checks
    }

    fn what_is_left(&self, victims: &str) -> &'static str {
        match (victims, self.loans) {
            ("probe" | "vcpu", _) => "the run goes on",
            ("dispatcher" | "guard", _) => "no loan is left",
            (_, 1) => "at most a loan is left",
            _ => "at most these loans are left",
        }
    }

    fn leaves(&self, victims: &str, seen: &str) -> bool {
        // A process that has ended and is not waited for is a zombie.
        let others = seen.lines().filter(|line| line.starts_with("left ") && !line.ends_with('Z'));
        let (goes_on, [all, lent]) = (others.count(), loans(seen));
        match victims {
            // The lent thread has ended, or is about to: the run continues.
            "probe" | "vcpu" => goes_on == 2,
            "dispatcher" | "guard" => all >= self.threads && lent == 0 && goes_on == 0,
            // No process is left to end a loan.
            _ => all >= self.threads && lent <= self.loans,
        }
    }
}

/// How many threads there are that were lent to, and to how many of them something is still lent: priorities below zero
/// are those of real-time threads.
fn loans(seen: &str) -> [usize; 2] {
    let priorities = || seen.lines().filter_map(|line| line.strip_prefix("lent "));
    [priorities().count(), priorities().filter(|priority| priority.starts_with('-')).count()]
}
