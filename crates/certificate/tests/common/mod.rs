//! What the tests of certificates have in common.

use vorrang_certificate::{Certificate, check};

/// Which numbers of an accepted certificate may not be one more, and which not one less.
pub(crate) fn refused(of: &Certificate) -> [Vec<usize>; 2] {
    assert!(check(of));
    let moved = |place: usize, by: i64| {
        let mut wrong = of.clone();
        let number = &mut *wrong.numbers().swap_remove(place);
        *number = number.saturating_add_signed(by);
        wrong != *of && !check(&wrong)
    };
    let count = of.clone().numbers().len();
    [1, -1].map(|by| (0..count).filter(|&place| moved(place, by)).collect())
}
