//! Whether a server or a task may stand on a supply that it does not stand on yet.

use super::server::misfit;
use super::tree::rule;
use crate::description::{Description, Field};
use crate::system::{Priority, ServerKind};
use crate::word::Rule;

/// What may stand there, by index in the description.
#[derive(Clone, Copy)]
pub(crate) enum Candidate {
    Task(usize),
    /// Of this kind, or of the one that is stated.
    Server(usize, Option<ServerKind>),
}

/// Whether a supply can schedule something, and that has a priority where the supply looks at it and only
/// there.
///
/// # Errors
/// Why it cannot.
pub(crate) fn suits(
    description: &Description,
    candidate: Candidate,
    on: usize,
) -> Result<bool, &'static str> {
    // What is wrong there is reported elsewhere.
    let Some(rule) = rule(description, on) else { return Ok(true) };
    let (kind, priority) = match candidate {
        Candidate::Task(task) => (None, &description.tasks[task].body.priority),
        Candidate::Server(server, kind) => {
            let Some(server) = &description.supplies[server].body.server else { return Ok(true) };
            (kind.or(server.kind.get().map(|at| at.value)), &server.priority)
        }
    };
    if let Candidate::Task(_) = candidate
        && rule == Rule::Slots
    {
        return Err("only a \"slot\" can stand between slots");
    }
    if let Some(why) = kind.and_then(|kind| misfit(kind, rule)) {
        return Err(why);
    }
    let by_deadline = rule == Rule::Linux && kind == Some(ServerKind::SchedDeadline);
    let has_priorities = matches!(rule, Rule::FixedPriority | Rule::Linux) && !by_deadline;
    Ok(has_priorities == is_stated(priority))
}

fn is_stated(priority: &Field<Priority>) -> bool {
    !priority.is_absent()
}
