//! A description with values left open, for `vorrang design` to choose.
//!
//! **Model.** `"?"` stands for anything that may stand there; an array for one of its values; a table
//! `{ from, to, step }` for a duration of a grid, and `{ from, to }` for a priority between. [`Open`] keeps the description with its open values
//! apart. Whatever is chosen goes through the same resolver as if it had been written, so that an order
//! that follows from periods, or a deadline that follows from one, is that of the values chosen.
//!
//! ```text
//!   text ── tree ─┬─ open values                       ┌─▶ resolve ─▶ System
//!                 └─ the rest ── reading ─▶ Description + chosen
//!                                                      └─▶ the same text with the values in it
//! ```
//!
//! **Cost.** A choice is resolved in time linear in the description; it is not read again.

mod on;
mod part;
pub(crate) mod refused;
mod value;

pub use value::{Allowed, Chosen, OpenKey, OpenValue};

use crate::description::Description;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::collect::Errors;
use crate::paid::Paid;
use crate::system::System;
use crate::{Beside, Format, include, profile, reading, resolve, text};
use vorrang_time::Duration;

/// A description with open values, without errors besides.
pub struct Open {
    source: Vec<u8>,
    description: Description,
    values: Vec<OpenValue>,
    places: Vec<Place>,
    requirements: Vec<(String, Duration)>,
}

/// What an open value belongs to, by index in the description.
#[derive(Clone, Copy)]
enum Place {
    Supply(usize),
    Task(usize),
    PseudoVcpu(Paid),
}

/// Reads a description with open values.
///
/// # Errors
/// Everything that is wrong with it, also that nothing is open, in the order of the text; never empty.
///
/// ```
/// use vorrang_model::{Chosen, Format, read_open};
/// use vorrang_time::Duration;
/// let source = r#"
///     version = 1
///     [core.0]
///     scheduler = "edf"
///     [vcpu.motor]
///     on = "core.0"
///     server = "cbs-hard"
///     budget = "?"           # to be found
///     period = "10ms"
///     [task.speed]
///     on = "vcpu.motor"
///     wcet = "1200us"
///     period = "20ms"
/// "#;
/// let mut open = read_open(source, Format::Toml, |_| Err("no profiles here".into())).unwrap();
/// assert_eq!(open.values()[0].of, "vcpu.motor");
/// let chosen = [Chosen::Time(Duration::from_us(900))];
/// assert_eq!(open.resolve(&chosen).unwrap().supplies[1].name, "vcpu.motor");
/// assert_eq!(open.written(&chosen), source.replace("\"?\"", "\"900us\"").into_bytes());
/// ```
pub fn read_open(
    source: impl AsRef<[u8]>,
    format: Format,
    mut find: impl FnMut(&str) -> Result<crate::Profile, String>,
) -> Result<Open, Vec<Diagnostic>> {
    let source = source.as_ref();
    let mut errors = Errors::default();
    let parsed = include::parse(source, format, None, &mut errors);
    read_parsed(source, parsed, &mut find, errors)
}

/// The same with what it includes, where nothing may be open.
///
/// # Errors
/// As [`read_open()`].
pub fn read_open_beside(
    source: impl AsRef<[u8]>,
    format: Format,
    beside: &mut dyn Beside,
) -> Result<Open, Vec<Diagnostic>> {
    let source = source.as_ref();
    let mut errors = Errors::default();
    let mut included = |file: &str| beside.included(file);
    let parsed = include::parse(source, format, Some(&mut included), &mut errors);
    read_parsed(source, parsed, &mut |file| beside.profile(file), errors)
}

