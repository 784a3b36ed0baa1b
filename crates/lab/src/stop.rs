//! Why the program ends early.

use vorrang_lab::failure::Failure;
use vorrang_lab::kernel::{LINES, Line};

/// Why the program ends early, and its exit code.
pub(crate) struct Stop {
    pub(crate) code: u8,
    pub(crate) failure: Failure,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self { code: 4, failure }
    }
}

pub(crate) fn wrong(text: String) -> Stop {
    Stop { code: 2, failure: Failure(text) }
}

/// The line of kernels with a name, if one is asked for.
pub(crate) fn line(name: Option<&str>) -> Result<Option<Line>, Stop> {
    let Some(name) = name else { return Ok(None) };
    let known: Vec<&str> = LINES.iter().map(|line| line.name).collect();
    let unknown =
        || wrong(format!("there are no kernels {name}: it is one of {}", known.join(", ")));
    Line::named(name).ok_or_else(unknown).map(Some)
}
