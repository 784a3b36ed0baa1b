//! Published figures, reproduced: each is a description under `published/systems/`, what varies in
//! it, a table of the published numbers beside ours, and the publication's claims, each with a verdict by a stated rule.
//!
//! **Model.** A figure reads its description, changes the one thing that its axis varies, runs the
//! simulator and reduces what an observer saw to the numbers of the publication. Everything that
//! the publication does not state is chosen in the description and named there.
//!
//! **Assumptions.** Those of the simulator (`docs/model.md`). Numbers here are for people to
//! compare: floating point is used to print them and decides nothing.
//!
//! **Does not cover** measurements: what a machine of today does is measured elsewhere.

pub mod base;
pub mod claim;
pub mod figure;
pub mod figures;
pub mod interrupt_storm;
pub mod irq_threads;
pub mod proxy_counter_examples;
pub mod proxy_planning;
pub mod proxy_utilisation;
pub mod round_trip;
pub mod server_bounds;
pub mod service_error;
pub mod switch_loss;
pub mod throughput;
pub mod timer_interference;
pub mod vint_figure;
pub mod vint_study;
pub mod vtrr_slices;
pub mod watch;

pub use claim::{Agreement, Claim};
pub use figure::{Figure, Reproduced, Table};
pub use figures::FIGURES;
