//! The nodes that are still to be settled.

/// A set of nodes from which the last is taken first, so that servers come before their parents.
#[derive(Clone, Debug)]
pub(super) struct NodeSet {
    words: Vec<u64>,
}

impl NodeSet {
    #[inline]
    pub(super) fn new(nodes: usize) -> Self {
        Self { words: vec![0; nodes.div_ceil(64)] }
    }

    #[inline]
    pub(super) fn insert(&mut self, node: usize) {
        self.words[node / 64] |= 1 << (node % 64);
    }

    #[inline]
    pub(super) fn take_last(&mut self) -> Option<usize> {
        for (index, word) in self.words.iter_mut().enumerate().rev() {
            if *word != 0 {
                let bit = word.ilog2() as usize;
                *word &= !(1 << bit);
                return Some(64 * index + bit);
            }
        }
        None
    }
}
