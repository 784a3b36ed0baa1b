//! A run that goes on when the command that started it has ended.
//!
//! **Model.** The command starts this program without `--background`, in a group of processes of its own and with its
//! output in a file, and ends when that has begun its schedule, or has ended instead.

use crate::linux;
use crate::running::{self, Running};
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::place::Place;
use vorrang_enforce::Linux;
use vorrang_quote::name::shown;

/// Where the journal is by default: beside that of `vorrang apply`, and gone with the boot like that.
pub(crate) const JOURNAL: &str = "/run/vorrang/host";

/// The name of this program.
pub const PROGRAM: &str = "vorrang-host";

/// Where the output goes.
fn log(place: &Place) -> PathBuf {
    let mut name = place.path().as_os_str().to_owned();
    name.push(".log");
    name.into()
}

/// Starts it, and waits until it has begun.
///
/// # Errors
/// It ended, with its output; or it could not be started.
pub(crate) fn start(place: &Place, command: Command) -> Result<Output, Failure> {
    let log = log(place);
    let fault = |why: io::Error| Failure::host(format!("error: {}: {why}\n", shown(&log)));
    let file = open(place, &log).map_err(fault)?;
    let before = file.metadata().map_err(fault)?.len();
    let mut child = spawn(command, &file)?;
    loop {
        if let Some(ended) = child.try_wait().map_err(|why| place.failure(&why))? {
            let message = since(&log, before).unwrap_or_default();
            return match Exit::of_process(ended) {
                // For a short time only, and that is over.
                Exit::Success => Ok(Output::success(message)),
                exit => Err(Failure { exit, message }),
            };
        }
        if let Some(origins) = begun(place, &child) {
            return Ok(Output::success(format!(
                "It is run by process {} (output in {}),\nfrom {} ns of CLOCK_MONOTONIC on. \
                 `vorrang-host status` shows what the servers receive,\n\
                 `vorrang-host restore` ends it and undoes all changes.\n",
                child.id(),
                shown(&log),
                origins.join(", ")
            )));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// The file of the output, empty unless a run goes on that writes there.
fn open(place: &Place, log: &Path) -> io::Result<File> {
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder)?;
    }
    let running = Running::read(&running::beside(place.path()))?;
    let goes_on = running.is_some_and(|running| running.dispatchers(&Linux).is_some());
    let file = File::options().append(true).create(true).open(log)?;
    if !goes_on {
        file.set_len(0)?;
    }
    Ok(file)
}

/// What was written after so many bytes.
fn since(log: &Path, before: u64) -> io::Result<String> {
    let (mut file, mut text) = (File::open(log)?, String::new());
    file.seek(SeekFrom::Start(before))?;
    file.read_to_string(&mut text)?;
    Ok(text)
}

fn spawn(mut command: Command, output: &File) -> Result<Child, Failure> {
    let to_file = |command: &mut Command| -> io::Result<Child> {
        command.stdout(output.try_clone()?).stderr(output.try_clone()?).process_group(0).spawn()
    };
    to_file(&mut command).map_err(|why| unstarted(Path::new(command.get_program()), &why))
}

/// Why the program did not run, and where it is from.
fn unstarted(program: &Path, why: &io::Error) -> Failure {
    Failure::host(if why.kind() == io::ErrorKind::NotFound {
        format!(
            "error: {PROGRAM} is needed for this, and is neither beside this program nor in PATH\n  \
             `cargo build --release` in the repository makes both (docs/apply.md)\n"
        )
    } else {
        format!("error: {} cannot be started: {why}\n", shown(program))
    })
}

/// When the schedules of that process began, each once; `None`: not every dispatcher has decided something.
fn begun(place: &Place, child: &Child) -> Option<Vec<String>> {
    let running = Running::read(&running::beside(place.path())).ok()??;
    let process = running.dispatchers(&Linux)?;
    if u32::try_from(process) != Ok(child.id()) {
        return None;
    }
    let one = |managed: &running::Managed| {
        let board = linux::shown(process, managed.memory).ok()?;
        let shown = board(0, 0).0;
        (shown.course.steps > 0).then_some(shown.origin)
    };
    let mut origins = running.processors.iter().map(one).collect::<Option<Vec<u64>>>()?;
    origins.dedup();
    Some(origins.iter().map(u64::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of the system names no program, and not where to get it.
    #[test]
    fn a_program_that_is_missing_is_said_with_where_it_is_from() {
        let missing = Command::new("/no-such-folder/vorrang-host");
        let output = tempfile::tempfile().expect("a file");
        let Err(Failure { message, .. }) = spawn(missing, &output) else { panic!("not there") };
        assert!(message.contains("neither beside this program nor in PATH"), "{message}");
        assert!(message.contains("`cargo build --release`"), "{message}");
        assert!(!message.contains("os error"), "{message}");
    }
}
