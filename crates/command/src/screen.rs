//! The properties of standard output, and text for it.
//!
//! **Model.** They are determined once, before anything is printed. Output that is not a terminal, and
//! all output of a process that never determined them, such as a test, is [`PLAIN`].

use console::Term;
use std::io::{IsTerminal as _, stderr, stdout};
use std::sync::OnceLock;
use vorrang_model::Colour;
use vorrang_verdict::prose;
use vorrang_verdict::screen::{PLAIN, Screen, Tone};
use vorrang_verdict::table::{self, Column};

/// A narrower terminal is treated as this wide: tables need some room.
const LEAST_WIDTH: usize = 40;

static LOOK: OnceLock<Look> = OnceLock::new();

/// The properties found.
#[derive(Clone, Copy, Debug)]
struct Look {
    output: Screen,
    diagnostics: bool,
}

/// Whether to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum When {
    /// On a terminal that does not object
    Auto,
    /// Wherever the output goes
    Always,
    /// Nowhere
    Never,
}

impl When {
    fn colours(self, terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => terminal && is_welcome(),
        }
    }
}

/// Determines where the output goes; output before that call is not for a terminal.
pub fn look(when: When) {
    let size = Term::stdout().size_checked().filter(|_| stdout().is_terminal());
    let width = size.map_or(PLAIN.width, |(_, columns)| usize::from(columns).max(LEAST_WIDTH));
    let output = Screen { width, colours: when.colours(stdout().is_terminal()) };
    let diagnostics = when.colours(stderr().is_terminal());
    // A second call changes nothing.
    let _ = LOOK.set(Look { output, diagnostics });
}

/// <https://no-color.org>, and terminals without capabilities.
fn is_welcome() -> bool {
    std::env::var_os("NO_COLOR").unwrap_or_default().is_empty() && !is_dumb()
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Whether a line on standard error can be redrawn; false where the properties were not determined.
pub fn draws_anew() -> bool {
    LOOK.get().is_some() && stderr().is_terminal() && !is_dumb()
}

/// The screen of standard output.
pub fn output() -> Screen {
    LOOK.get().map_or(PLAIN, |look| look.output)
}

/// Text in lines for it ([`prose::wrapped`]).
pub fn wrapped(text: &str, first: &str, others: &str) -> String {
    prose::wrapped(output(), text, first, others)
}

/// Columns side by side for it ([`table::draw`]).
pub fn draw(columns: &[Column]) -> String {
    table::draw(output(), columns)
}

/// Text for it in its colour ([`Screen::toned`]).
pub fn toned(text: &str, tone: Tone) -> String {
    output().toned(text, tone)
}

/// Whether diagnostics, which go to standard error, are coloured.
pub fn of_diagnostics() -> Colour {
    if LOOK.get().is_some_and(|look| look.diagnostics) { Colour::Always } else { Colour::Never }
}
