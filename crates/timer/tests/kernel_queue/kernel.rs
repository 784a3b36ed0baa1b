//! The queue of the kernel module, compiled for user space: a process that is told and asked.
//!
//! The same source as in the module (`kernel/timer_shield/queue.c`); the queues of the kernel below it are lists that are
//! sorted.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The level of an idle core.
pub(crate) const LEAST: u32 = 100;

/// The queues, and who tells them.
pub(crate) struct Kernel {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Kernel {
    /// Compiles it, and starts it.
    pub(crate) fn start() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let program = format!("vorrang-kernel-queue-{}-{number}", std::process::id());
        let program = std::env::temp_dir().join(program);
        let module = here.join("../../kernel/timer_shield");
        let compiled = Command::new("cc")
            .args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-I"])
            .arg(&module)
            .arg(here.join("tests/kernel_queue/driver.c"))
            .arg(module.join("queue.c"))
            .arg("-o")
            .arg(&program)
            .status();
        assert!(compiled.expect("a C compiler, which linking needs, too").success());
        let started = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = started.expect("it was just compiled");
        // It has been opened.
        fs::remove_file(&program).expect("it is there");
        let to = process.stdin.take().expect("a pipe");
        let from = BufReader::new(process.stdout.take().expect("a pipe"));
        Self { process, to, from }
    }

    /// Its answer to a command; `driver.c` says which there are.
    pub(crate) fn ask(&mut self, command: &str) -> String {
        writeln!(self.to, "{command}").expect("it reads");
        let mut answer = String::new();
        let read = self.from.read_line(&mut answer).expect("it writes text");
        assert!(read > 0, "it ended at {command}");
        answer.trim_end().to_owned()
    }

    /// A number, or none.
    pub(crate) fn number(&mut self, command: &str) -> Option<u64> {
        let answer = self.ask(command);
        (answer != "-").then(|| answer.parse().expect("a number"))
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ended = self.process.kill();
        let _waited = self.process.wait();
    }
}
