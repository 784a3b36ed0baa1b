//! Work on another thread, while other threads of Python run and signals are looked for.

use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use vorrang_command::interruption;

/// How often a call looks for signals.
const LOOK: Duration = Duration::from_millis(20);

/// Deep descriptions are read and analysed by recursion; the first thread of a program has as much.
const STACK: usize = 8 << 20;

/// How many calls work.
static WORKING: Mutex<usize> = Mutex::new(0);

/// A call that works; when the last one is over, no call is asked to end any more.
struct Working;

impl Working {
    /// `None`: calls that were asked to end have not yet, and would take this one along.
    fn begin() -> Option<Self> {
        let mut working = WORKING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if *working > 0 && interruption::is_wanted() {
            return None;
        }
        *working += 1;
        Some(Self)
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

/// Works on another thread, while other threads of Python run and signals are looked for.
///
/// # Errors
/// A signal came, and its handler raised; or the work panicked, which is a bug.
pub(crate) fn attended<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let working = loop {
        match Working::begin() {
            Some(working) => break working,
            None => py.detach(|| thread::sleep(LOOK / 4)),
        }
        py.check_signals()?;
    };
    let (tell, mut told) = mpsc::channel();
    let work = move || {
        let _working = working;
        // No receiver any more: the call was interrupted.
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
