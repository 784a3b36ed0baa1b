//! `vorrang explain`: what a code means, of a description or of a verdict.

use std::fmt::Write as _;
use vorrang_command::exit::{Failure, Output};
use vorrang_quote::name::shown;
use vorrang_verdict::codes::pages;

/// Explain a code: of an error or warning, or of a reason for undecided or refuted
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
        let wanted = wanted.trim();
        let is_wanted = |code: &str| code.eq_ignore_ascii_case(wanted);
        let page = pages().find(|(code, ..)| is_wanted(code)).map(|(_, _, page)| page);
        match page {
            Some(page) => Ok(Output::success(format!("{}\n", page.trim_end()))),
            None => Err(Failure::bad_input(format!(
                "error: there is no code {}; `vorrang explain` lists all of them\n",
                shown(wanted)
            ))),
        }
    }
}

fn list() -> String {
    pages().fold(String::new(), |mut text, (code, title, _)| {
        let _ = writeln!(text, "{code}  {title}");
        text
    })
}

/// The table of all codes in the documentation, `docs/codes.md`.
pub fn table() -> String {
    let mut text = String::from(
        "# Codes\n\n<!-- written by the tables of codes; `VORRANG_WRITE_DOCS=1 cargo test -p vorrang codes` -->\n\n\
         Errors (E) and warnings (W) are about a description, U says why a requirement is undecided, R why it is \
         refuted. `vorrang explain CODE` prints the page of one.\n\n| code | means |\n|---|---|\n",
    );
    for (code, title, _) in pages() {
        let _ = writeln!(text, "| {code} | {title} |");
    }
    text
}
