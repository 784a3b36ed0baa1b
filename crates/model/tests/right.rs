//! Right descriptions: what each resolves to stands beside it as a snapshot.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use vorrang_model::{Colour, Format, System, read, render, schema, write_toml};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/right")
}

fn files(extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == extension))
        .collect();
    files.sort();
    files
}

fn system_of(path: &Path) -> System {
    let source = std::fs::read(path).unwrap();
    read(&source, Format::of_path(path)).unwrap_or_else(|errors| {
        panic!("{}", render(&errors, &path.display().to_string(), &source, Colour::Never))
    })
}

/// The system as it would be written, and what cannot be written.
fn resolved(system: &System) -> String {
    let mut text = write_toml(system);
    text.push_str("\n# supplies, each with its members\n");
    for supply in &system.supplies {
        let members = supply.members.iter().map(|member| system.member_name(*member));
        writeln!(text, "# {}: {}", supply.name, members.collect::<Vec<_>>().join(", ")).unwrap();
    }
    text.push_str("\n# requirements\n");
    for requirement in &system.requirements {
        let core = &system.supply(system.core_of_requirement(requirement)).name;
        write!(text, "# {} within {} on {core}", requirement.name, requirement.limit).unwrap();
        match requirement.probability {
            None => writeln!(text).unwrap(),
            Some(probability) => writeln!(text, ", {probability}").unwrap(),
        }
    }
    text.push_str("\n# not supported\n");
    for unsupported in &system.unsupported {
        let core = unsupported.core.map_or("all cores", |core| &system.supply(core).name);
        writeln!(text, "# {} on {core}", unsupported.what).unwrap();
    }
    text
}

#[test]
fn what_each_file_resolves_to() {
    insta::with_settings!({ snapshot_path => "right/resolved", omit_expression => true,
                            prepend_module_to_snapshot => false }, {
        for path in files("toml") {
            let name = path.file_name().unwrap().to_str().unwrap();
            insta::assert_snapshot!(name, resolved(&system_of(&path)));
        }
    });
}

#[test]
fn json_twins_resolve_to_the_same() {
    let twins = files("json");
    assert!(twins.len() >= 7);
    for json in twins {
        assert_eq!(system_of(&json), system_of(&json.with_extension("toml")), "{json:?}");
    }
}

#[test]
fn what_is_written_reads_back() {
    for path in files("toml") {
        let system = system_of(&path);
        let again = read(write_toml(&system), Format::Toml).unwrap();
        // What a kernel does by itself is written as if it had been declared.
        if system.supplies.iter().any(|supply| supply.kernel.is_some()) {
            assert_eq!(write_toml(&again), write_toml(&system), "{path:?}");
            continue;
        }
        assert_eq!(again, System { unsupported: Vec::new(), ..system }, "{path:?}");
    }
}

#[test]
fn systems_hold_what_they_promise() {
    for path in files("toml") {
        let system = system_of(&path);
        for (id, supply) in system.supplies.iter().enumerate() {
            if let Some(server) = supply.server() {
                assert!(server.on.0 < id, "{path:?}: a parent has a smaller id");
                assert!(!server.budget.is_zero() && server.budget <= server.period);
            }
        }
        let names: Vec<_> = system.tasks.iter().map(|task| &task.name).collect();
        let required: Vec<_> =
            system.requirements.iter().map(|requirement| &requirement.name).collect();
        let own = system.tasks.iter().filter(|task| task.deadline.is_some()).count();
        assert!(required[..own].iter().all(|name| names.contains(name)));
        assert!(required[own..].iter().all(|name| name.starts_with("require.")));
    }
}

/// All keys and words of the format, from its schema.
fn vocabulary(schema: &serde_json::Value, found: &mut Vec<String>) {
    let members = schema.as_object().into_iter().flatten();
    for (key, value) in members {
        if key == "properties" {
            found.extend(value.as_object().unwrap().keys().cloned());
        }
        if key == "const" {
            found.extend(value.as_str().map(str::to_owned));
        }
        vocabulary(value, found);
    }
    for value in schema.as_array().into_iter().flatten() {
        vocabulary(value, found);
    }
}

#[test]
fn every_key_and_word_is_used() {
    let mut text: String =
        files("toml").iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    text += include_str!("open.toml");
    let mut words = Vec::new();
    vocabulary(&schema(), &mut words);
    assert!(words.len() > 50, "{words:?}");
    let unused: Vec<_> = words.iter().filter(|word| !text.contains(word.as_str())).collect();
    assert!(unused.is_empty(), "no right file uses {unused:?}");
}
