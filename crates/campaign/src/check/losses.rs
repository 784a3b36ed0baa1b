//! Time that does no work: its bounds against what histories lose.

use super::Violation;
use crate::tally::Tally;
use std::collections::BTreeMap;
use vorrang_analysis::{ContextLosses, Losses, losses};
use vorrang_model::system::{Costs, Member, SupplyId, System};
use vorrang_sim::{Cause, Context, Observer, Pattern, simulate};
use vorrang_time::{Duration, Instant};

/// How long histories are followed.
const WINDOW: Duration = Duration::from_ms(200);

/// About how many jobs of each.
const JOBS: u64 = 1_000;

/// Two histories of every core with costs.
pub(super) fn compare(
    system: &System,
    index: u64,
    violations: &mut Vec<Violation>,
    tally: &mut Tally,
) {
    if system.costs == Costs::default() && system.caches.is_empty() {
        return;
    }
    for core in system.cores() {
        for text in ["synchronous".to_owned(), format!("random:{index}")] {
            let Ok(pattern) = Pattern::parse(&text, system) else { continue };
            let Ok(history) = pattern.history(system, core) else { continue };
            let window = vorrang_sim::time_of(system, core, &history, JOBS).min(WINDOW);
            let Ok(bound) = losses(system, core, window) else { continue };
            let mut lost = Lost::default();
            let end = Instant::ZERO + window;
            if simulate(system, core, &history, end, &mut lost).is_ok() {
                tally.checks.losses += 1;
                violations.extend(exceeded(system, core, &bound, &lost, &text));
            }
        }
    }
}

/// What a history lost.
#[derive(Default)]
struct Lost(BTreeMap<(Option<Context>, Cause), Duration>);

impl Lost {
    fn of(&self, is_meant: impl Fn(Option<Context>) -> bool, cause: Cause) -> Duration {
        let all = self.0.iter().filter(|((who, why), _)| is_meant(*who) && *why == cause);
        all.map(|(_, amount)| *amount).sum()
    }
}

impl Observer for Lost {
    fn lost(&mut self, context: Option<Context>, cause: Cause, amount: Duration, _at: Instant) {
        *self.0.entry((context, cause)).or_default() += amount;
    }
}

fn exceeded(
    system: &System,
    core: SupplyId,
    bound: &Losses,
    lost: &Lost,
    history: &str,
) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut compare = |who: &str, cause: Cause, bound: Option<Duration>, seen: Duration| {
        if bound.is_some_and(|bound| seen > bound) {
            let text = format!("{who} loses {seen} to {cause:?}, bound {bound:?}, in {history}");
            found.push(Violation::Lost(text));
        }
    };
    for ContextLosses { member, cold_caches, context_switches } in &bound.contexts {
        let own = |who: Option<Context>| who.is_some_and(|who| is_in(system, who, *member));
        for (cause, bound) in
            [(Cause::ColdCache, cold_caches), (Cause::ContextSwitch, context_switches)]
        {
            compare(system.member_name(*member), cause, *bound, lost.of(own, cause));
        }
    }
    let name = &system.supply(core).name;
    for (cause, bound) in [
        (Cause::SchedulerCall, bound.scheduler_calls),
        (Cause::TimerExpiry, bound.timer_expiries),
        (Cause::InterruptEntry, bound.interrupt_entries),
        (Cause::VmExit, bound.vm_exits),
    ] {
        compare(name, cause, Some(bound), lost.of(|_| true, cause));
    }
    found
}

/// Whether a context is a member of the core or in it.
fn is_in(system: &System, context: Context, member: Member) -> bool {
    let (mut own, mut on) = match context {
        Context::Task(id) => (Member::Task(id), Some(system.task(id).on)),
        Context::Vcpu(id) => {
            (Member::Server(id), system.supply(id).server.as_ref().map(|server| server.on))
        }
    };
    loop {
        let Some(supply) = on else { return false };
        if own == member {
            return true;
        }
        own = Member::Server(supply);
        on = system.supply(supply).server.as_ref().map(|server| server.on);
    }
}
