//! Designs: what a description leaves open is chosen so that every requirement is proven and as little of
//! the cores as possible is taken.
//!
//! **Model.** Each open value is a grid of choices. They fall into layers, each searched for with those above
//! it fixed:
//!
//! ```text
//!   placement      on which supply, of which kind      every combination, or
//!                                                        spread evenly          placement.rs, greedy.rs
//!     order        priorities beside open budgets      every order, or          combination.rs,
//!                                                        step by step           descent.rs, trial.rs
//!       search     the period of each server of a core branch and bound         search.rs
//!         settle   the budget of each server           least fixed point        settle.rs
//!                                                      and what takes less,     closing.rs
//!                                                        one by one
//!           judge  priorities beside given budgets     from the lowest up       audsley.rs
//! ```
//!
//! A design is accepted if the analysis bounds every requirement within its limit and guarantees every
//! budget: what `vorrang check` takes for proven, but for the search of the simulator, which refutes
//! nothing that is proven. What is taken is the [`Cost`]: reserved, and lost to switching, in shares of
//! cores, each by its weight ([`Objective`]). Its lower bound and when a design is optimal is proved in docs/design.md.
//!
//! **Assumptions.**
//! 1. Where a design is called optimal, and not all that takes less was looked at: more of its own budget harms no
//!    member, more budget of another helps none, and neither do further members (docs/design.md). Where theorems
//!    count that are not so, the bound is what one history needs (`needed.rs`). Where costs, caches or a
//!    kernel are stated, or interrupts beside servers with deadlines, that is not assumed: the bound
//!    comes from a system without them.
//!
//! **Cost.** Analyses are counted, by the terms of their equations where these are many (`steps.rs`), and limited in
//! number; never time. The same input gives the same design.
//!
//! **Does not cover** offsets of slots, rules of pseudo-VCPUs, deadlines of servers: they stay as stated.

mod aim;
mod along;
mod answer;
mod around;
mod arrivals;
mod asked;
mod audsley;
mod bare;
mod candidate;
#[cfg(test)]
#[path = "../tests/chance/mod.rs"]
mod chance;
mod choices;
mod closing;
mod combination;
mod compatible;
mod conflict;
mod cost;
mod curve;
mod descent;
mod design;
mod edge;
mod enumeration;
mod greedy;
mod group;
mod judge;
mod ladder;
mod layout;
mod margin;
mod moving;
mod needed;
mod objective;
mod on_core;
mod options;
mod order;
mod parameter;
mod part;
mod payer;
mod place;
mod placement;
mod price;
mod proven;
mod remedy;
mod search;
mod settle;
mod steps;
mod stretch;
mod taken;
mod trial;
mod uncovered;

pub use answer::{Absence, Answer, Design, Limits, Optimality, Reach};
pub use asked::Asked;
pub use conflict::{Conflict, conflict};
pub use cost::Cost;
pub use curve::{NoCurve, Point, curve};
pub use design::{design, design_for};
pub use judge::accepts;
pub use margin::{Beyond, Margin, Margins, Refutes, Work, margins, margins_within};
pub use objective::{MOST_WEIGHT, Objective, Weights};
pub use parameter::{Amount, Parameter, Way};
pub use price::{Price, price};
pub use remedy::{OnePriority, Remedies, Remedy, Replacement, Sought};
pub use uncovered::uncovered;
