//! Every mechanism that a description can ask for is put onto a machine, or refused by name.

use crate::program::{self, Run, command, run};
use serde_json::Value;

/// A core with a thread of `SCHED_FIFO`, and what a word adds.
fn description(core: &str, rest: &str) -> String {
    format!(
        "version = 1\n[core.0]\ncpu = 0\n{core}\n[task.t]\non = \"core.0\"\nthread = \"name:t\"\npriority = 1\n\
         wcet = \"1us\"\nperiod = \"1ms\"\n{rest}"
    )
}

fn server(kind: &str) -> String {
    let core = match kind {
        "slot" | "table" => "scheduler = \"slots\"",
        "share" => "scheduler = \"vtrr\"\nquantum = \"1ms\"",
        "sched-deadline" | "cbs-hard" | "cbs-soft" => "scheduler = \"edf\"",
        _ => "scheduler = \"fixed-priority\"",
    };
    format!(
        "version = 1\n[core.0]\ncpu = 0\n{core}\n[server.s]\non = \"core.0\"\nthread = \"name:s\"\nserver = \"{kind}\"\n\
         {}\n",
        match kind {
            "share" => "share = 1",
            "none" => "priority = 1",
            "table" => "windows = { \"0s\" = \"1ms\" }\nperiod = \"10ms\"",
            "slot" => "budget = \"1ms\"\nperiod = \"10ms\"\noffset = \"0s\"",
            "sched-deadline" | "cbs-hard" | "cbs-soft" => "budget = \"1ms\"\nperiod = \"10ms\"",
            _ => "budget = \"1ms\"\nperiod = \"10ms\"\npriority = 1",
        }
    )
}

/// What `export` says of a description: it asks for the same mechanisms as `apply`, and needs no machine.
fn exported(description: &str) -> Run {
    program::fed(command(&["export", "-", "--as", "chrt"]), description)
}

/// The words that a key of the format may have.
fn words(place: &str) -> Vec<String> {
    let schema = std::fs::read_to_string(program::root().join("docs/vorrang.schema.json"));
    let schema: Value = serde_json::from_str(&schema.expect("the schema")).expect("JSON");
    // A key that may be left open has its words in the first of what it may be.
    let find = |path: &str| schema.pointer(&format!("/properties/{place}/{path}"));
    let words = find("oneOf").or_else(|| find("anyOf/0/oneOf")).and_then(Value::as_array);
    let words = words.unwrap_or_else(|| panic!("{place} has words")).iter();
    words.map(|word| word["const"].as_str().expect("a word").to_owned()).collect()
}

/// Applied are these words of a key; every other one is refused with exit code 4, by name.
fn only(applied: &[&str], place: &str, name: &str, description: impl Fn(&str) -> String) {
    let words = words(place);
    for word in applied {
        assert!(words.iter().any(|known| known == word), "{place} has no word {word}");
    }
    for word in words {
        let text = description(&word);
        let run = exported(&text);
        let expected = if applied.contains(&word.as_str()) { 0 } else { 4 };
        assert_eq!(run.code, expected, "{word}\n{text}\n{}", run.err);
        assert!(expected == 0 || run.err.contains(name), "{word}: {}", run.err);
    }
}

const OF_CORE: &str = "core/additionalProperties/properties";

#[test]
fn a_core_is_scheduled_as_linux_does_or_refused() {
    let place = format!("{OF_CORE}/scheduler");
    let applied = ["fixed-priority", "rate-monotonic", "deadline-monotonic", "linux", "edf"];
    only(&applied, &place, "core.0", |word| match word {
        "vtrr" | "stride" | "round-robin" | "weighted-round-robin" => {
            let core = format!("scheduler = \"{word}\"\nquantum = \"1ms\"");
            let share = if word == "round-robin" { "" } else { "share = 1" };
            description(&core, "").replace("priority = 1", share)
        }
        "slots" => server("slot"),
        // Under EDF a core of Linux has reservations only.
        "edf" => server("sched-deadline"),
        "fixed-priority" | "linux" => description(&format!("scheduler = \"{word}\""), ""),
        _ => description(&format!("scheduler = \"{word}\""), "").replace("priority = 1\n", ""),
    });
}

#[test]
fn a_server_is_one_that_linux_has_or_refused() {
    let place = "server/additionalProperties/properties/server";
    only(&["sched-deadline", "none"], place, ".", server);
}

#[test]
fn a_shielded_queue_of_timers_is_refused() {
    only(
        &["hrtimer"],
        &format!("{OF_CORE}/timers"),
        "core.0: `timers = \"timershield\"`",
        |word| description(&format!("scheduler = \"linux\"\ntimers = \"{word}\""), ""),
    );
}

#[test]
fn an_order_of_service_routines_is_refused() {
    only(&["first-come"], &format!("{OF_CORE}/interrupts"), "core.0: ", |word| {
        description(&format!("scheduler = \"linux\"\ninterrupts = \"{word}\""), "")
    });
}

#[test]
fn a_pseudo_vcpu_is_refused_whatever_its_rule() {
    let place =
        "interrupt/additionalProperties/properties/virtual/properties/pseudo-vcpu/properties/rule";
    only(&[], place, "interrupt.i: its pseudo-VCPU", |word| {
        description(
            "scheduler = \"linux\"",
            &format!(
                "[vcpu.v]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"1ms\"\nperiod = \"10ms\"\n\
                 thread = \"vm:v/0\"\n[interrupt.i]\non = \"core.0\"\nisr = \"1us\"\nmin-interarrival = \"1ms\"\n\
                 [interrupt.i.virtual]\nvcpu = \"vcpu.v\"\nisr = \"1us\"\n\
                 pseudo-vcpu = {{ budget = \"2us\", period = \"1ms\", rule = \"{word}\" }}\n"
            ),
        )
    });
}

/// Proven, and yet nothing that would keep it: the plan says so, and is none.
#[test]
fn what_is_proven_by_a_mechanism_that_is_not_there_is_not_planned() {
    let text =
        description("scheduler = \"linux\"\nfair-server = \"none\"\ntimers = \"timershield\"", "");
    let place = std::env::temp_dir().join(format!("vorrang-shield-{}.toml", std::process::id()));
    std::fs::write(&place, text).expect("a file");
    let path = place.to_str().expect("a path of text");
    assert_eq!(run(&["check", path]).code, 0);
    for more in [&["--yes"][..], &["--unproven"], &[]] {
        let run = run(&[&["apply", path][..], more].concat());
        assert_eq!((run.code, run.out.as_str()), (4, ""), "{}", run.err);
        // By the kernel of the machine that runs the test.
        let why = [
            "`timers = \"timershield\"` needs the module timer_shield, which",
            "this kernel is without PREEMPT_RT",
        ];
        let is_said = why.iter().any(|why| run.err.contains(&format!("core.0: {why}")));
        assert!(is_said, "{}", run.err);
    }
    std::fs::remove_file(&place).expect("it is there");
}
