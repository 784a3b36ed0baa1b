//! The conditions of a measurement, as the system reports them.
//!
//! **Assumptions.** 1. Unknown values are reported as unknown, never guessed. 2. A condition that affects a
//! number is a remark with its effect.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// A condition and its value.
pub type Condition = (&'static str, String);

/// The known conditions of the machine, and of this processor.
pub fn of(cpu: usize) -> Vec<Condition> {
    vec![
        ("date", date(seconds_since_1970())),
        ("cpu", cpu_name()),
        ("kernel", text("/proc/sys/kernel/osrelease")),
        ("virtual-machine", yes_or_no(has_flag("hypervisor"))),
        ("on-cpu", cpu.to_string()),
        ("governor", text(&format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor"))),
        ("isolated-cpus", listed("/sys/devices/system/cpu/isolated")),
        ("nohz-full-cpus", listed("/sys/devices/system/cpu/nohz_full")),
        ("steady-counter", yes_or_no(has_flag("constant_tsc") && has_flag("nonstop_tsc"))),
    ]
}

/// The treatment of interruptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupted {
    /// Interrupted runs are found and omitted.
    LeftOut,
    /// Interruptions are the measurement.
    Counts,
}

/// The effects of these conditions on measurements, a sentence each.
pub fn remarks(
    conditions: &[Condition],
    stolen: Option<f64>,
    interrupted: Interrupted,
) -> Vec<String> {
    let is = |name: &str, value: &str| conditions.iter().any(|(n, v)| *n == name && v == value);
    let mut remarks = Vec::new();
    if is("virtual-machine", "yes") {
        let stolen = stolen.map_or("how much is not known".to_owned(), |part| {
            format!("{:.2} % was stolen meanwhile", part * 100.0)
        });
        remarks.push(format!(
            "This is a virtual machine: others share its last cache and take its time ({stolen}), so what is measured is larger, and spreads more, than on the bare \
             processor."
        ));
    }
    if is("governor", UNKNOWN) {
        remarks.push(
            "Who decides the frequency is not known: if it changes, times taken at one frequency \
             are compared with such at another."
                .to_owned(),
        );
    } else if !is("governor", "performance") {
        remarks.push(
            "The governor may change the frequency while this measures; `performance` does not."
                .to_owned(),
        );
    }
    if is("isolated-cpus", NONE) {
        let then = match interrupted {
            Interrupted::LeftOut => {
                "interrupted runs are found and omitted, shorter interruptions count."
            }
            Interrupted::Counts => "other programs and devices are measured as well.",
        };
        remarks.push(format!("No CPU is isolated: {then}"));
    }
    if is("steady-counter", "no") {
        remarks.push(
            "The processor does not promise a counter of one rate: times may be off by the ratio \
             of its frequencies."
                .to_owned(),
        );
    }
    remarks
}

const UNKNOWN: &str = "unknown";
const NONE: &str = "none";

/// The bytes of the largest cache of this processor, if the system says.
pub fn last_cache_bytes(cpu: usize) -> Option<usize> {
    let sizes = (0..8).filter_map(|index| {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/cache/index{index}/size");
        bytes(fs::read_to_string(path).ok()?.trim())
    });
    sizes.max()
}

/// `1024K`, `32M`.
fn bytes(text: &str) -> Option<usize> {
    let digits = text.trim_end_matches(['K', 'M', 'G']);
    let unit = match &text[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<usize>().ok()?.checked_mul(unit)
}

/// The time that a hypervisor takes from a processor during a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Steal {
    cpu: usize,
    before: Option<(u64, u64)>,
}

impl Steal {
    /// From now on.
    pub fn watch(cpu: usize) -> Self {
        Self { cpu, before: stolen_and_all(cpu) }
    }

    /// The part of the time since then; `None` if the system does not say.
    pub fn part(&self) -> Option<f64> {
        let (from, to) = self.before.zip(stolen_and_all(self.cpu))?;
        Some((to.0 - from.0) as f64 / (to.1 - from.1).max(1) as f64)
    }
}

/// Time of this processor so far in ticks of the system: what a hypervisor gave to others, and all.
fn stolen_and_all(cpu: usize) -> Option<(u64, u64)> {
    let all = fs::read_to_string("/proc/stat").ok()?;
    let line = all.lines().find_map(|line| line.strip_prefix(&format!("cpu{cpu} ")))?;
    let ticks: Vec<u64> = line.split_whitespace().filter_map(|text| text.parse().ok()).collect();
    // user nice system idle iowait irq softirq steal; guests are part of user.
    Some((*ticks.get(7)?, ticks.iter().take(8).sum()))
}

fn text(path: &str) -> String {
    fs::read_to_string(path).map_or(UNKNOWN.to_owned(), |text| text.trim().to_owned())
}

fn listed(path: &str) -> String {
    match fs::read_to_string(path) {
        Ok(text) if !text.trim().is_empty() && text.trim() != "(null)" => text.trim().to_owned(),
        // The file is there only where the kernel can do it.
        _ => NONE.to_owned(),
    }
}

fn yes_or_no(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}

/// The value of the first line of `/proc/cpuinfo` with this key.
fn of_cpuinfo(key: &str) -> Option<String> {
    let all = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = all.lines().find(|line| line.starts_with(key))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn cpu_name() -> String {
    of_cpuinfo("model name").unwrap_or(UNKNOWN.to_owned())
}

fn has_flag(flag: &str) -> bool {
    of_cpuinfo("flags").is_some_and(|flags| flags.split(' ').any(|known| known == flag))
}

fn seconds_since_1970() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// `2026-11-21 06:10 UTC`, by the proleptic Gregorian calendar.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March, counted from the year 0 in eras of 400: leap days come last.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02} UTC", rest / 3600, rest / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_782_399), "2000-02-28 23:59 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(date(951_868_800), "2000-03-01 00:00 UTC");
        assert_eq!(date(4_107_542_400), "2100-03-01 00:00 UTC");
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes("1024K"), Some(1 << 20));
        assert_eq!(bytes("32M"), Some(32 << 20));
        assert_eq!(bytes("K"), None);
        assert_eq!(bytes("3X"), None);
    }

    #[test]
    fn what_spoils_a_number_is_said() {
        let at = |governor: &str, isolated: &str, virtual_machine: &str| {
            let conditions = [
                ("governor", governor.to_owned()),
                ("isolated-cpus", isolated.to_owned()),
                ("virtual-machine", virtual_machine.to_owned()),
            ];
            remarks(&conditions, Some(0.015), Interrupted::LeftOut).len()
        };
        assert_eq!(at("performance", "3", "no"), 0);
        assert_eq!(at("powersave", "3", "no"), 1);
        assert_eq!(at("unknown", "none", "yes"), 3);
    }
}
