//! The forms in which results are printed.

use vorrang_ci::junit;
use vorrang_command::exit::Failure;

/// How the result is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Form {
    /// For people
    Text,
    /// "vorrang-check/1" of one file; of several or a folder "vorrang-checks/1"
    Json,
    /// JUnit: a suite for each file, a case for each requirement and budget
    Junit,
    /// SARIF 2.1.0: what is not proven, wrong or probably not meant, with its place
    Sarif,
    /// Annotations of GitHub: the same
    Github,
}

/// What an undecided requirement is in JUnit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Undecided {
    /// It has failed: nothing proves it
    Failure,
    /// It was skipped
    Skipped,
}

impl From<Undecided> for junit::Undecided {
    fn from(undecided: Undecided) -> Self {
        match undecided {
            Undecided::Failure => Self::Failure,
            Undecided::Skipped => Self::Skipped,
        }
    }
}

/// Refuses what another form does not have.
///
/// # Errors
/// `--undecided` without JUnit.
pub(super) fn refuse(form: Form, undecided: Undecided) -> Result<(), Failure> {
    if undecided == Undecided::Skipped && form != Form::Junit {
        return Err(Failure::bad_input("error: --undecided needs --output-format junit\n"));
    }
    Ok(())
}
