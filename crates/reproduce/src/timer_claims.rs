//! What is claimed of timers of low-priority tasks (Patel, Vanga, Brandenburg 2017), judged.

use crate::claim::{Claim, Way};
use crate::exact::{Exact, percent, range, shown, span, us, whole};
use crate::recorded::{self, TIMER_FILES, TIMER_SHIELD};
use crate::rule::Condition;
use crate::setting::Setting;
use crate::timer_costs::costs;
use crate::timer_study::{Disturbance, of};
use crate::watch::Responses;
use vorrang_model::system::TimerQueue;
use vorrang_time::Duration;

const FILE: &str = "timershield.csv";

/// The kernels that the first experiment was run on.
const RUNS: [&str; 2] = ["shield-6.12", "shield-7.2"];

/// And the second.
const FILES: [&str; 2] = ["files-6.12", "files-7.2"];

/// All claims; `seen` by rows of the table.
pub fn claims(seen: &[Responses], setting: &Setting) -> Vec<Claim> {
    let mut all = vec![spread(seen), shielded(seen)];
    all.extend(attack(seen, setting));
    all.extend(costs());
    all
}

fn longest(seen: &[Responses], case: Disturbance, queue: TimerQueue) -> Exact {
    us(of(seen, case, queue).longest().expect("hundreds of jobs"))
}

fn median(seen: &[Responses], case: Disturbance, queue: TimerQueue) -> Exact {
    us(of(seen, case, queue).quantile(500).expect("hundreds of jobs"))
}

/// With so many tasks beside it, the longest responses on a kernel.
fn kernel(run: &str, module: &str) -> Vec<Exact> {
    let rows = recorded::rows(TIMER_SHIELD, run);
    let row = rows.iter().find(|row| row[0] == module).expect("both are recorded");
    (1..5).filter_map(|place| recorded::number(row, place)).collect()
}

fn list(numbers: &[Exact]) -> String {
    numbers.iter().map(|number| shown(*number, 1)).collect::<Vec<_>>().join(", ")
}

/// hrtimers: responses spread.
fn spread(seen: &[Responses]) -> Claim {
    let cases = [0, 1, 50, 100].map(Disturbance::Tasks);
    let tail = cases.map(|case| longest(seen, case, TimerQueue::HrTimer));
    let within = [1, 50, 100].map(|count| {
        let all = &of(seen, Disturbance::Tasks(count), TimerQueue::HrTimer).all;
        let within = all.iter().filter(|response| **response <= Duration::from_ns(214_800));
        percent(within.count() as u64, all.len() as u64)
    });
    let sixty = within.iter().any(|part| (whole(55)..=whole(65)).contains(part));
    let rises = |of: &[Exact]| of.windows(2).all(|two| two[0] < two[1]);
    let on_kernels = RUNS.iter().all(|run| rises(&kernel(run, "without the module")));
    let mut claim = Claim::says("With hrtimers the more low-priority tasks there are, the further the responses spread to the right, with a long tail; beside one curve stands: 60 % within 214.8 us.")
        .row("figures.csv", 13)
        .ours(format!(
            "longest {} us beside 0, 1, 50 and 100 tasks; within 214.8 us {} % of the jobs",
            list(&tail),
            span(range(within), 0)
        ))
        .agrees_if(Condition::that("55 to 65 % are within 214.8 us beside some number of tasks", sixty))
        .in_shape_if(Condition::that("the longest response grows with each number of tasks, in the simulator and on both kernels", rises(&tail) && on_kernels))
        .why("Neither intervals nor costs are in the slides. With the costs that the 45 us below suggest, and cyclictest's intervals from drawn phases, 100 tasks have 1.7 expiries in one job on average, so there is no long tail; released together, as on the kernels, there is.");
    for run in RUNS {
        let seen = list(&kernel(run, "without the module"));
        claim =
            claim.by(Way::Kernel(run), format!("longest {seen} us beside 0, 1, 50 and 100 tasks"));
    }
    claim
}

/// What the shield is judged by.
const ADDED: &str = "what any number of timers adds, in percent of the response, in the simulator and on both kernels";

