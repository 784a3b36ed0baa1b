//! Two profiles compared: numbers that differ beyond noise.

use vorrang_command::screen;
use vorrang_measure::profile::{Change, Profile, compare};
use vorrang_measure::statistics::Spread;
use vorrang_verdict::table::Column;

/// A row for every number that moved, and a sentence.
pub(super) fn page(before: &Profile, after: &Profile) -> String {
    let changes = compare(before, after);
    let moved: Vec<&Change> = changes.iter().filter(|change| change.is_beyond_noise()).collect();
    match (changes.len(), moved.len()) {
        (0, _) => "The profiles have no number in common.\n".to_owned(),
        (all, 0) => format!("None of {all} numbers moved beyond its spread.\n"),
        (all, some) => {
            let rows = rows(&moved);
            format!("{rows}\n{some} of {all} numbers moved beyond their spread.\n")
        }
    }
}

fn rows(moved: &[&Change]) -> String {
    let column = |header: &str, value: &dyn Fn(&Change) -> String| {
        Column::numbers(header, moved.iter().map(|change| value(change)))
    };
    let range = |spread: &Spread| format!("{:.0} to {:.0}", spread.low, spread.high);
    let part =
        |change: &Change| change.part().map_or("-".into(), |part| format!("{:+.0}", part * 100.0));
    screen::draw(&[
        Column::words("number", moved.iter().map(|change| change.name.clone())),
        column("before [ns]", &|change| format!("{:.0}", change.before.median)),
        column("80 % of it [ns]", &|change| range(&change.before)),
        column("after [ns]", &|change| format!("{:.0}", change.after.median)),
        column("80 % of it [ns]", &|change| range(&change.after)),
        column("change [%]", &part),
    ])
}
