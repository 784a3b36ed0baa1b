//! The journal of changes, written to disk before each change.
//!
//! A line of JSON each: the head, then an entry for every change, and one for every change that was
//! refused or undone. A line that was cut off while it was written belongs to a change that was not made.

use crate::change::Change;
use crate::machine::{Kernel, Thread, all_threads, gone_is_none};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The default path: settings and file do not survive a boot.
pub const PLACE: &str = "/run/vorrang/journal";

/// Longest journal that is read, in bytes: a change takes a few hundred.
const MOST: u64 = 64 << 20;

const FORMAT: &str = "vorrang-journal/1";

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The format of the file.
    pub format: String,
    /// The boot that it belongs to.
    pub boot: String,
    /// The name of the description.
    pub description: String,
    /// Its SHA-256.
    pub sha256: String,
    /// The verdict on it.
    pub verdict: String,
    /// The processors that every thread might use before.
    pub affinities: Vec<(Thread, Vec<u32>)>,
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    file: File,
    /// Changes in it, as far as it was written here.
    changes: usize,
}

/// Why a change was not made.
#[derive(Debug)]
pub enum Unmade {
    /// It could not be journaled, so it was not tried, and nothing may be appended to the journal.
    Journal(io::Error),
    /// The kernel refused it, or it has no effect.
    Kernel(io::Error),
}

/// A journal that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries {
    /// The first line.
    pub head: Head,
    /// In the order in which the changes were made.
    pub changes: Vec<Change>,
    /// Places of those that are undone already. Undoing them again could do harm: the state between two
    /// changes may not exist any more.
    pub undone: BTreeSet<usize>,
}

/// A line after the head.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Entry {
    Undone { undone: usize },
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

impl fmt::Display for Unmade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Journal(why) => write!(f, "the journal: {why}"),
            Self::Kernel(why) => why.fmt(f),
        }
    }
}

impl Head {
    /// The head for a machine as it is.
    ///
    /// # Errors
    /// The kernel does not say which boot it is, or which threads there are.
    pub fn of(
        kernel: &dyn Kernel,
        description: &str,
        sha256: &str,
        verdict: &str,
    ) -> io::Result<Self> {
        let mut affinities = Vec::new();
        for thread in all_threads(kernel)? {
            // One that has ended meanwhile has none.
            if let Some(cpus) = gone_is_none(kernel.affinity(thread.thread))? {
                affinities.push((thread, cpus));
            }
        }
        Ok(Self {
            format: FORMAT.to_owned(),
            boot: boot(kernel)?,
            description: description.to_owned(),
            sha256: sha256.to_owned(),
            verdict: verdict.to_owned(),
            affinities,
        })
    }
}

impl Journal {
    /// Begins a journal. There may be none at the place.
    ///
    /// # Errors
    /// There is one, or it cannot be written.
    pub fn begin(path: &Path, head: &Head) -> io::Result<Self> {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        // Written beside and then given its name, so that a journal always has a head.
        let beside = beside(path);
        let mut journal = Self { file: File::create_new(&beside)?, changes: 0 };
        let named = journal.line(head).and_then(|()| fs::hard_link(&beside, path));
        fs::remove_file(&beside)?;
        named?;
        File::open(folder)?.sync_all()?;
        Ok(journal)
    }

    /// Writes a change, onto the disk, and then makes it. One that the kernel refuses counts as undone: the
    /// object belongs to another program then.
    ///
    /// # Errors
    /// It was not made, or has no effect.
    pub fn make(&mut self, kernel: &mut dyn Kernel, change: &Change) -> Result<(), Unmade> {
        self.record(change).map_err(Unmade::Journal)?;
        if let Err(why) = change.make(kernel) {
            self.line(&Entry::Undone { undone: self.changes - 1 }).map_err(Unmade::Journal)?;
            return Err(Unmade::Kernel(why));
        }
        change.confirm(kernel).map_err(Unmade::Kernel)
    }

    /// Writes a change, onto the disk.
    fn record(&mut self, change: &Change) -> io::Result<()> {
        self.line(change)?;
        self.changes += 1;
        Ok(())
    }

