//! The program `vorrang-host`: see the library for what it does.

use clap::Parser as _;
use std::process::ExitCode;
use vorrang_host::arguments::Arguments;

fn main() -> ExitCode {
    Arguments::parse().run()
}
