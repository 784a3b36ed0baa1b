//! A machine on which everything is allowed and nothing happens: eight processors, no thread.

use vorrang_enforce::{Kernel, Known};

/// Which boot it is, as journals of the corpus have it.
pub const BOOT: &str = "0";

/// The machine.
pub fn machine() -> impl Kernel {
    Known(|path: &str| {
        let text = match path {
            "/proc/sys/kernel/random/boot_id" => BOOT,
            "/sys/devices/system/cpu/online" => "0-7",
            "/sys/kernel/debug/sched/features" => "NO_HRTICK_DL",
            "/proc/" => "1",
            "/proc/irq/" => "24",
            "/proc/irq/24/" => "eth0",
            "/proc/irq/24/eth0/" => "",
            _ if path.ends_with("/threaded") => "0",
            _ if path.ends_with("/runtime") => "50000000",
            _ if path.ends_with("/period") => "1000000000",
            _ => return None,
        };
        Some(format!("{text}\n"))
    })
}
