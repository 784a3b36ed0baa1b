//! Fixed slots: the server whose slot contains this instant.
//!
//! Slots of one core do not overlap and a slot is ready exactly while it is open
//! ([`crate::server::Table`]), so there is never a choice to make: the order is that of
//! declaration and is not used.

use super::Key;

/// The key of a slot.
#[inline]
pub fn key(declared: u32) -> Key {
    Key { major: 0, minor: 0, declared }
}
