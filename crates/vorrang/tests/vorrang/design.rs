//! `vorrang design`: what it writes is what it says, and what it refuses.

use crate::program::{Run, command, fed, root, run};

const FILE: &str = "designs/hello.toml";

fn designed(description: &str, arguments: &[&str]) -> Run {
    fed(command(&[&["design", "-"], arguments].concat()), description)
}

fn open() -> String {
    std::fs::read_to_string(root().join(FILE)).expect("the example")
}

#[test]
fn what_is_written_is_the_same_text_with_the_values_and_is_proven() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("complete.toml");
    let out = out.to_str().expect("UTF-8");
    let run = run(&["design", FILE, "--out", out]);
    assert_eq!(run.code, 0, "{}", run.err);
    let written = std::fs::read_to_string(out).expect("it was written");
    let expected = open()
        .replace("budget = \"?\"", "budget = \"1286us\"")
        .replace("{ from = \"1ms\", to = \"20ms\", step = \"500us\" }", "\"14ms\"");
    assert_eq!(written, expected);
    let check = crate::program::run(&["check", out, "--quiet"]);
    assert_eq!((check.code, &*check.out), (0, "All 3 requirements are proven.\n"));
    // A description may be written over, what is read may not.
    assert_eq!(crate::program::run(&["design", FILE, "--out", out]).code, 0);
    assert_eq!(crate::program::run(&["design", FILE, "--out", FILE]).code, 2);
}

/// A guest with an open budget and a task of another core, of which only the path over both is required.
fn path(limit: &str) -> String {
    let task = |name: &str, on: &str| {
        format!(
            "[task.{name}]\non = \"{on}\"\nwcet = \"1ms\"\nperiod = \"20ms\"\n\
             latest-interarrival = \"20ms\"\ndeadline = \"none\"\npriority = 8\n"
        )
    };
    let core = |name: &str| {
        format!(
            "[core.{name}]\nscheduler = \"linux\"\nfair-server = \"none\"\nrt-throttling = \"none\"\n"
        )
    };
    format!(
        "version = 1\n{}{}[server.a]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"?\"\n\
         period = \"10ms\"\n{}{}[chain.c]\npath = [\"task.sense\", \"task.act\"]\nreaction = \"{limit}\"\n",
        core("0"),
        core("1"),
        task("sense", "server.a"),
        task("act", "core.1"),
    )
}

