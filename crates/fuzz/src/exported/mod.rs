//! What `vorrang export` prints, read back by the programs that read it.
//!
//! **Model.** A [`Case`] names threads, machines and interrupts by drawn texts that are made to
//! break out of quotes, comments and lines ([`names`]). It is exported in every [`Form`], and what comes
//! out is read by a real shell ([`shell`]), real parsers of XML and JSON ([`xml`], [`json`]) and by the rules for
//! lines of systemd and tuned ([`units`], [`lines`]): exactly the words that were meant arrive, and nothing else is there. A text
//! that nothing can be called is refused, and no other.
//!
//! **Assumptions.** 1. `sh` is a POSIX shell. No command of the script is run: all are functions
//! that write down their arguments, in a folder of the test's own instead of `/proc` and `/sys`.
//!
//! **Does not cover** what `chrt`, libvirt and Xen do with what arrives.

mod case;
mod compare;
pub mod json;
pub mod lines;
pub mod names;
pub mod shell;
pub mod units;
pub mod xml;

pub use case::{Case, Named, Scheduled, Thread};
pub use compare::unescaped;

use shell::Bench;
use vorrang_enforce::export::{Form, export};

/// Every form with names that a user or a program has chosen freely.
pub const FORMS: [Form; 7] =
    [Form::Chrt, Form::Systemd, Form::Libvirt, Form::Xl, Form::Oci, Form::CommandLine, Form::Tuned];

/// Exports a case in a form and reads it back.
///
/// # Errors
/// What is not as it was meant, with what was printed.
pub fn check(case: &Case, form: Form, bench: &Bench) -> Result<(), String> {
    let case = &case.of(form);
    let text = match (export(&case.system(form), form), case.refusal(form)) {
        (Ok(text), None) => text,
        (Err(_), Some(_)) => return Ok(()),
        (Ok(text), Some(why)) => return Err(format!("not refused, although {why}:\n{text}")),
        (Err(why), None) => return Err(format!("refused: {why:?}")),
    };
    match form {
        Form::Chrt => bench.script(case, &text),
        Form::Xl => bench.commands_of_xen(case, &text),
        Form::Libvirt => xml::check(case, &text),
        Form::Systemd => units::check(case, &text),
        Form::Oci => json::check(case, &text),
        Form::CommandLine => lines::command_line(case, &text),
        Form::Tuned => lines::tuned(case, &text),
        // The one refuses all names but those of letters, digits and a few signs, the other has those of tables; the third
        // finds threads by the lines of the script for chrt.
        Form::Microkit | Form::RtApp | Form::Cgroup => Ok(()),
    }
    .map_err(|why| format!("{form:?}: {why}\n{text}"))
}
