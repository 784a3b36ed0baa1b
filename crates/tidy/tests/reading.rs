//! What is read of sources that are made up.

use std::fs;
use vorrang_tidy::Modules;

/// A crate of these files.
fn modules(files: &[(&str, &str)]) -> Modules {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    Modules::read(folder.path()).unwrap()
}

#[test]
fn a_path_is_followed_through_what_is_passed_on() {
    let modules = modules(&[
        ("lib.rs", "mod front; mod user; pub use front::Inner;"),
        ("front/mod.rs", "mod inner; pub use inner::Inner; pub struct Own;"),
        ("front/inner.rs", "pub struct Inner;"),
        ("user.rs", "use crate::front::Own; fn one(_: crate::Inner, _: Own) {}"),
    ]);
    assert_eq!(modules.needs(), [("user.rs", "front/inner.rs"), ("user.rs", "front/mod.rs")]);
    assert!(modules.circles().is_empty());
}

#[test]
fn files_that_need_each_other_are_a_circle() {
    let modules = modules(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use super::b; pub fn one() { b::two() }"),
        ("b/mod.rs", "mod below; pub fn two() { below::three() }"),
        ("b/below.rs", "pub(in crate::c) fn three() { super::super::a::one() }"),
        ("c.rs", "use crate::a::one as first; fn four() { first() }"),
    ]);
    assert_eq!(modules.circles(), [["a.rs", "b/below.rs", "b/mod.rs"]]);
}

#[test]
fn folders_that_need_each_other_are_a_circle_where_no_files_are() {
    let modules = modules(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a/mod.rs", "mod high; mod low;"),
        ("a/high.rs", "use crate::b::two; fn one() { two() }"),
        ("a/low.rs", "pub(crate) fn three() {}"),
        ("b/mod.rs", "mod below; pub(crate) use below::two;"),
        ("b/below.rs", "pub(crate) fn two() { crate::a::low::three() }"),
        ("c.rs", "use crate::a::low::three; fn four() { three() }"),
    ]);
    assert!(modules.circles().is_empty());
    assert_eq!(modules.circles_of_folders(), [["a/", "b/"]]);
}

#[test]
fn what_is_for_tests_only_is_not_looked_at() {
    let modules = modules(&[
        ("lib.rs", "mod a; #[cfg(test)] mod tests;"),
        ("a.rs", "pub fn one() {}\n#[cfg(test)]\nmod tests { use crate::*; fn long() {} }"),
    ]);
    assert!(modules.needs().is_empty());
    let functions = |file: &str| {
        let source = modules.sources().iter().find(|source| source.file == file).unwrap();
        source.functions.iter().map(|function| function.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(functions("a.rs"), ["one"]);
    assert_eq!(modules.sources().len(), 2);
}

#[test]
fn lengths_and_documents_are_those_of_the_file() {
    let text = "//! First.\n//!\n//! **Model.** Second.\n\nfn one(\n    _: u8,\n) {\n}\n\nimpl T {\n    fn two() {}\n}\n";
    let modules = modules(&[("lib.rs", text)]);
    let [source] = modules.sources() else { panic!("one file") };
    assert_eq!((source.lines, source.doc.as_str()), (12, "First.\n\n**Model.** Second."));
    let lengths: Vec<_> =
        source.functions.iter().map(|of| (of.name.as_str(), of.line, of.lines)).collect();
    assert_eq!(lengths, [("one", 5, 4), ("two", 11, 1)]);
}

#[test]
fn what_is_not_rust_is_an_error_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lib.rs"), "\nfn {").unwrap();
    let why = Modules::read(folder.path()).unwrap_err().to_string();
    assert!(why.starts_with("lib.rs:2: "), "{why}");
}
