//! Draws the runnables of a consolidation from the published table and writes it as a description.
//!
//! **Model.** Each runnable draws, in this order: its period by the published shares; its home
//! among the tasks of that period, all equally likely; its average execution time; its factor from
//! average to worst case, uniform in the published range. The average is drawn from two pieces,
//! `[min, avg]` and `[avg, max]`, each uniform, taken with such odds that the mean is the published
//! one: the first with (max - avg) : (max - min).
//!
//! **Assumptions.**
//! 1. Integers only: execution times in units of 10 ns and factors in hundredths, as published, so
//!    that a seed means the same bytes everywhere.
//! 2. A task's worst case is the sum of the worst cases of its runnables, divided by
//!    [`layout::SPEED`] and rounded up to a microsecond.
//!
//! **Does not cover** cause-effect chains, labels and the memory of the publication.
//!
//! Reference: S. Kramer, D. Ziegenbein, A. Hamann: Real world automotive benchmarks for free.
//! WATERS 2015, tables III to V.

use crate::layout::{self, Home};
use vorrang_campaign::random::Random;

/// The published table, as it stands.
const TABLE: &str = include_str!("../../../../published/waters2015.csv");

/// One row of the table: times in 10 ns, factors in hundredths.
struct Row {
    period: &'static str,
    share: u64,
    shortest: u64,
    average: u64,
    longest: u64,
    factor: (u64, u64),
}

/// The sums over the runnables of one task.
#[derive(Clone, Copy, Default)]
struct Load {
    runnables: u64,
    /// Of average execution times, in 10 ns.
    average: u64,
    /// Of worst-case execution times, in 0.1 ns.
    worst: u64,
}

/// The description that belongs to a seed.
pub(crate) fn description(seed: u64) -> String {
    let rows: Vec<Row> = TABLE.lines().skip(1).map(row).collect();
    let shares: Vec<(u64, &Row)> = rows.iter().map(|row| (row.share, row)).collect();
    let mut random = Random::new(seed, 0);
    let mut loads = vec![Load::default(); layout::HOMES.len()];
    for _ in 0..layout::RUNNABLES {
        let row = random.weighted(&shares);
        let homes: Vec<usize> = (0..layout::HOMES.len())
            .filter(|&home| layout::HOMES[home].row == row.period)
            .collect();
        let home = random.one_of(&homes);
        let average = draw_average(row, &mut random);
        let factor = random.between(row.factor.0, row.factor.1);
        loads[home].runnables += 1;
        loads[home].average += average;
        loads[home].worst += average * factor;
    }
    layout::TEXT.lines().map(|line| fill(line, seed, &loads) + "\n").collect()
}

fn row(line: &'static str) -> Row {
    let cells: Vec<&'static str> = line.split(',').collect();
    let hundredths = |column: usize| {
        let (whole, fraction) = cells[column].split_once('.').expect("two decimals");
        assert_eq!(fraction.len(), 2, "two decimals: {line}");
        format!("{whole}{fraction}").parse().expect("a number")
    };
    Row {
        period: cells[0],
        share: cells[1].parse().expect("whole percent"),
        shortest: hundredths(2),
        average: hundredths(3),
        longest: hundredths(4),
        factor: (hundredths(7), hundredths(8)),
    }
}

fn draw_average(row: &Row, random: &mut Random) -> u64 {
    if random.chance(row.longest - row.average, row.longest - row.shortest) {
        random.between(row.shortest, row.average)
    } else {
        random.between(row.average, row.longest)
    }
}

/// A line of the text with its place-holders filled in.
fn fill(line: &str, seed: u64, loads: &[Load]) -> String {
    let Some((before, rest)) = line.split_once("{{") else { return line.to_owned() };
    let (what, after) = rest.split_once("}}").expect("a closed place-holder");
    let text = match what {
        "seed" => seed.to_string(),
        "runnables" => layout::RUNNABLES.to_string(),
        "speed" => layout::SPEED.to_string(),
        "utilisation of core 0" => utilisation("core.0", loads),
        "utilisation of core 1" => utilisation("core.1", loads),
        task => return task_lines(task, loads),
    };
    fill(&format!("{before}{text}{after}"), seed, loads)
}

/// The table of a task, with what it was drawn from.
fn task_lines(name: &str, loads: &[Load]) -> String {
    let index = layout::HOMES.iter().position(|home| home.task == name).expect("a known task");
    let (home, load) = (&layout::HOMES[index], &loads[index]);
    let Load { runnables, average, .. } = load;
    format!(
        "# {runnables} runnables; sum of averages {} us\n\
         [task.{name}]\non = \"{}\"\nwcet = \"{}us\"\nperiod = \"{}ms\"",
        microseconds(*average, 100),
        home.on,
        wcet(load),
        home.period_ms,
    ) + &home.priority.map_or(String::new(), |priority| format!("\npriority = {priority}"))
}

/// The worst case of a task in microseconds.
fn wcet(load: &Load) -> u64 {
    microseconds(load.worst, 10_000)
}

/// `sum` of units, of which `per_us` make a microsecond of the publication, on our processor.
fn microseconds(sum: u64, per_us: u64) -> u64 {
    sum.div_ceil(per_us * layout::SPEED)
}

fn utilisation(core: &str, loads: &[Load]) -> String {
    let of = |(home, load): (&Home, &Load)| wcet(load) * 1_000 / home.period_ms;
    let on_core = layout::HOMES.iter().zip(loads).filter(|(home, _)| home.core == core);
    // Microseconds in 1000 ms are millionths.
    format!("{} %", on_core.map(of).sum::<u64>() / 10_000)
}
