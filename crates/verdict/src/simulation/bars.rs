//! A distribution as bars in the terminal.
//!
//! ```text
//! task.log: 100 jobs
//!  [us]    jobs
//!  3000      12  ███████████▍
//!  3200      49  ████████████████████████████████████████████████
//!  3400       0
//!  3600       1  ▏
//! ```
//!
//! **Model.** Steps of one round length; a line counts the jobs that took from its time up to the
//! next line's. The longest bar is full; whatever occurred has at least the thinnest.

use crate::distribution::Distribution;
use crate::gantt::{Characters, round_lengths};
use crate::unit::Unit;
use std::fmt::Write as _;
use vorrang_time::Duration;

/// The most lines of a picture.
const LINES: u64 = 24;

/// The length of the longest bar.
const WIDTH: u64 = 50;

/// Eighths of a character.
const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// The picture under its name.
pub(super) fn draw(name: &str, distribution: &Distribution, characters: Characters) -> String {
    let (Some(shortest), Some(longest)) = (distribution.shortest(), distribution.longest()) else {
        return format!("{name}: nothing completed\n");
    };
    let step = round_lengths()
        .find(|&step| longest.div_floor(step) - shortest.div_floor(step) < LINES)
        .unwrap_or(Duration::MAX);
    let first = shortest.div_floor(step);
    let mut counts = vec![0_u64; usize::try_from(longest.div_floor(step) - first + 1).unwrap_or(1)];
    for bucket in distribution.buckets() {
        let line = bucket.largest().div_floor(step) - first;
        counts[usize::try_from(line).unwrap_or(0)] += bucket.count;
    }
    lines(name, first, step, &counts, characters)
}

fn lines(name: &str, first: u64, step: Duration, counts: &[u64], characters: Characters) -> String {
    // A single line has no step to be read.
    let unit = Unit::dividing(if counts.len() == 1 && first > 0 { step * first } else { step });
    let from = |line: usize| unit.whole(step * (first + line as u64)).to_string();
    let header = format!("[{}]", unit.name());
    let width = from(counts.len() - 1).len().max(header.len());
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let digits = most.to_string().len().max("jobs".len());
    let mut out = format!("{name}\n  {header:>width$}  {:>digits$}\n", "jobs");
    for (line, &count) in counts.iter().enumerate() {
        let text =
            format!("  {:>width$}  {count:>digits$}  {}", from(line), bar(count, most, characters));
        let _ = writeln!(out, "{}", text.trim_end());
    }
    out
}

fn bar(count: u64, most: u64, characters: Characters) -> String {
    let parts = if characters == Characters::Unicode { 8 } else { 1 };
    let length = u128::from(count) * u128::from(WIDTH * parts) / u128::from(most);
    // Whatever occurred is seen.
    let length = usize::try_from(length).unwrap_or(0).max(usize::from(count > 0));
    match characters {
        Characters::Ascii => "#".repeat(length),
        Characters::Unicode => {
            let rest = EIGHTHS[length % 8];
            format!("{}{rest}", "█".repeat(length / 8)).trim_end().to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::Resolution;

    fn example() -> Distribution {
        let mut distribution = Distribution::new(Resolution::shared(1, Duration::from_ms(10)));
        for us in (0..1000).map(|step| 3_000 + step * step % 601) {
            distribution.record(Duration::from_us(us));
        }
        distribution.record(Duration::from_us(4_710));
        distribution
    }

    #[test]
    fn a_lonely_outlier_is_seen() {
        insta::assert_snapshot!(draw("task.log", &example(), Characters::Unicode));
    }

    #[test]
    fn ascii_says_the_same() {
        let drawn = draw("task.log", &example(), Characters::Ascii);
        assert!(drawn.is_ascii());
        insta::assert_snapshot!(drawn);
    }

    #[test]
    fn one_response_is_one_bar() {
        let mut distribution = Distribution::new(Resolution::shared(1, Duration::from_ms(10)));
        assert_eq!(draw("task.x", &distribution, Characters::Ascii), "task.x: nothing completed\n");
        distribution.record(Duration::from_ns(0));
        let bar = "#".repeat(50);
        let drawn = draw("task.x", &distribution, Characters::Ascii);
        assert_eq!(drawn, format!("task.x\n  [ns]  jobs\n     0     1  {bar}\n"));
    }
}
