//! The timers of all levels: one growing array per level, out of one pool of nodes.
//!
//! ```text
//!  level:  root ─▶ [ (at, timer) … ]        each entry is the earliest of the node below it
//!                    │      │
//!                    ▼      ▼
//!                  [ t t t t t t t t ] [ t t . . . . . . ]   timers, in the order of joining
//!                                          ▲ the last: joins and leaves here
//! ```
//!
//! A level with m timers is a tree of minima, eight to a node, in which every node is full but
//! the last one of each tier. A timer joins at the end; when one leaves, the last takes its
//! place. So nothing is ever sorted, split or balanced, and as long as a timer stays in its level
//! it stays where it is, pending or not: arming, cancelling and expiring change one entry and
//! what is above it, only as far as it changes a minimum.
//!
//! **Invariant.** `check`.
//!
//! **Cost**, with m timers in the level: `set`: at most eight entries on each of log₈ m tiers;
//! `join`, `leave`: three times that, and one step per tier down. Memory: 160 bytes for each
//! node, and a node is full but for one per tier of each level.

use crate::queue::{Violation, require};
use crate::tournament::{FAN_OUT, Value, least};
use alloc::vec::Vec;
use vorrang_time::Instant;

/// No node, no timer, no place.
pub(super) const NONE: u32 = u32::MAX;

/// Entries of a node, as a difference of places.
const WIDTH: u32 = 8;
const _: () = assert!(WIDTH as usize == FAN_OUT);

/// A timer and when it expires; the earlier one first, at one instant the one of the lower slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) at: Instant,
    pub(super) timer: u32,
}

impl Value for Entry {
    const NOTHING: Self = Self { at: Instant::NEVER, timer: NONE };
}

/// Eight entries, and where the earliest of them stands above.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Node {
    at: [Instant; FAN_OUT],
    timer: [u32; FAN_OUT],
    /// The place in the node above; of a root [`NONE`]; of a free node, the next free one.
    above: u32,
}

impl Node {
    const EMPTY: Self = Self { at: [Instant::NEVER; FAN_OUT], timer: [NONE; FAN_OUT], above: NONE };

    #[inline]
    fn least(&self) -> Entry {
        let at = least(&self.at);
        let timers = self.at.iter().zip(self.timer);
        let timer = timers.fold(
            NONE,
            |least, (other, timer)| {
                if *other == at { least.min(timer) } else { least }
            },
        );
        Entry { at, timer }
    }

    #[inline]
    fn entry(&self, offset: usize) -> Entry {
        Entry { at: self.at[offset], timer: self.timer[offset] }
    }

    #[inline]
    fn set(&mut self, offset: usize, entry: Entry) {
        (self.at[offset], self.timer[offset]) = (entry.at, entry.timer);
    }
}

/// The timers of one level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    root: u32,
    tiers: u32,
    members: u32,
}

impl Level {
    pub(super) const EMPTY: Self = Self { root: NONE, tiers: 0, members: 0 };

    pub(super) fn is_empty(&self) -> bool {
        self.members == 0
    }

    pub(super) fn members(&self) -> u32 {
        self.members
    }

    /// How many timers that many tiers hold.
    fn room(tiers: u32) -> u64 {
        1 << (3 * tiers)
    }
}

/// The nodes of all levels.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    nodes: Vec<Node>,
    /// The nodes below, by node; nothing below the entries that are timers.
    below: Vec<[u32; FAN_OUT]>,
    free: u32,
}

/// The node of a place and its offset there.
#[inline]
fn split(place: u32) -> (usize, usize) {
    ((place / WIDTH) as usize, (place % WIDTH) as usize)
}

impl Pool {
    /// Nodes enough for `timers` in any division among `levels`.
    pub(super) fn with_capacity(timers: u32, levels: u32) -> Self {
        // On each tier: the full nodes, and one that is not for each level that reaches it, for
        // which it has more timers than the tiers below hold.
        let (mut nodes, mut room) = (0, 1_u64);
        while room < u64::from(timers).max(2) {
            let reaching = u64::from(timers) / room;
            room *= FAN_OUT as u64;
            nodes += u64::from(timers) / room + reaching.min(u64::from(levels));
        }
        let last = u32::try_from(nodes).ok().filter(|nodes| *nodes < NONE / WIDTH);
        let nodes = last.expect("at most 2^31 timers");
        let mut pool = Self {
            nodes: alloc::vec![Node::EMPTY; nodes as usize],
            below: alloc::vec![[NONE; FAN_OUT]; nodes as usize],
            free: NONE,
        };
        (0..nodes).rev().for_each(|node| pool.give_back(node));
        pool
    }

    /// The entry at a place.
    #[inline]
    pub(super) fn entry(&self, place: u32) -> Entry {
        let (node, offset) = split(place);
        self.nodes[node].entry(offset)
    }

    /// The earliest entry of a level.
    pub(super) fn first(&self, level: &Level) -> Entry {
        self.nodes.get(level.root as usize).map_or(Entry::NOTHING, Node::least)
    }

    /// Changes the entry at a place; the earliest of its level, unless that is the same as before.
    #[inline]
    pub(super) fn set(&mut self, mut place: u32, mut entry: Entry) -> Option<Entry> {
        loop {
            let (node, offset) = split(place);
            let node = &mut self.nodes[node];
            let old = node.entry(offset);
            if old == entry {
                return None;
            }
            node.set(offset, entry);
            let least = node.least();
            // Neither is the change the earliest of the node, nor was what it replaces.
            if least != entry && least < old {
                return None;
            }
            if node.above == NONE {
                return Some(least);
            }
            (place, entry) = (node.above, least);
        }
    }

