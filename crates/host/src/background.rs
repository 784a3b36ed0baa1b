//! A run that goes on when the command that started it has ended.
//!
//! **Model.** The command starts itself once more, without `--background`, in a group of processes of its own and with
//! its output in a file, and ends when that has begun its schedule, or has ended instead.

use crate::linux;
use crate::place::Place;
use crate::running::{self, Running};
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;
use vorrang::exit::{Exit, Failure, Output};
use vorrang_enforce::Linux;
use vorrang_quote::name::shown;

/// The option that asks for it.
pub(crate) const OPTION: &str = "--background";

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
pub(crate) fn start(place: &Place) -> Result<Output, Failure> {
    let log = log(place);
    let mut child =
        spawn(&log).map_err(|why| Failure::host(format!("error: {}: {why}\n", shown(&log))))?;
    loop {
        if let Some(ended) = child.try_wait().map_err(|why| place.failure(&why))? {
            let message = fs::read_to_string(&log).unwrap_or_default();
            let exit = match ended.code() {
                // For a short time only, and that is over.
                Some(0) => return Ok(Output::success(message)),
                Some(1) => Exit::Refuted,
                Some(2) => Exit::BadInput,
                Some(3) => Exit::Undecided,
                _ => Exit::Host,
            };
            return Err(Failure { exit, message });
        }
        if has_begun(place, &child) {
            return Ok(Output::success(format!(
                "It is run by process {} (output in {}). `vorrang-host status` shows what the servers receive,\n\
                 `vorrang-host restore` ends it and undoes all changes.\n",
                child.id(),
                shown(&log)
            )));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn spawn(log: &PathBuf) -> io::Result<Child> {
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder)?;
    }
    let output = File::create(log)?;
    let arguments = std::env::args_os().skip(1).filter(|argument| argument != OPTION);
    let mut command = Command::new("/proc/self/exe");
    command.args(arguments).process_group(0);
    command.stdout(output.try_clone()?).stderr(output).spawn()
}

/// Whether every dispatcher of that process has decided something.
fn has_begun(place: &Place, child: &Child) -> bool {
    let begun = || {
        let running = Running::read(&running::beside(place.path())).ok()??;
        let process = running.dispatchers(&Linux)?;
        let one = |managed: &running::Managed| {
            linux::shown(process, managed.memory).is_ok_and(|board| board(0, 0).0.course.steps > 0)
        };
        Some(u32::try_from(process) == Ok(child.id()) && running.processors.iter().all(one))
    };
    begun().unwrap_or(false)
}
