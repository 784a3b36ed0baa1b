//! How many files this process may have open.

use super::Unable;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files that a process has open anyhow.
const OTHERS: u64 = 64;

/// While it lives more files may be open; then as many as before.
#[derive(Debug)]
pub struct Room {
    before: Rlimit,
}

impl Room {
    /// Room for so many more.
    ///
    /// # Errors
    /// An administrator has set a limit below.
    pub fn for_more(files: usize) -> Result<Self, Unable> {
        let before = getrlimit(Resource::Nofile);
        let wanted = files as u64 + OTHERS;
        if before.current.is_some_and(|current| current < wanted) {
            let more = Rlimit { current: Some(wanted), maximum: before.maximum };
            setrlimit(Resource::Nofile, more)
                .map_err(|why| Unable(format!("{files} more open files are refused: {why}")))?;
        }
        Ok(Self { before })
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // Lowering a limit to what it was is always permitted.
        let _ = setrlimit(Resource::Nofile, self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_as_it_was() {
        let before = getrlimit(Resource::Nofile).current;
        let room = Room::for_more(100);
        assert!(room.is_ok(), "{room:?}");
        drop(room);
        assert_eq!(getrlimit(Resource::Nofile).current, before);
        let refused = Room::for_more(usize::MAX / 2).map(|_| ()).unwrap_err();
        assert!(refused.0.contains("open files"), "{refused}");
    }
}
