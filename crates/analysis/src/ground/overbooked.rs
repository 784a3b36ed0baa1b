//! More is reserved or used on a supply than it has: how much, and by whom.

use super::Bandwidth;
use core::fmt;

/// The members that take more of a supply than there is of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overbooked {
    /// The supply.
    pub supply: String,
    /// What it has; `None`: a whole core.
    pub capacity: Option<Bandwidth>,
    /// What all of them take.
    pub taken: Bandwidth,
    /// Those that take most, the largest share first.
    pub by: Vec<(String, Bandwidth)>,
    /// How many others there are.
    pub others: usize,
    /// Whether servers and pseudo-VCPUs are among them.
    pub reserved: bool,
    /// Whether tasks and interrupts are.
    pub used: bool,
}

/// In percent, rounded up, without zeros at the end.
fn percent(share: Bandwidth) -> String {
    let hundredths = share.hundredths_ceil();
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl fmt::Display for Overbooked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { supply, capacity, taken, by, others, reserved, used } = self;
        let taken = percent(*taken);
        let is = match (reserved, used) {
            (true, true) => "reserved or used",
            (true, false) => "reserved",
            _ => "used",
        };
        if let Some(has) = capacity {
            let has = percent(*has);
            write!(f, "{taken} % of a core is {is} on {supply}, which has {has} %")?;
        } else {
            write!(f, "{taken} % of {supply} is {is}")?;
        }
        let mut named: Vec<String> =
            by.iter().map(|(name, share)| format!("{name} {} %", percent(*share))).collect();
        if *others > 0 {
            named.push(format!("{others} more"));
        }
        write!(f, " ({})", named.join(", "))
    }
}
