//! A folder with the files of a machine: an image, or what a report of a machine holds.

use super::kernel::{Kernel, kept_configuration};
use super::linux::{Linux, packed_configuration};
use super::list::cpus_of;
use std::io;
use std::path::PathBuf;
use vorrang_sched::Policy;

/// A folder with the files of a machine. Nothing in it is changed.
#[derive(Clone, Debug)]
pub struct Folder(pub PathBuf);

impl Folder {
    fn path(&self, path: &str) -> String {
        format!("{}{path}", self.0.display())
    }

    /// The file of a thread, of which only the number is known.
    fn of_thread(&self, thread: i32, file: &str) -> io::Result<String> {
        let own = self.read(&format!("/proc/{thread}/{file}"));
        own.or_else(|_| self.read(&format!("/proc/{thread}/task/{thread}/{file}")))
    }
}

fn malformed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the file of the thread is not as Linux writes it")
}

impl Kernel for Folder {
    fn read(&self, path: &str) -> io::Result<String> {
        Linux.read(&self.path(path))
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        Linux.list(&self.path(path))
    }

    /// The parameters of `SCHED_DEADLINE` are in no file, and are zero here.
    fn policy(&self, thread: i32) -> io::Result<Policy> {
        let text = self.of_thread(thread, "stat")?;
        let (_, behind_name) = text.rsplit_once(')').ok_or_else(malformed)?;
        let number = |field: usize| {
            let word = behind_name.split_whitespace().nth(field - 3).ok_or_else(malformed)?;
            word.parse::<i64>().map_err(|_| malformed())
        };
        let small = |value: i64| u32::try_from(value).map_err(|_| malformed());
        let nice = i32::try_from(number(19)?).map_err(|_| malformed())?;
        Ok(Policy { nice, priority: small(number(40)?)?, ..Policy::plain(small(number(41)?)?) })
    }

    fn affinity(&self, thread: i32) -> io::Result<Vec<u32>> {
        let text = self.of_thread(thread, "status")?;
        let list = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        list.and_then(cpus_of).ok_or_else(malformed)
    }

    fn configuration(&self) -> io::Result<String> {
        packed_configuration(&self.path("/proc/config.gz")).or_else(|_| kept_configuration(self))
    }
}
