//! One line of a trace by itself, for those who keep no schedule.
//!
//! **Cost.** A line as tracefs prints it is read in one pass over its bytes ([`quick`]); every other form, and whatever is
//! not as expected there, by the reader of schedules.

mod fact;
mod quick;
mod slow;

pub use fact::{Fact, Happened, Named, Seen, Service};

impl<'a> Seen<'a> {
    /// What a line says.
    ///
    /// # Errors
    /// It is no line of a trace, lacks a value, or says that events were lost.
    pub fn of(line: &'a [u8]) -> Result<Self, &'static str> {
        match quick::of(line) {
            Some(happened) => Ok(Self::Event(happened)),
            None => slow::of(line),
        }
    }
}

#[cfg(test)]
mod tests;
