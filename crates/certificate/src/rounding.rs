//! Quotients that are rounded up, as in `proofs/Certificate.v`.

/// `n / d`, rounded up.
pub(crate) fn rounded_up(n: u128, d: u64) -> Option<u128> {
    let d = u128::from(d);
    n.checked_add(d)?.checked_sub(1)?.checked_div(d)
}
