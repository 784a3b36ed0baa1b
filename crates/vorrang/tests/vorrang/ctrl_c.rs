//! Ctrl-C: what is known is printed, what is not known is said, and the exit code is 130.
#![cfg(target_os = "linux")]

use crate::program::{command, root};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Sends SIGINT a while after the program has begun its work.
fn interrupted(command: &mut Command) -> Output {
    interrupted_after(Duration::from_millis(1_500), command)
}

fn interrupted_after(time: Duration, command: &mut Command) -> Output {
    signalled_after("INT", time, command)
}

/// Sends a signal so long after the program listens for it: until then the signal would kill it.
fn signalled_after(signal: &str, time: Duration, command: &mut Command) -> Output {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the program starts");
    let status = format!("/proc/{}/status", child.id());
    let listens = || {
        let status = std::fs::read_to_string(&status).expect("it still runs");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.expect("its signals").trim(), 16);
        let both = (1 << 1) | (1 << 14);
        caught.expect("a number") & both == both
    };
    while !listens() {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(time);
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(sent.expect("there is kill").success());
    child.wait_with_output().expect("it ends")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

/// Some minutes.
const STEPS: &str = "100000000000";

/// An example, and so many cores that their histories take long, although their bounds do not.
fn with_many_cores(example: &str) -> tempfile::NamedTempFile {
    let example = root().join("examples").join(example);
    let mut system = std::fs::read_to_string(example).expect("the example");
    for core in 0..400 {
        let _ = write!(
            system,
            "\n[core.more{core}]\nscheduler = \"edf\"\n[task.more{core}]\non = \"core.more{core}\"\n\
             wcet = \"100ns\"\nperiod = \"1us\"\n"
        );
    }
    let mut file = tempfile::Builder::new().suffix(".toml").tempfile().expect("a file");
    file.write_all(system.as_bytes()).expect("room");
    file
}

#[test]
fn a_check_prints_the_bounds_that_it_knows() {
    let file = with_many_cores("undecided.toml");
    let output = interrupted(command(&["check", "--steps", STEPS]).arg(file.path()));
    assert_eq!(output.status.code(), Some(130));
    let out = text(output.stdout);
    assert!(out.contains(" is undecided: it was interrupted; so far, the bound "), "{out}");
    assert!(out.contains("\nOf 404 requirements, 3 are undecided, 401 are proven.\n"), "{out}");
    assert!(out.contains("\nInterrupted: the rest is not known.\n"), "{out}");
    let output = interrupted(command(&["check", "--steps", STEPS, "--json"]).arg(file.path()));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["interrupted"], true);
}

/// What is refuted by then stays so.
#[test]
fn a_check_that_has_refuted_something_says_so() {
    let file = with_many_cores("proxy-edf.toml");
    let output = interrupted(command(&["check", "--steps", STEPS]).arg(file.path()));
    assert_eq!(output.status.code(), Some(1), "{}", text(output.stdout));
}

/// One core after the other is written into a trace, so the second one is not begun.
#[test]
fn a_simulation_names_the_cores_that_it_never_began() {
    let long = ["simulate", "examples/consolidation.toml", "--for", "100000s"];
    let output = interrupted(command(&long).args(["--trace", "/dev/null"]));
    assert_eq!(output.status.code(), Some(130));
    let out = text(output.stdout);
    let never = "core.1 is not simulated: interrupted before it was begun.";
    assert!(out.contains(never) && out.contains("\nInterrupted at "), "{out}");
    let output = interrupted(command(&long).args(["--trace", "/dev/null", "--json"]));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["interrupted_at_ns"], 0);
    assert_eq!(document["cores"][1]["not_simulated"], "interrupted before it was begun");
}

#[test]
fn a_measurement_prints_what_it_knows() {
    let endless = ["measure", "latency", "-q", "--default-system"];
    let output = interrupted(&mut command(&endless));
    assert_eq!(output.status.code(), Some(130), "{}", text(output.stderr));
    assert!(text(output.stdout).starts_with("T: 0 "));
    let output = interrupted(&mut command(&["measure", "switch", "--for", "1000s"]));
    let err = text(output.stderr);
    assert!(output.status.code() == Some(130) || err.starts_with("error: "), "{err}");
}

