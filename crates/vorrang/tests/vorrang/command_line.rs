//! Wrong input, wrong arguments, and outputs that cannot be written.

use crate::program::{command, memory_of, of, root, run};
use crate::strict::violations;
use std::io::Write as _;
use std::process::Stdio;

fn refused(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}: {}", run.err);
    run.err
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_the_reason() {
    let missing = refused(&["check", "no/such/file.toml"]);
    assert_eq!(missing, "error: no/such/file.toml: there is no such file\n");
    let folder = refused(&["simulate", "examples"]);
    assert_eq!(folder, "error: examples: this is a directory, not a description\n");
}

#[test]
fn wrong_arguments_are_refused() {
    for arguments in [
        &["check"][..],
        &["check", "examples/hello.toml", "--for", "10"],
        &["check", "examples/hello.toml", "--quiet", "--json"],
        &["check", "examples/hello.toml", "--only", "shaky"],
        &["check", "examples/hello.toml", "--json", "--output-format", "junit"],
        &["check", "examples/hello.toml", "--undecided", "skipped"],
        &["check", "examples/hello.toml", "examples/video.toml", "--explain", "log"],
        &["check", "crates/quote"],
        &["check", "examples", "--watch"],
        &["check", "-", "--watch"],
        &["check", "examples/hello.toml", "--watch", "--json"],
        &["fmt"],
        &["diff", "examples/hello.toml"],
        &["simulate", "examples/hello.toml", "--from", "1ms"],
        &["simulate", "examples/hello.toml", "--json", "--histogram"],
        &["simulate", "examples/hello.toml", "--witness", "random:1", "--seed", "1"],
        &["simulate", "examples/hello.toml", "--from", "2ms", "--to", "1ms"],
        &["verify"],
    ] {
        assert!(!refused(arguments).is_empty());
    }
}

#[test]
fn names_that_are_not_there_are_answered_with_those_that_are() {
    let hello = "examples/hello.toml";
    insta::assert_snapshot!(refused(&["check", hello, "--explain", "task.lgo"]), @"error: there is no requirement task.lgo: did you mean task.log?");
    insta::assert_snapshot!(refused(&["check", "examples/chain.toml", "--explain", "chain.brake"]), @"error: there is no requirement chain.brake: a chain has its terms in the result without `--explain`");
    insta::assert_snapshot!(refused(&["simulate", hello, "--core", "core.7"]), @"error: there is no core core.7; there are core.0");
    insta::assert_snapshot!(refused(&["simulate", "examples/consolidation.toml", "--witness", "synchronous"]), @"error: a chart is of one core; say which with --core: core.0, core.1");
    insta::assert_snapshot!(refused(&["simulate", hello, "--histogram=task.lgo"]), @"error: --histogram: there is no task, interrupt or device task.lgo");
    insta::assert_snapshot!(refused(&["explain", "E9999"]), @"error: there is no code E9999; `vorrang explain` lists all of them");
}

#[test]
fn a_wrong_description_is_answered_with_all_errors_at_once() {
    let mut check = command(&["check", "-"]);
    let run = with_input(&mut check, b"version = 1\n[core.0]\nscheduler = \"edv\"\n[task.x]\non = \"core.0\"\nwcet = 5\nperiod = \"1ms\"\n");
    assert_eq!(run.0, 2);
    insta::assert_snapshot!(run.1);
}

#[test]
fn standard_input_is_read_in_both_formats() {
    let json = br#"{"version": 1, "core": {"0": {"scheduler": "edf"}},
        "task": {"x": {"on": "core.0", "wcet": "1ms", "period": "5ms"}}}"#;
    assert_eq!(with_input(&mut command(&["check", "-", "--format", "json"]), json).0, 0);
    let toml =
        std::fs::read(crate::program::root().join("examples/hello.toml")).expect("the example");
    assert_eq!(with_input(&mut command(&["check", "-"]), &toml).0, 0);
    assert_eq!(with_input(&mut command(&["check", "-"]), json).0, 2);
}

