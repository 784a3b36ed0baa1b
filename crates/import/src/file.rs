//! Files by themselves.

use crate::contradictions;
use crate::description::Description;
use crate::found::{Import, Machine};
use crate::libvirt;
use crate::refused::Refused;
use crate::written::{self, section};
use crate::{amalthea, microkit, rt_app, rtds, xl, xtratum};

/// What a file is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A domain of libvirt.
    Libvirt,
    /// A domain of Xen, as `xl` creates it.
    Xl,
    /// What `xl sched-rtds` prints.
    Rtds,
    /// A workload of rt-app.
    RtApp,
    /// A system of the seL4 Microkit.
    Microkit,
    /// A configuration of XtratuM.
    Xtratum,
    /// A model of Amalthea.
    Amalthea,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Libvirt,
        Self::Xl,
        Self::Rtds,
        Self::RtApp,
        Self::Microkit,
        Self::Xtratum,
        Self::Amalthea,
    ];

    /// What a text is of, by its first words.
    ///
    /// # Errors
    /// It looks like none of them.
    pub fn of_text(text: &str) -> Result<Self, Refused> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with('<') {
            let of = [
                ("<protection_domain", Self::Microkit),
                ("<system>", Self::Microkit),
                ("<CyclicPlanTable", Self::Xtratum),
                (":Amalthea ", Self::Amalthea),
                ("<domain", Self::Libvirt),
            ];
            let found = of.into_iter().find(|(word, _)| text.contains(word));
            return found.map(|(_, form)| form).ok_or_else(unlike);
        }
        if text.starts_with('{') {
            return Ok(Self::RtApp);
        }
        let first =
            text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
        let first: Vec<&str> = first.unwrap_or_default().split_whitespace().collect();
        match first.as_slice() {
            ["Cpupool", ..] | ["Name", "ID", ..] => Ok(Self::Rtds),
            _ if text.lines().any(is_name) => Ok(Self::Xl),
            _ => Err(unlike()),
        }
    }
}

fn unlike() -> Refused {
    Refused::whole("it looks like nothing that can be imported; --as says what it is")
}

/// Whether a line names a domain as `xl` does: `name = "rt"`.
fn is_name(line: &str) -> bool {
    let value =
        line.trim().strip_prefix("name").and_then(|rest| rest.trim_start().strip_prefix('='));
    value.is_some_and(|value| value.trim_start().starts_with(['"', '\'']))
}

/// A description of what a file says.
///
/// # Errors
/// It is none of its form, with the line.
pub fn of_file(form: Form, name: &str, text: &str) -> Result<Import, Refused> {
    let mut lost = Vec::new();
    let description = match form {
        Form::Libvirt => {
            let mut machine = Machine::default();
            libvirt::read(name, text, &mut machine)?;
            let contradictions = contradictions::of(&machine);
            let text = written::description(&machine, &contradictions).text();
            return Ok(Import { text, lost: machine.lost.into_iter().collect(), contradictions });
        }
        Form::Xl => xl::read(text, &mut lost)?,
        Form::Rtds => rtds::read(text, &mut lost)?,
        Form::RtApp => rt_app::read(text, &mut lost)?,
        Form::Microkit => microkit::read(text, &mut lost)?,
        Form::Xtratum => xtratum::read(text, &mut lost)?,
        Form::Amalthea => amalthea::read(&[(name, text)], &mut lost)?,
    };
    Ok(headed(form, name, description, lost))
}

/// A description of what the files of one model say together, which refer to each other; by names and texts.
///
/// # Errors
/// One is none of Amalthea, with its name and line.
pub fn of_files(files: &[(&str, &str)]) -> Result<Import, Refused> {
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let mut lost = Vec::new();
    let description = amalthea::read(files, &mut lost)?;
    Ok(headed(Form::Amalthea, &names.join(", "), description, lost))
}

/// The description with what it is of, and what was not carried over.
fn headed(form: Form, name: &str, mut description: Description, lost: Vec<String>) -> Import {
    let of = match form {
        Form::Libvirt | Form::Xl => "A domain",
        Form::Rtds => "The reservations of RTDS",
        Form::RtApp => "A workload of rt-app",
        Form::Microkit => "A system of the seL4 Microkit: execution times are in no file",
        Form::Xtratum => "The cyclic plan of XtratuM: execution times are in no file",
        Form::Amalthea => "A model of Amalthea",
    };
    description.head.insert(0, format!("{of}, as `vorrang import` found it in {name}."));
    section(&mut description.head, "Not carried over:", lost.iter().cloned());
    Import { text: description.text(), lost, contradictions: Vec::new() }
}
