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
//! **Does not cover** machine profiles (the file is named, not read) and how anything is analysed.

mod description;
pub mod diagnostic;
mod format;
pub mod keys;
pub mod limits;
mod reading;
mod reference;
mod resolve;
mod schema;
pub mod system;
mod text;
mod word;
mod write;

pub use diagnostic::code::Code;
pub use diagnostic::render::{Colour, render};
pub use diagnostic::{Diagnostic, Label, Span, explain};
pub use format::Format;
pub use reference::reference;
pub use schema::schema;
pub use system::System;
pub use write::write_toml;

use diagnostic::collect::Errors;

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
    let mut errors = Errors::default();
    let system = text::parse(source.as_ref(), format, &mut errors)
        .and_then(|tree| reading::read_description(&tree, &mut errors))
        .and_then(|description| resolve::resolve(&description, &mut errors));
    match (system, errors.finish()) {
        (Some(system), errors) if errors.is_empty() => Ok(system),
        (_, errors) => {
            assert!(!errors.is_empty(), "a step gave up without saying why");
            Err(errors)
        }
    }
}
