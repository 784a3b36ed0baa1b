//! All examples: their layout is the one that is written, and every spacing of them leads back to it.

use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use vorrang_fmt::formatted;

fn examples() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["examples", "designs", "studies", "docs/guide", "crates/vorrang/tests/systems"];
    let files = folders.iter().flat_map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let files = files.map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|own| own == "toml"));
    let mut all: Vec<_> =
        files.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect();
    all.sort();
    assert!(all.len() > 60);
    all
}

/// The comments of a text without `#` in its strings.
fn comments(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| Some(line.split_once('#')?.1.trim_end())).collect()
}

#[test]
fn a_layout_stays_and_has_every_comment() {
    for (path, text) in examples() {
        let once = formatted(&text).unwrap();
        assert_eq!(formatted(&once).unwrap(), once, "{}", path.display());
        assert_eq!(comments(&once), comments(&text), "{}", path.display());
    }
}

#[test]
fn the_examples_have_it() {
    // The systems of tests are short.
    let shown =
        examples().into_iter().filter(|(path, _)| !path.to_string_lossy().contains("/systems/"));
    for (path, text) in shown {
        assert_eq!(formatted(&text).unwrap(), text, "{}", path.display());
    }
}

#[test]
fn what_is_no_toml_is_refused() {
    for text in ["[core.0", "a = ", "a = 1\na = 2\n", "[a]\nb = 1\n[a]\n"] {
        assert!(formatted(text).is_err(), "{text}");
    }
    assert_eq!(formatted("").as_deref(), Ok(""));
    assert_eq!(formatted("\n\n# alone").as_deref(), Ok("# alone\n"));
}

#[test]
fn each_kind_of_value_has_one_layout() {
    for (text, layout) in [
        ("a=[ 1,2 , ]\n", "a = [1, 2]\n"),
        ("a = [\n1, # one\n  # two\n 2\n]\n", "a = [\n    1, # one\n    # two\n    2,\n]\n"),
        ("a = [[\n1],[2]]\n", "a = [\n    [\n        1,\n    ],\n    [2],\n]\n"),
        ("a={b=1,c= \"x\"}# end\n", "a = { b = 1, c = \"x\" } # end\n"),
        ("a . b=1\n[ c . d ]\n", "a.b = 1\n\n[c.d]\n"),
        ("a = \"\"\"\n  x\n\n\n  y\"\"\"\n", "a = \"\"\"\n  x\n\n\n  y\"\"\"\n"),
        ("[[a]]\n[[a]]\nb=2\n", "[[a]]\n\n[[a]]\nb = 2\n"),
        ("a = [ nan,-inf ]\n", "a = [nan, -inf]\n"),
        ("a = {}\nb = [ ]\n", "a = {}\nb = []\n"),
        ("\r\na = 1\r\n\r\n\r\nb = 2\r\n", "a = 1\n\nb = 2\n"),
    ] {
        assert_eq!(formatted(text).as_deref(), Ok(layout), "{text}");
        assert_eq!(formatted(layout).as_deref(), Ok(layout), "{layout}");
    }
}

/// Other spaces where some may stand: before and behind each line, and more empty lines where there is one.
fn respaced(text: &str, spaces: &[usize]) -> String {
    let mut spaces = spaces.iter().copied().cycle();
    let mut some = || " ".repeat(spaces.next().unwrap());
    text.lines()
        .map(|line| match line {
            "" => "\n".repeat(1 + some().len()),
            line => format!("{}{line}{}\n", some(), some()),
        })
        .collect()
}

proptest! {
    #[test]
    fn spaces_make_no_difference(spaces in prop::collection::vec(0..5usize, 1..40)) {
        for (path, text) in examples() {
            let again = formatted(&respaced(&text, &spaces)).unwrap();
            prop_assert_eq!(again, formatted(&text).unwrap(), "{}", path.display());
        }
    }
}

/// Of these, texts are made that may or may not be TOML.
const PIECES: [&str; 30] = [
    "a",
    "b",
    "c",
    ".",
    " = ",
    "=",
    "1",
    "nan",
    "\"x\"",
    "'y'",
    "\"\"\"\n z\"\"\"",
    "true",
    "1979-05-27",
    "[",
    "]",
    "[a]\n",
    "[b.c]\n",
    "[[d]]\n",
    "{",
    "}",
    ",",
    "\n",
    "\n",
    "\n",
    "\r\n",
    " ",
    "\t",
    "# e\n",
    "#f",
    "a = 1\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    /// Values are compared each time; here that a layout stays, and keeps every comment.
    #[test]
    fn whatever_is_toml_has_a_layout(pieces in prop::collection::vec(0..PIECES.len(), 1..14)) {
        let text: String = pieces.iter().map(|&piece| PIECES[piece]).collect();
        if let Ok(once) = formatted(&text) {
            prop_assert_eq!(formatted(&once).unwrap(), once.clone());
            prop_assert_eq!(once.matches('#').count(), text.matches('#').count());
        }
    }
}
