//! How much of each core and of each server is reserved, used and left: for people and for programs.
//!
//! The shares are defined where they are computed ([`vorrang_analysis::utilisation::Occupied`]).
//! Used shares are rounded up, remaining ones down.

use crate::guarantee::Guarantee;
use crate::outcome::toned;
use crate::screen::{Screen, Tone};
use crate::table::{self, Column};
use serde_json::{Value, json};
use std::fmt::Write as _;
use vorrang_analysis::Bandwidth;
use vorrang_analysis::utilisation::Occupied;
use vorrang_model::System;
use vorrang_model::system::{Member, SupplyId};

/// A table: a row for each core, its servers below it; if `most` is given, of so many cores only, those
/// that have the least left, and without their servers.
pub fn text(
    screen: Screen,
    system: &System,
    all: &[Occupied],
    guarantees: &[Guarantee],
    most: Option<usize>,
) -> String {
    let mut rows = Vec::new();
    for core in system.cores() {
        below(system, core, 0, most.is_some(), &mut rows);
    }
    let rest = rows.len().saturating_sub(most.unwrap_or(rows.len()));
    if rest > 0 {
        rows.sort_by_key(|(id, _)| all[id.0].left().map(Bandwidth::hundredths_floor));
        rows.truncate(rows.len() - rest);
        rows.sort_by_key(|(id, _)| *id);
    }
    let of = |column: fn(&Occupied) -> Option<Bandwidth>, text: fn(Bandwidth) -> String| {
        let cell = move |(id, _): &(SupplyId, usize)| column(&all[id.0]).map_or("-".into(), text);
        rows.iter().map(cell).collect::<Vec<String>>()
    };
    let name = |(id, depth): &(SupplyId, usize)| {
        format!("{}{}", "  ".repeat(*depth), system.supply(*id).name)
    };
    let mut columns = vec![
        Column::words("of", rows.iter().map(name)),
        Column::numbers("has [%]", of(|row| row.capacity, up)),
        Column::numbers("reserved [%]", of(|row| Some(row.reserved), up)),
        Column::numbers("tasks [%]", of(|row| Some(row.tasks), up)),
    ];
    let any = |share: fn(&Occupied) -> bool| rows.iter().any(|(id, _)| share(&all[id.0]));
    if any(|row| row.interrupts != Bandwidth::ZERO) {
        columns.push(Column::numbers("interrupts [%]", of(|row| Some(row.interrupts), up)));
    }
    // Without a storm the two differ where interrupts alone are more than the core.
    let may_storm = system.interrupts.iter().any(|interrupt| interrupt.storm.is_some());
    if may_storm && any(|row| row.storm != row.interrupts) {
        columns.push(Column::numbers("in storms [%]", of(|row| Some(row.storm), up)));
    }
    if any(|row| row.costs != Bandwidth::ZERO) {
        columns.push(Column::numbers("costs [%]", of(|row| Some(row.costs), up)));
    }
    columns.push(Column::numbers("left [%]", of(Occupied::left, down)));
    columns.push(Column::numbers("used inside [%]", of(|row| Some(row.used), up)));
    let verdict = |(id, _): &(SupplyId, usize)| {
        guarantees.iter().find(|of| of.server == *id).map(|of| toned(of.verdict()))
    };
    if rows.iter().any(|row| verdict(row).is_some()) {
        let cells = rows.iter().map(|row| verdict(row).unwrap_or(("-", Tone::Good)));
        columns.push(Column::toned("budget", cells));
    }
    let mut out = format!(
        "\nUtilisation, in percent of a core (left rounded down, all else up):\n\n{}",
        table::draw(screen, &columns)
    );
    if rest > 0 {
        let _ = writeln!(out, "… and {rest} more cores");
    }
    out
}

fn below(
    system: &System,
    id: SupplyId,
    depth: usize,
    core_only: bool,
    rows: &mut Vec<(SupplyId, usize)>,
) {
    rows.push((id, depth));
    if core_only {
        return;
    }
    for &member in &system.supply(id).members {
        if let Member::Server(inner) = member {
            below(system, inner, depth + 1, core_only, rows);
        }
    }
}

/// Rounded up, in percent.
pub fn up(share: Bandwidth) -> String {
    decimal(share.hundredths_ceil())
}

/// Rounded down, in percent.
pub fn down(share: Bandwidth) -> String {
    decimal(share.hundredths_floor())
}

/// Hundredths as a decimal fraction.
pub fn decimal(hundredths: i128) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    let hundredths = hundredths.unsigned_abs();
    format!("{sign}{}.{:02}", hundredths / 100, hundredths % 100)
}

