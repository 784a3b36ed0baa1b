//! The kernel's tracing, through its files.
//!
//! **Model.** Everything happens in an *instance* of this process: buffers, events and tracer of its
//! own, so that no other tracing is affected; removing its folder ends it. The global parameters of the
//! `timerlat` tracer are restored.
//!
//! **Assumptions.** 1. A folder of an instance holds files that go with it: the kernel removes it
//! although it is not empty. 2. An instance of a process that has ended is unused.

use super::Unable;
use super::restore::Restore;
use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// Where tracing is mounted.
#[derive(Clone, Debug)]
pub struct Tracefs {
    root: PathBuf,
}

/// The prefix of the instances of this program, before the number of the process.
const PREFIX: &str = "vorrang-";

impl Tracefs {
    /// Where the system has it.
    ///
    /// # Errors
    /// It is not mounted, or not for this user.
    pub fn find() -> Result<Self, Unable> {
        let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
        let mounted = mounts.lines().find_map(|line| {
            let mut words = line.split(' ');
            let (place, kind) = (words.nth(1)?, words.next()?);
            (kind == "tracefs").then(|| PathBuf::from(place))
        });
        let root = mounted.ok_or_else(|| {
            Unable(
                "tracefs is not mounted (`mount -t tracefs none /sys/kernel/tracing`, as root)"
                    .to_owned(),
            )
        })?;
        fs::read_dir(&root)
            .map_err(|why| Unable(format!("tracefs at {}: {why}", root.display())))?;
        Ok(Self { root })
    }

    /// Whether the kernel has this tracer.
    pub fn has_tracer(&self, name: &str) -> bool {
        let tracers = fs::read_to_string(self.root.join("available_tracers")).unwrap_or_default();
        tracers.split_whitespace().any(|known| known == name)
    }

    /// Whether the kernel has this event or system (`sched/sched_switch`).
    pub fn has_event(&self, name: &str) -> bool {
        self.root.join("events").join(name).exists()
    }

    /// Changes a parameter until the result is dropped.
    ///
    /// # Errors
    /// There is no such parameter, or the kernel refuses the value.
    pub fn set(&self, parameter: &str, value: &str) -> Result<Restore, Unable> {
        let path = self.root.join(parameter);
        let before = read(&path).map_err(|why| refused(&path, &why))?;
        // Restored even if the value is refused halfway.
        let own = path.clone();
        let restore = Restore::with(move || {
            let _ = fs::write(own, ended(before.trim_end()));
        });
        fs::write(&path, ended(value)).map_err(|why| refused(&path, &why))?;
        Ok(restore)
    }

    /// An instance for this process.
    ///
    /// # Errors
    /// The kernel refuses it.
    pub fn instance(&self) -> Result<Instance, Unable> {
        let all = self.root.join("instances");
        remove_forsaken(&all);
        let folder = all.join(format!("{PREFIX}{}", std::process::id()));
        match fs::create_dir(&folder) {
            Err(why) if why.kind() != ErrorKind::AlreadyExists => {
                return Err(refused(&folder, &why));
            }
            _ => {}
        }
        let own = folder.clone();
        let restore = Restore::with(move || remove(&own));
        Ok(Instance { folder, _restore: restore })
    }
}

/// A place to trace in.
#[derive(Debug)]
pub struct Instance {
    folder: PathBuf,
    _restore: Restore,
}

impl Instance {
    /// Writes into one of its files.
    ///
    /// # Errors
    /// There is no such file, or the kernel refuses the value.
    pub fn write(&self, file: &str, value: &str) -> Result<(), Unable> {
        let path = self.path(file);
        fs::write(&path, value).map_err(|why| refused(&path, &why))
    }

    /// Traces these events too, as far as this kernel has them; those that it has.
    pub fn enable<'a>(&self, events: &[&'a str]) -> Vec<&'a str> {
        let enable = |event: &&&str| self.write(&format!("events/{event}/enable"), "1").is_ok();
        events.iter().filter(enable).copied().collect()
    }

    /// One of its files.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// The trace.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn trace(&self) -> Result<String, Unable> {
        let path = self.path("trace");
        let bytes = fs::read(&path).map_err(|why| refused(&path, &why))?;
        // Programs choose the names of their threads freely.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Ends the instances of processes that are gone.
fn remove_forsaken(instances: &Path) {
    let Ok(folders) = fs::read_dir(instances) else { return };
    for folder in folders.flatten() {
        let name = folder.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        if process.is_some_and(|process| !Path::new("/proc").join(process).exists()) {
            remove(&folder.path());
        }
    }
}

fn remove(folder: &Path) {
    let _ = fs::write(folder.join("tracing_on"), "0");
    let _ = fs::write(folder.join("events/enable"), "0");
    let _ = fs::write(folder.join("current_tracer"), "nop");
    let _ = fs::remove_dir(folder);
}

/// A parameter with its end: the kernel reads a list of processors up to a zero, also beyond the written
/// text, and refuses other characters.
fn ended(value: &str) -> String {
    format!("{value}\0")
}

/// The text of a parameter, read at once: the kernel refuses to read a list of processors into less
/// than all of it needs.
fn read(path: &Path) -> std::io::Result<String> {
    let mut bytes = vec![0; 4096];
    let length = fs::File::open(path)?.read(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes[..length]).into_owned())
}

fn refused(path: &Path, why: &std::io::Error) -> Unable {
    Unable(format!("{}: {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files as tracefs has them, in a folder of this test.
    fn made(name: &str) -> Tracefs {
        let root = std::env::temp_dir().join(format!("tracefs-{}-{name}", std::process::id()));
        fs::create_dir_all(root.join("instances")).unwrap();
        fs::create_dir_all(root.join("osnoise")).unwrap();
        fs::write(root.join("available_tracers"), "timerlat osnoise nop\n").unwrap();
        fs::write(root.join("osnoise/timerlat_period_us"), "1000\n").unwrap();
        Tracefs { root }
    }

    #[test]
    fn parameters_are_put_back() {
        let tracefs = made("parameters");
        let period = tracefs.root.join("osnoise/timerlat_period_us");
        let changed = tracefs.set("osnoise/timerlat_period_us", "500").unwrap();
        assert_eq!(fs::read_to_string(&period).unwrap(), "500\0");
        drop(changed);
        assert_eq!(fs::read_to_string(&period).unwrap(), "1000\0");
        assert!(tracefs.set("osnoise/nothing", "1").is_err_and(|said| said.0.contains("nothing")));
        assert!(tracefs.has_tracer("timerlat") && !tracefs.has_tracer("timer"));
        fs::remove_dir_all(&tracefs.root).unwrap();
    }

    #[test]
    fn an_instance_ends_with_its_value() {
        let tracefs = made("instance");
        let forsaken = tracefs.root.join("instances").join(format!("{PREFIX}{}", u32::MAX));
        fs::create_dir(&forsaken).unwrap();
        let instance = tracefs.instance().unwrap();
        let folder = instance.folder.clone();
        // In a folder that is not the kernel's the files that end it stay, and say so.
        instance.write("current_tracer", "timerlat").unwrap();
        assert!(instance.write("events/sched/enable", "1").is_err());
        assert!(instance.enable(&["sched/sched_switch"]).is_empty());
        assert_eq!(fs::read_to_string(forsaken.join("tracing_on")).unwrap(), "0");
        drop(instance);
        assert_eq!(fs::read_to_string(folder.join("current_tracer")).unwrap(), "nop");
        assert_eq!(fs::read_to_string(folder.join("tracing_on")).unwrap(), "0");
        fs::remove_dir_all(&tracefs.root).unwrap();
    }
}
