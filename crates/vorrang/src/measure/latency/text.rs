//! Latencies as text, and the histogram for existing scripts.

use super::super::page::circumstances;
use std::fmt::Write as _;
use std::path::Path;
use vorrang_command::screen;
use vorrang_command::screen::wrapped;
use vorrang_measure::latency::tally::Tally;
use vorrang_measure::latency::{Broken, Measured, Outcome, timerlat};
use vorrang_measure::machine::conditions::Condition;
use vorrang_quote::name::shown;
use vorrang_verdict::table::Column;

/// A line for each thread as `cyclictest` has it, quantiles, and what ended the measurement.
pub(super) fn threads(measured: &Measured, kept: Option<&Path>) -> String {
    let mut page = String::new();
    for (index, of) in measured.threads.iter().enumerate() {
        let tally = &of.tally;
        let _ = writeln!(
            page,
            "T:{index:2} ({:5}) P:{:2} I:{} C:{:7} Min:{:7} Act:{:5} Avg:{:5} Max:{:8}",
            of.id,
            of.priority,
            of.interval_us,
            tally.count(),
            tally.least_ns() / 1_000,
            tally.last_ns() / 1_000,
            whole_us(tally),
            tally.most_ns() / 1_000,
        );
    }
    let rows = measured.threads.iter().enumerate();
    let rows = rows.map(|(index, of)| (format!("T:{index}, CPU {}", of.cpu), &of.tally));
    page += "\n";
    page += &quantiles("thread", &rows.collect::<Vec<_>>());
    page += &broken(measured.broken.as_ref(), kept);
    page + &circumstances(&measured.conditions, &measured.remarks)
}

/// Two rows for each processor: until the interrupt, and until the thread.
pub(super) fn split(
    measured: &timerlat::Measured,
    kept: Option<&Path>,
    conditions: &[Condition],
    remarks: &[String],
) -> String {
    let rows = measured.cpus.iter().flat_map(|(cpu, split)| {
        let name = |what: &str| format!("CPU {cpu}, {what}");
        [(name("interrupt"), &split.irq), (name("thread"), &split.thread)]
    });
    let mut page = "Until the interrupt of the timer, and until the thread ran:\n\n".to_owned();
    page += &quantiles("latency", &rows.collect::<Vec<_>>());
    page += &broken(measured.broken.as_ref(), kept);
    page + &circumstances(conditions, remarks)
}

fn quantiles(header: &str, rows: &[(String, &Tally)]) -> String {
    let column = |header: &str, value: &dyn Fn(&Tally) -> f64| {
        let cells = rows.iter().map(|(_, tally)| format!("{:.1}", value(tally) / 1e3));
        Column::numbers(header, cells)
    };
    screen::draw(&[
        Column::words(header, rows.iter().map(|(name, _)| name.clone())),
        Column::counts("count", rows.iter().map(|(_, tally)| tally.count())),
        column("least [us]", &|of| of.quantile_ns(0.0)),
        column("10 % [us]", &|of| of.quantile_ns(0.1)),
        column("median [us]", &|of| of.quantile_ns(0.5)),
        column("90 % [us]", &|of| of.quantile_ns(0.9)),
        column("99 % [us]", &|of| of.quantile_ns(0.99)),
        column("99.9 % [us]", &|of| of.quantile_ns(0.999)),
        column("most [us]", &|of| of.quantile_ns(1.0)),
    ])
}

/// The latency that ended the measurement, and its cause.
fn broken(broken: Option<&Broken>, kept: Option<&Path>) -> String {
    let Some(broken) = broken else { return String::new() };
    let us = |ns: u64| format!("{}.{} us", ns / 1_000, ns % 1_000 / 100);
    let thread =
        broken.thread.map_or("The thread of the kernel".to_owned(), |of| format!("T:{of}"));
    let mut page =
        format!("\n{thread} woke {} late on CPU {}.\n", us(broken.latency_ns), broken.cpu);
    for part in &broken.parts {
        page += &wrapped(&format!("{}: {}", us(part.ns), part.culprit), "  ", "    ");
    }
    match (&broken.trace, kept) {
        (Err(why), _) => {
            page += &wrapped(&format!("Its cause is not known: {why}."), "", "");
        }
        (Ok(_), kept) => {
            if broken.parts.is_empty() {
                page += "Its cause is not known: the trace does not reach back so far.\n";
            }
            if let Some(kept) = kept {
                let _ = writeln!(page, "The kernel's trace is in {}.", shown(kept));
            }
        }
    }
    page
}

/// The mean in whole microseconds, as everything in those lines.
fn whole_us(tally: &Tally) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded down")]
    let us = (tally.mean_ns() / 1e3) as u64;
    us
}

/// A line for each microsecond below the limit: how many of each thread, and of all where that is
/// wanted; then what they have in common, after `#`.
pub(super) fn histogram(threads: &[Outcome], limit_us: usize, with_all: bool) -> String {
    let with_all = with_all && threads.len() > 1;
    let columns: Vec<Vec<u64>> = threads.iter().map(|of| of.tally.microseconds(limit_us)).collect();
    let mut page = "# Histogram\n".to_owned();
    for us in 0..limit_us {
        let counts: Vec<u64> = columns.iter().map(|column| column[us]).collect();
        let all = with_all.then(|| counts.iter().sum());
        let cells = counts.into_iter().chain(all).map(|count: u64| format!("{count:06}"));
        let _ = writeln!(page, "{us:06} {}", cells.collect::<Vec<_>>().join("\t"));
    }
    let totals: Vec<u64> = columns.iter().map(|column| column.iter().sum()).collect();
    let overflows: Vec<u64> =
        threads.iter().zip(&totals).map(|(of, total)| of.tally.count() - total).collect();
    let mut row = |name: &str, width: usize, numbers: &[u64], all: Option<u64>| {
        let cells = numbers.iter().copied().chain(all.filter(|_| with_all));
        let cells: Vec<String> = cells.map(|number| format!("{number:0width$}")).collect();
        let _ = writeln!(page, "# {name}: {}", cells.join(" "));
    };
    let each = |number: fn(&Tally) -> u64| -> Vec<u64> {
        threads.iter().map(|of| number(&of.tally)).collect()
    };
    let most = each(|of| of.most_ns() / 1_000);
    row("Total", 9, &totals, Some(totals.iter().sum()));
    row("Min Latencies", 5, &each(|of| of.least_ns() / 1_000), None);
    row("Avg Latencies", 5, &each(whole_us), None);
    row("Max Latencies", 5, &most, most.iter().max().copied());
    row("Histogram Overflows", 5, &overflows, Some(overflows.iter().sum()));
    page += "# Histogram Overflow at cycle number:\n";
    for (index, (of, overflows)) in threads.iter().zip(overflows).enumerate() {
        let named: Vec<String> = of.overflows.iter().map(|cycle| format!("{cycle:05}")).collect();
        let others = overflows - of.overflows.len() as u64;
        let others = if others > 0 { format!(" # {others:05} others") } else { String::new() };
        let line = format!("# Thread {index}: {}", named.join(" "));
        let _ = writeln!(page, "{}{others}", line.trim_end());
    }
    page
}

/// Lines that scripts for histograms skip.
pub(super) fn as_comments(page: &str) -> String {
    page.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n").collect()
}
