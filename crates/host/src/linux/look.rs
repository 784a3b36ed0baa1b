//! A thread of the machine, by the two files of its state.
//!
//! **Assumptions.** 1. The thread does not run while it is sampled: then its received time is exact to the
//! nanosecond. 2. `schedstat` holds numbers (`CONFIG_SCHED_INFO`, which distributions set).
//!
//! **Cost.** Two system calls that allocate nothing here. The files stay those of the thread if its number is
//! given to another one.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use vorrang_enforce::Thread;
use vorrang_time::Duration;

/// Longer than the part of both files that is read.
const LONGEST: usize = 1024;

/// The place of the priority among the words behind the name in `stat`.
const PRIORITY: usize = 15;

#[derive(Debug)]
pub(super) struct Look {
    stat: File,
    schedstat: File,
}

impl Look {
    /// Opens the files of a thread.
    ///
    /// # Errors
    /// It has ended, or the kernel does not show its files.
    pub(super) fn at(thread: &Thread) -> io::Result<Self> {
        let Thread { process, thread, .. } = thread;
        let open = |file| File::open(format!("/proc/{process}/task/{thread}/{file}"));
        Ok(Self { stat: open("stat")?, schedstat: open("schedstat")? })
    }

    /// The processor time that it has received; `None`: it has ended.
    pub(super) fn received(&self) -> Option<Duration> {
        let mut bytes = [0; LONGEST];
        let text = read(&self.schedstat, &mut bytes)?;
        let ns = text.split(u8::is_ascii_whitespace).next()?;
        Some(Duration::from_ns(std::str::from_utf8(ns).ok()?.parse().ok()?))
    }

    /// Whether it is ready or running.
    pub(super) fn wants(&self) -> bool {
        let mut bytes = [0; LONGEST];
        let state = read(&self.stat, &mut bytes).and_then(|text| behind_name(text).next());
        state == Some(b"R")
    }

    /// Its priority with what it inherits, as the kernel counts: below zero it is a real-time one.
    pub(super) fn priority(&self) -> Option<i32> {
        let mut bytes = [0; LONGEST];
        let word = behind_name(read(&self.stat, &mut bytes)?).nth(PRIORITY)?;
        std::str::from_utf8(word).ok()?.parse().ok()
    }
}

fn read<'b>(file: &File, bytes: &'b mut [u8; LONGEST]) -> Option<&'b [u8]> {
    let length = file.read_at(bytes, 0).ok()?;
    Some(&bytes[..length])
}

/// The words of `stat` behind the name, which may hold anything: its state first.
fn behind_name(stat: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end = stat.iter().rposition(|&byte| byte == b')').map_or(stat.len(), |end| end + 1);
    stat[end..].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_behind_the_last_bracket() {
        let stat = b"12 (a) b) R 1 12 12 0 -1 4194304 0 0 0 0 1 2 0 0 -21 0 1 0 42";
        let words: Vec<&[u8]> = behind_name(stat).collect();
        assert_eq!((words[0], words[PRIORITY]), (&b"R"[..], &b"-21"[..]));
    }

    /// The received time of this thread grows while it computes, and it is ready.
    #[test]
    fn this_thread_is_looked_at() {
        let number = super::super::call::own_number();
        let process = i32::try_from(std::process::id()).expect("a number");
        let own = Thread { thread: number, process, start: 0, name: String::new() };
        let look = Look::at(&own).expect("it is there");
        assert!(look.wants());
        assert!(look.priority().is_some());
        let before = look.received().expect("it is there");
        let mut sum = 0_u64;
        while look.received().expect("it is there") < before + Duration::from_us(1) {
            sum = std::hint::black_box(sum + 1);
        }
    }
}
