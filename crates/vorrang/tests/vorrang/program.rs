//! Runs the program as a user would, from the root of the repository.

use crate::strict::violations;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a run left behind.
pub(crate) struct Run {
    /// Standard output, without the revision that the program was built from.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
    /// The exit code.
    pub(crate) code: i32,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vorrang"));
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

/// Documents for programs are validated against their schema in every test.
pub(crate) fn run(arguments: &[&str]) -> Run {
    let run = of(command(arguments));
    if arguments.contains(&"--json") && !run.out.is_empty() {
        let verb = match arguments[0] {
            "measure" => "latency",
            "check" if run.out.contains("\"vorrang-checks/1\"") => "checks",
            verb => verb,
        };
        let schema = of(command(&["schema", "--of", verb])).out;
        let wrong = violations(&schema, &run.out);
        assert!(wrong.is_empty(), "{arguments:?}: {wrong:#?}");
    }
    run
}

pub(crate) fn of(mut command: Command) -> Run {
    left(command.output().expect("the program starts"))
}

/// The memory of its own that a run holds after two seconds, in kB; it is ended then. What lies in files, as the program
/// itself, is not counted.
#[cfg(target_os = "linux")]
pub(crate) fn memory_of(command: &mut Command) -> u64 {
    let mut child = command.stdout(Stdio::null()).spawn().expect("the program starts");
    std::thread::sleep(std::time::Duration::from_secs(2));
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
    child.kill().expect("it still runs");
    child.wait().expect("it ends");
    let status = status.expect("it still runs");
    let own = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("its memory");
    own.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// The same, with something on standard input.
pub(crate) fn fed(mut command: Command, input: &str) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    left(child.wait_with_output().expect("it ends"))
}

fn left(output: Output) -> Run {
    Run {
        out: without_revision(&String::from_utf8(output.stdout).expect("UTF-8")),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
        code: output.status.code().expect("no signal"),
    }
}

/// The revision is another one in every commit: `vorrang 0.1.0 (0123456789ab)`.
fn without_revision(text: &str) -> String {
    let tool = concat!("vorrang ", env!("CARGO_PKG_VERSION"));
    let with_revision = format!("{tool} (");
    let mut parts = text.split(&with_revision);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += tool;
        out += part.split_once(')').expect("a closed parenthesis").1;
    }
    out
}
