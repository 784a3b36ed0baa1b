//! The time that a thread received, in pieces, and how much of it lies in a window.
//!
//! **Cost.** A window is two binary searches.

/// A stretch of time, from a beginning to an end.
pub type Stretch = (u64, u64);

/// Pieces of time in order, none overlapping another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    all: Vec<Stretch>,
    /// What is received before each piece, and at the end what all are.
    before: Vec<u64>,
}

/// A part of the time received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// How much.
    pub time: u64,
    /// In how many pieces.
    pub pieces: u64,
}

impl Pieces {
    /// These, in any order. Clocks of processors may differ a little; where pieces overlap, the later begins
    /// when the earlier ends.
    pub fn new(mut all: Vec<Stretch>) -> Self {
        all.sort_unstable();
        let mut end = 0;
        for piece in &mut all {
            piece.0 = piece.0.max(end);
            end = end.max(piece.1);
        }
        all.retain(|piece| piece.0 < piece.1);
        let mut before = vec![0];
        let mut sum = 0;
        for (begin, end) in &all {
            sum += end - begin;
            before.push(sum);
        }
        Self { all, before }
    }

    /// In the order of time.
    pub fn all(&self) -> &[Stretch] {
        &self.all
    }

    /// All of it.
    pub fn total(&self) -> u64 {
        self.before.last().copied().unwrap_or_default()
    }

    /// What lies in a window.
    pub fn within(&self, (begin, end): Stretch) -> Amount {
        let first = self.all.partition_point(|piece| piece.1 <= begin);
        let last = self.all.partition_point(|piece| piece.0 < end);
        if first >= last {
            return Amount::default();
        }
        let early = begin.saturating_sub(self.all[first].0);
        let late = self.all[last - 1].1.saturating_sub(end);
        let time = self.before[last] - self.before[first] - early - late;
        Amount { time, pieces: (last - first) as u64 }
    }
}

/// What is left of a stretch without others, which are in the order of their beginnings and may overlap.
pub(crate) fn without((begin, end): Stretch, others: &[Stretch]) -> Vec<Stretch> {
    let mut left = Vec::new();
    let mut from = begin;
    for &(other_begin, other_end) in others {
        if other_begin > from {
            left.push((from, other_begin.min(end)));
        }
        from = from.max(other_end);
    }
    if from < end {
        left.push((from, end));
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_cuts_the_pieces_at_its_ends() {
        let pieces = Pieces::new(vec![(40, 50), (10, 20), (30, 30)]);
        assert_eq!(pieces.total(), 20);
        for (window, time, count) in [
            ((0, 100), 20, 2),
            ((15, 45), 10, 2),
            ((12, 14), 2, 1),
            ((20, 40), 0, 0),
            ((60, 70), 0, 0),
        ] {
            assert_eq!(pieces.within(window), Amount { time, pieces: count }, "{window:?}");
        }
        assert_eq!(Pieces::default().within((0, 9)), Amount::default());
        let overlapping = Pieces::new(vec![(0, 10), (2, 5), (8, 12)]);
        assert_eq!(overlapping.all(), [(0, 10), (10, 12)]);
    }

    #[test]
    fn what_others_take_is_left_out_once() {
        assert_eq!(without((0, 10), &[(2, 5), (3, 4), (8, 9)]), [(0, 2), (5, 8), (9, 10)]);
        assert_eq!(without((0, 10), &[(0, 10)]), []);
        assert_eq!(without((0, 10), &[]), [(0, 10)]);
    }
}
