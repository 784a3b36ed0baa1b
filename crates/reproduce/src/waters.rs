//! Automotive runnables (Kramer, Ziegenbein, Hamann 2015): what the examples take from the tables.
//!
//! **Model.** The numbers are inputs: `examples/consolidation.toml` draws its runnables from them. What can be looked at
//! is whether they hold together, and how they load a core: with ACET the average execution time, n runnables with a
//! share s of all at a period p use n·s·ACET/p.

use crate::claim::{Claim, Way};
use crate::exact::{Exact, decimal, place, shown, whole};
use crate::figure::{Figure, Reproduced, Table};
use crate::published::source;
use crate::rule::Condition;
use crate::setting::Setting;
use vorrang_figure::{Axis, Bar, Bars, Part};

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "automotive-runnables",
    shows: "periods and execution times of automotive runnables, the inputs of examples/consolidation.toml",
    publication: "S. Kramer, D. Ziegenbein, A. Hamann 2015",
    system: "examples/consolidation.toml",
    run,
    remarks: &[
        "Nothing is reproduced here: the tables are inputs, of which a generator draws 1000 runnables.",
        "Some code in circulation truncates the row of angle-synchronous runnables with the limits of the 1 ms row; the limits here are its own.",
    ],
};

/// Runnables of a system, of the order that the publication names.
const RUNNABLES: u64 = 1000;

/// Period of angle-synchronous runnables at 6000 rpm with four cylinders, in ms.
const ANGLE: &str = "5";

/// The numbers of a row: all are inputs.
const INPUTS: [&str; 8] = [
    "the share",
    "the least execution time",
    "the average one",
    "the greatest one",
    "the least factor of the best case",
    "the greatest one of the best case",
    "the least factor of the worst case",
    "the greatest one of the worst case",
];

fn run(_: &Setting) -> Reproduced {
    const COLUMNS: &[&str] = &[
        "period [ms]",
        "share [%]",
        "ACET [us], least",
        "average",
        "greatest",
        "used by 1000 runnables [%]",
    ];
    let rows: Vec<(usize, Vec<String>)> = source("waters2015.csv").rows().collect();
    let line = |row: &[String]| {
        let mut line = row[..5].to_vec();
        line.push(shown(used(row), 2));
        line
    };
    let lines = rows.iter().map(|(_, row)| line(row)).collect();
    Reproduced {
        table: Table::new(COLUMNS, lines),
        claims: claims(&rows),
        pictures: vec![picture(&rows)],
    }
}

/// Of a core as fast as the publication's, in percent, on average.
fn used(row: &[String]) -> Exact {
    let period = if row[0].starts_with("angle") { ANGLE } else { &row[0] };
    let count = whole(RUNNABLES) * decimal(&row[1]) / 100;
    count * decimal(&row[3]) / (decimal(period) * 1_000) * 100
}

fn claims(rows: &[(usize, Vec<String>)]) -> Vec<Claim> {
    let sum: Exact = rows.iter().map(|(_, row)| decimal(&row[1])).sum();
    let ordered = rows.iter().all(|(_, row)| {
        let number = |place: usize| decimal(&row[place]);
        number(2) <= number(3)
            && number(3) <= number(4)
            && number(5) <= number(6)
            && number(6) < whole(1)
            && whole(1) < number(7)
            && number(7) <= number(8)
    });
    let mut all = vec![
        Claim::says("The shares of all periods are the whole, and least, average and greatest execution times are in order.")
            .by(Way::Published, format!("the shares sum up to {} %", shown(sum, 0)))
            .agrees_if(Condition::that("the shares sum up to 100 %, and every row is in order", sum == whole(100) && ordered)),
    ];
    all.extend(rows.iter().map(|(line, row)| {
        Claim::says(format!(
            "Period {}: {} % of the runnables, {} us on average, {} to {} us.",
            if row[0].starts_with("angle") { row[0].clone() } else { format!("{} ms", row[0]) },
            row[1],
            row[3],
            row[2],
            row[4]
        ))
        .row("waters2015.csv", *line)
        .by(
            Way::Formula,
            format!("1000 runnables use {} % of a core in all by these", shown(used(row), 2)),
        )
        .fitted(&INPUTS)
    }));
    all
}

/// What runnables of each period use of a core.
fn picture(rows: &[(usize, Vec<String>)]) -> vorrang_figure::Figure {
    let mut bars = Bars::new(
        "automotive-runnables",
        "What 1000 runnables use of a core as fast as the publication's, on average",
        Axis::linear("share of the core", "%"),
    )
    .described("By period; angle-synchronous ones at 5 ms. From the table: nothing was run.");
    bars.parts = vec!["used on average".to_owned()];
    for (_, row) in rows {
        let name =
            if row[0].starts_with("angle") { row[0].clone() } else { format!("{} ms", row[0]) };
        bars.bars.push(Bar { name, parts: vec![Part { of: 0, value: place(used(row)) }] });
    }
    bars.into()
}
