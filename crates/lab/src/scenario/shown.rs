//! What the README shows of a booted machine is what a machine printed.
//!
//! **Model.** Between two marks in the README stands what some commands printed on the newest line of
//! kernels. It is compared with what they print now, but for numbers (of threads, of percent) and the
//! width of columns; with `VORRANG_WRITE_DOCS=1` it is replaced by it.

use super::Check;
use crate::evidence::Evidence;
use crate::kernel::LINES;
use std::path::Path;
use std::{env, fs};
use vorrang_guest::Record;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
const BEGIN: &str = "<!-- printed in the lab: vorrang-lab run apply -->\n```\n";
const END: &str = "```\n<!-- until here -->\n";

/// Whether the README shows what these commands printed; nothing on older lines of kernels.
pub(super) fn check(evidence: &Evidence, commands: &[Vec<String>]) -> Option<Check> {
    let kernel = evidence.records.iter().find_map(|record| match record {
        Record::Started { kernel, .. } => Some(kernel),
        _ => None,
    })?;
    let newest = LINES.last()?.name.split('-').next()?;
    if !kernel.starts_with(newest) {
        return None;
    }
    let printed = commands.iter().map(|command| session(evidence, command));
    let printed = format!("# uname -r\n{kernel}\n\n{}", printed.collect::<Vec<_>>().join("\n"));
    let what = "the README shows this session (VORRANG_WRITE_DOCS=1 writes it)";
    Some(match compare(Path::new(README), &printed) {
        Ok(None) => Check::new(what, "it does", true),
        Ok(Some(line)) => Check::new(what, format!("it does not show: {line}"), false),
        Err(why) => Check::new(what, why, false),
    })
}

/// A command and what it printed.
fn session(evidence: &Evidence, asked: &[String]) -> String {
    let printed = evidence.records.iter().find_map(|record| match record {
        Record::Ran { command, output, exit: 0, .. } if command == asked => Some(output.as_str()),
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
fn compare(path: &Path, printed: &str) -> Result<Option<String>, String> {
    let told = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let text = fs::read_to_string(path).map_err(|why| told(&why))?;
    let (before, rest) = text.split_once(BEGIN).ok_or_else(|| told(&"no mark where it begins"))?;
    let (shown, after) = rest.split_once(END).ok_or_else(|| told(&"no mark where it ends"))?;
    if env::var("VORRANG_WRITE_DOCS").is_ok_and(|wish| wish == "1") {
        let text = format!("{before}{BEGIN}{printed}{END}{after}");
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

/// Every number the same, every gap and rule of a table as wide.
fn without_numbers(line: &str) -> String {
    let kind = |letter: char| if letter.is_ascii_digit() { '0' } else { letter };
    let mut out = String::new();
    for letter in line.chars().map(kind) {
        if !("0 -".contains(letter) && out.ends_with(letter)) {
            out.push(letter);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_widths_may_differ_and_nothing_else() {
        let shown = "of   number  [%]\n---  ------\nload    119  19.91\n";
        assert_eq!(difference(shown, "of  number [%]\n--  ---\nload 7 2.00\n"), None);
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
