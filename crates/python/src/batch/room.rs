//! Memory for bounds, used again from batch to batch.
//!
//! **Model.** Columns of bounds lie in room that a batch wrote to. When the last reader of a column is gone, its
//! room is kept for the next batch, one at most, the largest.

use std::sync::{Mutex, MutexGuard, PoisonError};
use vorrang_batch::Room;

static SPARE: Mutex<Option<Room>> = Mutex::new(None);

/// What was given back, or nothing.
pub(super) fn spare() -> Room {
    kept().take().unwrap_or_default()
}

fn kept() -> MutexGuard<'static, Option<Room>> {
    SPARE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Room that comes back.
pub(super) struct Lent(Room);

impl Lent {
    pub(super) fn of(room: Room) -> Self {
        Self(room)
    }
}

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let mut kept = kept();
        if kept.as_ref().is_none_or(|kept| kept.size() < self.0.size()) {
            *kept = Some(std::mem::take(&mut self.0));
        }
    }
}
