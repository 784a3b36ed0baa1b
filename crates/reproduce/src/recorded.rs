//! What stock kernels did in the lab: recorded results, each with its kernel, date, command and conditions.
//!
//! **Model.** `published/recorded/runs.csv` has a line for each run; the other tables there have rows of runs. They are
//! the tables that the lab's commands print, and a test holds them against the pages of the book.
//!
//! **Assumptions.** A recorded number is what occurred once under the stated conditions: an emulator that counts
//! instructions, without caches.

use crate::csv;
use crate::exact::{Exact, decimal};

/// Ways to schedule the thread that polls a network card.
pub const IRQ_THREADS: &str = include_str!("../published/recorded/irq_threads.csv");
/// Round trips against the period of its reservation.
pub const ROUND_TRIPS: &str = include_str!("../published/recorded/round_trips.csv");
/// Round trips to a guest, without a pseudo-VCPU and with one.
pub const GUEST_PINGS: &str = include_str!("../published/recorded/guest_pings.csv");
/// Frames of a film in a storm, by what is done about it.
pub const FILM_FRAMES: &str = include_str!("../published/recorded/film_frames.csv");
/// The longest response beside sleepers, without the module for shielded timers and with it.
pub const TIMER_SHIELD: &str = include_str!("../published/recorded/timer_shield.csv");
/// What timers cost in the kernel.
pub const TIMER_COSTS: &str = include_str!("../published/recorded/timer_costs.csv");
/// The longest response beside timers of one task, without the module and with it.
pub const TIMER_FILES: &str = include_str!("../published/recorded/timer_files.csv");
const RUNS: &str = include_str!("../published/recorded/runs.csv");

/// A run of the lab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// By which the rows name it.
    pub name: String,
    /// The kernel's release.
    pub kernel: String,
    /// When it was recorded.
    pub date: String,
    /// What was run.
    pub command: String,
    /// Under which conditions.
    pub conditions: String,
}

/// All runs.
pub fn runs() -> Vec<Run> {
    let run = |cells: Vec<String>| {
        let [name, kernel, date, command, conditions] =
            <[String; 5]>::try_from(cells).expect("five cells");
        Run { name, kernel, date, command, conditions }
    };
    csv::lines(RUNS).into_iter().skip(1).map(run).collect()
}

/// The rows of a run in a table, without its name.
pub fn rows(table: &str, run: &str) -> Vec<Vec<String>> {
    let own = csv::lines(table).into_iter().filter(|cells| cells[0] == run);
    own.map(|cells| cells[1..].to_vec()).collect()
}

/// A number of a row; nothing where the cell is empty.
pub fn number(row: &[String], place: usize) -> Option<Exact> {
    Some(row[place].as_str()).filter(|text| !text.is_empty()).map(decimal)
}
