//! What a figure is, and all of them.

use crate::{
    interrupt_storm, irq_threads, proxy_counter_examples, proxy_utilisation, round_trip,
    server_bounds, service_error, switch_loss, throughput, timer_interference, vint_study,
    vtrr_slices,
};

/// A published figure or table that can be reproduced.
#[derive(Clone, Copy)]
pub struct Figure {
    /// By which it is asked for.
    pub name: &'static str,
    /// What it shows, in one line.
    pub shows: &'static str,
    /// Where it was published.
    pub publication: &'static str,
    /// The description of one of its points, under `published/systems/`.
    pub system: &'static str,
    /// Runs it.
    pub run: fn() -> Table,
    /// Where the published numbers and ours differ, and why; one sentence each.
    pub remarks: &'static [&'static str],
}

/// The numbers of a figure, published beside ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What stands in each column, its unit in brackets.
    pub columns: Vec<String>,
    /// One text per column.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table of these rows.
    ///
    /// # Panics
    /// If a row has not one text per column.
    pub fn new(columns: &[&str], rows: Vec<Vec<String>>) -> Self {
        for row in &rows {
            assert_eq!(row.len(), columns.len(), "one text per column: {row:?}");
        }
        Self { columns: columns.iter().map(|&column| column.to_owned()).collect(), rows }
    }
}

/// All figures.
pub const FIGURES: &[Figure] = &[
    switch_loss::FIGURE,
    vtrr_slices::FIGURE,
    service_error::FIGURE,
    timer_interference::FIGURE,
    irq_threads::FIGURE,
    throughput::FIGURE,
    round_trip::FIGURE,
    interrupt_storm::FIGURE,
    vint_study::FIGURE,
    proxy_utilisation::FIGURE,
    proxy_counter_examples::FIGURE,
    server_bounds::FIGURE,
];
