//! `vorrang init`: descriptions to begin with.
//!
//! Each template is a file beside this one; a test checks that each is proven, and that `empty`
//! requires nothing.

use clap::ValueEnum as _;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use vorrang_command::exit::{Failure, Output};
use vorrang_quote::name::{quoted, shown};

/// Print a template of a description
///
///     $ vorrang init
///     kvm          A KVM host with two guests in reservations, and a thread of the host
///     preempt-rt   A host with a real-time kernel, a network card and a control loop
///     irq-threads  Interrupt threads with reservations
///     slots        Virtual machines in fixed slots
///     empty        One core, and no requirement
///
/// All of them except the last are proven. Replace the numbers by yours:
///
///     vorrang init kvm --out system.toml
///     vorrang check system.toml
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Init {
    /// The template; without one, all of them are listed
    #[arg(value_name = "TEMPLATE", value_enum)]
    template: Option<Template>,
    /// Write it to this file, which must not exist yet
    #[arg(long, value_name = "FILE", requires = "template")]
    out: Option<PathBuf>,
}

/// A template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Template {
    /// A KVM host with two guests in reservations, and a thread of the host
    Kvm,
    /// A host with a real-time kernel, a network card and a control loop
    PreemptRt,
    /// Interrupt threads with reservations
    IrqThreads,
    /// Virtual machines in fixed slots
    Slots,
    /// One core, and no requirement
    Empty,
}

impl Template {
    /// Its description, in TOML.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Kvm => include_str!("init/kvm.toml"),
            Self::PreemptRt => include_str!("init/preempt-rt.toml"),
            Self::IrqThreads => include_str!("init/irq-threads.toml"),
            Self::Slots => include_str!("init/slots.toml"),
            Self::Empty => include_str!("init/empty.toml"),
        }
    }
}

impl Init {
    /// # Errors
    /// The file exists, or cannot be written.
    pub fn run(&self) -> Result<Output, Failure> {
        let Some(template) = self.template else { return Ok(Output::success(list())) };
        let Some(file) = &self.out else { return Ok(Output::success(template.text())) };
        write_new(file, template.text().as_bytes())?;
        eprintln!("Written. Next: vorrang check {}", quoted(file));
        Ok(Output::success(""))
    }
}

fn list() -> String {
    let templates = Template::value_variants().iter().filter_map(Template::to_possible_value);
    templates.fold(String::new(), |mut text, value| {
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(text, "{:11}  {help}", value.get_name());
        text
    })
}

/// Writes a file that was not there.
///
/// # Errors
/// It is there, or cannot be written.
pub(crate) fn write_new(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let opened = OpenOptions::new().write(true).create_new(true).open(file);
    opened.and_then(|mut file| file.write_all(bytes)).map_err(|why| match why.kind() {
        ErrorKind::AlreadyExists => Failure::bad_input(format!(
            "error: {}: there is such a file already, and nothing is replaced\n",
            shown(file)
        )),
        _ => Failure::host(format!("error: {}: cannot be written: {why}\n", shown(file))),
    })
}
