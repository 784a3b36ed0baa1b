//! The ready members in a ring, linked both ways: constant time for everything.

use alloc::vec;
use alloc::vec::Vec;

/// No member.
const NONE: u32 = u32::MAX;

/// A ring of members.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    after: Vec<u32>,
    before: Vec<u32>,
}

impl Ring {
    /// An empty ring for members below `members`.
    pub(super) fn of(members: usize) -> Self {
        Self { after: vec![NONE; members], before: vec![NONE; members] }
    }

    pub(super) fn contains(&self, member: u32) -> bool {
        self.after[member as usize] != NONE
    }

    /// The next one; itself if it is alone.
    pub(super) fn after(&self, member: u32) -> u32 {
        self.after[member as usize]
    }

    /// Puts in a member just before another, or as the only one.
    pub(super) fn insert(&mut self, member: u32, before: Option<u32>) {
        let next = before.unwrap_or(member);
        let previous = before.map_or(member, |next| self.before[next as usize]);
        self.after[member as usize] = next;
        self.before[member as usize] = previous;
        self.after[previous as usize] = member;
        self.before[next as usize] = member;
    }

    /// Removes a member; returns its successor, if there is one.
    pub(super) fn remove(&mut self, member: u32) -> Option<u32> {
        let next = self.after[member as usize];
        let previous = self.before[member as usize];
        self.after[previous as usize] = next;
        self.before[next as usize] = previous;
        self.after[member as usize] = NONE;
        self.before[member as usize] = NONE;
        (next != member).then_some(next)
    }

    /// Whether both directions agree.
    pub(super) fn is_linked(&self) -> bool {
        (0_u32..).zip(&self.after).all(|(member, &next)| match next {
            NONE => self.before[member as usize] == NONE,
            next => self.before[next as usize] == member,
        })
    }
}
