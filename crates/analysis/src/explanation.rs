//! How a bound comes about, in words and numbers.

use crate::fixed_priority::Response;
use crate::load::{Load, Loads};
use crate::supply::Supply;
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

    /// The worst job of a busy window under fixed priority.
    pub(crate) fn busy_window(&mut self, own: &Load<'_>, worst: &Response) {
        let count = worst.job + 1;
        self.push(format!(
            "{}: job {count} of the busy window completes {} after its start: response time {}",
            own.name, worst.window, worst.bound
        ));
        self.indented(|lines| {
            lines.push(format!("own work: {count} x {} = {}", own.cost, own.cost * count));
        });
    }

    /// The windows of the fixed-point iteration from `work` alone, long ones shortened.
    pub(crate) fn iteration(&mut self, supply: &dyn Supply, work: Duration, loads: Loads<'_>) {
        const SHOWN: usize = 12;
        let mut steps: Vec<Duration> = Vec::new();
        let mut next = supply.time_for(work);
        while let Ok(window) = next {
            if steps.last() == Some(&window) {
                break;
            }
            steps.push(window);
            next = loads.in_window(window).and_then(|load| supply.time_for(work + load));
        }
        let mut text: Vec<String> = steps.iter().map(ToString::to_string).collect();
        if text.len() > SHOWN {
            let hidden = text.len() - SHOWN;
            let middle = SHOWN / 2..SHOWN / 2 + hidden;
            text.splice(middle, [format!("({hidden} steps)")]);
        }
        self.push(format!("iteration: {}", text.join(" -> ")));
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
