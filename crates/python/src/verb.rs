//! What a verb answers to a call: its results, what is wrong with the description, or why it failed.

use clap::Parser;
use pyo3::prelude::*;
use vorrang::check::Check;
use vorrang::design::Design;
use vorrang::margin::Margin;
use vorrang::observe::Observe;
use vorrang::report::{self, Report};
use vorrang::simulate::Simulate;
use vorrang_command::exit::{Exit, Failure, Found};
use vorrang_command::input::Source;
use vorrang_model::Diagnostic;
use vorrang_verdict::input::{Input, Refusal};

/// One call.
pub(crate) struct Said {
    /// The verb and its options, as on the command line; the name of the file is put behind them.
    pub(crate) arguments: Vec<String>,
    /// What the description is called in messages; profiles are looked for beside it.
    pub(crate) name: String,
    /// The description.
    pub(crate) text: Vec<u8>,
}

/// The verbs that can be called, with the options that they have on the command line.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
enum Verb {
    /// Nothing but reading it.
    Read {
        #[command(flatten)]
        source: Source,
    },
    Check(Check),
    Margin(Margin),
    Simulate(Simulate),
    Observe(Box<Observe>),
    Report(Report),
    /// Of a description with values left open.
    Design(Design),
}

/// What is not meant or wrong in a description: code, message, line, column, help.
type Remark = (&'static str, String, usize, usize, Option<String>);

fn remarks(of: &[(Diagnostic, (usize, usize))]) -> Vec<Remark> {
    of.iter()
        .map(|(what, (line, column))| {
            let message = match &what.file {
                Some(file) => format!("{file}: {}", what.message),
                None => what.message.clone(),
            };
            (what.code.text(), message, *line, *column, what.help.clone())
        })
        .collect()
}

/// What a call comes to: `json` and `text`, or that it `failed`.
#[pyclass(frozen, get_all)]
pub(crate) struct Answer {
    /// What `--json` prints.
    json: Option<String>,
    /// What is printed without.
    text: String,
    /// The exit code.
    exit: u8,
    /// What is probably not meant.
    warnings: Vec<Remark>,
    /// What is wrong with the description, if it is that.
    refused: Option<Vec<Remark>>,
    /// Why it failed, ready to print.
    failed: Option<String>,
    /// The description that a design completes.
    completed: Option<Vec<u8>>,
    /// The page of a report.
    page: Option<String>,
    /// Its figures, by name.
    figures: Option<Vec<(String, String)>>,
}

impl Said {
    pub(crate) fn answer(self) -> Answer {
        let Self { mut arguments, name, text } = self;
        arguments.extend(["--".to_owned(), name]);
        let mut verb = match Verb::try_parse_from(arguments) {
            Ok(verb) => verb,
            Err(refusal) => {
                return Answer::failed(Failure::bad_input(refusal.render().to_string()));
            }
        };
        verb.source().text = Some(text);
        verb.answer().unwrap_or_else(Answer::refused)
    }
}

impl Verb {
    fn source(&mut self) -> &mut Source {
        match self {
            Self::Read { source } => source,
            Self::Check(check) => &mut check.source,
            Self::Margin(margin) => &mut margin.source,
            Self::Simulate(simulate) => &mut simulate.source,
            Self::Observe(observe) => &mut observe.source,
            Self::Report(report) => &mut report.source,
            Self::Design(design) => &mut design.source,
        }
    }

    fn answer(&self) -> Result<Answer, Refusal> {
        match self {
            Self::Read { source } => {
                let nothing = |_| {
                    let (json, text) = (String::new(), String::new());
                    Ok(Found { json, text, exit: Exit::Success })
                };
                found(source, nothing)
            }
            Self::Check(check) => found(&check.source, |input| check.found(input)),
            Self::Margin(margin) => found(&margin.source, |input| margin.found(input)),
            Self::Simulate(simulate) => found(&simulate.source, |input| simulate.found(input)),
            Self::Observe(observe) => found(&observe.source, |input| observe.found(input)),
            Self::Report(report) => reported(report),
            Self::Design(design) => Ok(match design.found(design.source.read_open()?) {
                Ok((found, completed)) => Answer { completed, ..Answer::of(found) },
                Err(failure) => Answer::failed(failure),
            }),
        }
    }
}

/// What a verb does with a complete description.
fn found(
    source: &Source,
    verb: impl FnOnce(Input) -> Result<Found, Failure>,
) -> Result<Answer, Refusal> {
    let input = source.examine()?;
    let warnings = remarks(&input.warnings);
    let answer = verb(input).map_or_else(Answer::failed, Answer::of);
    Ok(Answer { warnings, ..answer })
}

/// A check as a page.
fn reported(report: &Report) -> Result<Answer, Refusal> {
    let input = report.source.examine()?;
    let warnings = remarks(&input.warnings);
    Ok(match report.made(input) {
        Err(failure) => Answer { warnings, ..Answer::failed(failure) },
        Ok((report::Said { text, exit }, made)) => {
            let figures = made.figures.iter().map(|figure| (figure.name(), figure.svg()));
            let figures = Some(figures.collect());
            let found = Answer::of(Found { json: String::new(), text, exit });
            Answer { warnings, page: Some(made.html), figures, ..found }
        }
    })
}

impl Answer {
    fn of(Found { json, text, exit }: Found) -> Self {
        Self {
            json: Some(json),
            text,
            exit: exit as u8,
            warnings: Vec::new(),
            refused: None,
            failed: None,
            completed: None,
            page: None,
            figures: None,
        }
    }

    fn refused(refusal: Refusal) -> Self {
        let refused = Some(remarks(&refusal.diagnostics));
        Self { refused, ..Self::failed(Failure::bad_input(refusal.message)) }
    }

    fn failed(Failure { exit, message }: Failure) -> Self {
        Self {
            json: None,
            text: String::new(),
            exit: exit as u8,
            warnings: Vec::new(),
            refused: None,
            failed: Some(message),
            completed: None,
            page: None,
            figures: None,
        }
    }
}
