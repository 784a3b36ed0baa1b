//! A program as a whole: its arguments are read, its verb is run, and what that returns is printed.

use crate::defaults::{self, Refusal};
use crate::exit::{Exit, Failure, Output};
use clap::Parser;
use std::env;
use std::io::{self, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use vorrang_verdict::identity::TOOL;

/// Reads the arguments, does what they ask for, and prints the result.
pub fn main<A: Parser>(run: impl FnOnce(&A) -> Result<Output, Failure>) -> ExitCode {
    let name = A::command().get_name().to_owned();
    panic::set_hook(Box::new(move |panic| {
        eprintln!(
            "{name}: {panic}\n\n\
             This is a bug of {TOOL}, whatever the input was: nothing above is a verdict.\n\
             Please report it, with the description and the command line."
        );
    }));
    let (arguments, note) = match defaults::parse::<A>(env::args_os().collect()) {
        Ok(read) => read,
        Err(Refusal::Typed(refusal)) => refuse(&refusal),
        Err(Refusal::File(failure)) => return fail(&failure).into(),
    };
    if let Some(note) = note {
        let _ = io::stderr().write_all(note.as_bytes());
    }
    let done = panic::catch_unwind(AssertUnwindSafe(|| run(&arguments)));
    let exit = match done {
        Ok(Ok(output)) => print(&output),
        Ok(Err(failure)) => fail(&failure),
        Err(_) => Exit::Bug,
    };
    exit.into()
}

/// Where no message can be shown, the exit code still tells it.
fn fail(failure: &Failure) -> Exit {
    let _ = io::stderr().write_all(failure.message.as_bytes());
    failure.exit
}

/// The error in the command line, or the help. It repeats arguments, without their control characters.
fn refuse(refusal: &clap::Error) -> ! {
    let text = refusal.render().to_string();
    let harms = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(harms) {
        refusal.exit();
    }
    let _ = io::stderr().write_all(text.replace(harms, "\u{fffd}").as_bytes());
    std::process::exit(refusal.exit_code())
}

/// Writes the whole output; a closed reader is no failure.
fn print(output: &Output) -> Exit {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(output.text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(problem) if problem.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("error: the output cannot be written: {problem}");
            Exit::Host
        }
        _ => output.exit,
    }
}
