//! The program `vorrang`: see the library for what it does.

use clap::Parser;
use std::io::{self, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use vorrang::arguments::Arguments;
use vorrang::exit::{Exit, Output};
use vorrang::identity::TOOL;
use vorrang::screen;

fn main() -> ExitCode {
    panic::set_hook(Box::new(|panic| {
        eprintln!(
            "vorrang: {panic}\n\n\
             This is a bug of {TOOL}, whatever the input was: nothing above is a verdict.\n\
             Please report it, with the description and the command line."
        );
    }));
    let arguments = Arguments::parse();
    screen::look(arguments.colour);
    let done = panic::catch_unwind(AssertUnwindSafe(|| arguments.run()));
    let exit = match done {
        Ok(Ok(output)) => print(&output),
        Ok(Err(failure)) => {
            eprint!("{}", failure.message);
            failure.exit
        }
        Err(_) => Exit::Bug,
    };
    exit.into()
}

/// Writes the whole output; a reader that has heard enough is no failure.
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
