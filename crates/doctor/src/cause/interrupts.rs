//! Who moves interrupts.

use crate::finding::{Said, absent, costs};
use crate::look::Look;
use crate::subject::Subject;

pub(crate) fn irqbalance(look: &Look, _: &Subject) -> Option<Said> {
    if let Some(none) = look.without_threads() {
        return Some(none);
    }
    let running = look.threads(|name| name == "irqbalance");
    Some(match running.first() {
        None => absent("irqbalance does not run"),
        Some(thread) => {
            look.keep(&format!("{}/comm", thread.folder), &thread.name);
            costs(
                "irqbalance runs: it moves interrupts onto any processor, also those that were placed",
                "systemctl disable --now irqbalance, or name the processors in IRQBALANCE_BANNED_CPULIST.",
            )
        }
    })
}
