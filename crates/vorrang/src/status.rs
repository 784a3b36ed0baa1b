//! `vorrang status`: budget against use of what `vorrang apply` reserved.

use crate::exit::{Failure, Output};
use crate::journal::Journal;
use crate::table::{Column, draw};
use std::fmt::Write as _;
use std::thread;
use std::time::{Duration as Time, Instant};
use vorrang_enforce::journal::Found;
use vorrang_enforce::{Linux, Row, cpu_list, rows, sample};
use vorrang_time::Duration;

/// Show what reserved threads receive
///
/// Looks at every thread that `vorrang apply` reserved, twice, and shows its budget beside what it
/// received in between, by the kernel's own accounting. Below them stands ksoftirqd of their
/// processors: where the work of a reserved interrupt thread goes there instead, that is said.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Status {
    /// Between the two looks
    #[arg(long = "for", value_name = "TIME", default_value_t = Duration::from_ms(1000))]
    between: Duration,
    #[command(flatten)]
    journal: Journal,
}

/// What `ksoftirqd` may use, as a part of the time, before it is said: one in this many.
const NEGLIGIBLE: u64 = 100;

impl Status {
    /// # Errors
    /// The journal cannot be read.
    pub fn run(&self) -> Result<Output, Failure> {
        let entries = match self.journal.read(&Linux)? {
            Found::Nothing => return Ok(Output::success("Nothing is applied.\n")),
            Found::Void => {
                return Ok(Output::success(
                    "The machine was started anew since: nothing is applied.\n",
                ));
            }
            Found::Journal(entries) => entries,
        };
        let begin = Instant::now();
        let before = sample(&Linux, &entries);
        thread::sleep(Time::from_nanos(self.between.as_ns()));
        let elapsed = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let rows = rows(&before, &sample(&Linux, &entries), elapsed);
        let head = &entries.head;
        let mut text = format!(
            "{}: {}, sha256 {}\nIn {:.3} s:\n\n",
            head.description,
            head.verdict,
            head.sha256,
            Time::from_nanos(elapsed).as_secs_f64()
        );
        text += &table(&rows, elapsed);
        text += &remarks(&rows, elapsed);
        Ok(Output::success(text))
    }
}

fn table(rows: &[Row], elapsed: u64) -> String {
    let whole = Duration::from_ns(elapsed);
    let part = |time: Option<u64>| time.map(|time| (Duration::from_ns(time), whole));
    let label = |row: &Row| row.now.label.clone().unwrap_or_default();
    draw(&[
        Column::words("of", rows.iter().map(label)),
        Column::words("thread", rows.iter().map(|row| row.now.thread.name.clone())),
        Column::numbers("number", rows.iter().map(|row| row.now.thread.thread.to_string())),
        Column::words("processors", rows.iter().map(|row| cpu_list(&row.now.cpus))),
        Column::shares("budget", rows.iter().map(|row| part(row.budget))),
        Column::shares("received", rows.iter().map(|row| part(row.received))),
    ])
}

/// What is not as it was applied.
fn remarks(rows: &[Row], elapsed: u64) -> String {
    let mut text = String::new();
    for row in rows {
        let name = &row.now.thread.name;
        match (&row.now.label, row.received) {
            (Some(label), None) => {
                let _ = write!(text, "\n{label}: the thread {name} has ended.\n");
            }
            (Some(label), Some(_)) if !row.now.holds => {
                let _ = write!(text, "\n{label}: somebody has given {name} another policy.\n");
            }
            (None, Some(received)) if received > elapsed / NEGLIGIBLE => {
                let _ = write!(
                    text,
                    "\n{name} does work of interrupts on a reserved processor, without a reservation. If it is that of a\n\
                     network card, reserve the thread that polls it: `thread = \"napi:...\"` (docs/apply.md).\n"
                );
            }
            _ => {}
        }
    }
    text
}
