//! The exit codes, a documented type: part of the public interface.

use std::process::{ExitCode, ExitStatus};
use vorrang_verdict::bug::Bug;
use vorrang_verdict::outcome::Verdict;

/// What the exit code of a program says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// 0: every requirement is proven; or the command succeeded.
    Success = 0,
    /// 1: a requirement is refuted: a history breaks it.
    Refuted = 1,
    /// 2: the input or the command line is wrong.
    BadInput = 2,
    /// 3: no requirement is refuted, but one is undecided; or there is none at all.
    Undecided = 3,
    /// 4: the host cannot do it, such as write the output.
    Host = 4,
    /// 70: a bug of vorrang: please report it.
    Bug = 70,
    /// 130: Ctrl-C ended it; what was known by then is printed, and breaks no requirement.
    Interrupted = 130,
}

impl Exit {
    /// A description that requires nothing must not look like one that is proven.
    pub const fn of_verdict(verdict: Option<Verdict>) -> Self {
        match verdict {
            Some(Verdict::Proven) => Self::Success,
            Some(Verdict::Undecided) | None => Self::Undecided,
            Some(Verdict::Refuted) => Self::Refuted,
        }
    }

    /// The one with which another process has ended; none that is known, or a signal: the host could not do it.
    pub fn of_process(status: ExitStatus) -> Self {
        let all = [Self::Success, Self::Refuted, Self::BadInput, Self::Undecided, Self::Bug];
        let code = |exit: &Self| Some(*exit as i32) == status.code();
        all.into_iter().find(code).unwrap_or(Self::Host)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command failed; printed to standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// The complete message.
    pub message: String,
}

impl Failure {
    /// The user asked for something impossible: exit code 2.
    pub fn bad_input(message: impl Into<String>) -> Self {
        Self { exit: Exit::BadInput, message: message.into() }
    }

    /// The host cannot do it: exit code 4.
    pub fn host(message: impl Into<String>) -> Self {
        Self { exit: Exit::Host, message: message.into() }
    }
}

impl From<Bug> for Failure {
    fn from(Bug(message): Bug) -> Self {
        Self { exit: Exit::Bug, message }
    }
}

/// The result of a command that succeeded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Everything for standard output.
    pub text: String,
    /// The exit code.
    pub exit: Exit,
}

impl Output {
    /// Text, and exit code 0.
    pub fn success(text: impl Into<String>) -> Self {
        Self { text: text.into(), exit: Exit::Success }
    }
}

/// The findings of a verb, for a program that displays them itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// As `--json` prints it.
    pub json: String,
    /// As it is printed without.
    pub text: String,
    /// The exit code.
    pub exit: Exit,
}
