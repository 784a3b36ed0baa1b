//! What holds for every server by itself and for the parent it asks for time.

use super::presence::KeyOf;
use super::tree::{Tree, rule};
use super::windows::{check_windows, check_windows_key};
use crate::description::{At, Description, Field, Server};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span};
use crate::system::ServerKind;
use crate::word::{CORE_SCHEDULERS, Rule, SERVER_KINDS, text_of};
use vorrang_time::Duration;

pub(super) fn check(description: &Description, tree: &Tree, errors: &mut Errors) {
    for (index, supply) in description.supplies.iter().enumerate() {
        let Some(server) = &supply.body.server else { continue };
        check_budget(&supply.name, &server.budget, &server.period, errors);
        check_keys(&supply.name, &supply.span, server, errors);
        check_deadline(&supply.name, server, errors);
        check_least_budget(&supply.name, server, errors);
        check_offset(&supply.name, &supply.span, server, errors);
        check_windows(&supply.name, server, errors);
        check_fit(description, tree, index, server, errors);
    }
    for (task, parent) in description.tasks.iter().zip(&tree.task_parent) {
        let (Some(parent), Some(on)) = (*parent, task.body.on.get()) else { continue };
        if rule(description, parent) == Some(Rule::Slots) {
            let core = &description.supplies[parent].name;
            let message = format!("{} is on {core}, which runs only what is in a slot", task.name);
            errors.push(
                Diagnostic::new(Code::TaskOnSlots, on.span.clone(), message)
                    .label("this core's scheduler is \"slots\"")
                    .help(format!("put it on a server of kind \"slot\" that is on {core}")),
            );
        }
    }
}

/// A reservation cannot promise more than all of the time.
pub(super) fn check_budget(
    name: &str,
    budget: &Field<Duration>,
    period: &Field<Duration>,
    errors: &mut Errors,
) {
    if let (Some(budget), Some(period)) = (budget.get(), period.get())
        && budget.value > period.value
    {
        let message = format!("the budget of {name} is longer than its period");
        errors.push(
            Diagnostic::new(Code::BudgetOverPeriod, budget.span.clone(), message)
                .label(format!("{} of time", budget.value))
                .also(period.span.clone(), format!("in every {}", period.value)),
        );
    }
}

/// Keys of some kinds only.
fn check_keys(name: &str, span: &Span, server: &Server, errors: &mut Errors) {
    let key = |key| KeyOf { name, span, key };
    let kind = server.kind.get().map(|at| at.value);
    if let Some(why) = kind.and_then(why_no_budget) {
        key("budget").pointless(&server.budget, why, errors);
        key("period").pointless(&server.period, why, errors);
    } else {
        if kind != Some(ServerKind::Table) {
            let help = "Time in every period. Write `budget = \"5ms\"`";
            key("budget").needed(&server.budget, help, errors);
        }
        let help = "Replenishment period. Write `period = \"5ms\"`";
        key("period").needed(&server.period, help, errors);
    }
    check_windows_key(&key, kind, server, errors);
    if kind.is_some_and(|kind| kind != ServerKind::SchedDeadline) {
        let why = "of a \"sched-deadline\" server only";
        key("deadline").pointless(&server.deadline, why, errors);
        key("reclaim").pointless(&server.reclaim, why, errors);
    }
    if kind.is_some_and(|kind| kind != ServerKind::RefillQueue) {
        let why = "of a \"refill-queue\" server only";
        key("refills").pointless(&server.refills, why, errors);
        key("min-budget").pointless(&server.min_budget, why, errors);
    }
}

/// Why a kind of server has no budget.
fn why_no_budget(kind: ServerKind) -> Option<&'static str> {
    match kind {
        ServerKind::Share => Some("a \"share\" has no budget: it runs when it is its turn"),
        ServerKind::Level => {
            Some("`server = \"none\"` has no budget: it has what its priority leaves")
        }
        ServerKind::Periodic
        | ServerKind::Polling
        | ServerKind::Deferrable
        | ServerKind::Sporadic
        | ServerKind::CbsHard
        | ServerKind::CbsSoft
        | ServerKind::SchedDeadline
        | ServerKind::Slot
        | ServerKind::Table
        | ServerKind::PosixSporadic
        | ServerKind::RefillQueue => None,
    }
}

fn check_deadline(name: &str, server: &Server, errors: &mut Errors) {
    let (Some(deadline), Some(budget), Some(period)) =
        (server.deadline.get(), server.budget.get(), server.period.get())
    else {
        return;
    };
    if server.kind.get().is_none_or(|kind| kind.value != ServerKind::SchedDeadline)
        || (budget.value..=period.value).contains(&deadline.value)
    {
        return;
    }
    let message = format!("the deadline of {name} is not between its budget and its period");
    errors.push(
        Diagnostic::new(Code::ServerDeadline, deadline.span.clone(), message)
            .label(format!("{} after its wake-up", deadline.value))
            .also(budget.span.clone(), format!("at least {}", budget.value))
            .also(period.span.clone(), format!("at most {}", period.value)),
    );
}

fn check_least_budget(name: &str, server: &Server, errors: &mut Errors) {
    let (Some(least), Some(budget)) = (server.min_budget.get(), server.budget.get()) else {
        return;
    };
    let is_queue = server.kind.get().is_none_or(|kind| kind.value == ServerKind::RefillQueue);
    if !is_queue || least.value <= budget.value {
        return;
    }
    let message = format!("the least budget of {name} is more than its budget");
    errors.push(
        Diagnostic::new(Code::LeastBudget, least.span.clone(), message)
            .label(format!("less than {} is not used by itself", least.value))
            .also(budget.span.clone(), format!("{} in every period", budget.value)),
    );
}

