//! Published figures, reproduced: each is a description under `published/systems/`, what varies in
//! it, a table of the published numbers beside ours, and the publication's claims, each with a verdict by a stated rule.
//!
//! **Model.** A figure reads its description, changes the one thing that its axis varies, runs the
//! simulator and reduces what an observer saw to the numbers of the publication. Everything that
//! the publication does not state is chosen in the description and named there.
//!
//! Each claim has a verdict by a stated rule (`rule.rs`) on exact numbers (`exact.rs`), and what is found by each way
//! there is: formula, bound, simulation, stock kernels (recorded in `published/recorded/`), and this machine, if its profile
//! is given (`setting.rs`). `page/` makes one page of all.
//!
//! **Assumptions.** Those of the simulator (`docs/model.md`). Floating point makes places in pictures and decimals in
//! tables, and decides nothing.
//!
//! **Does not cover** measuring: `vorrang measure` does that, and `vorrang-lab`.

pub mod base;
pub mod cache_progress;
pub mod cache_row;
pub mod claim;
pub mod csv;
pub mod exact;
pub mod figure;
pub mod figures;
mod guest_runs;
pub mod interrupt_storm;
pub mod irq_claims;
pub mod irq_study;
pub mod irq_threads;
pub mod page;
pub mod picture;
pub mod proxy_counter_examples;
pub mod proxy_planning;
pub mod proxy_utilisation;
pub mod published;
pub mod recorded;
pub mod round_trip;
pub mod rule;
pub mod server_bounds;
pub mod service_error;
pub mod setting;
pub mod switch_loss;
pub mod throughput;
pub mod timer_claims;
pub mod timer_costs;
pub mod timer_interference;
pub mod timer_study;
pub mod vint_figure;
pub mod vint_study;
pub mod vtrr_slices;
pub mod watch;
pub mod waters;

pub use claim::{Claim, Way};
pub use figure::{Figure, Made, Reproduced, Table};
pub use figures::FIGURES;
pub use rule::{Agreement, WORDS};
pub use setting::{Machine, Setting};
