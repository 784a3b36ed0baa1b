//! Idle states and frequencies of processors.
//!
//! **Model.** Leaving an idle state takes up to its stated latency, before an interrupt is handled at all. A governor
//! other than `performance` changes how long execution takes.

use crate::finding::{Said, absent, costs, unknown};
use crate::look::Look;
use crate::subject::Subject;
use vorrang_enforce::cpu_list;

const CPU: &str = "/sys/devices/system/cpu";
/// The latency that is not worth a remark, in microseconds: that of C1, 1 to 3, and not that of C1E, 10.
const SMALL: i64 = 4;

pub(crate) fn states(look: &Look, subject: &Subject) -> Option<Said> {
    let mut deepest: Option<(i64, u32, String)> = None;
    let mut has_any = false;
    for cpu in subject.among(look.online()) {
        let folder = format!("{CPU}/cpu{cpu}/cpuidle");
        for state in look.kernel.list(&folder).unwrap_or_default() {
            let value = |file: &str| look.quietly(&format!("{folder}/{state}/{file}"));
            let Some(latency) = value("latency").and_then(|text| text.parse().ok()) else {
                continue;
            };
            has_any = true;
            if value("disable").as_deref() != Some("1")
                && deepest.as_ref().is_none_or(|(old, ..)| latency > *old)
            {
                deepest = Some((latency, cpu, state));
            }
        }
    }
    Some(match deepest {
        Some((latency, cpu, state)) if latency > SMALL => {
            let folder = format!("{CPU}/cpu{cpu}/cpuidle/{state}");
            let name = look.text(&format!("{folder}/name")).unwrap_or(state);
            look.keep(&format!("{folder}/latency"), &latency.to_string());
            costs(
                format!(
                    "processor {cpu} may sleep in {name}, from which it wakes {latency} us late"
                ),
                "Disable deep states (cpupower idle-set -D 2), hold /dev/cpu_dma_latency open with 0, or boot with \
                 intel_idle.max_cstate=1 processor.max_cstate=1.",
            )
        }
        Some(_) => absent("no processor sleeps deeply"),
        None if has_any => absent("every idle state with a latency is disabled"),
        None => unknown(
            "the kernel has no idle states to choose (no cpuidle): firmware or a hypervisor may have some",
            "In a virtual machine, look at its host.",
        ),
    })
}

pub(crate) fn frequency(look: &Look, subject: &Subject) -> Option<Said> {
    let cpus = subject.among(look.online());
    let path = |cpu: u32| format!("{CPU}/cpu{cpu}/cpufreq/scaling_governor");
    let governors: Vec<(u32, String)> =
        cpus.iter().filter_map(|&cpu| Some((cpu, look.quietly(&path(cpu))?))).collect();
    if governors.is_empty() {
        return Some(unknown(
            "the kernel does not choose frequencies (no cpufreq): firmware or a hypervisor may",
            "Fix the frequency in the firmware; in a virtual machine, look at its host.",
        ));
    }
    let changing: Vec<u32> = governors
        .iter()
        .filter(|(_, governor)| governor != "performance")
        .map(|(cpu, _)| *cpu)
        .collect();
    let (shown, governor) =
        governors.iter().find(|(cpu, _)| changing.contains(cpu)).unwrap_or(&governors[0]);
    look.keep(&path(*shown), governor);
    Some(if changing.is_empty() {
        absent("the frequency is the highest (governor performance)")
    } else {
        costs(
            format!(
                "the governor of processors {} is {governor}: execution takes longer while the frequency is low",
                cpu_list(&changing)
            ),
            "cpupower frequency-set -g performance, and measure execution times so.",
        )
    })
}
