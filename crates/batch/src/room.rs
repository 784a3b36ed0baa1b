//! Room for many numbers, in large pages where the system has them.
//!
//! Ten million bounds are 20 000 pages of 4 KiB. A page costs a fault when it is first written to, and all of
//! them took a seventh of the time of a batch. Most systems give out large pages (2 MiB) only where
//! a program asks for them.

use memmap2::MmapMut;
use std::fmt;
use std::ops::{Deref, DerefMut};
use zerocopy::FromBytes as _;

/// So many numbers; it does not grow.
#[derive(Default)]
pub struct Room(Option<MmapMut>);

impl Room {
    /// Zeros.
    pub(crate) fn of(count: usize) -> Self {
        // A mapping of no bytes is none.
        let mapped =
            (count > 0).then(|| MmapMut::map_anon(count * size_of::<i64>()).expect("memory"));
        #[cfg(target_os = "linux")]
        if let Some(memory) = &mapped {
            // Only a wish: a kernel without large pages refuses it, and nothing else changes.
            let _ = memory.advise(memmap2::Advice::HugePage);
        }
        Self(mapped)
    }
}

/// Their bytes, in the order of the machine; without numbers not where numbers could be.
impl AsRef<[u8]> for Room {
    fn as_ref(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl Deref for Room {
    type Target = [i64];

    fn deref(&self) -> &[i64] {
        match &self.0 {
            Some(memory) => <[i64]>::ref_from_bytes(memory).expect(WHOLE),
            None => &[],
        }
    }
}

impl DerefMut for Room {
    fn deref_mut(&mut self) -> &mut [i64] {
        match &mut self.0 {
            Some(memory) => <[i64]>::mut_from_bytes(memory).expect(WHOLE),
            None => &mut [],
        }
    }
}

const WHOLE: &str = "whole numbers from the beginning of a page";

impl fmt::Debug for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}

impl PartialEq for Room {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl Eq for Room {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_zeros_that_can_be_changed() {
        assert!(Room::of(0).is_empty() && Room::default().is_empty());
        let mut room = Room::of(3);
        assert_eq!(room[..], [0; 3]);
        room[1] = -7;
        assert_eq!((room[1], room.as_ref().len()), (-7, 24));
        assert!(room != Room::of(3) && room != Room::of(2));
    }
}