/// The same for programs: percent of a core as decimal fractions in strings.
pub fn document(system: &System, all: &[Occupied]) -> Value {
    let row = |row: &Occupied| {
        let parent = system.supply(row.supply).on();
        json!({
            "name": system.supply(row.supply).name,
            "on": parent.map(|on| &system.supply(on).name),
            "capacity_percent": row.capacity.map(up),
            "reserved_percent": up(row.reserved),
            "tasks_percent": up(row.tasks),
            "interrupts_percent": up(row.interrupts),
            "storm_percent": up(row.storm),
            "costs_percent": up(row.costs),
            "left_percent": row.left().map(down),
            "used_inside_percent": up(row.used),
        })
    };
    all.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::PLAIN;
    use vorrang_analysis::utilisation::occupied;

    #[test]
    fn reserved_used_and_left_stand_beside_each_other() {
        let source = r#"
            version = 1
            costs = { interrupt-entry = "1us", vm-exit = "2us" }
            [core.0]
            scheduler = "fixed-priority"
            [vcpu.guest]
            vm = "guest"
            on = "core.0"
            server = "deferrable"
            budget = "1ms"
            period = "3ms"
            priority = 2
            scheduler = "fixed-priority"
            [task.inside]
            on = "vcpu.guest"
            wcet = "1ms"
            period = "9ms"
            priority = 1
            [task.beside]
            on = "core.0"
            wcet = "1ms"
            period = "10ms"
            priority = 1
            [interrupt.net]
            on = "core.0"
            isr = "3us"
            min-interarrival = "1ms"
            storm = "30us"
            virtual = { vcpu = "vcpu.guest", isr = "10us" }
        "#;
        let read = vorrang_model::read(source, vorrang_model::Format::Toml);
        let system = read.unwrap_or_else(|errors| panic!("{errors:#?}"));
        insta::assert_snapshot!(text(PLAIN, &system, &occupied(&system), &[], None), @r"

        Utilisation, in percent of a core (left rounded down, all else up):

        of               has  reserved  tasks  interrupts  in storms  costs   left  used inside
                         [%]       [%]    [%]         [%]        [%]    [%]    [%]          [%]
        ------------  ------  --------  -----  ----------  ---------  -----  -----  -----------
        core.0        100.00     33.34  10.00        0.30      10.00   0.17  56.20        22.12
          vcpu.guest   33.34      0.00  11.12        1.00      33.34   0.20  21.02        12.12
        ");
    }

    /// It takes what is left, of a budget or of the core, and no more.
    #[test]
    fn a_thread_that_polls_leaves_nothing() {
        let table = |polls: &str| {
            let source = format!(
                r#"
                version = 1
                core.0 = {{ scheduler = "fixed-priority" }}
                server.budget = {{ on = "core.0", server = "deferrable", budget = "1ms", period = "4ms", priority = 3 }}
                server.level = {{ on = "core.0", server = "none", priority = 2 }}
                task.inside = {{ on = "server.budget", wcet = "1ms", period = "8ms", priority = 2 }}
                task.beside = {{ on = "server.level", wcet = "1ms", period = "10ms", priority = 2 }}
                {polls}
                "#
            );
            let read = vorrang_model::read(&source, vorrang_model::Format::Toml);
            let system = read.unwrap_or_else(|errors| panic!("{errors:#?}"));
            text(PLAIN, &system, &occupied(&system), &[], None)
        };
        let in_budget = r#"task.poll = { on = "server.budget", polls = true, priority = 1 }"#;
        insta::assert_snapshot!(table(in_budget), @r"

        Utilisation, in percent of a core (left rounded down, all else up):

        of                  has  reserved  tasks   left  used inside
                            [%]       [%]    [%]    [%]          [%]
        ---------------  ------  --------  -----  -----  -----------
        core.0           100.00     25.00  10.00  65.00        35.00
          server.budget   25.00      0.00  25.00   0.00        25.00
          server.level        -      0.00  10.00      -        10.00
        ");
        let in_level = r#"task.poll = { on = "server.level", polls = true, priority = 1 }"#;
        insta::assert_snapshot!(table(in_level), @r"

        Utilisation, in percent of a core (left rounded down, all else up):

        of                  has  reserved  tasks   left  used inside
                            [%]       [%]    [%]    [%]          [%]
        ---------------  ------  --------  -----  -----  -----------
        core.0           100.00     25.00  75.00   0.00        87.50
          server.budget   25.00      0.00  12.50  12.50        12.50
          server.level        -      0.00  10.00      -        10.00
        ");
    }
}
