//! One input: for which reader, what it says, and how far it goes.

use crate::corpus::Corpus;
use crate::mutate::mutated;
use crate::reader::Reader;
use serde::{Deserialize, Serialize};
use vorrang_campaign::generate;
use vorrang_campaign::random::Random;
use vorrang_model::write_toml;

/// How far what is read goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Depth {
    /// It is read, and complaints about it are printed.
    Read,
    /// What is pure and cheap stands behind it: bounds, exports, plans, observations.
    Analyse,
    /// The whole command, with its default limits.
    Run,
}

/// One of so many inputs is analysed.
pub const ANALYSED: u64 = 8;

/// One of so many is given to the whole command.
pub const RUN: u64 = 2_000;

/// An input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// For whom.
    pub reader: Reader,
    /// How far it goes.
    pub depth: Depth,
    /// What it says.
    pub text: Vec<u8>,
}

/// Texts that are larger are mostly passed over for another one, so that more are read.
const LARGE: usize = 3 << 10;

/// So many lines of a trace at most.
const LINES: usize = 60;

impl Input {
    /// The input with this number of a seed.
    pub fn drawn(corpus: &Corpus, seed: u64, index: u64, only: Option<Reader>) -> Self {
        let random = &mut Random::new(seed, index);
        let reader = Reader::drawn(random);
        let reader = only.unwrap_or(reader);
        let depth = match random.below(RUN) {
            0 => Depth::Run,
            drawn if drawn % ANALYSED == 0 => Depth::Analyse,
            _ => Depth::Read,
        };
        let text = match reader {
            // What is drawn is decided by the number, and drawn where it is used.
            Reader::Names | Reader::Planted => format!("{seed} {index}").into_bytes(),
            _ => {
                let text = begun(random, corpus, reader, seed, index);
                mutated(random, corpus, reader, text)
            }
        };
        Self { reader, depth, text }
    }
}

/// The text that is changed then.
fn begun(random: &mut Random, corpus: &Corpus, reader: Reader, seed: u64, index: u64) -> Vec<u8> {
    if reader == Reader::Toml && random.chance(1, 4) {
        return write_toml(&generate::system(seed, index)).into_bytes();
    }
    let mut text = corpus.text(random, reader);
    if text.len() > LARGE && random.chance(7, 8) {
        text = corpus.text(random, reader);
    }
    if reader == Reader::Trace {
        let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let first = random.index(lines.len());
        let last = (first + 1 + random.index(LINES)).min(lines.len());
        return lines[first..last].concat();
    }
    text.to_vec()
}
