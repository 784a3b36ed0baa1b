//! From the description to the system: names become indices, and what does not fit together is
//! reported.
//!
//! Every check works on what is there and right, so that one error hides no other; the system is
//! built when there was none.

mod build;
mod interrupt;
mod name;
mod require;
mod server;
mod slot;
mod tree;
mod urgency;

use crate::description::Description;
use crate::diagnostic::collect::Errors;
use crate::system::System;

/// The system of a description; `None`, and errors, if there is none.
pub(crate) fn resolve(description: &Description, errors: &mut Errors) -> Option<System> {
    let names = name::Names::of(description);
    let tree = tree::Tree::of(description, &names, errors);
    server::check(description, &tree, errors);
    slot::check(description, &tree, errors);
    let urgency = urgency::Urgency::of(description, &tree, errors);
    let interrupts = interrupt::Interrupts::of(description, &names, &tree, errors);
    let requirements = require::requirements(description, &names, errors);
    errors.is_empty().then(|| build::build(description, &tree, &urgency, &interrupts, requirements))
}
