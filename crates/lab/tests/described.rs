//! What CONTRIBUTING says that a scenario has.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use vorrang_lab::scenario;

#[test]
fn every_scenario_is_described() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let pages = ["lab-reference.md", "timer-shield.md", "measure.md", "observe.md"];
    let text: String =
        pages.iter().map(|page| fs::read_to_string(docs.join(page)).unwrap()).collect();
    let is_between = |letter: char| !letter.is_alphanumeric() && !"-.".contains(letter);
    let words: BTreeSet<&str> = text.split(is_between).map(|word| word.trim_matches('.')).collect();
    let all = scenario::all();
    assert!(all.len() > 40);
    let missing: Vec<&str> =
        all.iter().map(|one| one.name).filter(|name| !words.contains(name)).collect();
    assert!(missing.is_empty(), "no page names {missing:?}");
    for one in all {
        assert!(!one.shows.ends_with('.') && !one.lines.is_empty(), "{}", one.name);
    }
}
