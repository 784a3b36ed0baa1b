//! Rows of the cache table: how fast work goes after a switch, on which machine (Kaiser 2008; Kaiser, Zöbel 2010).

use vorrang_time::Duration;

const ROWS: &str = include_str!("../published/cache_costs.csv");

/// A row of the published table, or a measured one like it.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Machine, working set in KiB, access, state of the caches.
    pub name: [String; 4],
    /// Share of the full rate right after a switch, in parts per million.
    pub useful_ppm: u32,
    /// Time to the full rate.
    pub sustained: Duration,
}

/// The published rows.
pub fn rows() -> Vec<Row> {
    let row = |line: &str| {
        let cell: Vec<&str> = line.split(',').collect();
        // `0.11`: two decimals.
        let hundredths: u32 = cell[4].replace("0.", "").parse().expect("two decimals");
        let sustained: u64 = cell[5].parse().expect("whole microseconds");
        Row {
            name: [cell[0], cell[1], cell[2], cell[3]]
                .map(|text| text.replace("consecutive ", "").replace("invalidated", "invalid")),
            useful_ppm: hundredths * 10_000,
            sustained: Duration::from_us(sustained),
        }
    };
    ROWS.lines().skip(1).map(row).collect()
}

impl Row {
    /// The working set and the state: `64k dirty`.
    pub fn short(&self) -> String {
        format!("{}k {} {}", self.name[1], self.name[2], self.name[3])
    }
}
