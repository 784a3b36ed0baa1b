//! The bar: a red-black tree as timers of Linux use it.
//!
//! Nodes are the timers' slots; the first is at hand; a node is erased where it is, without a
//! search; equal expiries stand in the order of insertion. The algorithms are those of the
//! textbook (Cormen, Leiserson, Rivest, Stein, chapter 13), with a node that stands for nothing.

use crate::exact::{Exact, armed, count};

#[derive(Clone, Copy)]
struct Node {
    at: u64,
    above: u32,
    /// Earlier, later.
    below: [u32; 2],
    is_red: bool,
}

pub(crate) struct RedBlack {
    /// The last one is nothing.
    nodes: Vec<Node>,
    root: u32,
    first: u32,
}

impl RedBlack {
    pub(crate) fn new(expiries: &[u64]) -> Self {
        let nothing = count(expiries);
        let node = Node { at: 0, above: nothing, below: [nothing; 2], is_red: false };
        let nodes = vec![node; expiries.len() + 1];
        armed(Self { nodes, root: nothing, first: nothing }, expiries)
    }

    fn nothing(&self) -> u32 {
        u32::try_from(self.nodes.len() - 1).expect("few")
    }

    fn node(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    fn above(&self, node: u32) -> u32 {
        self.nodes[node as usize].above
    }

    fn below(&self, node: u32, side: usize) -> u32 {
        self.nodes[node as usize].below[side]
    }

    fn is_red(&self, node: u32) -> bool {
        self.nodes[node as usize].is_red
    }

    /// On which side of the node above it stands.
    fn side(&self, node: u32) -> usize {
        usize::from(self.below(self.above(node), 1) == node)
    }

    /// Puts `by` where `node` stands, as seen from above.
    fn replace(&mut self, node: u32, by: u32) {
        let above = self.above(node);
        if above == self.nothing() {
            self.root = by;
        } else {
            let side = self.side(node);
            self.node(above).below[side] = by;
        }
        self.node(by).above = above;
    }

    /// Moves a node down to a side; what stood on the other comes up.
    fn rotate(&mut self, node: u32, side: usize) {
        let up = self.below(node, 1 - side);
        let moved = self.below(up, side);
        self.node(node).below[1 - side] = moved;
        if moved != self.nothing() {
            self.node(moved).above = node;
        }
        self.replace(node, up);
        self.node(up).below[side] = node;
        self.node(node).above = up;
    }

    /// The next node in the order of expiry.
    fn next(&self, mut node: u32) -> u32 {
        if self.below(node, 1) != self.nothing() {
            node = self.below(node, 1);
            while self.below(node, 0) != self.nothing() {
                node = self.below(node, 0);
            }
            return node;
        }
        while self.above(node) != self.nothing() && self.side(node) == 1 {
            node = self.above(node);
        }
        self.above(node)
    }

    fn insert(&mut self, node: u32, at: u64) {
        let nothing = self.nothing();
        let (mut above, mut side, mut is_first) = (nothing, 0, true);
        let mut place = self.root;
        while place != nothing {
            above = place;
            let Node { at: other, below, .. } = self.nodes[place as usize];
            side = usize::from(at >= other);
            is_first &= side == 0;
            place = below[side];
        }
        *self.node(node) = Node { at, above, below: [nothing; 2], is_red: true };
        if above == nothing {
            self.root = node;
        } else {
            self.node(above).below[side] = node;
        }
        if is_first {
            self.first = node;
        }
        self.balance_red(node);
    }

    /// Until no red node stands below a red one.
    fn balance_red(&mut self, mut node: u32) {
        while self.is_red(self.above(node)) {
            let mut above = self.above(node);
            let top = self.above(above);
            let side = self.side(above);
            let other = self.below(top, 1 - side);
            if self.is_red(other) {
                self.node(above).is_red = false;
                self.node(other).is_red = false;
                self.node(top).is_red = true;
                node = top;
                continue;
            }
            if self.side(node) != side {
                node = above;
                self.rotate(node, side);
                above = self.above(node);
            }
            self.node(above).is_red = false;
            self.node(top).is_red = true;
            self.rotate(top, 1 - side);
        }
        let root = self.root;
        self.node(root).is_red = false;
    }

    fn erase(&mut self, node: u32) {
        if node == self.first {
            self.first = self.next(node);
        }
        let nothing = self.nothing();
        let [earlier, later] = self.nodes[node as usize].below;
        let (lost_red, filled);
        if earlier == nothing || later == nothing {
            filled = if earlier == nothing { later } else { earlier };
            lost_red = self.is_red(node);
            self.replace(node, filled);
        } else {
            // The next node comes here, with the colour.
            let next = self.next(node);
            filled = self.below(next, 1);
            lost_red = self.is_red(next);
            if self.above(next) == node {
                self.node(filled).above = next;
            } else {
                self.replace(next, filled);
                self.node(next).below[1] = later;
                self.node(later).above = next;
            }
            self.replace(node, next);
            let is_red = self.is_red(node);
            let taken = self.node(next);
            (taken.below[0], taken.is_red) = (earlier, is_red);
            self.node(earlier).above = next;
        }
        if !lost_red {
            self.balance_black(filled);
        }
    }

    /// Until all ways down have the same number of black nodes, one of which `node` lacks.
    fn balance_black(&mut self, mut node: u32) {
        while node != self.root && !self.is_red(node) {
            let above = self.above(node);
            // `node` may be nothing, which stands on many sides.
            let side = usize::from(self.below(above, 0) != node);
            let mut other = self.below(above, 1 - side);
            if self.is_red(other) {
                self.node(other).is_red = false;
                self.node(above).is_red = true;
                self.rotate(above, side);
                other = self.below(above, 1 - side);
            }
            let [near, far] = [self.below(other, side), self.below(other, 1 - side)];
            if !self.is_red(near) && !self.is_red(far) {
                self.node(other).is_red = true;
                node = above;
                continue;
            }
            if !self.is_red(far) {
                self.node(near).is_red = false;
                self.node(other).is_red = true;
                self.rotate(other, 1 - side);
                other = near;
            }
            let far = self.below(other, 1 - side);
            self.node(other).is_red = self.is_red(above);
            self.node(above).is_red = false;
            self.node(far).is_red = false;
            self.rotate(above, side);
            node = self.root;
        }
        self.node(node).is_red = false;
    }
}

impl Exact for RedBlack {
    fn arm(&mut self, timer: u32, at: u64) {
        self.insert(timer, at);
    }

    fn cancel(&mut self, timer: u32) {
        self.erase(timer);
    }

    fn pop(&mut self) -> (u64, u32) {
        let timer = self.first;
        self.erase(timer);
        (self.nodes[timer as usize].at, timer)
    }

    fn first(&mut self) -> u64 {
        self.nodes[self.first as usize].at
    }
}
