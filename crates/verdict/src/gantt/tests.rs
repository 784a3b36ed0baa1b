//! What a chart looks like.

use super::*;
use crate::screen::PLAIN;

fn at(ms: u64) -> Instant {
    Instant::ZERO + Duration::from_ms(ms)
}

fn chart() -> Chart {
    let server = Row {
        name: "vcpu.b".to_owned(),
        stretches: vec![
            (at(5_040), at(5_050), Activity::Idled),
            (at(5_100), at(5_120), Activity::Ran),
            (at(5_150), at(5_163), Activity::Ran),
        ],
        ..Row::default()
    };
    let task = Row {
        name: "task.control".to_owned(),
        depth: 1,
        stretches: server.stretches[1..].to_vec(),
        marks: vec![
            (at(5_050), Mark::Release),
            (at(5_151), Mark::Miss),
            (at(5_151), Mark::Release),
            (at(9_000), Mark::Release),
        ],
    };
    Chart { from: at(5_041), to: at(5_160), rows: vec![server, task] }
}

#[test]
fn a_miss_is_seen_at_a_glance() {
    insta::assert_snapshot!(chart().draw(PLAIN, Characters::Unicode));
}

#[test]
fn ascii_says_the_same() {
    let drawn = chart().draw(PLAIN, Characters::Ascii);
    assert!(drawn.is_ascii());
    insta::assert_snapshot!(drawn);
}

#[test]
fn every_window_fits() {
    for ns in [0, 1, 59, 60, 61, 12_345, 999_999_999, 1_000_000_000_000_000] {
        for from in [0, 7, 1_234_567] {
            let grid = Grid::over(Instant::from_ns(from), Instant::from_ns(from + ns));
            assert!(grid.count as u64 <= COLUMNS, "{ns} ns from {from}: {}", grid.count);
            assert_eq!(grid.column_of(Instant::from_ns(from + ns)), Some(grid.count - 1));
        }
    }
}