    /// Puts a timer at the end of a level; its place.
    pub(super) fn join(&mut self, level: &mut Level, entry: Entry) -> u32 {
        if u64::from(level.members) == Level::room(level.tiers) || level.is_empty() {
            self.raise(level);
        }
        let mut node = level.root;
        for tier in (1..level.tiers).rev() {
            let offset = (level.members >> (3 * tier)) % WIDTH;
            let below = self.below[node as usize][offset as usize];
            node = if below == NONE { self.take(node, offset) } else { below };
        }
        let place = node * WIDTH + level.members % WIDTH;
        level.members += 1;
        self.set(place, entry);
        place
    }

    /// Takes out the timer at a place of a level; the timer that stands there instead, if any.
    pub(super) fn leave(&mut self, level: &mut Level, place: u32) -> Option<u32> {
        let last = self.last(level);
        let moved = self.entry(last);
        self.set(last, Entry::NOTHING);
        level.members -= 1;
        if place != last {
            self.set(place, moved);
        }
        if last.is_multiple_of(WIDTH) {
            self.prune(level, last);
        }
        (place != last).then_some(moved.timer)
    }

    /// The place of the timer that joined last.
    fn last(&self, level: &Level) -> u32 {
        let last = level.members - 1;
        let node = (1..level.tiers).rev().fold(level.root, |node, tier| {
            self.below[node as usize][((last >> (3 * tier)) % WIDTH) as usize]
        });
        node * WIDTH + last % WIDTH
    }

    /// A new root above the old one.
    fn raise(&mut self, level: &mut Level) {
        let first = self.first(level);
        let old = core::mem::replace(&mut level.root, self.take_root());
        level.tiers += 1;
        if old != NONE {
            let root = level.root as usize;
            self.nodes[root].set(0, first);
            self.below[root][0] = old;
            self.nodes[old as usize].above = level.root * WIDTH;
        }
    }

    /// Gives back the nodes that stand empty since the last timer left `place`, and the root if
    /// one below it holds all.
    fn prune(&mut self, level: &mut Level, mut place: u32) {
        while place != NONE && place.is_multiple_of(WIDTH) {
            let node = place / WIDTH;
            place = self.nodes[node as usize].above;
            if place == NONE {
                *level = Level::EMPTY;
            } else {
                let (above, offset) = split(place);
                self.below[above][offset] = NONE;
            }
            self.give_back(node);
        }
        while level.tiers > 1 && u64::from(level.members) <= Level::room(level.tiers - 1) {
            let root = self.below[level.root as usize][0];
            self.give_back(level.root);
            self.nodes[root as usize].above = NONE;
            (level.root, level.tiers) = (root, level.tiers - 1);
        }
    }

    fn take_root(&mut self) -> u32 {
        let node = self.free;
        let taken = &mut self.nodes[node as usize];
        self.free = core::mem::replace(&mut taken.above, NONE);
        node
    }

    fn take(&mut self, above: u32, offset: u32) -> u32 {
        let node = self.take_root();
        self.nodes[node as usize].above = above * WIDTH + offset;
        self.below[above as usize][offset as usize] = node;
        node
    }

    fn give_back(&mut self, node: u32) {
        self.nodes[node as usize] = Node { above: self.free, ..Node::EMPTY };
        self.below[node as usize] = [NONE; FAN_OUT];
        self.free = node;
    }

    /// How many nodes there are.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// How many nodes are free.
    pub(super) fn free(&self) -> usize {
        let node = |node: u32| Some(node).filter(|node| *node != NONE);
        let next = |free: &u32| node(self.nodes[*free as usize].above);
        core::iter::successors(node(self.free), next).count()
    }

    /// The timers of a level with their places, told to `visit`; how many nodes they take.
    ///
    /// # Errors
    /// The first violated clause.
    pub(super) fn check(
        &self,
        level: &Level,
        visit: &mut dyn FnMut(u32, u32) -> Result<(), Violation>,
    ) -> Result<usize, Violation> {
        if level.is_empty() {
            require(level.root == NONE && level.tiers == 0, "an empty level has a node")?;
            return Ok(0);
        }
        require(self.nodes[level.root as usize].above == NONE, "there is something above a root")?;
        let (lower, upper) = (Level::room(level.tiers - 1), Level::room(level.tiers));
        let members = u64::from(level.members);
        require(members <= upper, "a level has more timers than its tiers hold")?;
        require(level.tiers == 1 || members > lower, "a level has a tier too many")?;
        self.check_below(level.root, level.tiers, level.members, visit)
    }

    fn check_below(
        &self,
        node: u32,
        tiers: u32,
        mut members: u32,
        visit: &mut dyn FnMut(u32, u32) -> Result<(), Violation>,
    ) -> Result<usize, Violation> {
        let mut nodes = 1;
        let room = u32::try_from(Level::room(tiers - 1)).unwrap_or(u32::MAX);
        for offset in 0..WIDTH {
            let entry = self.nodes[node as usize].entry(offset as usize);
            let below = self.below[node as usize][offset as usize];
            let within = members.min(room);
            members -= within;
            let place = node * WIDTH + offset;
            if within == 0 {
                require(entry == Entry::NOTHING, "something stands behind the last timer")?;
                require(below == NONE, "a node stands behind the last timer")?;
            } else if tiers == 1 {
                require(below == NONE, "there is a node below a timer")?;
                visit(entry.timer, place)?;
            } else {
                let least = self.nodes[below as usize].least();
                require(entry == least, "an entry is not the earliest of the node below it")?;
                require(self.nodes[below as usize].above == place, "a node points elsewhere")?;
                nodes += self.check_below(below, tiers - 1, within, visit)?;
            }
        }
        Ok(nodes)
    }
}