#[test]
fn a_system_without_requirements_says_so() {
    let toml = b"version = 1\n[core.0]\nscheduler = \"edf\"\n";
    let (code, err, out) = with_input(&mut command(&["check", "-"]), toml);
    assert_eq!((code, err.as_str()), (3, ""));
    assert!(out.starts_with("Nothing is required, so nothing is proven."), "{out}");
    let (code, _, out) = with_input(&mut command(&["check", "-", "--json"]), toml);
    assert_eq!(code, 3);
    let document: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert!(document["verdict"].is_null(), "{out}");
}

/// Every code that a diagnostic may show has its page.
#[test]
fn all_codes_are_listed_and_explained() {
    let list = run(&["explain"]).out;
    let codes: Vec<&str> = list.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(codes.len() > 30, "{list}");
    for code in codes {
        let page = run(&["explain", &code.to_lowercase()]);
        assert_eq!(page.code, 0);
        assert!(page.out.contains(code) && page.out.lines().count() > 2, "{}", page.out);
    }
}

#[test]
fn the_schema_is_the_committed_one() {
    let committed =
        std::fs::read_to_string(crate::program::root().join("docs/vorrang.schema.json"));
    assert_eq!(run(&["schema"]).out, committed.expect("the schema"));
}

/// A key more, a key less and a value of another kind are noticed.
#[test]
fn a_result_that_its_schema_does_not_describe_is_noticed() {
    let schema = run(&["schema", "--of", "check"]).out;
    let document = run(&["check", "examples/hello.toml", "--json", "--runs", "0"]).out;
    for (from, to) in [
        ("\"tool\"", "\"another\""),
        ("\"seed\"", "\"sead\""),
        ("\"seed\": 1", "\"seed\": -1"),
        ("\"verdict\": \"proven\"", "\"verdict\": \"probable\""),
    ] {
        assert!(document.contains(from), "{document}");
        assert!(!violations(&schema, &document.replacen(from, to, 1)).is_empty(), "{from}");
    }
}

/// As an editor finds them.
#[test]
fn the_schemas_of_results_are_the_committed_ones() {
    for of in ["check", "simulate", "observe", "latency"] {
        let file = root().join(format!("docs/vorrang-{of}.schema.json"));
        let committed = std::fs::read_to_string(file).expect("a schema");
        assert_eq!(run(&["schema", "--of", of]).out, committed);
    }
}

#[test]
fn a_reader_that_has_heard_enough_is_no_failure() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut schema = command(&["schema"]);
    schema.stdout(writer).stderr(Stdio::piped());
    let output = schema.spawn().expect("the program starts").wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_the_hosts_fault() {
    let full = std::fs::File::create("/dev/full").expect("a full device");
    let mut schema = command(&["schema"]);
    schema.stdout(full);
    let status = schema.stderr(Stdio::null()).status().expect("the program starts");
    assert_eq!(status.code(), Some(4));
}

