//! The generator at one point.

use super::keys::{
    CORE, COSTS, DEADLINES, DIVISIONS, INTERRUPTS, PERIODS, SCHEDULERS, SERVERS, TASKS, VMS,
};
use super::table::Table;
use crate::draw::{MOST_CELLS, MOST_PARTS, table_size};
use crate::point::{Budget, Deadlines, Division, Guests, Interrupts, Periods, Point, Tasks};
use vorrang_model::keys::Key;
use vorrang_model::tree::{Entry, Errors, Value};
use vorrang_model::{Code, Diagnostic};
use vorrang_time::Duration;

/// What is drawn there; `None` if errors make that meaningless.
pub(super) fn read(tables: &[Entry], errors: &mut Errors) -> Option<Point> {
    let core = with(tables, "core", CORE, errors, scheduler);
    let guests = with(tables, "vms", VMS, errors, guests);
    let count = guests.as_ref().map_or(1, |guests| guests.count);
    let tasks = with(tables, "tasks", TASKS, errors, |table| tasks(table, count))?;
    let has_guests = guests.is_some();
    let interrupts =
        with(tables, "interrupts", INTERRUPTS, errors, |table| interrupts(table, has_guests));
    let costs = with(tables, "costs", COSTS, errors, costs).unwrap_or_default();
    let scheduler = core.unwrap_or_else(|| SCHEDULERS[0].to_owned());
    Some(Point { scheduler, tasks, guests, interrupts, costs })
}

fn with<T>(
    tables: &[Entry],
    name: &str,
    keys: &'static [Key],
    errors: &mut Errors,
    read: impl FnOnce(&mut Table) -> T,
) -> Option<T> {
    let entry = tables.iter().find(|entry| entry.key == name)?;
    let Value::Table(entries) = &entry.node.value else {
        let message = format!("`{name}` is {} where a table is expected", entry.node.value.kind());
        errors.push(Diagnostic::new(Code::WrongType, entry.span.clone(), message));
        return None;
    };
    Some(read(&mut Table::new(name, &entry.span, keys, entries, errors)))
}

fn scheduler(table: &mut Table) -> String {
    table.word("scheduler", SCHEDULERS).unwrap_or(SCHEDULERS[0]).to_owned()
}

fn tasks(table: &mut Table, guests: usize) -> Tasks {
    let count = table.count("count");
    let utilisation_ppm = table.part("utilisation", 500_000);
    if table.has("utilisation") && utilisation_ppm == 0 {
        table.refuse("utilisation", "`utilisation` is zero", "must be above zero");
    }
    let division = division(table, count, guests, utilisation_ppm);
    let periods = periods(table);
    let deadlines = deadlines(table);
    Tasks { count, utilisation_ppm, division, periods, deadlines }
}

fn deadlines(table: &mut Table) -> Deadlines {
    if table.word("deadlines", DEADLINES) != Some("constrained") {
        table.has_no_effect("tightest", "of constrained deadlines only");
        return Deadlines::Implicit;
    }
    table.needs("tightest", "constrained deadlines begin at a part of the period");
    let tightest_ppm = table.part("tightest", 0);
    if tightest_ppm > 1_000_000 {
        table.refuse("tightest", "`tightest` is above 100%", "a deadline is within the period");
    }
    Deadlines::Constrained { tightest_ppm: tightest_ppm.min(1_000_000) }
}

fn division(table: &mut Table, count: usize, guests: usize, whole_ppm: u64) -> Division {
    if table.word("division", DIVISIONS) != Some("drs") {
        table.has_no_effect("least", "of `division = \"drs\"` only");
        table.has_no_effect("most", "of `division = \"drs\"` only");
        return Division::Uunifast;
    }
    let (least_ppm, most_ppm) =
        (each(table, "least", 0, count), each(table, "most", 1_000_000, count));
    let tasks = count * guests;
    let sum = |parts: &[u64]| parts.iter().cycle().take(tasks).sum::<u64>();
    let (low, high) = (sum(&least_ppm), sum(&most_ppm));
    let [lowest, highest, whole] = [low, high, whole_ppm].map(crate::axis::percent);
    if low > whole_ppm {
        let message = format!("{tasks} tasks use {lowest} at least, more than {whole}");
        table.refuse("least", message, "too much for the utilisation of all");
    }
    if high < whole_ppm {
        let message = format!("{tasks} tasks use {highest} at most, less than {whole}");
        table.refuse("most", message, "too little for the utilisation of all");
    }
    if least_ppm.len() > 1 || most_ppm.len() > 1 {
        let of = |parts: &[u64]| parts.iter().copied().cycle().take(count).collect::<Vec<u64>>();
        let (least_ppm, most_ppm) = (of(&least_ppm), of(&most_ppm));
        are_divisible(table, &least_ppm, &most_ppm, guests);
        return Division::Drs { least_ppm, most_ppm };
    }
    Division::Drs { least_ppm, most_ppm }
}

