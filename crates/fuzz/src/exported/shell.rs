//! Scripts, by a real shell.
//!
//! **Model.** Every command that a script may use is a function that writes its name and its
//! arguments down, each ended by NUL, and there is no `PATH` on which another could be found. `/proc` and `/sys`
//! in the script become folders of the test's own. So what the shell makes of the script is the list of words
//! that was written down; whatever else it was made to do shows as an output, a file, an error or another word.

use super::case::{CPU, Case, Scheduled, Thread};
use super::compare::same;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A folder that stands for a machine.
#[derive(Debug)]
pub struct Bench {
    folder: TempDir,
}

/// The commands of both scripts. What finds threads is told of one of them, and of one interrupt.
const STUBS: &str = r#"
said() { printf '%s\0' "$@" "" >&3; }
xl() { said xl "$@"; }
named() { said named "$@"; echo 1; }
of_process() { said of_process "$@"; echo 1; }
vcpu() { said vcpu "$@"; echo 1; }
begins() { said begins "$@"; echo 1; }
interrupts() { said interrupts "$@"; echo 7; }
one() { said one "$@"; }
reserve() { said reserve "$@"; }
chrt() { said chrt "$@"; }
taskset() { said taskset "$@"; }
mkdir() { :; }
sleep() { :; }
cat() { echo 0; }
sort() { while read -r line; do echo "$line"; done; }
sed() { while read -r line; do echo "$line"; done; }
"#;

/// The last line of the functions that a script brings along.
const END_OF_FUNCTIONS: &str = "\n}\n\n";

impl Bench {
    /// A new one.
    ///
    /// # Errors
    /// The folders cannot be made.
    pub fn new() -> io::Result<Self> {
        let folder = TempDir::with_prefix("vorrang-exported-")?;
        let bench = Self { folder };
        let groups = "sys/fs/cgroup/vorrang/cpu1";
        for path in [groups, "sys/class/net", "sys/kernel/debug/sched", "proc/irq/7", "words"] {
            fs::create_dir_all(bench.path(path))?;
        }
        Ok(bench)
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.folder.path().join(path)
    }

    /// The script for `chrt` says these words and no others.
    ///
    /// # Errors
    /// What is different.
    pub fn script(&self, case: &Case, text: &str) -> Result<(), String> {
        let functions = text.find(END_OF_FUNCTIONS).ok_or("no functions")? + END_OF_FUNCTIONS.len();
        // After the functions, so that those of the script are not the ones that run.
        let script = format!("{}{STUBS}{}", &text[..functions], &text[functions..]);
        let interfaces = self.path("sys/class/net");
        for interface in case.interfaces() {
            fs::create_dir_all(interfaces.join(interface)).map_err(|why| why.to_string())?;
        }
        let found = self.run(&self.elsewhere(&script));
        for interface in case.interfaces() {
            let path = interfaces.join(interface).join("threaded");
            if fs::read(&path).is_ok_and(|text| text != b"1\n") || !path.exists() {
                return Err(format!("{interface} is not told to poll in threads"));
            }
        }
        fs::remove_dir_all(&interfaces).map_err(|why| why.to_string())?;
        fs::create_dir(&interfaces).map_err(|why| why.to_string())?;
        let meant: Vec<String> =
            meant_by_script(case).iter().map(|word| self.elsewhere(word)).collect();
        same("words", &plain_expressions(found?)?, &meant)
    }

    /// The commands for Xen say these words and no others.
    ///
    /// # Errors
    /// What is different.
    pub fn commands_of_xen(&self, case: &Case, text: &str) -> Result<(), String> {
        let found = self.run(&format!("set -eu\n{STUBS}{text}"))?;
        same("words", &found, &meant_by_xen(case))
    }

    /// Paths of a machine as paths of this one.
    fn elsewhere(&self, text: &str) -> String {
        let folder = self.folder.path().display();
        text.replace("/sys/", &format!("{folder}/sys/"))
            .replace("/proc/", &format!("{folder}/proc/"))
    }

