//! Lost time, bounded and observed, by context and cause.
//!
//! **Model.** Per core one window, from the start on: the bound holds for every history up to there,
//! and some histories are run up to there. The loss of a virtual machine is that of its virtual processors.
//! Calls, callbacks, entries and exits may all fall to the same context, so their bound is that of
//! the whole core.
//!
//! **Does not cover** systems without costs and caches: there nothing is lost.

mod summary;

pub use summary::summary;

use crate::screen::Screen;
use crate::table::{self, Column, percent, percent_at_most};
use crate::unit::Unit;
use crate::watch;
use serde_json::{Map, Value, json};
use vorrang_analysis::Losses;
use vorrang_model::System;
use vorrang_model::system::{Costs, SupplyId};
use vorrang_sim::{Cause, Pattern, SYNCHRONOUS_JOBS, Search, Simulator, jobs_within, time_of};
use vorrang_time::{Duration, Instant};

/// What loses time while nothing has the core.
pub const NO_CONTEXT: &str = "no context";

/// Random histories that are run besides the synchronous one.
const BY_CHANCE: u64 = 3;

/// All that are run.
const HISTORIES: u64 = 1 + BY_CHANCE;

/// The share of the steps of a check that all these histories together may take in addition: a quarter.
const SHARE: u64 = 4;

/// What one core loses.
#[derive(Clone, Debug)]
pub struct Lost {
    core: SupplyId,
    window: Duration,
    /// Why there is no bound.
    reason: Option<String>,
    /// How many of the histories ended before the window does.
    cut_short: u64,
    /// The contexts that may lose something or did.
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    /// A virtual machine, a reservation of the host or a task; `None`: no context.
    name: Option<String>,
    /// By cause, in the order of [`watch::CAUSES`].
    bound: [Option<Duration>; 6],
    observed: [Duration; 6],
}

/// What every core loses, of these cores as it is known; empty where nothing takes time.
pub(crate) fn all(
    system: &System,
    search: &Search,
    (same, known): (&[SupplyId], &[Lost]),
) -> Vec<Lost> {
    if system.costs == Costs::default() && system.caches.is_empty() {
        return Vec::new();
    }
    let of = |core| {
        if same.binary_search(&core).is_ok() {
            known.iter().find(|lost| lost.core == core).cloned()
        } else {
            of_core(system, core, search)
        }
    };
    system.cores().filter_map(of).collect()
}

/// `None` if the core is not simulated.
fn of_core(system: &System, core: SupplyId, search: &Search) -> Option<Lost> {
    let seeds = (0..BY_CHANCE).map(|run| search.seed.wrapping_add(run));
    let names = core::iter::once("synchronous".to_owned());
    let names = names.chain(seeds.map(|seed| format!("random:{seed}")));
    let histories = names.map(|name| {
        let pattern = Pattern::parse(&name, system).ok()?;
        pattern.history(system, core).ok()
    });
    let histories: Vec<_> = histories.collect::<Option<_>>()?;
    let cores = system.cores().count() as u64;
    let steps = search.steps / SHARE / (cores * HISTORIES);
    let jobs = jobs_within(steps).min(SYNCHRONOUS_JOBS);
    let window = time_of(system, core, &histories[0], jobs).min(search.horizon);
    let mut lost = Lost { core, window, reason: None, cut_short: 0, rows: Vec::new() };
    match vorrang_analysis::losses(system, core, window) {
        Ok(bound) => lost.rows = bounded(system, &bound),
        Err(reason) => lost.reason = Some(reason.to_string()),
    }
    let mut simulator = Simulator::new(system, core).ok()?;
    for history in &histories {
        let mut seen = watch::Losses::of_core(system);
        simulator.allow(steps);
        let end = simulator.run(history, Instant::ZERO + window, &mut seen);
        lost.cut_short += u64::from(end.is_early());
        for loser in seen.losers_on_cores(system) {
            let row = lost.row(loser.name.as_deref());
            for (longest, (amount, _)) in row.observed.iter_mut().zip(loser.lost) {
                *longest = (*longest).max(amount);
            }
        }
    }
    lost.rows.retain(Row::loses_something);
    Some(lost)
}

impl Row {
    fn loses_something(&self) -> bool {
        let nothing = |time: &Duration| time.is_zero();
        !self.observed.iter().all(nothing)
            || !self.bound.iter().all(|time| time.as_ref().is_some_and(nothing))
    }

    fn is_exceeded(&self) -> bool {
        let pairs = self.bound.iter().zip(self.observed);
        pairs.into_iter().any(|(bound, seen)| bound.is_some_and(|bound| bound < seen))
    }
}

impl Lost {
    /// Without a bound until one is set.
    fn row(&mut self, name: Option<&str>) -> &mut Row {
        let place = self.rows.iter().position(|row| row.name.as_deref() == name);
        let place = place.unwrap_or_else(|| {
            let name = name.map(str::to_owned);
            // A context that is no member of a core with bounded losses has the bound of all together.
            let bound = match (&self.reason, self.rows.first()) {
                (None, Some(other)) => shared(other.bound),
                _ => [None; 6],
            };
            self.rows.push(Row { name, bound, observed: Default::default() });
            self.rows.len() - 1
        });
        &mut self.rows[place]
    }
}

/// Only the losses that may fall to any context.
fn shared(mut bound: [Option<Duration>; 6]) -> [Option<Duration>; 6] {
    bound[Cause::ColdCache as usize] = Some(Duration::ZERO);
    bound[Cause::ContextSwitch as usize] = Some(Duration::ZERO);
    bound
}

