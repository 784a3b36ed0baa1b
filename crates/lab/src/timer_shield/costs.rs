//! What timers of threads cost a kernel, without the shield and with it: arming, cancelling, expiring, and a switch.

use super::module::{HELD, counter};
use crate::check::Check;
use crate::evidence::Evidence;

const FILE: &str = "/proc/timer_costs";
/// Arming and waking up for a sleep may take so many thousandths more with the shield.
const MOST_MORE: u64 = 250;
/// A switch where nothing is held back may take so many nanoseconds more: 1 % of 200 us.
const SWITCH_MORE: u64 = 2_000;

/// A line: what, beside how many, how many times, mean, 99.9 %, largest.
struct Line<'a> {
    what: &'a str,
    pending: u64,
    took: [u64; 3],
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let line = |line| {
        let words: Vec<&str> = str::split_whitespace(line).collect();
        let numbers: Vec<u64> =
            words.get(1..)?.iter().map(|word| word.parse()).collect::<Result<_, _>>().ok()?;
        let [pending, _, mean, permille, most] = numbers.try_into().ok()?;
        Some(Line { what: words[0], pending, took: [mean, permille, most] })
    };
    text.lines().filter_map(line).collect()
}

/// All that was measured, twice.
pub(crate) fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = Vec::new();
    let texts: Vec<&str> = evidence.texts(FILE).collect();
    let [stock, shielded] = texts.as_slice() else {
        checks.push(Check::new("costs are measured twice", texts.len().to_string(), false));
        return checks;
    };
    let (stock, shielded) = (lines(stock), lines(shielded));
    for (stock, shielded) in stock.iter().zip(&shielded) {
        let Line { what, pending, took } = stock;
        let own = shielded.took;
        let holds = match *what {
            "switch" => own[0] <= took[0] + SWITCH_MORE,
            "arm" if *pending == 1 => own[0] * 1000 <= (took[0] + SWITCH_MORE) * (1000 + MOST_MORE),
            _ => own[0] > 0,
        };
        checks.push(Check::new(
            format!("{what}, {pending} timers: mean, 99.9 %, largest [instructions]"),
            format!(
                "{} {} {} without the shield, {} {} {} with it",
                took[0], took[1], took[2], own[0], own[1], own[2]
            ),
            holds,
        ));
    }
    checks.push(Check::new(
        "all was measured",
        stock.len().to_string(),
        stock.len() == 21 && shielded.len() == 21,
    ));
    let held = evidence.texts(HELD).next().and_then(|text| counter(text, 0, "held"));
    checks.push(Check::new("timers that were held", format!("{held:?}"), held > Some(10_000)));
    checks
}