    /// Runs a script; the words that it said.
    fn run(&self, script: &str) -> Result<Vec<String>, String> {
        let words = self.path("words/said");
        let script_file = self.path("words/script");
        fs::write(&script_file, script).map_err(|why| why.to_string())?;
        let run = Command::new("/bin/sh")
            .arg("-c")
            .arg("exec 3> words/said; . ./words/script")
            .env_clear()
            .env("PATH", self.path("nothing"))
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .output()
            .map_err(|why| why.to_string())?;
        if !run.status.success() || !run.stdout.is_empty() || !run.stderr.is_empty() {
            let (out, err) =
                (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
            return Err(format!("{}\n{out}{err}", run.status));
        }
        self.nothing_else()?;
        let said = fs::read(&words).map_err(|why| why.to_string())?;
        let said = String::from_utf8(said).map_err(|why| why.to_string())?;
        Ok(said.split('\0').map(str::to_owned).collect())
    }

    /// No file is there that no script writes.
    fn nothing_else(&self) -> Result<(), String> {
        let known: [(&str, &[&str]); 6] = [
            ("", &["proc", "sys", "words"]),
            ("words", &["said", "script"]),
            ("proc/irq", &["7", "default_smp_affinity"]),
            ("proc/irq/7", &["smp_affinity_list"]),
            ("sys/fs/cgroup", &["cgroup.subtree_control", "vorrang"]),
            ("sys/kernel/debug/sched", &["features"]),
        ];
        for (folder, known) in known {
            if let Some(name) =
                names_in(&self.path(folder)).find(|name| !known.contains(&name.as_str()))
            {
                return Err(format!("a file {name:?} in {folder:?}"));
            }
        }
        Ok(())
    }
}

fn names_in(folder: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned())
}

impl Case {
    /// Interfaces that poll in threads.
    fn interfaces(&self) -> impl Iterator<Item = &String> {
        self.threads.iter().filter_map(|named| match &named.thread {
            Thread::Napi(interface, _) => Some(interface),
            _ => None,
        })
    }
}

/// What `begins` is told matches the text that is behind its escapes: of it, the text.
fn plain_expressions(mut words: Vec<String>) -> Result<Vec<String>, String> {
    for index in 1..words.len() {
        if words[index - 1] != "begins" {
            continue;
        }
        let mut plain = String::new();
        let mut rest = words[index].chars();
        while let Some(c) = rest.next() {
            let special = |c: char| r"^.[$()|*+?{\".contains(c);
            match c {
                '\\' => plain.extend(rest.next().filter(|c| special(*c))),
                c if special(c) => {
                    return Err(format!("{c} means something in {:?}", words[index]));
                }
                c => plain.push(c),
            }
        }
        words[index] = plain;
    }
    Ok(words)
}

/// A command is ended by an empty word.
fn command(meant: &mut Vec<String>, words: &[&str]) {
    meant.extend(words.iter().map(|word| (*word).to_owned()));
    meant.push(String::new());
}

fn meant_by_script(case: &Case) -> Vec<String> {
    let mut meant = Vec::new();
    for (_, irq) in &case.interrupts {
        command(&mut meant, &["interrupts", irq]);
    }
    for named in &case.threads {
        if let Thread::Irq(irq) = &named.thread {
            command(&mut meant, &["interrupts", irq]);
        }
    }
    for named in &case.threads {
        match &named.thread {
            Thread::Number(_) => {}
            Thread::Name(name) => command(&mut meant, &["named", name]),
            Thread::OfProcess(process, name) => command(&mut meant, &["of_process", process, name]),
            Thread::Vm(vm, number) => command(&mut meant, &["vcpu", vm, &number.to_string()]),
            Thread::Napi(interface, _) => {
                command(&mut meant, &["begins", &format!("napi/{interface}-")]);
            }
            Thread::Irq(irq) => {
                command(&mut meant, &["interrupts", irq]);
                command(&mut meant, &["begins", "irq/7-"]);
            }
        }
        let number = match named.thread {
            Thread::Number(number) => number.to_string(),
            _ => "1".to_owned(),
        };
        command(&mut meant, &["one", &number]);
        let cpu = CPU.to_string();
        let arguments = arguments(named.scheduled);
        let mut words = vec!["reserve", &cpu];
        words.extend(arguments.iter().map(String::as_str));
        command(&mut meant, &words);
    }
    // What stands behind the last end.
    meant.push(String::new());
    meant
}

fn arguments(scheduled: Scheduled) -> Vec<String> {
    let words = match scheduled {
        Scheduled::Reservation(budget, period) => format!(
            "--deadline --sched-runtime {budget} --sched-deadline {period} --sched-period {period} --pid 0"
        ),
        Scheduled::Priority(priority) => format!("--fifo --pid {priority}"),
    };
    words.split(' ').map(str::to_owned).collect()
}

fn meant_by_xen(case: &Case) -> Vec<String> {
    let mut meant = Vec::new();
    for (vm, processors) in case.machines() {
        for (number, named) in processors {
            let number = number.to_string();
            command(&mut meant, &["xl", "vcpu-pin", vm, &number, &CPU.to_string()]);
            if let Scheduled::Reservation(budget, period) = named.scheduled {
                let (budget, period) = ((budget / 1_000).to_string(), (period / 1_000).to_string());
                let (p, b) = (&period, &budget);
                let words =
                    ["xl", "sched-rtds", "-d", vm, "-v", &number, "-p", p, "-b", b, "-e", "0"];
                command(&mut meant, &words);
            }
        }
    }
    meant.push(String::new());
    meant
}
