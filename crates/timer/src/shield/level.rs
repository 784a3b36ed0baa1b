//! The branch of one level: a growing array of timers.
//!
//! ```text
//!   root ─▶ [ · · . . . . . . ]          blocks, each full but the last one of its tier
//!             │ └───────────┐
//!             ▼             ▼
//!           [ t t t t … t ] [ t t t . … . ]         timers, in the order of joining
//!                                 ▲ the last: joins and leaves here
//! ```
//!
//! A timer joins at the end; when one leaves, the last takes its place. So nothing is ever sorted,
//! split or balanced, and as long as a timer stays in its level it stays where it is, pending or
//! not: arming, cancelling and expiring change one entry and what is above it.
//!
//! **Invariant.** The timers of a level fill its places from the first on; every node is in one
//! level or free.
//!
//! **Cost.** `join`: one `set`; `leave`: two; when a bucket is taken or given back, which
//! fourteen timers share, besides one step down the branch.

use super::block::WIDTH;
use super::bucket::ROOM;
use super::entry::Entry;
use super::tree::{NONE, PLACES, Tree, split, start};
use crate::Urgency;
use vorrang_time::Instant;

/// The timers of one level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) urgency: Urgency,
    /// The topmost block; the only bucket, if there are no blocks.
    pub(super) root: u32,
    /// How many tiers of blocks there are.
    pub(super) tiers: u32,
    pub(super) buckets: u32,
    /// The bucket that was taken last, and how many timers it has.
    pub(super) last: u32,
    pub(super) in_last: u32,
}

impl Level {
    /// Without timers; the next one needs a bucket.
    pub(super) const fn empty(urgency: Urgency) -> Self {
        Self { urgency, root: NONE, tiers: 0, buckets: 0, last: NONE, in_last: ROOM }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.buckets == 0
    }

    /// How many buckets that many tiers of blocks hold.
    pub(super) fn room(tiers: u32) -> u64 {
        1 << (3 * tiers)
    }
}

/// How many nodes are below a block.
const BELOW: u32 = 8;
const _: () = assert!(BELOW as usize == WIDTH);

/// The digit of a number, which counts buckets, on a tier.
fn digit(number: u32, tier: u32) -> u32 {
    (number >> (3 * tier)) % BELOW
}

impl Tree {
    /// Puts a timer at the end of a level, which stands at `above` in the crown; its place.
    pub(super) fn join(
        &mut self,
        level: &mut Level,
        above: u32,
        (id, timer): (u32, u32),
        at: Instant,
    ) -> u32 {
        if level.in_last == ROOM {
            level.last = self.take_bucket(id);
            self.attach(level, above);
            (level.buckets, level.in_last) = (level.buckets + 1, 0);
        }
        let place = start(level.last) + level.in_last;
        level.in_last += 1;
        self.put(place, timer, at);
        place
    }

    /// Takes out the timer at a place of a level; the timer that stands there instead, if any.
    pub(super) fn leave(&mut self, level: &mut Level, place: u32) -> Option<u32> {
        level.in_last -= 1;
        let last = start(level.last) + level.in_last;
        let (bucket, offset) = split(last);
        let moved = self.timers[bucket].get(offset);
        let at = self.expiry(last);
        self.timers[bucket].clear(offset);
        if level.in_last == 0 {
            self.detach(level);
        } else {
            self.set(last, NONE, Instant::NEVER);
        }
        let moved = moved.filter(|_| place != last)?;
        self.put(place, moved, at);
        Some(moved)
    }

    /// Puts a timer at a place.
    fn put(&mut self, place: u32, timer: u32, at: Instant) {
        self.timers[split(place).0].set(place, timer);
        self.set(place, timer, at);
    }

    /// The earliest timer of a level.
    pub(super) fn first_of(&self, level: &Level) -> Entry {
        match level {
            Level { buckets: 0, .. } => Entry::NOTHING,
            Level { tiers: 0, root, .. } => self.first_in(*root as usize),
            Level { root, .. } => self.blocks[*root as usize].first(),
        }
    }

    /// What is above a node with that many tiers of blocks.
    pub(super) fn above(&mut self, node: u32, tiers: u32) -> &mut u32 {
        if tiers == 0 {
            &mut self.buckets[node as usize].above
        } else {
            &mut self.blocks[node as usize].above
        }
    }

    /// Puts the bucket that was taken behind those of a level.
    fn attach(&mut self, level: &mut Level, above: u32) {
        let number = level.buckets;
        if level.is_empty() {
            level.root = level.last;
            *self.above(level.last, 0) = above;
            return;
        }
        if u64::from(number) == Level::room(level.tiers) {
            self.raise(level, above);
        }
        let mut node = level.root;
        for tier in (1..level.tiers).rev() {
            let place = start(node) + digit(number, tier);
            node = self.child(place);
            if node == NONE {
                node = self.take_block(place);
                self.set_child(place, node);
            }
        }
        let place = start(node) + digit(number, 0);
        self.set_child(place, level.last);
        *self.above(level.last, 0) = place;
    }

    /// A new root above the old one.
    fn raise(&mut self, level: &mut Level, above: u32) {
        let (old, first) = (level.root, self.first_of(level));
        level.root = self.take_block(above);
        self.blocks[level.root as usize].set(0, first);
        self.set_child(start(level.root), old);
        *self.above(old, level.tiers) = start(level.root);
        level.tiers += 1;
    }

    /// Gives back the last bucket of a level, which has lost its last timer, and what held only it.
    fn detach(&mut self, level: &mut Level) {
        let mut place = *self.above(level.last, 0);
        self.tell(place, Entry::NOTHING);
        self.give_back_bucket(level.last);
        level.buckets -= 1;
        if level.buckets == 0 {
            *level = Level::empty(level.urgency);
            return;
        }
        self.set_child(place, NONE);
        // Another bucket is left: this ends in the root at the latest.
        while place.is_multiple_of(PLACES) {
            let block = place / PLACES;
            place = *self.above(block, 1);
            self.give_back_block(block);
            self.set_child(place, NONE);
        }
        while level.tiers > 0 && u64::from(level.buckets) <= Level::room(level.tiers - 1) {
            self.lower(level);
        }
        (level.last, level.in_last) = (self.last_bucket(level), ROOM);
    }

    /// Gives back the root, below which there is only one node.
    fn lower(&mut self, level: &mut Level) {
        let old = level.root;
        level.root = self.child(start(old));
        level.tiers -= 1;
        let above = *self.above(old, 1);
        *self.above(level.root, level.tiers) = above;
        self.give_back_block(old);
    }

    /// The last bucket of a level.
    fn last_bucket(&self, level: &Level) -> u32 {
        (0..level.tiers)
            .rev()
            .fold(level.root, |node, tier| self.child(start(node) + digit(level.buckets - 1, tier)))
    }

    /// What stands below a place of a block.
    pub(super) fn child(&self, place: u32) -> u32 {
        let (block, offset) = split(place);
        self.below[block][offset]
    }

    fn set_child(&mut self, place: u32, node: u32) {
        let (block, offset) = split(place);
        self.below[block][offset] = node;
    }
}
