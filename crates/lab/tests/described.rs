//! What CONTRIBUTING says that a scenario has.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use vorrang_lab::{data, experiment, scenario};

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
    let names = all.iter().map(|one| one.name.as_str());
    let missing: Vec<&str> = names.filter(|name| !words.contains(name)).collect();
    assert!(missing.is_empty(), "no page names {missing:?}");
    for one in all {
        assert!(!one.shows.ends_with('.') && !one.kernels.is_empty(), "{}", one.name);
    }
}

/// What is to be run is in `all.toml`, or a part of `vorrang-lab experiment`.
#[test]
fn every_file_of_a_scenario_is_listed() {
    let mut listed: BTreeSet<String> = scenario::all().into_iter().map(|one| one.name).collect();
    listed.extend(experiment::studies().into_iter().map(|study| study.scenario.name));
    listed.insert(experiment::pings().name);
    let mut found = 0;
    for family in fs::read_dir(data::path("")).unwrap().map(|entry| entry.unwrap().path()) {
        if !family.is_dir() {
            continue;
        }
        for file in fs::read_dir(&family).unwrap().map(|entry| entry.unwrap().path()) {
            let is_scenario = file.is_file()
                && fs::read_to_string(&file)
                    .unwrap()
                    .lines()
                    .any(|line| line.starts_with("kernels = ") || line.starts_with("like = "));
            if is_scenario {
                let name = file.file_stem().unwrap().to_str().unwrap();
                assert!(listed.contains(name), "{} is in no list", file.display());
                found += 1;
            }
        }
    }
    assert_eq!(found, listed.len());
}
