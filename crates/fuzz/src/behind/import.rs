//! What is imported: by each reader of files, and at each place of a machine.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use vorrang_enforce::{Kernel, Policy};
use vorrang_import::{Form, Import, of_file, of_files, of_root};
use vorrang_model::{Format, read, read_open};

/// Where a text is put, on a machine that has the other files of [`REST`].
const PLACES: [&str; 24] = [
    "/etc/libvirt/qemu/x.xml",
    "/etc/systemd/system/x.service",
    "/etc/systemd/system/x.service.d/x.conf",
    "/proc/cmdline",
    "/proc/interrupts",
    "/etc/tuned/active_profile",
    "/etc/tuned/x/tuned.conf",
    "/proc/20/task/20/stat",
    "/proc/20/task/20/status",
    "/proc/20/task/20/comm",
    "/proc/20/cmdline",
    "/boot/config-6.12.95",
    "/run/libvirt/qemu/x.xml",
    "/sos_commands/process/ps_-elfL",
    "/sos_commands/process/pidstat_-tl",
    "/sos_commands/virsh/taskset_x",
    "/sys/kernel/debug/sched/debug",
    "/proc/20/task/20/cgroup",
    "/proc/irq/131/effective_affinity_list",
    "/proc/sys/kernel/osrelease",
    "/etc/tuned/x-variables.conf",
    "/usr/lib/modules/6.12.95/config",
    "/sys/devices/system/cpu/online",
    "/sos_commands/kernel/uname_-a",
];

const REST: [(&str, &str); 10] = [
    ("/sys/devices/system/cpu/online", "0-7\n"),
    ("/proc/sys/kernel/osrelease", "6.12.95\n"),
    ("/proc/cmdline", "isolcpus=2-3 irqaffinity=0-1\n"),
    ("/proc/interrupts", include_str!("../corpus/imports/interrupts")),
    ("/etc/libvirt/qemu/x.xml", include_str!("../corpus/imports/domain.xml")),
    ("/etc/tuned/active_profile", "x\n"),
    ("/proc/20/task/20/comm", "CPU 0/KVM\n"),
    ("/proc/20/task/20/stat", include_str!("../corpus/imports/stat")),
    ("/proc/20/task/20/status", "Cpus_allowed_list:\t2-3\n"),
    ("/proc/20/cmdline", "qemu\0-name\0plc\0"),
];

/// What a report has of the same threads instead of `/proc/20/task`.
const REPORT: (&str, &str) =
    ("/sos_commands/process/ps_-elfL", include_str!("../corpus/imports/ps"));

/// Between the files of one model.
const NEXT: char = '\u{c}';

pub(super) fn take(text: &[u8]) -> Result<bool, String> {
    let text = String::from_utf8_lossy(text);
    let _ = Form::of_text(&text);
    if text.contains(NEXT) {
        return together(&text);
    }
    let mut accepted = false;
    for form in Form::ALL {
        if let Ok(import) = of_file(form, "x", &text) {
            accepted = true;
            is_description(&import).map_err(|why| format!("{form:?}: {why}"))?;
        }
    }
    // One place for each input: its length decides which.
    let place = PLACES[text.len() % PLACES.len()];
    let mut files = BTreeMap::from(REST);
    if place.starts_with("/sos_commands") || place.starts_with("/sys/kernel") {
        files.retain(|path, _| !path.starts_with("/proc/20/task"));
        files.insert(REPORT.0, REPORT.1);
    }
    if place.starts_with("/sos_commands/kernel") {
        files.remove("/proc/sys/kernel/osrelease");
    }
    files.insert(place, &text);
    let import = of_root(&Files(files)).map_err(|why| format!("{place}: {why}"))?;
    is_description(&import).map_err(|why| format!("{place}: {why}"))?;
    Ok(accepted)
}

/// Files of one model, by their places.
fn together(text: &str) -> Result<bool, String> {
    let names: Vec<String> = (0..text.split(NEXT).count()).map(|place| place.to_string()).collect();
    let files: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(text.split(NEXT)).collect();
    let Ok(import) = of_files(&files) else { return Ok(false) };
    is_description(&import).map_err(|why| format!("{} files: {why}", files.len()))?;
    Ok(true)
}

/// What is written can be read, complete or open.
fn is_description(import: &Import) -> Result<(), String> {
    let text = &import.text;
    if read(text, Format::Toml).is_ok() {
        return Ok(());
    }
    match read_open(text, Format::Toml, |_| Err("there is none".to_owned())) {
        Ok(_) => Ok(()),
        Err(why) => Err(format!("what was written is no description: {why:?}\n{text}")),
    }
}

/// Files in memory, by their paths.
struct Files<'a>(BTreeMap<&'a str, &'a str>);

fn nothing<T>() -> io::Result<T> {
    Err(io::ErrorKind::NotFound.into())
}

impl Kernel for Files<'_> {
    fn read(&self, path: &str) -> io::Result<String> {
        self.0.get(path).map_or_else(nothing, |text| Ok((*text).to_owned()))
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        let below = self.0.keys().filter_map(|own| own.strip_prefix(path)?.strip_prefix('/'));
        let names: BTreeSet<&str> = below.filter_map(|rest| rest.split('/').next()).collect();
        if names.is_empty() {
            nothing()
        } else {
            Ok(names.into_iter().map(str::to_owned).collect())
        }
    }

    fn policy(&self, _: i32) -> io::Result<Policy> {
        nothing()
    }

    fn affinity(&self, _: i32) -> io::Result<Vec<u32>> {
        nothing()
    }
}
