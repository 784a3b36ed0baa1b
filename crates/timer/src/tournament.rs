//! The first of a fixed number of instants that change: a tree of minima, eight to a node.
//!
//! ```text
//!  tier 2                [a  .  .  .  .  .  .  .]              first = a
//!  tier 1         [a  c  .  .  .  .  .  .]
//!  tier 0  [b  .  .  a  .  .  .  .] [.  c  .  .  .  .  .  .]   place of a: 3
//! ```
//!
//! The instant of a place never moves, so the owner of a place needs no pointer to find it, and
//! every step up is one node of neighbours in memory. A change goes up only as far as it changes
//! a minimum.
//!
//! **Cost**, with n places: `set`, `first_place`: at most eight instants on each of log₈ n tiers;
//! `first`: constant. Memory: 8/7 n instants.

use alloc::vec::Vec;
use core::hint::select_unpredictable;
use vorrang_time::Instant;

/// Instants of a node: eight fill a cache line.
pub(crate) const FAN_OUT: usize = 8;

/// Eight instants next to each other.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Node(pub(crate) [Instant; FAN_OUT]);

impl Node {
    /// Of which every place holds "never".
    pub(crate) const EMPTY: Self = Self([Instant::NEVER; FAN_OUT]);

    /// The first; in pairs, so that comparisons need not wait for each other.
    #[inline]
    pub(crate) fn least(&self) -> Instant {
        let pairs: [Instant; 4] =
            core::array::from_fn(|index| self.0[index].min(self.0[index + 4]));
        pairs[0].min(pairs[2]).min(pairs[1].min(pairs[3]))
    }

    /// The first besides one.
    #[inline]
    pub(crate) fn rival(&self, offset: usize) -> Instant {
        let others = |index| select_unpredictable(index == offset, Instant::NEVER, self.0[index]);
        Self(core::array::from_fn(others)).least()
    }
}

/// The places `0..capacity`, each with an instant.
#[derive(Clone, Debug)]
pub(crate) struct Tournament {
    nodes: Vec<Node>,
    /// Where the nodes of each tier start, the places first; the last has one node.
    tiers: Vec<usize>,
    /// The first of all.
    first: Instant,
}

impl Tournament {
    /// `capacity` places that hold "never".
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        let (mut tiers, mut nodes, mut width) = (Vec::new(), 0, capacity.max(1));
        loop {
            width = width.div_ceil(FAN_OUT);
            tiers.push(nodes);
            nodes += width;
            if width == 1 {
                break;
            }
        }
        Self { nodes: alloc::vec![Node::EMPTY; nodes], tiers, first: Instant::NEVER }
    }

    /// The instant of a place.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> Instant {
        self.nodes[place / FAN_OUT].0[place % FAN_OUT]
    }

    /// Changes the instant of a place.
    #[inline]
    pub(crate) fn set(&mut self, mut place: usize, mut at: Instant) {
        for start in &self.tiers {
            let node = &mut self.nodes[start + place / FAN_OUT];
            // What the others are depends on nothing below, so that the tiers are read at once.
            let rival = node.rival(place % FAN_OUT);
            let old = core::mem::replace(&mut node.0[place % FAN_OUT], at);
            let (before, after) = (old.min(rival), at.min(rival));
            if before == after {
                return;
            }
            (place, at) = (place / FAN_OUT, after);
        }
        self.first = at;
    }

    /// The first instant.
    #[inline]
    pub(crate) fn first(&self) -> Instant {
        self.first
    }

    /// The first place that holds it.
    #[inline]
    pub(crate) fn first_place(&self) -> usize {
        let first = self.first();
        self.tiers.iter().rev().fold(0, |place, start| {
            // All eight are looked at, so that nothing depends on where it is found.
            let values = self.nodes[start + place].0.iter().rev();
            let below = values.fold(0_u32, |below, value| below << 1 | u32::from(*value == first));
            place * FAN_OUT + below.trailing_zeros() as usize
        })
    }

    /// Whether everything above the places is the first of its node.
    pub(crate) fn is_tournament(&self) -> bool {
        self.tiers.windows(2).all(|tiers| {
            let below = self.nodes[tiers[0]..tiers[1]].iter().map(Node::least);
            let above = self.nodes[tiers[1]..].iter().flat_map(|node| node.0);
            below.zip(above).all(|(below, above)| below == above)
        }) && self.nodes.last().is_some_and(|root| root.least() == self.first)
    }
}
