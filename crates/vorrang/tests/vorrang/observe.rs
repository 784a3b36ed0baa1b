//! What is observed of traces of real kernels, word for word, and what is refused.

use crate::program::{Run, command, of, run};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;

const DATA: &str = "crates/observe/tests/data";

fn observe(description: &str, trace: &str, more: &[&str]) -> Run {
    let description = format!("{DATA}/{description}");
    run(&[&["observe", &description, "--trace", trace], more].concat())
}

fn traced(trace: &str) -> String {
    let path = crate::program::root().join(DATA).join(trace);
    std::fs::read_to_string(path).expect("a trace")
}

/// A trace that is written for a test.
fn written(name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let place = std::env::temp_dir().join(format!("vorrang-{name}-{}", std::process::id()));
    std::fs::write(&place, text).expect("a file");
    place
}

/// Exit code and error of a text in place of a trace, called TRACE.
fn refused(name: &str, text: &str) -> (i32, String) {
    let place = written(name, text);
    let path = place.to_str().expect("a path of text");
    let run = observe("observe.toml", path, &[]);
    std::fs::remove_file(&place).expect("it is there");
    assert_eq!(run.out, "");
    (run.code, run.err.replace(path, "TRACE"))
}

#[test]
fn what_a_kernel_did_stands_beside_its_bounds() {
    for (of, description, trace, code) in
        [("below", "observe.toml", "6.12-rt.trace", 0), ("above", "wrong.toml", "7.2-rt.trace", 1)]
    {
        let trace = format!("{DATA}/{trace}");
        let text = observe(description, &trace, &[]);
        assert_eq!((text.code, text.err.as_str()), (code, ""));
        insta::assert_snapshot!(format!("observe {of}"), text.out);
    }
}

