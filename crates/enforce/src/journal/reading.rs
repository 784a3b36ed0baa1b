//! What a journal says.

use super::head::{Described, FORMAT, Head, boot};
use crate::change::Change;
use crate::machine::Kernel;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Longest journal that is read, in bytes: a change takes a few hundred.
pub(super) const MOST: u64 = 64 << 20;

/// A journal that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries {
    /// The first line, with the description that is in effect now.
    pub head: Head,
    /// In the order in which the changes were made.
    pub changes: Vec<Change>,
    /// Places of those that are undone already. Undoing them again could do harm: the state between two
    /// changes may not exist any more.
    pub undone: BTreeSet<usize>,
    /// From these places on changes are for these parts.
    pub parts: Vec<(usize, Part)>,
}

/// What changes are for, where a description has both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Cores of Linux.
    Linux,
    /// Dispatched cores.
    Dispatched,
}

impl Entries {
    /// What the change at a place is for, if that is said.
    pub fn part_of(&self, place: usize) -> Option<Part> {
        self.parts.iter().rev().find(|(from, _)| *from <= place).map(|(_, part)| *part)
    }

    /// The changes for a part that are not undone, with their places.
    pub fn of(&self, part: Part) -> impl Iterator<Item = (usize, &Change)> {
        let is_meant = move |place| self.part_of(place) == Some(part);
        let all = self.changes.iter().enumerate();
        all.filter(move |(place, _)| is_meant(*place) && !self.undone.contains(place))
    }
}

/// A line after the head.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Entry {
    Undone { undone: usize },
    Described { now: Described },
    Part { part: Part },
    Change(Change),
}

/// The content at the path of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing: nothing is applied.
    Nothing,
    /// A journal of another boot: its changes are gone.
    Void,
    /// A journal of this boot.
    Journal(Box<Entries>),
}

/// The content, up to the limit of a journal.
pub(super) fn text(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    File::open(path)?.take(MOST + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MOST {
        let why = format!("it is longer than the {MOST} bytes that a journal may have");
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    Ok(text)
}

/// Reads the journal at a path.
///
/// # Errors
/// It cannot be read, or is no journal.
pub fn read(path: &Path, kernel: &dyn Kernel) -> io::Result<Found> {
    let text = match text(path) {
        Ok(text) => text,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(why) => return Err(why),
    };
    let malformed = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
    // Text after the last line feed was cut off.
    let end = text.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
    let whole = std::str::from_utf8(&text[..end]).map_err(|why| malformed(why.to_string()))?;
    let mut lines = whole.lines();
    let mut head: Head = serde_json::from_str(lines.next().unwrap_or_default())
        .map_err(|why| malformed(format!("line 1 is not the head of a journal: {why}")))?;
    if head.format != FORMAT {
        return Err(malformed(format!("its format is {}, not {FORMAT}", head.format)));
    }
    if head.boot != boot(kernel)? {
        return Ok(Found::Void);
    }
    let (mut changes, mut undone, mut parts) = (Vec::new(), BTreeSet::new(), Vec::new());
    for (index, line) in lines.enumerate() {
        let entry = serde_json::from_str(line)
            .map_err(|why| malformed(format!("line {} is no change: {why}", index + 2)))?;
        match entry {
            Entry::Change(change) => changes.push(change),
            Entry::Described { now } => head.described = now,
            Entry::Part { part } => parts.push((changes.len(), part)),
            Entry::Undone { undone: place } if place < changes.len() => {
                undone.insert(place);
            }
            Entry::Undone { undone: place } => {
                let why = format!("line {} undoes change {place}, which is not there", index + 2);
                return Err(malformed(why));
            }
        }
    }
    Ok(Found::Journal(Box::new(Entries { head, changes, undone, parts })))
}
