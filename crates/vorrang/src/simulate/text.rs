//! The result of `vorrang simulate` for people.
//!
//! ```text
//! core.0
//! responses: one row per task, interrupt and way of a packet
//! the first miss as a sentence
//! the chart, the histograms
//! budgets, losses, packets, requests, timers: a table each, where there is something to say
//! what the core did with its time
//! tool, input, history
//! ```

use super::bars;
use super::rows::{self, Named};
use super::simulation::{Followed, Seen, Simulation};
use crate::chance::{Chance, Frequency, decimal};
use crate::distribution::Distribution;
use crate::gantt::Characters;
use crate::identity::TOOL;
use crate::prose::wrapped;
use crate::table::{self, Column};
use crate::unit::Unit;
use crate::watch::{CAUSES, Doing, Packets, Response, Row, Watch, per_second, reserved};
use std::fmt::Write as _;
use vorrang_model::System;
use vorrang_model::system::ServerKind;
use vorrang_sim::{Cause, End};
use vorrang_time::{Duration, Instant};

/// What is drawn besides tables.
pub(super) struct Drawing {
    /// With which characters.
    pub(super) characters: Characters,
    /// Names of what to draw a histogram of; empty: of everything; `None`: of nothing.
    pub(super) histograms: Option<Vec<String>>,
}

/// The whole result.
pub(super) fn of(simulation: &Simulation, drawing: &Drawing) -> String {
    let system = &simulation.input.system;
    let mut out = String::new();
    for Followed { core, seen } in &simulation.cores {
        let name = &system.supply(*core).name;
        match seen {
            Ok(seen) => {
                let _ = writeln!(out, "{name}\n");
                out += &core_of(simulation, seen, drawing);
            }
            Err(what) => {
                let _ = writeln!(out, "{name} is not simulated: {what}.\n");
            }
        }
    }
    out + &foot(simulation)
}

fn core_of(simulation: &Simulation, seen: &Seen, drawing: &Drawing) -> String {
    let system = &simulation.input.system;
    let watch = &seen.watch;
    let rows = rows::all(watch);
    let mut out = responses(&rows);
    let _ = writeln!(out, "\n{}", first_miss(watch));
    if let Some(chart) = &seen.chart {
        let _ = writeln!(out, "{}", chart.draw(drawing.characters));
    }
    for named in rows.iter().filter(|named| drawing.wants(named)) {
        let _ =
            writeln!(out, "{}", bars::draw(&named.name, named.distribution, drawing.characters));
    }
    for table in [
        chances(simulation, watch),
        packets(watch),
        budgets(system, watch),
        losses(system, watch),
        requests(system, watch),
        timers(system, watch),
    ] {
        out += &table;
    }
    let time = watch.activity.time();
    if !time.is_zero() {
        out += &wrapped(&activity(watch), "", "  ");
    }
    if time < simulation.horizon {
        let at = Unit::of(simulation.horizon).at(Instant::ZERO + time);
        let what = match seen.end {
            End::FullBooks => "Ended, because too many requests and woken jobs wait,",
            _ => "Interrupted",
        };
        let _ = writeln!(out, "{what} at {at}: what comes later is not known.");
    }
    if !out.ends_with("\n\n") {
        out.push('\n');
    }
    out
}

impl Drawing {
    fn wants(&self, named: &Named) -> bool {
        let wanted = self.histograms.as_ref();
        wanted
            .is_some_and(|names| names.is_empty() || names.iter().any(|name| name == named.subject))
    }
}

