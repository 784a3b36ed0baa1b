//! `vorrang-host`, killed at each step, and during loans: its dispatcher, its guard, both, and the lent
//! thread. `vorrang-host restore` undoes all changes, and no loan is left.
//!
//! On one processor, where a thread that has kept a loan would keep everything else from running.

use super::faults::checks as of_faults;
use super::host_kinds::words;
use super::{BOTH, Check, Scenario, busybox};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::host::{MS, TRIALS};
use crate::image::File;
use vorrang_guest::{Fault, LoadedTask, Plan, Policy, Record, Step, Work};

/// Ends processes of a run, by its file, and reports the state afterwards.
const SCRIPT: &str = r#"#!/bin/busybox sh
# kill.sh LOANS WHO...: in the middle of so many loans, of "dispatcher", "guard", "probe", "vcpu"; none: only tells
b=/bin/busybox
state() { read -r line < /proc/$1/stat && set -- ${line##*) } && echo $1; }
alive() { for pid in $($b pidof $1); do [ "$(state $pid)" = Z ] || echo $pid; done; }
# The threads that are lent to: others of these processes have a priority of their own.
lent() {
    for task in ${probe:+/proc/$probe/task/*} ${vcpu:+/proc/$vcpu/task/*}; do
        [ -r $task/stat ] && read -r line < $task/stat || continue
        case $line in *"(vorrang-"* | *"(watcher)"*) continue ;; esac
        set -- ${line##*) }
        echo "lent ${16}"
    done
}
count() { n=0; for word in $(lent); do case $word in -*) n=$((n + 1)) ;; esac; done; echo $n; }
probe=$(alive vorrang-probe)
vcpu=$(alive vorrang-vcpu)
if [ $# -gt 0 ]; then
    loans=$1
    shift
    i=0
    while ! [ -s /run/vorrang/host.running ]; do i=$((i + 1)); [ $i -lt 1500 ] || exit 5; $b usleep 20000; done
    $b usleep 401000
    i=0
    # Seldom: credits of a guest that has no time while this looks would pile up.
    while [ $(count) -lt $loans ]; do i=$((i + 1)); [ $i -lt 500 ] || exit 6; $b usleep 37000; done
    numbers=$($b grep -o '"number":[0-9]*' /run/vorrang/host.running | $b cut -d: -f2)
    dispatcher=$(echo $numbers | $b cut -d' ' -f1)
    guard=$(echo $numbers | $b cut -d' ' -f2)
    all=
    for who in "$@"; do eval all=\"$all \$$who\"; done
    echo "in the middle of $(count)"
    $b kill -9 $all
    echo "killed $*"
    $b usleep 600000
fi
lent
for pid in $dispatcher $guard; do
    [ -r /proc/$pid/stat ] && echo "left $pid $(state $pid)"
done
exit 0
"#;

/// What is killed, one after the other, at once.
const VICTIMS: [&str; 5] = ["dispatcher", "guard", "dispatcher guard", "guard dispatcher", "probe"];
/// Threads that are lent to, each of which computes all the time.
const ONE: Killing = Killing { victims: &VICTIMS, loans: 1, threads: 6 };

/// What is killed in the middle of so many loans.
pub(super) struct Killing {
    pub(super) victims: &'static [&'static str],
    pub(super) loans: usize,
    /// How many threads are lent to.
    pub(super) threads: usize,
}

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-kill",
        shows: "vorrang-host, killed during a loan, or its guard, or the lent thread, leaves no loan",
        lines: BOTH,
        in_ci: BOTH,
        machine: Machine::default(),
        modules: &[],
        programs: &["vorrang-host", "vorrang-probe"],
        files,
        of_kernel: None,
        plan,
        checks,
    }
}

pub(super) fn steps() -> Scenario {
    Scenario {
        name: "host-kill-steps",
        shows: "vorrang-host, killed before any call that changes something, leaves nothing that restore does not undo",
        in_ci: &["7.2-rt"],
        plan: plan_of_steps,
        checks: of_faults,
        ..scenario()
    }
}

fn files() -> Vec<File> {
    let busy = TRIALS[0];
    let system = File { path: busy.file(), bytes: busy.description().into() };
    let load = busy.description().replace("process:vorrang-probe/", "process:load/");
    let asleep = File { path: "/asleep.toml".to_owned(), bytes: load.into() };
    [script(), system, asleep].into_iter().chain(busybox()).collect()
}

pub(super) fn script() -> File {
    File { path: "/kill.sh".to_owned(), bytes: SCRIPT.into() }
}

/// A process whose threads sleep, so that time passes by leaps.
fn asleep() -> Step {
    let task = |name: &str| LoadedTask {
        name: name.to_owned(),
        cpu: None,
        policy: Policy::Other,
        offset: 0,
        period: 10_000_000 * MS,
        jobs: u32::MAX,
        work: Work::Compute(MS),
    };
    let tasks = TRIALS[0].rows.iter().map(|row| task(row.name)).collect();
    Step::StartLoad { tasks, until: 0 }
}

fn plan() -> Plan {
    let busy = TRIALS[0];
    let probe = format!("/bin/vorrang-probe /run/never 10ms 1000000 {}", busy.threads());
    ONE.plan(&[&probe], &busy.file())
}

impl Killing {
    /// Programs are started whose threads are in a description, it is run, and what is killed is killed.
    pub(super) fn plan(&self, programs: &[&str], description: &str) -> Plan {
        let script = "/bin/vorrang-probe before-all /bin/busybox sh /kill.sh";
        let run = format!("/bin/vorrang-host run {description} --unproven --yes");
        let mut steps = vec![Step::RememberState];
        for victims in self.victims {
            let kill = format!("{script} {} {victims}", self.loans);
            steps.extend(programs.iter().map(|line| Step::Start { command: words(line) }));
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
        Plan { steps }
    }
}

/// The beginning and the end of a run, killed before each call that changes something.
fn plan_of_steps() -> Plan {
    Plan {
        steps: vec![
            asleep(),
            Step::Sleep { time: 200 * MS },
            Step::RememberState,
            Step::Faults {
                before: Vec::new(),
                change: words("/bin/vorrang-host run /asleep.toml --unproven --yes --for 50ms"),
                restore: words("/bin/vorrang-host restore"),
                fault: Fault::Kill,
                stride: 1,
            },
        ],
    }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    ONE.checks(evidence)
}

impl Killing {
    pub(super) fn checks(&self, evidence: &Evidence) -> Vec<Check> {
        let mut checks = vec![Check::nothing_refused(evidence)];
        let mut ran = evidence.records.iter().filter_map(|record| match record {
            Record::Ran { exit, output, errors, .. } => Some((*exit, format!("{output}{errors}"))),
            _ => None,
        });
        for victims in self.victims {
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
            let by_itself = *victims == "guard" && seen.contains("Nothing is changed");
            check("it is undone", &seen, exit == 0 && (undone || by_itself));
            let (exit, seen) = next();
            check("then no loan is left", &seen, exit == 0 && loans(&seen)[1] == 0);
            let (exit, seen) = next();
            check("undone once", &seen, exit == 0 && seen.contains("Nothing is changed"));
            next();
        }
        checks.extend(super::apply::differences(evidence));
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
