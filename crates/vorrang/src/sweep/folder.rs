//! The folder of a study: which shards are there, and how one is added.
//!
//! **Model.** A shard is written under a temporary name, made durable, and renamed; so a shard with
//! its final name is whole, even if its writer was killed. The study lies beside the shards and comes
//! first.
//!
//! **Assumptions.** 1. A file gets another name in its folder at once or not at all, as POSIX says.
//! 2. Only sweeps write there.

use crate::destination::unwritable;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use vorrang_command::exit::Failure;
use vorrang_quote::name::shown;
use vorrang_sweep::Study;
use vorrang_verdict::identity::TOOL;

/// A folder that belongs to a study.
pub struct Folder {
    path: PathBuf,
    identity: String,
    shards: u64,
}

const STUDY: &str = "study.toml";

impl Folder {
    /// Opens or creates it.
    ///
    /// # Errors
    /// It holds another study, or cannot be written.
    pub fn open(path: &Path, study: &Study) -> Result<Self, Failure> {
        fs::create_dir_all(path).map_err(|why| unwritable(path, &why))?;
        let identity = study.identity(TOOL);
        let folder = Self { path: path.to_owned(), identity, shards: study.shards() };
        let place = path.join(STUDY);
        match fs::read(&place) {
            Ok(there) if there == study.text() => {}
            Ok(_) => {
                let (folder, file) = (shown(path), shown(&place));
                return Err(Failure::bad_input(format!(
                    "error: {folder} holds the answers to another study, {file}: give another folder\n"
                )));
            }
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                folder.write(STUDY, study.text())?;
            }
            Err(why) => return Err(unwritable(&place, &why)),
        }
        Ok(folder)
    }

    /// Where a shard is, or will be.
    pub fn file(&self, shard: u64) -> PathBuf {
        self.path.join(name_of(shard))
    }

    /// All files, in their order.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> + '_ {
        (0..self.shards).map(|shard| self.file(shard))
    }

    /// The shards of a part (the `number`-th of every `of`) that are not there.
    ///
    /// # Errors
    /// One is there that is not of this study, or of another version of the tool.
    pub fn missing(&self, (number, of): (u64, u64)) -> Result<Vec<u64>, Failure> {
        let mut missing = Vec::new();
        for shard in (number - 1..self.shards).step_by(usize::try_from(of).unwrap_or(usize::MAX)) {
            match File::open(self.file(shard)) {
                Ok(file) => self.is_ours(shard, file)?,
                Err(why) if why.kind() == io::ErrorKind::NotFound => missing.push(shard),
                Err(why) => return Err(unwritable(&self.file(shard), &why)),
            }
        }
        Ok(missing)
    }

    fn is_ours(&self, shard: u64, file: File) -> Result<(), Failure> {
        let name = shown(self.file(shard));
        let reader = SerializedFileReader::new(file).map_err(|why| {
            Failure::bad_input(format!("error: {name} is no whole shard ({why}): remove it\n"))
        })?;
        let pairs = reader.metadata().file_metadata().key_value_metadata();
        let value = |key: &str| {
            let pair = pairs?.iter().find(|pair| pair.key == key)?;
            pair.value.clone()
        };
        if value("vorrang.study.identity").as_ref() == Some(&self.identity) {
            return Ok(());
        }
        let by = value("vorrang.tool").unwrap_or_else(|| "another tool".to_owned());
        Err(Failure::bad_input(format!(
            "error: {name} is of another study or version (by {by}; this is {TOOL}): give another folder\n"
        )))
    }

    /// Adds a complete shard.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn publish(&self, shard: u64, bytes: &[u8]) -> Result<(), Failure> {
        self.write(&name_of(shard), bytes)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let place = self.path.join(name);
        let drafts = format!(".{name}.");
        let draft = self.path.join(format!("{drafts}{}.part", std::process::id()));
        let written = File::create(&draft).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()?;
            match fs::rename(&draft, &place) {
                // Another process has put the same in place and cleared the draft away.
                Err(why) if why.kind() == io::ErrorKind::NotFound && place.exists() => Ok(()),
                renamed => renamed,
            }
        });
        written.map_err(|why| {
            let _ = fs::remove_file(&draft);
            unwritable(&place, &why)
        })?;
        // The name must last, too; where folders cannot be synchronised, it lasts as long as it can.
        let _ = File::open(&self.path).and_then(|folder| folder.sync_all());
        self.clear(&drafts);
        Ok(())
    }

    /// Removes what processes that were killed have left of a file that is in place.
    fn clear(&self, drafts: &str) {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(drafts) && name.ends_with(".part") {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Six digits at least, so that names sort.
fn name_of(shard: u64) -> String {
    format!("shard-{shard:06}.parquet")
}
