//! What is left between the line below the supply of a resource and the line above a guest's demand.
//!
//! **Model.** With the share `α = Θ / Π` of a budget, `w` is provided within less than `w / α + 2 (Π − Θ)`. With
//! `φ_i(t) = (t − D_i) mod T_i`, the time since the last deadline of a task, the demand is
//! `w(t) = sum u_i (t + T_i − D_i − φ_i(t))`. So if a budget is not enough at t, then
//!
//! ```text
//!   sum u_i φ_i(t)  <  R(t)  =  2 (Π − Θ) α + sum u_i (T_i − D_i) − (α − sum u_i) t
//! ```
//!
//! R falls, and from where it is zero no t needs more.
//!
//! **Assumptions.** The budget is more than its share: `α > sum u_i`.
//!
//! Theory: docs/theory/periodic-resource.md.

use vorrang_time::Duration;

/// R, in nanoseconds times 2^-32, no less than it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) at_zero: u128,
    /// By how much it falls in a nanosecond.
    pub(super) falls: u64,
}

impl Line {
    /// No time from this on needs more than the budget; `None`: its share is too near to the utilisation to say.
    #[inline]
    pub(super) fn end(&self) -> Option<Duration> {
        let time = match u64::try_from(self.at_zero) {
            Ok(at_zero) if self.falls > 0 => at_zero.div_ceil(self.falls),
            _ => {
                let whole = self.at_zero.checked_div(u128::from(self.falls))?;
                u64::try_from(whole).ok()?.checked_add(1)?
            }
        };
        Some(Duration::from_ns(time))
    }

    /// R at a time and, as no more, after it; `None`: out of range.
    #[inline]
    pub(super) fn left_at(&self, time: Duration) -> Option<u64> {
        let fallen = u128::from(self.falls) * u128::from(time.as_ns());
        u64::try_from(self.at_zero.saturating_sub(fallen)).ok()
    }
}
