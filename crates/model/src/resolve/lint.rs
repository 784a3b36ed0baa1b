//! What may be written and is probably not meant: warnings, each certain of what it says.
//!
//! They look at descriptions without errors only, and change nothing: neither the system nor any
//! verdict. A warning tells what follows from what is written, never what is merely unusual.

use super::activation::{Activations, distances};
use super::kept;
use super::link::Links;
use super::loose_jitter;
use super::tree::{Local, Tree, rule};
use crate::description::{Declared, Description, Field, PseudoVcpu, Server, Supply, Task};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span};
use crate::keys::Noun;
use crate::system::{Activation, Distances, Priority, ServerKind};
use crate::word::Rule;
use std::collections::BTreeMap;
use vorrang_time::Duration;

/// Every warning about a description without errors.
pub(super) fn check(
    description: &Description,
    tree: &Tree,
    links: &Links,
    activations: &Activations,
    warnings: &mut Errors,
) {
    shipped_kernel(description, warnings);
    for supply in 0..description.supplies.len() {
        equal_priorities(description, tree, supply, warnings);
        empty_vcpu(description, tree, links, supply, warnings);
        small_budget(description, tree, activations, supply, warnings);
        kept::lint(description, supply, warnings);
    }
    for declared in &description.tasks {
        times_of_task(declared, warnings);
    }
    loose_jitter::lint(description, tree, warnings);
    for Declared { name, body, .. } in &description.interrupts {
        pays_too_often(name, body.pays(), &body.min_interarrival, warnings);
    }
    for Declared { name, body, .. } in &description.timers {
        pays_too_often(name, body.pseudo_vcpu.as_ref(), &body.period, warnings);
    }
}

/// A pseudo-VCPU whose period is shorter than what it pays for comes apart.
fn pays_too_often(
    of: &str,
    payer: Option<&PseudoVcpu>,
    apart: &Field<Duration>,
    warnings: &mut Errors,
) {
    let periods = payer.and_then(|payer| payer.period.get()).zip(apart.get());
    let Some((period, apart)) = periods.filter(|(period, apart)| period.value < apart.value) else {
        return;
    };
    let message = format!("the pseudo-VCPU of {of} has a shorter period than its interrupt");
    warnings.push(
        Diagnostic::new(Code::PseudoVcpuTooOften, period.span.clone(), message)
            .label(format!("pays every {}", period.value))
            .also(apart.span.clone(), format!("comes every {} at most", apart.value))
            .help(format!("period = \"{}\" reserves less and holds nothing back", apart.value)),
    );
}

/// The kernel profile of another machine, which all cores share.
fn shipped_kernel(description: &Description, warnings: &mut Errors) {
    let mut supplies = description.supplies.iter();
    let named = supplies.find_map(|supply| {
        let profile = supply.body.profile.as_ref().filter(|profile| profile.is_shipped)?;
        Some((supply.body.kernel.get()?, profile))
    });
    let Some((at, profile)) = named else { return };
    let message = format!("the times of kernel {} are not those of your machine", profile.name);
    warnings.push(
        Diagnostic::new(Code::ShippedKernel, at.span.clone(), message)
            .label(format!("from {}", profile.origin))
            .help(
                "`vorrang measure kernel --out kernel.toml` there, then `kernel = \"kernel.toml\"`",
            ),
    );
}

/// Members of one supply with the same priority, where the priority is what decides.
fn equal_priorities(description: &Description, tree: &Tree, supply: usize, warnings: &mut Errors) {
    if !matches!(rule(description, supply), Some(Rule::FixedPriority | Rule::Linux)) {
        return;
    }
    let mut by_priority: BTreeMap<Priority, Vec<(&str, &Span)>> = BTreeMap::new();
    for member in &tree.members[supply] {
        let (name, priority): (&str, &Field<Priority>) = match *member {
            Local::Task(index) => {
                let declared = &description.tasks[index];
                (&declared.name, &declared.body.priority)
            }
            Local::Server(index) => {
                let declared = &description.supplies[index];
                let Some(server) = &declared.body.server else { continue };
                (&declared.name, &server.priority)
            }
        };
        let Some(stated) = priority.get() else { continue };
        by_priority.entry(stated.value).or_default().push((name, &stated.span));
    }
    let on = &description.supplies[supply].name;
    let help = match description.supplies[supply].body.time_slice.get() {
        None => "they go first come, first served, and each may wait for all of the others; give them distinct priorities if one is more urgent".to_owned(),
        Some(at) => format!("they take turns of {}, and each may wait for a slice of all of the others; give them distinct priorities if one is more urgent", at.value),
    };
    for equals in by_priority.values() {
        let [(first, first_span), (second, span), more @ ..] = &equals[..] else { continue };
        let who = match more.len() {
            0 => format!("{second} and {first}"),
            1 => format!("{second}, {first} and {}", more[0].0),
            count => format!("{second}, {first} and {count} others"),
        };
        let message = format!("{who} have the same priority on {on}");
        warnings.push(
            Diagnostic::new(Code::EqualPriorities, (*span).clone(), message)
                .label("the same")
                .also((*first_span).clone(), format!("of {first}"))
                .help(&help),
        );
    }
}