fn responses(rows: &[Named]) -> String {
    let distributions = || rows.iter().map(|named| named.distribution);
    let of_row = |named: &Named, what: fn(&Row) -> Option<Duration>| named.row.and_then(what);
    let jobs = |named: &Named| named.row.map_or(named.distribution.count(), Row::jobs);
    let longest = |named: &Named| match named.row {
        Some(row) => row.longest.map(|response| response.time),
        None => named.distribution.longest(),
    };
    let misses = |named: &Named| named.row.filter(|row| row.limit.is_some()).map(|row| row.misses);
    table::draw(&[
        Column::words("response of", rows.iter().map(|named| named.name.clone())),
        Column::counts("jobs", rows.iter().map(jobs)),
        Column::times("shortest", distributions().map(Distribution::shortest)),
        Column::times("mean", distributions().map(Distribution::mean)),
        Column::times("median", distributions().map(|times| times.percentile(500_000))),
        Column::times("99%", distributions().map(|times| times.percentile(990_000))),
        Column::times("longest", rows.iter().map(longest)),
        Column::times("limit", rows.iter().map(|named| of_row(named, |row| row.limit))),
        Column::some_counts("misses", rows.iter().map(misses)),
    ])
}

fn first_miss(watch: &Watch) -> String {
    let mut out = match watch.responses.first_miss() {
        Some((row, miss)) => sentence(row, miss),
        None => NO_MISS.to_owned(),
    };
    let misbehave = watch.responses.rows.iter().filter(|row| row.misbehaves);
    let names: Vec<&str> = misbehave.map(|row| row.name.as_str()).collect();
    if !names.is_empty() {
        let text = format!("In a storm, so that no requirement counts: {}.", names.join(", "));
        out += &wrapped(&text, "", "  ");
    }
    let waiting = |row: &&Row| row.longest.is_some_and(|longest| !longest.finished);
    for row in watch.responses.rows.iter().filter(waiting) {
        let since = row.longest.map_or(Duration::ZERO, |longest| longest.time);
        let unit = Unit::of(row.limit.unwrap_or(since));
        let (count, jobs) = (row.unfinished, row.jobs());
        let are = if count == 1 { "is" } else { "are" };
        let text = format!(
            "{}: {count} of {jobs} jobs {are} not complete at the end; the oldest has waited for {}.",
            row.name,
            unit.text(since)
        );
        out += &wrapped(&text, "", "  ");
    }
    out
}

const NO_MISS: &str = "No requirement is missed in this history.\n";

fn sentence(row: &Row, miss: Response) -> String {
    let Response { arrival, time, finished } = miss;
    let limit = row.limit.expect("only a limit can be missed");
    let unit = Unit::of(limit);
    let (deadline, end) = (arrival + limit, arrival + time);
    let fate = if finished {
        format!("is complete at {}, {} late", unit.at(end), unit.text(end - deadline))
    } else {
        "is not complete at the end of the history".to_owned()
    };
    let text = format!(
        "The first miss: {} arrives at {}, has its deadline at {} and {fate}.",
        row.name,
        unit.at(arrival),
        unit.at(deadline)
    );
    wrapped(&text, "", "  ")
}

fn chances(simulation: &Simulation, watch: &Watch) -> String {
    let rows: Vec<_> = simulation.chances(watch).collect();
    if rows.is_empty() {
        return String::new();
    }
    let seen = |of: fn(&Frequency) -> u64| {
        rows.iter().map(move |(_, _, chance)| chance.seen.as_ref().map(of))
    };
    let share = |chance: &Chance| chance.seen.as_ref().map_or("-".to_owned(), Frequency::share);
    let bound = |chance: &Chance| chance.later.map_or("-".to_owned(), |later| later.to_string());
    let table = table::draw(&[
        Column::words("late by", rows.iter().map(|(name, ..)| (*name).to_owned())),
        Column::times("limit", rows.iter().map(|(_, limit, _)| Some(*limit))),
        Column::some_counts("jobs", seen(|seen| seen.jobs)),
        Column::some_counts("late", seen(|seen| seen.late)),
        Column::numbers("share", rows.iter().map(|(_, _, chance)| share(chance))),
        Column::numbers("bound", rows.iter().map(|(_, _, chance)| bound(chance))),
        Column::numbers("allowed", rows.iter().map(|(_, _, chance)| decimal(chance.allowed()))),
    ]);
    table + "\n"
}

