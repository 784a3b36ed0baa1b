//! Preemptive earliest deadline first on any supply.
//!
//! | what | file |
//! |---|---|
//! | what a description says of one member | `member.rs` |
//! | what one member demands by a deadline | `demand.rs` |
//! | what all members demand together | `total.rs` |
//! | in which windows | `window.rs` |
//! | whether every deadline is met | `feasibility.rs` |
//! | by how much deadlines are missed | `lateness.rs` |
//! | how late a server is by that | `late.rs` |
//! | response times | `response.rs` |
//! | the same where arrivals are by the clock | `by_clock.rs` |
//! | what the worst job waits for, by the window, and in words | `demanded.rs`, `derive.rs` |
//! | all of it for a supply, and the lesser of two bounds on lateness | `analysis.rs` |
//! | by when parts of budgets are delivered | `portion.rs` |
//! | the same of a deferrable server, from an idle guest on | `idle_level.rs` |
//! | the only task of a constant-bandwidth server | `alone.rs` |
//! | what a server takes because of the work in it | `guest_work.rs` |
//! | servers that never wait for budget, whatever all of them reserve | `never_exhausted.rs` |

mod alone;
mod analysis;
mod by_clock;
mod demand;
mod demanded;
mod derive;
mod feasibility;
mod guest_work;
mod idle_level;
mod late;
mod lateness;
mod member;
#[cfg(test)]
mod naive;
mod never_exhausted;
mod portion;
mod response;
#[cfg(test)]
mod tests;
mod total;
mod window;

pub(crate) use alone::Alone;
pub(crate) use analysis::{Analysis, Deliveries};
pub(crate) use by_clock::WorstByClock;
pub use demand::{Contender, Work};
pub(crate) use demanded::demand_in;
pub(crate) use derive::{derive, derive_load};
pub use feasibility::meets_all_deadlines;
pub(crate) use guest_work::{EarlierJobs, GuestWork};
pub(crate) use idle_level::IdleLevel;
pub(crate) use late::Late;
pub use lateness::lateness;
pub(crate) use member::Around;
pub(crate) use never_exhausted::{Light, Unhurried};
pub(crate) use portion::{Before, Portion};
pub use response::{Response, ResponseTimes, response_time};
