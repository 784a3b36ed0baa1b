//! Several descriptions: each is judged, whatever is wrong with others; then all are printed in one form.

use super::form::Form;
use std::path::{Path, PathBuf};
use vorrang_ci::{Judged, Worst, annotations, json, junit, sarif, text};
use vorrang_command::decided;
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::input::{Source, tell_warnings};
use vorrang_command::interruption;
use vorrang_command::screen;
use vorrang_model::LastText;
use vorrang_sim::Search;
use vorrang_verdict::report::View;

/// How they are judged and shown.
pub(super) struct Several<'a> {
    /// What is said of all of them on the command line.
    pub(super) source: &'a Source,
    pub(super) view: View,
    pub(super) limits: Search,
    pub(super) helps: bool,
}

impl Several<'_> {
    /// What is printed of these files.
    ///
    /// # Errors
    /// A bug came to light.
    pub(super) fn output(
        &self,
        files: &[PathBuf],
        form: Form,
        undecided: junit::Undecided,
        is_brief: bool,
    ) -> Result<Output, Failure> {
        let judged = files.iter().take_while(|_| !interruption::is_wanted());
        let judged: Vec<Judged> =
            judged.map(|file| self.judged(file)).collect::<Result<_, Failure>>()?;
        let screen = screen::output();
        let text = match form {
            Form::Text if is_brief => text::brief(screen, &judged),
            Form::Text => text::whole(screen, &judged, &self.view),
            Form::Json => json::text(&judged, &self.view),
            Form::Junit => junit::text(&judged, undecided),
            Form::Sarif => sarif::text(&judged),
            Form::Github => annotations::text(&judged),
        };
        let worst = if judged.len() < files.len() { Worst::Interrupted } else { Worst::Proven };
        Ok(Output { text, exit: exit(worst.max(Worst::of(&judged))) })
    }

    /// Errors and warnings go to standard error.
    fn judged(&self, file: &Path) -> Result<Judged, Failure> {
        let source = Source { file: file.to_owned(), ..self.source.clone() };
        let (bytes, input) = source.seen(&mut LastText::default());
        let outcome = match input {
            Ok(input) => {
                tell_warnings(&input, &bytes);
                Ok(decided::checked(input, self.limits, self.helps)?)
            }
            Err(refusal) => {
                eprint!("{}", refusal.message);
                Err(refusal)
            }
        };
        Ok(Judged::new(file.to_owned(), &bytes, source.format(), outcome))
    }
}

fn exit(worst: Worst) -> Exit {
    match worst {
        Worst::Proven => Exit::Success,
        Worst::Undecided => Exit::Undecided,
        Worst::Interrupted => Exit::Interrupted,
        Worst::Refuted => Exit::Refuted,
        Worst::Wrong => Exit::BadInput,
    }
}