fn packets(watch: &Watch) -> String {
    let (devices, time) = (&watch.traffic.devices, watch.activity.time());
    if devices.is_empty() {
        return String::new();
    }
    let table = table::draw(&[
        Column::words("packets of", devices.iter().map(|device| device.name.clone())),
        Column::counts("arrived", devices.iter().map(Packets::arrived)),
        Column::counts("ring full", devices.iter().map(|device| device.dropped_at_ring)),
        Column::counts("socket full", devices.iter().map(|device| device.dropped_at_socket)),
        Column::counts("delivered", devices.iter().map(|device| device.deliveries.count())),
        Column::rates(
            "rate",
            "[1/s]",
            devices.iter().map(|device| device.packets_per_second(time)),
        ),
        Column::rates(
            "payload",
            "[bit/s]",
            devices.iter().map(|device| device.bits_per_second(time)),
        ),
    ]);
    table + "\n"
}

/// A line of the table of budgets.
struct Paid {
    name: String,
    budget: Duration,
    period: Duration,
    reserved: Option<Duration>,
    used: Duration,
    exhausted: u64,
}

fn budgets(system: &System, watch: &Watch) -> String {
    let time = watch.activity.time();
    let servers = watch.budgets.servers(system).into_iter().filter_map(|(id, account)| {
        let server = system.supply(id).server.as_ref()?;
        Some(Paid {
            name: system.supply(id).name.clone(),
            budget: server.budget,
            period: server.period,
            reserved: (server.kind != ServerKind::Share)
                .then(|| reserved(server.budget, server.period, time)),
            used: account.used,
            exhausted: account.exhausted,
        })
    });
    let pseudo_vcpus =
        watch.budgets.pseudo_vcpus(system).into_iter().filter_map(|(id, account)| {
            let interrupt = system.interrupt(id);
            let pseudo_vcpu = interrupt.delivery.as_ref()?.pseudo_vcpu.as_ref()?;
            Some(Paid {
                name: format!("pseudo-VCPU of {}", interrupt.name),
                budget: pseudo_vcpu.budget,
                period: pseudo_vcpu.period,
                reserved: Some(reserved(pseudo_vcpu.budget, pseudo_vcpu.period, time)),
                used: account.used,
                exhausted: account.exhausted,
            })
        });
    let rows: Vec<Paid> = servers.chain(pseudo_vcpus).collect();
    if rows.is_empty() {
        return String::new();
    }
    let has_budget = |row: &Paid| row.reserved.is_some();
    let stated = |time: fn(&Paid) -> Duration| {
        rows.iter().map(move |row| has_budget(row).then_some(time(row)))
    };
    let mut columns = vec![Column::words("budget of", rows.iter().map(|row| row.name.clone()))];
    if rows.iter().any(has_budget) {
        let exhausted = |row: &Paid| has_budget(row).then_some(row.exhausted);
        columns.extend([
            Column::times("budget", stated(|row| row.budget)),
            Column::times("period", stated(|row| row.period)),
            Column::some_counts("exhausted", rows.iter().map(exhausted)),
            Column::times("reserved", rows.iter().map(|row| row.reserved)),
        ]);
    }
    columns.push(Column::times("used", rows.iter().map(|row| Some(row.used))));
    if rows.iter().any(has_budget) {
        let of_reserved = |row: &Paid| Some((row.used, row.reserved?));
        columns.push(Column::shares("of reserved", rows.iter().map(of_reserved)));
    }
    columns.push(Column::shares("of time", rows.iter().map(|row| Some((row.used, time)))));
    table::draw(&columns) + "\n"
}

