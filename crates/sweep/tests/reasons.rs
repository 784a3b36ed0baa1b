//! A question without an answer has a reason beside it.

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Field;
use std::collections::BTreeMap;
use std::io::Write as _;
use vorrang_sweep::{Shard, read};

/// Column by column, as it is printed; a null is `None`.
fn columns(study: &str) -> BTreeMap<String, Vec<Option<String>>> {
    let study = read(study.as_bytes()).expect("a study");
    let shard = Shard::answered(&study, 0, || false, |_| {}).expect("not interrupted");
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(&shard.bytes("test")).expect("room");
    let reader = SerializedFileReader::new(file).expect("a whole file");
    let mut columns: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
    for row in reader.get_row_iter(None).expect("rows") {
        for (name, field) in row.expect("a row").get_column_iter() {
            let cell = match field {
                Field::Null => None,
                Field::Str(text) => Some(text.clone()),
                other => Some(other.to_string()),
            };
            columns.entry(name.clone()).or_default().push(cell);
        }
    }
    columns
}

/// Each row has an answer or a reason, never both; returns the reasons.
fn reasons(
    columns: &BTreeMap<String, Vec<Option<String>>>,
    answer: &str,
    why: &str,
) -> Vec<String> {
    let pairs = columns[answer].iter().zip(&columns[why]);
    assert!(pairs.clone().all(|(answer, why)| answer.is_some() != why.is_some()), "{answer}");
    pairs.filter_map(|(_, why)| why.clone()).collect()
}

#[test]
fn refused_systems_say_where() {
    // In half of the systems one task takes longer than a time may be stated.
    let found = columns(
        r#"
version = 1
samples = 4
[tasks]
count = 1
utilisation = ["50%", "150%"]
periods = "harmonic"
shortest = "900000s"
longest = "900000s"
[ask.exact]
question = "accepted"
[ask.hyperbolic]
question = "accepted"
by = "hyperbolic"
[ask.seen]
question = "refuted"
steps = 1000
[ask.tight]
question = "tightness"
steps = 1000
"#,
    );
    assert!(reasons(&found, "exact", "exact_reason").is_empty());
    assert!(!found.contains_key("hyperbolic_reason"), "a criterion always answers");
    let refused = |why: &String| {
        let at = why.strip_prefix("refused: line 8: `wcet` cannot be \"1350000s\" (");
        assert!(at.is_some_and(|label| label.ends_with(')')), "{why}");
    };
    let said = reasons(&found, "seen", "seen_reason");
    assert_eq!(said.len(), 4, "{said:?}");
    said.iter().for_each(refused);
    let said = reasons(&found, "tight_ppm", "tight_reason");
    assert_eq!(said.len(), 4, "{said:?}");
    said.iter().for_each(refused);
    // Of the others no job completes within the horizon of so few steps: its time so far counts, which is less
    // than a thousandth of its bound.
    let ratios: Vec<u64> =
        found["tight_ppm"].iter().flatten().map(|ratio| ratio.parse().expect("a number")).collect();
    assert!(ratios.len() == 4 && ratios.iter().all(|ratio| *ratio > 1_000_000_000), "{ratios:?}");
}

#[test]
fn an_unbounded_task_and_an_absent_design_are_said() {
    let vms = |budget: &str, ask: &str| {
        columns(&format!(
            r#"
version = 1
samples = 3
[tasks]
count = 2
utilisation = "120%"
division = "drs"
most = "90%"
periods = "automotive"
[vms]
count = 1
server = "deferrable"
period = "5ms"
budget = "{budget}"
[ask.found]
{ask}
"#
        ))
    };
    let half = "question = \"tightness\"\nsteps = 20000";
    for why in reasons(&vms("50%", half), "found_ppm", "found_reason") {
        assert!(why.starts_with("no bound for task.") && why.contains(": "), "{why}");
    }
    let found = vms("design", "question = \"reserved\"\nsteps = 50");
    let said = reasons(&found, "found_ppm", "found_reason");
    assert_eq!(said.len(), 3);
    assert!(said.iter().all(|why| why.starts_with("no design")), "{said:?}");
}

#[test]
fn reasons_have_columns_of_their_own() {
    let study = r#"
version = 1
samples = 1
[tasks]
count = 1
utilisation = "50%"
periods = "automotive"
[ask.exact]
question = "accepted"
[ask.exact-reason]
question = "accepted"
"#;
    let errors = read(study.as_bytes()).err().expect("two columns of one name");
    assert!(errors.iter().any(|error| error.message.contains("`exact_reason`")), "{errors:?}");
}
