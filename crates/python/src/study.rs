//! A study and its shards, for Python: bytes in, bytes out.

use crate::attention::attended;
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::Path;
use std::sync::Arc;
use vorrang::sweep::folder::Folder;
use vorrang_command::interruption;
use vorrang_sweep::Shard;
use vorrang_verdict::identity::TOOL;

/// A study that was read.
#[pyclass(frozen, module = "vorrang._vorrang")]
pub(crate) struct Study(Arc<vorrang_sweep::Study>);

/// What the command line would say, and its exit code.
type Failed = (String, u8);

fn failed(failure: vorrang_command::exit::Failure) -> Failed {
    (failure.message, failure.exit as u8)
}

#[pymethods]
impl Study {
    /// The study of a text, or what is wrong with it.
    #[staticmethod]
    fn read(name: &str, text: &[u8]) -> (Option<Self>, Option<Failed>) {
        match vorrang::sweep::study(name, text) {
            Ok(study) => (Some(Self(Arc::new(study))), None),
            Err(failure) => (None, Some(failed(failure))),
        }
    }

    /// What it and this version of vorrang are known by.
    #[getter]
    fn identity(&self) -> String {
        self.0.identity(TOOL)
    }

    /// Points, samples at each, shards.
    #[getter]
    fn size(&self) -> (usize, u64, u64) {
        (self.0.points().len(), self.0.samples(), self.0.shards())
    }

    /// Columns of the axes, and of the questions.
    #[getter]
    fn columns(&self) -> (Vec<String>, Vec<String>) {
        let axes = self.0.axes().iter().map(vorrang_sweep::Axis::column).collect();
        (axes, self.0.asks().iter().map(vorrang_sweep::Ask::column).collect())
    }

    /// The file of one shard, on so many threads; 0: on all processors.
    fn shard(&self, py: Python<'_>, number: u64, threads: usize) -> PyResult<Py<PyBytes>> {
        if number >= self.0.shards() {
            return Err(PyIndexError::new_err("the study has no such shard"));
        }
        let study = Arc::clone(&self.0);
        let work = move || {
            let pool = vorrang::sweep::pool(threads).map_err(|failure| failure.message)?;
            let answered =
                pool.install(|| Shard::answered(&study, number, interruption::is_wanted, |_| {}));
            answered.map(|shard| shard.bytes(TOOL)).map_err(|_| "interrupted".to_owned())
        };
        let bytes = attended(py, work)?.map_err(PyRuntimeError::new_err)?;
        Ok(PyBytes::new(py, &bytes).unbind())
    }

    /// One system as a description, as a question sees it.
    fn description(&self, point: usize, index: u64, ask: &str) -> PyResult<String> {
        let found = self.0.asks().iter().find(|known| known.name == ask || ask.is_empty());
        match found {
            Some(ask) if point < self.0.points().len() && index < self.0.samples() => {
                Ok(self.0.description(point, index, ask))
            }
            _ => Err(PyIndexError::new_err("no such point, index or question")),
        }
    }

    /// The shards that are not in a folder, which becomes the study's; or why it cannot.
    fn missing(&self, folder: &str) -> (Vec<u64>, Option<Failed>) {
        let opened = Folder::open(Path::new(folder), &self.0);
        match opened.and_then(|folder| folder.missing((1, 1))) {
            Ok(missing) => (missing, None),
            Err(failure) => (Vec::new(), Some(failed(failure))),
        }
    }

    /// Puts a whole shard into a folder; why it cannot.
    fn publish(&self, py: Python<'_>, folder: &str, number: u64, bytes: &[u8]) -> Option<Failed> {
        // Made durable, which takes milliseconds: others may run.
        py.detach(|| {
            let opened = Folder::open(Path::new(folder), &self.0);
            opened.and_then(|folder| folder.publish(number, bytes)).err().map(failed)
        })
    }
}
