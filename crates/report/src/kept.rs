//! What is kept of a window of time, row by row; where too much happens, the end of it.
//!
//! ```text
//!   from              from'                    to
//!   |  forgotten      |  kept: what leads up to |
//!                     |  the end of the window  |
//! ```
//!
//! **Cost.** At most [`MOST`] slices, signs and corners of a window: with more, the window begins later, with the later
//! half of them. Each is forgotten once.

use vorrang_figure::{Level, Mark, Row, Sign, Slice, Use};

/// What is kept at most.
const MOST: usize = 1000;

/// Rows of a window whose beginning may move.
pub(crate) struct Kept {
    from: u64,
    to: u64,
    pub(crate) rows: Vec<Row>,
    count: usize,
}

impl Kept {
    pub(crate) const fn new((from, to): (u64, u64)) -> Self {
        Self { from, to, rows: Vec::new(), count: 0 }
    }

    /// Where what is kept begins by now.
    pub(crate) const fn from(&self) -> u64 {
        self.from
    }

    pub(crate) const fn to(&self) -> u64 {
        self.to
    }

    pub(crate) fn slice(&mut self, row: usize, (from, to): (u64, u64), of: Use) {
        let (from, to) = (from.max(self.from), to.min(self.to));
        if from >= to {
            return;
        }
        let slices = &mut self.rows[row].slices;
        if let Some(last) = slices.last_mut().filter(|last| last.to == from && last.of == of) {
            last.to = to;
            return;
        }
        slices.push(Slice { from, to, of, tip: String::new() });
        self.one_more();
    }

    pub(crate) fn mark(&mut self, row: usize, at: u64, sign: Sign) {
        if at >= self.from && at <= self.to {
            self.rows[row].marks.push(Mark { at, sign, tip: String::new() });
            self.one_more();
        }
    }

    /// A corner of the line of a row that has one; before the window only the last counts.
    pub(crate) fn level(&mut self, row: usize, at: u64, value: u64) {
        let at = at.clamp(self.from, self.to);
        let Some(level) = &mut self.rows[row].level else { return };
        if at == self.from {
            level.points.retain(|(last, _)| *last != at);
        }
        level.points.push((at, value));
        if at > self.from {
            self.one_more();
        }
    }

    fn one_more(&mut self) {
        self.count += 1;
        if self.count > MOST {
            self.forget();
        }
    }

    /// Forgets the earlier half.
    fn forget(&mut self) {
        let mut instants: Vec<u64> = self.rows.iter().flat_map(instants).collect();
        instants.sort_unstable();
        // Of very many at one instant all are forgotten rather than none.
        self.from = instants[instants.len() / 2].max(self.from + 1).min(self.to - 1);
        for row in &mut self.rows {
            begin(row, self.from);
        }
        self.count = self.rows.iter().map(|row| instants_count(row, self.from)).sum();
    }
}

/// When what a row has begins.
fn instants(row: &Row) -> impl Iterator<Item = u64> + '_ {
    let corners = row.level.iter().flat_map(|level| level.points.iter().map(|point| point.0));
    let slices = row.slices.iter().map(|slice| slice.from);
    slices.chain(row.marks.iter().map(|mark| mark.at)).chain(corners)
}

fn instants_count(row: &Row, from: u64) -> usize {
    instants(row).filter(|at| *at > from).count()
}

/// Leaves out of a row what is before an instant.
fn begin(row: &mut Row, from: u64) {
    row.slices.retain(|slice| slice.to > from);
    for slice in &mut row.slices {
        slice.from = slice.from.max(from);
    }
    row.marks.retain(|mark| mark.at >= from);
    if let Some(Level { points, .. }) = &mut row.level {
        let before = points.partition_point(|point| point.0 <= from);
        if let Some(&(_, value)) = points[..before].last() {
            points.drain(..before);
            points.insert(0, (from, value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Kept, MOST};
    use vorrang_figure::{Level, Row, Sign, Use};

    #[test]
    fn where_too_much_happens_the_end_is_kept() {
        let mut kept = Kept::new((0, 1_000_000));
        let level = Level { name: "budget".to_owned(), most: 9, points: Vec::new() };
        kept.rows = vec![Row::default(), Row { level: Some(level), ..Row::default() }];
        for nth in 0..10_000 {
            kept.slice(0, (nth * 100, nth * 100 + 40), Use::Runs);
            kept.mark(1, nth * 100, Sign::Replenishment);
            kept.level(1, nth * 100 + 50, nth % 9);
        }
        let (slices, marks) = (&kept.rows[0].slices, &kept.rows[1].marks);
        let points = &kept.rows[1].level.as_ref().expect("a line").points;
        assert!(slices.len() + marks.len() + points.len() <= MOST + 2);
        assert!(slices.len() > MOST / 8, "{}", slices.len());
        assert_eq!(slices.last().map(|slice| slice.to), Some(999_940));
        assert_eq!(points.last().map(|point| point.0), Some(999_950));
        assert!(slices.iter().all(|slice| slice.from >= kept.from()));
        assert_eq!(points[0].0, kept.from());
    }
}
