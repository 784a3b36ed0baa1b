//! The clock, and where timers go.

use crate::finding::{Said, absent, costs};
use crate::look::Look;
use crate::subject::Subject;

const CLOCK: &str = "/sys/devices/system/clocksource/clocksource0";
/// Counters that a processor reads by itself.
const OWN: [&str; 4] = ["tsc", "arch_sys_counter", "riscv_clocksource", "timebase"];

pub(crate) fn source(look: &Look, _: &Subject) -> Option<Said> {
    let current = look.text(&format!("{CLOCK}/current_clocksource"))?;
    if OWN.contains(&current.as_str()) {
        return Some(absent(format!("the clock is a counter of the processor ({current})")));
    }
    let all = look.text(&format!("{CLOCK}/available_clocksource")).unwrap_or_default();
    let remedy = if all.split_whitespace().any(|name| name == "tsc") {
        format!("Write tsc into {CLOCK}/current_clocksource.")
    } else {
        "`dmesg | grep -i tsc` says why the counter was refused; boot with tsc=reliable only if that is wrong.".to_owned()
    };
    let says = if ["hpet", "acpi_pm"].contains(&current.as_str()) {
        format!("the clock is {current}, a device: every look at it takes a microsecond or more")
    } else {
        format!("the clock is {current}, and not the counter of the processor (tsc)")
    };
    Some(costs(says, remedy))
}

pub(crate) fn migration(look: &Look, _: &Subject) -> Option<Said> {
    let value = look.text("/proc/sys/kernel/timer_migration");
    Some(match value.as_deref() {
        None => absent("the kernel does not migrate timers"),
        Some("0") => absent("timers stay where they are set"),
        Some(_) => costs(
            "timers that are set on an idle processor go to a busy one, where they are handled by its interrupt",
            "Write 0 into /proc/sys/kernel/timer_migration.",
        ),
    })
}
