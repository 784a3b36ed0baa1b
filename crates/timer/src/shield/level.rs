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
//! **Invariant.** Every entry above the timers is the earliest of the node below it; the timers of
//! a level fill its places from the first on; every node is in one level or free.
//!
//! **Cost**, with m timers in the level: `set`: at most eight entries on each of log₈ m tiers;
//! `join`, `leave`: that once and twice, and one step on each tier down. Memory: 160 bytes for
//! each node.

use super::entry::{Entries, Entry};
use crate::queue::{Violation, require};
use crate::tournament::FAN_OUT;
use alloc::vec::Vec;
use vorrang_time::Instant;

/// No node, no timer, no place.
pub(super) const NONE: u32 = u32::MAX;

/// Entries of a node, as a difference of places.
const WIDTH: u32 = 8;
/// What is above a root is this and the number of its level; above a free node, the next one.
const ROOT: u32 = 1 << 31;
const _: () = assert!(WIDTH as usize == FAN_OUT);

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
    nodes: Vec<Entries>,
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
        let last = u32::try_from(nodes).ok().filter(|nodes| *nodes <= ROOT / WIDTH);
        let nodes = last.expect("at most 2^30 timers");
        let mut pool = Self {
            nodes: alloc::vec![Entries::EMPTY; nodes as usize],
            below: alloc::vec![[NONE; FAN_OUT]; nodes as usize],
            free: NONE,
        };
        for node in (0..nodes).rev() {
            pool.give_back(node);
        }
        pool
    }

    /// When the timer at a place expires.
    #[inline]
    pub(super) fn expiry(&self, place: u32) -> Instant {
        let (node, offset) = split(place);
        self.nodes[node].expiries.0[offset]
    }

    /// The earliest entry of a level.
    pub(super) fn first(&self, level: &Level) -> Entry {
        self.nodes.get(level.root as usize).map_or(Entry::NOTHING, Entries::first)
    }

    fn entry(&self, place: u32) -> Entry {
        let (node, offset) = split(place);
        self.nodes[node].get(offset)
    }

    /// Changes when the timer at a place expires; the number of its level and the earliest entry
    /// there, unless that is the same as before.
    #[inline]
    pub(super) fn set(&mut self, place: u32, at: Instant) -> Option<(u32, Entry)> {
        let (node, offset) = split(place);
        let entries = &mut self.nodes[node];
        let rival = entries.expiries.rival(offset);
        let old = core::mem::replace(&mut entries.expiries.0[offset], at);
        // Most often something else in the node is earlier, and nothing else need be looked at.
        if rival < old.min(at) {
            return None;
        }
        let timer = entries.timers[offset];
        let (old, new) = (Entry::new(old, timer), Entry::new(at, timer));
        let first = entries.change(offset, rival, old, new)?;
        self.set_above(node, first)
    }

    /// Puts another entry at a place; the earliest of its node, unless it is the same as before.
    #[inline]
    fn put(&mut self, place: u32, new: Entry) -> Option<Entry> {
        let (node, offset) = split(place);
        let entries = &mut self.nodes[node];
        let rival = entries.expiries.rival(offset);
        let old = entries.get(offset);
        entries.set(offset, new);
        entries.change(offset, rival, old, new)
    }

    /// Tells what is above a node of its earliest entry, which has changed.
    #[inline]
    fn set_above(&mut self, mut node: usize, mut first: Entry) -> Option<(u32, Entry)> {
        loop {
            let above = self.nodes[node].above;
            if above & ROOT != 0 {
                return Some((above & !ROOT, first));
            }
            first = self.put(above, first)?;
            node = split(above).0;
        }
    }

    /// Puts another entry at a place; the earliest of its level, unless that is the same as before.
    #[inline]
    fn replace(&mut self, place: u32, entry: Entry) -> Option<Entry> {
        let first = self.put(place, entry)?;
        self.set_above(split(place).0, first).map(|(_, first)| first)
    }

    /// The number of the level that a place is in.
    pub(super) fn level_of(&self, place: u32) -> usize {
        let mut above = place;
        while above & ROOT == 0 {
            above = self.nodes[split(above).0].above;
        }
        (above & !ROOT) as usize
    }

    /// Gives a level its number.
    pub(super) fn number(&mut self, level: &Level, number: u32) {
        if !level.is_empty() {
            self.nodes[level.root as usize].above = ROOT | number;
        }
    }

    /// Puts a timer at the end of a level with that number; its place, and the earliest entry of
    /// the level, unless that is the same as before.
    pub(super) fn join(
        &mut self,
        level: &mut Level,
        number: u32,
        entry: Entry,
    ) -> (u32, Option<Entry>) {
        if u64::from(level.members) == Level::room(level.tiers) || level.is_empty() {
            self.raise(level, number);
        }
        let mut node = level.root;
        for tier in (1..level.tiers).rev() {
            let offset = (level.members >> (3 * tier)) % WIDTH;
            let below = self.below[node as usize][offset as usize];
            node = if below == NONE { self.take_below(node, offset) } else { below };
        }
        let place = node * WIDTH + level.members % WIDTH;
        level.members += 1;
        (place, self.replace(place, entry))
    }

    /// Takes out the timer at a place of a level; the timer that stands there instead, if any, and
    /// the earliest entry of the level, unless that is the same as before.
    pub(super) fn leave(&mut self, level: &mut Level, place: u32) -> (Option<u32>, Option<Entry>) {
        let last = self.last(level);
        let moved = self.entry(last);
        let without_last = self.replace(last, Entry::NOTHING);
        level.members -= 1;
        if last.is_multiple_of(WIDTH) {
            self.prune(level, last);
        }
        if place == last {
            return (None, without_last);
        }
        // If the last was the earliest, it is so again here.
        (Some(moved.timer()), self.replace(place, moved))
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
    fn raise(&mut self, level: &mut Level, number: u32) {
        let first = self.first(level);
        let root = self.take(ROOT | number);
        if !level.is_empty() {
            self.nodes[root as usize].set(0, first);
            self.below[root as usize][0] = level.root;
            self.nodes[level.root as usize].above = root * WIDTH;
        }
        (level.root, level.tiers) = (root, level.tiers + 1);
    }

    /// Gives back the nodes that stand empty since the last timer left `place`, and the root if
    /// one below it holds all.
    fn prune(&mut self, level: &mut Level, mut place: u32) {
        while place.is_multiple_of(WIDTH) {
            let node = place / WIDTH;
            place = self.give_back(node);
            if place & ROOT != 0 {
                *level = Level::EMPTY;
                return;
            }
            let (above, offset) = split(place);
            self.below[above][offset] = NONE;
        }
        while level.tiers > 1 && u64::from(level.members) <= Level::room(level.tiers - 1) {
            let old = level.root as usize;
            let root = core::mem::replace(&mut self.below[old][0], NONE);
            self.nodes[old].set(0, Entry::NOTHING);
            self.nodes[root as usize].above = self.give_back(level.root);
            (level.root, level.tiers) = (root, level.tiers - 1);
        }
    }

    /// A node that was free, with that above it.
    fn take(&mut self, above: u32) -> u32 {
        let node = self.free;
        self.free = core::mem::replace(&mut self.nodes[node as usize].above, above);
        node
    }

    /// A node that was free, at a place of another.
    fn take_below(&mut self, above: u32, offset: u32) -> u32 {
        let node = self.take(above * WIDTH + offset);
        self.below[above as usize][offset as usize] = node;
        node
    }

    /// Frees a node that holds nothing; what was above it.
    fn give_back(&mut self, node: u32) -> u32 {
        let next = core::mem::replace(&mut self.free, node);
        core::mem::replace(&mut self.nodes[node as usize].above, next)
    }

    /// How many nodes there are.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// How many nodes are free and hold nothing.
    pub(super) fn free(&self) -> usize {
        let node = |node: u32| Some(node).filter(|node| *node != NONE);
        let next = |free: &u32| node(self.nodes[*free as usize].above);
        let is_empty = |free: &u32| {
            let below = self.below[*free as usize] == [NONE; FAN_OUT];
            below && (0..WIDTH).all(|offset| self.entry(free * WIDTH + offset) == Entry::NOTHING)
        };
        core::iter::successors(node(self.free), next).filter(is_empty).count()
    }

    /// The timers of a level with their places, told to `visit`; how many nodes they take.
    ///
    /// # Errors
    /// The first violated clause.
    pub(super) fn check(
        &self,
        level: &Level,
        number: u32,
        visit: &mut dyn FnMut(u32, u32) -> Result<(), Violation>,
    ) -> Result<usize, Violation> {
        if level.is_empty() {
            require(level.root == NONE && level.tiers == 0, "an empty level has a node")?;
            return Ok(0);
        }
        let above = self.nodes[level.root as usize].above;
        require(above == ROOT | number, "a root has the number of another level")?;
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
            let below = self.below[node as usize][offset as usize];
            let within = members.min(room);
            members -= within;
            let place = node * WIDTH + offset;
            let entry = self.entry(place);
            if within == 0 {
                require(entry == Entry::NOTHING, "something stands behind the last timer")?;
                require(below == NONE, "a node stands behind the last timer")?;
            } else if tiers == 1 {
                require(below == NONE, "there is a node below a timer")?;
                visit(entry.timer(), place)?;
            } else {
                let least = self.nodes[below as usize].first();
                require(entry == least, "an entry is not the earliest of the node below it")?;
                require(self.nodes[below as usize].above == place, "a node points elsewhere")?;
                nodes += self.check_below(below, tiers - 1, within, visit)?;
            }
        }
        Ok(nodes)
    }
}