/// One part for all tasks, or one for each.
fn each(table: &mut Table, name: &str, default: u64, count: usize) -> Vec<u64> {
    let parts = table.parts(name, default);
    if parts.len() != 1 && parts.len() != count {
        let message = format!("`{name}` has {} parts for {count} tasks", parts.len());
        table.refuse(name, message, "one for all of them, or one for each");
        return vec![default];
    }
    parts
}

/// Whether the table that bounds of their own need is not too large.
fn are_divisible(table: &mut Table, least_ppm: &[u64], most_ppm: &[u64], guests: usize) {
    let pairs = least_ppm.iter().zip(most_ppm);
    if let Some(task) = pairs.clone().position(|(least, most)| least > most) {
        let message = format!("`least` of task {} is above its `most`", task + 1);
        return table.refuse("least", message, "no utilisation is in between");
    }
    let parts = least_ppm.len() * guests;
    if parts > MOST_PARTS {
        let message = format!("{parts} tasks are more than {MOST_PARTS}");
        return table.refuse("most", message, "bounds for each task are for fewer tasks");
    }
    let widths: Vec<u64> = pairs.map(|(least, most)| most - least).cycle().take(parts).collect();
    if table_size(&widths) > MOST_CELLS {
        let message = "the widths from `least` to `most` have no common step that is coarse enough";
        table.refuse("most", message, "choose them as multiples of 1%, or of 0.1%");
    }
}

fn periods(table: &mut Table) -> Periods {
    let word = table.word("periods", PERIODS);
    if word == Some("automotive") {
        for key in ["shortest", "longest", "grain"] {
            table.has_no_effect(key, "automotive periods are those of a table");
        }
        return Periods::Automotive;
    }
    if word.is_some() {
        table.needs("shortest", "of these periods");
        table.needs("longest", "of these periods");
    }
    let shortest = table.duration("shortest", Duration::from_ms(1));
    let longest = table.duration("longest", Duration::from_ms(1_000).max(shortest));
    if shortest > longest {
        table.refuse("shortest", "`shortest` is above `longest`", "no period is in between");
    }
    if word == Some("harmonic") {
        table.has_no_effect("grain", "of log-uniform periods only");
        return Periods::Harmonic { shortest, longest: longest.max(shortest) };
    }
    let grain = table.duration("grain", Duration::from_us(1));
    if grain > shortest || !shortest.as_ns().is_multiple_of(grain.as_ns()) {
        table.refuse("shortest", "`shortest` is no multiple of `grain`", "all periods are");
    }
    Periods::LogUniform { shortest, longest: longest.max(shortest), grain }
}

fn guests(table: &mut Table) -> Guests {
    let count = table.count("count");
    let server = table.word("server", SERVERS).unwrap_or(SERVERS[0]).to_owned();
    let period = table.duration("period", Duration::from_ms(10));
    let budget = if table.is_text("budget", "design") {
        Budget::Designed
    } else {
        Budget::OfDemand(table.part("budget", 1_000_000))
    };
    let scheduler = scheduler(table);
    Guests { count, server, period, budget, scheduler }
}

fn interrupts(table: &mut Table, has_guests: bool) -> Interrupts {
    let count = table.count("count");
    let utilisation_ppm = table.part("utilisation", 10_000);
    let shortest = table.duration("shortest", Duration::from_ms(1));
    let longest = table.duration("longest", Duration::from_ms(1_000).max(shortest));
    if shortest > longest {
        table.refuse("shortest", "`shortest` is above `longest`", "nothing is in between");
    }
    let mut host_ppm = 1_000_000;
    if has_guests {
        host_ppm = table.part("host", 200_000);
        if host_ppm > 1_000_000 {
            table.refuse("host", "`host` is above 100%", "a part of the routines' time");
        }
    } else {
        table.has_no_effect("host", "without [vms] all routines are the core's");
        table.has_no_effect("pseudo-vcpu", "without [vms] no guest has a routine");
    }
    let pseudo_vcpu = table.flag("pseudo-vcpu").unwrap_or(false);
    Interrupts {
        count,
        utilisation_ppm,
        shortest,
        longest: longest.max(shortest),
        host_ppm,
        pseudo_vcpu,
    }
}

fn costs(table: &mut Table) -> Vec<(&'static str, Duration)> {
    let named: Vec<&'static str> =
        COSTS.iter().map(|key| key.name).filter(|name| table.has(name)).collect();
    named.into_iter().map(|name| (name, table.duration(name, Duration::ZERO))).collect()
}