#[test]
fn a_chain_alone_is_designed_for_and_named_where_nothing_keeps_it() {
    let run = designed(&path("60ms"), &[]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert!(run.out.contains("The requirement of the chain is proven."), "{}", run.out);
    let run = designed(&path("60ms"), &["--json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(document["verdict"], "proven");
    let run = designed(&path("30ms"), &[]);
    assert_eq!(run.code, 3, "{}", run.out);
    let said = "Cannot hold, whatever is chosen:\n  reaction of chain.c\n\nWould help, one of:\n  reaction of chain.c within 42100us\n";
    assert!(run.out.contains(said), "{}", run.out);
}

#[test]
fn programs_are_told_the_same() {
    let run = run(&["design", FILE, "--json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(document["result"], "optimal");
    assert_eq!(document["servers"][0]["budget_ns"], 1_286_000);
    assert_eq!(document["values"][1]["chosen"], "14ms");
    assert_eq!(document["verdict"], "proven");
}

#[test]
fn other_commands_say_who_reads_open_values() {
    for verb in ["check", "simulate", "apply", "export"] {
        let more: &[&str] = if verb == "export" { &["--as", "chrt"] } else { &[] };
        let run = run(&[&[verb, FILE], more].concat());
        assert_eq!(run.code, 2, "{verb}");
        assert!(
            run.err.contains("E0109") && run.err.contains("vorrang design FILE"),
            "{}",
            run.err
        );
    }
}

#[test]
fn a_description_that_leaves_nothing_open_is_refused() {
    let run = run(&["design", "examples/hello.toml"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("E0110") && run.err.contains("vorrang check"), "{}", run.err);
}

#[test]
fn where_nothing_helps_there_is_no_design() {
    let run = designed(&open().replace("\"15ms\"", "\"1ms\""), &[]);
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.out.starts_with("There is no design"), "{}", run.out);
    assert!(run.out.contains("Cannot hold, whatever is chosen:\n  task.control\n"), "{}", run.out);
    assert!(run.out.contains("Would help, one of:\n  task.control within "), "{}", run.out);
    let run = designed(&open().replace("\"15ms\"", "\"1ms\""), &["--json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(document["conflict"]["requirements"][0], "task.control");
    let run = designed(&open(), &["--steps", "3"]);
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.out.starts_with("No design was found in 3 steps"), "{}", run.out);
}

/// Beside costs it is mostly not decided that there is none; what is in the way is named all the same.
#[test]
fn what_was_not_found_to_hold_is_named_too() {
    let audio = "[server.audio]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"2ms\"\n\
                 deadline = \"5ms\"\nperiod = \"10ms\"\n[task.audio]\non = \"server.audio\"\n\
                 wcet = \"1900us\"\nperiod = \"10ms\"\ndeadline = \"5ms\"\n";
    let video = "[server.video]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"?\"\n\
                 period = [\"10ms\", \"40ms\"]\n[task.video]\non = \"server.video\"\nwcet = \"8ms\"\n\
                 period = \"40ms\"\n";
    let core = "version = 1\n[core.0]\nscheduler = \"linux\"\nfair-server = \"none\"\n";
    let text = format!("{core}{audio}{video}");
    let run = designed(&text, &["--steps", "2000"]);
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.out.starts_with("No design was found in "), "{}", run.out);
    let named =
        "Not proven with anything that was tried; without it, there is a design:\n  task.audio\n";
    assert!(run.out.contains(named), "{}", run.out);
    let run = designed(&text, &["--steps", "2000", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(document["conflict"]["decided"], false);
    assert_eq!(document["conflict"]["requirements"][0], "task.audio");
}

/// What no analysis covers is the reason, and no requirement.
#[test]
fn what_no_analysis_covers_is_named() {
    let text = "version = 1\n[costs]\ncontext-switch = \"5us\"\n[core.0]\nscheduler = \"edf\"\n\
                [server.s]\non = \"core.0\"\nserver = \"cbs-hard\"\nbudget = \"?\"\nperiod = \"5ms\"\n\
                scheduler = \"edf\"\n[task.a]\non = \"server.s\"\nwcet = \"1ms\"\nperiod = \"20ms\"\n\
                [task.b]\non = \"server.s\"\nwcet = \"1ms\"\nperiod = \"50ms\"\n";
    let run = designed(text, &[]);
    assert_eq!(run.code, 3, "{}", run.err);
    let reason = "task.a: no analysis covers the time of context switches inside server.s";
    assert!(run.out.contains(reason) && !run.out.contains("Cannot hold"), "{}", run.out);
    let run = designed(text, &["--json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(document["uncovered"][0]["name"], "task.a");
}

/// A grid in several lines becomes one value in one line.
#[test]
fn lines_that_go_are_shown_too() {
    let grid = "period = {\n  from = \"1ms\",\n  to = \"20ms\",\n  step = \"500us\",\n}";
    let one = "period = { from = \"1ms\", to = \"20ms\", step = \"500us\" }";
    let text = open().replace(one, grid);
    assert_ne!(text, open());
    let run = designed(&text, &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    let lines = ["24 - period = {\n", "27 -   step = \"500us\",\n28 - }\n24 + period = \"14ms\"\n"];
    assert!(lines.iter().all(|lines| run.out.contains(lines)), "{}", run.out);
}

#[test]
fn cores_and_kinds_are_chosen_too() {
    let cores = "[core.1]\nscheduler = \"edf\"\n[core.2]\nscheduler = \"edf\"\n[core.0]";
    let text = open().replace("[core.0]", cores).replace("priority = 20\n", "");
    let open = "on = [\"core.2\", \"core.1\"]\nserver = [\"periodic\", \"cbs-hard\"]";
    let text = text.replace("on = \"core.0\"\nserver = \"deferrable\"", open);
    let run = designed(&text, &[]);
    assert_eq!(run.code, 0, "{}{}", run.err, run.out);
    assert!(run.out.contains("vcpu.motor  core.2"), "{}", run.out);
}

#[test]
fn margins_are_told_to_programs_and_undecided_requirements_have_none() {
    let run = run(&["margin", "examples/hello.toml", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(document["requirements"][1]["margins"][0]["proven"]["ns"], 4_800_000);
    let run = crate::program::run(&["margin", "examples/undecided.toml"]);
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.out.contains("Not proven as they are"), "{}", run.out);
}

#[test]
fn a_curve_has_its_least_where_the_design_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let svg = folder.path().join("curve.svg");
    let svg = svg.to_str().expect("UTF-8");
    let run = run(&["design", FILE, "--curve", "vcpu.motor", "--svg", svg]);
    assert_eq!(run.code, 0, "{}", run.err);
    let least: Vec<&str> = run.out.lines().filter(|line| line.contains("< least")).collect();
    let [least] = least[..] else { panic!("{}", run.out) };
    let words: Vec<&str> = least.split_whitespace().collect();
    assert_eq!(words[..3], ["14000", "1286", "9.30"], "{least}");
    // One row for each period of the grid: 1 ms to 20 ms in steps of half a millisecond.
    let is_row = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    assert_eq!(run.out.lines().filter(is_row).count(), 39, "{}", run.out);
    let picture = std::fs::read_to_string(svg).expect("it was written");
    assert!(
        picture.starts_with("<svg ")
            && picture.contains("without costs")
            && picture.contains("least: ")
    );
    assert!(picture.contains("14ms, 9."), "{picture}");
    let unknown = crate::program::run(&["design", FILE, "--curve", "vcpu.rotor"]);
    assert_eq!(unknown.code, 2);
    // What one server takes has one measure.
    let aimed = ["design", FILE, "--curve", "vcpu.motor", "--best", "margin"];
    let refused = crate::program::run(&aimed);
    assert!(refused.code == 2 && refused.err.contains("--best"), "{}", refused.err);
}

/// With the overrun of its kernel the field bus of the host, in time, holds with more budget for its guest, not with less.
#[test]
fn where_the_least_budget_fails_a_larger_one_is_found() {
    let host = std::fs::read_to_string(root().join("examples/kvm-host.toml")).expect("an example");
    let host =
        host.replacen("isr = \"30us\"", "isr = \"3us\"", 1).replacen("jitter = \"100us\"", "", 1);
    let plc = host.replacen("budget = \"300us\"", "budget = \"?\"", 1);
    assert_ne!(plc, host);
    let run = designed(&plc, &[]);
    assert_eq!(run.code, 0, "{}{}", run.err, run.out);
}

/// Two tasks on a fixed-priority core; with jitter the shorter deadline is not the more urgent one.
const ORDER: &str = r#"version = 1
[core.0]
scheduler = "fixed-priority"
[core.1]
scheduler = "edf"

[task.jitters] # of the bus
on = "core.0"
wcet = "1ms"
period = "10ms"
deadline = "4ms"
jitter = "3ms"
priority = "?" # chosen

[task.plain]
on = ["core.0"]
wcet = "1ms"
period = "10ms"
deadline = "3ms"
priority = { from = 5, to = 9 }
"#;

#[test]
fn priorities_and_places_of_tasks_are_chosen() {
    let run = designed(ORDER, &[]);
    assert_eq!(run.code, 0, "{}{}", run.err, run.out);
    for line in ["task.jitters  core.0         6", "task.plain    core.0         5"] {
        assert!(run.out.contains(line), "{}", run.out);
    }
    assert!(run.out.contains("+ priority = 6 # chosen"), "{}", run.out);
    let run = designed(ORDER, &["--json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(document["values"][0]["chosen"], 6);
    assert_eq!(
        (&document["best"], document["servers"].as_array().unwrap().len()),
        (&"price".into(), 0)
    );
}

#[test]
fn what_cannot_be_chosen_is_shown_in_its_place() {
    let refused = |old: &str, new: &str, code: &str, place: &str| {
        let run = designed(&ORDER.replace(old, new), &[]);
        assert_eq!(run.code, 2, "{}", run.out);
        assert!(run.err.contains(code) && run.err.contains(place), "{}", run.err);
    };
    refused("[\"core.0\"]", "[\"core.1\"]", "E0502", "-:20:12");
    refused("[\"core.0\"]", "[]", "E0213", "-:16:6");
    refused("from = 5, to = 9", "from = 9, to = 5", "E0213", "-:20:21");
    refused("from = 5, to = 9", "from = 0, to = 1000000", "E0214", "-:20:");
    refused(
        "[task.plain]",
        "[server.s]\nserver = \"slot\"\nbudget = \"1ms\"\noffset = \"0s\"\non = \"?\"\nperiod = \"5ms\"\n[task.plain]",
        "E0213",
        "-:19:6",
    );
    let grid = "wcet = { from = \"1ns\", to = \"1000s\", step = \"1ns\" }";
    refused("wcet = \"1ms\"", grid, "E0104", "-:9:8");
}

#[test]
fn what_is_best_may_be_stated() {
    let run = |best: &str| run(&["design", FILE, "--best", best, "--json"]);
    let document = |best: &str| -> serde_json::Value {
        serde_json::from_str(&run(best).out).unwrap_or_else(|_| panic!("{}", run(best).err))
    };
    assert_eq!(document("core.0")["takes_percent"], document("price")["takes_percent"]);
    let mixture = document("price=1,core.0=2");
    assert_eq!(
        (&mixture["result"], &mixture["best"]),
        (&"optimal".into(), &"price=1,core.0=2".into())
    );
    let margin = document("margin");
    assert_eq!((&margin["best"], &margin["verdict"]), (&"margin".into(), &"proven".into()));
    assert!(margin["grows_percent"].is_string());
    for wrong in ["core.7", "cheap", "price=0", "price=1,price=1000"] {
        assert_eq!(run(wrong).code, 2, "{wrong}");
    }
    assert!(run("core.7").err.contains("core.7"), "{}", run("core.7").err);
}
