//! The part of `vorrang status` about processors with shielded timers.

use vorrang_command::screen::draw;
use vorrang_enforce::Shielded;
use vorrang_time::Duration;
use vorrang_verdict::table::Column;

/// A table of the timers that were held back, with problems as sentences; and whether there is none.
/// Empty if nothing is shielded.
pub(crate) fn said(all: &[Shielded]) -> (String, bool) {
    if all.is_empty() {
        return (String::new(), true);
    }
    let number = |of: fn(&Shielded) -> u64| all.iter().map(move |one| of(one).to_string());
    let table = draw(&[
        Column::numbers("processor", all.iter().map(|one| one.cpu.to_string())),
        Column::numbers("held back", number(|one| one.held_back)),
        Column::numbers(
            "for at most",
            all.iter().map(|one| Duration::from_ns(one.longest).to_string()),
        ),
        Column::numbers("by max-defer", number(|one| one.overdue)),
        Column::words("", all.iter().map(|one| wrong(one).to_owned())),
    ]);
    let text = format!("\nTimers of less urgent threads since the shield was loaded:\n\n{table}");
    (text, all.iter().all(|one| wrong(one).is_empty()))
}

fn wrong(one: &Shielded) -> &'static str {
    if !one.is_on {
        return "is no longer shielded: the setting was changed";
    }
    if one.overdue > 0 && !one.is_limited {
        return "timers fired beside something more urgent: max_defer was set";
    }
    if one.no_room > 0 {
        return "timers of some threads were not held: load the module with more `threads`";
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shield_that_is_gone_or_full_is_not_well() {
        let well = Shielded { cpu: 1, is_on: true, held_back: 3, ..Shielded::default() };
        assert!(said(&[]).1 && said(std::slice::from_ref(&well)).1);
        let wrongs = [
            Shielded { is_on: false, ..well.clone() },
            Shielded { overdue: 1, ..well.clone() },
            Shielded { no_room: 1, ..well.clone() },
        ];
        let limited = Shielded { overdue: 1, is_limited: true, ..well.clone() };
        assert!(said(&[limited]).1);
        for wrong in wrongs {
            assert!(!said(&[well.clone(), wrong]).1);
        }
    }
}
