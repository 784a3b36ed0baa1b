//! `vorrang import`: a description from what configures a machine already.

use crate::init::write_new;
use std::path::{Path, PathBuf};
use vorrang_command::exit::{Failure, Output};
use vorrang_command::input::{explained, file};
use vorrang_enforce::Folder;
use vorrang_import::{Form, Import as Imported, Refused, of_file, of_files, of_root};
use vorrang_quote::name::{quoted, shown};
use vorrang_quote::visible;

/// Write a description from what configures a machine already
///
///     $ vorrang import --root machines/edge
///     # What configures this machine, as `vorrang import` found it. Execution times and arrivals are in no
///     # file: state the tasks of each virtual processor and server, then `vorrang design` chooses what is "?".
///     ...
///
/// A root directory (`/`, an image, an unpacked sosreport) is read as a whole: domains of libvirt, units
/// of systemd with their drop-ins, the command line of the kernel, affinities of interrupts, the profile
/// of tuned, and running threads. What two of them say of the same is compared: contradictions are
/// comments at the beginning, and so is what could not be carried over. Nothing is changed.
///
/// A file by itself is a domain of libvirt, a domain of Xen (`xl.cfg`) or the output of `xl sched-rtds`,
/// a workload of rt-app, a system of the seL4 Microkit, a configuration of XtratuM, or a model of Amalthea.
/// Several files are one model of Amalthea: their elements refer to each other.
///
/// What is known is stated, and what is not is open (`"?"`): `vorrang design` chooses it once the tasks
/// are stated.
///
/// Exit codes: 0 written, 2 the input is wrong, 4 the output cannot be written.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Import {
    /// A file; several are one model of Amalthea
    #[arg(value_name = "FILE", required_unless_present = "root")]
    files: Vec<PathBuf>,
    /// What the file is [default: by what is in it]
    #[arg(long = "as", value_name = "FORM", value_enum, requires = "files")]
    form: Option<Written>,
    /// The folder with the files of a machine
    #[arg(long, value_name = "DIR", conflicts_with = "files")]
    root: Option<PathBuf>,
    /// Write it to this file, which must not exist yet
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What a file is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Written {
    /// A domain of libvirt, in XML
    Libvirt,
    /// A domain of Xen, as `xl create` reads it
    Xl,
    /// The output of `xl sched-rtds`
    Rtds,
    /// A workload of rt-app, in JSON
    RtApp,
    /// A system of the seL4 Microkit
    Microkit,
    /// A configuration of XtratuM, with cyclic plans
    Xtratum,
    /// A model of Amalthea (APP4MC), of versions 0.9 to 3
    Amalthea,
}

impl From<Written> for Form {
    fn from(written: Written) -> Self {
        match written {
            Written::Libvirt => Self::Libvirt,
            Written::Xl => Self::Xl,
            Written::Rtds => Self::Rtds,
            Written::RtApp => Self::RtApp,
            Written::Microkit => Self::Microkit,
            Written::Xtratum => Self::Xtratum,
            Written::Amalthea => Self::Amalthea,
        }
    }
}

impl Import {
    /// # Errors
    /// The input is none of these, or the output cannot be written.
    pub fn run(&self) -> Result<Output, Failure> {
        let imported = match (&self.files[..], &self.root) {
            ([path], _) => self.of_file(path)?,
            ([], Some(root)) if root.is_dir() => {
                of_root(&Folder(root.clone())).map_err(|why| refused(root, &why))?
            }
            ([_, _, ..], _) => self.of_model()?,
            ([], root) => {
                let root = root.as_ref().map(shown).unwrap_or_default();
                return Err(Failure::bad_input(format!(
                    "error: {root}: there is no such folder\n"
                )));
            }
        };
        let Some(out) = &self.out else { return Ok(Output::success(imported.text)) };
        write_new(out, imported.text.as_bytes())?;
        eprintln!(
            "Written: {} contradictions, {} things that were not carried over. Next: vorrang check {}",
            imported.contradictions.len(),
            imported.lost.len(),
            quoted(out)
        );
        Ok(Output::success(""))
    }

    fn of_file(&self, path: &Path) -> Result<Imported, Failure> {
        let text = text_of(path)?;
        let form = self.form_of(path, &text)?;
        of_file(form, &shown(path), &text).map_err(|why| refused(path, &why))
    }

    fn form_of(&self, path: &Path, text: &str) -> Result<Form, Failure> {
        self.form.map_or_else(
            || Form::of_text(text).map_err(|why| refused(path, &why)),
            |form| Ok(form.into()),
        )
    }

    /// Several files, whose elements refer to each other.
    fn of_model(&self) -> Result<Imported, Failure> {
        let mut files = Vec::new();
        for path in &self.files {
            let text = text_of(path)?;
            if self.form_of(path, &text)? != Form::Amalthea {
                return Err(Failure::bad_input(format!(
                    "error: {}: several files are one model of Amalthea, and this is none\n",
                    shown(path)
                )));
            }
            files.push((shown(path), text));
        }
        let files: Vec<_> =
            files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        of_files(&files)
            .map_err(|why| Failure::bad_input(format!("error: {}\n", visible(&why.to_string()))))
    }
}

fn text_of(path: &Path) -> Result<String, Failure> {
    let bytes = file(path).map_err(|why| {
        Failure::bad_input(format!("error: {}: {}\n", shown(path), explained(&why)))
    })?;
    String::from_utf8(bytes)
        .map_err(|why| refused(path, &Refused::not_utf8(why.utf8_error().valid_up_to())))
}

fn refused(path: &Path, why: &Refused) -> Failure {
    Failure::bad_input(format!("error: {}: {}\n", shown(path), visible(&why.to_string())))
}
