//! How often a reservation is late, when execution times are known by their distribution.
//!
//! **Model.** Jobs of one task arrive at least `P` apart and take independent times from one
//! [`Distribution`]; the task is alone in a constant-bandwidth server (Q, T) that receives its
//! budget by each deadline ([`Reservation`]). What a job finds unfinished is a random walk that
//! stays at zero or above ([`Backlog`]), in steps of `cost − floor(P/T) Q` or `cost − floor(P Q/T)`.
//!
//! **Assumptions.** 1. Times of jobs of one task are independent; those of other tasks need not be known. 2. The server has nothing
//! else to do and loses nothing to the machine. 3. It receives each budget by its deadline, or as late as is added to the jitter.
//!
//! Elsewhere, of jobs that many others may delay: how often one of these executes for longer than a threshold
//! ([`Thresholds`]).
//!
//! Probabilities are integers in units of 2^-60, rounded up: what is printed is never less than
//! the truth. Execution times are rounded up to a step for the same reason.
//!
//! **Why a bound and not the distribution.** The stationary distribution of the walk can be
//! written with matrices (Abeni, Buttazzo 1999), but an iteration towards it comes from below, and
//! a truncated chain forgets what it cuts off. Here the first guess is above the truth for every
//! job (Kingman's exponential bound), and one step of the walk keeps it there; so whenever the
//! iteration ends, the result holds.
//!
//! Reference: L. Abeni, G. Buttazzo, `QoS` guarantee using probabilistic deadlines, ECRTS 1999;
//! J. F. C. Kingman, Inequalities in the theory of queues, 1970.
//!
//! Theory: docs/theory/backlog.md.

mod backlog;
mod distribution;
mod probability;
mod reservation;
#[cfg(test)]
mod tests;
mod thresholds;

pub use backlog::Backlog;
pub use distribution::{Distribution, NoDistribution};
pub use probability::Probability;
pub use reservation::{Reservation, Served};
pub use thresholds::{Jobs, Thresholds};