/// A virtual processor in which nothing can ever be ready, unless it takes its time even so.
fn empty_vcpu(
    description: &Description,
    tree: &Tree,
    links: &Links,
    supply: usize,
    warnings: &mut Errors,
) {
    let declared = &description.supplies[supply];
    let is_delivered = || links.interrupts.iter().any(|link| link.vcpu == Some(supply));
    let kind = declared.body.server.as_ref().and_then(|server| server.kind.get());
    let idles = kind.is_some_and(|at| {
        matches!(at.value, ServerKind::Periodic | ServerKind::Slot | ServerKind::Table)
    });
    if declared.noun != Noun::Vcpu || idles || !tree.members[supply].is_empty() || is_delivered() {
        return;
    }
    let message = format!("{} has no tasks", declared.name);
    warnings.push(
        Diagnostic::new(Code::EmptyVcpu, declared.span.clone(), message)
            .label("nothing is on it")
            .help(format!("say `on = \"{}\"` in its tasks", declared.name)),
    );
}

/// A task that takes longer than its period or its deadline allows.
fn times_of_task(declared: &Declared<Task>, warnings: &mut Errors) {
    let Task { wcet, period, deadline, .. } = &declared.body;
    // With a distribution, the longest time may be rare enough to be allowed.
    let Some(wcet) = wcet.get().filter(|_| declared.body.execution.is_absent()) else { return };
    // Of several at once, only so many in so long a time.
    let several = distances(&declared.body.min_distances).as_ref().map(Distances::cycle);
    let is_more = |period: Duration| match several {
        Some((count, time)) => {
            u128::from(wcet.value.as_ns()) * u128::from(count) > time.as_ns().into()
        }
        None => wcet.value > period,
    };
    if let Some(period) = period.get().filter(|period| is_more(period.value)) {
        let message = format!("{} may take longer than its period", declared.name);
        let apart = several.map_or_else(
            || format!("arrives every {}", period.value),
            |(count, time)| format!("{count} arrive in {time}"),
        );
        warnings.push(
            Diagnostic::new(Code::WcetOverPeriod, wcet.span.clone(), message)
                .label(format!("takes up to {}", wcet.value))
                .also(period.span.clone(), apart)
                .help("on one core no deadline of such a task is ever met for long; were the units meant?"),
        );
    }
    let is_all = |period: Duration| several.is_none() && wcet.value == period;
    if let Some(period) = period.get().filter(|period| is_all(period.value)) {
        let message = format!("{} may take all the time until its next job", declared.name);
        warnings.push(
            Diagnostic::new(Code::WcetIsPeriod, wcet.span.clone(), message)
                .label("as long as the period")
                .also(period.span.clone(), format!("arrives every {}", period.value))
                .help("a thread that never sleeps states `polls = true` in place of `wcet` and `period`"),
        );
    }
    let stated = deadline.get().and_then(|at| at.value.map(|value| (value, at.span.clone())));
    if let Some((deadline, span)) = stated.filter(|(deadline, _)| *deadline < wcet.value) {
        let message = format!("{} has a deadline below its execution time", declared.name);
        warnings.push(
            Diagnostic::new(Code::DeadlineUnderWcet, span, message)
                .label(format!("after {deadline}"))
                .also(wcet.span.clone(), format!("takes up to {}", wcet.value))
                .help("not even a core of its own would meet it"),
        );
    }
}

/// A server with less budget than its own tasks use in the long run, unless it may take more than its
/// budget or none of them has to be in time.
fn small_budget(
    description: &Description,
    tree: &Tree,
    activations: &Activations,
    supply: usize,
    warnings: &mut Errors,
) {
    let declared: &Declared<Supply> = &description.supplies[supply];
    let Some(Server { kind, budget, period, reclaim, .. }) = &declared.body.server else { return };
    let takes_more = reclaim.get().is_some_and(|at| at.value)
        || kind.get().is_some_and(|at| matches!(at.value, ServerKind::Share | ServerKind::CbsSoft));
    let is_required = |member: &Local| match *member {
        Local::Task(index) => description.tasks[index]
            .body
            .deadline
            .get()
            .is_none_or(|deadline| deadline.value.is_some()),
        Local::Server(_) => false,
    };
    if takes_more || !tree.members[supply].iter().any(is_required) {
        return;
    }
    let (Some(budget), Some(period)) = (budget.get(), period.get()) else { return };
    let needs = tree.members[supply].iter().filter_map(|member| match *member {
        Local::Task(index) if activations.of[index] == Activation::Sporadic => {
            let task = &description.tasks[index].body;
            let wcet = task.wcet.get().filter(|_| task.execution.is_absent())?;
            let (one, several) =
                (activations.period[index]?, activations.distances[index].as_ref());
            let (count, time) = several.map_or((1, one), Distances::cycle);
            Some(share(wcet.value, time).saturating_mul(count.into()))
        }
        _ => None,
    });
    let needs = needs.fold(0_u128, u128::saturating_add);
    // The shares are rounded down, what the server has is not: what is said is certain.
    let has = share(budget.value, period.value);
    if needs > has + 1 {
        let message = format!(
            "the tasks of {} use {} of a core, and it has {}",
            declared.name,
            percent(needs),
            percent(has)
        );
        warnings.push(
            Diagnostic::new(Code::BudgetTooSmall, budget.span.clone(), message)
                .label(format!("in each {}", period.value))
                .help("in the long run its tasks fall behind without end; give it more, or them less to do"),
        );
    }
}

/// A whole core in [`share`].
const ONE: u128 = 1 << 62;

/// `work / period` in units of 2^-62, rounded down.
fn share(work: Duration, period: Duration) -> u128 {
    u128::from(work.as_ns()) * ONE / u128::from(period.as_ns())
}

/// To the nearest hundredth.
fn percent(share: u128) -> String {
    let hundredths = (share.saturating_mul(10_000) + ONE / 2) / ONE;
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}