/// Many servers, each with a task: the analysis ends where it is, and says so.
#[test]
fn an_analysis_can_be_interrupted_too() {
    let mut system = "version = 1\n".to_owned();
    for core in 0..100 {
        let _ = write!(system, "[core.{core}]\nscheduler = \"fixed-priority\"\n");
        for task in 0..100_u32 {
            let period = 1_000_003 + 7_919 * task;
            let _ = write!(
                system,
                "[task.t{core}-{task}]\non = \"core.{core}\"\npriority = {task}\n\
                 wcet = \"{}ns\"\nperiod = \"{period}ns\"\ndeadline = \"{period}ns\"\n",
                period / 102
            );
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("large.toml");
    std::fs::write(&file, system).expect("a file");
    let output = interrupted_after(Duration::ZERO, command(&["check"]).arg(&file));
    let out = text(output.stdout);
    assert_eq!(output.status.code(), Some(130), "{}", &out[out.len().saturating_sub(500)..]);
    assert!(out.contains("the analysis was interrupted"));
}

/// Nothing is said of requirements that were not looked at, and no file is left, not even a part of one.
#[test]
fn a_search_that_found_no_design_yet_leaves_nothing() {
    for (signal, writes) in [("INT", false), ("TERM", false), ("INT", true), ("TERM", true)] {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("designed.toml");
        let mut search = command(&["design", "designs/consolidation.toml", "--steps", STEPS]);
        if writes {
            search.arg("--out").arg(&out);
        }
        let output = signalled_after(signal, Duration::ZERO, &mut search);
        let (said, err) = (text(output.stdout), text(output.stderr));
        assert_eq!(output.status.code(), Some(130), "{signal}: {said}{err}");
        assert!(
            said.is_empty() && err.ends_with("interrupted before a design was found\n"),
            "{err}"
        );
        assert_eq!(folder.path().read_dir().expect("a folder").count(), 0);
    }
}

/// Servers that may stand on any of four cores: a first design is found soon, and all 4096 places take long.
fn with_many_places() -> String {
    let mut text = "version = 1\n".to_owned();
    for core in 0..4 {
        let _ = write!(text, "[core.{core}]\nscheduler = \"fixed-priority\"\n");
    }
    for server in 1..=6 {
        let (work, period) = (200 * server, 13 + 7 * server);
        let _ = write!(
            text,
            "[server.s{server}]\non = \"?\"\nserver = \"deferrable\"\npriority = {server}\n\
             budget = \"?\"\nperiod = [\"5ms\", \"10ms\"]\n\
             [task.t{server}]\non = \"server.s{server}\"\nwcet = \"{work}us\"\nperiod = \"{period}ms\"\n"
        );
    }
    text
}

/// What was found by then is proven and written, whole.
#[test]
fn a_search_that_found_a_design_writes_all_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let [places, out] = ["places.toml", "designed.toml"].map(|name| folder.path().join(name));
    std::fs::write(&places, with_many_places()).expect("a file");
    for seconds in [1, 4, 16, 64] {
        let mut search = command(&["design", "--steps", STEPS, "--out"]);
        let search = search.arg(&out).arg(&places);
        let output = interrupted_after(Duration::from_secs(seconds), search);
        let (said, err) = (text(output.stdout), text(output.stderr));
        let files = folder.path().read_dir().expect("a folder").count();
        if output.status.code() == Some(130) {
            // A slow machine.
            assert!(said.is_empty() && err.contains("interrupted before "), "{said}{err}");
            assert_eq!(files, 1);
            continue;
        }
        assert_eq!((output.status.code(), files), (Some(0), 2), "{said}{err}");
        let check = command(&["check"]).arg(&out).output().expect("it starts");
        assert!(check.status.success(), "{}", text(check.stdout));
        return;
    }
    panic!("none is found in a minute");
}

/// Of a curve nothing is written before all of it is known.
#[test]
fn a_curve_is_drawn_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("fine.toml");
    let description = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[server.a]\non = \"core.0\"\n\
                server = \"deferrable\"\nbudget = \"?\"\n\
                period = { from = \"1ms\", to = \"100ms\", step = \"100ns\" }\n\
                [task.a]\non = \"server.a\"\nwcet = \"1ms\"\nperiod = \"200ms\"\n";
    std::fs::write(&file, description).expect("a file");
    let mut curve = command(&["design", "--curve", "server.a", "--steps", STEPS, "--svg"]);
    let output = interrupted(curve.arg(folder.path().join("curve.svg")).arg(&file));
    let (said, err) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(130), "{said}{err}");
    assert!(
        said.is_empty() && err.ends_with("interrupted before the curve was complete\n"),
        "{err}"
    );
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 1);
}

/// The rest is said to be unknown.
#[test]
fn margins_that_are_not_known_are_named() {
    let file = with_many_cores("hello.toml");
    let output = interrupted(command(&["margin", "--steps", STEPS]).arg(file.path()));
    let out = text(output.stdout);
    assert_eq!(output.status.code(), Some(130), "{out}");
    assert!(
        out.contains("Left out after ") && out.contains("\nInterrupted: the rest is not known.\n"),
        "{out}"
    );
    let output = interrupted(command(&["margin", "--json", "--steps", STEPS]).arg(file.path()));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((output.status.code(), &document["interrupted"]), (Some(130), &true.into()));
}
