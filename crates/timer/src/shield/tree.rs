//! All timers: one tree of minima, in which each level of urgency has a branch.
//!
//! ```text
//!              [ · · · · · · · · ]                crown: blocks over the levels, by urgency
//!      [ · · · · · · · · ] [ · · · · . . . . ]
//!        │   │       └─▶ [ t t t t . … . ]        a level of up to fourteen: a bucket
//!        │   └─▶ (no timers)
//!        └─▶ [ · · · · · . . . ]                  one of more: blocks over buckets
//!              └─▶ [ t t t t t … t ] …
//! ```
//!
//! An entry of a block is the earliest timer of what stands below it. A change goes up from its
//! bucket only as far as it changes a minimum, through the branch into the crown, where the
//! earliest of all levels from one on is what stands behind the way up.
//!
//! **Places.** Buckets and blocks have sixteen places, numbered through, of which a bucket uses
//! fourteen and a block eight. The first places of blocks are those of the levels, the least urgent
//! first.
//!
//! **Cost**, for a timer with b blocks above it, log₈ of the buckets of its level and log₈ of the
//! levels: `set`: fourteen expiries, and three entries in each of b blocks; `first`: constant; `from`:
//! three entries in each block above a level. Memory: 192 bytes for a bucket, 288 for a block.

use super::block::{Block, WIDTH};
use super::bucket::{Bucket, ROOM, Timers};
use super::entry::Entry;
use alloc::vec::Vec;
use vorrang_time::Instant;

/// Places of a node.
pub(super) const PLACES: u32 = 16;

/// No node, no timer, no place.
pub(super) const NONE: u32 = u32::MAX;

/// So many that the places of buckets and blocks are numbers below [`NONE`].
const MOST: u32 = 1 << 27;

/// The buckets and blocks of all levels, used and free.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) buckets: Vec<Bucket>,
    /// By bucket and place there.
    pub(super) timers: Vec<Timers>,
    pub(super) blocks: Vec<Block>,
    /// By block and place there: the bucket or block that stands there; nothing in the crown.
    pub(super) below: Vec<[u32; WIDTH]>,
    /// The blocks over the levels, the topmost last.
    pub(super) crown: usize,
    pub(super) free_bucket: u32,
    pub(super) free_block: u32,
}

/// The node of a place and its offset there.
#[inline]
pub(super) fn split(place: u32) -> (usize, usize) {
    ((place / PLACES) as usize, (place % PLACES) as usize)
}

/// The first place of a node.
#[inline]
pub(super) fn start(node: u32) -> u32 {
    node * PLACES
}

impl Tree {
    /// Nodes enough for `timers` in any division among `levels`, all free.
    pub(super) fn with_capacity(timers: u32, levels: u32) -> Self {
        assert!(timers.max(levels) <= MOST, "at most 2^27 timers and levels");
        let mut tree = Self {
            buckets: Vec::new(),
            timers: Vec::new(),
            blocks: crown(levels as usize),
            below: Vec::new(),
            crown: 0,
            free_bucket: NONE,
            free_block: NONE,
        };
        tree.crown = tree.blocks.len();
        // Full nodes, and one that is not for each level that has more timers than `fewer`.
        let most = |fewer: u64, room: u64| {
            let (timers, levels) = (u64::from(timers), u64::from(levels));
            let reached = levels.min(timers / (fewer + 1));
            (timers - reached) / room + reached
        };
        let (mut room, mut blocks) = (u64::from(ROOM), 0);
        while room < u64::from(timers) {
            blocks += most(room, room * WIDTH as u64);
            room *= WIDTH as u64;
        }
        let count = |nodes: u64| usize::try_from(nodes).expect("fewer than timers and levels");
        let (buckets, blocks) = (count(most(0, u64::from(ROOM))), count(blocks) + tree.crown);
        tree.buckets.resize(buckets, Bucket::empty(NONE, NONE));
        tree.timers.resize(buckets, Timers::EMPTY);
        tree.blocks.resize(blocks, Block::below(NONE));
        tree.below.resize(blocks, [NONE; WIDTH]);
        (0..buckets).rev().for_each(|bucket| tree.give_back_bucket(node(bucket)));
        (tree.crown..blocks).rev().for_each(|block| tree.give_back_block(node(block)));
        tree
    }

