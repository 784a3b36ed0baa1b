//! The target of text: its width, and whether it has colours.
//!
//! **Model.** The caller states them; nothing is detected here. Colours only repeat what words say.

/// The target of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// How many characters a line may have.
    pub width: usize,
    /// Whether there are colours, by the escapes of ANSI.
    pub colours: bool,
}

/// No terminal: output in files and pipes is the same everywhere.
pub const PLAIN: Screen = Screen { width: 100, colours: false };

/// The meanings for which there is a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Green.
    Good,
    /// Yellow.
    Open,
    /// Red.
    Bad,
}

impl Screen {
    /// The text in its colour, where there are colours.
    pub fn toned(self, text: &str, tone: Tone) -> String {
        let colour = match tone {
            Tone::Good => 32,
            Tone::Open => 33,
            Tone::Bad => 31,
        };
        if self.colours { format!("\x1b[{colour}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
