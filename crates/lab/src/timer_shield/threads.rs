//! What happens to threads whose timers the shield holds: each case a scene on the second of two processors.

use super::case::{CPU, Case, Expected, cases};
use super::module::{HELD, US, counter, read};
use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Row;
use vorrang_guest::{Record, Step, Urgent};

/// What a wake-up with its switches and interrupts takes at most, on one of two processors that take turns.
const TOLERANCE: u64 = 500 * US;
/// And each thread of a case that ends meanwhile.
const EACH: u64 = 50 * US;
/// How often the machine was suspended.
const SUSPENDED: &str = "/sys/power/suspend_stats/success";

/// All cases, one after the other.
pub(crate) fn steps() -> Vec<Step> {
    let none = |part: &str| panic!("a case has no steps {part}");
    let of_case = |case: &Case| {
        let rows = |rows: &[Row]| rows.iter().flat_map(|row| row.steps(&none)).collect::<Vec<_>>();
        let played = vec![read(HELD), Step::Play { scene: case.scene() }, read(HELD)];
        [rows(&case.before), played, rows(&case.after)].concat()
    };
    cases().iter().flat_map(of_case).collect()
}

/// Each case did what is expected.
pub(crate) fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut records = evidence.records.iter();
    for case in cases() {
        // The file before it, what a scene read, what its threads did, and the file afterwards.
        let (mut texts, mut woke) = (Vec::new(), Vec::new());
        for record in records.by_ref() {
            match record {
                Record::Slept { thread, woke: at, .. } => woke.push((thread.as_str(), *at)),
                Record::Text { path, text } if path == HELD => {
                    texts.push(text.as_str());
                    if !woke.is_empty() {
                        break;
                    }
                }
                _ => {}
            }
        }
        checks.push(match texts.as_slice() {
            [before, during @ .., after] => of_case(&case, &woke, during, before, after),
            _ => Check::new(&case.name, "was not played", false),
        });
    }
    let suspended = evidence.texts(SUSPENDED).next().unwrap_or("nothing").trim();
    checks.push(Check::new("how often the machine was suspended", suspended, suspended == "1"));
    checks
}

fn of_case(case: &Case, woke: &[(&str, u64)], texts: &[&str], before: &str, after: &str) -> Check {
    let busy_until = woke.iter().find(|(thread, _)| *thread == "urgent").map(|(_, at)| *at);
    let asleep: Vec<u64> =
        woke.iter().filter(|(thread, _)| *thread != "urgent").map(|(_, at)| *at).collect();
    let tolerance = TOLERANCE + asleep.len() as u64 * EACH;
    let in_time = |at: &u64| match case.expected {
        Expected::Afterwards => busy_until.is_some_and(|end| *at >= end && *at <= end + tolerance),
        Expected::At(due) => *at >= due && *at <= due + tolerance,
        Expected::NotBefore(due) => *at >= due,
    };
    let scene = case.scene();
    let is_fifo = |urgent: &Urgent| !urgent.policy.is_reserved();
    let of_urgent = u64::from(scene.urgent.as_ref().is_some_and(is_fifo));
    let of_meddler = if scene.from == CPU { scene.meddling.len() as u64 } else { 0 };
    let grown = |name: &str| {
        let number = |text| counter(text, CPU, name).unwrap_or(0);
        let own = if name == "held" { of_urgent + of_meddler } else { 0 };
        number(after).saturating_sub(number(before)).saturating_sub(own)
    };
    let counted =
        case.counters.iter().all(|(name, (least, most))| (*least..=*most).contains(&grown(name)));
    let shown: Vec<usize> = texts
        .iter()
        .map(|text| text.lines().filter(|line| line.starts_with("timer cpu")).count())
        .collect();
    let numbers: Vec<String> =
        case.counters.keys().map(|name| format!("{name} {}", grown(name))).collect();
    let (first, last) = (asleep.iter().min(), asleep.iter().max());
    let span = [first, last].map(|at| at.map_or(0, |at| at / US));
    Check::new(
        &case.name,
        format!("runs again at {span:?} us; {}; timers shown {shown:?}", numbers.join(", ")),
        asleep.len() == scene.sleepers.len()
            && asleep.iter().all(in_time)
            && counted
            && shown == case.shown
            && !after.contains("timer cpu"),
    )
}
