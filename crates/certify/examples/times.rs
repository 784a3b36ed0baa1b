//! How long certificates of descriptions take: to find them, and to check them.
//!
//!     cargo run --release -p vorrang-certify --example times -- examples/consolidation.toml

use std::time::Instant;
use vorrang_certify::{STEPS, certificates};
use vorrang_model::{Format, read};

/// Checks whose mean is stated.
const TIMES: u32 = 1000;

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
        let system =
            read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{path}: {errors:?}"));
        let begin = Instant::now();
        let all: Vec<_> = certificates(&system, STEPS).into_iter().flatten().collect();
        let found = begin.elapsed();
        let begin = Instant::now();
        for _ in 0..TIMES {
            assert!(all.iter().all(vorrang_certificate::check), "{path}: one is refused");
        }
        println!(
            "{path}: {} found in {found:?}, checked in {:?}",
            all.len(),
            begin.elapsed() / TIMES
        );
    }
}
