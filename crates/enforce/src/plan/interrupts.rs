//! Interrupts of a machine: `/proc/irq` has a folder for each, and in it one for each handler.

use crate::machine::Kernel;

/// All numbers.
pub(super) fn all(kernel: &dyn Kernel) -> Vec<u32> {
    let names = kernel.list("/proc/irq").unwrap_or_default();
    let mut numbers: Vec<u32> = names.iter().filter_map(|name| name.parse().ok()).collect();
    numbers.sort_unstable();
    numbers
}

/// The numbers of those that somebody handles.
pub(super) fn handled(kernel: &dyn Kernel) -> Vec<u32> {
    let has_handler = |number: &u32| {
        let names = kernel.list(&format!("/proc/irq/{number}")).unwrap_or_default();
        names.iter().any(|name| kernel.list(&format!("/proc/irq/{number}/{name}")).is_ok())
    };
    all(kernel).into_iter().filter(has_handler).collect()
}

/// The numbers that a description may mean: a number, the name of a handler, or that of an
/// interface, whose handlers are called after it or after its device.
pub(crate) fn named(kernel: &dyn Kernel, name: &str) -> Vec<u32> {
    let device = device_of(kernel, name);
    let is = |handler: &String| {
        let after = |whole: &str| handler == whole || handler.starts_with(&format!("{whole}-"));
        after(name) || device.as_deref().is_some_and(after)
    };
    let handles = |number: &u32| {
        number.to_string() == name
            || kernel.list(&format!("/proc/irq/{number}")).unwrap_or_default().iter().any(is)
    };
    all(kernel).into_iter().filter(handles).collect()
}

/// Why no interrupt can be called that: handlers are folders.
pub(crate) fn fault(name: &str) -> Option<&'static str> {
    let is_folder = !matches!(name, "" | "." | "..") && !name.contains('/');
    (!is_folder || name.contains(char::is_control))
        .then_some("an interrupt has no `/` and no control characters, and is not `.` or `..`")
}

/// The virtio device of an interface, such as `virtio0`: its folder has one for every interface.
fn device_of(kernel: &dyn Kernel, interface: &str) -> Option<String> {
    let devices = kernel.list("/sys/bus/virtio/devices").ok()?;
    devices.into_iter().find(|device| {
        let interfaces = kernel.list(&format!("/sys/bus/virtio/devices/{device}/net"));
        interfaces.is_ok_and(|names| names.iter().any(|name| name == interface))
    })
}

/// The number of the interrupt that a thread of this name handles: `irq/24-eth0`.
pub(crate) fn of_thread(name: &str) -> Option<u32> {
    name.strip_prefix("irq/")?.split('-').next()?.parse().ok()
}
