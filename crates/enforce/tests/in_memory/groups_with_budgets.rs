//! The script for `cpu.rt.max`, run by a shell on a folder that stands for the file system of groups.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};
use vorrang_enforce::export::{Form, export};
use vorrang_model::{Format, read};

/// A server with these lines besides, of the thread of this test, and a task of another priority.
fn exported(lines: &str) -> Result<String, Vec<String>> {
    let own = std::process::id();
    let text = format!(
        "version = 1\n[core.0]\nscheduler = \"linux\"\ncpu = 1\n[server.a]\non = \"core.0\"\nserver = \"sched-deadline\"\n\
         thread = \"pid:{own}\"\n{lines}\n[task.b]\non = \"core.0\"\nwcet = \"1ms\"\nperiod = \"1s\"\npriority = 7\nthread = \"pid:1\"\n"
    );
    let system = read(&text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}"));
    export(&system, Form::Cgroup).map_err(|unfit| [unfit.missing, unfit.wrong].concat())
}

/// Runs the script with this folder instead of the groups, and programs that only note how they are called.
fn ran(script: &str, root: &Path) -> Output {
    let groups = root.join("groups");
    let script = script.replace("/sys/fs/cgroup", groups.to_str().expect("text"));
    fs::create_dir_all(root.join("bin")).expect("a folder");
    for program in ["chrt", "taskset"] {
        let file = root.join("bin").join(program);
        fs::write(&file, format!("#!/bin/sh\necho {program} \"$@\" >> {}/calls\n", root.display()))
            .expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("a program");
    }
    let path = format!("{}:/usr/bin:/bin", root.join("bin").display());
    Command::new("sh").args(["-c", &script]).env("PATH", path).output().expect("a shell")
}

#[test]
fn a_kernel_without_such_groups_is_left_alone() {
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir(root.path().join("groups")).expect("a folder");
    let script = exported("budget = \"2ms\"\nperiod = \"10ms\"").expect("a script");
    let ran = ran(&script, root.path());
    assert_eq!(ran.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("no cpu.rt.max, so nothing was changed"));
    let left = fs::read_dir(root.path().join("groups")).expect("a folder").count();
    assert_eq!((left, root.path().join("calls").exists()), (0, false));
}

#[test]
fn a_server_is_a_group_with_its_budget() {
    let root = tempfile::tempdir().expect("a folder");
    let groups = root.path().join("groups");
    fs::create_dir(&groups).expect("a folder");
    fs::write(groups.join("cpu.rt.max"), "max 1000000\n").expect("a file");
    let script = exported("budget = \"1500us\"\nperiod = \"10ms\"").expect("a script");
    let ran = ran(&script, root.path());
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let text = |file: &str| fs::read_to_string(groups.join(file)).expect(file);
    let own = format!("{}\n", std::process::id());
    assert_eq!(text("vorrang-rt/1/cpu.rt.max"), "1500 10000\n");
    assert_eq!(text("vorrang-rt/1/cpuset.cpus"), "1\n");
    assert_eq!(text("vorrang-rt/1/cgroup.type"), "threaded\n");
    assert_eq!(text("vorrang-rt/1/cgroup.threads"), own);
    assert_eq!(text("vorrang-rt/cgroup.procs"), own);
    let own = own.trim();
    let calls = fs::read_to_string(root.path().join("calls")).expect("calls");
    assert_eq!(
        calls,
        format!("chrt --fifo --pid 1 {own}\ntaskset -p -c 1 1\nchrt --fifo --pid 7 1\n")
    );
}

#[test]
fn what_such_a_group_cannot_be_is_refused() {
    for (lines, why) in [
        (
            "budget = \"1500ns\"\nperiod = \"10ms\"",
            "counts in microseconds, and 1500 ns of 10000000 ns",
        ),
        ("budget = \"1ms\"\nperiod = \"10ms\"\ndeadline = \"5ms\"", "no deadline before the end"),
        ("budget = \"1ms\"\nperiod = \"10ms\"\nreclaim = true", "has no reclaiming"),
    ] {
        let said = exported(lines).expect_err(lines);
        assert!(
            said.len() == 1 && said[0].starts_with("server.a: ") && said[0].contains(why),
            "{said:?}"
        );
    }
}
