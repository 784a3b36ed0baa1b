//! The program `vorrang`: see the library for what it does.

use std::process::ExitCode;
use vorrang::arguments::Arguments;
use vorrang_command::{program, screen};

/// That of musl returns memory to the kernel which is taken again at once.
#[cfg(target_env = "musl")]
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    program::main(|arguments: &Arguments| {
        screen::look(arguments.colour);
        arguments.run()
    })
}