fn read_parsed(
    source: &[u8],
    (tree, texts): (Option<text::Node>, include::Texts),
    find: profile::Find<'_>,
    mut errors: Errors,
) -> Result<Open, Vec<Diagnostic>> {
    let open = tree.and_then(|mut tree| {
        let values = reading::take_open(&mut tree, &mut errors);
        for value in values.iter().filter(|value| !texts.is_own(&value.span)) {
            errors.push(refused::elsewhere(&value.of, value.key.name(), &value.span));
        }
        let mut description = reading::read_description(&tree, &mut errors)?;
        if texts.is_broken {
            return None;
        }
        profile::include(&mut description, Some(find), &mut errors);
        if values.is_empty() && errors.is_empty() {
            errors.push(refused::nothing_open());
        }
        let places = values.iter().map(|value| place(&description, &value.of));
        let Some(places) = places.collect() else {
            resolve::resolve_open(&description, &mut errors);
            return None;
        };
        let source = source.to_vec();
        let mut open = Open { source, description, values, places, requirements: Vec::new() };
        open.take_credits();
        open.take_first_places(&mut errors);
        open.take_fitting_kinds(&mut errors);
        let system = resolve::resolve_open(&open.description, &mut errors);
        let required = system.map(|system| system.requirements).unwrap_or_default();
        open.requirements = required.into_iter().map(|of| (of.name, of.limit)).collect();
        Some(open)
    });
    if let Some(open) = &open {
        open.look_up_supplies(&mut errors);
    }
    crate::finished(open, errors).map_err(|errors| texts.localised(errors))
}

/// `None`: it has no right name, which has been reported.
fn place(description: &Description, of: &str) -> Option<Place> {
    let supplies = &description.supplies;
    let supply = supplies.iter().position(|declared| declared.name == of).map(Place::Supply);
    let task = || description.task(of);
    let paid = || description.paid(of).map(Place::PseudoVcpu);
    supply.or_else(|| task().map(Place::Task)).or_else(paid)
}

impl Open {
    /// What is open, in the order of the text.
    pub fn values(&self) -> &[OpenValue] {
        &self.values
    }

    /// The system with these values, one for each that is open, in their order; `None` if they do not
    /// fit together.
    pub fn resolve(&mut self, chosen: &[Chosen]) -> Option<System> {
        assert_eq!(chosen.len(), self.values.len(), "one for each");
        for (at, chosen) in chosen.iter().enumerate() {
            self.set(at, chosen, self.values[at].span.clone());
        }
        resolve::resolve_open(&self.description, &mut Errors::default())
    }

    /// What is required, by name, with its limit, whatever is chosen; in the order of declaration.
    pub fn requirements(&self) -> &[(String, Duration)] {
        &self.requirements
    }

    /// The full names of all cores, in the order of declaration.
    pub fn cores(&self) -> Vec<&str> {
        let cores = self.description.supplies.iter().filter(|supply| supply.body.server.is_none());
        cores.map(|core| core.name.as_str()).collect()
    }

    /// The text with these values in the places of those that are open; the rest as it is.
    pub fn written(&self, chosen: &[Chosen]) -> Vec<u8> {
        assert_eq!(chosen.len(), self.values.len(), "one for each");
        let mut written = Vec::with_capacity(self.source.len());
        let mut at = 0;
        for (value, chosen) in self.values.iter().zip(chosen) {
            written.extend(&self.source[at..value.span.start]);
            written.extend(chosen.to_string().bytes());
            at = value.span.end;
        }
        written.extend(&self.source[at..]);
        written
    }

    /// What is left of it if only these cores, servers, tasks and pseudo-VCPUs on them are there, by their full
    /// names: interrupts of these cores stay, without what they would have delivered or woken elsewhere. And
    /// of each value that is still open, its index here. What was resolved last is chosen there.
    pub fn part(&self, is_kept: &dyn Fn(&str) -> bool) -> (Self, Vec<usize>) {
        let mut description = self.description.clone();
        part::keep(&mut description, is_kept);
        let kept = |at: &usize| place(&description, &self.values[*at].of).is_some();
        let kept: Vec<usize> = (0..self.values.len()).filter(kept).collect();
        let values: Vec<OpenValue> = kept.iter().map(|&at| self.values[at].clone()).collect();
        let places = values.iter().filter_map(|value| place(&description, &value.of)).collect();
        let requirements = self.requirements.clone();
        (Self { source: Vec::new(), description, values, places, requirements }, kept)
    }
}
