//! `vorrang explain`: what an error code means.

use crate::exit::{Failure, Output};
use crate::name::shown;
use std::fmt::Write as _;
use vorrang_model::Code;

/// Say what an error code of a description means
///
///     $ vorrang explain E0201
///     # E0201: a duration without a unit
///
///     A number alone does not say whether it means milliseconds, microseconds or ticks, and confusing
///     ...
///
/// Without a code, all of them are listed.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Explain {
    /// The code, such as E0201
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

impl Explain {
    /// # Errors
    /// There is no such code.
    pub fn run(&self) -> Result<Output, Failure> {
        let Some(wanted) = &self.code else { return Ok(Output::success(list())) };
        let code = Code::ALL.iter().find(|code| code.text().eq_ignore_ascii_case(wanted.trim()));
        match code {
            Some(code) => Ok(Output::success(page(*code))),
            None => Err(Failure::bad_input(format!(
                "error: there is no code {}; `vorrang explain` lists all of them\n",
                shown(wanted)
            ))),
        }
    }
}

fn list() -> String {
    Code::ALL.iter().fold(String::new(), |mut text, code| {
        let _ = writeln!(text, "{}  {}", code.text(), code.title());
        text
    })
}

fn page(code: Code) -> String {
    format!("{}\n", code.explanation().trim_end())
}
