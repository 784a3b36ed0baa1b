//! Room for many numbers, in large pages where the system has them.
//!
//! Ten million bounds are 20 000 pages of 4 KiB. A page costs a fault when it is first written to, and all of
//! them took a seventh of the time of a batch. Most systems give out large pages (2 MiB) only where
//! a program asks for them. They are filled with zeros first, which is a twentieth of the time: room that is
//! used again has that behind it.

use memmap2::MmapMut;
use std::fmt;
use std::ops::{Deref, DerefMut};
use zerocopy::FromBytes as _;

/// So many numbers; it does not grow.
#[derive(Default)]
pub struct Room {
    memory: Option<MmapMut>,
    /// Bytes of it that are used.
    used: usize,
}

impl Room {
    /// The same memory for so many numbers, if it is neither too little nor more than twice as much; they are
    /// what was left in it. Otherwise zeros.
    #[must_use]
    pub(crate) fn again(self, count: usize) -> Self {
        let (used, all) = (count * size_of::<i64>(), self.size());
        if used <= all && all / 2 <= used { Self { used, ..self } } else { Self::of(count) }
    }

    /// Bytes that it has, used or not.
    pub fn size(&self) -> usize {
        self.memory.as_ref().map_or(0, |memory| memory.len())
    }

    /// Zeros.
    pub(crate) fn of(count: usize) -> Self {
        let used = count * size_of::<i64>();
        // A mapping of no bytes is none.
        let memory = (count > 0).then(|| MmapMut::map_anon(used).expect("memory"));
        #[cfg(target_os = "linux")]
        if let Some(memory) = &memory {
            // Only a wish: a kernel without large pages refuses it, and nothing else changes.
            let _ = memory.advise(memmap2::Advice::HugePage);
        }
        Self { memory, used }
    }
}

/// The bytes of its numbers, in the order of the machine; without numbers not where numbers could be.
impl AsRef<[u8]> for Room {
    fn as_ref(&self) -> &[u8] {
        self.memory.as_ref().map_or(&[], |memory| &memory[..self.used])
    }
}

impl Deref for Room {
    type Target = [i64];

    fn deref(&self) -> &[i64] {
        match &self.memory {
            Some(memory) => <[i64]>::ref_from_bytes(&memory[..self.used]).expect(WHOLE),
            None => &[],
        }
    }
}

impl DerefMut for Room {
    fn deref_mut(&mut self) -> &mut [i64] {
        match &mut self.memory {
            Some(memory) => <[i64]>::mut_from_bytes(&mut memory[..self.used]).expect(WHOLE),
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

    #[test]
    fn room_is_used_again_where_it_fits() {
        let mut room = Room::of(6);
        room[2] = -7;
        let room = room.again(3);
        assert_eq!((&room[..], room.as_ref().len(), room.size()), (&[0, 0, -7][..], 24, 48));
        let room = room.again(6);
        assert_eq!(room[2], -7);
        // Too little, and far too much.
        assert_eq!(room.again(7)[..], [0; 7]);
        assert_eq!(Room::of(7).again(3).size(), 24);
        assert_eq!(Room::of(7).again(0).size(), 0);
        assert_eq!(Room::default().again(0).size(), 0);
    }
}