#[test]
fn no_time_at_all_is_a_history_too() {
    let run = run(&["simulate", "examples/network.toml", "--for", "0s", "--histogram"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    insta::assert_snapshot!(run.out);
}

#[test]
fn a_curve_that_cannot_be_written_is_known_before_the_work() {
    let run =
        run(&["simulate", "examples/hello.toml", "--for", "1000000s", "--cdf", "no/such/file.csv"]);
    assert_eq!((run.code, run.out.as_str()), (4, ""));
    assert!(run.err.starts_with("error: no/such/file.csv cannot be written: "), "{}", run.err);
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_history() {
    let kilobytes =
        memory_of(&mut command(&["simulate", "examples/ref10.toml", "--for", "1000000s"]));
    assert!((1..16 * 1024).contains(&kilobytes), "{kilobytes} kB");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_prints_what_is_known() {
    // Until the program listens, the signal kills it.
    for patience in [200, 1_000, 5_000, 20_000] {
        let mut simulate = command(&["simulate", "examples/hello.toml", "--for", "1000000s"]);
        let child = simulate.stdout(Stdio::piped()).spawn().expect("the program starts");
        std::thread::sleep(std::time::Duration::from_millis(patience));
        let kill =
            std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("there is kill").success());
        let output = child.wait_with_output().expect("it ends");
        let Some(code) = output.status.code() else { continue };
        let out = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(code, 130, "{out}");
        assert!(out.contains("\ntask.watchdog "), "{out}");
        assert!(out.contains("\nInterrupted at "), "{out}");
        return;
    }
    panic!("the program never listened");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let once = || of(command(&["check", "examples/irq-reservations.toml", "--json"])).out;
    assert_eq!(once(), once());
}

/// A trace of both cores, beside an output that does not change.
#[test]
fn a_trace_is_written_while_the_history_runs() {
    let simulate = ["simulate", "examples/consolidation.toml", "--for", "20ms"];
    let traced = |name: &str| {
        let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
        let run = run(&[&simulate[..], &["--trace", &path]].concat());
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        (run.out, std::fs::read(path).expect("it is there"))
    };
    let (out, bytes) = traced("first.pftrace");
    assert_eq!(out, run(&simulate).out);
    assert_eq!(bytes, traced("second.pftrace").1, "the same bytes every time");
    for core in ["core.0", "core.1"] {
        let is_there = |part: &[u8]| part == core.as_bytes();
        assert!(bytes.windows(core.len()).any(is_there), "{core} is in the trace");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_trace_that_cannot_be_written_is_the_hosts_fault() {
    for path in ["/dev/full", "/nowhere/at/all.pftrace"] {
        let run = run(&["simulate", "examples/ref10.toml", "--trace", path]);
        assert_eq!((run.code, run.out.as_str()), (4, ""));
        assert!(run.err.starts_with(&format!("error: {path} cannot be written: ")), "{}", run.err);
    }
}

/// The exit code, and what stands on standard error and on standard output.
fn with_input(command: &mut std::process::Command, input: &[u8]) -> (i32, String, String) {
    let spawned =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = spawned.expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let code = output.status.code().expect("no signal");
    let [err, out] = [output.stderr, output.stdout].map(String::from_utf8);
    (code, err.expect("UTF-8"), out.expect("UTF-8"))
}

/// A task on a cache of the profile `machine`, which is looked for from the root of the repository.
fn on_machine(machine: &str, cache: &str) -> (i32, String) {
    let source = format!(
        "version = 1\nprofile = \"{machine}\"\n[core.0]\nscheduler = \"edf\"\n\
         [task.x]\non = \"core.0\"\nwcet = \"1ms\"\nperiod = \"5ms\"\ncache = \"{cache}\"\n"
    );
    let (code, said, _) = with_input(&mut command(&["check", "-"]), source.as_bytes());
    (code, said)
}

#[test]
fn the_profile_of_a_machine_is_read_and_its_faults_are_shown() {
    let (code, _) = on_machine("published/machines/celeron.toml", "cache.write-64k-dirty");
    assert_ne!(code, 2);
    let (code, said) = on_machine("no-such-machine.toml", "cache.write-64k-dirty");
    assert!(code == 2 && said.contains("E0010") && said.contains("-:2:11"), "{said}");
    assert!(said.contains("there is no such file") && !said.contains("E0303"), "{said}");
    let (code, said) = on_machine("examples/hello.toml", "cache.write-64k-dirty");
    let is_shown = said.contains("examples/hello.toml:") && said.contains("E0010");
    assert!(code == 2 && is_shown, "a description is no profile: {said}");
}

#[test]
fn profiles_are_compared_only_if_they_are_some() {
    let celeron = "published/machines/celeron.toml";
    let compared = run(&["measure", "--compare", celeron, celeron]);
    let nothing = "The profiles have no number in common.\n";
    assert_eq!((compared.code, compared.out.as_str()), (0, nothing));
    let wrong = refused(&["measure", "--compare", celeron, "published/cache_costs.csv"]);
    assert!(wrong.contains("published/cache_costs.csv: line 1: this is not TOML"), "{wrong}");
    // Asked before anything takes time.
    let out = refused(&["measure", "cache", "--out", "published/cache_costs.csv"]);
    assert!(out.contains("this is not TOML"), "{out}");
    assert!(refused(&["measure", "cache", "--access", "reed"]).contains("write-descending"));
    assert!(refused(&["measure", "cache", "--for", "0s"]).contains("takes time"));
}
