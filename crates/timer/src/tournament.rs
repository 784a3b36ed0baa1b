//! The least of a fixed number of values that change: a tree of minima, eight to a node.
//!
//! ```text
//!  tier 2                [a  .  .  .  .  .  .  .]              first = a
//!  tier 1         [a  c  .  .  .  .  .  .]
//!  tier 0  [b  .  .  a  .  .  .  .] [.  c  .  .  .  .  .  .]   place of a: 3
//! ```
//!
//! The value of a place never moves, so whoever owns the place needs no pointer to find it, and
//! every step up is one node of neighbours in memory. A change goes up only as far as it changes
//! a minimum.
//!
//! **Cost**, with n places: `set`, `first` with its place, `first_from`: at most eight values on
//! each of log₈ n tiers. Memory: 8/7 n values.

use alloc::vec::Vec;

/// Values of a node: eight instants fill a cache line.
pub(crate) const FAN_OUT: usize = 8;

/// A value that stands in a tree of minima.
pub(crate) trait Value: Copy + Ord {
    /// Of a place that holds nothing: greater than all others.
    const NOTHING: Self;
}

impl Value for vorrang_time::Instant {
    const NOTHING: Self = Self::NEVER;
}

/// The least of the values of a node, in pairs so that comparisons need not wait for each other.
#[inline]
pub(crate) fn least<V: Value>(values: &[V; FAN_OUT]) -> V {
    let pairs: [V; 4] = core::array::from_fn(|index| values[index].min(values[index + 4]));
    pairs[0].min(pairs[2]).min(pairs[1].min(pairs[3]))
}

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Node<V>([V; FAN_OUT]);

impl<V: Value> Node<V> {
    #[inline]
    fn least(&self) -> V {
        least(&self.0)
    }
}

/// The places `0..capacity`, each with a value.
#[derive(Clone, Debug)]
pub(crate) struct Tournament<V> {
    nodes: Vec<Node<V>>,
    /// Where the nodes of each tier start, the places first; the last has one node.
    tiers: Vec<usize>,
}

impl<V: Value> Tournament<V> {
    /// `capacity` places that hold nothing.
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
        Self { nodes: alloc::vec![Node([V::NOTHING; FAN_OUT]); nodes], tiers }
    }

    /// The value of a place.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> V {
        self.nodes[place / FAN_OUT].0[place % FAN_OUT]
    }

    /// Changes the value of a place.
    #[inline]
    pub(crate) fn set(&mut self, mut place: usize, mut value: V) {
        let mut tiers = self.tiers.iter().copied();
        let mut tier = tiers.next();
        while let Some(start) = tier {
            let node = &mut self.nodes[start + place / FAN_OUT];
            let old = core::mem::replace(&mut node.0[place % FAN_OUT], value);
            if old == value {
                return;
            }
            let least = node.least();
            // What is above knows the least of this node; it stays if the change is not below it
            // and did not raise it.
            if least != value && old > least {
                return;
            }
            value = least;
            place /= FAN_OUT;
            tier = tiers.next();
        }
    }

    /// The least value.
    #[inline]
    pub(crate) fn first(&self) -> V {
        self.nodes[self.nodes.len() - 1].least()
    }

    /// The first place that holds the least value.
    #[inline]
    pub(crate) fn first_place(&self) -> usize {
        let first = self.first();
        self.tiers.iter().rev().fold(0, |place, start| {
            let values = &self.nodes[start + place].0;
            let below = values.iter().position(|value| *value == first);
            place * FAN_OUT + below.expect("a least value stands below itself")
        })
    }

    /// The least value of the places from `place` on.
    #[inline]
    pub(crate) fn first_from(&self, mut place: usize) -> V {
        let mut least = V::NOTHING;
        let ends = self.tiers[1..].iter().copied().chain([self.nodes.len()]);
        for (start, end) in self.tiers.iter().zip(ends) {
            let node = start + place / FAN_OUT;
            if node >= end {
                break;
            }
            let behind = &self.nodes[node].0[place % FAN_OUT..];
            least = behind.iter().fold(least, |least, value| least.min(*value));
            // On the tier above: the nodes behind this one.
            place = place / FAN_OUT + 1;
        }
        least
    }

    /// Whether every value above the places is the least of its node.
    pub(crate) fn is_tournament(&self) -> bool {
        self.tiers.windows(2).all(|tiers| {
            let below = self.nodes[tiers[0]..tiers[1]].iter().map(Node::least);
            let above = self.nodes[tiers[1]..].iter().flat_map(|node| node.0);
            below.zip(above).all(|(below, above)| below == above)
        })
    }
}
