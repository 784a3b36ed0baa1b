//! Studies from the outside: what is wrong with one, killed sweeps, folders that do not belong to it.

use crate::program::{command, run};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tempfile::{TempDir, tempdir};

/// 40 shards of 50 systems with two questions.
const STUDY: &str = r#"
version = 1
samples = 500
shard = 50
[tasks]
count = 5
utilisation = ["60%", "90%", "95%", "99%"]
periods = "log-uniform"
shortest = "1ms"
longest = "100ms"
[ask.exact]
question = "accepted"
[ask.refuted]
question = "refuted"
steps = 20000
"#;

/// A folder with a study in it.
fn with(study: &str) -> (TempDir, String, String) {
    let folder = tempdir().expect("a folder");
    let file = folder.path().join("study.toml");
    fs::write(&file, study).expect("room");
    let path = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let out = path(&folder.path().join("out"));
    (folder, path(&file), out)
}

fn shards(out: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(out).expect("the folder");
    entries
        .map(|entry| {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("UTF-8");
            (name, fs::read(entry.path()).expect("a file"))
        })
        .collect()
}

#[test]
fn a_killed_sweep_goes_on_and_leaves_the_same_bytes() {
    let (_whole, study, whole) = with(STUDY);
    let done = run(&["sweep", &study, "--out", &whole, "--threads", "2"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(shards(&whole).len(), 41);

    let (_killed, study, killed) = with(STUDY);
    let arguments = ["sweep", &study, "--out", &killed, "--threads", "1"];
    let last = Path::new(&killed).join("shard-000039.parquet");
    let mut kills = 0;
    // Each run is killed as soon as a few more shards are there.
    for aim in (3..40).step_by(9) {
        let mut child = command(&arguments).stderr(Stdio::null()).spawn().expect("it starts");
        let reached = Path::new(&killed).join(format!("shard-{aim:06}.parquet"));
        while !reached.exists() && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        kills += u32::from(!last.exists());
        child.kill().expect("it is ours");
        child.wait().expect("it ends");
        // What has its name is whole.
        for (name, bytes) in shards(&killed).iter().filter(|(name, _)| !name.starts_with('.')) {
            assert_eq!(Some(bytes), shards(&whole).get(name), "{name}");
        }
    }
    assert!(kills > 0, "no run was killed before its end");
    // What a killed writer leaves goes when its shard comes.
    fs::write(Path::new(&killed).join(".shard-000039.parquet.1.part"), "half").expect("room");
    fs::remove_file(&last).ok();
    let resumed = run(&arguments);
    assert_eq!((resumed.code, resumed.out), (0, done.out), "{}", resumed.err);
    assert_eq!(shards(&killed), shards(&whole));
}

#[test]
fn parts_and_threads_leave_the_same_bytes() {
    let (_one, study, one) = with(STUDY);
    assert_eq!(run(&["sweep", &study, "--out", &one, "--threads", "1"]).code, 0);
    let (_two, study, two) = with(STUDY);
    for part in ["2/3", "3/3", "1/3"] {
        let done = run(&["sweep", &study, "--out", &two, "--threads", "3", "--part", part]);
        assert_eq!(done.code, 0, "{}", done.err);
    }
    assert_eq!(shards(&one), shards(&two));
}

#[test]
fn a_changed_study_does_not_mix() {
    let (_folder, study, out) = with(&STUDY.replace("samples = 500", "samples = 20"));
    assert_eq!(run(&["sweep", &study, "--out", &out]).code, 0);
    let before = shards(&out);
    fs::write(&study, STUDY.replace("samples = 500", "samples = 21")).expect("room");
    let refused = run(&["sweep", &study, "--out", &out]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("holds the answers to another study"), "{}", refused.err);
    assert_eq!(shards(&out), before);
    // A shard of another study under the name of ours.
    let (_other, study, other) = with(&STUDY.replace("samples = 500", "samples = 22"));
    fs::create_dir(&other).expect("new");
    let name = "shard-000000.parquet";
    fs::write(Path::new(&other).join(name), &before[name]).expect("room");
    let refused = run(&["sweep", &study, "--out", &other]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("is of another study or version"), "{}", refused.err);
    // And one that is cut off.
    fs::write(Path::new(&other).join(name), &before[name][..100]).expect("room");
    let refused = run(&["sweep", &study, "--out", &other]);
    assert!(refused.err.contains("is no whole shard"), "{}", refused.err);
}

#[test]
fn a_wrong_study_is_answered_with_all_errors_at_once() {
    let wrong = r#"
version = 1
samples = 0
[tasks]
count = 5
utilisation = [50, "60%", "2000%"]
division = "dsr"
periods = "log-uniform"
shortest = "5"
[core]
schedular = "edf"
[vms]
count = 2
server = "periodic"
period = { from = "5ms", to = "1ms", step = "1ms" }
budget = "150%"
[ask.exact]
question = "acepted"
[asks.more]
"#;
    let (_folder, study, out) = with(wrong);
    let refused = run(&["sweep", &study, "--out", &out]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    for said in [
        "`samples` is out of range",
        "`longest` of tasks is missing",
        "did you mean \"50%\"?",
        "`utilisation` cannot be \"2000%\"",
        "did you mean \"drs\"?",
        "did you mean \"5ms\"?",
        "core has no key `schedular`",
        "did you mean \"scheduler\"?",
        "the range of `period` has no value",
        "did you mean \"accepted\"?",
        "a study has no `asks`",
        ": 10 errors; ",
    ] {
        assert!(refused.err.contains(said), "{said}: {}", refused.err);
    }
    assert!(!Path::new(&out).exists());
}

#[test]
fn a_shown_system_is_judged_by_check_as_in_the_study() {
    let (_folder, study, out) = with(&STUDY.replace("samples = 500", "samples = 12"));
    let done = run(&["sweep", &study, "--out", &out]);
    // By the theorem alone in the study, from the description here.
    let mut accepted = [0_u32; 4];
    for (point, accepted) in accepted.iter_mut().enumerate() {
        for index in 0..12 {
            let shown = run(&["sweep", &study, "--show", &format!("{point}/{index}")]);
            assert_eq!(shown.code, 0, "{}", shown.err);
            let file = Path::new(&study).with_file_name("system.toml");
            fs::write(&file, shown.out).expect("room");
            let checked =
                run(&["check", file.to_str().expect("UTF-8"), "--quiet", "--steps", "1000"]);
            *accepted += u32::from(checked.code == 0);
        }
    }
    for (row, accepted) in done.out.lines().skip(3).zip(accepted) {
        let share = accepted * 10_000 / 12;
        let expected = format!("{}.{:02}", share / 100, share % 100);
        assert!(row.split_whitespace().any(|cell| cell == expected), "{row}: {expected}");
    }
    assert!(accepted.iter().any(|count| *count > 0) && accepted.iter().any(|count| *count < 12));
}