    /// When the timer at a place expires.
    #[inline]
    pub(super) fn expiry(&self, place: u32) -> Instant {
        let (bucket, offset) = split(place);
        self.buckets[bucket].get(offset)
    }

    /// The level that a place is in.
    #[inline]
    pub(super) fn level_of(&self, place: u32) -> u32 {
        self.buckets[split(place).0].level
    }

    /// Changes when a timer, which stands at a place, expires; when it did before.
    #[inline]
    pub(super) fn set(&mut self, place: u32, timer: u32, at: Instant) -> Instant {
        let (bucket, offset) = split(place);
        let (before, is_behind) = self.buckets[bucket].set(offset, at);
        // Most often another timer of the bucket is earlier, and nothing else need be looked at.
        if is_behind {
            return before;
        }
        let above = self.buckets[bucket].above;
        let first = if at < before {
            self.entry(above).min(Entry::new(at, timer, place))
        } else {
            self.first_in(bucket)
        };
        self.buckets[bucket].least = first.at();
        self.tell(above, first);
        before
    }

    /// The entry at a place of a block.
    #[inline]
    pub(super) fn entry(&self, place: u32) -> Entry {
        let (block, offset) = split(place);
        self.blocks[block].get(offset)
    }

    /// The earliest timer in a bucket.
    #[inline]
    pub(super) fn first_in(&self, bucket: usize) -> Entry {
        self.buckets[bucket].first(&self.timers[bucket], start(node(bucket)))
    }

    /// Puts an entry at a place of a block, and tells what is above.
    #[inline]
    pub(super) fn tell(&mut self, mut place: u32, mut entry: Entry) {
        // There is no block of which "no place" is a place.
        while let Some(block) = self.blocks.get_mut(split(place).0) {
            let Some(first) = block.set(split(place).1, entry) else { return };
            (place, entry) = (block.above, first);
        }
    }

    /// The earliest timer of all.
    #[inline]
    pub(super) fn first(&self) -> Entry {
        self.blocks[self.crown - 1].first()
    }

    /// The earliest timer of the levels from a place of the crown on.
    #[inline]
    pub(super) fn from(&self, mut place: u32) -> Entry {
        let mut first = Entry::NOTHING;
        if let Some(block) = self.blocks.get(split(place).0) {
            first = block.get(split(place).1);
        }
        while let Some(block) = self.blocks.get(split(place).0) {
            first = first.min(block.after(split(place).1));
            place = block.above;
        }
        first
    }

    /// A bucket that was free.
    pub(super) fn take_bucket(&mut self, level: u32) -> u32 {
        let taken = self.free_bucket;
        let bucket = &mut self.buckets[taken as usize];
        (self.free_bucket, bucket.level) = (bucket.above, level);
        taken
    }

    /// Frees a bucket without timers.
    pub(super) fn give_back_bucket(&mut self, bucket: u32) {
        self.buckets[bucket as usize] = Bucket::empty(self.free_bucket, NONE);
        self.free_bucket = bucket;
    }

    /// A block that was free, below a place.
    pub(super) fn take_block(&mut self, above: u32) -> u32 {
        let taken = self.free_block;
        self.free_block = core::mem::replace(&mut self.blocks[taken as usize].above, above);
        taken
    }

    /// Frees a block.
    pub(super) fn give_back_block(&mut self, block: u32) {
        self.blocks[block as usize] = Block::below(self.free_block);
        self.below[block as usize] = [NONE; WIDTH];
        self.free_block = block;
    }
}

/// The place that comes so many in the blocks of the crown.
#[inline]
pub(super) fn in_crown(place: usize) -> u32 {
    start(node(place / WIDTH)) + node(place % WIDTH)
}

/// The number of a node.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "there are fewer")]
fn node(index: usize) -> u32 {
    index as u32
}

/// The blocks over that many levels, of which none has a timer; the topmost last.
fn crown(levels: usize) -> Vec<Block> {
    let (mut blocks, mut width) = (Vec::new(), levels);
    loop {
        width = width.div_ceil(WIDTH);
        let next_tier = blocks.len() + width;
        let above = |index: usize| {
            if width == 1 { NONE } else { in_crown(next_tier * WIDTH + index) }
        };
        blocks.extend((0..width).map(|index| Block::below(above(index))));
        if width == 1 {
            return blocks;
        }
    }
}