fn check_offset(name: &str, span: &Span, server: &Server, errors: &mut Errors) {
    let Some(kind) = server.kind.get() else { return };
    match (&server.offset, kind.value) {
        (Field::Absent, ServerKind::Slot) => errors.push(
            Diagnostic::new(
                Code::MissingOffset,
                span.clone(),
                format!("{name} is a slot without an offset"),
            )
            .label("has no `offset`")
            .help("say where in its period the slot starts: `offset = \"0s\"`"),
        ),
        (Field::Is(offset), ServerKind::Slot) => check_slot(name, server, offset.value, errors),
        (Field::Is(offset), kind) => {
            let kind = text_of(SERVER_KINDS, &kind);
            let message = format!("{name} has an offset, but only a slot has one");
            errors.push(
                Diagnostic::new(Code::OffsetWithoutSlot, offset.span.clone(), message)
                    .label(format!("the server is \"{kind}\""))
                    .help("what holds for a server holds for every offset; leave it out"),
            );
        }
        (Field::Absent | Field::Wrong, _) => {}
    }
}

fn check_slot(name: &str, server: &Server, start: Duration, errors: &mut Errors) {
    let (Some(budget), Some(period)) = (server.budget.get(), server.period.get()) else { return };
    if budget.value <= period.value && start + budget.value > period.value {
        let span = server.offset.get().map_or(budget.span.clone(), |offset| offset.span.clone());
        let message = format!("the slot of {name} leaves its period");
        errors.push(
            Diagnostic::new(Code::SlotLeavesPeriod, span, message)
                .label(format!("from {start} to {}", start + budget.value))
                .also(period.span.clone(), format!("the period ends at {}", period.value))
                .help("offset and budget together are at most the period"),
        );
    }
}

/// Whether the parent's scheduler has what the kind of server needs.
fn check_fit(
    description: &Description,
    tree: &Tree,
    index: usize,
    server: &Server,
    errors: &mut Errors,
) {
    let Some((kind, parent)) = server.kind.get().zip(tree.parent[index]) else { return };
    if let Some(wrong) = unfit_on(description, index, kind, parent) {
        errors.push(wrong);
    }
}

/// That the supply that a server is on cannot schedule it with some kind.
pub(crate) fn unfit(
    description: &Description,
    index: usize,
    kind: &At<ServerKind>,
) -> Option<Diagnostic> {
    let server = description.supplies[index].body.server.as_ref()?;
    let on = &server.on.get()?.value.text;
    let parent = description.supplies.iter().position(|supply| supply.name == *on)?;
    unfit_on(description, index, kind, parent)
}

fn unfit_on(
    description: &Description,
    index: usize,
    kind: &At<ServerKind>,
    parent: usize,
) -> Option<Diagnostic> {
    let rule = rule(description, parent)?;
    let why = misfit(kind.value, rule)?;
    let name = &description.supplies[index].name;
    let parent = &description.supplies[parent];
    let message = format!(
        "{name} is a \"{}\" server, which {} cannot schedule",
        text_of(SERVER_KINDS, &kind.value),
        parent.name
    );
    let place = match &parent.body.scheduler {
        Field::Is(scheduler) => scheduler.span.clone(),
        _ => parent.span.clone(),
    };
    let wrong = Diagnostic::new(Code::KindDoesNotFit, kind.span.clone(), message);
    let rule = format!("this scheduler is \"{}\"", text_of(CORE_SCHEDULERS, &rule));
    Some(wrong.label(why).also(place, rule))
}

/// Why a kind of server has no meaning under a scheduler.
pub(super) fn misfit(kind: ServerKind, rule: Rule) -> Option<&'static str> {
    use ServerKind::{
        CbsHard, CbsSoft, Deferrable, Level, Periodic, Polling, PosixSporadic, RefillQueue,
        SchedDeadline, Share, Slot, Sporadic, Table,
    };
    let by_priority = matches!(
        rule,
        Rule::FixedPriority | Rule::RateMonotonic | Rule::DeadlineMonotonic | Rule::Linux
    );
    let fits = match kind {
        Slot | Table => rule == Rule::Slots,
        Periodic | Deferrable | Polling => by_priority || rule == Rule::Edf,
        Sporadic | RefillQueue | PosixSporadic => by_priority,
        CbsHard | CbsSoft => rule == Rule::Edf,
        SchedDeadline => matches!(rule, Rule::Edf | Rule::Linux),
        Share => rule.takes_turns(),
        Level => matches!(rule, Rule::FixedPriority | Rule::Linux),
    };
    if fits {
        return None;
    }
    let why = match (rule, kind) {
        (_, Slot) => "a slot needs a core whose scheduler is \"slots\"",
        (_, Table) => "a table needs a core whose scheduler is \"slots\"",
        (Rule::Slots, _) => "only a \"slot\" or a \"table\" can stand between slots",
        (_, Sporadic | RefillQueue | PosixSporadic) => {
            "its replenishment is defined by levels of priority"
        }
        (_, CbsHard | CbsSoft) => "it is scheduled by its deadline: needs \"edf\"",
        (_, SchedDeadline) => "it is scheduled by its deadline: needs \"edf\" or \"linux\"",
        (_, Share) => "a share has a meaning only where members take turns",
        (_, Level) => {
            "without budget and period only a stated priority orders it: needs \"fixed-priority\" or \"linux\""
        }
        (_, Polling | Periodic | Deferrable) => "only servers of kind \"share\" take turns",
    };
    Some(why)
}
