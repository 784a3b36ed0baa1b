//! A machine as a document tells it, so that plans for it can be made elsewhere.
//!
//! **Model.** What a plan reads of a machine is in the files and folders of two tables, and in the policies and processors of
//! its threads. All of it is read once, on the machine, and kept with what could not be read. A plan for the document then
//! is the plan that the machine would have had at that moment.
//!
//! **Not covered.** What begins, ends or changes afterwards. Of command lines only the name of a virtual machine is kept, of
//! the kernel's configuration only the options that are asked for.

mod pattern;

use crate::groups::{GROUP, ROOT};
use crate::machine::{Kernel, Policy, cpu_list, cpus_of, is_gone};
use crate::shield;
use pattern::{expanded, matches};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;

/// A file, where any name stands for `*`.
const FILES: [&str; 23] = [
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/version",
    "/proc/sys/kernel/hostname",
    "/proc/sys/kernel/sched_rt_runtime_us",
    "/proc/sys/kernel/sched_rt_period_us",
    "/proc/sys/kernel/sched_deadline_period_min_us",
    "/proc/sys/kernel/sched_deadline_period_max_us",
    "/proc/cmdline",
    "/proc/*/task/*/comm",
    "/proc/*/task/*/stat",
    "/proc/*/task/*/cgroup",
    "/proc/*/cmdline",
    "/proc/irq/*/smp_affinity_list",
    "/sys/devices/system/cpu/online",
    "/sys/class/net/*/threaded",
    "/sys/fs/cgroup/cgroup.controllers",
    "/sys/fs/cgroup/cgroup.subtree_control",
    "/sys/kernel/debug/sched/features",
    "/sys/kernel/debug/sched/fair_server/*/runtime",
    "/sys/kernel/debug/sched/fair_server/*/period",
    "/sys/kernel/sched_ext/state",
    "/sys/module/timer_shield/version",
    "/sys/module/timer_shield/parameters/*",
];
/// The file with the kind of a group, which may be deep; asked for where a thread is in it.
const TYPE: &str = "cgroup.type";
/// Folders, in which any name stands for `*`.
const FOLDERS: [&str; 9] = [
    "/proc",
    "/proc/*/task",
    "/proc/irq",
    "/proc/irq/*",
    "/proc/irq/*/*",
    "/sys/bus/virtio/devices",
    "/sys/bus/virtio/devices/*/net",
    GROUP,
    "/sys/fs/cgroup/vorrang-host",
];
/// Where modules are; of them only one is asked for.
const MODULES: &str = "/lib/modules/";
/// Options of the kernel's configuration.
const OPTIONS: [&str; 2] = ["CONFIG_IRQ_TIME_ACCOUNTING", "CONFIG_RT_GROUP_SCHED"];
/// Where those are kept.
const CONFIGURATION: &str = "/proc/config.gz";

/// What a plan reads of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// Texts of files.
    files: BTreeMap<String, String>,
    /// Names in folders.
    folders: BTreeMap<String, Vec<String>>,
    /// Files and folders that are there and could not be read, with the reason.
    hidden: BTreeMap<String, String>,
    /// The threads by their numbers.
    threads: BTreeMap<i32, Scheduled>,
}

/// How a thread is scheduled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Scheduled {
    policy: Policy,
    /// A list as the kernel writes it.
    cpus: String,
}

impl Told {
    /// What there is to tell of a machine now.
    pub fn of(kernel: &dyn Kernel) -> Self {
        let mut told = Self::default();
        for pattern in FOLDERS {
            for path in told.expanded(kernel, pattern) {
                told.folder(kernel, path);
            }
        }
        for folder in shield::folders(kernel) {
            told.folder(kernel, folder);
        }
        for pattern in FILES {
            for path in told.expanded(kernel, pattern) {
                told.file(kernel, path);
            }
        }
        told.kinds_of_groups(kernel);
        told.keep(CONFIGURATION.to_owned(), kernel.configuration().map(|text| options(&text)));
        let processes = told.folders.iter().filter(|(path, _)| matches("/proc/*/task", path));
        let threads = processes.flat_map(|(_, threads)| threads);
        let threads: Vec<i32> = threads.filter_map(|thread| thread.parse().ok()).collect();
        for thread in threads {
            if let (Ok(policy), Ok(cpus)) = (kernel.policy(thread), kernel.affinity(thread)) {
                told.threads.insert(thread, Scheduled { policy, cpus: cpu_list(&cpus) });
            }
        }
        told
    }

    /// The name of the machine, where it has one.
    pub fn name(&self) -> Option<&str> {
        self.line("/proc/sys/kernel/hostname")
    }

    /// The release of its kernel.
    pub fn release(&self) -> Option<&str> {
        self.line("/proc/sys/kernel/osrelease")
    }

