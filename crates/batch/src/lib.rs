//! Batches: very many task sets as columns of numbers, verdicts and bounds as columns.
//!
//! **Model.** A row is a sporadic task, rows with the same number of a set that follow each other are one
//! set, and each set is alone on a core without interrupts and costs:
//!
//! ```text
//!   set   wcet  period  deadline  priority        bound        set  proven
//!     7   1000    4000      4000         2         1000          7    true
//!     7   2000    9000      9000         1   ─▶    3000   and    8   false
//!     8   5000    4000      4000         1         none
//! ```
//!
//! Numbers of sets ascend from row to row. Columns may come in several pieces, and a set may begin in one
//! and end in another; they are read where they are.
//!
//! **Assumptions.**
//! 1. Times are from a nanosecond to [`vorrang_time::Duration::MAX_STATED`], after multiplication by the unit of
//!    their column; everything else is an error that names the row.
//! 2. A set has at most [`MOST_TASKS`] tasks, so that sums stay in range.
//! 3. Where two bounds or a verdict could be given, they are those of `vorrang check`: sets whose deadlines
//!    are within their periods and whose priorities differ go to the theorems directly, all else becomes a
//!    description and is read as one.
//!
//! **Cost.** That of the theorems, and one pass over each row; where rows of a set do not stand in the order of
//! urgency, or need more than the theorem for fixed priorities, one copy of them.
//!
//! **Does not cover** servers, interrupts, costs, and several cores: a study ([`vorrang-sweep`]) or a
//! description has these.
//!
//! [`vorrang-sweep`]: https://docs.rs/vorrang-sweep

mod answer;
mod bounds;
mod counted;
mod in_order;
mod room;
mod run;
mod scheduler;
mod table;
mod unit;

pub use room::Room;
pub use run::{Answers, Asked, Stopped, answered};
pub use scheduler::Scheduler;
pub use table::{Column, MOST_TASKS, Piece, Table, Wrong};
pub use unit::Unit;
