//! Whether every deadline of an EDF supply is met.
//!
//! **Model.** If at some instant a deadline is missed, there is a window before it, at least as
//! long as the shortest time from a release to a deadline, in which the supply gave all it had to
//! work with deadlines in the window, and that was not enough. So all deadlines are met if
//! `supply(blocking(t) + sum demand(t)) <= t` for every `t` from that shortest time up to the
//! longest busy window. The search goes down from there and skips what cannot fail: if
//! `g(t) = supply(...)` is below `t`, then `g <= g(t) <= u` for every `u` between the two.
//!
//! With constant-bandwidth servers among the members `t` starts at 1: a kept pair (c, d) may have a near deadline.
//!
//! With soft CBS among them no busy window has a limit; the longest one that is looked at is then
//! found by what is due more in a longer one (`total.rs`).
//!
//! **Assumptions.** 1. Members are bounded as `demand.rs` says; nothing else uses the supply. 2. At most one blocking in a window,
//! by work with a later deadline. 3. Deadlines decide: of what is ready the earliest runs, at once.
//!
//! **Cost.** Few steps far from full load; each is one division a member. Never the hyperperiod.
//!
//! Reference: Baruah, Mok, Rosier 1990; Zhang, Burns 2009 (QPA), here for any supply and any
//! non-decreasing demand; Shin, Lee 2003.
//!
//! Theory: docs/theory/edf-response.md.

use super::demand::{Contender, Work};
use super::total::Total;
use crate::ground::at_most_one;
use crate::ground::{Effort, NoBound};
use crate::supply::Supply;
use vorrang_time::Duration;

/// Whether every member meets every deadline on `supply`. `on_bare_core` says that `supply` is a
/// dedicated core without interrupts, where utilisation alone may decide.
///
/// # Errors
/// Why the question was not decided.
pub fn meets_all_deadlines<S: Supply + ?Sized>(
    supply: &S,
    on_bare_core: bool,
    members: &[Contender<'_>],
    effort: &Effort,
) -> Result<bool, NoBound> {
    if on_bare_core && let Some(met) = utilisation_is_enough(members) {
        return Ok(met);
    }
    let total = Total::new(members);
    let wanted = match total.expect(supply, effort) {
        Err(NoBound::Overload) => return Ok(false),
        known => known?,
    };
    let shortest = shortest_window(members);
    let mut window = total.longest_window((shortest, wanted), supply, effort)?;
    while window >= shortest {
        effort.spend(members.len())?;
        let needed = supply.time_for(total.due_by(window)?)?;
        if needed > window {
            return Ok(false);
        }
        window = if needed < window { needed } else { window.saturating_sub(Duration::RESOLUTION) };
        if window.is_zero() {
            break;
        }
    }
    Ok(true)
}

/// Whether the utilisation of a bare core is enough, where it decides.
pub(super) fn utilisation_is_enough(members: &[Contender<'_>]) -> Option<bool> {
    let shares = members.iter().map(|member| (member.cost, member.period));
    if utilisation_decides(members) { at_most_one(shares) } else { None }
}

/// Demand is below a line through the origin for every member, so that the sum of the slopes
/// decides (Liu, Layland 1973; Abeni, Buttazzo 1998).
fn utilisation_decides(members: &[Contender<'_>]) -> bool {
    members.iter().all(|member| match member.work {
        Work::Jobs { deadline, jitter, blocking } => {
            let even = member.distances.is_none() && deadline >= member.period;
            even && jitter.is_zero() && blocking.is_zero()
        }
        Work::PeriodicServer | Work::ConstantBandwidth | Work::SoftBandwidth => true,
        Work::DeferrableServer | Work::ConstrainedBandwidth { .. } => false,
    })
}

fn shortest_window(members: &[Contender<'_>]) -> Duration {
    if members.iter().any(Contender::keeps) {
        return Duration::RESOLUTION;
    }
    members
        .iter()
        .map(Contender::least_time_to_deadline)
        .min()
        .unwrap_or_default()
        .max(Duration::RESOLUTION)
}
