//! What holds for every task by itself.

use crate::description::Description;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;

pub(super) fn check(description: &Description, errors: &mut Errors) {
    for task in &description.tasks {
        let (Some(least), Some(most)) = (task.body.bcet.get(), task.body.wcet.get()) else {
            continue;
        };
        if least.value > most.value {
            let message =
                format!("the shortest execution time of {} is above its longest", task.name);
            errors.push(
                Diagnostic::new(Code::BcetOverWcet, least.span.clone(), message)
                    .label(format!("at least {}", least.value))
                    .also(most.span.clone(), format!("at most {}", most.value)),
            );
        }
    }
}
