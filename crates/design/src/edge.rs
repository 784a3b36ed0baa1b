//! Where something begins to be so, going away from where it is not.

/// A distance with which something is not yet so, and the next, with which it is.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) before: u64,
    /// `None`: it is not so up to `before`, the farthest.
    pub(crate) from: Option<u64>,
}

/// Looks for an edge: doubling away from `begin`, at which it is not so, then bisection.
pub(crate) fn edge<E>(
    begin: u64,
    most: u64,
    mut is_so: impl FnMut(u64) -> Result<bool, E>,
) -> Result<Edge, E> {
    let (mut before, mut width, mut from) = (begin, 1, None);
    while from.is_none() && before < most {
        let next = before.saturating_add(width).min(most);
        if is_so(next)? {
            from = Some(next);
        } else {
            (before, width) = (next, width.saturating_mul(2));
        }
    }
    while let Some(so) = from.filter(|so| so - before > 1) {
        let middle = before + (so - before) / 2;
        if is_so(middle)? {
            from = Some(middle);
        } else {
            before = middle;
        }
    }
    Ok(Edge { before, from })
}
