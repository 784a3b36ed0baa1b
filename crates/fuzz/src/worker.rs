//! A process that takes inputs, one after the other.
//!
//! **Model.** Before each input its number is written into a file, so that the parent of a dead process knows
//! which it was. What came of all is one line of JSON at the end. A process that had too much memory ends there:
//! how much the next input takes could not be told.

use crate::behind::Bench;
use crate::cost::{MOST_BYTES, MOST_NS, now_ns, peak_bytes};
use crate::input::Input;
use crate::order::Order;
use crate::tally::{Fault, Finding, Tally};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a worker leaves behind.
#[derive(Debug, Serialize, Deserialize)]
pub struct Report {
    /// What came of its inputs.
    pub tally: Tally,
    /// The first input that it has not taken.
    pub next: u64,
}

/// Takes the inputs with these numbers.
///
/// # Errors
/// The file of numbers cannot be written.
pub fn work(
    bench: &mut Bench,
    order: &Order,
    numbers: Range<u64>,
    now_at: &File,
) -> io::Result<Report> {
    let mut tally = Tally::default();
    for index in numbers.clone() {
        now_at.write_all_at(&index.to_le_bytes(), 0)?;
        let input = Input::drawn(&bench.corpus, order.seed, index, order.only);
        let taken = take(bench, &input);
        tally.count(index, input.reader, input.depth, taken.accepted, taken.spent_ns);
        if taken.peak_bytes > tally.peak.0 {
            tally.peak = (taken.peak_bytes, index);
        }
        if let Some((fault, says)) = taken.fault.filter(|(fault, _)| order.judges(*fault)) {
            tally.findings.push(Finding { index, fault, says });
        }
        if taken.peak_bytes > MOST_BYTES {
            return Ok(Report { tally, next: index + 1 });
        }
    }
    Ok(Report { tally, next: numbers.end })
}

/// What one input cost and showed.
#[derive(Debug)]
pub struct Taken {
    /// Whether its reader accepted it.
    pub accepted: bool,
    /// Processor time.
    pub spent_ns: u64,
    /// The most memory so far.
    pub peak_bytes: u64,
    /// What must not be.
    pub fault: Option<(Fault, String)>,
}

/// Gives an input to its reader.
pub fn take(bench: &mut Bench, input: &Input) -> Taken {
    let begin = now_ns();
    let taken = catch_unwind(AssertUnwindSafe(|| bench.take(input)));
    let spent_ns = now_ns() - begin;
    let peak_bytes = peak_bytes();
    let accepted = matches!(taken, Ok(Ok(true)));
    let fault = match taken {
        Err(panic) => Some((Fault::Panic, said(&*panic))),
        Ok(Err(why)) => Some((Fault::Wrong, why)),
        // Memory takes time, too, and how much depends on the machine.
        Ok(Ok(_)) if peak_bytes > MOST_BYTES => {
            Some((Fault::Hungry, format!("{} MB", peak_bytes / 1_000_000)))
        }
        Ok(Ok(_)) if spent_ns > MOST_NS => {
            Some((Fault::Slow, format!("{} ms of processor time", spent_ns / 1_000_000)))
        }
        Ok(Ok(_)) => None,
    };
    Taken { accepted, spent_ns, peak_bytes, fault }
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    text.unwrap_or_else(|| "without a word".to_owned())
}
