//! Each reader with what stands behind it.

mod bench;
mod description;
mod import;
mod journal;
mod names;
mod pages;
mod profile;
mod text;
mod trace;

pub use bench::Bench;

use crate::input::Input;
use crate::planted;
use crate::reader::Reader;
use vorrang_model::Format;

impl Bench {
    /// Gives an input to its reader and further; whether it was accepted.
    ///
    /// # Errors
    /// It came out otherwise than is promised.
    pub fn take(&mut self, input: &Input) -> Result<bool, String> {
        let Input { reader, depth, text } = input;
        match reader {
            Reader::Toml => description::take(self, text, Format::Toml, *depth),
            Reader::Json => description::take(self, text, Format::Json, *depth),
            Reader::Profile => profile::take(text),
            Reader::Trace => trace::take(self, text, *depth),
            Reader::Pages => pages::take(text),
            Reader::Journal => journal::take(self, text, *depth),
            Reader::Import => import::take(text),
            Reader::Pattern => text::pattern(&self.corpus, text, *depth),
            Reader::Value => Ok(text::value(text)),
            Reader::Output => Ok(text::output(text)),
            Reader::Names => names::take(&self.shells, text, *depth),
            Reader::Planted => planted::commit(text),
        }
    }
}
