//! A design for people: the choice, its optimality, its price, the lines that change, the verdict.

use super::designed::Designed;
use super::payers;
use std::fmt::Write as _;
use vorrang_analysis::Bandwidth;
use vorrang_command::screen;
use vorrang_command::screen::wrapped;
use vorrang_design::{Cost, Price, Reach, price};
use vorrang_model::OpenKey;
use vorrang_model::system::{Server, SupplyId, Task};
use vorrang_time::Duration;
use vorrang_verdict::chain;
use vorrang_verdict::occupied::{decimal, down, up};
use vorrang_verdict::report;
use vorrang_verdict::screen::Tone;
use vorrang_verdict::table::Column;

pub(super) fn text(designed: &Designed) -> String {
    let mut out = chosen(designed) + "\n";
    out += &wrapped(&quality(designed), "", "");
    out += &prices(designed);
    out += &changes(designed);
    out += "\n";
    out += &report::sentence(screen::output(), &designed.rulings);
    out += &chain::sentence(screen::output(), &designed.chains);
    out + &report::budgets(screen::output(), &designed.guarantees)
}

/// The servers of which something was open, in the order of the text.
pub(super) fn servers(designed: &Designed) -> Vec<SupplyId> {
    let system = &designed.found.system;
    let ids = system.supply_ids();
    let values = designed.open.open.values();
    let mut servers: Vec<(usize, SupplyId)> = ids
        .filter_map(|id| {
            let name = &system.supply(id).name;
            Some((values.iter().position(|value| value.of == *name)?, id))
        })
        .collect();
    servers.sort_unstable();
    servers.into_iter().map(|(_, id)| id).collect()
}

fn server(designed: &Designed, id: SupplyId) -> &Server {
    designed.found.system.supply(id).server().expect("only servers are open")
}

/// The tasks of which something was open, in the order of the text.
fn tasks(designed: &Designed) -> Vec<&Task> {
    let system = &designed.found.system;
    let values = designed.open.open.values();
    let mut tasks: Vec<(usize, &Task)> = system
        .tasks
        .iter()
        .filter_map(|task| Some((values.iter().position(|value| value.of == task.name)?, task)))
        .collect();
    tasks.sort_unstable_by_key(|(place, _)| *place);
    tasks.into_iter().map(|(_, task)| task).collect()
}

/// A table of servers, one of pseudo-VCPUs, and one of tasks.
fn chosen(designed: &Designed) -> String {
    let tables = [chosen_servers(designed), payers::chosen(designed), chosen_tasks(designed)];
    tables.into_iter().flatten().collect::<Vec<String>>().join("\n")
}

fn chosen_servers(designed: &Designed) -> Option<String> {
    let system = &designed.found.system;
    let servers = servers(designed);
    let values = designed.open.open.values();
    let is_open = |key| {
        let is_server = |of: &str| servers.iter().any(|id| system.supply(*id).name == of);
        values.iter().any(|value| value.key == key && is_server(&value.of))
    };
    let of = |id: &SupplyId| server(designed, *id);
    let times = |header, time: fn(&Server) -> Duration| {
        Column::times(header, servers.iter().map(|id| Some(time(of(id)))))
    };
    let mut columns =
        vec![Column::words("of", servers.iter().map(|id| system.supply(*id).name.clone()))];
    if is_open(OpenKey::On) {
        let on = servers.iter().map(|id| system.supply(of(id).on).name.clone());
        columns.push(Column::words("on", on));
    }
    if is_open(OpenKey::Kind) {
        let kinds = servers.iter().map(|id| of(id).kind().word().to_owned());
        columns.push(Column::words("server", kinds));
    }
    columns.push(times("budget", |server| server.budget));
    columns.push(times("period", |server| server.period));
    if is_open(OpenKey::Priority) {
        let priorities = servers.iter().map(|id| of(id).priority.0.to_string());
        columns.push(Column::numbers("priority", priorities));
    }
    let share = |id: &SupplyId| up(Bandwidth::of(of(id).budget, of(id).period));
    columns.push(Column::numbers("reserves [%]", servers.iter().map(share)));
    (!servers.is_empty()).then(|| screen::draw(&columns))
}

fn chosen_tasks(designed: &Designed) -> Option<String> {
    let system = &designed.found.system;
    let tasks = tasks(designed);
    let values = designed.open.open.values();
    let is_open = |key| {
        let is_task = |of: &str| tasks.iter().any(|task| task.name == of);
        values.iter().any(|value| value.key == key && is_task(&value.of))
    };
    let mut columns = vec![Column::words("of", tasks.iter().map(|task| task.name.clone()))];
    if is_open(OpenKey::On) {
        let on = tasks.iter().map(|task| system.supply(task.on).name.clone());
        columns.push(Column::words("on", on));
    }
    if is_open(OpenKey::Priority) {
        let priorities = tasks.iter().map(|task| task.priority.0.to_string());
        columns.push(Column::numbers("priority", priorities));
    }
    (!tasks.is_empty()).then(|| screen::draw(&columns))
}

