//! A file of tests that its program does not name would never run.

use std::fs;
use std::path::Path;

/// Where a crate has one program of tests, each file beside it is a part of it.
#[test]
fn every_file_of_tests_is_in_a_program() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut forgotten = Vec::new();
    let mut seen = 0;
    for of_crate in fs::read_dir(crates).unwrap() {
        let folder = of_crate.unwrap().path();
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        if !manifest.contains("autotests = false") {
            continue;
        }
        let program = fs::read_to_string(folder.join("tests/main.rs")).unwrap();
        for entry in fs::read_dir(folder.join("tests")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let is_module = path.extension().is_some_and(|ending| ending == "rs")
                || path.join("mod.rs").is_file();
            if is_module && name != "main" {
                seen += 1;
                if !program.lines().any(|line| line == format!("mod {name};")) {
                    forgotten.push(path.clone());
                }
            }
        }
    }
    assert!(seen > 50, "{seen} files");
    assert!(forgotten.is_empty(), "not in tests/main.rs: {forgotten:?}");
}
