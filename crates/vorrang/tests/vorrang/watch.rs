//! A verdict after each save, however an editor saves.
#![cfg(target_os = "linux")]

use crate::program::{command, root};
use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::TempDir;

/// Longer than anything here takes on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

struct Watching {
    folder: TempDir,
    child: Child,
    out: Receiver<String>,
    err: Receiver<String>,
}

fn lines(from: impl Read + Send + 'static) -> Receiver<String> {
    let (tell, told) = channel();
    std::thread::spawn(move || {
        BufReader::new(from).lines().map_while(Result::ok).all(|line| tell.send(line).is_ok())
    });
    told
}

impl Watching {
    fn of(text: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("system.toml");
        fs::write(&file, text).unwrap();
        let mut child = command(&["check", file.to_str().unwrap(), "--watch", "--quiet"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let out = lines(child.stdout.take().unwrap());
        let err = lines(child.stderr.take().unwrap());
        Self { folder, child, out, err }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("system.toml")
    }

    /// As most editors save: another file takes the name.
    fn replace(&self, text: &str) {
        let draft = self.folder.path().join(".system.toml.draft");
        fs::write(&draft, text).unwrap();
        fs::rename(&draft, self.file()).unwrap();
    }

    fn verdict(&self) -> String {
        self.out.recv_timeout(PATIENCE).expect("a verdict")
    }

    /// Ends it by Ctrl-C; what it still said, and its exit code.
    fn end(mut self) -> (Vec<String>, i32) {
        let sent = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(sent.expect("there is kill").success());
        let code = self.child.wait().expect("it ends").code().expect("no signal");
        (self.out.iter().collect(), code)
    }
}

fn example(name: &str) -> String {
    fs::read_to_string(root().join("examples").join(name)).expect("the example")
}

const PROVEN: &str = "The requirement is proven.";
const REFUTED: &str = "The requirement is refuted.";

#[test]
fn a_file_that_is_replaced_is_judged_again() {
    let watching = Watching::of(&example("proxy-slot.toml"));
    assert_eq!(watching.verdict(), PROVEN);
    watching.replace(&example("proxy-edf.toml"));
    assert_eq!(watching.verdict(), REFUTED);
    // The name still stands for what is replaced next, and for what is written in place.
    watching.replace(&example("proxy-slot.toml"));
    assert_eq!(watching.verdict(), PROVEN);
    fs::write(watching.file(), example("proxy-edf.toml")).unwrap();
    assert_eq!(watching.verdict(), REFUTED);
    assert_eq!(watching.end(), (Vec::new(), 1));
}

#[test]
fn the_last_verdict_stands_while_the_text_is_wrong() {
    let right = example("proxy-slot.toml");
    let watching = Watching::of(&right);
    assert_eq!(watching.verdict(), PROVEN);
    watching.replace("[core.0\n");
    let said = |watching: &Watching| watching.err.recv_timeout(PATIENCE).expect("an error");
    assert!(said(&watching).starts_with("error[E0005]"));
    while said(&watching) != "The last verdict stands until that is put right." {}
    fs::remove_file(watching.file()).unwrap();
    assert!(said(&watching).ends_with("there is no such file"));
    watching.replace(&right);
    assert_eq!(watching.verdict(), PROVEN);
    watching.replace(&example("proxy-edf.toml"));
    assert_eq!(watching.verdict(), REFUTED);
    assert_eq!(watching.end(), (Vec::new(), 1));
}

#[test]
fn what_is_included_is_watched_as_well() {
    let empty = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n";
    let watching = Watching::of(
        "version = 1\ninclude = [\"m.toml\"]\n[task.a]\non = \"core.0\"\npriority = 1\n\
         wcet = \"1ms\"\nperiod = \"5ms\"\n",
    );
    assert!(watching.err.recv_timeout(PATIENCE).expect("an error").starts_with("error[E0011]"));
    let machine: &Path = &watching.folder.path().join("m.toml");
    fs::write(machine, empty).unwrap();
    assert_eq!(watching.verdict(), PROVEN);
    let task = "[task.b]\non = \"core.0\"\npriority = 2\nwcet = \"4.5ms\"\nperiod = \"6ms\"\n";
    fs::write(machine, format!("{empty}{task}")).unwrap();
    assert_ne!(watching.verdict(), PROVEN);
    let (_, code) = watching.end();
    assert_eq!(code, 1);
}

#[test]
fn a_profile_is_watched_as_well() {
    let machine = |time: &str| format!("version = 1\ncosts.context-switch = \"{time}\"\n");
    let text =
        example("hello.toml").replace("version = 1", "version = 1\nprofile = \"machine.toml\"");
    let watching = Watching::of(&text);
    assert!(watching.err.recv_timeout(PATIENCE).expect("an error").starts_with("error[E0010]"));
    let profile: &Path = &watching.folder.path().join("machine.toml");
    fs::write(profile, machine("1us")).unwrap();
    assert_eq!(watching.verdict(), "All 3 requirements are proven.");
    fs::write(profile, machine("6ms")).unwrap();
    assert_ne!(watching.verdict(), "All 3 requirements are proven.");
    let (_, code) = watching.end();
    assert_ne!(code, 0);
}