    /// Continues a journal after its last complete line.
    ///
    /// # Errors
    /// It cannot be read or written.
    pub fn resume(path: &Path) -> io::Result<Self> {
        let text = text(path)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let file = OpenOptions::new().append(true).open(path)?;
        if whole < text.len() {
            file.set_len(whole as u64)?;
        }
        Ok(Self { file, changes: 0 })
    }

    /// Writes that the change at a place is undone, onto the disk.
    ///
    /// # Errors
    /// It cannot be written; further entries would follow a partial line, so none is written.
    pub fn record_undone(mut self, place: usize) -> io::Result<Self> {
        self.line(&Entry::Undone { undone: place })?;
        Ok(self)
    }

    fn line(&mut self, entry: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.sync_data()
    }
}

fn beside(path: &Path) -> PathBuf {
    path.with_extension(std::process::id().to_string())
}

/// The content, up to the limit of a journal.
fn text(path: &Path) -> io::Result<Vec<u8>> {
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
    let head: Head = serde_json::from_str(lines.next().unwrap_or_default())
        .map_err(|why| malformed(format!("line 1 is not the head of a journal: {why}")))?;
    if head.format != FORMAT {
        return Err(malformed(format!("its format is {}, not {FORMAT}", head.format)));
    }
    if head.boot != boot(kernel)? {
        return Ok(Found::Void);
    }
    let (mut changes, mut undone) = (Vec::new(), BTreeSet::new());
    for (index, line) in lines.enumerate() {
        let entry = serde_json::from_str(line)
            .map_err(|why| malformed(format!("line {} is no change: {why}", index + 2)))?;
        match entry {
            Entry::Change(change) => changes.push(change),
            Entry::Undone { undone: place } if place < changes.len() => {
                undone.insert(place);
            }
            Entry::Undone { undone: place } => {
                let why = format!("line {} undoes change {place}, which is not there", index + 2);
                return Err(malformed(why));
            }
        }
    }
    Ok(Found::Journal(Box::new(Entries { head, changes, undone })))
}

fn boot(kernel: &dyn Kernel) -> io::Result<String> {
    Ok(kernel.read("/proc/sys/kernel/random/boot_id")?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Linux;

    /// Existing files are left alone, also one with the name of a journal that is being written.
    #[test]
    fn a_journal_replaces_nothing_and_has_an_end() {
        let folder = std::env::temp_dir().join(format!("vorrang-journals-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("journal");
        let head = Head::of(&Linux, "system.toml", "0", "proven").unwrap();
        fs::write(beside(&path), "mine").unwrap();
        assert!(Journal::begin(&path, &head).is_err());
        assert_eq!(fs::read(beside(&path)).unwrap(), b"mine");
        fs::remove_file(beside(&path)).unwrap();
        fs::write(&path, "mine").unwrap();
        assert!(Journal::begin(&path, &head).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"mine");
        assert!(!beside(&path).exists(), "nothing is left");
        File::create(&path).unwrap().set_len(MOST + 1).unwrap();
        let why = read(&path, &Linux).unwrap_err().to_string();
        assert!(why.starts_with("it is longer than the 67108864 bytes"), "{why}");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_undone_is_known_although_a_line_was_cut_off() {
        let path = std::env::temp_dir().join(format!("vorrang-journal-{}", std::process::id()));
        let head = Head::of(&Linux, "system.toml", "0", "proven").unwrap();
        let mut journal = Journal::begin(&path, &head).unwrap();
        let changes = ["/a", "/b"].map(|path| Change::MakeGroup { path: path.to_owned() });
        for change in &changes {
            journal.record(change).unwrap();
        }
        journal.file.write_all("{\"\u{e4}".as_bytes().split_last().unwrap().1).unwrap();
        Journal::resume(&path).and_then(|journal| journal.record_undone(1)).unwrap();
        let Found::Journal(entries) = read(&path, &Linux).unwrap() else { panic!("of this boot") };
        fs::remove_file(&path).unwrap();
        assert_eq!(entries.changes, changes);
        assert_eq!(entries.undone, BTreeSet::from([1]));
    }
}
