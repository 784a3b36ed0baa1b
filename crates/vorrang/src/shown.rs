//! The selection of the result of a check that is shown, from the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use vorrang_verdict::outcome::Verdict;
use vorrang_verdict::report::View;

/// The selection.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Shown {
    /// Show requirements with these verdicts only, such as refuted,undecided
    #[arg(long, value_name = "VERDICTS", value_parser = verdict(), value_delimiter = ',')]
    only: Vec<Verdict>,
    /// Show every requirement, reason and loss, without a limit
    #[arg(long)]
    all: bool,
}

impl Shown {
    /// The same for the report.
    pub fn view(&self) -> View {
        View { only: self.only.clone(), all: self.all }
    }
}

fn verdict() -> impl TypedValueParser<Value = Verdict> {
    let value = |verdict: Verdict| {
        PossibleValue::new(verdict.word()).help(match verdict {
            Verdict::Proven => "It holds in every history",
            Verdict::Undecided => "Neither a proof nor a history against it was found",
            Verdict::Refuted => "A history breaks it",
        })
    };
    PossibleValuesParser::new(Verdict::ALL.map(value)).map(|word| {
        let named = Verdict::ALL.into_iter().find(|verdict| verdict.word() == word);
        named.expect("one of the possible values")
    })
}
