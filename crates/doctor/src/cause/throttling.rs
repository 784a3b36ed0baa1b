//! Throttling of real-time threads before 6.12, and with `RT_GROUP_SCHED` after it.

use crate::finding::{Said, absent, costs};
use crate::look::Look;
use crate::subject::Subject;
use vorrang_model::target::linux::{SHARE_SETTINGS, version_of};

pub(crate) fn of_real_time(look: &Look, subject: &Subject) -> Option<Said> {
    if !subject.needs_priority {
        return None;
    }
    let release = look.text("/proc/sys/kernel/osrelease")?;
    if version_of(&release).is_some_and(|version| version.has_fair_server) {
        return Some(absent("real-time threads are not throttled; SCHED_OTHER has a server"));
    }
    let [runtime, period] = SHARE_SETTINGS.map(|path| look.number(path));
    let (runtime, period) = (runtime?, period?);
    Some(if runtime < 0 || runtime >= period {
        absent("real-time threads are not throttled")
    } else {
        costs(
            format!(
                "real-time threads of a processor stop after {runtime} us of every {period} us together"
            ),
            format!(
                "State `rt-throttling` in the description, or write -1 into {}.",
                SHARE_SETTINGS[0]
            ),
        )
    })
}