    fn line(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(|text| text.trim()).filter(|text| !text.is_empty())
    }

    /// The paths of a pattern; what could not be looked into is hidden, with all below it.
    fn expanded(&mut self, kernel: &dyn Kernel, pattern: &str) -> Vec<String> {
        let (paths, unseen) = expanded(kernel, pattern);
        let unseen = unseen.into_iter().filter(|(_, why)| !is_nothing(why));
        self.hidden.extend(unseen.map(|(folder, why)| (folder, why.to_string())));
        paths
    }

    fn folder(&mut self, kernel: &dyn Kernel, path: String) {
        match kernel.list(&path) {
            Ok(mut names) => {
                let of_modules = path.starts_with(MODULES);
                names.retain(|name| path != "/proc" || name.parse::<u32>().is_ok());
                names.retain(|name| !of_modules || name.starts_with(shield::MODULE));
                self.folders.insert(path, names);
            }
            Err(why) if is_nothing(&why) => {}
            Err(why) => drop(self.hidden.insert(path, why.to_string())),
        }
    }

    fn file(&mut self, kernel: &dyn Kernel, path: String) {
        let text = kernel.read(&path);
        if !matches("/proc/*/cmdline", &path) {
            self.keep(path, text);
        } else if let Some(name) = text.ok().and_then(|line| name_of_machine(&line)) {
            self.keep(path, Ok(name));
        }
    }

    fn kinds_of_groups(&mut self, kernel: &dyn Kernel) {
        let of = |(path, text): (&String, &String)| {
            let is_group = matches("/proc/*/task/*/cgroup", path);
            let group = text.lines().find_map(|line| line.strip_prefix("0::"))?;
            is_group.then(|| format!("{ROOT}{}/{TYPE}", group.trim_end_matches('/')))
        };
        let kinds: Vec<String> = self.files.iter().filter_map(of).collect();
        for path in kinds {
            self.keep(path.clone(), kernel.read(&path));
        }
    }

    fn keep(&mut self, path: String, text: io::Result<String>) {
        match text {
            Ok(text) => drop(self.files.insert(path, text)),
            Err(why) if is_nothing(&why) && path != CONFIGURATION => {}
            Err(why) => drop(self.hidden.insert(path, why.to_string())),
        }
    }

    fn thread(&self, thread: i32) -> io::Result<&Scheduled> {
        let unknown = || io::Error::other("the document does not tell how the thread is scheduled");
        self.threads.get(&thread).ok_or_else(unknown)
    }

    /// Why there is no answer: it was hidden, is not there, or was never asked.
    fn unanswered(&self, path: &str, is_told: bool) -> io::Error {
        let above = |(folder, _): &(&String, &String)| {
            path.strip_prefix(folder.as_str())
                .is_some_and(|rest| matches!(rest.chars().next(), None | Some('/')))
        };
        match self.hidden.iter().find(above) {
            Some((_, why)) => io::Error::other(why.clone()),
            None if is_told => io::ErrorKind::NotFound.into(),
            None => io::Error::other("the document about the machine does not tell it"),
        }
    }
}

/// There is no such file, or it is none.
fn is_nothing(why: &io::Error) -> bool {
    is_gone(why) || why.kind() == io::ErrorKind::NotADirectory
}

/// The lines of a configuration that are asked for.
fn options(text: &str) -> String {
    let is_asked = |line: &&str| OPTIONS.iter().any(|option| line.contains(option));
    text.lines().filter(is_asked).collect::<Vec<_>>().join("\n")
}

/// Of a command line of QEMU what names the machine.
fn name_of_machine(line: &str) -> Option<String> {
    let mut words = line.split('\0');
    words.find(|word| *word == "-name")?;
    Some(format!("-name\0{}\0", words.next()?))
}

impl Kernel for Told {
    fn read(&self, path: &str) -> io::Result<String> {
        let is_told = || {
            let is_kind = path.starts_with(ROOT) && path.ends_with(TYPE);
            is_kind || FILES.iter().any(|pattern| matches(pattern, path))
        };
        self.files.get(path).cloned().ok_or_else(|| self.unanswered(path, is_told()))
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        let is_told =
            || path.starts_with(MODULES) || FOLDERS.iter().any(|pattern| matches(pattern, path));
        self.folders.get(path).cloned().ok_or_else(|| self.unanswered(path, is_told()))
    }

    fn policy(&self, thread: i32) -> io::Result<Policy> {
        Ok(self.thread(thread)?.policy)
    }

    fn affinity(&self, thread: i32) -> io::Result<Vec<u32>> {
        cpus_of(&self.thread(thread)?.cpus).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    fn configuration(&self) -> io::Result<String> {
        let text = self.files.get(CONFIGURATION).cloned();
        text.ok_or_else(|| self.unanswered(CONFIGURATION, true))
    }
}
