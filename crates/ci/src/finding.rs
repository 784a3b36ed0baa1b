//! What is to be said of a file: cases, which were decided, and findings, which a reader must look at.

use crate::judged::{Judged, Spot};
use vorrang_verdict::cause::Cause;
use vorrang_verdict::chain::{self, ChainRuling};
use vorrang_verdict::checked::Checked;
use vorrang_verdict::guarantee::Guarantee;
use vorrang_verdict::help::Help;
use vorrang_verdict::input::{Included, Placed};
use vorrang_verdict::outcome::Verdict;
use vorrang_verdict::replay::Replay;
use vorrang_verdict::ruling::Ruling;
use vorrang_verdict::statement;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Something is refuted, or the description is wrong.
    Error,
    /// Something is not decided, or probably not meant.
    Warning,
}

/// Something about a file that a reader must look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its code, which `vorrang explain` knows; `None`: the file could not be read at all.
    pub code: Option<&'static str>,
    /// How bad it is.
    pub severity: Severity,
    /// The full name of what it is about, where that is a requirement or a server.
    pub of: Option<String>,
    /// What it is.
    pub text: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The command that shows it.
    pub replay: Option<String>,
    /// Where it is; `None`: the text does not name it.
    pub place: Option<Spot>,
}

/// Something that was decided: a requirement, or the budget of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What was checked.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What is to be said of it, where it is not proven.
    pub finding: Option<Finding>,
    /// What it rests on, where that is an average.
    pub on: Option<String>,
}

impl Finding {
    /// What it is, and what else is known about it, in lines.
    pub fn lines(&self) -> String {
        let replay = self.replay.as_ref().map(|replay| format!("\nTo see it: {replay}"));
        let help = self.help.as_ref().map(|help| format!("\nhelp: {help}"));
        format!("{}{}{}", self.text, replay.unwrap_or_default(), help.unwrap_or_default())
    }
}

impl Judged {
    /// What was decided; nothing where the file was refused.
    pub fn cases(&self) -> Vec<Case> {
        let Ok(checked) = &self.outcome else { return Vec::new() };
        let requirements = checked.rulings.iter().map(|ruling| self.requirement(checked, ruling));
        let budgets = checked.guarantees.iter().map(|guarantee| self.budget(guarantee));
        let chains = checked.chains.iter().map(|ruling| self.chain(checked, ruling));
        requirements.chain(budgets).chain(chains).collect()
    }

    /// Errors and warnings, then everything that is not proven.
    pub fn findings(&self) -> Vec<Finding> {
        let remarks = match &self.outcome {
            Err(refusal) if refusal.diagnostics.is_empty() => vec![unreadable(&refusal.message)],
            Err(refusal) => remarks(&refusal.diagnostics, &refusal.included),
            Ok(checked) => remarks(&checked.input.warnings, &checked.input.included),
        };
        remarks.into_iter().chain(self.cases().into_iter().filter_map(|own| own.finding)).collect()
    }

    fn requirement(&self, checked: &Checked, ruling: &Ruling) -> Case {
        let witness = ruling.witness.as_ref();
        let replay = witness.map(|witness| {
            let (input, seen) = (&checked.input, &checked.observations);
            Replay::of(input, seen, ruling.core, &witness.pattern).to_string()
        });
        let finding = statement::of_ruling(ruling).map(|text| Finding {
            code: ruling.cause().map(Cause::code),
            severity: match ruling.verdict {
                Verdict::Refuted => Severity::Error,
                Verdict::Undecided | Verdict::Proven => Severity::Warning,
            },
            of: Some(ruling.name.clone()),
            text,
            help: said(ruling.help.as_ref()),
            replay,
            place: self.places.get(&ruling.name).cloned(),
        });
        let on = (!ruling.averages.is_empty()).then(|| {
            format!(
                "{}: the average of cold caches of {}",
                ruling.word(),
                ruling.averages.join(", ")
            )
        });
        Case { name: ruling.name.clone(), verdict: ruling.verdict, finding, on }
    }

    fn chain(&self, checked: &Checked, ruling: &ChainRuling) -> Case {
        let replays = chain::replays(&checked.input, &checked.observations, ruling);
        let finding = chain::statement(ruling).map(|text| Finding {
            code: Some(ruling.reason.as_ref().map_or(Cause::Missed, |why| why.of).code()),
            severity: match ruling.verdict {
                Verdict::Refuted => Severity::Error,
                Verdict::Undecided | Verdict::Proven => Severity::Warning,
            },
            of: Some(ruling.name.clone()),
            text,
            help: said(ruling.help.as_ref()),
            replay: (!replays.is_empty()).then(|| replays.join("; ")),
            place: self.places.get(&ruling.name).cloned(),
        });
        let name = format!("{} of {}", ruling.asked.word(), ruling.name);
        Case { name, verdict: ruling.verdict, finding, on: None }
    }

    fn budget(&self, guarantee: &Guarantee) -> Case {
        let finding = statement::of_guarantee(guarantee).map(|text| Finding {
            code: guarantee.found.as_ref().err().map(|(cause, _)| cause.code()),
            severity: Severity::Warning,
            of: Some(guarantee.name.clone()),
            text,
            help: said(guarantee.help.as_ref()),
            replay: None,
            place: self.places.get(&guarantee.name).cloned(),
        });
        let name = format!("budget of {}", guarantee.name);
        Case { name, verdict: guarantee.verdict(), finding, on: None }
    }
}

fn said(help: Option<&Help>) -> Option<String> {
    help.map(|help| help.text.clone())
}

fn remarks(of: &[Placed], included: &[Included]) -> Vec<Finding> {
    of.iter().map(|placed| remark(placed, included)).collect()
}

fn remark((diagnostic, place): &Placed, included: &[Included]) -> Finding {
    let name = diagnostic.file.as_deref();
    let file = included.iter().find(|of| Some(of.file.as_str()) == name);
    let is_warning = diagnostic.code.is_warning();
    Finding {
        code: Some(diagnostic.code.text()),
        severity: if is_warning { Severity::Warning } else { Severity::Error },
        of: None,
        text: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        replay: None,
        place: Some(Spot { file: file.map(|of| of.path.clone()), place: *place }),
    }
}

/// Of a message for people: `error: FILE: why`.
fn unreadable(message: &str) -> Finding {
    let text = message.trim().trim_start_matches("error: ").to_owned();
    let (code, severity) = (None, Severity::Error);
    Finding { code, severity, of: None, text, help: None, replay: None, place: None }
}
