//! Numbers for Prometheus, in its text format: a file for the collector of a node exporter, or an answer to a scrape.
//!
//! **Model.** A family has a name, a kind and a help; a sample is a family's name, labels and a decimal number. Times are
//! seconds, written exactly from nanoseconds. <https://prometheus.io/docs/instrumenting/exposition_formats/>

use std::fmt::Write as _;
use vorrang_enforce::journal::Described;
use vorrang_quote::visible;
use vorrang_time::Duration;

/// What a number does from one scrape to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It grows, or begins anew.
    Counter,
    /// It goes up and down.
    Gauge,
}

/// Families of samples, in the order in which they were begun.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    text: String,
    name: String,
}

impl Metrics {
    /// Begins a family; what is said of it is one line.
    pub fn family(&mut self, name: &str, kind: Kind, help: &str) {
        self.name = format!("vorrang_{name}");
        let kind = match kind {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
        };
        let name = &self.name;
        writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}")
            .expect("a string takes everything");
    }

    /// Begins with whether a description is applied, and which.
    pub fn applied(described: Option<&Described>) -> Self {
        let mut metrics = Self::default();
        metrics.family("applied", Kind::Gauge, "Whether a description is applied, and which.");
        match described {
            None => metrics.count(&[], 0),
            Some(Described { description, sha256, verdict }) => {
                let [description, sha256, verdict] =
                    [description, sha256, verdict].map(|own| visible(own));
                let labels =
                    [("description", &*description), ("sha256", &sha256), ("verdict", &verdict)];
                metrics.count(&labels, 1);
            }
        }
        metrics
    }

    /// A number of the family that was begun last.
    pub fn count(&mut self, labels: &[(&str, &str)], value: u64) {
        self.sample(labels, &value.to_string());
    }

    /// A time of it, in seconds.
    pub fn time(&mut self, labels: &[(&str, &str)], time: Duration) {
        let (seconds, rest) = (time.as_ns() / 1_000_000_000, time.as_ns() % 1_000_000_000);
        self.sample(labels, &format!("{seconds}.{rest:09}"));
    }

    /// A part of a whole, with six digits; nothing where there is no whole.
    pub fn ratio(&mut self, labels: &[(&str, &str)], part: u64, whole: u64) {
        let millionths = (u128::from(part) * 1_000_000).checked_div(u128::from(whole));
        if let Some(millionths) = millionths {
            let (ones, rest) = (millionths / 1_000_000, millionths % 1_000_000);
            self.sample(labels, &format!("{ones}.{rest:06}"));
        }
    }

    fn sample(&mut self, labels: &[(&str, &str)], value: &str) {
        let labels = labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value)));
        let labels = labels.collect::<Vec<_>>().join(",");
        let labels = if labels.is_empty() { labels } else { format!("{{{labels}}}") };
        writeln!(self.text, "{}{labels} {value}", self.name).expect("a string takes everything");
    }

    /// All of it.
    pub fn text(self) -> String {
        self.text
    }
}

/// As the value of a label.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_exact_and_names_end_no_line() {
        let mut metrics = Metrics::default();
        metrics.family("time_seconds", Kind::Counter, "Some time.");
        metrics.time(&[("of", "a\"b\\c\nd")], Duration::from_ns(1_000_000_001));
        metrics.family("share", Kind::Gauge, "Some share.");
        metrics.ratio(&[], 1, 3);
        metrics.ratio(&[], u64::MAX, 1);
        metrics.ratio(&[], 1, 0);
        metrics.count(&[("of", "x"), ("cpu", "3")], 7);
        assert_eq!(
            metrics.text(),
            "# HELP vorrang_time_seconds Some time.\n\
             # TYPE vorrang_time_seconds counter\n\
             vorrang_time_seconds{of=\"a\\\"b\\\\c\\nd\"} 1.000000001\n\
             # HELP vorrang_share Some share.\n\
             # TYPE vorrang_share gauge\n\
             vorrang_share 0.333333\n\
             vorrang_share 18446744073709551615.000000\n\
             vorrang_share{of=\"x\",cpu=\"3\"} 7\n"
        );
    }
}
