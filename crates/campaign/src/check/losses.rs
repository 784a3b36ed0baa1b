//! Lost time: its bounds against the losses of histories, and the number of replenishments.

use super::Violation;
use crate::tally::Tally;
use std::collections::BTreeMap;
use vorrang_analysis::{ContextLosses, Losses, losses};
use vorrang_model::system::{Costs, Member, SupplyId, System};
use vorrang_sim::{Cause, Context, Observer, Pattern, Payer, simulate};
use vorrang_time::{Duration, Instant};

/// The horizon of histories.
const WINDOW: Duration = Duration::from_ms(200);

/// The approximate number of jobs of each.
const JOBS: u64 = 1_000;

/// A few histories of every core with costs: two, and where sections hold a task up, or runtimes end late, one for each task.
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
        let tasks = system.task_ids().filter(|&id| system.core_of(system.task(id).on) == core);
        let directed = tasks.filter_map(|id| {
            let name = &system.task(id).name;
            let is_blocked = !system.task(id).blocking.is_zero();
            let is_late = !system.supply(core).overrun.is_zero();
            let texts = [(is_blocked, "blocked"), (is_late, "exhausted")];
            let of = texts.into_iter().find_map(|(is, kind)| is.then_some(kind))?;
            Some(format!("{of}:{name}"))
        });
        let texts = ["synchronous".to_owned(), format!("random:{index}")];
        for text in texts.into_iter().chain(directed) {
            let Ok(pattern) = Pattern::parse(&text, system) else { continue };
            let Ok(history) = pattern.history(system, core) else { continue };
            let window = vorrang_sim::time_of(system, core, &history, JOBS).min(WINDOW);
            let Ok(bound) = losses(system, core, window) else { continue };
            let mut lost = Lost::default();
            let end = Instant::ZERO + window;
            if simulate(system, core, &history, end, &mut lost).is_ok() {
                tally.checks.losses += 1;
                violations.extend(exceeded(system, core, &bound, &lost, &text));
                violations.extend(returns_too_often(system, &bound, &lost, &text));
            }
        }
    }
}

/// The losses of a history.
#[derive(Default)]
struct Lost {
    time: BTreeMap<(Option<Context>, Cause), Duration>,
    /// The instants at which budget of a server returned; each once, and without those at which it was just
    /// used: the server then continues.
    returns: BTreeMap<SupplyId, Vec<Instant>>,
    /// The end of the last charge of a server.
    paid: BTreeMap<SupplyId, Instant>,
}

impl Lost {
    /// The most instants at which budget was back in a window so long, its end included.
    fn most_returns(&self, server: SupplyId, window: Duration) -> u64 {
        let all = self.returns.get(&server).map_or(&[][..], Vec::as_slice);
        let within = |(first, at): (usize, &Instant)| {
            all[first..].iter().take_while(|other| **other - *at < window).count()
        };
        all.iter().enumerate().map(within).max().unwrap_or(0) as u64
    }

    fn of(&self, is_meant: impl Fn(Option<Context>) -> bool, cause: Cause) -> Duration {
        let all = self.time.iter().filter(|((who, why), _)| is_meant(*who) && *why == cause);
        all.map(|(_, amount)| *amount).sum()
    }
}

impl Observer for Lost {
    fn lost(&mut self, context: Option<Context>, cause: Cause, amount: Duration, _at: Instant) {
        *self.time.entry((context, cause)).or_default() += amount;
    }

    fn paid(&mut self, payer: Payer, _from: Instant, to: Instant) {
        if let Payer::Server(server) = payer {
            self.paid.insert(server, to);
        }
    }

    fn replenished(&mut self, server: SupplyId, at: Instant) {
        let returns = self.returns.entry(server).or_default();
        if self.paid.get(&server) != Some(&at) && returns.last() != Some(&at) {
            returns.push(at);
        }
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
    for ContextLosses { member, cold_caches, context_switches, .. } in &bound.contexts {
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

/// Servers whose budget returns more often than the bound.
fn returns_too_often<'a>(
    system: &'a System,
    bound: &'a Losses,
    lost: &'a Lost,
    history: &'a str,
) -> impl Iterator<Item = Violation> + 'a {
    bound.contexts.iter().filter_map(move |ContextLosses { member, returns, .. }| {
        let (Member::Server(id), Some((bound, window))) = (*member, *returns) else { return None };
        let seen = lost.most_returns(id, window);
        let name = system.member_name(*member);
        let text = format!(
            "{name}: budget is back {seen} times within {window}, bound {bound}, in {history}"
        );
        (seen > bound).then_some(Violation::Lost(text))
    })
}

/// Whether a context is a member of the core or in it.
fn is_in(system: &System, context: Context, member: Member) -> bool {
    let (mut own, mut on) = match context {
        Context::Section(blocked) => (blocked, Some(system.on(blocked))),
        Context::Task(id) => (Member::Task(id), Some(system.task(id).on)),
        Context::Vcpu(id) => (Member::Server(id), system.supply(id).on()),
    };
    loop {
        let Some(supply) = on else { return false };
        if own == member {
            return true;
        }
        own = Member::Server(supply);
        on = system.supply(supply).on();
    }
}
