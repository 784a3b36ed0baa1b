//! The program `vorrang-host`: see the library for what it does.

use std::process::ExitCode;
use vorrang_command::program;
use vorrang_host::arguments::Arguments;

fn main() -> ExitCode {
    program::main(Arguments::run)
}
