//! Findings as text, and as a document for programs.

use serde_json::{Value, json};
use std::fmt::Write as _;
use vorrang_command::screen::{toned, wrapped};
use vorrang_doctor::{Finding, State};
use vorrang_enforce::Told;
use vorrang_quote::visible;
use vorrang_verdict::identity::TOOL;
use vorrang_verdict::screen::Tone;

/// The format of the document.
pub(crate) const FORMAT: &str = "vorrang-doctor/1";

pub(super) struct Report {
    /// What it is about.
    pub(super) subject: String,
    /// The release of the kernel, as far as it is known.
    pub(super) release: String,
    /// In the order in which a kernel would say them.
    pub(super) findings: Vec<Finding>,
    /// What a plan reads of the machine, where it is about one.
    pub(super) machine: Option<Told>,
}

impl Report {
    /// For people: what stops it, what costs time, what cannot be seen, and the rest if asked for.
    pub(super) fn text(&self, all: bool) -> String {
        let mut out = wrapped(&self.summary(), "", "");
        for state in [State::Stops, State::Costs, State::Unknown, State::Absent] {
            if state == State::Absent && !all {
                continue;
            }
            for finding in self.of(state) {
                out += &shown(finding);
            }
        }
        out
    }

    fn of(&self, state: State) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.state == state)
    }

    fn summary(&self) -> String {
        let count = |state: State| self.of(state).count();
        let release = if self.release.is_empty() {
            String::new()
        } else {
            format!(", Linux {}", visible(&self.release))
        };
        let stops = match count(State::Stops) {
            0 => "nothing stops it".to_owned(),
            1 => "1 cause stops it".to_owned(),
            many => format!("{many} causes stop it"),
        };
        let costs = match count(State::Costs) {
            1 => "1 cause costs time".to_owned(),
            many => format!("{many} causes cost time"),
        };
        format!(
            "{}{release}: {stops}, {costs}, {} cannot be seen, {} are absent.",
            self.subject,
            count(State::Unknown),
            count(State::Absent)
        )
    }

    /// For programs, with a line feed at the end.
    pub(super) fn document(&self) -> String {
        let findings: Vec<Value> = self.findings.iter().map(|finding| json!(finding)).collect();
        let mut document = json!({
            "format": FORMAT,
            "tool": TOOL,
            "subject": self.subject,
            "release": self.release,
            "stops": self.of(State::Stops).next().is_some(),
            "findings": findings,
        });
        if let Some(machine) = &self.machine {
            document["machine"] = json!(machine);
        }
        format!("{document:#}\n")
    }
}

fn shown(finding: &Finding) -> String {
    let word = finding.state.word();
    let tone = match finding.state {
        State::Stops => Tone::Bad,
        State::Costs | State::Unknown => Tone::Open,
        State::Absent => Tone::Good,
    };
    let mut out = format!("\n{} {}\n", toned(word, tone), finding.cause);
    out += &wrapped(&visible(&finding.says), "  ", "  ");
    for read in &finding.read {
        let _ = writeln!(out, "    {}: {}", visible(&read.from), visible(&read.value));
    }
    if !finding.remedy.is_empty() {
        out += &wrapped(&visible(&finding.remedy), "  > ", "    ");
    }
    out
}
