//! From the description to the system: names become indices, and what does not fit together is
//! reported.
//!
//! Every check works on what is there and right, so that one error hides no other; the system is
//! built when there was none.

mod activation;
mod blocking;
mod build;
mod cache;
mod chain;
mod checked;
mod delivery;
mod device;
mod distances;
mod fit;
mod host;
mod interrupt;
mod joined;
mod kept;
mod kernel;
mod link;
mod lint;
mod loose_jitter;
mod name;
mod path;
mod placed;
mod polls;
mod posted;
mod presence;
mod require;
mod scheduler;
mod server;
mod server_rule;
mod slot;
mod task;
mod timer;
mod tree;
mod urgency;
mod wakes;
mod windows;

use crate::description::{Description, Field, Reference};
use crate::diagnostic::collect::Errors;
use crate::system::System;

/// Reports each of some references that names nothing which may stand there.
pub(crate) fn look_up(
    description: &Description,
    references: &[Field<Reference>],
    errors: &mut Errors,
) {
    let names = name::Names::of(description);
    for reference in references {
        names.find(reference, errors);
    }
}

pub(crate) use delivery::credit;
pub(crate) use fit::{Candidate, suits};
pub(crate) use server::unfit;

/// The system of a complete description, and what is probably not meant in it; `None`, and errors, if there is
/// none.
pub(crate) fn resolve(
    description: &Description,
    errors: &mut Errors,
    warnings: &mut Errors,
) -> Option<System> {
    resolved(description, true, errors, warnings)
}

/// That of a description in which something stands for what is open: a kernel need not take it.
pub(crate) fn resolve_open(description: &Description, errors: &mut Errors) -> Option<System> {
    resolved(description, false, errors, &mut Errors::default())
}

fn resolved(
    description: &Description,
    is_complete: bool,
    errors: &mut Errors,
    warnings: &mut Errors,
) -> Option<System> {
    let names = name::Names::of(description);
    let tree = tree::Tree::of(description, &names, errors);
    let links = link::Links::of(description, &names, errors);
    server::check(description, &tree, errors);
    slot::check(description, &tree, errors);
    scheduler::check(description, &tree, errors);
    task::check(description, errors);
    let activations = activation::Activations::of(description, &links, errors);
    distances::check(description, &links, &activations, errors);
    let urgency = urgency::Urgency::of(description, &tree, &activations, errors);
    let blocking = blocking::Blocking::of(description, &tree, &urgency, errors);
    interrupt::check(description, &links, &tree, errors);
    delivery::check(description, &links, &tree, errors);
    device::check(description, &links, &tree, errors);
    cache::check(description, &tree, errors);
    timer::check(description, &links, &tree, errors);
    host::check(description, &tree, errors);
    placed::check(description, errors);
    if is_complete {
        kernel::check(description, &tree, errors);
    }
    let chains = chain::chains(description, &names, &activations, errors);
    let requirements = require::requirements(description, &names, &activations, errors);
    let resolved = build::Resolved {
        description,
        tree: &tree,
        links: &links,
        urgency: &urgency,
        blocking: &blocking,
        activations: &activations,
    };
    errors.is_empty().then(|| {
        lint::check(description, &tree, &links, &activations, warnings);
        kernel::warn(description, &tree, warnings);
        resolved.system(requirements, chains)
    })
}
