//! A reservation of what handles the packets of a network card (`scenarios/apply/apply-napi.toml` says what was found).

use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_guest::Record;

/// How often it is applied.
const TURNS: usize = 2;
/// The windows that are looked at each time.
const WINDOWS: usize = 4;

/// Every command succeeded, or says that work was done elsewhere, with a remedy.
pub(crate) fn ran_or_moved(evidence: &Evidence) -> Vec<Check> {
    let ran = evidence.records.iter().filter_map(|record| {
        let Record::Ran { command, exit, output, errors } = record else { return None };
        // What is received in each window is looked at apart.
        let said = ["thread = \"napi:", "receives too "];
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
    let holds = windows.len() == TURNS * WINDOWS && windows.chunks(WINDOWS).any(is_kept);
    let what = "it receives most of its budget, and no more, in one of the two windows in the middle of four or in all four, once of twice";
    Check::new(what, seen.join(", "), holds)
}

/// Whether most of a budget is received, and no more, in one of the two windows in the middle, or in all of them together.
fn is_kept(windows: &[(f64, f64)]) -> bool {
    let budget = windows[0].0;
    let mut received: Vec<f64> = windows.iter().map(|(_, received)| *received).collect();
    received.sort_by(f64::total_cmp);
    let middle = received.len() / 2;
    let (less, more) = (received[middle - 1], received[middle]);
    let mean = received.iter().sum::<f64>() * budget / windows.iter().map(|own| own.0).sum::<f64>();
    // Two periods at the ends of the interval, of thirty. The thread of the interrupt asks for less, where others take
    // the lock of soft interrupts before it: in one image for 70 %.
    [less, more, mean].iter().any(|received| budget * 0.5 < *received && *received < budget * 1.07)
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
