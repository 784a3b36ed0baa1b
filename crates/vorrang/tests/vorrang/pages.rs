//! Every verb that finds something writes it as a page, the same one each time, beside what it prints.

use crate::program::{command, of, root};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A page and what it was made by, without the revision, which no two commits share.
fn page(arguments: &[&str], folder: &TempDir, name: &str) -> (String, String) {
    let path = folder.path().join(name);
    let out = path.to_str().expect("UTF-8");
    let run = of(command(&[arguments, &[out]].concat()));
    assert!(path.exists(), "{arguments:?}: {}", run.err);
    (fs::read_to_string(path).expect("the page"), run.out)
}

const SIMULATE: [&str; 4] = ["simulate", "examples/proxy-edf.toml", "--witness", "synchronous"];
const OBSERVE: [&str; 4] = [
    "observe",
    "crates/observe/tests/data/observe.toml",
    "--trace",
    "crates/observe/tests/data/6.12-rt.trace",
];
const PROFILE: [&str; 3] = ["measure", "--profile", "published/machines/celeron.toml"];

#[test]
fn pages_are_the_same_each_time_and_what_is_printed_stays_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    for (nth, verb) in [&SIMULATE[..], &OBSERVE, &PROFILE].into_iter().enumerate() {
        let with = [verb, &["--report"]].concat();
        let (one, printed) = page(&with, &folder, &format!("{nth}-a.html"));
        let (other, _) = page(&with, &folder, &format!("{nth}-b.html"));
        assert_eq!(one, other, "{verb:?}");
        assert_eq!(printed, of(command(verb)).out, "{verb:?}");
        assert!(one.starts_with(vorrang_report::BEGINNING), "{verb:?}");
        assert!(one.contains("<svg "), "{verb:?}");
    }
}

#[test]
fn measured_stands_beside_simulated_beside_bound() {
    let folder = tempfile::tempdir().expect("a folder");
    let (html, _) = page(&[&OBSERVE[..], &["--report"]].concat(), &folder, "o.html");
    // The longest response of the trace, and the bound of `vorrang check`.
    for text in ["measured", "simulated, a history by chance", "bound 1.9ms", ">1512<"] {
        assert!(html.contains(text), "{text}");
    }
}

#[test]
fn a_missed_deadline_is_in_the_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let (html, _) = page(&[&SIMULATE[..], &["--report"]].concat(), &folder, "s.html");
    assert!(
        html.contains("The job of task.control that arrives at 5050ms is the first that is late.")
    );
    assert!(html.contains("deadline missed"));
}

#[test]
fn figures_alone_are_files_and_a_page_is_written_over_a_page_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let figures = folder.path().join("figures");
    let path = |of: &Path| of.to_str().expect("UTF-8").to_owned();
    let run = of(command(&[&PROFILE[..], &["--figures", &path(&figures)]].concat()));
    assert_eq!(run.code, 0, "{}", run.err);
    let svg = fs::read_to_string(figures.join("fits.svg")).expect("a figure");
    assert!(svg.starts_with("<svg "));

    let other = folder.path().join("other.html");
    fs::write(&other, "mine").expect("a file");
    let run = of(command(&[&PROFILE[..], &["--report", &path(&other)]].concat()));
    assert_eq!(run.code, 2, "{}", run.err);
    assert_eq!(fs::read_to_string(other).expect("the file"), "mine");
    assert!(root().join("published/machines/celeron.toml").exists());
}

#[test]
fn a_page_of_nothing_is_an_error() {
    let run = of(command(&["measure", "--report", "nothing.html"]));
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("--profile"), "{}", run.err);
}

/// Times of nine digits stand in the unit of their axis, or in the largest that is exact.
#[test]
fn no_figure_counts_in_long_nanoseconds() {
    let folder = tempfile::tempdir().expect("a folder");
    let system = root().join("examples/hello.toml");
    let text = fs::read_to_string(system).expect("an example");
    let odd = folder.path().join("odd.toml");
    fs::write(&odd, text.replace("wcet = \"1200us\"", "wcet = \"1200003ns\"")).expect("a file");
    let odd = odd.to_str().expect("UTF-8");
    let (html, _) = page(&["report", odd, "--out"], &folder, "r.html");
    let long = html.split(|c: char| !c.is_ascii_alphanumeric()).find(|word| {
        let digits = word.strip_suffix("ns").unwrap_or_default();
        digits.len() > 5 && digits.bytes().all(|digit| digit.is_ascii_digit())
    });
    assert_eq!(long, None);
    assert!(html.contains("7.400003"), "what decides is there");
}
