//! Tasks whose jitter may be a guess at the response time of a task of another core.

use super::tree::Tree;
use crate::description::{Declared, Description, Task};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::system::Kernel;

/// Warns of each task with a jitter and the period of a task of another core, which wakes nothing: no bound of the
/// one is behind the jitter of the other.
pub(super) fn lint(description: &Description, tree: &Tree, warnings: &mut Errors) {
    let core = |task: usize| tree.task_parent[task].and_then(|supply| tree.core[supply]);
    for (own, declared) in description.tasks.iter().enumerate() {
        let (Some(period), Some(jitter)) = (declared.body.period.get(), declared.body.jitter.get())
        else {
            continue;
        };
        // What the profile of a kernel adds is none of the description's.
        if jitter.value.is_zero() || Kernel::does(&declared.name) {
            continue;
        }
        let is_like = |(other, of): &(usize, &Declared<Task>)| {
            let same = of.body.period.get().is_some_and(|of| of.value == period.value);
            let is_own = !Kernel::does(&of.name) && of.body.wakes.get().is_none();
            same && is_own && core(*other) != core(own)
        };
        let Some((_, first)) = description.tasks.iter().enumerate().find(is_like) else { continue };
        let message = format!(
            "{} has a jitter, and the period of {} on another core: nothing links the two",
            declared.name, first.name
        );
        warnings.push(
            Diagnostic::new(Code::LooseJitter, jitter.span.clone(), message)
                .label(format!("up to {}, whatever the other takes", jitter.value))
                .also(first.span.clone(), "of the same period")
                .help(format!(
                    "if {} wakes it, say `wakes = [\"{}\"]` there, and leave out period and jitter",
                    first.name, declared.name
                )),
        );
    }
}
