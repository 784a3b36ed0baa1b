//! Names of files: shown without harm, and commands that a shell reads back.

use crate::program::{command, of, root};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::process::{Command, Stdio};

/// The command below "To see it:", run by a shell in this folder, with this on its standard input.
fn pasted(out: &str, folder: &std::path::Path, stdin: Stdio) -> String {
    let (_, after) = out.split_once("To see it:\n  ").expect("a command");
    let line = after.lines().next().expect("a line");
    assert!(!line.contains(char::is_control), "{line:?}");
    let program = env!("CARGO_BIN_EXE_vorrang");
    let line = line.replacen("vorrang", &format!("'{program}'"), 1);
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(folder).stdin(stdin);
    let run = of(shell);
    assert_eq!((run.code, run.err.as_str()), (1, ""), "{line}");
    run.out
}

#[test]
fn a_replay_line_works_in_a_shell() {
    let folder = tempfile::tempdir().expect("a folder");
    let toml = fs::read(root().join("examples/proxy-edf.toml")).expect("the example");
    let json = serde_json::json!({
        "version": 1,
        "core": { "0": { "scheduler": "edf" } },
        "task": {
            "x": { "on": "core.0", "wcet": "3ms", "period": "5ms" },
            "y": { "on": "core.0", "wcet": "3ms", "period": "5ms" },
        },
    });
    let json = json.to_string();
    let names: [&[u8]; 8] = [
        b"plain.toml",
        b"with spaces and 'quotes' \"both\" $HOME `id` \\n.toml",
        b"-dash.toml",
        b"--force",
        b"a\x1b[31mred\x07\ttab.toml",
        "\u{202e}lmot.\u{e4}".as_bytes(),
        b"\xff\xfe.toml",
        b"-\x1b.toml",
    ];
    for name in names.map(OsStr::from_bytes) {
        for (format, text) in [(None, &toml[..]), (Some("json"), json.as_bytes())] {
            fs::write(folder.path().join(name), text).expect("a file");
            let mut check = command(&["check", "--runs", "1", "--for", "9999ms"]);
            check.current_dir(folder.path());
            check.args(format.map(|format| ["--format", format]).iter().flatten());
            let run = of({
                check.arg("--").arg(name);
                check
            });
            assert_eq!((run.code, run.err.as_str()), (1, ""), "{name:?}");
            assert!(!run.out.contains(|c: char| c.is_control() && c != '\n'), "{}", run.out);
            assert!(!run.out.contains('\u{202e}'), "{}", run.out);
            let shown = pasted(&run.out, folder.path(), Stdio::null());
            assert!(shown.contains("The first miss: "), "{shown}");
        }
    }
}

#[test]
fn a_replay_of_standard_input_reads_it_again() {
    let example = root().join("examples/proxy-edf.toml");
    let open = || fs::File::open(&example).expect("the example");
    let mut check = command(&["check", "-"]);
    check.stdin(open());
    let from_file = of(check);
    assert_eq!(from_file.code, 1);
    // The shell is told the file, so that there is nothing to read but that.
    let shown = pasted(&from_file.out, &root(), Stdio::null());
    assert!(shown.contains("The first miss: "), "{shown}");
    let mut cat = Command::new("cat").arg(&example).stdout(Stdio::piped()).spawn().expect("cat");
    let mut check = command(&["check", "-"]);
    check.stdin(cat.stdout.take().expect("a pipe"));
    let from_pipe = of(check);
    cat.wait().expect("it ends");
    let shown = pasted(&from_pipe.out, &root(), open().into());
    assert!(shown.contains("The first miss: "), "{shown}");
}

/// In errors, results, and by the reader of the command line.
#[test]
fn a_name_does_nothing_to_a_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = "\u{1b}]0;owned\u{7}\u{1b}[2J.toml";
    let hello = fs::read(root().join("examples/hello.toml")).expect("the example");
    let observed = root().join("crates/observe/tests/data");
    let write = |name: &str, text: &[u8]| fs::write(folder.path().join(name), text);
    write(name, &hello).expect("a file");
    write("empty", b"").expect("a file");
    write("wrong\u{1b}[31m.toml", b"version = 2\n").expect("a file");
    let profile = "version = 1\nprofile = \"no\\u001b[31m.toml\"\n[core.0]\nscheduler = \"edf\"\n";
    write("profiled.toml", profile.as_bytes()).expect("a file");
    let mut trace = fs::read(observed.join("6.12-rt.trace")).expect("a trace");
    trace.extend_from_slice(b" \x1b[31mname [0\n");
    write("trace\u{1b}[31m", &trace).expect("a file");
    fs::copy(observed.join("observe.toml"), folder.path().join("o.toml")).expect("a copy");
    for (arguments, code) in [
        (&["check", name][..], 0),
        (&["simulate", name, "--for", "1ms"], 0),
        (&["check", "wrong\u{1b}[31m.toml"], 2),
        (&["check", "missing\u{1b}[31m.toml"], 2),
        (&["check", "profiled.toml"], 2),
        (&["check", name, "more\u{1b}[31m"], 2),
        (&["check", name, "--explain", "\u{1b}[31m"], 2),
        (&["simulate", name, "--core", "\u{1b}[31m"], 2),
        (&["simulate", name, "--histogram=\u{1b}[31m"], 2),
        (&["simulate", name, "--witness", "\u{1b}[31m"], 2),
        (&["simulate", name, "--trace", name], 2),
        (&["simulate", name, "--trace", "no/such\u{1b}/x"], 4),
        (&["observe", "o.toml", "--trace", "trace\u{1b}[31m"], 2),
        (&["observe", "o.toml", "--trace", "missing\u{1b}[31m"], 2),
        (&["measure", "--compare", "empty\u{1b}", "empty"], 2),
        (&["measure", "sweep", "no\u{1b}[31m"], 2),
        (&["export", name, "--as", "chrt"], 4),
        (&["apply", name], 2),
        (&["status", "--journal", name], 4),
        (&["explain", "\u{1b}[31m"], 2),
        (&["reproduce", "\u{1b}[31m"], 2),
        (&["\u{1b}[31m"], 2),
    ] {
        let mut command = command(arguments);
        command.current_dir(folder.path());
        let run = of(command);
        assert_eq!(run.code, code, "{arguments:?}: {}", run.err);
        let all = run.out + &run.err;
        assert!(!all.contains(|c: char| c.is_control() && c != '\n'), "{arguments:?}: {all:?}");
        assert!(!all.is_empty());
    }
}

/// A terminal that knows no escapes gets none, one that does gets colours. `script` lends one.
#[cfg(target_os = "linux")]
#[test]
fn a_dumb_terminal_is_given_text() {
    let program = env!("CARGO_BIN_EXE_vorrang");
    let shown = |term: &str| {
        let line = format!(
            "'{program}' check no-such-file.toml; '{program}' check crates/model/tests/wrong/file-byte-order-mark.toml"
        );
        let mut script = Command::new("script");
        script.args(["-qec", &line, "/dev/null"]).current_dir(root()).stdin(Stdio::null());
        script.env("TERM", term).env_remove("NO_COLOR");
        String::from_utf8_lossy(&script.output().ok()?.stdout).into_owned().into()
    };
    let (Some(dumb), Some(able)): (Option<String>, Option<String>) =
        (shown("dumb"), shown("xterm"))
    else {
        eprintln!("script is not installed: no terminal was shown anything");
        return;
    };
    assert!(able.contains("\u{1b}[1;31merror"), "{able:?}");
    assert!(dumb.contains("error[") && !dumb.contains('\u{1b}'), "{dumb:?}");
}
