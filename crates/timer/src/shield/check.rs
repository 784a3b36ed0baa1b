//! The invariant of the tree.

use super::block::{Block, WIDTH};
use super::bucket::{ROOM, Timers};
use super::entry::Entry;
use super::level::Level;
use super::tree::{NONE, PLACES, Tree, start};
use crate::queue::{Violation, require};
use vorrang_time::Instant;

/// Told of each timer and its place.
type Visit<'a> = &'a mut dyn FnMut(u32, u32) -> Result<(), Violation>;

/// How many buckets and blocks something takes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Nodes(usize, usize);

impl core::ops::AddAssign for Nodes {
    fn add_assign(&mut self, other: Self) {
        (self.0, self.1) = (self.0 + other.0, self.1 + other.1);
    }
}

impl Tree {
    /// Checks all but the levels, which take some nodes: that no other is used.
    pub(super) fn check(&self, levels: Nodes) -> Result<(), Violation> {
        let minima = self.blocks.iter().all(Block::is_tournament);
        require(minima, "an inner entry is not the earlier of two")?;
        let mut nodes = levels;
        nodes += self.free()?;
        let blocks = self.blocks.len() - self.crown;
        require(nodes == Nodes(self.buckets.len(), blocks), "a node is lost")?;
        let mut crown = (0..).zip(&self.blocks[..self.crown]);
        crown.try_for_each(|(index, block)| {
            let is_top = index == self.crown - 1 && block.above == NONE;
            let is_told = is_top || self.entry(block.above) == block.first();
            require(is_told, "the crown does not know the earliest of a block")
        })
    }

    /// The free nodes, which are empty.
    fn free(&self) -> Result<Nodes, Violation> {
        let mut free = Nodes::default();
        let mut bucket = self.free_bucket;
        while let Some(next) = self.buckets.get(bucket as usize) {
            let empty = self.timers[bucket as usize] == Timers::EMPTY
                && next.least == Instant::NEVER
                && (0..ROOM as usize).all(|offset| next.get(offset) == Instant::NEVER);
            require(empty, "a free bucket is not empty")?;
            (free, bucket) = (Nodes(free.0 + 1, free.1), next.above);
        }
        let mut block = self.free_block;
        while let Some(next) = self.blocks.get(block as usize) {
            let empty = self.below[block as usize] == [NONE; WIDTH];
            require(empty && next.first() == Entry::NOTHING, "a free block is not empty")?;
            (free, block) = (Nodes(free.0, free.1 + 1), next.above);
        }
        Ok(free)
    }

    /// Checks a level that stands at a place of the crown, and tells `visit` of its timers; the
    /// nodes that it takes.
    ///
    /// # Errors
    /// The first violated clause.
    pub(super) fn check_level(
        &self,
        level: &Level,
        (id, above): (u32, u32),
        visit: Visit<'_>,
    ) -> Result<Nodes, Violation> {
        require(
            self.entry(above) == self.first_of(level),
            "the crown does not know the earliest of a level",
        )?;
        let Level { root, tiers, buckets, last, in_last, .. } = *level;
        if level.is_empty() {
            let is_empty = (root, tiers, in_last) == (NONE, 0, ROOM);
            require(is_empty, "an empty level has a node")?;
            return Ok(Nodes::default());
        }
        let fewer = tiers.checked_sub(1).map_or(0, Level::room);
        let fits = fewer < u64::from(buckets) && u64::from(buckets) <= Level::room(tiers);
        require(fits, "a level is higher or lower than its buckets need")?;
        require((1..=ROOM).contains(&in_last), "the last bucket has no timer")?;
        let mut order = Order { id, left: buckets, in_last, reached: NONE };
        let nodes = self.check_below(root, tiers, above, &mut order, visit)?;
        require(order.reached == last, "another bucket is the last one")?;
        require(order.left == 0, "a bucket is missing").map(|()| nodes)
    }

    /// Checks what stands at a place, with that many tiers of blocks.
    fn check_below(
        &self,
        node: u32,
        tiers: u32,
        above: u32,
        order: &mut Order,
        visit: Visit<'_>,
    ) -> Result<Nodes, Violation> {
        let of_block = || Some(self.blocks.get(node as usize)?.above);
        let of_bucket = || Some(self.buckets.get(node as usize)?.above);
        let points = if tiers == 0 { of_bucket() } else { of_block() };
        require(points == Some(above), "a node points elsewhere")?;
        if tiers == 0 {
            return self.check_bucket(node, order, visit);
        }
        let mut nodes = Nodes(0, 1);
        for place in (0..).take(WIDTH).map(|offset| start(node) + offset) {
            let below = self.child(place);
            let entry = self.entry(place);
            if order.left == 0 {
                let nothing = below == NONE && entry == Entry::NOTHING;
                require(nothing, "something stands behind the last timer")?;
                continue;
            }
            nodes += self.check_below(below, tiers - 1, place, order, visit)?;
            let first = if tiers == 1 {
                self.first_in(below as usize)
            } else {
                self.blocks[below as usize].first()
            };
            require(entry == first, "an entry is not the earliest of what is below it")?;
        }
        Ok(nodes)
    }

    fn check_bucket(
        &self,
        bucket: u32,
        order: &mut Order,
        visit: Visit<'_>,
    ) -> Result<Nodes, Violation> {
        (order.left, order.reached) = (order.left - 1, bucket);
        let is_told = self.buckets[bucket as usize].level == order.id;
        require(is_told, "a bucket is of another level")?;
        let least = self.buckets[bucket as usize].least;
        require(least == self.first_in(bucket as usize).at(), "a bucket has an earlier timer")?;
        let filled = if order.left == 0 { order.in_last } else { ROOM };
        for offset in 0..PLACES {
            let timer = self.timers[bucket as usize].get(offset as usize);
            if offset < filled {
                visit(timer.unwrap_or(NONE), start(bucket) + offset)?;
                continue;
            }
            let never = offset >= ROOM || self.expiry(start(bucket) + offset) == Instant::NEVER;
            require(timer.is_none() && never, "a timer stands behind the last one")?;
        }
        Ok(Nodes(1, 0))
    }
}

/// The buckets of a level in their order.
struct Order {
    id: u32,
    left: u32,
    in_last: u32,
    /// The one that was come to last.
    reached: u32,
}
