//! A journal: read, looked at, and undone on a machine where nothing happens.

use super::bench::Bench;
use crate::input::Depth;
use crate::machine::machine;
use std::hint::black_box;
use std::path::Path;
use vorrang_enforce::journal::{Found, read};
use vorrang_enforce::{restore, rows, sample};

pub(super) fn take(bench: &Bench, text: &[u8], depth: Depth) -> Result<bool, String> {
    let file = bench.file("journal", text)?;
    let Ok(Found::Journal(entries)) = read(Path::new(&file), &machine()) else { return Ok(false) };
    if depth >= Depth::Analyse {
        let samples = sample(&machine(), &entries).unwrap_or_default();
        black_box(rows(&samples, &samples));
        let _kept = black_box(restore(&mut machine(), Path::new(&file)));
    }
    Ok(true)
}
