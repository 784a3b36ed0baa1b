//! Studies: what is drawn, what is asked of each drawn system, and the answers, shard by shard.
//!
//! **Model.** A study ([`Study`]) says how a random system is drawn and what is asked of it. Any value of the
//! generator may be a list or a range: an *axis*. All combinations of the axes' values are the
//! *points* of the study, in the order of the text, the last axis fastest. At each point as many
//! systems are drawn as the study has *samples*; all of them in this order are cut into *shards*.
//!
//! ```text
//!   text ─ reading ─▶ Study ─ (point, index) ─▶ Sample ─ questions ─▶ row ─▶ Shard ─▶ Parquet
//! ```
//!
//! **Assumptions.**
//! 1. A sample is decided by the study's seed, its point and its index, and nothing else: a shard has the
//!    same bytes wherever it is computed, in any order, on any number of threads.
//! 2. All questions about one sample are about the same tasks and interrupts, so that they can be compared
//!    system by system.
//!
//! **Cost.** Memory is that of one shard, whatever the number of samples.
//!
//! **Does not cover** files: a shard is bytes. Who writes them where is the command line's business.

mod answer;
mod axis;
mod describe;
pub mod draw;
mod parquet;
mod point;
mod question;
mod reading;
mod shard;
mod study;

pub use axis::{Axis, Unit};
pub use draw::Sample;
pub use point::{Budget, Deadlines, Division, Guests, Interrupts, Periods, Point, Tasks};
pub use question::{Analysis, Ask, Question, Trials};
pub use shard::{Interrupted, Shard};
pub use study::Study;

use vorrang_model::Diagnostic;

/// Reads a study.
///
/// # Errors
/// Everything that is wrong with it, in the order of the text; never empty.
///
/// ```
/// let study = vorrang_sweep::read(br#"
///     version = 1
///     samples = 100
///     [tasks]
///     count = 5
///     utilisation = { from = "60%", to = "90%", step = "10%" }
///     periods = "automotive"
///     [ask.exact]
///     question = "accepted"
/// "#).unwrap();
/// assert_eq!((study.points().len(), study.total()), (4, 400));
/// assert_eq!(study.axes()[0].column(), "tasks_utilisation_ppm");
/// ```
pub fn read(text: &[u8]) -> Result<Study, Vec<Diagnostic>> {
    reading::read(text)
}
