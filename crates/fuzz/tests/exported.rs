//! What is exported is read back by the programs that read it.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use vorrang_campaign::random::Random;
use vorrang_fuzz::exported::shell::Bench;
use vorrang_fuzz::exported::{Case, FORMS, Named, Scheduled, Thread, check, names};
use vorrang_quote::expression;

#[test]
fn names_arrive_as_they_are_and_nothing_else_does() {
    let bench = Bench::new().expect("a folder");
    for stream in 0..80 {
        let case = Case::drawn(&mut Random::new(1, stream));
        for form in FORMS {
            check(&case, form, &bench)
                .unwrap_or_else(|why| panic!("case {stream}: {why}\n{case:#?}"));
        }
    }
}

#[test]
fn what_once_broke_out_stays_inside() {
    let bench = Bench::new().expect("a folder");
    for (file, vm) in
        [("domain-is-a-command", "dom; echo INJECTED; #"), ("domain-ends-a-comment", "a--><evil>")]
    {
        let path = format!("{}/../vorrang/tests/systems/{file}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = fs::read_to_string(Path::new(&path)).expect("a description");
        assert!(text.contains(&format!("\"vm:{vm}/0\"")), "{text}");
        let thread = Thread::Vm(vm.to_owned(), 0);
        let named = Named {
            label: "vcpu.v".to_owned(),
            thread,
            scheduled: Scheduled::Reservation(1_000_000, 10_000_000),
        };
        let case = Case { threads: vec![named], interrupts: Vec::new() };
        for form in FORMS {
            check(&case, form, &bench).unwrap_or_else(|why| panic!("{file}: {why}"));
        }
    }
}

/// By `grep` itself, of lines that differ in one character.
#[test]
fn an_expression_is_matched_by_its_text_only() {
    for stream in 0..60 {
        let mut random = Random::new(2, stream);
        let text = names::text(&mut random).replace(['\n', '\0'], "");
        if text.is_empty() {
            continue;
        }
        let characters: Vec<char> = text.chars().collect();
        let others = (0..characters.len()).map(|place| {
            let mut other = characters.clone();
            other[place] = if other[place] == 'x' { 'y' } else { 'x' };
            other.into_iter().collect::<String>()
        });
        let lines: Vec<String> = std::iter::once(text.clone()).chain(others).collect();
        let mut grep = Command::new("grep");
        grep.args(["-nE", "-e", &format!("^{}$", expression(&text))]);
        grep.env("LC_ALL", "C").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut grep = grep.spawn().expect("grep");
        let written = grep.stdin.take().expect("a pipe").write_all(lines.join("\n").as_bytes());
        written.expect("grep reads");
        let found = grep.wait_with_output().expect("grep").stdout;
        assert_eq!(String::from_utf8_lossy(&found), format!("1:{text}\n"), "{stream}");
    }
}
