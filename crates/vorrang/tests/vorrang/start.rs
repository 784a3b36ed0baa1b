//! What a newcomer begins with: templates, manuals, completions, the systems of another newcomer.

use crate::program::{root, run};
use std::path::PathBuf;

const TEMPLATES: [&str; 5] = ["kvm", "preempt-rt", "irq-threads", "slots", "empty"];

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("vorrang-start-{}-{name}", std::process::id()))
}

#[test]
fn every_template_is_listed_and_proven_and_only_the_empty_one_requires_nothing() {
    let list = run(&["init"]).out;
    let listed: Vec<&str> = list.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(listed, TEMPLATES);
    for template in TEMPLATES {
        let file = temporary(template).with_extension("toml");
        let path = file.to_str().expect("UTF-8");
        let written = run(&["init", template, "--out", path]);
        assert_eq!((written.code, written.out.as_str()), (0, ""), "{}", written.err);
        let text = std::fs::read_to_string(&file).expect("the template");
        assert_eq!(text, run(&["init", template]).out);
        let checked = run(&["check", path, "--quiet"]);
        let again = run(&["init", template, "--out", path]);
        std::fs::remove_file(&file).expect("it was there");
        let (code, verdict) = if template == "empty" {
            (3, "Nothing is required, so nothing is proven. ")
        } else {
            (0, "All ")
        };
        assert_eq!((checked.code, checked.err.as_str()), (code, ""), "{template}");
        assert!(checked.out.starts_with(verdict), "{template}: {}", checked.out);
        assert_eq!(again.code, 2);
        assert!(again.err.contains("there is such a file already"), "{}", again.err);
    }
}

/// Text for people in lines that fit, and nothing that would surprise an editor.
#[test]
fn templates_are_written_like_the_examples() {
    for template in TEMPLATES {
        let text = run(&["init", template]).out;
        assert!(
            text.starts_with("#:schema vorrang.schema.json\n# ")
                && text.is_ascii()
                && text.ends_with('\n'),
            "{template}"
        );
        let fits = |line: &str| line.len() <= 100 && line.trim_end() == line;
        assert!(text.lines().all(fits), "{template}");
    }
}

/// The commands that the program knows, by its own help.
fn verbs() -> Vec<String> {
    let help = run(&["--help"]).out;
    let (_, list) = help.split_once("Commands:\n").expect("a list of commands");
    let rows = list.lines().take_while(|line| !line.is_empty());
    rows.map(|row| row.split_whitespace().next().expect("a name").to_owned()).collect()
}

#[test]
fn help_completions_and_manuals_know_every_command() {
    let folder = temporary("manuals");
    std::fs::create_dir(&folder).expect("a folder");
    let out = folder.to_str().expect("UTF-8");
    let written = run(&["man", "--out", out]);
    assert_eq!((written.code, written.out.as_str()), (0, ""), "{}", written.err);
    let bash = run(&["completions", "bash"]).out;
    let verbs = verbs();
    assert!(verbs.len() > 12, "{verbs:?}");
    for verb in verbs.iter().filter(|verb| *verb != "help") {
        assert_eq!(run(&["help", verb]).out, run(&[verb, "--help"]).out);
        assert!(bash.contains(&format!("vorrang,{verb})")), "{verb}");
        let page = std::fs::read_to_string(folder.join(format!("vorrang-{verb}.1")));
        assert_eq!(page.expect("a page"), run(&["man", verb]).out);
    }
    assert!(folder.join("vorrang.1").exists() && folder.join("vorrang-measure-cache.1").exists());
    assert_eq!(run(&["man", "--out", out]).code, 2);
    std::fs::remove_dir_all(&folder).expect("it was there");
    assert_eq!(run(&["man", "chekc"]).code, 2);
}

/// Systems that a newcomer wrote down, with what is known about them.
#[test]
fn the_systems_of_a_newcomer_have_their_verdicts() {
    for (file, sentence) in [
        ("cockpit.toml", "Of 11 requirements, 2 are refuted, 1 is undecided, 8 are proven.\n"),
        ("industrial-pc.toml", "Of 6 requirements, 1 is refuted, 1 is undecided, 4 are proven.\n"),
    ] {
        let run = run(&["check", &format!("examples/{file}"), "--quiet"]);
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (1, sentence, ""), "{file}");
    }
    let large = run(&["check", "examples/edge-box.toml"]);
    assert_eq!(large.code, 3);
    // The newcomer gave three pairs of machines the same priority.
    assert_eq!(large.err.matches("warning[").count(), 3, "{}", large.err);
    assert_eq!(large.err.matches("warning[W0001]").count(), 3, "{}", large.err);
    insta::assert_snapshot!("check edge-box.toml", large.out);
}

/// The README shows the file beside its verdict.
#[test]
fn the_readme_shows_the_description_that_it_decides() {
    let [readme, hello] = ["README.md", "examples/hello.toml"]
        .map(|file| std::fs::read_to_string(root().join(file)).expect("a text"));
    assert!(readme.contains(&format!("```toml\n{hello}```\n")), "examples/hello.toml differs");
}
