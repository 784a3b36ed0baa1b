//! What CONTRIBUTING says that a verb has.

use crate::program::{root, run};
use std::fs;

/// The names of the verbs, as the program lists them.
fn verbs() -> Vec<String> {
    let help = run(&["--help"]).out;
    let (_, list) = help.split_once("Commands:").expect("the program lists its verbs");
    let listed = list.lines().skip(1).take_while(|line| line.starts_with("  "));
    let names = listed.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn every_verb_has_its_places() {
    let verbs = verbs();
    assert!(verbs.len() > 15, "{verbs:?}");
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let (page, lines) = (read("docs/commands.md"), read("crates/vorrang/src/arguments.rs"));
    for verb in verbs {
        let source = ["VERB.rs", "VERB/mod.rs"].map(|path| path.replace("VERB", &verb));
        let in_manual = ["completions", "man"].contains(&verb.as_str());
        let has_file =
            source.iter().any(|path| root().join("crates/vorrang/src").join(path).exists());
        assert!(has_file || in_manual, "{verb} has no file of its own");
        assert!(page.contains(&format!("vorrang {verb}")), "docs/commands.md has no {verb}");
        let variant = format!("{}{}", verb[..1].to_uppercase(), &verb[1..]);
        assert!(lines.contains(&format!("    {variant}({variant})")), "arguments.rs has no {verb}");
    }
}
