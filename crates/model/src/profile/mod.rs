//! The profile of a machine: what its kernel does by itself, costs and caches that a description takes from another file.
//!
//! What the description states itself replaces what the profile says: costs one by one, caches by
//! their name.

mod kernel;

use crate::description::{At, Cache, Declared, Description};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, excerpt};
use crate::system::Costs;
pub(crate) use kernel::{Entry, Kernel};
use std::collections::BTreeSet;

/// What a machine takes for its own work, read without complaint.
#[derive(Default)]
pub struct Profile {
    pub(crate) costs: Costs,
    /// Those of the costs that it states.
    pub(crate) stated_costs: BTreeSet<&'static str>,
    /// What a kernel does by itself.
    pub(crate) kernel: Option<Kernel>,
    pub(crate) caches: Vec<Declared<Cache>>,
}

/// How a profile is found: the text of `profile` to a profile, or to a reason why there is none.
pub(crate) type Find<'a> = &'a mut dyn FnMut(&str) -> Result<Profile, String>;

/// Puts the profiles of a description into it, if it names any.
pub(crate) fn include(description: &mut Description, find: Option<Find<'_>>, errors: &mut Errors) {
    let Some(find) = find else { return kernel::include(description, None, errors) };
    include_machine(description, find, errors);
    kernel::include(description, Some(find), errors);
}

fn include_machine(description: &mut Description, find: Find<'_>, errors: &mut Errors) {
    let Some(At { value: file, span }) = description.profile.take() else { return };
    match find(&file) {
        Ok(profile) => merge(description, profile, &span),
        Err(why) => {
            let message = format!("the profile {} cannot be used", excerpt(&file));
            errors.push(Diagnostic::new(Code::ProfileUnusable, span, message).label(why));
            description.refuses_caches = true;
        }
    }
}

/// The costs that nothing has stated before.
pub(crate) fn merge_costs(description: &mut Description, profile: &Profile) {
    let stated = |key: &str| description.stated_costs.contains(key);
    let Costs {
        scheduler_call,
        context_switch,
        timer_expiry,
        interrupt_entry,
        interrupt_exit,
        vm_exit,
    } = &mut description.costs;
    for (key, own, of_profile) in [
        ("scheduler-call", scheduler_call, profile.costs.scheduler_call),
        ("context-switch", context_switch, profile.costs.context_switch),
        ("timer-expiry", timer_expiry, profile.costs.timer_expiry),
        ("interrupt-entry", interrupt_entry, profile.costs.interrupt_entry),
        ("interrupt-exit", interrupt_exit, profile.costs.interrupt_exit),
        ("vm-exit", vm_exit, profile.costs.vm_exit),
    ] {
        if !stated(key) {
            *own = of_profile;
        }
    }
    description.stated_costs.extend(&profile.stated_costs);
}

fn merge(description: &mut Description, profile: Profile, span: &std::ops::Range<usize>) {
    merge_costs(description, &profile);
    let own: BTreeSet<String> = description.caches.iter().map(|cache| cache.name.clone()).collect();
    let new = profile.caches.into_iter().filter(|cache| !own.contains(&cache.name));
    // In this file they stand where the profile is named.
    description.caches.extend(new.map(|cache| Declared { span: span.clone(), ..cache }));
}
