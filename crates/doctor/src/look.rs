//! A look at a machine that keeps what it has read.

use crate::finding::{Read, Said, unknown};
use std::cell::RefCell;
use vorrang_enforce::{Kernel, cpus_of, of_process};

/// The characters of a value that are kept: a line of a terminal.
const KEPT: usize = 120;

pub(crate) struct Look<'a> {
    pub(crate) kernel: &'a dyn Kernel,
    read: RefCell<Vec<Read>>,
}

impl<'a> Look<'a> {
    pub(crate) fn new(kernel: &'a dyn Kernel) -> Self {
        Self { kernel, read: RefCell::default() }
    }

    pub(crate) fn read(self) -> Vec<Read> {
        self.read.into_inner()
    }

    /// Keeps what a file says.
    pub(crate) fn keep(&self, from: &str, value: &str) {
        let line = value.trim().lines().next().unwrap_or_default();
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let value: String = line.chars().take(KEPT).collect();
        let read = Read { from: from.to_owned(), value };
        if !self.read.borrow().contains(&read) {
            self.read.borrow_mut().push(read);
        }
    }

    /// The text of a file, which is kept.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        let text = self.kernel.read(path).ok()?.trim().to_owned();
        self.keep(path, &text);
        Some(text)
    }

    pub(crate) fn number(&self, path: &str) -> Option<i64> {
        self.text(path)?.parse().ok()
    }

    /// The value behind a key at the beginning of a line.
    pub(crate) fn field(&self, path: &str, key: &str) -> Option<String> {
        let text = self.kernel.read(path).ok()?;
        let line = text.lines().find(|line| line.starts_with(key))?;
        self.keep(path, line);
        Some(line[key.len()..].trim_start_matches(':').trim().to_owned())
    }

    /// The list of processors in a file; none where it is not there.
    pub(crate) fn cpus(&self, path: &str) -> Vec<u32> {
        self.text(path).and_then(|list| cpus_of(&list)).unwrap_or_default()
    }

    /// The same without keeping it.
    pub(crate) fn quietly(&self, path: &str) -> Option<String> {
        Some(self.kernel.read(path).ok()?.trim().to_owned())
    }

    pub(crate) fn online(&self) -> Vec<u32> {
        let list = self.quietly("/sys/devices/system/cpu/online");
        list.and_then(|list| cpus_of(&list)).unwrap_or_default()
    }

    /// Major and minor number of the release.
    pub(crate) fn release(&self) -> Option<(u32, u32)> {
        let text = self.text("/proc/sys/kernel/osrelease")?;
        let mut numbers = text.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().ok());
        Some((numbers.next()??, numbers.next()??))
    }

    /// What is said of threads where there are none: an image, or a report that has no `/proc/PID/task`.
    pub(crate) fn without_threads(&self) -> Option<Said> {
        let says = "no thread is in /proc: this is an image, or a report";
        self.threads(|_| true).is_empty().then(|| {
            unknown(says, "Ask the machine itself; vorrang import reads the threads of a report.")
        })
    }

    /// All threads whose name is accepted, with the folder of each.
    pub(crate) fn threads(&self, is: impl Fn(&str) -> bool) -> Vec<Seen> {
        let processes = self.kernel.list("/proc").unwrap_or_default();
        let processes = processes.iter().filter_map(|name| name.parse().ok());
        let all = processes.flat_map(|one| of_process(self.kernel, one).unwrap_or_default());
        let seen = all.filter(|thread| is(&thread.name)).map(|thread| Seen {
            folder: format!("/proc/{}/task/{}", thread.process, thread.thread),
            process: thread.process,
            name: thread.name,
        });
        seen.collect()
    }
}

/// A thread.
pub(crate) struct Seen {
    pub(crate) folder: String,
    pub(crate) process: i32,
    pub(crate) name: String,
}

impl Seen {
    /// The processors that it may use.
    pub(crate) fn allowed(&self, look: &Look) -> Vec<u32> {
        let text = look.kernel.read(&format!("{}/status", self.folder)).unwrap_or_default();
        let list = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        list.and_then(cpus_of).unwrap_or_default()
    }

    /// A field of its line of numbers, counted from 1.
    pub(crate) fn stat(&self, look: &Look, field: usize) -> Option<i64> {
        stat(look, &format!("{}/stat", self.folder), field)
    }

    /// Whether it is of `SCHED_FIFO`, `SCHED_RR` or `SCHED_DEADLINE`.
    pub(crate) fn is_real_time(&self, look: &Look) -> bool {
        matches!(self.stat(look, 41), Some(1 | 2 | 6))
    }
}

/// A field of the line of numbers of a thread, counted from 1; the second is the name, which may hold anything.
pub(crate) fn stat(look: &Look, path: &str, field: usize) -> Option<i64> {
    let text = look.kernel.read(path).ok()?;
    let (_, behind_name) = text.rsplit_once(')')?;
    behind_name.split_whitespace().nth(field.checked_sub(3)?)?.parse().ok()
}
