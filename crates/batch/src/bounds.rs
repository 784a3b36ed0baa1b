//! The bounds of a set whose tasks come most urgent first, as cells of a column.

use vorrang_analysis::fixed_priority::{Scratch, SporadicTask, each_response_time};
use vorrang_analysis::supply::Supply;
use vorrang_time::Duration;

/// Memory that is used again from set to set.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) set: Vec<SporadicTask>,
    pub(crate) scratch: Scratch,
}

/// Joseph and Pandya 1986, most urgent first, each bound to its place; whether there are all.
#[inline]
pub(crate) fn each_bound(
    supply: &impl Supply,
    tasks: impl Iterator<Item = SporadicTask>,
    bounds: &mut [i64],
    scratch: &mut Scratch,
) -> bool {
    let (mut all, mut cells) = (true, bounds.iter_mut());
    each_response_time(supply, tasks, scratch, |response| {
        all &= response.is_some();
        *cells.next().expect("as many as tasks") = response.map_or(0, cell);
    });
    all
}

/// A bound within a deadline that was stated, which is below 2^50 ns.
pub(crate) fn cell(bound: Duration) -> i64 {
    bound.as_ns().cast_signed()
}
