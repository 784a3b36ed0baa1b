//! What is asked of a kernel, and the kernel below this process.

mod list;
mod thread;

pub(crate) use list::cpu_mask;
pub use list::{cpu_list, cpus_of};
pub use thread::Thread;
pub(crate) use thread::{
    LOOKS, all as all_threads, await_affinity, has_ended, last_processor, may_not_be_moved,
    start_of,
};
pub use thread::{group_of, of_process};
pub use vorrang_sched::Policy;

use flate2::read::GzDecoder;
use nix::kmod::{DeleteModuleFlags, ModuleInitFlags, delete_module, finit_module};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use std::ffi::CString;
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

/// What is asked of a kernel. Paths are absolute.
pub trait Kernel {
    /// The text of a file.
    ///
    /// # Errors
    /// As the kernel says.
    fn read(&self, path: &str) -> io::Result<String>;
    /// The names in a folder, sorted.
    ///
    /// # Errors
    /// As the kernel says.
    fn list(&self, path: &str) -> io::Result<Vec<String>>;
    /// Writes a text into a file that is there.
    ///
    /// # Errors
    /// As the kernel says.
    fn write(&mut self, path: &str, text: &str) -> io::Result<()>;
    /// Makes a folder.
    ///
    /// # Errors
    /// As the kernel says.
    fn make(&mut self, path: &str) -> io::Result<()>;
    /// Removes a folder.
    ///
    /// # Errors
    /// As the kernel says.
    fn remove(&mut self, path: &str) -> io::Result<()>;
    /// Loads the module of a file, which may be packed.
    ///
    /// # Errors
    /// As the kernel says.
    fn load_module(&mut self, path: &str) -> io::Result<()>;
    /// Unloads a module.
    ///
    /// # Errors
    /// As the kernel says.
    fn unload_module(&mut self, name: &str) -> io::Result<()>;
    /// The policy of a thread.
    ///
    /// # Errors
    /// As the kernel says.
    fn policy(&self, thread: i32) -> io::Result<Policy>;
    /// Sets it.
    ///
    /// # Errors
    /// As the kernel says.
    fn set_policy(&mut self, thread: i32, policy: &Policy) -> io::Result<()>;
    /// The processors that a thread may use.
    ///
    /// # Errors
    /// As the kernel says.
    fn affinity(&self, thread: i32) -> io::Result<Vec<u32>>;
    /// Sets them.
    ///
    /// # Errors
    /// As the kernel says.
    fn set_affinity(&mut self, thread: i32, cpus: &[u32]) -> io::Result<()>;
    /// The configuration with which the kernel was built, as text.
    ///
    /// # Errors
    /// It is in none of the places where distributions keep it.
    fn configuration(&self) -> io::Result<String> {
        kept_configuration(self)
    }
    /// Waits a little for the kernel to do something in the background.
    fn wait(&self) {}
}

/// What distributions keep of the configuration of a kernel beside it.
fn kept_configuration(kernel: &(impl Kernel + ?Sized)) -> io::Result<String> {
    let release = kernel.read("/proc/sys/kernel/osrelease")?;
    let release = release.trim();
    let places = [format!("/boot/config-{release}"), format!("/lib/modules/{release}/config")];
    places.iter().find_map(|place| kernel.read(place).ok()).ok_or_else(|| {
        let why = format!("none of /proc/config.gz, {} and {} can be read", places[0], places[1]);
        io::Error::new(io::ErrorKind::NotFound, why)
    })
}

/// A kernel of which nothing but some files can be read, for tests.
#[cfg(test)]
pub(crate) struct Readable<F>(pub F);

#[cfg(test)]
impl<F: Fn(&str) -> Option<String>> Kernel for Readable<F> {
    fn read(&self, path: &str) -> io::Result<String> {
        (self.0)(path).ok_or(io::ErrorKind::NotFound.into())
    }

    fn list(&self, _: &str) -> io::Result<Vec<String>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn write(&mut self, _: &str, _: &str) -> io::Result<()> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn make(&mut self, _: &str) -> io::Result<()> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn remove(&mut self, _: &str) -> io::Result<()> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn load_module(&mut self, _: &str) -> io::Result<()> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn unload_module(&mut self, _: &str) -> io::Result<()> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn policy(&self, _: i32) -> io::Result<Policy> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn set_policy(&mut self, _: i32, _: &Policy) -> io::Result<()> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn affinity(&self, _: i32) -> io::Result<Vec<u32>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn set_affinity(&mut self, _: i32, _: &[u32]) -> io::Result<()> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// The kernel below this process.
#[derive(Debug, Default)]
pub struct Linux;

impl Kernel for Linux {
    fn read(&self, path: &str) -> io::Result<String> {
        fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(path)?;
        let mut names = entries
            .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
            .collect::<io::Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    }

    fn write(&mut self, path: &str, text: &str) -> io::Result<()> {
        use std::io::Write as _;
        // One call, and no file of ours where there is none of the kernel.
        fs::File::options().write(true).open(path)?.write_all(text.as_bytes())
    }

    fn make(&mut self, path: &str) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn remove(&mut self, path: &str) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn load_module(&mut self, path: &str) -> io::Result<()> {
        /// `MODULE_INIT_COMPRESSED_FILE`: the kernel unpacks it.
        const PACKED: u32 = 4;
        let is_packed = Path::new(path).extension().is_none_or(|kind| kind != "ko");
        let flags = if is_packed { PACKED } else { 0 };
        let flags = ModuleInitFlags::from_bits_retain(flags);
        Ok(finit_module(fs::File::open(path)?, c"", flags)?)
    }

    fn unload_module(&mut self, name: &str) -> io::Result<()> {
        let name = CString::new(name)?;
        Ok(delete_module(&name, DeleteModuleFlags::O_NONBLOCK)?)
    }

    fn policy(&self, thread: i32) -> io::Result<Policy> {
        vorrang_sched::get(thread)
    }

    fn set_policy(&mut self, thread: i32, policy: &Policy) -> io::Result<()> {
        vorrang_sched::set(thread, *policy)
    }

    fn affinity(&self, thread: i32) -> io::Result<Vec<u32>> {
        let set = sched_getaffinity(Pid::from_raw(thread))?;
        let cpus = 0..u32::try_from(CpuSet::count()).unwrap_or(u32::MAX);
        Ok(cpus.filter(|&cpu| set.is_set(cpu as usize).unwrap_or(false)).collect())
    }

    fn set_affinity(&mut self, thread: i32, cpus: &[u32]) -> io::Result<()> {
        let mut set = CpuSet::new();
        for &cpu in cpus {
            set.set(cpu as usize)?;
        }
        Ok(sched_setaffinity(Pid::from_raw(thread), &set)?)
    }

    fn configuration(&self) -> io::Result<String> {
        let mut text = String::new();
        let own = fs::File::open("/proc/config.gz");
        match own.and_then(|file| GzDecoder::new(file).read_to_string(&mut text)) {
            Ok(_) => Ok(text),
            Err(_) => kept_configuration(self),
        }
    }

    fn wait(&self) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}
