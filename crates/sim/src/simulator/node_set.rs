//! The nodes that are still to be settled.

/// A set of nodes from which the last is taken first, so that servers come before their parents.
///
/// A bit per node in words, and a bit per word that is not empty: ten thousand nodes have three
/// words of those.
#[derive(Clone, Debug)]
pub(super) struct NodeSet {
    words: Vec<u64>,
    /// Which words are not empty.
    filled: Vec<u64>,
    /// The first node that is ever settled.
    least: usize,
}

impl NodeSet {
    /// Nodes from `least` on, below `nodes`.
    pub(super) fn new(least: usize, nodes: usize) -> Self {
        let words = nodes.div_ceil(64);
        Self { words: vec![0; words], filled: vec![0; words.div_ceil(64)], least }
    }

    #[inline]
    pub(super) fn insert(&mut self, node: usize) {
        if node < self.least {
            return;
        }
        let word = node / 64;
        self.words[word] |= 1 << (node % 64);
        self.filled[word / 64] |= 1 << (word % 64);
    }

    #[inline]
    pub(super) fn take_last(&mut self) -> Option<usize> {
        let place = self.filled.iter().rposition(|filled| *filled != 0)?;
        let word = 64 * place + self.filled[place].ilog2() as usize;
        let bit = self.words[word].ilog2() as usize;
        self.words[word] &= !(1 << bit);
        if self.words[word] == 0 {
            self.filled[place] &= !(1 << (word % 64));
        }
        Some(64 * word + bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_is_taken_first_and_each_once() {
        for nodes in [1, 64, 65, 10_000] {
            let mut set = NodeSet::new(0, nodes);
            let some: Vec<usize> = (0..nodes).filter(|node| node * node % 7 < 2).collect();
            for &node in some.iter().chain(&some) {
                set.insert(node);
            }
            let taken: Vec<usize> = core::iter::from_fn(|| set.take_last()).collect();
            assert!(taken.iter().rev().eq(&some), "{nodes}");
        }
        let mut set = NodeSet::new(1, 2);
        (0..2).for_each(|node| set.insert(node));
        assert_eq!((set.take_last(), set.take_last()), (Some(1), None));
    }
}
