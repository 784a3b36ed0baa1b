//! A reservation of what handles the packets of a network card (`scenarios/apply/apply-napi.toml` says what was found).

use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_guest::Record;

/// The windows of a run.
const WINDOWS: usize = 7;
/// After so many the longest time that a processor stood still, 52 ms, is paid back.
const PAID_BACK: usize = 4;

/// Every command succeeded, or says that work was done elsewhere, with a remedy.
pub(crate) fn ran_or_moved(evidence: &Evidence) -> Vec<Check> {
    let ran = evidence.records.iter().filter_map(|record| {
        let Record::Ran { command, exit, output, errors } = record else { return None };
        // What is received in each window is looked at apart.
        let said = ["thread = \"napi:eth0\"", "receives too "];
        let moved = *exit == 1 && said.iter().any(|said| output.contains(said));
        let seen = format!("exit code {exit}\n{output}{errors}");
        Some(Check::new(command.join(" "), seen, *exit == 0 || moved))
    });
    ran.collect()
}

/// What the reservation received of its budget in the windows.
pub(crate) fn most_of_its_budget(evidence: &Evidence) -> Check {
    let windows = rows(evidence);
    let seen: Vec<String> =
        windows.iter().map(|(budget, received)| format!("{received} % of {budget} %")).collect();
    let (budgets, mut received): (Vec<f64>, Vec<f64>) = windows.into_iter().unzip();
    let budget = budgets.first().copied().unwrap_or_default();
    // Of the first window, of the first two, and so on.
    let means = received.iter().zip(1_u32..).scan(0.0, |sum, (received, count)| {
        *sum += received;
        Some(*sum / f64::from(count))
    });
    let mut together = means.skip(PAID_BACK - 1).collect::<Vec<_>>().into_iter();
    received.sort_by(f64::total_cmp);
    let middle = received.get(received.len() / 2).copied().unwrap_or_default();
    // Two periods at the ends of the interval, of fifty. The thread of the interrupt asks for less, where others take
    // the lock of soft interrupts before it: in one image for 70 %.
    let kept = |received: f64| budget * 0.5 < received && received < budget * 1.05;
    let holds = received.len() == WINDOWS && (kept(middle) || together.any(kept));
    let what = "it receives most of its budget, and no more, in the middle one of seven windows or in the first four or more";
    Check::new(what, seen.join(", "), holds)
}

/// Budget and use of the reservation, in percent, as `status` shows them, in each window.
fn rows(evidence: &Evidence) -> Vec<(f64, f64)> {
    let shown = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { command, output, .. } if command.iter().any(|word| word == "status") => {
            Some(output)
        }
        _ => None,
    });
    let row = |output: &String| {
        let line = output.lines().find(|line| line.starts_with("server.receive"))?;
        // Behind the thread, its number and its processor.
        let mut numbers = line.split_whitespace().skip(4);
        Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    };
    shown.filter_map(row).collect()
}
