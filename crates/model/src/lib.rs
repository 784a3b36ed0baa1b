//! The description of a system: read, checked, and resolved.
//!
//! **Model.** One way through, and every step reports all errors that it can find before the next
//! one may depend on what is missing:
//!
//! ```text
//!   TOML ─┐                                                       ┌─▶ System
//!         ├─ text ──▶ tree of spans ─ reading ─▶ Description ─ resolve
//!   JSON ─┘    (one for both)      (by key tables)                └─▶ Diagnostics, in file order
//! ```
//!
//! The key tables of [`keys`] are the single source of what may be written: the reader checks
//! against them, "did you mean" suggests from them, [`schema()`] and [`reference()`] are generated
//! from them.
//!
//! **Assumptions.**
//! 1. A description is at most [`limits::BYTES`] long and declares at most [`limits::ENTITIES`]
//!    things; more is refused before it costs time.
//! 2. The order of declaration is the order of names in the text, in both formats. JSON groups
//!    its names by kind, so an order that interleaves tasks and servers is written in TOML only.
//!
//! **Cost.** O(n log n) in the length of the text, except slots (pairs of one core, limited by
//! [`limits::SLOT_PAIRS`]) and suggestions (limited by a budget of comparisons).
//!
//! **Does not cover** files, so [`read()`] leaves a named profile of the machine unread, and what needs it is
//! said to be missing, and refuses `include`; [`read_with()`] is told how to find a profile, [`read_beside()`] both. Nor
//! how anything is analysed.

mod correction;
mod description;
pub mod diagnostic;
mod format;
mod include;
pub mod keys;
pub mod limits;
mod open;
mod paid;
mod places;
mod profile;
mod reading;
mod reference;
mod resolve;
mod schema;
mod shipped;
pub mod system;
pub mod target;
mod text;
pub mod tree;
mod word;
mod write;

pub use correction::{Correction, corrected, correction};
pub use diagnostic::code::Code;
pub use diagnostic::render::{Colour, Text, render, render_all};
pub use diagnostic::{Diagnostic, Label, Span, explain};
pub use format::Format;
pub use include::included;
pub use open::{Allowed, Chosen, Open, OpenKey, OpenValue, read_open, read_open_beside};
pub use places::{Place, is_meant_as_description, places, positions};
pub use profile::Profile;
pub use reading::percentage;
pub use reference::reference;
pub use schema::schema;
pub use system::System;
pub use write::write_toml;

use diagnostic::collect::Errors;

/// What stands beside a description.
pub trait Beside {
    /// The profile that it names, or in a few words why there is none.
    ///
    /// # Errors
    /// There is none.
    fn profile(&mut self, file: &str) -> Result<Profile, String>;

    /// The bytes of a file that it includes; the path is relative to the description.
    ///
    /// # Errors
    /// There are none, in a few words.
    fn included(&mut self, file: &str) -> Result<Vec<u8>, String>;
}

/// Reads a description and resolves it.
///
/// # Errors
/// Everything that is wrong with it, in the order of the text; never empty.
///
/// ```
/// use vorrang_model::{Format, read};
/// let source = r#"
///     version = 1
///     [core.0]
///     scheduler = "fixed-priority"
///     [task.speed]
///     on = "core.0"
///     wcet = "1200us"
///     period = "20ms"
/// "#;
/// let system = read(source, Format::Toml).unwrap();
/// assert_eq!(system.tasks[0].name, "task.speed");
///
/// let errors = read(source.replace("\"20ms\"", "20"), Format::Toml).unwrap_err();
/// assert_eq!(errors[0].code.to_string(), "E0201");
/// ```
pub fn read(source: impl AsRef<[u8]>, format: Format) -> Result<System, Vec<Diagnostic>> {
    read_by(source.as_ref(), format, None).map(|read| read.system)
}

/// A description that was read without errors.
#[derive(Clone, Debug)]
pub struct Read {
    /// What it says.
    pub system: System,
    /// What may stand in it and is probably not meant, in the order of the text.
    pub warnings: Vec<Diagnostic>,
}

/// The same with the profile of the machine, if the description names one: `find` is given the text
/// of `profile` and returns what [`read_profile`] made of it, or says in a few words why it cannot.
///
/// # Errors
/// As [`read()`]; a profile that is not found is reported where it is named, and so is what is to be included.
///
/// ```
/// use vorrang_model::{Format, read_profile, read_with};
/// let machine = r#"
///     version = 1
///     cache.small = { model = "flood", useful = "11%", sustained = "22us" }
/// "#;
/// let source = r#"
///     version = 1
///     profile = "machine.toml"
///     [core.0]
///     scheduler = "fixed-priority"
///     [task.speed]
///     on = "core.0"
///     cache = "cache.small"
///     wcet = "1200us"
///     period = "20ms"
/// "#;
/// let system = read_with(source, Format::Toml, |file| {
///     assert_eq!(file, "machine.toml");
///     read_profile(machine, Format::Toml).map_err(|errors| errors[0].to_string())
/// });
/// assert_eq!(system.unwrap().caches[0].useful_ppm, 110_000);
/// ```
pub fn read_with(
    source: impl AsRef<[u8]>,
    format: Format,
    mut find: impl FnMut(&str) -> Result<Profile, String>,
) -> Result<System, Vec<Diagnostic>> {
    read_by(source.as_ref(), format, Some(&mut find)).map(|read| read.system)
}

