//! The windows of a table.

use super::presence::KeyOf;
use crate::description::{Field, Server};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::system::{ServerKind, Window};
use vorrang_time::Duration;

/// A table needs its windows, which say its budget.
pub(super) fn check_windows_key<'a>(
    key: &impl Fn(&'static str) -> KeyOf<'a>,
    kind: Option<ServerKind>,
    server: &Server,
    errors: &mut Errors,
) {
    if kind == Some(ServerKind::Table) {
        let help = "Its intervals in each period. Write `windows = { \"0s\" = \"2ms\", \"5ms\" = \"1ms\" }`";
        key("windows").needed(&server.windows, help, errors);
        if !says_it(&server.windows, &server.budget) {
            key("budget").pointless(&server.budget, "`windows` says it", errors);
        }
    } else if kind.is_some() {
        key("windows").pointless(&server.windows, "of a \"table\" only", errors);
    }
}

/// Whether the budget is that of the windows.
fn says_it(windows: &Field<Vec<Window>>, budget: &Field<Duration>) -> bool {
    matches!((windows, budget), (Field::Is(windows), Field::Is(budget)) if windows.span == budget.span)
}

/// Each window lies in the period.
pub(super) fn check_windows(name: &str, server: &Server, errors: &mut Errors) {
    let (Some(windows), Some(period)) = (server.windows.get(), server.period.get()) else { return };
    let ends = |window: &Window| window.offset + window.length;
    if let Some(wrong) = windows.value.iter().find(|window| ends(window) > period.value) {
        let message = format!("a window of {name} leaves its period");
        errors.push(
            Diagnostic::new(Code::SlotLeavesPeriod, windows.span.clone(), message)
                .label(format!("from {} to {}", wrong.offset, ends(wrong)))
                .also(period.span.clone(), format!("the period ends at {}", period.value)),
        );
    }
}
