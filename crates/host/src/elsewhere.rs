//! What running a description would change on another machine, as a document tells that one.
//!
//! **Not covered.** Which virtual processor a thread runs, for interrupts of guests: that is looked up where it is run.

use crate::changes::parking;
use crate::of_linux;
use crate::run::LOOK;
use crate::schedule::Managed;
use crate::scope::Scope;
use crate::shown::{counts_the_dispatchers, show, unlike};
use vorrang_command::decided::unfit;
use vorrang_command::exit::Failure;
use vorrang_enforce::{Plan, Told};
use vorrang_verdict::input::Input;

/// The changes in words.
///
/// # Errors
/// The description is refused, or that machine lacks something.
pub fn changes_on(machine: &Told, input: &Input, unproven: bool) -> Result<String, Failure> {
    let scopes = Scope::all(&input.system, LOOK);
    let scopes = scopes.map_err(|why| unfit(input, &why.missing, &why.wrong))?;
    if !unproven {
        counts_the_dispatchers(input, &scopes, LOOK)?;
    }
    let plan = of_linux::planned(machine, &input.system);
    let plan = plan.map_err(|why| unfit(input, &why.missing, &why.wrong))?;
    let parking = parking(machine, &scopes, None).map_err(|problems| unlike(&problems))?;
    let faults = plan.as_ref().map(|plan| of_linux::faults(machine, plan, &parking));
    let faults = faults.unwrap_or_default();
    if !faults.is_empty() {
        return Err(unlike(&faults));
    }
    let threads = parking.threads.iter().zip(&parking.tasks);
    let managed = scopes.iter().zip(threads).map(|(scope, (threads, tasks))| Managed {
        scope,
        threads,
        tasks,
        awaited: Vec::new(),
        before: None,
    });
    let managed: Vec<Managed<'_>> = managed.collect();
    let mut text = plan.as_ref().map(Plan::words).unwrap_or_default();
    show(machine, LOOK, (&managed, &parking), &mut text);
    Ok(text)
}
