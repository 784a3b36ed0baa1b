//! `vorrang reproduce` as a page: files, what is refused, a machine beside the figures.

use crate::program::{root, run};
use std::fs;

/// A page of one figure with its pictures, twice the same, and again over the first.
#[test]
fn a_figure_becomes_a_page_with_its_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("made");
    let place = out.to_str().unwrap();
    let made = || {
        let ran = run(&["reproduce", "proxy-counter-examples", "--out", place]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.contains("1 figures in "), "{}", ran.err);
        assert!(
            ran.out.contains("1 claims: 0 agrees, 0 agrees in shape, 1 disagrees"),
            "{}",
            ran.out
        );
        fs::read_to_string(out.join("index.html")).unwrap()
    };
    let html = made();
    assert_eq!(html, made());
    assert!(html.starts_with(vorrang_report::BEGINNING));
    assert!(html.contains("default-src 'none'") && html.contains("id=\"verdicts\""));
    assert!(
        !html.contains("http://")
            || html.matches("http://").count() == html.matches("http://www.w3.org/").count()
    );
    let ran = run(&["reproduce", "proxy-planning", "--out", place]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(fs::read_to_string(out.join("proxy-planning.svg")).unwrap().starts_with("<svg "));
}

#[test]
fn what_is_something_else_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("index.html");
    fs::write(&page, "my own page").unwrap();
    let place = folder.path().to_str().unwrap();
    let asked = ["reproduce", "proxy-counter-examples", "--out", place];
    assert_ne!(run(&asked).code, 0);
    assert_eq!(fs::read_to_string(&page).unwrap(), "my own page");
    assert_eq!(run(&[&asked[..], &["--force"]].concat()).code, 0);
}

#[test]
fn a_profile_stands_beside_the_figures() {
    let profile = root().join("published/machines/celeron.toml");
    let ran = run(&["reproduce", "switch-loss", "--profile", profile.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("By this machine: 7.74 % with 64 KiB of dirty caches"), "{}", ran.out);
    let ran = run(&["reproduce", "switch-loss", "--profile", "/nowhere.toml"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    for alone in [["--out", "x"], ["--profile", "x"]] {
        assert_eq!(run(&[&["reproduce"], &alone[..]].concat()).code, 2);
    }
}
