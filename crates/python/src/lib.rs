//! The extension module of the Python package `vorrang`: verbs of the command line as one function.
//!
//! **Model.** A call takes the arguments that a verb has on the command line and the text of a description,
//! and gives back what the verb prints, with and without `--json`. So numbers, words and errors are those
//! of the command line; the classes that Python sees are written in Python (`python/vorrang/`).
//!
//! **Assumptions.**
//! 1. While a call works, other threads of Python run. The thread that called looks a few times in each
//!    tenth of a second whether a signal came.
//! 2. A signal ends all calls that run in the process: a search knows only that somebody asked for the
//!    end. What was found by then is dropped.

mod study;
mod verb;

use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use verb::{Answer, Said};
use vorrang::interruption;

/// How often a call looks for signals.
const LOOK: Duration = Duration::from_millis(20);

/// Deep descriptions are read and analysed by recursion; the first thread of a program has as much.
const STACK: usize = 8 << 20;

/// How many calls work.
static WORKING: Mutex<usize> = Mutex::new(0);

/// A call that works; when the last one is over, nobody is asked to end any more.
struct Working;

impl Working {
    fn begin() -> Self {
        *WORKING.lock().unwrap_or_else(std::sync::PoisonError::into_inner) += 1;
        Self
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        let mut working = WORKING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *working -= 1;
        if *working == 0 {
            interruption::forget();
        }
    }
}

/// Runs a verb on the text of a description that is called `name`.
///
/// # Errors
/// A signal came, and its handler raised; or the verb panicked, which is a bug.
#[pyfunction]
fn run(py: Python<'_>, arguments: Vec<String>, name: String, text: Vec<u8>) -> PyResult<Answer> {
    attended(py, move || Said { arguments, name, text }.answer())
}

/// Works on another thread, while other threads of Python run and signals are looked for.
///
/// # Errors
/// A signal came, and its handler raised; or the work panicked, which is a bug.
fn attended<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (tell, mut told) = mpsc::channel();
    let work = move || {
        let _working = Working::begin();
        // Nobody listens any more: the call was interrupted.
        let _ = tell.send(work());
    };
    let worker = thread::Builder::new().stack_size(STACK).spawn(work)?;
    loop {
        let heard;
        (told, heard) = py.detach(move || {
            let heard = told.recv_timeout(LOOK);
            (told, heard)
        });
        match heard {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Disconnected) => {
                drop(worker.join());
                let message = "a bug of vorrang: it panicked, see above; please report it";
                return Err(pyo3::exceptions::PySystemError::new_err(message));
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(raised) = py.check_signals() {
                    interruption::ask();
                    return Err(raised);
                }
            }
        }
    }
}

/// The extension module.
#[pymodule]
fn _vorrang(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("TOOL", vorrang_verdict::identity::TOOL)?;
    module.add_class::<study::Study>()?;
    module.add_function(wrap_pyfunction!(run, module)?)
}
