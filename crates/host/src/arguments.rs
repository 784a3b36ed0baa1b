//! The command line.

use crate::restore::Restore;
use crate::run::Run;
use crate::status::Status;
use crate::undoer;
use clap::Parser;
use vorrang_command::exit::{Failure, Output};
use vorrang_command::place::Place;

/// Run the servers of a description on processors of this machine
///
/// Periodic, polling, deferrable, sporadic and constant-bandwidth servers, by fixed priority or deadline, as
/// `vorrang simulate` models them, on a stock Linux: each server has a thread, which is lent a priority while
/// the server has the processor. See docs/apply.md for the method, the changes and the limits.
///
///     vorrang-host run system.toml          # shows the changes; nothing is changed
///     vorrang-host run system.toml --yes    # runs the servers, until Ctrl-C
///     vorrang-host status                   # shows what they receive
///     vorrang-host restore                  # undoes everything, whatever was killed
#[derive(Debug, Parser)]
#[command(name = "vorrang-host", version = vorrang_verdict::identity::version(), verbatim_doc_comment)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Run(Run),
    Status(Status),
    Restore(Restore),
    /// Started by `run`: ends all loans if that process ends, or is late
    #[command(name = crate::linux::guard::WORD, hide = true)]
    Guard {
        /// The file of the memory that is shared
        memory: i32,
        /// The process
        process: i32,
    },
    /// Started by `run`: undoes the changes when that process says so
    #[command(name = undoer::WORD, hide = true)]
    Undoer {
        /// The journal
        journal: Place,
    },
}

impl Arguments {
    /// Does what the command line asks for.
    ///
    /// # Errors
    /// The message that the user gets instead of a result, and the exit code.
    pub fn run(&self) -> Result<Output, Failure> {
        match &self.verb {
            Verb::Run(run) => run.run(),
            Verb::Status(status) => status.run(),
            Verb::Restore(restore) => restore.run(),
            Verb::Guard { memory, process } => crate::linux::guard::guard(*memory, *process)
                .map(|()| Output::success(""))
                .map_err(|why| Failure::host(format!("error: the guard: {why}\n"))),
            Verb::Undoer { journal } => undoer::wait(journal)
                .map_err(|why| Failure::host(format!("error: the process that undoes: {why}\n"))),
        }
    }
}