fn quality(designed: &Designed) -> String {
    let found = &designed.found;
    let reach = found.reach.map_or(String::new(), reach);
    let (cost, steps) = (up(found.cost.share()), found.steps);
    if found.cost == Cost::ZERO {
        return format!(
            "{reach}Of no server a budget or a period is open: every choice that is proven takes the same ({steps} steps)."
        );
    }
    let whole = designed.best.whole();
    let beginning =
        format!("{reach}These servers take {cost} % {whole}, with what switching takes");
    if found.cost <= found.least {
        return format!(
            "{beginning}: optimal, no other choice that is proven takes less ({steps} steps)."
        );
    }
    let least = down(found.least.share());
    // Known for a part of the bounds only: those in which a larger budget never improves anything
    // else.
    let monotonic = found.least_monotonic.is_none_or(|least| found.cost <= least);
    let monotonic = if monotonic {
        " None that is proven by the bounds monotonic in budgets alone takes less than this one."
    } else {
        ""
    };
    if found.least.share().hundredths_floor() == 0 {
        return format!(
            "{beginning}: found in {steps} steps; no lower bound is known for this.{monotonic}"
        );
    }
    let gap = gap(found).map_or(String::new(), |gap| format!(", within {gap} % of the optimum"));
    format!("{beginning}: found in {steps} steps{gap}; none takes less than {least} %.{monotonic}")
}

/// The factor of execution times that a design allows for.
fn reach(reach: Reach) -> String {
    let beginning = format!("Every wcet may grow by {} %", growth(reach.factor));
    match reach.none_from {
        Some(none) if none == reach.factor + 1 => {
            format!("{beginning}: optimal, for {} % there is no design. ", growth(none))
        }
        Some(none) => {
            format!(
                "{beginning}; for {} % there is no design, between none was found. ",
                growth(none)
            )
        }
        None => match reach.none_monotonic_from {
            Some(none) => format!(
                "{beginning}; for more no design was found, and for {} % none is proven by the bounds monotonic in budgets alone. ",
                growth(none)
            ),
            None => format!("{beginning}; for more no design was found, and none is excluded. "),
        },
    }
}

/// A factor in thousandths as what it adds, in percent.
pub(super) fn growth(factor: u64) -> String {
    let more = factor.saturating_sub(1_000);
    format!("{}.{}", more / 10, more % 10)
}

/// By how much at most a design takes more than the best, in percent of that, rounded up.
pub(super) fn gap(found: &vorrang_design::Design) -> Option<String> {
    let cost = found.cost.share().hundredths_ceil();
    let least = found.least.share().hundredths_floor();
    let more = (cost - least).checked_mul(10_000)?;
    (least > 0).then(|| decimal((more + least - 1) / least))
}

fn prices(designed: &Designed) -> String {
    let system = &designed.found.system;
    let prices = price(system);
    let column =
        |header, share: fn(&Price) -> String| Column::numbers(header, prices.iter().map(share));
    let mut columns = vec![
        Column::words("core", prices.iter().map(|row| system.supply(row.core).name.clone())),
        column("reserved [%]", |row| up(row.reserved)),
    ];
    if prices.iter().any(|row| row.fair_server.is_some()) {
        columns.push(column("fair server [%]", |row| row.fair_server.map_or("-".into(), up)));
    }
    columns.extend([
        column("beside [%]", |row| up(row.beside)),
        column("switching [%]", |row| up(row.switching)),
        column("left [%]", |row| row.left.map_or("-".into(), down)),
        column("used [%]", |row| up(row.used)),
    ]);
    format!(
        "\nThe price, in percent of a core (left rounded down, all else up):\n\n{}",
        screen::draw(&columns)
    )
}

/// Each line with open values, as it was and as it is.
fn changes(designed: &Designed) -> String {
    let bytes = &designed.open.bytes;
    let before = String::from_utf8_lossy(bytes);
    let after = designed.open.open.written(&designed.found.chosen);
    let after = String::from_utf8_lossy(&after);
    let (before, after): (Vec<&str>, Vec<&str>) =
        (before.lines().collect(), after.lines().collect());
    let mut out = format!("\n{}:\n\n", designed.input.name);
    let width = before.len().to_string().len();
    let mut line = |number: usize, sign: char, text: &str, tone| {
        let text = screen::toned(&format!("{:>width$} {sign} {text}", number + 1), tone);
        let _ = writeln!(out, "{text}");
    };
    // A grid may be written in several lines; what is chosen is in one.
    let mut fewer = 0;
    for (first, last) in lines_of(designed) {
        (first..=last).for_each(|number| line(number, '-', before[number], Tone::Bad));
        line(first - fewer, '+', after[first - fewer], Tone::Good);
        fewer += last - first;
    }
    out
}

/// The lines of the open values, from 0 on, from the one to the other; those that share one are together.
fn lines_of(designed: &Designed) -> Vec<(usize, usize)> {
    let bytes = &designed.open.bytes;
    let line = |at: usize| bytes[..at].split(|byte| *byte == b'\n').count() - 1;
    let mut all: Vec<(usize, usize)> = Vec::new();
    for value in designed.open.open.values() {
        let (first, last) = (line(value.span.start), line(value.span.end));
        match all.last_mut() {
            Some(before) if before.1 >= first => before.1 = last,
            _ => all.push((first, last)),
        }
    }
    all
}
