//! `vorrang schema`: the JSON Schema of descriptions.

use crate::exit::{Failure, Output};

/// Print the JSON Schema of descriptions
///
///     $ vorrang schema
///     {
///       "$schema": "https://json-schema.org/draft/2020-12/schema",
///     ...
///
/// Draft 2020-12, for editors and for programs that write descriptions. It is generated from the
/// tables by which descriptions are read; what it cannot say (references, budgets within periods,
/// overlapping slots) only `vorrang check` finds.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Schema {}

impl Schema {
    /// # Errors
    /// None.
    pub fn run(&self) -> Result<Output, Failure> {
        Ok(Output::success(format!("{:#}\n", vorrang_model::schema())))
    }
}
