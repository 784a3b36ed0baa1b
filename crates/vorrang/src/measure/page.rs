//! The common parts of measurements: duration, end, and the last part of the page.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use vorrang_command::exit::Exit;
use vorrang_command::interruption;
use vorrang_command::progress::{Line, Waiting};
use vorrang_command::screen::wrapped;
use vorrang_measure::machine::conditions::Condition;
use vorrang_time::Duration;
use vorrang_verdict::identity::TOOL;

/// How a measurement ends: by itself, or by Ctrl-C, after which what is known is printed.
pub(super) fn exit() -> Exit {
    if interruption::is_wanted() { Exit::Interrupted } else { Exit::Success }
}

/// A duration above zero.
pub(super) fn some_time(text: &str) -> Result<Duration, String> {
    let time: Duration = text.parse().map_err(|why| format!("{why}"))?;
    if time == Duration::ZERO { Err("a measurement takes time".to_owned()) } else { Ok(time) }
}

/// The conditions of the measurement and their effect on the numbers: the end of every page.
pub(super) fn circumstances(conditions: &[Condition], remarks: &[String]) -> String {
    let mut page = "\n".to_owned();
    for remark in remarks {
        page += &wrapped(remark, "- ", "  ");
    }
    page.push('\n');
    for (name, value) in conditions {
        let _ = writeln!(page, "{name}: {value}");
    }
    let _ = writeln!(page, "{TOOL}");
    page
}

/// A line about the measurement, and the function that updates it and says whether to go on.
pub(super) fn progress(text: String) -> (Waiting, impl FnMut(f64) -> bool) {
    let place = Arc::new(AtomicU64::new(0));
    let told = Arc::clone(&place);
    let tell = move |part: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1")]
        told.store((part * 1e6) as u64, Ordering::Relaxed);
        !interruption::is_wanted()
    };
    let line = move |_| Line { done: Some(place.load(Ordering::Relaxed)), text: text.clone() };
    (Waiting::start(line), tell)
}
