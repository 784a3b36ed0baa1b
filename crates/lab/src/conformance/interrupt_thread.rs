//! The thread of an interrupt with a budget, in a boot.

use super::body::{Simulator, conform, examine};
use super::interrupt::{self, Kernel, THREAD};
use super::job::MS;
use super::run::{PAUSE, taken};
use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use vorrang_guest::Step;

/// Prefix of the threads while the runtime of the interrupt's is ample.
const FREE: &str = "free.";
/// What is reserved then.
const BUDGET: u64 = MS / 2;

/// The bursts while the runtime is ample, and each case.
pub(crate) fn steps(of: &Scenario) -> Vec<Step> {
    let cpu = of.given("cpu");
    let script =
        |prefix: &str| Step::Script { threads: interrupt::threads(prefix), until: 100 * MS };
    let reserve = |policy| Step::SetPolicy { thread: THREAD.to_owned(), policy };
    let pause = || Step::Sleep { time: PAUSE };
    let mut steps = vec![reserve(interrupt::AMPLE), script(FREE), pause()];
    steps.push(reserve(interrupt::policy()));
    for (prefix, case) in interrupt::cases(&interrupt::unmeasured()) {
        steps.extend(case.source.and_then(|source| source.begin(cpu)));
        steps.push(script(&prefix));
        steps.extend(case.source.and_then(|source| source.end(cpu)));
        steps.push(pause());
    }
    steps
}

/// What a burst takes, and each case on both platforms.
pub(crate) fn checks(evidence: &Evidence) -> Vec<Check> {
    let Some(shipped) = taken(evidence).0 else { return Vec::new() };
    let mut checks = Vec::new();
    let Some(most) = interrupt::burst(evidence, FREE) else {
        checks.push(Check::new("a burst is measured", "nothing was sent", false));
        return checks;
    };
    checks.push(shipped.holds_burst(most));
    let taken = shipped.burst();
    checks.push(Check::new(
        "a burst takes more than one runtime and less than two",
        format!("{} us", taken / 1000),
        (BUDGET * 5 / 4..BUDGET * 2).contains(&taken),
    ));
    for (prefix, case) in interrupt::cases(&interrupt::taking(taken).on(shipped.costs())) {
        let (simulated, drawn) = examine(&case, &Simulator);
        checks.extend(drawn);
        let (seen, drawn) = examine(&case, &Kernel { evidence, prefix: &prefix });
        checks.extend(drawn);
        checks.extend(conform(&case, &simulated, &seen).0);
    }
    checks
}
