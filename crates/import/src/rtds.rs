//! What `xl sched-rtds` prints: budgets and periods of virtual processors.
//!
//! **Model.** A line of names of columns, then a line for each virtual processor (`-v all`) or each domain; numbers stand
//! at the end of a line, in microseconds. Before Xen 4.11 there is no `Extratime`.

use crate::description::{Description, Table, Value};
use crate::found::{LINES, NAME};
use crate::refused::Refused;
use crate::xl::core;

/// Xen's own limit of a budget and a period, in microseconds.
const LONGEST: u64 = u32::MAX as u64;

/// Which columns there are behind the name and the number of a domain.
#[derive(Clone, Copy, Default)]
struct Columns {
    vcpu: bool,
    extratime: bool,
}

/// The virtual processors with their reservations.
pub(crate) fn read(text: &str, lost: &mut Vec<String>) -> Result<Description, Refused> {
    let mut description = Description::default();
    let mut columns = None;
    for (line, number) in text.lines().take(LINES).zip(1..) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            ["Cpupool", ..] => {
                if !line.contains("RTDS") {
                    return Err(Refused::at(number, "this pool is not of RTDS"));
                }
            }
            ["Name", "ID", rest @ ..] => {
                columns = Some(Columns {
                    vcpu: rest.contains(&"VCPU"),
                    extratime: rest.contains(&"Extratime"),
                });
            }
            words => {
                let columns = columns
                    .ok_or_else(|| Refused::at(number, "the names of the columns are missing"))?;
                let table = row(words, columns, lost).ok_or_else(|| {
                    Refused::at(number, "this is no virtual processor with a period and a budget within it, in microseconds")
                })?;
                description.add(table);
            }
        }
    }
    if description.tables.is_empty() {
        return Err(Refused::whole(
            "there is no virtual processor: this is no output of `xl sched-rtds`",
        ));
    }
    description.cores.insert(0, core(None));
    lost.push(
        "the processors of the pool, and where virtual processors are pinned: add a core for each"
            .to_owned(),
    );
    Ok(description)
}

fn row(words: &[&str], columns: Columns, lost: &mut Vec<String>) -> Option<Table> {
    let (extratime, words) = match words.split_last()? {
        (word, rest) if columns.extratime => (*word == "yes", rest),
        _ => (false, words),
    };
    let numbers = if columns.vcpu { 4 } else { 3 };
    let (name, numbers) = words.split_at_checked(words.len().checked_sub(numbers)?)?;
    let numbers: Vec<u64> = numbers.iter().map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let (number, period, budget) = match numbers[..] {
        [_, vcpu, period, budget] => (Some(vcpu), period, budget),
        [_, period, budget] => (None, period, budget),
        _ => return None,
    };
    let name = name.join(" ");
    if name.is_empty() || name.len() > NAME || budget == 0 || budget > period || period > LONGEST {
        return None;
    }
    let label = match number {
        Some(number) => format!("{name}-{number}"),
        None => name.clone(),
    };
    if extratime {
        lost.push(format!("{label}: extratime, which gives it time beyond its budget"));
    }
    if number.is_none() {
        lost.push(format!("{label}: how many virtual processors have these parameters"));
    }
    Some(Table {
        noun: "vcpu",
        name: label,
        comments: Vec::new(),
        keys: vec![
            ("vm", Value::word(&name)),
            ("on", Value::Open),
            ("server", Value::word("deferrable")),
            ("budget", Value::Time(budget * 1_000)),
            ("period", Value::Time(period * 1_000)),
            ("thread", Value::Text(format!("vm:{name}/{}", number.unwrap_or(0)))),
        ],
    })
}
