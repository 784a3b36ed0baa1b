//! How a bound comes about, in words and numbers.

use crate::load::Loads;
use core::fmt;
use vorrang_time::Duration;

/// The text of an explanation while it is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    text: Vec<String>,
    depth: usize,
}

impl Lines {
    /// Adds a line at the present depth.
    pub fn push(&mut self, line: impl AsRef<str>) {
        self.text.push(format!("{:1$}{2}", "", 2 * self.depth, line.as_ref()));
    }

    /// Adds the source of what was said.
    pub fn cite(&mut self, source: &str) {
        self.push(format!("[{source}]"));
    }

    /// Everything that `inside` adds stands one step to the right.
    pub fn indented(&mut self, inside: impl FnOnce(&mut Self)) {
        self.depth += 1;
        inside(self);
        self.depth -= 1;
    }

    /// What holds it up once in a busy window, if anything does.
    pub fn blocking(&mut self, blocking: Duration) {
        if !blocking.is_zero() {
            self.push(format!("blocking by less urgent work: {blocking}"));
        }
    }

    /// The interference of `loads` in `window`, by name; returns it together with `own`.
    pub fn terms(&mut self, own: Duration, loads: Loads<'_>, window: Duration) -> Duration {
        let mut demand = own;
        self.indented(|lines| {
            for load in loads.iter() {
                if let Some(inside) = load.used_by.filter(|_| load.is_used_less(window)) {
                    lines.push(format!("{}: no more than what is in it asks for", load.name));
                    demand = lines.terms(demand, Loads::new(inside), window);
                    continue;
                }
                let count = load.occurrences(window);
                let time = load.cost * count;
                demand += time;
                lines.push(format!(
                    "{}: {} x {} = {count} x {} = {time}",
                    load.name,
                    load.count_in_words(window),
                    load.cost,
                    load.cost
                ));
                if let Some(deadline) = load.kept_until {
                    let kept = load.kept(window, deadline);
                    demand += kept;
                    lines.indented(|lines| {
                        lines.push(format!(
                            "kept of the budget before, deadline {deadline}: {kept}"
                        ));
                    });
                }
            }
        });
        demand
    }
}

/// How the bound of one requirement comes about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation(pub(crate) Lines);

impl Explanation {
    /// The lines, indented by two spaces a level.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.0.text.iter().map(String::as_str)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines().try_for_each(|line| writeln!(f, "{line}"))
    }
}
