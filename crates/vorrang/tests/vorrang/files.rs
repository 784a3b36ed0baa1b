//! What is written: whole or not at all, never over what is read, and never over something else.

use crate::program::{Run, command, of, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A folder of its own with a description and a trace of a kernel.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let data = root().join("crates/observe/tests/data");
    fs::copy(root().join("examples/hello.toml"), folder.path().join("x.toml")).expect("a copy");
    fs::copy(data.join("observe.toml"), folder.path().join("o.toml")).expect("a copy");
    fs::copy(data.join("6.12-rt.trace"), folder.path().join("t")).expect("a copy");
    folder
}

fn within(folder: &TempDir, arguments: &[&str]) -> Run {
    let mut command = command(arguments);
    command.current_dir(folder.path());
    of(command)
}

/// Names and contents, hidden ones too.
fn contents(folder: &TempDir) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder.path()).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut all: Vec<_> =
        paths.map(|path| (path.clone(), fs::read(path).expect("a file"))).collect();
    all.sort();
    all
}

const SIMULATE: [&str; 4] = ["simulate", "x.toml", "--for", "20ms"];
const OBSERVE: [&str; 4] = ["observe", "o.toml", "--trace", "t"];

#[test]
fn no_input_is_written_over_by_no_name_that_it_has() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("x.toml", path("soft.toml")).expect("a link");
    fs::hard_link(path("x.toml"), path("hard.toml")).expect("a link");
    let celeron = root().join("published/machines/celeron.toml");
    fs::copy(celeron, path("machine.toml")).expect("a copy");
    let with_profile = "version = 1\nprofile = \"machine.toml\"\n[core.0]\nscheduler = \"edf\"\n";
    fs::write(path("p.toml"), with_profile).expect("a file");
    let before = contents(&folder);
    let with_profile = ["simulate", "p.toml", "--for", "1ms"];
    for (command, outputs) in [
        (&SIMULATE[..], &["--trace", "x.toml"][..]),
        (&SIMULATE, &["--cdf", "x.toml"]),
        (&SIMULATE, &["--trace", "./soft.toml", "--force"]),
        (&SIMULATE, &["--cdf", "hard.toml", "--force"]),
        (&with_profile, &["--cdf", "machine.toml", "--force"]),
        (&OBSERVE, &["--perfetto", "t", "--force"]),
        (&OBSERVE, &["--perfetto", "o.toml", "--force"]),
        (&["measure", "sweep", "machine.toml"], &["--svg", "machine.toml", "--force"]),
    ] {
        let run = within(&folder, &[command, outputs].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{outputs:?}: {}", run.err);
        let name = outputs[1];
        assert_eq!(
            run.err,
            format!(
                "error: {name} is read by this command, or open for it already, and would be overwritten: give another name\n"
            )
        );
    }
    let mut simulate = command(&["simulate", "-", "--trace", "x.toml", "--force"]);
    simulate.current_dir(folder.path()).stdin(fs::File::open(path("x.toml")).expect("it is there"));
    assert_eq!(of(simulate).code, 2);
    assert_eq!(contents(&folder), before, "nothing has changed, nothing is left");
}

#[test]
fn what_is_of_another_kind_goes_only_by_force() {
    let folder = folder();
    fs::write(folder.path().join("letter"), "Dear all,\n").expect("a file");
    let before = contents(&folder);
    for (command, output, kind) in [
        (&SIMULATE[..], "--trace", "trace for Perfetto"),
        (&SIMULATE, "--cdf", "table of distributions"),
        (&OBSERVE, "--perfetto", "trace for Perfetto"),
    ] {
        let run = within(&folder, &[command, &[output, "letter"]].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""));
        let why = "give another name, or --force to replace it";
        assert_eq!(run.err, format!("error: letter is there already and is no {kind}: {why}\n"));
        let run = within(&folder, &[command, &[output, "x.toml"]].concat());
        assert_eq!(run.code, 2, "a description is none either");
    }
    for verb in ["cache", "switch", "timers", "latency", "kernel"] {
        for there in ["letter", "x.toml"] {
            let run = within(&folder, &["measure", verb, "--out", there]);
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{verb}: {}", run.err);
        }
    }
    assert_eq!(contents(&folder), before);
    for output in ["--trace", "--cdf"] {
        let forced = within(&folder, &[&SIMULATE[..], &[output, "letter", "--force"]].concat());
        assert_eq!((forced.code, forced.err.as_str()), (0, ""));
        let again = within(&folder, &[&SIMULATE[..], &[output, "letter"]].concat());
        assert_eq!(again.code, 0, "what it wrote itself it replaces: {}", again.err);
    }
}

