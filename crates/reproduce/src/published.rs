//! The published tables, line by line.

use crate::csv;

/// A table in `published/`.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Its file.
    pub file: &'static str,
    /// What it holds.
    pub holds: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! source {
    ($file:literal, $holds:literal) => {
        Source { file: $file, holds: $holds, text: include_str!(concat!("../published/", $file)) }
    };
}

/// All tables, those of figures first.
pub const SOURCES: [Source; 8] = [
    source!("figures.csv", "the figures and tables of the publications, and what they show"),
    source!(
        "cache_costs.csv",
        "R. Kaiser 2008 (IA-32), R. Kaiser and D. Zöbel 2010 (PowerPC): useful fraction right after a switch, and time to the sustained rate"
    ),
    source!(
        "switch_loss_claims.csv",
        "the same: claims about loss against the frequency of switching"
    ),
    source!(
        "timershield.csv",
        "P. Patel, M. Vanga, B. Brandenburg 2017: response times and overheads"
    ),
    source!(
        "irq_reservations.csv",
        "L. Abeni, N. Manica, L. Palopoli 2009: throughput and response time for each way to schedule the IRQ thread"
    ),
    source!("ping_rtt_vs_server_period.csv", "the same: round trips against the server period"),
    source!(
        "vint_case_study.csv",
        "H. Kim, S. Wang, R. Rajkumar 2015: round trips, and frame rate under an interrupt storm"
    ),
    source!("waters2015.csv", "S. Kramer, D. Ziegenbein, A. Hamann 2015: automotive runnables"),
];

impl Source {
    /// Its heads.
    pub fn head(&self) -> Vec<String> {
        csv::lines(self.text).swap_remove(0)
    }

    /// Its rows with the numbers of their lines, which begin with 2.
    pub fn rows(&self) -> impl Iterator<Item = (usize, Vec<String>)> {
        (2..).zip(csv::lines(self.text).into_iter().skip(1))
    }
}

/// The table of this name.
///
/// # Panics
/// If there is none: a bug of the figure.
pub fn source(file: &str) -> &'static Source {
    SOURCES.iter().find(|source| source.file == file).expect("figures name tables that exist")
}
