//! Disagreements of the past, checked again on every run.
//!
//! Each file in `tests/kept` is a system with comments before it: which side was wrong, and, as
//! `# pattern: …`, the histories that showed it.

use std::fs::read_to_string;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use vorrang_campaign::check::{Effort, check, replay};
use vorrang_campaign::tally::Tally;
use vorrang_model::{Format, read};
use vorrang_sim::Search;
use vorrang_time::Duration;

fn kept() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kept");
    let entries = folder.read_dir().expect("the folder of kept cases");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

/// Deeper than a campaign, so that what once took luck to find is found again.
fn effort() -> Effort {
    Effort {
        search: Search {
            runs: 10,
            horizon: Duration::from_ms(2_000),
            work: 100_000,
            ..Search::default()
        },
        watched_one_in: 1,
        compared_one_in: 1,
        compared: 60,
        brute_one_in: 1,
        whole_grid: 2_000,
        drawn: 200,
        text_one_in: 1,
        designed_one_in: 1,
        shielded_one_in: None,
        chained_one_in: None,
        bursts_one_in: None,
        distances_one_in: None,
        kept_one_in: None,
        forked_one_in: None,
        polls_one_in: None,
        offsets_one_in: None,
        paid_timers_one_in: None,
    }
}

/// Panics if what disagreed once does so again.
fn agrees(file: &Path) {
    let source = read_to_string(file).unwrap();
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    assert!(source.starts_with("# wrong: "), "{name} does not say which side was wrong");
    let system = read(&source, Format::Toml).unwrap_or_else(|_| panic!("{name} is not read"));
    for pattern in source.lines().filter_map(|line| line.strip_prefix("# pattern: ")) {
        let violations = replay(&system, pattern);
        assert!(violations.is_empty(), "{name}: {violations:?}");
    }
    let violations = check(&system, 1, 1, &effort(), &mut Tally::default());
    assert!(violations.is_empty(), "{name}: {violations:?}");
}

#[test]
fn nothing_that_once_disagreed_disagrees() {
    let files = kept();
    assert!(files.len() >= 3, "the kept cases are gone");
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    agrees(file);
                }
            });
        }
    });
}
