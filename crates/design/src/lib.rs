//! Designs: what a description leaves open is chosen so that every requirement is proven and as little of
//! the cores as possible is taken.
//!
//! **Model.** The open values fall into three layers, each searched for with the others fixed:
//!
//! ```text
//!   placement   on which core, of which kind          every combination, or
//!                                                       spread evenly           placement.rs, greedy.rs
//!     search    the period of each server of a core   branch and bound           search.rs
//!       settle  the budget of each server             least fixed point          settle.rs
//! ```
//!
//! A design is accepted if the analysis bounds every requirement within its limit and guarantees every
//! budget: what `vorrang check` takes for proven, but for the search of the simulator, which refutes
//! nothing that is proven. What is taken is the [`Cost`]: reserved, and lost to switching, in shares of a
//! core. Its lower bound and when a design is optimal is proved in docs/design.md.
//!
//! **Assumptions.**
//! 1. Where a design is called optimal: more of its own budget harms no member, more budget of another
//!    helps none, and neither do further members (docs/design.md). Where costs, caches or a
//!    kernel are stated, or interrupts beside servers with deadlines, that is not assumed: the bound
//!    comes from a system without them.
//!
//! **Cost.** Analyses are counted, and limited in number; never time. The same input gives the same design.
//!
//! **Does not cover** offsets of slots, pseudo-VCPUs, deadlines of servers, priorities: they stay as stated.

mod bare;
mod conflict;
mod cost;
mod curve;
mod greedy;
mod judge;
mod ladder;
mod layout;
mod margin;
mod options;
mod part;
mod placement;
mod price;
mod relaxation;
mod search;
mod settle;
mod steps;

pub use conflict::{Conflict, conflict};
pub use cost::Cost;
pub use curve::{NoCurve, Point, curve};
pub use judge::accepts;
pub use margin::{Amount, Margin, Margins, Parameter, margins};
pub use placement::{Absence, Answer, Design, Limits, Optimality, design};
pub use price::{Price, price};
