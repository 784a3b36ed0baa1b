//! `vorrang schema`: the JSON Schemas of descriptions and of results.
//!
//! **Model.** The schemas of results are files in `docs/`; every document of a test is validated by
//! the schema of its format, without any other keys.

use vorrang_command::exit::{Failure, Output};

/// Print the JSON Schema of descriptions, or of the output of a command with --json
///
///     $ vorrang schema
///     {
///       "$schema": "https://json-schema.org/draft/2020-12/schema",
///     ...
///
/// Draft 2020-12, for editors and for programs that write descriptions. It is generated from the
/// tables by which descriptions are read; errors that it cannot express (references, budgets within
/// periods, overlapping slots) are found by `vorrang check` only.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Schema {
    /// The document
    #[arg(long, value_enum, default_value = "description")]
    of: Of,
}

/// The documents with a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Of {
    /// Descriptions in JSON, and in TOML as an editor reads it
    Description,
    /// `vorrang check --json`
    Check,
    /// `vorrang check --json` of several descriptions
    Checks,
    /// `vorrang diff --json`
    Diff,
    /// `vorrang design --json`
    Design,
    /// `vorrang margin --json`
    Margin,
    /// `vorrang simulate --json`
    Simulate,
    /// `vorrang observe --json`
    Observe,
    /// `vorrang measure latency --json`
    Latency,
    /// `vorrang doctor --json`
    Doctor,
}

impl Of {
    /// The schema, with a line feed at the end.
    pub fn text(self) -> String {
        let text = match self {
            Self::Description => return format!("{:#}\n", vorrang_model::schema()),
            Self::Check => include_str!("../docs/vorrang-check.schema.json"),
            Self::Checks => include_str!("../docs/vorrang-checks.schema.json"),
            Self::Diff => include_str!("../docs/vorrang-diff.schema.json"),
            Self::Design => include_str!("../docs/vorrang-design.schema.json"),
            Self::Margin => include_str!("../docs/vorrang-margin.schema.json"),
            Self::Simulate => include_str!("../docs/vorrang-simulate.schema.json"),
            Self::Observe => include_str!("../docs/vorrang-observe.schema.json"),
            Self::Doctor => include_str!("../docs/vorrang-doctor.schema.json"),
            Self::Latency => include_str!("../docs/vorrang-latency.schema.json"),
        };
        text.to_owned()
    }
}

impl Schema {
    /// # Errors
    /// None.
    pub fn run(&self) -> Result<Output, Failure> {
        Ok(Output::success(self.of.text()))
    }
}

#[cfg(test)]
mod tests {
    use super::Of;
    use serde_json::{Value, json};

    #[test]
    fn the_results_of_several_are_those_of_one() {
        let parsed = |of: Of| serde_json::from_str::<Value>(&of.text()).expect("a schema");
        let (mut one, mut several) = (parsed(Of::Check), parsed(Of::Checks));
        one["$id"] = json!("vorrang-check/1");
        assert_eq!(several["$defs"]["check"].take(), one);
    }
}

#[cfg(test)]
#[path = "../tests/vorrang/strict.rs"]
pub(crate) mod strict;
