//! Columns that are handed out.

use super::room::Lent;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, Int64Array, RecordBatch, StructArray};
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder, Buffer, NullBuffer};
use arrow_schema::{ArrowError, Field};
use bytes::Bytes;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{
    ArrayIterator, to_array_pycapsules, to_schema_pycapsule, to_stream_pycapsule,
};
use std::sync::Arc;
use vorrang_batch::Answers;

/// Columns of the same length, with the `PyCapsule` interface of Arrow.
#[pyclass(frozen, module = "vorrang._vorrang")]
pub(crate) struct Columns(RecordBatch);

/// Sets with their verdicts; rows with their bounds.
pub(super) fn of(answers: Answers, has_bounds: bool) -> (Columns, Option<Columns>) {
    let Answers { sets, proven, bounds, unbounded } = answers;
    let proven: BooleanArray = BooleanArray::new(BooleanBuffer::from(proven), None);
    let sets: [(&str, ArrayRef); 2] =
        [("set", Arc::new(Int64Array::from(sets))), ("proven", Arc::new(proven))];
    let tasks = has_bounds.then(|| {
        let mut known = BooleanBufferBuilder::new(bounds.len());
        known.append_n(bounds.len(), true);
        for row in unbounded {
            known.set_bit(row, false);
        }
        let known = NullBuffer::new(known.finish());
        let bounds = match bounds.len() {
            0 => Buffer::from(Vec::<i64>::new()),
            _ => Buffer::from(Bytes::from_owner(Lent::of(bounds))),
        };
        let bounds = Int64Array::new(bounds.into(), Some(known));
        columns([("bound_ns", Arc::new(bounds) as ArrayRef)], true)
    });
    (columns(sets, false), tasks)
}

fn columns<const N: usize>(columns: [(&str, ArrayRef); N], nulls: bool) -> Columns {
    let columns = columns.into_iter().map(|(name, column)| (name, column, nulls));
    Columns(RecordBatch::try_from_iter_with_nullable(columns).expect("as long as each other"))
}

impl Columns {
    fn whole(&self) -> (Arc<Field>, StructArray) {
        let fields = self.0.schema().fields().clone();
        (Arc::new(Field::new_struct("", fields, false)), StructArray::from(self.0.clone()))
    }
}

#[pymethods]
impl Columns {
    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// Their names.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// How many values of a column are true, or not null; none if there is no such column.
    fn count(&self, name: &str) -> Option<usize> {
        let column = self.0.column_by_name(name)?;
        let yes = column.as_boolean_opt().map(BooleanArray::true_count);
        let known = column.as_primitive_opt::<Int64Type>().map(|all| all.len() - all.null_count());
        yes.or(known)
    }

    /// So many rows as text, or all of them if there are fewer.
    fn first(&self, rows: usize) -> Vec<Vec<Option<String>>> {
        let text = |column: &ArrayRef, row: usize| {
            let yes = column.as_boolean_opt().map(|all| all.value(row).to_string());
            let number =
                column.as_primitive_opt::<Int64Type>().map(|all| all.value(row).to_string());
            yes.or(number).filter(|_| column.is_valid(row))
        };
        let row = |row| self.0.columns().iter().map(|column| text(column, row)).collect();
        (0..rows.min(self.0.num_rows())).map(row).collect()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, self.0.schema().as_ref())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyTuple>> {
        let (field, array) = self.whole();
        to_array_pycapsules(py, field, &array, requested_schema)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let (field, array) = self.whole();
        let once = std::iter::once(Ok::<ArrayRef, ArrowError>(Arc::new(array)));
        to_stream_pycapsule(py, Box::new(ArrayIterator::new(once, field)), requested_schema)
    }
}
