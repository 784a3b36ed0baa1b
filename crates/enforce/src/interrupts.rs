//! Interrupts of a machine: `/proc/irq` has a folder for each, and in it one for each handler.

use crate::machine::{Kernel, gone_is_none};
use std::io;

/// The names in a folder; none if it is not there, or no folder.
fn names(kernel: &dyn Kernel, path: &str) -> io::Result<Option<Vec<String>>> {
    match kernel.list(path) {
        Err(why) if why.kind() == io::ErrorKind::NotADirectory => Ok(None),
        other => gone_is_none(other),
    }
}

/// All numbers, with the names of what is there of each.
fn all(kernel: &dyn Kernel) -> io::Result<Vec<(u32, Vec<String>)>> {
    let mut all = Vec::new();
    for name in names(kernel, "/proc/irq")?.unwrap_or_default() {
        if let Ok(number) = name.parse() {
            let names = names(kernel, &format!("/proc/irq/{number}"))?;
            all.push((number, names.unwrap_or_default()));
        }
    }
    all.sort_unstable();
    Ok(all)
}

/// The numbers of those with a handler.
pub(crate) fn handled(kernel: &dyn Kernel) -> io::Result<Vec<u32>> {
    let mut handled = Vec::new();
    for (number, files) in all(kernel)? {
        for file in files {
            if names(kernel, &format!("/proc/irq/{number}/{file}"))?.is_some() {
                handled.push(number);
                break;
            }
        }
    }
    Ok(handled)
}

/// The numbers that a description may mean: a number, the name of a handler, or that of an
/// interface, whose handlers are called after it or after its device.
pub(crate) fn named(kernel: &dyn Kernel, name: &str) -> io::Result<Vec<u32>> {
    let device = device_of(kernel, name)?;
    let is = |handler: &String| {
        let after = |whole: &str| handler == whole || handler.starts_with(&format!("{whole}-"));
        after(name) || device.as_deref().is_some_and(after)
    };
    let all = all(kernel)?.into_iter();
    let named =
        all.filter(|(number, handlers)| number.to_string() == name || handlers.iter().any(is));
    Ok(named.map(|(number, _)| number).collect())
}

/// The virtio device of an interface, such as `virtio0`: its folder has one for every interface.
fn device_of(kernel: &dyn Kernel, interface: &str) -> io::Result<Option<String>> {
    for device in names(kernel, "/sys/bus/virtio/devices")?.unwrap_or_default() {
        let interfaces = names(kernel, &format!("/sys/bus/virtio/devices/{device}/net"))?;
        if interfaces.unwrap_or_default().iter().any(|name| name == interface) {
            return Ok(Some(device));
        }
    }
    Ok(None)
}

/// The number of the interrupt that a thread of this name handles: `irq/24-eth0`.
pub fn of_thread(name: &str) -> Option<u32> {
    name.strip_prefix("irq/")?.split('-').next()?.parse().ok()
}
