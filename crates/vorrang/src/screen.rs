//! What standard output is shown on: how wide it is, and whether it has colours.
//!
//! **Model.** The program looks once, before it prints. What is not a terminal, and everything in a
//! process that never looked, such as a test, is 100 columns wide and has no colours, so that output
//! in files and pipes is the same everywhere. Colours say nothing that words do not say.

use console::{Style, Term};
use std::io::{IsTerminal as _, stderr, stdout};
use std::sync::OnceLock;
use vorrang_model::Colour;

/// How wide what is no terminal is.
const WIDTH: usize = 100;
/// A narrower terminal is taken for this wide: tables need some room.
const LEAST_WIDTH: usize = 40;

static SCREEN: OnceLock<Screen> = OnceLock::new();

#[derive(Clone, Copy, Debug)]
struct Screen {
    width: usize,
    output: bool,
    diagnostics: bool,
}

const PLAIN: Screen = Screen { width: WIDTH, output: false, diagnostics: false };

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

/// What a text says, for which there is a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Green.
    Good,
    /// Yellow.
    Open,
    /// Red.
    Bad,
}

/// Looks at where the output goes; what is printed before is for no terminal.
pub fn look(when: When) {
    let size = Term::stdout().size_checked().filter(|_| stdout().is_terminal());
    let width = size.map_or(WIDTH, |(_, columns)| usize::from(columns).max(LEAST_WIDTH));
    let output = when.colours(stdout().is_terminal());
    let diagnostics = when.colours(stderr().is_terminal());
    // A second look changes nothing.
    let _ = SCREEN.set(Screen { width, output, diagnostics });
}

/// <https://no-color.org>, and terminals that say that they can do nothing.
fn is_welcome() -> bool {
    std::env::var_os("NO_COLOR").unwrap_or_default().is_empty() && !is_dumb()
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Whether a line on standard error can be drawn anew. Where nobody looked, it is not ours to draw on.
pub fn draws_anew() -> bool {
    SCREEN.get().is_some() && stderr().is_terminal() && !is_dumb()
}

fn screen() -> Screen {
    SCREEN.get().copied().unwrap_or(PLAIN)
}

/// How many characters a line may have.
pub fn width() -> usize {
    screen().width
}

/// The text in its colour, where there are colours.
pub fn toned(text: &str, tone: Tone) -> String {
    if !screen().output {
        return text.to_owned();
    }
    let style = match tone {
        Tone::Good => Style::new().green(),
        Tone::Open => Style::new().yellow(),
        Tone::Bad => Style::new().red(),
    };
    style.force_styling(true).apply_to(text).to_string()
}

/// Whether diagnostics, which go to standard error, are coloured.
pub fn of_diagnostics() -> Colour {
    if screen().diagnostics { Colour::Always } else { Colour::Never }
}
