//! The models of sequences of releases, for `tests/second_opinion.py`.
//!
//! Each line of the input is a sequence: releases, or windows `from:to`, in nanoseconds. Each line of the output has its
//! least distance, its least distances, and period, offset and jitter of its periodic model, as JSON.

use std::io::{self, BufRead as _, Write as _};
use vorrang_learn::{Arrivals, Window};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let mut arrivals = Arrivals::default();
        for word in line?.split_whitespace() {
            arrivals
                .add(window(word).ok_or_else(|| io::Error::other(format!("no release: {word}")))?);
        }
        let least = arrivals.distances.least();
        let sporadic = least.first().map_or_else(|| "null".to_owned(), u64::to_string);
        let periodic = arrivals.periodic.fit().map_or_else(
            || "null".to_owned(),
            |fit| format!("[{}, {}, {}]", fit.period, fit.offset, fit.jitter),
        );
        writeln!(
            out,
            "{{\"sporadic\": {sporadic}, \"distances\": {least:?}, \"periodic\": {periodic}}}"
        )?;
    }
    Ok(())
}

fn window(word: &str) -> Option<Window> {
    match word.split_once(':') {
        Some((from, to)) => Some(Window { from: from.parse().ok()?, to: to.parse().ok()? }),
        None => Some(Window::exact(word.parse().ok()?)),
    }
}
