//! What a core takes before its members, and how each event goes on from there.
//!
//! | what | file |
//! |---|---|
//! | routines, timers and kernel of a core, each after what it depends on | `level.rs` |
//! | each event on its way from the core to a task in a guest | `propagation.rs` |
//! | jobs that no interrupt wakes, and ends of callbacks | `release.rs` |
//! | what competitors for a supply take by that | `competitors.rs` |
//! | what the work in a server asks of it | `work.rs` |
//! | what the credit of a pseudo-VCPU covers | `credits.rs` |
//! | the routines of its core that a server pays for | `charges.rs` |
//! | throttling of what has no server of Linux | `throttling.rs` |
//! | why there is no bound, with the loads that exceed the capacity | `why.rs` |

mod charges;
mod competitors;
mod credits;
mod inside;
mod level;
mod propagation;
mod release;
mod throttling;
mod why;
mod work;

pub(crate) use charges::{Core, charges, overdrawn, unpaid};
pub(crate) use credits::{credit_covers, each_has_its_own, is_first_in_guest};
pub(crate) use inside::{asked_in_level, in_levels, used_by};
pub(crate) use level::CoreLevel;
pub(crate) use propagation::{Propagation, Stages};
pub(crate) use release::{Delay, jobs, since_poll};
pub(crate) use throttling::{busy, carried, is_never_reached};
pub(crate) use why::Why;
pub(crate) use work::{asked_in, is_plain, is_plain_task, only_tasks_use};
