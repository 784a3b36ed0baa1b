//! The program `vorrang`: see the library for what it does.

use std::process::ExitCode;
use vorrang::arguments::Arguments;
use vorrang_command::{program, screen};

fn main() -> ExitCode {
    program::main(|arguments: &Arguments| {
        screen::look(arguments.colour);
        arguments.run()
    })
}
