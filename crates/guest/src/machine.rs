//! The machine around the first process: file systems, modules, serial ports, its end.
//!
//! What fails here leaves no machine to go on with: it panics, the kernel with it, and the lab
//! shows the console.

use nix::kmod::{DeleteModuleFlags, ModuleInitFlags, delete_module, finit_module};
use nix::mount::{MsFlags, mount as mount_one};
use nix::sys::reboot::{RebootMode, reboot};
use nix::sys::termios::{self, SetArg};
use std::ffi::CString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use vorrang_guest::{MODULES, PLAN, Plan, Record};

/// File systems and where they are mounted.
const MOUNTS: &[(&str, &str)] = &[
    ("proc", "/proc"),
    ("sysfs", "/sys"),
    ("devtmpfs", "/dev"),
    ("tmpfs", "/run"),
    ("tmpfs", "/tmp"),
    ("tracefs", "/sys/kernel/tracing"),
    ("debugfs", "/sys/kernel/debug"),
    ("cgroup2", "/sys/fs/cgroup"),
];

/// Mounts what every step may want.
pub(crate) fn mount() {
    for (kind, path) in MOUNTS {
        fs::create_dir_all(path).unwrap_or_else(|why| panic!("{path}: {why}"));
        mount_one(Some(*kind), *path, Some(*kind), MsFlags::empty(), None::<&str>)
            .unwrap_or_else(|why| panic!("{kind} on {path}: {why}"));
    }
}

/// Loads every module that the image holds, in the order of their names, with the parameters that
/// the kernel was told for it (`e1000.copybreak=0`); what was refused.
pub(crate) fn load_modules() -> Vec<Record> {
    let Ok(entries) = fs::read_dir(MODULES) else { return Vec::new() };
    let mut files: Vec<_> =
        entries.map(|entry| entry.expect("a folder that is read").path()).collect();
    files.sort();
    let told = fs::read_to_string("/proc/cmdline").expect("proc is mounted");
    let load = |path: &PathBuf| {
        let refused = load_module(path, &parameters(&told, path)).err()?;
        let module = path.display().to_string();
        Some(Record::ModuleRefused { module, why: refused.to_string() })
    };
    files.iter().filter_map(load).collect()
}

/// What the kernel was told for the module in a file, which is called `003-name.ko`.
fn parameters(told: &str, file: &Path) -> String {
    let name = file.file_stem().and_then(|name| name.to_str()?.split_once('-'));
    let own = |word: &str| Some(word.strip_prefix(name?.1)?.strip_prefix('.')?.to_owned());
    told.split_whitespace().filter_map(own).collect::<Vec<_>>().join(" ")
}

/// Loads a module with its parameters.
pub(crate) fn load_module(path: &Path, parameters: &str) -> io::Result<()> {
    let parameters = CString::new(parameters)?;
    Ok(finit_module(&File::open(path)?, &parameters, ModuleInitFlags::empty())?)
}

/// Unloads a module.
pub(crate) fn unload_module(name: &str) -> io::Result<()> {
    Ok(delete_module(&CString::new(name)?, DeleteModuleFlags::O_NONBLOCK)?)
}

/// The serial ports that the lab listens to.
pub(crate) struct Ports {
    records: File,
    /// Takes the text of the kernel's trace.
    pub(crate) trace: File,
}

impl Ports {
    /// Writes a line.
    pub(crate) fn tell(&mut self, record: &Record) {
        let mut line = serde_json::to_string(record).expect("records have no maps");
        line.push('\n');
        self.records.write_all(line.as_bytes()).expect("the lab listens");
    }
}

/// Opens the ports, which pass bytes on as they are.
pub(crate) fn ports() -> Ports {
    let open = |path: &str| {
        let port = File::options().read(true).write(true).open(path);
        let port = port.unwrap_or_else(|why| panic!("{path}: {why}"));
        let mut settings = termios::tcgetattr(&port).expect("a serial port");
        termios::cfmakeraw(&mut settings);
        termios::tcsetattr(&port, SetArg::TCSANOW, &settings).expect("a serial port");
        port
    };
    Ports { records: open("/dev/ttyS1"), trace: open("/dev/ttyS2") }
}

/// What the lab hears first.
pub(crate) fn started() -> Record {
    let read = |path: &str| fs::read_to_string(path).expect("proc is mounted").trim().to_owned();
    Record::Started {
        kernel: read("/proc/sys/kernel/osrelease"),
        version: read("/proc/sys/kernel/version"),
        cpus: std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// The plan in the image.
pub(crate) fn plan() -> Plan {
    let text = fs::read_to_string(PLAN).unwrap_or_else(|why| panic!("{PLAN}: {why}"));
    serde_json::from_str(&text).unwrap_or_else(|why| panic!("{PLAN}: {why}"))
}

/// Turns the machine off when the lab has everything: the kernel sends in the background.
pub(crate) fn turn_off(ports: &Ports) -> ! {
    for port in [&ports.records, &ports.trace] {
        termios::tcdrain(port).expect("a serial port");
    }
    nix::unistd::sync();
    match reboot(RebootMode::RB_POWER_OFF) {
        Ok(never) => match never {},
        Err(why) => panic!("the machine stays on: {why}"),
    }
}
