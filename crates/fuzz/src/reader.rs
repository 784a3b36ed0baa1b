//! What reads a user's files, and how many of the inputs each gets.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use vorrang_campaign::random::Random;

/// A reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reader {
    /// Descriptions, in TOML.
    Toml,
    /// Descriptions, in JSON.
    Json,
    /// Profiles of machines: that of descriptions, and that of `measure`.
    Profile,
    /// Texts of kernels' traces.
    Trace,
    /// Pages of a kernel that is traced, with the formats of its events.
    Pages,
    /// The journal of `apply`.
    Journal,
    /// What is imported: domains, units, tables of interrupts, workloads.
    Import,
    /// Names of histories.
    Pattern,
    /// Texts on the command line and in the files of the kernel: durations, lists of processors, threads.
    Value,
    /// What stands where an output is to be written: it is replaced only if it is of the same kind.
    Output,
    /// Names that are exported.
    Names,
    /// Faults on purpose, to see that they are noticed; never drawn.
    Planted,
}

/// Each with its part of a hundred inputs. Descriptions are read most and have the largest grammar; names need a shell.
const PARTS: [(u64, Reader); 11] = [
    (36, Reader::Toml),
    (14, Reader::Json),
    (12, Reader::Profile),
    (8, Reader::Trace),
    (2, Reader::Pages),
    (7, Reader::Journal),
    (4, Reader::Import),
    (8, Reader::Pattern),
    (5, Reader::Value),
    (2, Reader::Output),
    (2, Reader::Names),
];

impl Reader {
    /// All that are drawn.
    pub fn all() -> impl Iterator<Item = Self> {
        PARTS.into_iter().map(|(_, reader)| reader)
    }

    /// One of them.
    pub fn drawn(random: &mut Random) -> Self {
        random.weighted(&PARTS)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Toml => "toml",
            Self::Json => "json",
            Self::Profile => "profile",
            Self::Trace => "trace",
            Self::Pages => "pages",
            Self::Journal => "journal",
            Self::Import => "import",
            Self::Pattern => "pattern",
            Self::Value => "value",
            Self::Output => "output",
            Self::Names => "names",
            Self::Planted => "planted",
        }
    }
}

impl fmt::Display for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Reader {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = || Self::all().chain([Self::Planted]);
        all().find(|reader| reader.name() == text).ok_or_else(|| {
            let names: Vec<&str> = all().map(Self::name).collect();
            format!("the readers are {}", names.join(", "))
        })
    }
}
