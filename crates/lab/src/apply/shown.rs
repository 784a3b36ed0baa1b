//! The sessions of booted machines in the documents are real.
//!
//! **Model.** The text between two marks in a document is the output of some commands on the newest line of kernels.
//! It is compared with their present output, except for numbers (of threads, of percent, of time) and the width of
//! columns; with `VORRANG_WRITE_DOCS=1` it is replaced by that.

use crate::check::Check;
use crate::evidence::Evidence;
use crate::kernel::{LINES, Line};
use crate::written::Scenario;
use serde::Deserialize;
use std::path::Path;
use std::{env, fs};
use vorrang_guest::Record;

const END: &str = "```\n<!-- until here -->\n";

/// A document that shows sessions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Shown {
    /// Its path from the top.
    document: String,
    /// The arguments of `vorrang` in the sessions.
    commands: Vec<String>,
}

/// Whether the document of a scenario shows what its commands printed; nothing on other lines of kernels than the newest.
pub(crate) fn shown(of: &Scenario, evidence: &Evidence) -> Option<Check> {
    of.given::<Shown>("shown").check(&of.name, evidence)
}

impl Shown {
    fn check(&self, scenario: &str, evidence: &Evidence) -> Option<Check> {
        let kernel = evidence.records.iter().find_map(|record| match record {
            Record::Started { kernel, .. } => Some(kernel),
            _ => None,
        })?;
        let newest = LINES.iter().rfind(|line| line.is_real_time());
        if Line::of_release(kernel).as_ref() != newest {
            return None;
        }
        let begin = format!("<!-- printed in the lab: vorrang-lab run {scenario} -->\n```\n");
        let mut next = 0;
        let printed: Vec<String> =
            self.commands.iter().map(|one| session(evidence, &vorrang(one), &mut next)).collect();
        let printed = format!("# uname -r\n{kernel}\n\n{}", printed.join("\n"));
        let what = format!("{} shows this session (VORRANG_WRITE_DOCS=1 writes it)", self.document);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(&self.document);
        Some(match compare(&path, &begin, &printed) {
            Ok(None) => Check::new(what, "it does", true),
            Ok(Some(line)) => Check::new(what, format!("it does not show: {line}"), false),
            Err(why) => Check::new(what, why, false),
        })
    }
}

/// The command of `vorrang` with these arguments.
fn vorrang(arguments: &str) -> Vec<String> {
    format!("/bin/vorrang {arguments}").split(' ').map(str::to_owned).collect()
}

/// A command and what it printed, the first time from a record on that it succeeded.
fn session(evidence: &Evidence, asked: &[String], next: &mut usize) -> String {
    let mut from = evidence.records.iter().enumerate().skip(*next);
    let printed = from.find_map(|(place, record)| match record {
        Record::Ran { command, output, exit: 0, .. } if command == asked => {
            *next = place;
            Some(output.as_str())
        }
        _ => None,
    });
    let words = asked.join(" ");
    let command = words.strip_prefix("/bin/").unwrap_or(&words);
    format!("# {command}\n{}\n", shortened(printed.unwrap_or("it failed")).trim_end())
}

/// Of a list of changes the first and the last ones.
fn shortened(text: &str) -> String {
    // Those of the first reserved thread depend on where it ran last.
    const FIRST: usize = 3;
    const LAST: usize = 2;
    let lines: Vec<&str> = text.lines().collect();
    let is_change = |line: &str| line.starts_with("    ") && !line.trim_start().starts_with('[');
    let begin = lines.iter().position(|line| is_change(line)).unwrap_or(0);
    let count = lines[begin..].iter().take_while(|line| is_change(line)).count();
    if count <= FIRST + LAST {
        return text.to_owned();
    }
    let first = &lines[..begin + FIRST];
    let last = &lines[begin + count - LAST..];
    [first, &["    ..."], last].concat().join("\n")
}

/// The first printed line that the file does not show in its place; or the file is written.
fn compare(path: &Path, begin: &str, printed: &str) -> Result<Option<String>, String> {
    let told = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let text = fs::read_to_string(path).map_err(|why| told(&why))?;
    let (before, rest) = text.split_once(begin).ok_or_else(|| told(&"no mark where it begins"))?;
    let (shown, after) = rest.split_once(END).ok_or_else(|| told(&"no mark where it ends"))?;
    if env::var("VORRANG_WRITE_DOCS").is_ok_and(|wish| wish == "1") {
        let text = format!("{before}{begin}{printed}{END}{after}");
        return fs::write(path, text).map(|()| None).map_err(|why| told(&why));
    }
    Ok(difference(shown, printed))
}

fn difference(shown: &str, printed: &str) -> Option<String> {
    let mut shown = shown.lines().map(without_numbers);
    for line in printed.lines() {
        if shown.next() != Some(without_numbers(line)) {
            return Some(line.to_owned());
        }
    }
    shown.next().map(|line| format!("nothing after its end, as {line}"))
}

/// Every number and its unit of time the same, every gap and rule of a table as wide.
fn without_numbers(line: &str) -> String {
    let kind = |letter: char| if letter.is_ascii_digit() { '0' } else { letter };
    let mut out = String::new();
    for letter in line.chars().map(kind) {
        if !("0 -".contains(letter) && out.ends_with(letter)) {
            out.push(letter);
        }
    }
    ["0ns", "0us", "0ms"].iter().fold(out, |out, time| out.replace(time, "0s"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_widths_may_differ_and_nothing_else() {
        let shown = "of   number  [%]\n---  ------\nload    119  19.91\n";
        assert_eq!(difference(shown, "of  number [%]\n--  ---\nload 7 2.00\n"), None);
        assert_eq!(difference("held 17.174483ms\n", "held 494.034us\n"), None);
        assert_eq!(
            difference(shown, "of  number [%]\n--  ---\nload 7 -\n").as_deref(),
            Some("load 7 -")
        );
        assert!(difference(shown, "of  number [%]\n").is_some());
    }

    #[test]
    fn of_many_changes_the_first_and_last_ones_are_shown() {
        let changes: Vec<String> = (1..=9).map(|number| format!("    write {number}")).collect();
        let text = shortened(&format!("Made 9 changes:\n{}\n\nthen", changes.join("\n")));
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines[1..7], ["write 1", "write 2", "write 3", "...", "write 8", "write 9"]);
        assert_eq!(lines[8], "then");
    }
}
