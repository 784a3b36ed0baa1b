//! What a verb answers to a call: its results, what is wrong with the description, or why it failed.

use clap::Parser;
use pyo3::prelude::*;
use vorrang::check::Check;
use vorrang::exit::{Failure, Found};
use vorrang::input::{Input, Source};
use vorrang::simulate::Simulate;
use vorrang_model::Diagnostic;

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
    Simulate(Simulate),
}

/// What is not meant or wrong in a description: code, message, line, column, help.
type Remark = (&'static str, String, usize, usize, Option<String>);

fn remarks(of: &[(Diagnostic, (usize, usize))]) -> Vec<Remark> {
    of.iter()
        .map(|(what, (line, column))| {
            (what.code.text(), what.message.clone(), *line, *column, what.help.clone())
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
        let source = verb.source();
        source.text = Some(text);
        let input = match source.examine() {
            Ok(input) => input,
            Err(refusal) => {
                let refused = Some(remarks(&refusal.diagnostics));
                return Answer { refused, ..Answer::failed(Failure::bad_input(refusal.message)) };
            }
        };
        let warnings = remarks(&input.warnings);
        match verb.found(input) {
            Ok(Found { json, text, exit }) => Answer {
                json: Some(json),
                text,
                exit: exit as u8,
                warnings,
                refused: None,
                failed: None,
            },
            Err(failure) => Answer { warnings, ..Answer::failed(failure) },
        }
    }
}

impl Verb {
    fn source(&mut self) -> &mut Source {
        match self {
            Self::Read { source } => source,
            Self::Check(check) => &mut check.source,
            Self::Simulate(simulate) => &mut simulate.source,
        }
    }

    fn found(&self, input: Input) -> Result<Found, Failure> {
        match self {
            Self::Read { .. } => Ok(Found {
                json: String::new(),
                text: String::new(),
                exit: vorrang::exit::Exit::Success,
            }),
            Self::Check(check) => check.found(input),
            Self::Simulate(simulate) => simulate.found(input),
        }
    }
}

impl Answer {
    fn failed(Failure { exit, message }: Failure) -> Self {
        Self {
            json: None,
            text: String::new(),
            exit: exit as u8,
            warnings: Vec::new(),
            refused: None,
            failed: Some(message),
        }
    }
}
