//! Traces in the Best Trace Format: written by the simulator, read as another tool's.

use crate::program::{Run, root, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// An overloaded core on which jobs of a task wait for each other.
const SYSTEM: &str = r#"
version = 1

[core.1]
scheduler = "linux"
cpu = 1

[task.engine]
on = "core.1"
wcet = "2ms"
period = "10ms"
priority = 40
thread = "name:task.engine"

[task.injection-control]
on = "core.1"
wcet = "9ms"
period = "40ms"
priority = 30
thread = "name:task.injection-control"

[task.log]
on = "core.1"
wcet = "30ms"
period = "100ms"
priority = 20
deadline = "150ms"
thread = "name:task.log"
"#;

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

fn observed(system: &Path, trace: &Path) -> (Value, i32) {
    let (system, trace) = (system.to_str().unwrap(), trace.to_str().unwrap());
    let Run { out, err, code } = run(&["observe", system, "--trace", trace, "--json"]);
    assert!(!out.is_empty(), "{err}");
    (serde_json::from_str(&out).unwrap(), code)
}

#[test]
fn what_is_observed_of_a_simulated_history_is_what_was_simulated() {
    let folder = TempDir::new().unwrap();
    let system = written(folder.path(), "system.toml", SYSTEM);
    let trace = folder.path().join("history.btf");
    let (of, to) = (system.to_str().unwrap(), trace.to_str().unwrap());
    for pattern in ["synchronous", "random:3", "periodic:5"] {
        let Run { out, err, .. } =
            run(&["simulate", of, "--witness", pattern, "--json", "--btf", to]);
        let simulated: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"));
        let (observed, _) = observed(&system, &trace);
        let responses = simulated["cores"][0]["responses"].as_array().unwrap();
        let mut compared = 0;
        for row in observed["rows"].as_array().unwrap() {
            let same = |own: &&Value| own["name"] == row["name"];
            let own = responses.iter().find(same).expect("it was simulated");
            // No task has a jitter, so each is released when it arrives.
            assert_eq!(
                own["longest_ns"], row["seen"]["response"]["longest_ns"],
                "{pattern}: {row}"
            );
            assert!(row["seen"]["jobs"].as_u64().unwrap() > 20, "{pattern}: {row}");
            compared += 1;
        }
        assert_eq!(compared, 3);
    }
}

/// The example with a thread for each task.
fn with_threads(name: &str) -> String {
    let text = fs::read_to_string(root().join(format!("examples/{name}.toml"))).unwrap();
    let named = |line: &str| match line.strip_prefix("[task.") {
        Some(rest) => format!("{line}\nthread = \"name:task.{}\"\n", rest.trim_end_matches(']')),
        None => format!("{line}\n"),
    };
    text.lines().map(named).collect()
}

/// Chains stand in a table of their own, with bounds and limits. A task that came more rarely than it may is said, and
/// what is above, with its jobs.
#[test]
fn chains_stand_beside_their_bounds() {
    let folder = TempDir::new().unwrap();
    let text = with_threads("chain");
    let system = written(folder.path(), "system.toml", &text);
    let trace = folder.path().join("history.btf");
    let (of, to) = (system.to_str().unwrap(), trace.to_str().unwrap());
    run(&["simulate", of, "--witness", "random:3", "--for", "2s", "--json", "--btf", to]);
    let (found, code) = observed(&system, &trace);
    let row = |found: &Value, name: &str| {
        let rows = found["rows"].as_array().unwrap();
        rows.iter().find(|row| row["name"] == name).expect("a row").clone()
    };
    let brake = row(&found, "chain.brake");
    assert_eq!((code, brake["kind"].as_str()), (3, Some("chain")), "{brake}");
    for (place, (what, limit)) in [("reaction", 50_000_000), ("age", 50_000_000)].iter().enumerate()
    {
        let (seen, compared) = (&brake["seen"]["handed"][what], &brake["comparisons"][place]);
        assert_eq!((seen["limit_ns"].as_u64(), &compared["what"]), (Some(*limit), &(*what).into()));
        assert!(seen["values"].as_u64().unwrap() > 50, "{seen}");
        assert_eq!(seen["way"].as_array().unwrap().len(), 4, "{seen}");
        assert_eq!(seen["times"]["longest_ns"], compared["worst"]["time_ns"]);
        assert_eq!(compared["verdict"], "below", "{compared}");
    }
    let Run { out, .. } = run(&["observe", of, "--trace", to]);
    assert!(out.contains("chain           time      values"), "{out}");
    // More than is required, and less than the bound.
    assert!(
        out.contains("chain.estimate: its data age was 11.857942ms, and 10ms is required."),
        "{out}"
    );
    // The machine of this trace is not one on which slip comes every two milliseconds.
    let other = text.replacen("\"10ms\"", "\"2ms\"", 2);
    let other = written(folder.path(), "other.toml", &other);
    let (found, code) = observed(&other, &trace);
    let notes = row(&found, "task.slip")["seen"]["notes"].to_string();
    assert!(notes.contains("and the description says 2ms at most"), "{notes}");
    let estimate = row(&found, "chain.estimate");
    assert_eq!(
        (code, estimate["comparisons"][1]["verdict"].as_str()),
        (1, Some("above")),
        "{estimate}"
    );
    let Run { out, .. } = run(&["observe", other.to_str().unwrap(), "--trace", to]);
    let said = "chain.estimate: a data age of ";
    assert!(out.contains(said) && out.contains("Its jobs read and wrote: task.wheel"), "{out}");
}

#[test]
fn the_trace_of_another_tool_is_read() {
    let folder = TempDir::new().unwrap();
    let system = written(folder.path(), "system.toml", &SYSTEM.replace("name:task.", "name:"));
    let trace = root().join("crates/observe/tests/data/tool.btf");
    let (observed, code) = observed(&system, &trace);
    let tasks = observed["rows"].as_array().unwrap();
    let longest = |name: &str| {
        let task = tasks.iter().find(|task| task["name"] == name).unwrap();
        (task["seen"]["jobs"].clone(), task["seen"]["response"]["longest_ns"].clone())
    };
    assert_eq!(longest("task.engine"), (1.into(), 2_400_000.into()));
    assert_eq!(longest("task.injection-control"), (1.into(), 3_500_000.into()));
    assert_eq!(code, 3, "task.log has no thread in it");
}

#[test]
fn what_is_no_such_trace_is_pointed_at() {
    let folder = TempDir::new().unwrap();
    let system = written(folder.path(), "system.toml", SYSTEM);
    for (lines, says) in [
        ("0,STI,0,T,a,0\n", "line 3: a line of BTF has seven values"),
        ("x,STI,0,T,a,0,activate\n", "line 3: the time is no whole number"),
        ("5,STI,0,T,a,0,activate\n4,C1,0,T,a,0,start\n", "line 4: the time goes back"),
        ("5,C1,0,T,a,0,preempt\n", "line 3: a task leaves a core that it is not on"),
        ("5,C1,0,T,a,0,start\n5,C1,0,T,a,0,start\n", "line 4: a task starts that runs"),
        ("5,C1,0,I,a,0,terminate\n", "line 3: a routine ends that has not started"),
        ("99999999999999999999,C1,0,T,a,0,start\n", "line 3: the time is no whole number"),
        ("#timeScale h\n", "line 3: the timeScale is none of"),
    ] {
        let text = format!("#version 2.1.3\n#timeScale ms\n{lines}");
        let trace = written(folder.path(), "wrong.btf", &text);
        let Run { out, err, code } =
            run(&["observe", system.to_str().unwrap(), "--trace", trace.to_str().unwrap()]);
        assert_eq!((out.as_str(), code), ("", 2), "{lines}");
        assert!(err.contains(says), "{lines}: {err}");
    }
}

#[test]
fn every_example_is_written_in_an_order_that_can_be_read() {
    let folder = TempDir::new().unwrap();
    let system = written(folder.path(), "system.toml", SYSTEM);
    for name in ["path", "chain", "interrupts", "kvm-host", "turns"] {
        let trace = folder.path().join(format!("{name}.btf"));
        let to = trace.to_str().unwrap();
        let of = format!("examples/{name}.toml");
        run(&["simulate", &of, "--for", "200ms", "--btf", to]);
        let Run { err, .. } = run(&["observe", system.to_str().unwrap(), "--trace", to]);
        assert!(!err.contains("error"), "{name}: {err}");
    }
}
