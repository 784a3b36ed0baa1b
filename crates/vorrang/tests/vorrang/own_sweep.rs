//! `vorrang sweep --vary`: one's own description at other values.

use crate::program::{Run, run};
use std::fs;
use tempfile::TempDir;

fn sweep(arguments: &[&str]) -> Run {
    run(&[&["sweep", "examples/hello.toml"], arguments].concat())
}

#[test]
fn each_point_has_the_verdict_of_a_check() {
    let folder = TempDir::new().unwrap();
    let hello = fs::read_to_string("../../examples/hello.toml").unwrap();
    let Run { out, code, .. } = sweep(&["--csv", "--vary", "vcpu.motor.budget=1ms..4ms:1ms"]);
    assert_eq!(code, 0);
    let mut rows = out.lines();
    assert_eq!(
        rows.next(),
        Some("vcpu.motor.budget,whole,requirement,verdict,limit_ns,bound_ns,observed_ns,refused")
    );
    for budget in ["1ms", "2ms", "3ms", "4ms"] {
        let file = folder.path().join(format!("{budget}.toml"));
        fs::write(&file, hello.replace("budget = \"4ms\"", &format!("budget = \"{budget}\"")))
            .unwrap();
        let Run { out, .. } = run(&["check", file.to_str().unwrap(), "--json"]);
        let found: serde_json::Value = serde_json::from_str(&out).unwrap();
        for requirement in found["requirements"].as_array().unwrap() {
            let cell = |key: &str| requirement[key].to_string().replace('"', "");
            let row: Vec<&str> = rows.next().unwrap().split(',').collect();
            assert_eq!(row[0], budget);
            assert_eq!(row[2..4], [cell("name"), cell("verdict")]);
            assert_eq!(row[4..6], [cell("limit_ns"), cell("bound_ns")]);
        }
    }
    assert_eq!(rows.next(), None);
}

#[test]
fn parts_are_the_whole() {
    let vary = [
        "--vary",
        "vcpu.motor.budget=1ms..3ms:1ms",
        "--vary",
        "vcpu.motor.server=polling,deferrable",
    ];
    let rows = |part: &[&str]| {
        let Run { out, .. } = sweep(&[&["--csv", "--steps", "10000"], &vary[..], part].concat());
        out.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let (mut parts, mut whole) =
        ([rows(&["--part", "1/2"]), rows(&["--part", "2/2"])].concat(), rows(&[]));
    assert_eq!(whole.len(), 18);
    parts.sort();
    whole.sort();
    assert_eq!(parts, whole);
}

#[test]
fn a_point_that_is_refused_says_why() {
    let Run { out, code, .. } = sweep(&["--vary", "vcpu.motor.budget=4ms,11ms", "--of", "control"]);
    assert_eq!(code, 0);
    assert!(out.contains("\n11ms               refused  -"), "{out}");
    assert!(out.contains("\nOf 2 points: 1 proven, 1 refused.\nRefused at 11ms: E0401: "), "{out}");
}

#[test]
fn what_cannot_be_varied_is_named() {
    for (vary, says) in [
        ("vcpu.moto.budget=1ms,2ms", "error: the description has no [vcpu.moto]\n"),
        ("vcpu.motor.budgt=1ms", "it is refused at every point: E0101: "),
        ("vcpu.motor.budget=1ms..2ms", "a range has a step"),
        ("task.control.wcet=1ns..100us:1ns", "the range has 100000 values, and may have 10000"),
    ] {
        let Run { out, err, code } = sweep(&["--vary", vary]);
        assert_eq!((out.as_str(), code), ("", 2), "{vary}");
        assert!(err.contains(says), "{vary}: {err}");
    }
    let Run { err, code, .. } = sweep(&["--vary", "vcpu.motor.budget=1ms,2ms", "--of", "contrl"]);
    assert_eq!((err.as_str(), code), ("error: there is no requirement contrl\n", 2));
    let words = ["--vary", "vcpu.motor.server=polling,deferrable", "--svg", "/dev/null"];
    let Run { err, code, .. } = sweep(&words);
    assert_eq!(code, 2);
    assert!(err.starts_with("error: --svg needs numbers or times first"), "{err}");
}

#[test]
fn a_picture_has_a_curve_for_each_combination() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("curves.svg");
    let vary = [
        "--vary",
        "vcpu.motor.budget=2ms..4ms:1ms",
        "--vary",
        "vcpu.motor.server=polling,deferrable",
    ];
    let of = ["--of", "control", "--svg", file.to_str().unwrap()];
    assert_eq!(sweep(&[&vary[..], &of].concat()).code, 0);
    let svg = fs::read_to_string(file).unwrap();
    for curve in ["task.control, polling", "task.control, deferrable"] {
        assert!(svg.contains(curve), "{curve}");
    }
}
