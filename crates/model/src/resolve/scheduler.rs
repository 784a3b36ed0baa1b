//! What only some schedulers look at: quanta, needed where members take turns, shares, needed where turns depend on
//! them, time slices, which equal priorities may have, and all of them pointless elsewhere; what interrupts are charged to, pointless where no `sched-deadline` server stands; what is
//! kept for `SCHED_OTHER`, which only Linux has.

use super::kept;
use super::presence::KeyOf;
use super::tree::{Tree, rule};
use crate::description::{Declared, Description, Field, Server, Supply};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span};
use crate::system::{ServerKind, TimerQueue};
use crate::word::{CORE_SCHEDULERS, Rule, TIMER_QUEUES, text_of};

pub(super) fn check(description: &Description, tree: &Tree, errors: &mut Errors) {
    for (index, supply) in description.supplies.iter().enumerate() {
        check_quantum(description, index, errors);
        check_time_slice(description, index, errors);
        check_interrupt_time(description, index, errors);
        kept::check(description, index, errors);
        check_kernel(description, index, errors);
        check_max_defer(description, index, errors);
        let Some(server) = &supply.body.server else { continue };
        let above = tree.rule_above(description, index);
        check_share(above, &supply.name, &supply.span, &server.share, errors);
        let parent = tree.parent[index].map(|parent| &description.supplies[parent]);
        check_slices_of_budgets(&supply.name, server, parent, errors);
    }
    for (task, parent) in description.tasks.iter().zip(&tree.task_parent) {
        let above = parent.and_then(|parent| rule(description, parent));
        check_share(above, &task.name, &task.span, &task.body.share, errors);
    }
}

fn check_quantum(description: &Description, index: usize, errors: &mut Errors) {
    let supply = &description.supplies[index];
    let Some(rule) = rule(description, index) else { return };
    let key = KeyOf { name: &supply.name, span: &supply.span, key: "quantum" };
    let scheduler = text_of(CORE_SCHEDULERS, &rule);
    if rule.takes_turns() {
        let help = format!("with \"{scheduler}\" members take turns: `quantum = \"10ms\"`");
        key.needed(&supply.body.quantum, &help, errors);
    } else {
        let why = format!("with \"{scheduler}\" nothing takes turns");
        key.pointless(&supply.body.quantum, &why, errors);
    }
}

fn check_time_slice(description: &Description, index: usize, errors: &mut Errors) {
    let supply = &description.supplies[index];
    let Some(rule) = rule(description, index).filter(|rule| !rule.has_equals()) else { return };
    let key = KeyOf { name: &supply.name, span: &supply.span, key: "time-slice" };
    let scheduler = text_of(CORE_SCHEDULERS, &rule);
    let why = format!("with \"{scheduler}\" no two members have the same priority");
    key.pointless(&supply.body.time_slice, &why, errors);
}

/// The kernel that has queues of refills has no other slices.
fn check_slices_of_budgets(
    name: &str,
    server: &Server,
    parent: Option<&Declared<Supply>>,
    errors: &mut Errors,
) {
    let (Some(parent), Some(kind)) = (parent, server.kind.get()) else { return };
    let Some(slice) = parent.body.time_slice.get() else { return };
    if kind.value == ServerKind::RefillQueue {
        let message = format!("{name} is on {}, which has time slices", parent.name);
        errors.push(
            Diagnostic::new(Code::SlicesOfBudgets, kind.span.clone(), message)
                .label("its kernel has none but budgets")
                .also(slice.span.clone(), format!("of {}", slice.value))
                .help(format!("leave out `time-slice` of {}; where budget and period are the same, the budget is the slice", parent.name)),
        );
    }
}

fn check_interrupt_time(description: &Description, index: usize, errors: &mut Errors) {
    let supply = &description.supplies[index];
    let Some(rule) = rule(description, index) else { return };
    if !matches!(rule, Rule::Linux | Rule::Edf) {
        let key = KeyOf { name: &supply.name, span: &supply.span, key: "interrupt-time" };
        let scheduler = text_of(CORE_SCHEDULERS, &rule);
        let why = format!("no \"sched-deadline\" server stands on a core with \"{scheduler}\"");
        key.pointless(&supply.body.interrupt_time, &why, errors);
    }
}

fn check_kernel(description: &Description, index: usize, errors: &mut Errors) {
    let supply = &description.supplies[index];
    let Some(other) = rule(description, index).filter(|&rule| rule != Rule::Linux) else { return };
    let scheduler = text_of(CORE_SCHEDULERS, &other);
    let why = format!("only \"linux\" has it, not \"{scheduler}\"");
    let key = |key| KeyOf { name: &supply.name, span: &supply.span, key };
    key("kernel").pointless(&supply.body.kernel, &why, errors);
    key("overrun").pointless(&supply.body.overrun, &why, errors);
    key("deadline-limits").pointless(&supply.body.deadline_limits, &why, errors);
    key("sections").pointless(&supply.body.sections, &why, errors);
}

fn check_max_defer(description: &Description, index: usize, errors: &mut Errors) {
    let supply = &description.supplies[index];
    let queue = match &supply.body.timers {
        Field::Is(at) => at.value,
        Field::Absent => TimerQueue::default(),
        Field::Wrong => return,
    };
    if queue != TimerQueue::TimerShield {
        let key = KeyOf { name: &supply.name, span: &supply.span, key: "max-defer" };
        let queue = text_of(TIMER_QUEUES, &queue);
        key.pointless(
            &supply.body.max_defer,
            &format!("with \"{queue}\" no timer waits for what runs"),
            errors,
        );
    }
}

fn check_share(
    above: Option<Rule>,
    name: &str,
    span: &Span,
    share: &Field<u64>,
    errors: &mut Errors,
) {
    let Some(rule) = above else { return };
    let key = KeyOf { name, span, key: "share" };
    let scheduler = text_of(CORE_SCHEDULERS, &rule);
    if rule.has_shares() {
        let help = format!("it takes turns (\"{scheduler}\"), by shares: `share = 1`");
        key.needed(share, &help, errors);
    } else if rule.takes_turns() {
        let why = format!("with \"{scheduler}\" each member has one quantum in turn");
        key.pointless(share, &why, errors);
    } else {
        let why = format!("nothing takes turns there: the scheduler is \"{scheduler}\"");
        key.pointless(share, &why, errors);
    }
}
