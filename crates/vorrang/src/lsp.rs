//! `vorrang lsp`: descriptions in editors.

use vorrang_command::exit::{Failure, Output};

/// Serve an editor: verdicts, completions and remedies while a description is written
///
///     $ vorrang lsp
///
/// Editors start it by themselves and speak the Language Server Protocol with it on standard input and output;
/// docs/how-to/in-your-day.md has the lines for some of them.
///
/// What is wrong with a text is shown at once, with its code, and so is what is not proven. The verdict on a
/// task, a server or a chain stands beside the head of its table. Keys, words, names and units are completed; hovering
/// shows what a key means and what bounds a response; a name leads to its table. Corrections and remedies are changes
/// that were tried.
///
/// Exit codes: 0 the editor has left, 4 it is gone, or does not speak the protocol.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Lsp {}

impl Lsp {
    /// # Errors
    /// The editor is gone, or does not speak the protocol.
    pub fn run(&self) -> Result<Output, Failure> {
        vorrang_lsp::serve().map_err(|why| Failure::host(format!("error: the editor: {why}\n")))?;
        Ok(Output::success(String::new()))
    }
}