/// A description cannot name what the profile of a kernel adds to a core.
#[test]
fn what_no_user_can_name_is_not_missing() {
    let run = observe("profile.toml", &format!("{DATA}/profile.trace"), &["--allow", "W0010"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert!(run.out.contains("Everything was seen, and nothing above its bound."), "{}", run.out);
    let added = "Not compared, from the profile of the kernel: core.0/ktimers, core.0/tick.";
    assert!(run.out.contains(added), "{}", run.out);
}

/// Called functions, stacks and latencies stand among the events of a report.
#[test]
fn lines_of_tracers_are_skipped_and_counted() {
    let function = observe("tracers.toml", &format!("{DATA}/function.trace"), &[]);
    assert_eq!((function.code, function.err.as_str()), (1, ""));
    assert!(function.out.contains("a response of 236us is ABOVE the 100us allowed"));
    assert!(function.out.contains("\n6 lines of tracers say nothing"), "{}", function.out);
    let timerlat = observe("tracers.toml", &format!("{DATA}/timerlat.trace"), &[]);
    assert_eq!((timerlat.code, timerlat.err.as_str()), (3, ""));
    assert!(timerlat.out.contains("task.t was not seen: no thread of the trace is"));
    assert!(timerlat.out.contains("\n2 lines of tracers say nothing"), "{}", timerlat.out);
    // As a mail quotes it: with CRLF, and broken at 76 columns.
    let mut quoted = String::new();
    for line in traced("function.trace").lines() {
        quoted += "> ";
        let mut column = 0;
        for word in line.split_inclusive(' ') {
            if column > 0 && column + word.len() > 76 {
                quoted += "\r\n> ";
                column = 0;
            }
            quoted += word;
            column += word.len();
        }
        quoted += "\r\n";
    }
    let place = written("quoted", &quoted);
    let mail = observe("tracers.toml", place.to_str().expect("a path of text"), &[]);
    std::fs::remove_file(&place).expect("it is there");
    let table = |text: &str| text.split("Assumed:").next().map(str::to_owned);
    assert_eq!((mail.code, table(&mail.out)), (1, table(&function.out)), "{}", mail.err);
}

/// What programs write for themselves is no text: it is said what makes one of it.
#[test]
fn binary_files_are_told() {
    for (begin, program) in [
        (&b"PERFFILE\x68\0\0"[..], "perf script --show-lost-events -i FILE"),
        (b"\x1f\x8b\x08\0", "gzip -dc FILE"),
        (b"\xfd7zXZ\0\0", "xz -dc FILE"),
        (b"\x28\xb5\x2f\xfd\0", "zstd -dc FILE"),
    ] {
        let place = std::env::temp_dir().join(format!("vorrang-binary-{}", std::process::id()));
        std::fs::write(&place, begin).expect("a file");
        let run = observe("observe.toml", place.to_str().expect("a path of text"), &[]);
        std::fs::remove_file(&place).expect("it is there");
        assert_eq!((run.code, run.out.as_str()), (2, ""));
        assert!(run.err.ends_with(&format!(": run `{program}`\n")), "{}", run.err);
    }
}

/// A trace.dat or perf.data says what the text of the same events says, in whichever way it is stored.
#[test]
fn a_file_of_a_program_is_a_trace() {
    let tables = |name: &str| {
        let run = observe("wrong.toml", &format!("{DATA}/{name}"), &[]);
        assert_eq!((run.code, run.err.as_str()), (1, ""), "{name}");
        run.out.split("\n\n3 of 3").next().map(str::to_owned)
    };
    let printed = tables("7.2-rt.trace");
    for name in ["7.2-rt.v6.dat", "7.2-rt.v7.dat", "7.2-rt.v7-zstd.dat", "7.2-rt.perf.dat"] {
        assert_eq!(tables(name), printed, "{name}");
    }
    let whole =
        std::fs::read(crate::program::root().join(DATA).join("7.2-rt.v6.dat")).expect("a file");
    let place = written("cut.dat", &whole[..whole.len() - 1]);
    let cut = observe("wrong.toml", place.to_str().expect("a path of text"), &[]);
    std::fs::remove_file(&place).expect("it is there");
    assert_eq!((cut.code, cut.out.as_str()), (2, ""));
    assert!(cut.err.ends_with(": byte 16383: the file ends here: it is cut\n"), "{}", cut.err);
}

#[test]
fn programs_are_told_the_same() {
    let run = observe("wrong.toml", &format!("{DATA}/7.2-rt.trace"), &["--json"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    insta::assert_snapshot!("observe json", run.out);
}

/// Without one of the threads nothing is guessed.
#[test]
fn what_a_trace_does_not_show_is_said() {
    let mut child = command(&["observe", &format!("{DATA}/observe.toml"), "--trace", "-"]);
    child.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.spawn().expect("the program starts");
    let text = traced("6.12-rt.trace").replace("reserved", "other");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(text.as_bytes()).expect("it is read");
    drop(pipe);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    for name in ["server.reserved", "task.reserved"] {
        let why = format!("{name} was not seen: no thread of the trace is process:load/reserved.");
        assert!(said.contains(&why), "{said}");
    }
    let guests = observe("../../../../examples/linux.toml", &format!("{DATA}/7.2-rt.trace"), &[]);
    assert_eq!(guests.code, 3, "{}", guests.err);
    assert!(guests.out.contains("does not say which thread it is (`thread`)"), "{}", guests.out);
}

#[test]
fn what_is_no_whole_trace_is_refused_with_its_line() {
    let whole = traced("6.12-rt.trace");
    let lost = format!("{whole}CPU:0 [LOST 17 EVENTS]\n");
    let none = "error: TRACE: there are no events sched_switch or sched_wakeup in it\n";
    let cut = "error: TRACE: the last line does not end: the text is cut there; remove that line\n";
    for (name, text, why) in [
        (
            "lost",
            lost.as_str(),
            "error: TRACE: line 138: the kernel lost events\n  CPU:0 [LOST 17 EVENTS]\n",
        ),
        ("none", "", none),
        ("header", "# tracer: nop\n", none),
        ("cut", &whole[..5000], cut),
        ("other", "Hello,\n", "error: TRACE: line 1: this is no event\n  Hello,\n"),
    ] {
        assert_eq!(refused(name, text), (2, why.to_owned()));
    }
    let missing = observe("observe.toml", "no-such-trace", &[]);
    assert_eq!(missing.code, 2);
    assert!(missing.err.starts_with("error: no-such-trace: cannot be read: "), "{}", missing.err);
}

#[test]
fn a_trace_is_kept_of_this_machine_only() {
    let run = observe("observe.toml", &format!("{DATA}/7.2-rt.trace"), &["--keep", "no-such-file"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
}

/// A machine that cannot be traced is said; which it is, differs.
#[test]
fn this_machine_is_traced_or_why_not_is_said() {
    let run = of(command(&["observe", &format!("{DATA}/observe.toml"), "--for", "10ms"]));
    match run.code {
        // Without a tracefs, or the right to it.
        4 => assert!(run.err.starts_with("error: "), "{}", run.err),
        // None of its threads is there.
        code => assert_eq!((code, run.out.contains("was not seen")), (3, true), "{}", run.out),
    }
}
