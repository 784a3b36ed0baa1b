//! Every history of small systems over several cores: the longest reaction time and data age of a chain, and the
//! longest response of a task.
//!
//! **Purpose.** What a bound of a chain must not be below. Histories at random miss most of the worst of chains, whose
//! jobs must be long here and short there.
//!
//! **Model.** `docs/model.md` once more, tick by tick, over all cores at once: a state ([`state`]) is what the future
//! depends on. Each value carries a label: it rests on nothing that is followed, on the reading that is followed, or on
//! a later one of the same task. A history chooses the reading; from there on every history ends when the last task
//! writes what rests on a later one. The longest way there is the reaction time; the longest way to a writing over what
//! rests on the reading itself is the data age. Nothing is shared with the analysis, the simulator, the oracle or the
//! explorer of one core.
//!
//! **Assumptions.**
//! 1. Times are whole ticks.
//! 2. Tasks that the world, one routine of a core, or one or two other tasks wake, by fixed priority without equals, or by deadline; by fixed priority those that poll for ever, too; in servers without a budget and in
//!    deferrable ones; no sections, no costs.
//! 3. What follows a path ends: all its tasks have a longest distance of arrivals.
//!
//! **Cost.** States times choices, up to a limit.
//!
//! | what | where |
//! |---|---|
//! | systems, by the rows of the table | [`draw`] |
//! | a system as numbers | [`layout`] |
//! | states | [`state`] |
//! | from one instant to the next | `arrive`, `run` |
//! | all states, and the longest ways | [`reach`] |

mod arrive;
pub mod draw;
pub mod layout;
pub mod reach;
mod run;
pub mod state;

pub use layout::{Followed, Layout};
pub use reach::{Failed, Longest, longest};
