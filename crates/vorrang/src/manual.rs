//! `vorrang completions` and `vorrang man`: what `--help` says, for shells and for `man`.

use crate::init::write_new;
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man as Page;
use std::io;
use std::path::PathBuf;
use vorrang_command::exit::{Failure, Output};

/// Print the completion script of a shell
///
///     vorrang completions bash > ~/.local/share/bash-completion/completions/vorrang
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

impl Completions {
    /// Of the whole command line, `all`.
    ///
    /// # Errors
    /// None.
    pub fn run(&self, mut all: clap::Command) -> Result<Output, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut all, "vorrang", &mut script);
        Ok(Output::success(String::from_utf8_lossy(&script)))
    }
}

/// Print the manual page of vorrang or of one of its commands, or write all of them, with those of vorrang-host
///
///     vorrang man | man --local-file -
///     vorrang man --out ~/.local/share/man/man1
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Man {
    /// The command, such as check or measure cache
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Vec<String>,
    /// Write a page for every command to this folder, which must not have any of them yet
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl Man {
    /// Of the whole command line, `all`.
    ///
    /// # Errors
    /// There is no such command, or a page cannot be written.
    pub fn run(&self, mut all: clap::Command) -> Result<Output, Failure> {
        all.build();
        if let Some(folder) = &self.out {
            let mut host = vorrang_host::arguments::Arguments::command();
            host.build();
            for command in family(&all).into_iter().chain(family(&host)) {
                let name = Page::new(command.clone()).get_filename();
                write_new(&folder.join(name), page(command)?.as_bytes())?;
            }
            return Ok(Output::success(""));
        }
        let wanted = self.command.iter().try_fold(&all, |of, name| of.find_subcommand(name));
        let wanted = wanted.ok_or_else(|| {
            let name = self.command.join(" ");
            Failure::bad_input(format!("error: there is no command {name}: see vorrang --help\n"))
        })?;
        page(wanted).map(Output::success)
    }
}

/// A command and all commands inside it.
fn family(command: &clap::Command) -> Vec<&clap::Command> {
    let inside = command.get_subcommands().filter(|inside| inside.get_name() != "help");
    core::iter::once(command).chain(inside.flat_map(family)).collect()
}

fn page(command: &clap::Command) -> Result<String, Failure> {
    let mut page = Vec::new();
    let rendered: io::Result<()> = Page::new(command.clone()).render(&mut page);
    rendered.map_err(|why| Failure::host(format!("error: a page cannot be made: {why}\n")))?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
