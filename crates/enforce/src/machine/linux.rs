//! The kernel of this process.

use super::kernel::{Kernel, kept_configuration};
use flate2::read::GzDecoder;
use nix::kmod::{DeleteModuleFlags, ModuleInitFlags, delete_module, finit_module};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use std::ffi::CString;
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;
use vorrang_sched::Policy;

/// The kernel of this process.
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
        packed_configuration("/proc/config.gz").or_else(|_| kept_configuration(self))
    }

    fn wait(&self) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// The configuration that a kernel packs into a file of its own.
pub(super) fn packed_configuration(path: &str) -> io::Result<String> {
    /// No configuration has more bytes, whatever a file unpacks to.
    const MOST: u64 = 1 << 24;
    let mut text = String::new();
    GzDecoder::new(fs::File::open(path)?).take(MOST).read_to_string(&mut text)?;
    Ok(text)
}
