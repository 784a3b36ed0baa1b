//! Urgency on a supply: stated priorities, or an order that follows from the members.

use super::activation::Activations;
use super::tree::{Local, Tree, rule};
use crate::description::{Description, Field};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span};
use crate::system::{Priority, ServerKind};
use crate::word::{CORE_SCHEDULERS, Rule, text_of};
use vorrang_time::Duration;

/// Priorities by index in the description; zero where they are not used.
pub(super) struct Urgency {
    pub(super) supplies: Vec<Priority>,
    pub(super) tasks: Vec<Priority>,
}

/// What a member says about its urgency.
struct Claim<'a> {
    name: &'a str,
    span: &'a Span,
    priority: &'a Field<Priority>,
    period: Option<Duration>,
    /// The time by which it is ordered by deadlines; the period for a server.
    deadline: Option<Duration>,
    /// Best effort.
    has_none: bool,
    /// For ever.
    polls: bool,
    /// A server that Linux schedules by its deadline.
    by_deadline: bool,
}

impl Urgency {
    pub(super) fn of(
        description: &Description,
        tree: &Tree,
        activations: &Activations,
        errors: &mut Errors,
    ) -> Self {
        let mut urgency = Self {
            supplies: vec![Priority::default(); description.supplies.len()],
            tasks: vec![Priority::default(); description.tasks.len()],
        };
        for (supply, members) in tree.members.iter().enumerate() {
            let Some(rule) = rule(description, supply) else { continue };
            let claims: Vec<_> =
                members.iter().map(|member| claim(description, activations, *member)).collect();
            for (member, priority) in members.iter().zip(priorities(rule, &claims, errors)) {
                match *member {
                    Local::Task(index) => urgency.tasks[index] = priority,
                    Local::Server(index) => urgency.supplies[index] = priority,
                }
            }
        }
        urgency
    }
}

fn claim<'a>(description: &'a Description, activations: &Activations, member: Local) -> Claim<'a> {
    match member {
        Local::Task(index) => {
            let declared = &description.tasks[index];
            let task = &declared.body;
            let period = activations.period[index];
            let stated = task.deadline.get().map(|at| at.value);
            let deadline = match &task.deadline {
                Field::Absent if task.polls() => None,
                Field::Absent => period,
                _ => stated.flatten(),
            };
            Claim {
                name: &declared.name,
                span: &declared.span,
                priority: &task.priority,
                period,
                deadline,
                has_none: stated == Some(None) || task.polls(),
                polls: task.polls(),
                by_deadline: false,
            }
        }
        Local::Server(index) => {
            let declared = &description.supplies[index];
            let server = declared.body.server.as_ref().expect("a core is a member of nothing");
            let period = server.period.get().map(|at| at.value);
            Claim {
                name: &declared.name,
                span: &declared.span,
                priority: &server.priority,
                period,
                deadline: period,
                has_none: false,
                polls: false,
                by_deadline: server
                    .kind
                    .get()
                    .is_some_and(|kind| kind.value == ServerKind::SchedDeadline),
            }
        }
    }
}

/// The priorities of the members of one supply.
fn priorities(rule: Rule, claims: &[Claim<'_>], errors: &mut Errors) -> Vec<Priority> {
    let by_deadline = |claim: &Claim<'_>| rule == Rule::Linux && claim.by_deadline;
    let choice = claims.iter().filter(|claim| !by_deadline(claim)).count() > 1;
    for claim in claims {
        if by_deadline(claim) {
            let why = "\"linux\" schedules a \"sched-deadline\" server by its deadline";
            check_unused(claim.name, claim.priority, why, "leave it out", errors);
        } else {
            check_priority(rule, choice, claim.name, claim.span, claim.priority, errors);
        }
        if matches!(rule, Rule::Edf | Rule::DeadlineMonotonic) && claim.has_none {
            let rule = text_of(CORE_SCHEDULERS, &rule);
            let message =
                format!("{} has no deadline, but its supply orders by deadlines", claim.name);
            errors.push(
                Diagnostic::new(Code::MissingDeadline, claim.span.clone(), message)
                    .label(format!("the scheduler is \"{rule}\""))
                    .help(if claim.polls {
                        "it polls for ever: put it in a server that has a deadline"
                    } else {
                        "give it a deadline; a long one for work that may wait"
                    }),
            );
        }
    }
    match rule {
        Rule::FixedPriority | Rule::Linux => {
            claims.iter().map(|claim| claim.priority.or(Priority(0)).unwrap_or_default()).collect()
        }
        Rule::RateMonotonic => shortest_first(claims, |claim| claim.period),
        Rule::DeadlineMonotonic => shortest_first(claims, |claim| claim.deadline),
        Rule::Edf
        | Rule::Slots
        | Rule::Vtrr
        | Rule::Stride
        | Rule::RoundRobin
        | Rule::WeightedRoundRobin => vec![Priority::default(); claims.len()],
    }
}

/// Distinct priorities from 1: the shortest gets the highest, of equals the first declared.
fn shortest_first(
    claims: &[Claim<'_>],
    time: impl Fn(&Claim<'_>) -> Option<Duration>,
) -> Vec<Priority> {
    let mut order: Vec<usize> = (0..claims.len()).collect();
    order.sort_by_key(|index| (time(&claims[*index]), *index));
    let mut priorities = vec![Priority::default(); claims.len()];
    for (index, level) in order.into_iter().rev().zip(1..) {
        priorities[index] = Priority(level);
    }
    priorities
}

/// A priority stands where it is used, and only there. `choice`: the supply has other members.
fn check_priority(
    rule: Rule,
    choice: bool,
    name: &str,
    span: &Span,
    priority: &Field<Priority>,
    errors: &mut Errors,
) {
    match (rule, priority) {
        (Rule::FixedPriority | Rule::Linux, Field::Absent) if choice => {
            let help = match rule {
                Rule::Linux => {
                    "on \"linux\" everything but a \"sched-deadline\" server has one; larger is more urgent"
                }
                _ => "on a fixed-priority supply every member has one; larger is more urgent",
            };
            let message = format!("{name} has no priority");
            errors.push(
                Diagnostic::new(Code::MissingPriority, span.clone(), message)
                    .label("has no `priority`")
                    .help(help),
            );
        }
        _ if !matches!(rule, Rule::FixedPriority | Rule::Linux) => {
            let help = match rule {
                Rule::RateMonotonic => {
                    "the order follows from the periods: leave it out, or make the supply \"fixed-priority\""
                }
                Rule::DeadlineMonotonic => {
                    "the order follows from the deadlines: leave it out, or make the supply \"fixed-priority\""
                }
                _ => "leave it out",
            };
            let why = format!("the scheduler is \"{}\"", text_of(CORE_SCHEDULERS, &rule));
            check_unused(name, priority, &why, help, errors);
        }
        _ => {}
    }
}

/// Reports a priority that the supply does not look at.
pub(super) fn check_unused(
    name: &str,
    priority: &Field<Priority>,
    why: &str,
    help: &str,
    errors: &mut Errors,
) {
    if let Field::Is(at) = priority {
        let message = format!("{name} has a priority, but its supply does not use it");
        errors.push(
            Diagnostic::new(Code::UnusedPriority, at.span.clone(), message).label(why).help(help),
        );
    }
}