/// As the causes are called in tables.
fn title(cause: Cause) -> &'static str {
    match cause {
        Cause::ColdCache => "cold cache",
        Cause::SchedulerCall => "scheduler",
        Cause::ContextSwitch => "switches",
        Cause::TimerExpiry => "timers",
        Cause::InterruptEntry => "interrupts",
        Cause::VmExit => "VM exits",
    }
}

fn losses(system: &System, watch: &Watch) -> String {
    let losers = watch.losses.losers(system);
    if losers.is_empty() {
        return String::new();
    }
    let name = |name: &Option<String>| name.clone().unwrap_or("nobody".to_owned());
    let mut columns = vec![Column::words("lost by", losers.iter().map(|loser| name(&loser.name)))];
    for (place, cause) in CAUSES.into_iter().enumerate() {
        let lost = || losers.iter().map(move |loser| loser.lost[place].0);
        if lost().any(|amount| !amount.is_zero()) {
            columns.push(Column::times(title(cause), lost().map(Some)));
        }
    }
    let time = watch.activity.time();
    columns.push(Column::times("in all", losers.iter().map(|loser| Some(loser.total()))));
    columns.push(Column::shares("of time", losers.iter().map(|loser| Some((loser.total(), time)))));
    table::draw(&columns) + "\n"
}

fn requests(system: &System, watch: &Watch) -> String {
    let requests = system.interrupts_on(watch.core).map(|id| (id, watch.activity.requests[id.0]));
    let rows: Vec<_> =
        requests.filter(|(_, own)| own.masked + own.unmasked + own.merged > 0).collect();
    if rows.is_empty() {
        return String::new();
    }
    let table = table::draw(&[
        Column::words("requests of", rows.iter().map(|(id, _)| system.interrupt(*id).name.clone())),
        Column::counts("held back", rows.iter().map(|(_, own)| own.masked)),
        Column::counts("let through again", rows.iter().map(|(_, own)| own.unmasked)),
        Column::counts("merged", rows.iter().map(|(_, own)| own.merged)),
    ]);
    table + "\n"
}

fn timers(system: &System, watch: &Watch) -> String {
    let timers = system.timers_on(watch.core).map(|id| (id, watch.activity.timers[id.0]));
    let rows: Vec<_> = timers.filter(|(_, timer)| timer.count > 0).collect();
    if rows.is_empty() {
        return String::new();
    }
    let table = table::draw(&[
        Column::words("expiry of", rows.iter().map(|(id, _)| system.timer(*id).name.clone())),
        Column::counts("handled", rows.iter().map(|(_, timer)| timer.count)),
        Column::times("mean after", rows.iter().map(|(_, timer)| timer.mean())),
        Column::times("longest", rows.iter().map(|(_, timer)| Some(timer.longest))),
    ]);
    table + "\n"
}

/// What the core did, and how often it changed, in a sentence each.
fn activity(watch: &Watch) -> String {
    let activity = &watch.activity;
    let time = activity.time();
    let spent = Doing::ALL.into_iter().filter(|&doing| !activity.spent(doing).is_zero());
    let parts: Vec<String> = spent
        .filter_map(|doing| {
            let share = table::percent(activity.spent(doing), time)?;
            Some(format!("{} {share}%", doing.text()))
        })
        .collect();
    let mut text = format!("Time of the core: {}.", parts.join(", "));
    let switches = activity.switches;
    if switches > 0 {
        let rate = per_second(u128::from(switches), time);
        let _ = write!(text, " Context switches: {switches} ({rate} a second)");
        let _ = write!(text, "; scheduler calls: {}.", activity.calls);
    }
    text
}

fn foot(simulation: &Simulation) -> String {
    let Simulation { input, pattern, horizon, resolution, .. } = simulation;
    let tenths = resolution.tenths_of_a_percent();
    format!(
        "{TOOL}\n{}\nsha256 {}\nHistory {pattern}, {horizon} long. Percentiles are at most {}.{}% \
         too long.\n",
        input.name,
        input.sha256,
        tenths / 10,
        tenths % 10
    )
}