/// With the shield they do not.
fn shielded(seen: &[Responses]) -> Claim {
    let none = Disturbance::Tasks(0);
    let shield = TimerQueue::TimerShield;
    let (idle, idle_longest) = (median(seen, none, shield), longest(seen, none, shield));
    let cases = [1, 50, 100].map(Disturbance::Tasks).into_iter().chain([Disturbance::Timers(1000)]);
    let apart = cases.map(|case| {
        let longer = longest(seen, case, shield) - idle_longest;
        longer.max(median(seen, case, shield) - idle)
    });
    let (_, apart) = range(apart);
    let mut claim = Claim::says("With TimerShield the curves for 1, 50 and 100 tasks are nearly the same, and with 1000 timers of one task about that of an idle machine.")
        .row(FILE, 2)
        .rows("figures.csv", [13, 14])
        .ours(format!("median and longest response differ by {} us at most", shown(apart, 1)));
    let mut most = apart / idle;
    for run in RUNS {
        let all = kernel(run, "with it");
        let longer = range(all[1..].iter().copied()).1 - all[1];
        most = most.max(longer / all[0]);
        claim = claim.by(
            Way::Kernel(run),
            format!(
                "longest {} us beside 0, 1, 50 and 100 tasks, with the module for shielded timers",
                list(&all)
            ),
        );
    }
    for run in FILES {
        let (alone, beside) = (files(run, "0", 4), files(run, "1000", 4));
        claim = claim.by(
            Way::Kernel(run),
            format!(
                "longest {} us beside none and {} us beside 1000 timers of one task, with the module, which leaves these to the kernel",
                shown(alone, 1),
                shown(beside, 1)
            ),
        );
        most = most.max((beside - alone) / alone);
    }
    claim
        .in_shape_if(Condition::at_most(ADDED, most * 100, whole(5), 0))
        .agrees_if(Condition::at_most(ADDED, most * 100, whole(1), 0))
        .why("A job that arrives during an interrupt for a timer waits for its end; and on the kernels our module leaves timers of timerfd to the kernel, whose interrupts remain.")
}

/// Timers of one task.
fn attack(seen: &[Responses], setting: &Setting) -> Vec<Claim> {
    const FITTED: &[&str] = &["the cost of an expiry", "the interval of the timers"];
    const SOFT: &str = "On the kernels of today timers of timerfd are soft: the first that expires interrupts the task, and the others wait for a less urgent thread.";
    let idle = median(seen, Disturbance::Tasks(0), TimerQueue::HrTimer);
    let added = median(seen, Disturbance::Timers(1000), TimerQueue::HrTimer) - idle;
    let machine = |claim: Claim, relative: bool| {
        let alone = setting.median("timers.response-alone");
        let beside = setting.median("timers.response-timerfds-1000");
        let Some((alone, beside)) = alone.zip(beside) else { return claim };
        let added = Exact::from(i128::from(beside) - i128::from(alone));
        let text = if relative {
            format!("{} %", shown(added * 100 / whole(alone), 1))
        } else {
            format!("{} us in the median", shown(added / 1_000, 1))
        };
        claim.by(Way::Machine, text)
    };
    let kernels = |claim: Claim, relative: bool| {
        FILES.iter().fold(claim, |claim, run| {
            let (alone, beside) = (files(run, "0", 1), files(run, "1000", 1));
            let added = beside - alone;
            let text = if relative {
                format!("{} %", shown(added * 100 / alone, 1))
            } else {
                format!("{} us in the longest", shown(added, 1))
            };
            claim.by(Way::Kernel(run), text)
        })
    };
    let both = |claim, relative| kernels(machine(claim, relative), relative).why(SOFT);
    vec![
        both(
            Claim::says("With hrtimers 1000 timers of one task add nearly 45 us to the response.")
                .row(FILE, 2)
                .row("figures.csv", 14)
                .ours(format!("{} us", shown(added, 1)))
                .fitted(FITTED),
            false,
        ),
        both(
            Claim::says("That is 22 % of the response on an idle machine.")
                .row(FILE, 3)
                .ours(format!("{} %", shown(added * 100 / idle, 1)))
                .fitted(FITTED),
            true,
        ),
    ]
}

/// The longest response beside so many timers of one task on a kernel, without the module (1) or with it (4).
fn files(run: &str, timers: &str, place: usize) -> Exact {
    let rows = recorded::rows(TIMER_FILES, run);
    let row = rows.iter().find(|row| row[0] == timers).expect("it is recorded");
    recorded::number(row, place).expect("it is a number")
}
