//! What holds for every task by itself.

use super::polls;
use super::presence::KeyOf;
use crate::description::{At, Declared, Description, Field, Task};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use vorrang_time::Duration;

impl Task {
    /// The longest execution time, if one is stated, in either way, and right.
    pub(crate) fn longest(&self) -> Option<Duration> {
        let stated = self.wcet.get().map(|at| at.value);
        stated.or_else(|| Some(self.execution.get()?.value.last()?.0))
    }

    /// The shortest execution time; the least there is if none is stated.
    pub(crate) fn shortest(&self) -> Duration {
        let first = || self.execution.get().and_then(|at| at.value.first()).map(|first| first.0);
        self.bcet.get().map(|at| at.value).or_else(first).unwrap_or(Duration::RESOLUTION)
    }
}

pub(super) fn check(description: &Description, errors: &mut Errors) {
    for task in &description.tasks {
        if task.body.polls() {
            polls::check_keys(task, errors);
            continue;
        }
        if task.body.execution.is_absent() {
            let key = KeyOf { name: &task.name, span: &task.span, key: "wcet" };
            let help = "Longest execution time of a job. Write `wcet = \"5ms\"`";
            key.needed(&task.body.wcet, help, errors);
        }
        match task.body.execution.get() {
            Some(execution) => agree(task, execution, errors),
            None => in_order(task, errors),
        }
    }
}

fn in_order(task: &Declared<Task>, errors: &mut Errors) {
    let (Some(least), Some(most)) = (task.body.bcet.get(), task.body.wcet.get()) else {
        return;
    };
    if least.value > most.value {
        let message = format!("the shortest execution time of {} is above its longest", task.name);
        errors.push(
            Diagnostic::new(Code::BcetOverWcet, least.span.clone(), message)
                .label(format!("at least {}", least.value))
                .also(most.span.clone(), format!("at most {}", most.value)),
        );
    }
}

/// What the task states twice is the same.
fn agree(task: &Declared<Task>, execution: &At<Vec<(Duration, u32)>>, errors: &mut Errors) {
    let times = &execution.value;
    let ends =
        [(&task.body.bcet, times.first(), "shortest"), (&task.body.wcet, times.last(), "longest")];
    for (stated, end, which) in ends {
        let (Field::Is(stated), Some((time, _))) = (stated, end) else { continue };
        if stated.value != *time {
            let message =
                format!("the {which} execution time of {} is stated twice, differently", task.name);
            errors.push(
                Diagnostic::new(Code::ExecutionBounds, stated.span.clone(), message)
                    .label(format!("{} here", stated.value))
                    .also(execution.span.clone(), format!("{time} here"))
                    .help("leave it out: `execution` says it"),
            );
        }
    }
}
