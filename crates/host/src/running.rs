//! Which processes run a schedule, and what they run, on the disk, so that another one can look at it and end it.
//!
//! **Assumption.** A process is known by its number and the tick in which it began: a later one of the same number
//! is left alone.

use crate::changeover::Changeover;
use crate::linux::end_processes;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use vorrang_enforce::{Kernel, Thread, of_process};

/// A process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    number: i32,
    start: u64,
}

/// Those of a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// That of the dispatchers, and the guards'.
    pub processes: Vec<Process>,
    /// What they run.
    pub processors: Vec<Managed>,
    /// Those of a schedule that is about to take its place.
    #[serde(default)]
    pub successor: Vec<Process>,
    /// The changes in the journal before those for that one.
    #[serde(default)]
    pub changes: usize,
}

/// A processor that is run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Managed {
    /// Its number.
    pub cpu: u32,
    /// The number of the file of its accounts, among those of the dispatchers' process.
    pub memory: i32,
    /// Its servers, then the pseudo-VCPUs, in the order of declaration.
    pub members: Vec<Member>,
    /// The tasks on the core itself, a line each.
    #[serde(default)]
    pub tasks: Vec<String>,
    /// Its interrupts of guests, in the order of declaration.
    pub interrupts: Vec<String>,
    /// When another schedule can take its place.
    pub changeover: Changeover,
}

/// A server or a pseudo-VCPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// In the description.
    pub name: String,
    /// The name and the number of its thread; none for all other threads.
    pub thread: Option<(String, i32)>,
    /// Its kind, budget and period, in words.
    pub reserved: String,
    /// Budget and period, in nanoseconds, if it has them.
    pub rate: Option<(u64, u64)>,
}

impl Process {
    /// The process with this number; `None`: there is none.
    pub fn of(kernel: &dyn Kernel, number: i32) -> Option<Self> {
        let threads = of_process(kernel, number).ok()?;
        let first = threads.iter().find(|thread| thread.thread == number)?;
        Some(Self { number, start: first.start })
    }

    /// Whether it still runs.
    pub fn is_there(self, kernel: &dyn Kernel) -> bool {
        !self.threads(kernel).is_empty()
    }

    /// Its threads that have not ended. It is there as long as there is one, though its first one may have ended, and
    /// it does not exist when all have, although it may be a zombie.
    fn threads(self, kernel: &dyn Kernel) -> Vec<i32> {
        if Self::of(kernel, self.number) != Some(self) {
            return Vec::new();
        }
        let goes_on = |thread: &Thread| {
            let stat = format!("/proc/{}/task/{}/stat", thread.process, thread.thread);
            let stat = kernel.read(&stat).unwrap_or_default();
            let state = stat.rsplit_once(") ").and_then(|(_, words)| words.chars().next());
            state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
        };
        let threads = of_process(kernel, self.number).unwrap_or_default();
        threads.into_iter().filter(goes_on).map(|thread| thread.thread).collect()
    }
}

/// Where it is kept beside a journal.
pub fn beside(journal: &Path) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push(".running");
    name.into()
}

impl Running {
    /// What that file says; `None`: there is none.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(path: &Path) -> io::Result<Option<Self>> {
        match fs::read(path) {
            Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(why) => Err(why),
        }
    }

    /// The process of the dispatchers, if it still runs.
    pub fn dispatchers(&self, kernel: &dyn Kernel) -> Option<i32> {
        let first = self.processes.first()?;
        first.is_there(kernel).then_some(first.number)
    }

    /// Whether another schedule was killed before it could take its place: how many changes were there before that one's.
    pub fn cut(&self, kernel: &dyn Kernel) -> Option<usize> {
        let Self { successor, changes, .. } = self;
        let is_gone = !successor.is_empty() && !successor.iter().any(|one| one.is_there(kernel));
        is_gone.then_some(*changes)
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// As the kernel says.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let part = path.with_extension("part");
        fs::write(&part, serde_json::to_vec(self)?)?;
        fs::rename(part, path)
    }

    /// Ends the processes in that file that still run, with all their loans; returns their number. Calling it
    /// twice does no harm.
    ///
    /// # Errors
    /// It cannot be read, or a process does not end.
    pub fn end(kernel: &dyn Kernel, path: &Path) -> io::Result<usize> {
        let Some(Self { processes, successor, .. }) = Self::read(path)? else { return Ok(0) };
        let ended = end(kernel, &[processes, successor].concat())?;
        fs::remove_file(path)?;
        Ok(ended)
    }
}

/// Ends those processes that still run, with all their loans; returns their number.
///
/// # Errors
/// One does not end.
pub fn end(kernel: &dyn Kernel, processes: &[Process]) -> io::Result<usize> {
    let left: Vec<Process> = processes.iter().copied().filter(|one| one.is_there(kernel)).collect();
    let threads = || left.iter().flat_map(|process| process.threads(kernel)).collect();
    let numbers: Vec<i32> = left.iter().map(|process| process.number).collect();
    end_processes(&numbers, threads)?;
    Ok(numbers.len())
}
