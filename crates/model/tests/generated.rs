//! What is generated from the key tables and committed is fresh.

use std::path::Path;
use vorrang_model::target::targets;
use vorrang_model::{Format, read, reference, schema};

fn assert_fresh(file: &str, generated: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(file);
    if std::env::var_os("VORRANG_WRITE_DOCS").is_some() {
        std::fs::write(&path, generated).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == generated,
        "docs/{file} is stale: run \
         `VORRANG_WRITE_DOCS=1 cargo test -p vorrang-model --test model generated` and commit it"
    );
}

#[test]
fn the_schema_is_fresh() {
    let schema = serde_json::to_string_pretty(&schema()).unwrap();
    assert_fresh("vorrang.schema.json", &(schema + "\n"));
}

#[test]
fn the_reference_is_fresh() {
    assert_fresh("description.md", &reference());
}

#[test]
fn the_page_of_targets_is_fresh() {
    assert_fresh("targets.md", &targets());
}

#[test]
fn the_example_of_the_reference_is_right() {
    let reference = reference();
    let (_, rest) = reference.split_once("```toml\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    assert_eq!(read(example, Format::Toml).unwrap().tasks[0].name, "task.speed");
}