fn bounded(system: &System, bound: &Losses) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut all = [Some(Duration::ZERO); 6];
    for (cause, amount) in [
        (Cause::SchedulerCall, bound.scheduler_calls),
        (Cause::TimerExpiry, bound.timer_expiries),
        (Cause::InterruptEntry, bound.interrupt_entries),
        (Cause::VmExit, bound.vm_exits),
    ] {
        all[cause as usize] = Some(amount);
    }
    for own in &bound.contexts {
        let name = Some(watch::machine_name(system, own.member));
        let place = rows.iter().position(|row| row.name.as_deref() == name);
        let place = place.unwrap_or_else(|| {
            let name = name.map(str::to_owned);
            rows.push(Row { name, bound: all, observed: Default::default() });
            rows.len() - 1
        });
        let sum = |sum: &mut Option<Duration>, more: Option<Duration>| {
            *sum = sum.zip(more).and_then(|(sum, more)| sum.checked_add(more));
        };
        let row = &mut rows[place];
        sum(&mut row.bound[Cause::ColdCache as usize], own.cold_caches);
        sum(&mut row.bound[Cause::ContextSwitch as usize], own.context_switches);
    }
    rows.push(Row { name: None, bound: shared(all), observed: Default::default() });
    rows
}

/// Contexts whose losses exceed a bound: a bug.
pub fn exceeded(all: &[Lost]) -> Option<String> {
    let rows = all.iter().flat_map(|lost| &lost.rows);
    let found = rows.filter(|row| row.is_exceeded()).map(|row| format!("{row:?}"));
    let found: Vec<String> = found.collect();
    (!found.is_empty()).then(|| found.join("\n"))
}

/// How many rows the tables have that [`text`] draws, at most.
pub fn rows(all: &[Lost]) -> usize {
    all.iter().map(|lost| lost.rows.len() * watch::CAUSES.len()).sum()
}

/// A table for every core, and what it says.
pub fn text(screen: Screen, system: &System, all: &[Lost]) -> String {
    all.iter().filter(|lost| !lost.rows.is_empty()).map(|lost| of(screen, system, lost)).collect()
}

fn of(screen: Screen, system: &System, lost: &Lost) -> String {
    let entries = lost.rows.iter().flat_map(|row| {
        let causes = watch::CAUSES.into_iter().zip(row.bound).zip(row.observed);
        let causes = causes.map(move |((cause, bound), seen)| (row, cause, bound, seen));
        causes.filter(|(.., bound, seen)| *bound != Some(Duration::ZERO) || !seen.is_zero())
    });
    // Without a bound only observed losses are listed.
    let entries = entries.filter(|(.., seen)| lost.reason.is_none() || !seen.is_zero());
    let entries: Vec<_> = entries.collect();
    let of = |share: fn(Duration, Duration) -> Option<String>, time: Option<Duration>| {
        time.and_then(|time| share(time, lost.window)).unwrap_or("-".to_owned())
    };
    let name = |row: &Row| row.name.clone().unwrap_or(NO_CONTEXT.to_owned());
    let table = table::draw(
        screen,
        &[
            Column::words("lost by", entries.iter().map(|(row, ..)| name(row))),
            Column::words("to", entries.iter().map(|(_, cause, ..)| title(*cause).to_owned())),
            Column::numbers(
                "bound [%]",
                entries.iter().map(|(.., bound, _)| of(percent_at_most, *bound)),
            ),
            Column::numbers(
                "observed [%]",
                entries.iter().map(|(.., seen)| of(percent, Some(*seen))),
            ),
        ],
    );
    let core = &system.supply(lost.core).name;
    let window = Unit::of(lost.window).text(lost.window);
    let reason = lost.reason.as_ref().map(|reason| format!("No bound: {reason}.\n"));
    let reason = reason.unwrap_or_default();
    let cut_short = match lost.cut_short {
        0 => String::new(),
        count => format!("Cut short, so more may be lost: {count} of {HISTORIES} histories.\n"),
    };
    format!(
        "\nOf the time of {core}, in the first {window} of any history:\n\n{table}{reason}{cut_short}"
    )
}

const fn title(cause: Cause) -> &'static str {
    match cause {
        Cause::ColdCache => "cold caches",
        Cause::SchedulerCall => "scheduler calls",
        Cause::ContextSwitch => "context switches",
        Cause::TimerExpiry => "timer callbacks",
        Cause::InterruptEntry => "interrupt entries",
        Cause::VmExit => "VM exits",
    }
}

/// The same for programs.
pub fn document(system: &System, all: &[Lost]) -> Value {
    let core = |lost: &Lost| {
        json!({
            "core": system.supply(lost.core).name,
            "window_ns": lost.window.as_ns(),
            "reason": lost.reason,
            "cut_short": lost.cut_short,
            "losers": lost.rows.iter().map(row).collect::<Vec<_>>(),
        })
    };
    all.iter().map(core).collect()
}

fn row(row: &Row) -> Value {
    let mut causes = Map::new();
    for ((cause, bound), seen) in watch::CAUSES.into_iter().zip(row.bound).zip(row.observed) {
        let bound = bound.map(Duration::as_ns);
        let of = json!({ "bound_ns": bound, "observed_ns": seen.as_ns() });
        causes.insert(title(cause).to_lowercase().replace(' ', "_"), of);
    }
    json!({ "name": row.name, "causes": causes })
}
