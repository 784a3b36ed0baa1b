//! By how much less urgent work delays a member: what it states, or what follows from the others.
//!
//! Under a priority ceiling protocol a section runs at the urgency of the most urgent member that
//! shares its lock, so it delays everything between that one and its owner. A member that states
//! nothing is therefore delayed by as much as a member at least as urgent, if something less urgent
//! may own the section: another member, or, for the least urgent of them, what delays its equals.

use super::tree::{Local, Tree, rule};
use super::urgency::Urgency;
use crate::description::{Description, Field};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span};
use crate::system::{Priority, ServerKind};
use crate::word::Rule;
use vorrang_time::Duration;

/// Blocking by index in the description.
pub(super) struct Blocking {
    pub(super) supplies: Vec<Duration>,
    pub(super) tasks: Vec<Duration>,
}

/// A member of a supply, with what it states.
struct Claim<'a> {
    member: Local,
    name: &'a str,
    stated: &'a Field<Duration>,
    priority: Priority,
    /// Linux schedules it by its deadline.
    by_deadline: bool,
}

impl Claim<'_> {
    fn stated(&self) -> Option<Duration> {
        self.stated.get().map(|at| at.value)
    }
}

impl Blocking {
    pub(super) fn of(
        description: &Description,
        tree: &Tree,
        urgency: &Urgency,
        errors: &mut Errors,
    ) -> Self {
        let mut blocking = Self {
            supplies: vec![Duration::ZERO; description.supplies.len()],
            tasks: vec![Duration::ZERO; description.tasks.len()],
        };
        for (supply, members) in tree.members.iter().enumerate() {
            let Some(rule) = rule(description, supply) else { continue };
            let claims = members.iter().map(|member| claim(description, urgency, *member));
            let claims: Vec<Claim<'_>> = claims.collect();
            for own in &claims {
                check_used(rule, own, errors);
                let found = own.stated().unwrap_or_else(|| unstated(rule, own, &claims));
                match own.member {
                    Local::Task(index) => blocking.tasks[index] = found,
                    Local::Server(index) => blocking.supplies[index] = found,
                }
            }
        }
        blocking
    }
}

fn claim<'a>(description: &'a Description, urgency: &Urgency, member: Local) -> Claim<'a> {
    match member {
        Local::Task(index) => {
            let declared = &description.tasks[index];
            Claim {
                member,
                name: &declared.name,
                stated: &declared.body.blocking,
                priority: urgency.tasks[index],
                by_deadline: false,
            }
        }
        Local::Server(index) => {
            let declared = &description.supplies[index];
            let server = declared.body.server.as_ref().expect("a core is a member of nothing");
            let kind = server.kind.get().map(|kind| kind.value);
            Claim {
                member,
                name: &declared.name,
                stated: &server.blocking,
                priority: urgency.supplies[index],
                by_deadline: kind == Some(ServerKind::SchedDeadline),
            }
        }
    }
}

/// What a member suffers that states nothing.
fn unstated(rule: Rule, own: &Claim<'_>, claims: &[Claim<'_>]) -> Duration {
    if !is_by_priority(rule) || own.by_deadline {
        return Duration::ZERO;
    }
    let by_priority = claims.iter().filter(|other| !other.by_deadline);
    let has_less_urgent = by_priority.clone().any(|other| other.priority < own.priority);
    let delays = |other: &&Claim<'_>| {
        other.priority == own.priority || (has_less_urgent && other.priority > own.priority)
    };
    by_priority.filter(delays).filter_map(Claim::stated).max().unwrap_or_default()
}

fn is_by_priority(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::FixedPriority | Rule::RateMonotonic | Rule::DeadlineMonotonic | Rule::Linux
    )
}

/// A server states it where priority decides about it, and only there.
fn check_used(rule: Rule, own: &Claim<'_>, errors: &mut Errors) {
    let Local::Server(_) = own.member else { return };
    if is_by_priority(rule) && !own.by_deadline {
        return;
    }
    if let Field::Is(at) = own.stated {
        let span: Span = at.span.clone();
        let message = format!("`blocking` of {} has no effect", own.name);
        let help = "leave it out; what delays reservations by deadline is the blocking of tasks beside them, or an interrupt";
        errors.push(
            Diagnostic::new(Code::NoEffect, span, message)
                .label("no priority decides about this server")
                .help(help),
        );
    }
}
