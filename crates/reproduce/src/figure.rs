//! What a figure is.

use crate::claim::Claim;
use crate::setting::Setting;

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
    pub run: fn(&Setting) -> Reproduced,
    /// What must be known to read it; one sentence each.
    pub remarks: &'static [&'static str],
}

/// What a figure shows when it was run.
#[derive(Clone, Debug, PartialEq)]
pub struct Reproduced {
    /// Its numbers.
    pub table: Table,
    /// What the publication claims, each claim compared with these numbers.
    pub claims: Vec<Claim>,
    /// Its pictures, on the axes of the publication.
    pub pictures: Vec<vorrang_figure::Figure>,
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

/// Figures with what they show.
pub type Made = [(&'static Figure, Reproduced)];