#[test]
fn two_outputs_have_two_names() {
    let folder = folder();
    let before = contents(&folder);
    for name in ["new", "-"] {
        let run = within(&folder, &[&SIMULATE[..], &["--trace", name, "--cdf", name]].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""));
        let why = "would be written twice: give each output a name";
        assert_eq!(run.err, format!("error: {name} {why}\n"));
    }
    assert_eq!(contents(&folder), before);
}

#[test]
fn a_link_stays_one_and_a_mode_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("real.csv"), "").expect("a file");
    fs::set_permissions(path("real.csv"), fs::Permissions::from_mode(0o640)).expect("its mode");
    std::os::unix::fs::symlink("real.csv", path("link.csv")).expect("a link");
    let run = within(&folder, &[&SIMULATE[..], &["--cdf", "link.csv"]].concat());
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(fs::symlink_metadata(path("link.csv")).expect("it is there").is_symlink());
    let real = fs::metadata(path("real.csv")).expect("it is there");
    assert_eq!(real.permissions().mode() & 0o777, 0o640);
    assert!(real.len() > 0);
    std::os::unix::fs::symlink("nowhere", path("dangling")).expect("a link");
    let run = within(&folder, &[&SIMULATE[..], &["--cdf", "dangling"]].concat());
    assert_eq!(run.code, 4, "{}", run.err);
}

/// A disk that is full, as a limit on the length of files has it.
#[test]
fn a_file_that_cannot_be_completed_leaves_what_was_there() {
    let folder = folder();
    let trace = [&SIMULATE[..], &["--trace", "old.pftrace"]].concat();
    assert_eq!(within(&folder, &trace).code, 0);
    let before = contents(&folder);
    let script = format!(
        "trap '' XFSZ; ulimit -f 8; exec {} simulate x.toml --for 9s --trace old.pftrace",
        env!("CARGO_BIN_EXE_vorrang")
    );
    let mut limited = Command::new("sh");
    limited.args(["-c", &script]).current_dir(folder.path());
    let run = of(limited);
    assert_eq!((run.code, run.out.as_str()), (4, ""), "{}", run.err);
    assert!(run.err.starts_with("error: old.pftrace cannot be written: "), "{}", run.err);
    assert_eq!(contents(&folder), before);
}

#[test]
fn two_runs_at_once_leave_one_whole_file() {
    let folder = folder();
    let trace = |name: &str| [&SIMULATE[..], &["--trace", name]].concat().join(" ");
    let mut both: Vec<_> = (0..4)
        .map(|_| {
            let arguments = trace("both.pftrace");
            let arguments: Vec<&str> = arguments.split(' ').collect();
            let mut command = command(&arguments);
            command.current_dir(folder.path()).stdout(Stdio::null());
            command.spawn().expect("the program starts")
        })
        .collect();
    for child in &mut both {
        assert!(child.wait().expect("it ends").success());
    }
    let alone = trace("alone.pftrace");
    assert_eq!(within(&folder, &alone.split(' ').collect::<Vec<_>>()).code, 0);
    let read = |name: &str| fs::read(folder.path().join(name)).expect("it is there");
    assert_eq!(read("both.pftrace"), read("alone.pftrace"));
    assert_eq!(contents(&folder).len(), 5, "nothing else is left");
}

/// Starts a long run with a trace, and sends it signals as soon as it has begun to write.
fn ended_by(folder: &TempDir, signals: &[&str]) -> Option<i32> {
    let mut long = command(&["simulate", "x.toml", "--for", "1000000s", "--trace", "new.pftrace"]);
    long.current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = long.spawn().expect("the program starts");
    let is_draft = |path: &Path| path.to_string_lossy().contains(".vorrang-");
    for _ in 0..2_000 {
        std::thread::sleep(std::time::Duration::from_millis(10));
        if contents(folder).iter().any(|(path, text)| is_draft(path) && !text.is_empty()) {
            break;
        }
    }
    for signal in signals {
        let id = child.id().to_string();
        let sent = Command::new("kill").args([signal, id.as_str()]).status();
        assert!(sent.expect("there is kill").success());
    }
    child.wait().expect("it ends").code()
}

