//! The report of a campaign, as text and for programs.

use crate::peer::compare::Comparison;
use crate::tally::Tally;
use crate::tightness::Group;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// All results of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// The seed of the systems.
    pub seed: u64,
    /// How many systems were drawn.
    pub systems: u64,
    /// The counts.
    pub tally: Tally,
    /// Comparisons with the published crate, by name.
    pub comparisons: Vec<(&'static str, Comparison)>,
}

impl Report {
    /// There is no violation.
    pub fn clean(&self) -> bool {
        let same = |(_, comparison): &(_, Comparison)| comparison.different.is_empty();
        self.tally.violations.is_empty() && self.comparisons.iter().all(same)
    }

    /// As tables.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.coverage(&mut text);
        self.counts(&mut text);
        self.tightness(&mut text);
        self.comparisons(&mut text);
        self.violations(&mut text);
        text
    }

    fn coverage(&self, text: &mut String) {
        heading(text, "drawn");
        let mut group = "";
        for ((name, feature), count) in self.tally.coverage.counts() {
            let shown = if group == name { "" } else { name };
            group = name;
            let _ = writeln!(text, "{shown:<38} {feature:<26} {count:>10}");
        }
    }

    fn counts(&self, text: &mut String) {
        let tally = &self.tally;
        heading(text, "found");
        let tasks = (tally.bounded_tasks, tally.tasks);
        let interrupts = (tally.bounded_interrupts, tally.interrupts);
        for (name, (bounded, all)) in [("tasks", tasks), ("interrupts", interrupts)] {
            let percent = percent(bounded, all);
            let _ = writeln!(text, "{name:<38} {all:>10}, bounded {bounded} ({percent} %)");
        }
        for (verdict, count) in &tally.verdicts {
            let _ = writeln!(text, "requirements {verdict:<25} {count:>10}");
        }
        for (reason, count) in &tally.reasons {
            let _ = writeln!(text, "no bound: {reason:<41} {count:>10}");
        }
        heading(text, "checked");
        for (name, count) in tally.checks.named() {
            let _ = writeln!(text, "{name:<38} {count:>10}");
        }
        heading(text, "designed");
        for (name, count) in tally.designs.named() {
            let _ = writeln!(text, "{name:<38} {count:>10}");
        }
    }

    fn tightness(&self, text: &mut String) {
        heading(text, "longest observed response / bound, in thousandths");
        let _ = write!(text, "{:<15} {:<10} {:>5} {:>9}", "scheduler", "on", "depth", "count");
        let _ = write!(text, " {:>5}", "min");
        for decile in 1..=9 {
            let _ = write!(text, " {:>4}%", decile * 10);
        }
        let _ = writeln!(text, " {:>5} {:>5} {:>7}", "max", "mean", "exact %");
        for (Group { scheduler, server, depth }, tightness) in &self.tally.tightness {
            let count = tightness.count();
            let _ = write!(text, "{scheduler:<15} {server:<10} {depth:>5} {count:>9}");
            for decile in 0..=10 {
                let _ = write!(text, " {:>5}", tightness.quantile(decile, 10));
            }
            let (mean, exact) = (tightness.mean(), percent(tightness.exact(), count));
            let _ = writeln!(text, " {mean:>5} {exact:>7}");
        }
    }

    fn comparisons(&self, text: &mut String) {
        if self.comparisons.is_empty() {
            return;
        }
        heading(text, "response times against the crate response-time-analysis 0.3.2");
        for (name, Comparison { tasks, equal, neither, different }) in &self.comparisons {
            let different = different.len();
            let _ = writeln!(
                text,
                "{name:<52} tasks {tasks:>9}, equal {equal:>9}, unbounded in both {neither:>6}, different {different}"
            );
        }
        for (name, comparison) in &self.comparisons {
            for (set, task, pair) in comparison.different.iter().take(10) {
                let _ = writeln!(text, "different: {name}, set {set}, task {task}: {pair:?}");
            }
        }
    }

    fn violations(&self, text: &mut String) {
        let violations = &self.tally.violations;
        heading(text, "violations");
        for (index, violation) in violations {
            let _ = writeln!(text, "seed {} index {index}: {violation}", self.seed);
        }
        let _ = writeln!(text, "{} systems, violations {}", self.systems, violations.len());
    }

    /// As one JSON object.
    pub fn json(&self) -> Value {
        let tally = &self.tally;
        let coverage = tally
            .coverage
            .counts()
            .map(|((group, name), count)| json!({ "group": group, "name": name, "count": count }));
        let tightness = tally.tightness.iter().map(|(group, tightness)| {
            let deciles: Vec<u64> = (0..=10).map(|part| tightness.quantile(part, 10)).collect();
            json!({
                "scheduler": group.scheduler, "server": group.server, "depth": group.depth,
                "count": tightness.count(), "exact": tightness.exact(),
                "deciles_per_mille": deciles, "mean_per_mille": tightness.mean(),
            })
        });
        let comparisons = self.comparisons.iter().map(|(name, comparison)| {
            json!({
                "name": name, "tasks": comparison.tasks, "equal": comparison.equal,
                "neither": comparison.neither, "different": comparison.different.len(),
            })
        });
        let violations = tally
            .violations
            .iter()
            .map(|(index, violation)| json!({ "index": index, "what": violation.to_string() }));
        json!({
            "format": "vorrang-campaign/1",
            "tool": concat!("vorrang-campaign ", env!("CARGO_PKG_VERSION")),
            "seed": self.seed,
            "systems": self.systems,
            "tasks": { "all": tally.tasks, "bounded": tally.bounded_tasks },
            "interrupts": { "all": tally.interrupts, "bounded": tally.bounded_interrupts },
            "requirements": object(tally.verdicts.iter().map(|(name, count)| (*name, *count))),
            "unbounded": object(tally.reasons.iter().map(|(name, count)| (*name, *count))),
            "checks": object(tally.checks.named()),
            "designs": object(tally.designs.named()),
            "coverage": coverage.collect::<Vec<_>>(),
            "tightness": tightness.collect::<Vec<_>>(),
            "comparisons": comparisons.collect::<Vec<_>>(),
            "violations": violations.collect::<Vec<_>>(),
        })
    }
}

fn object(counts: impl IntoIterator<Item = (&'static str, u64)>) -> Value {
    let entries = counts.into_iter().map(|(name, count)| (name.to_owned(), Value::from(count)));
    Value::Object(entries.collect::<Map<_, _>>())
}

fn heading(text: &mut String, heading: &str) {
    let _ = writeln!(text, "\n== {heading} ==");
}

/// With one decimal.
fn percent(part: u64, whole: u64) -> String {
    let thousandths = part * 1_000 / whole.max(1);
    format!("{}.{}", thousandths / 10, thousandths % 10)
}
