//! Where a journal of a test is: in memory, where the system has such a place, as `/run` is.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) struct Place(PathBuf);

impl Place {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let folder = folder.join(format!("vorrang-in-memory-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        Self(folder)
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.0.join("journal")
    }

    pub(crate) fn text(&self) -> Vec<u8> {
        fs::read(self.file()).expect("there is a journal")
    }

    pub(crate) fn write(&self, text: &[u8]) {
        fs::write(self.file(), text).expect("it can be written");
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _gone = fs::remove_dir_all(&self.0);
    }
}