/// The same with what is probably not meant.
///
/// # Errors
/// As [`read_with()`].
pub fn read_with_warnings(
    source: impl AsRef<[u8]>,
    format: Format,
    mut find: impl FnMut(&str) -> Result<Profile, String>,
) -> Result<Read, Vec<Diagnostic>> {
    read_by(source.as_ref(), format, Some(&mut find))
}

/// The same with what it includes, and with what is probably not meant.
///
/// # Errors
/// Everything that is wrong with it and with what it includes; each says in which file it stands.
///
/// ```
/// use vorrang_model::{Beside, Format, Profile, read_beside};
/// struct Fleet;
/// impl Beside for Fleet {
///     fn profile(&mut self, _: &str) -> Result<Profile, String> {
///         Err("there is none".into())
///     }
///     fn included(&mut self, file: &str) -> Result<Vec<u8>, String> {
///         assert_eq!(file, "machine.toml");
///         Ok(b"version = 1\n[core.0]\nscheduler = \"efd\"\n".to_vec())
///     }
/// }
/// let source = r#"
///     version = 1
///     include = ["machine.toml"]
///     [task.speed]
///     on = "core.0"
///     wcet = "1200us"
///     period = "20ms"
/// "#;
/// let errors = read_beside(source, Format::Toml, &mut Fleet).unwrap_err();
/// assert_eq!(errors[0].file.as_deref(), Some("machine.toml"));
/// assert_eq!(errors[0].code.text(), "E0208");
/// ```
pub fn read_beside(
    source: impl AsRef<[u8]>,
    format: Format,
    beside: &mut dyn Beside,
) -> Result<Read, Vec<Diagnostic>> {
    read_beside_since(source, format, beside, &mut LastText::default())
}

/// A text that was read last: where only one value is another one since, the rest is not parsed once more.
#[derive(Default)]
pub struct LastText(Option<text::Kept>);

/// The same as [`read_beside()`], after another text of the same file.
///
/// # Errors
/// As [`read_beside()`].
pub fn read_beside_since(
    source: impl AsRef<[u8]>,
    format: Format,
    beside: &mut dyn Beside,
    last: &mut LastText,
) -> Result<Read, Vec<Diagnostic>> {
    let source = source.as_ref();
    let mut errors = Errors::default();
    let mut included = |file: &str| beside.included(file);
    let before = last.0.take();
    let parsed = include::parse_since(source, format, before, Some(&mut included), &mut errors);
    let mut keep = |tree| last.0 = text::Kept::new(source, format, tree);
    read_parsed(parsed, Some(&mut |file| beside.profile(file)), errors, &mut keep)
}

fn read_by(
    source: &[u8],
    format: Format,
    find: Option<profile::Find<'_>>,
) -> Result<Read, Vec<Diagnostic>> {
    let mut errors = Errors::default();
    let parsed = include::parse(source, format, None, &mut errors);
    read_parsed(parsed, find, errors, &mut drop)
}

fn read_parsed(
    (tree, texts): (Option<text::Node>, include::Texts),
    find: Option<profile::Find<'_>>,
    mut errors: Errors,
    keep: &mut dyn FnMut(text::Node),
) -> Result<Read, Vec<Diagnostic>> {
    let mut warnings = Errors::default();
    let description = tree.and_then(|mut tree| {
        let values = reading::take_open(&mut tree, &mut errors);
        for open in &values {
            errors.push(open::refused::left_open(&open.of, open.key.name(), &open.span));
        }
        let mut description = reading::read_description(&tree, &mut errors)?;
        for open in &values {
            open.leave_out(&mut description);
        }
        // Neither is a tree in which something was changed, nor one of several texts.
        if errors.is_empty() && texts.is_one() {
            keep(tree);
        }
        // What may be declared in a file that is missing is not missed as well.
        (!texts.is_broken).then_some(description)
    });
    let system = description.and_then(|mut description| {
        profile::include(&mut description, find, &mut errors);
        resolve::resolve(&description, &mut errors, &mut warnings)
    });
    let read = finished(system, errors).map_err(|errors| texts.localised(errors))?;
    Ok(Read { system: read, warnings: texts.localised(warnings.finish()) })
}

/// Reads the profile of a machine: `version`, `[costs]` and `[cache.NAME]` as in a description. What
/// it was measured from (`[measured]`, `[conditions]`) is not looked at.
///
/// # Errors
/// Everything that is wrong with it, in the order of the text; never empty.
pub fn read_profile(source: impl AsRef<[u8]>, format: Format) -> Result<Profile, Vec<Diagnostic>> {
    let mut errors = Errors::default();
    let profile = text::parse(source.as_ref(), format, &mut errors)
        .and_then(|tree| reading::read_profile(&tree, &mut errors));
    finished(profile, errors)
}

fn finished<T>(read: Option<T>, errors: Errors) -> Result<T, Vec<Diagnostic>> {
    match (read, errors.finish()) {
        (Some(read), errors) if errors.is_empty() => Ok(read),
        (_, errors) => {
            assert!(!errors.is_empty(), "a step gave up without saying why");
            Err(errors)
        }
    }
}
