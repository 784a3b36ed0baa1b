//! The committed schema is the generated one, and it agrees with the reader about examples.

use std::path::Path;
use vorrang_model::schema;

#[test]
fn the_committed_schema_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/vorrang.schema.json");
    let generated = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    if std::env::var_os("VORRANG_WRITE_SCHEMA").is_some() {
        std::fs::write(&path, &generated).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == generated,
        "docs/vorrang.schema.json is stale: run \
         `VORRANG_WRITE_SCHEMA=1 cargo test -p vorrang-model --test schema` and commit it"
    );
}
