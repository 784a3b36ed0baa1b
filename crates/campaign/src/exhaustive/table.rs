//! Counts by row, and the table of them.

use super::draw::ROWS;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Parts of a whole in which the means are counted.
const WHOLE: u64 = 1_000_000;

/// One row, with or without best-effort work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Systems whose every history was explored.
    pub explored: u64,
    /// The longest response is the bound.
    pub tight: u64,
    /// The sum of longest response / bound, in millionths, each rounded down.
    sum: u64,
    /// Drawn without a bound.
    pub unbounded: u64,
    /// With more states than the limit.
    pub too_large: u64,
}

impl Counts {
    /// A system that was explored.
    pub fn add(&mut self, longest: u64, bound: u64) {
        self.explored += 1;
        self.tight += u64::from(longest == bound);
        self.sum += longest * WHOLE / bound.max(1);
    }

    fn merge(&mut self, other: &Self) {
        self.explored += other.explored;
        self.tight += other.tight;
        self.sum += other.sum;
        self.unbounded += other.unbounded;
        self.too_large += other.too_large;
    }

    /// Share of tight ones in percent, and mean in thousandths, both rounded down.
    fn shares(&self) -> Option<(u64, u64)> {
        let all = Some(self.explored).filter(|all| *all > 0)?;
        Some((self.tight * 100 / all, self.sum / (all * (WHOLE / 1000))))
    }

    fn cells(&self) -> String {
        let shares = self.shares().map_or("| – | – ".to_owned(), |(tight, mean)| {
            format!("| {tight} % | {}.{:03} ", mean / 1000, mean % 1000)
        });
        format!("| {} {shares}", self.explored)
    }

    fn json(&self) -> Value {
        let shares = self.shares();
        json!({
            "explored": self.explored,
            "tight": self.tight,
            "mean-permille": shares.map(|(_, mean)| mean),
            "unbounded": self.unbounded,
            "too-large": self.too_large,
        })
    }
}

/// All of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// By row: without and with best-effort work.
    pub rows: Vec<[Counts; 2]>,
    /// States of all systems.
    pub states: u64,
    /// By the index of the system.
    pub violations: Vec<(u64, String)>,
}

impl Default for Table {
    fn default() -> Self {
        Self { rows: vec![Default::default(); ROWS.len()], states: 0, violations: Vec::new() }
    }
}

impl Table {
    /// Both together.
    pub fn merge(&mut self, other: Self) {
        for (own, other) in self.rows.iter_mut().flatten().zip(other.rows.iter().flatten()) {
            own.merge(other);
        }
        self.states += other.states;
        self.violations.extend(other.violations);
    }

    /// As a table of Markdown, and what is not in it.
    pub fn text(&self) -> String {
        let head = "| | systems | tight | mean | with best-effort work: systems | tight | mean |\n";
        let mut text = format!("{head}|---|---|---|---|---|---|---|\n");
        for (row, [without, with]) in ROWS.iter().zip(&self.rows) {
            let _ = writeln!(text, "| {} {}{}|", row.name, without.cells(), with.cells());
        }
        let of = |count: fn(&Counts) -> u64| self.rows.iter().flatten().map(count).sum::<u64>();
        let (explored, unbounded) = (of(|c| c.explored), of(|c| c.unbounded));
        let _ = writeln!(
            text,
            "\n{explored} systems explored, {} states; {unbounded} without a bound, {} too large",
            self.states,
            of(|c| c.too_large)
        );
        let _ = writeln!(text, "{} violations", self.violations.len());
        for (index, violation) in &self.violations {
            let _ = writeln!(text, "system {index}: {violation}");
        }
        text
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let row = |(row, counts): (&super::draw::Row, &[Counts; 2])| {
            let [without, with] = counts;
            json!({"name": row.name, "without": without.json(), "with": with.json()})
        };
        let violation = |(index, what): &(u64, String)| json!({"system": index, "what": what});
        json!({
            "rows": ROWS.iter().zip(&self.rows).map(row).collect::<Vec<_>>(),
            "states": self.states,
            "violations": self.violations.iter().map(violation).collect::<Vec<_>>(),
        })
    }
}
