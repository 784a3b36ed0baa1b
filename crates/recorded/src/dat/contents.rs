//! What a file says of itself, before its events.

use super::processor::{Storage, Stored};
use crate::layouts::Layouts;

/// The layouts of events, and where those of each processor are.
pub(super) struct Contents {
    pub(super) layouts: Layouts,
    pub(super) storage: Storage,
    pub(super) processors: Vec<Stored>,
}
