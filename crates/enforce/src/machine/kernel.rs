//! The interface to a kernel.

use std::io;
use vorrang_sched::Policy;

/// The interface to a kernel. Paths are absolute. Unless a machine says otherwise, it is only read: it refuses every change.
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
    fn write(&mut self, _path: &str, _text: &str) -> io::Result<()> {
        Err(only_read())
    }
    /// Makes a folder.
    ///
    /// # Errors
    /// As the kernel says.
    fn make(&mut self, _path: &str) -> io::Result<()> {
        Err(only_read())
    }
    /// Removes a folder.
    ///
    /// # Errors
    /// As the kernel says.
    fn remove(&mut self, _path: &str) -> io::Result<()> {
        Err(only_read())
    }
    /// Loads the module of a file, which may be packed.
    ///
    /// # Errors
    /// As the kernel says.
    fn load_module(&mut self, _path: &str) -> io::Result<()> {
        Err(only_read())
    }
    /// Unloads a module.
    ///
    /// # Errors
    /// As the kernel says.
    fn unload_module(&mut self, _name: &str) -> io::Result<()> {
        Err(only_read())
    }
    /// The policy of a thread.
    ///
    /// # Errors
    /// As the kernel says.
    fn policy(&self, thread: i32) -> io::Result<Policy>;
    /// Sets it.
    ///
    /// # Errors
    /// As the kernel says.
    fn set_policy(&mut self, _thread: i32, _policy: &Policy) -> io::Result<()> {
        Err(only_read())
    }
    /// The processors that a thread may use.
    ///
    /// # Errors
    /// As the kernel says.
    fn affinity(&self, thread: i32) -> io::Result<Vec<u32>>;
    /// Sets them.
    ///
    /// # Errors
    /// As the kernel says.
    fn set_affinity(&mut self, _thread: i32, _cpus: &[u32]) -> io::Result<()> {
        Err(only_read())
    }
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

fn only_read() -> io::Error {
    io::Error::new(io::ErrorKind::ReadOnlyFilesystem, "what there is of this machine is only read")
}

/// What distributions keep of the configuration of a kernel beside it.
pub(super) fn kept_configuration(kernel: &(impl Kernel + ?Sized)) -> io::Result<String> {
    let release = kernel.read("/proc/sys/kernel/osrelease")?;
    let release = release.trim();
    let places = [format!("/boot/config-{release}"), format!("/lib/modules/{release}/config")];
    places.iter().find_map(|place| kernel.read(place).ok()).ok_or_else(|| {
        let why = format!("none of /proc/config.gz, {} and {} can be read", places[0], places[1]);
        io::Error::new(io::ErrorKind::NotFound, why)
    })
}