#[test]
fn what_is_killed_leaves_no_half_of_a_file() {
    let before = contents(&folder()).len();
    let interrupted = folder();
    assert_eq!(ended_by(&interrupted, &["-INT"]), Some(130));
    let names: Vec<_> = contents(&interrupted).into_iter().map(|(path, _)| path).collect();
    assert!(names.contains(&interrupted.path().join("new.pftrace")), "what is known is there");
    assert_eq!(names.len(), before + 1, "{names:?}");
    let twice = folder();
    assert_eq!(ended_by(&twice, &["-INT", "-INT"]), Some(130));
    let is_draft = |(path, _): &(PathBuf, _)| path.to_string_lossy().contains(".vorrang-");
    assert!(!contents(&twice).iter().any(is_draft), "nothing under another name is left");
    let killed = folder();
    assert_eq!(ended_by(&killed, &["-KILL"]), None);
    assert!(!killed.path().join("new.pftrace").exists());
}

#[test]
fn a_dash_is_standard_output_and_the_result_makes_way() {
    let folder = folder();
    let bytes = |arguments: &[&str]| {
        let mut command = command(arguments);
        command.current_dir(folder.path()).output().expect("the program starts")
    };
    let result = bytes(&SIMULATE);
    for (output, name) in [("--trace", "new.pftrace"), ("--cdf", "new.csv")] {
        assert_eq!(within(&folder, &[&SIMULATE[..], &[output, name]].concat()).code, 0);
        let streamed = bytes(&[&SIMULATE[..], &[output, "-"]].concat());
        assert_eq!(streamed.stdout, fs::read(folder.path().join(name)).expect("a file"));
        assert_eq!(streamed.stderr, result.stdout);
        assert_eq!(streamed.status.code(), Some(0));
    }
    let observed = within(&folder, &OBSERVE);
    let streamed = bytes(&[&OBSERVE[..], &["--perfetto", "-"]].concat());
    assert!(vorrang_trace::is_trace(&streamed.stdout));
    assert_eq!(String::from_utf8_lossy(&streamed.stderr).len(), observed_length(&observed));
}

/// Without the revision, a result is shorter than what was printed.
fn observed_length(run: &Run) -> usize {
    let tool = vorrang_verdict::identity::TOOL.len()
        - concat!("vorrang ", env!("CARGO_PKG_VERSION")).len();
    run.out.len() + tool
}

#[test]
fn a_profile_keeps_its_comments() {
    let folder = folder();
    let place = folder.path().join("machine.toml");
    let before = "# Measured by vorrang 0.0.1.\n# My board, door closed.\nversion = 1\n\n[costs]\n\
                  context-switch = \"7us\" # from the data sheet\n";
    fs::write(&place, before).expect("a file");
    let measure = ["measure", "latency", "--out", "machine.toml", "-l1", "-q", "--default-system"];
    let run = within(&folder, &measure);
    assert_eq!(run.code, 0, "{}", run.err);
    let after = fs::read_to_string(&place).expect("it is there");
    let tool = vorrang_verdict::identity::TOOL;
    let kept = before.replace("vorrang 0.0.1", tool);
    assert!(after.starts_with(&kept) && after.contains("[measured.latency]"), "{after}");
    let streamed =
        within(&folder, &["measure", "latency", "--out", "-", "-l1", "--default-system"]);
    assert_eq!(streamed.code, 0, "{}", streamed.err);
    let profile: vorrang_measure::profile::Profile = streamed.out.parse().expect("a profile");
    assert_eq!(profile.sections.len(), 1);
}

/// What never ends is read up to a limit, which is said.
#[cfg(target_os = "linux")]
#[test]
fn readers_have_limits() {
    let folder = folder();
    for (arguments, code, why) in [
        (&["check", "/dev/zero"][..], 2, "longer than the 4194304 bytes"),
        (&["observe", "o.toml", "--trace", "/dev/zero"], 2, "a line is longer than 65536 bytes"),
        (&["measure", "--compare", "/dev/zero", "t"], 2, "longer than the 4194304 bytes"),
        (&["measure", "sweep", "/dev/zero"], 2, "longer than the 4194304 bytes"),
        (&["status", "--journal", "/dev/zero"], 4, "longer than the 67108864 bytes"),
    ] {
        let run = within(&folder, arguments);
        assert_eq!((run.code, run.out.as_str()), (code, ""), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(why), "{}", run.err);
    }
}
