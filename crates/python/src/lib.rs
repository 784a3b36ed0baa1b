//! The extension module of the Python package `vorrang`: verbs of the command line as one function.
//!
//! **Model.** A call takes the arguments that a verb has on the command line and the text of a description,
//! and gives back what the verb prints, with and without `--json`. So numbers, words and errors are those
//! of the command line; the classes that Python sees are written in Python (`python/vorrang/`).
//!
//! **Assumptions.**
//! 1. While a call works, other threads of Python run. The thread that called looks a few times in each
//!    tenth of a second whether a signal came.
//! 2. A signal ends all calls that run in the process: a search knows only that a caller requested the
//!    end. What was found by then is dropped.

mod attention;
mod batch;
mod compared;
mod study;
mod verb;

use attention::attended;
use pyo3::prelude::*;
use verb::{Answer, Said};

/// Runs a verb on the text of a description that is called `name`.
///
/// # Errors
/// A signal came, and its handler raised; or the verb panicked, which is a bug.
#[pyfunction]
fn run(py: Python<'_>, arguments: Vec<String>, name: String, text: Vec<u8>) -> PyResult<Answer> {
    attended(py, move || Said { arguments, name, text }.answer())
}

/// The extension module.
#[pymodule]
fn _vorrang(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("TOOL", vorrang_verdict::identity::TOOL)?;
    module.add_class::<study::Study>()?;
    module.add_function(wrap_pyfunction!(batch::batch, module)?)?;
    module.add_function(wrap_pyfunction!(compared::diff, module)?)?;
    module.add_function(wrap_pyfunction!(compared::fmt, module)?)?;
    module.add_function(wrap_pyfunction!(run, module)?)
}
