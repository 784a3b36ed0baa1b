//! The journal of changes, written to disk before each change.
//!
//! A line of JSON each: the head, then an entry for every change, one for every change that was refused or undone, and
//! one where another description took the place of the one before, or where changes for another part begin. A line that was cut off while it was written
//! belongs to a change that was not made.

mod head;
mod reading;

pub use head::{Described, Head};
pub use reading::{Entries, Found, Part, read};

use crate::change::Change;
use crate::machine::Kernel;
use reading::{Entry, text};
use serde::Serialize;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The default path: settings and file do not survive a boot.
pub const PLACE: &str = "/run/vorrang/journal";

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

impl fmt::Display for Unmade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Journal(why) => write!(f, "the journal: {why}"),
            Self::Kernel(why) => why.fmt(f),
        }
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
    pub(crate) fn record(&mut self, change: &Change) -> io::Result<()> {
        self.line(change)?;
        self.changes += 1;
        Ok(())
    }

    /// Continues a journal with so many changes after its last complete line.
    ///
    /// # Errors
    /// It cannot be read or written.
    pub fn resume(path: &Path, changes: usize) -> io::Result<Self> {
        let text = text(path)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let file = OpenOptions::new().append(true).open(path)?;
        if whole < text.len() {
            file.set_len(whole as u64)?;
        }
        Ok(Self { file, changes })
    }

    /// Writes that another description has taken the place of the one before, onto the disk.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn record_description(&mut self, now: &Described) -> io::Result<()> {
        self.line(&Entry::Described { now: now.clone() })
    }

    /// Writes that what follows is for this part, onto the disk.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn record_part(&mut self, part: Part) -> io::Result<()> {
        self.line(&Entry::Part { part })
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

#[cfg(test)]
mod tests {
    use super::reading::MOST;
    use super::*;
    use crate::machine::Linux;
    use std::collections::BTreeSet;

    fn described(description: &str) -> Described {
        Described::new(description, "0", "proven")
    }

    /// Existing files are left alone, also one with the name of a journal that is being written.
    #[test]
    fn a_journal_replaces_nothing_and_has_an_end() {
        let folder = std::env::temp_dir().join(format!("vorrang-journals-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("journal");
        let head = Head::of(&Linux, described("system.toml")).unwrap();
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
        let head = Head::of(&Linux, described("system.toml")).unwrap();
        let mut journal = Journal::begin(&path, &head).unwrap();
        let changes = ["/a", "/b"].map(|path| Change::MakeGroup { path: path.to_owned() });
        for change in &changes {
            journal.record(change).unwrap();
        }
        journal.file.write_all("{\"\u{e4}".as_bytes().split_last().unwrap().1).unwrap();
        let mut journal =
            Journal::resume(&path, 2).and_then(|journal| journal.record_undone(1)).unwrap();
        journal.record_description(&described("other.toml")).unwrap();
        let Found::Journal(entries) = read(&path, &Linux).unwrap() else { panic!("of this boot") };
        fs::remove_file(&path).unwrap();
        assert_eq!(entries.changes, changes);
        assert_eq!(entries.undone, BTreeSet::from([1]));
        assert_eq!(entries.head.described, described("other.toml"), "the last one counts");
    }
}
