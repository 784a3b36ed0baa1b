//! Tables beside the responses, each only where there is something to say.

use crate::loss::NO_CONTEXT;
use crate::screen::Screen;
use crate::table::{self, Column};
use crate::watch::{CAUSES, Delay, Packets, Watch, goes_on, reserved};
use vorrang_model::System;
use vorrang_sim::Cause;
use vorrang_time::Duration;

pub(super) fn packets(screen: Screen, watch: &Watch) -> String {
    let (devices, time) = (&watch.traffic.devices, watch.activity.time());
    if devices.is_empty() {
        return String::new();
    }
    let table = table::draw(
        screen,
        &[
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
        ],
    );
    table + "\n"
}

/// A line of the table of budgets.
struct Paid {
    name: String,
    /// `None`: a share of turns.
    reserved: Option<Reservation>,
    used: Duration,
    /// Without charge, where its kind goes on when it is exhausted.
    background: Option<Duration>,
    exhausted: u64,
}

/// Budget and period of something.
struct Reservation {
    budget: Duration,
    period: Duration,
    /// In the whole time.
    reserved: Duration,
}

impl Reservation {
    fn within(time: Duration, budget: Duration, period: Duration) -> Self {
        Self { budget, period, reserved: reserved(budget, period, time) }
    }
}

pub(super) fn budgets(screen: Screen, system: &System, watch: &Watch) -> String {
    let time = watch.activity.time();
    let servers = watch.budgets.servers(system).into_iter().map(|(id, account)| {
        let server = system.supply(id).server();
        Paid {
            name: system.supply(id).name.clone(),
            reserved: server.map(|own| Reservation::within(time, own.budget, own.period)),
            used: account.used,
            background: goes_on(system, id).then(|| account.background()),
            exhausted: account.exhausted,
        }
    });
    let pseudo_vcpus =
        watch.budgets.pseudo_vcpus(system).into_iter().filter_map(|(id, account)| {
            let interrupt = system.interrupt(id);
            let pseudo_vcpu = interrupt.delivery.as_ref()?.pseudo_vcpu.as_ref()?;
            Some(Paid {
                name: format!("pseudo-VCPU of {}", interrupt.name),
                reserved: Some(Reservation::within(time, pseudo_vcpu.budget, pseudo_vcpu.period)),
                used: account.used,
                background: None,
                exhausted: account.exhausted,
            })
        });
    let rows: Vec<Paid> = servers.chain(pseudo_vcpus).collect();
    if rows.is_empty() {
        return String::new();
    }
    let has_budget = |row: &Paid| row.reserved.is_some();
    let stated = |time: fn(&Reservation) -> Duration| {
        rows.iter().map(move |row| row.reserved.as_ref().map(time))
    };
    let mut columns = vec![Column::words("budget of", rows.iter().map(|row| row.name.clone()))];
    if rows.iter().any(has_budget) {
        let exhausted = |row: &Paid| has_budget(row).then_some(row.exhausted);
        columns.extend([
            Column::times("budget", stated(|of| of.budget)),
            Column::times("period", stated(|of| of.period)),
            Column::some_counts("exhausted", rows.iter().map(exhausted)),
            Column::times("reserved", stated(|of| of.reserved)),
        ]);
    }
    columns.push(Column::times("used", rows.iter().map(|row| Some(row.used))));
    if rows.iter().any(|row| row.background.is_some()) {
        columns.push(Column::times("background", rows.iter().map(|row| row.background)));
    }
    if rows.iter().any(has_budget) {
        let of_reserved = |row: &Paid| Some((row.used, row.reserved.as_ref()?.reserved));
        columns.push(Column::shares("of reserved", rows.iter().map(of_reserved)));
    }
    columns.push(Column::shares("of time", rows.iter().map(|row| Some((row.used, time)))));
    table::draw(screen, &columns) + "\n"
}

/// Of members that take turns.
pub(super) fn delays(screen: Screen, system: &System, watch: &Watch) -> String {
    let rows = &watch.delays.members;
    if rows.is_empty() {
        return String::new();
    }
    let slices = |row: &Delay| {
        let quantum = u128::from(row.quantum.as_ns().max(1));
        let hundredths = (u128::from(row.longest.as_ns()) * 100 + quantum / 2) / quantum;
        format!("{}.{:02}", hundredths / 100, hundredths % 100)
    };
    let table = table::draw(
        screen,
        &[
            Column::words("delay of", rows.iter().map(|row| row.name(system).to_owned())),
            Column::counts("waits", rows.iter().map(|row| row.waits)),
            Column::times("longest", rows.iter().map(|row| Some(row.longest))),
            Column::numbers("in slices", rows.iter().map(slices)),
        ],
    );
    table + "\n"
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

pub(super) fn losses(screen: Screen, system: &System, watch: &Watch) -> String {
    let losers = watch.losses.losers(system);
    if losers.is_empty() {
        return String::new();
    }
    let name = |name: &Option<String>| name.clone().unwrap_or(NO_CONTEXT.to_owned());
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
    table::draw(screen, &columns) + "\n"
}

pub(super) fn requests(screen: Screen, system: &System, watch: &Watch) -> String {
    let requests = system.interrupts_of(watch.core).map(|id| (id, watch.activity.requests[id.0]));
    let rows: Vec<_> =
        requests.filter(|(_, own)| own.masked + own.unmasked + own.merged > 0).collect();
    if rows.is_empty() {
        return String::new();
    }
    let table = table::draw(
        screen,
        &[
            Column::words(
                "requests of",
                rows.iter().map(|(id, _)| system.interrupt(*id).name.clone()),
            ),
            Column::counts("held back", rows.iter().map(|(_, own)| own.masked)),
            Column::counts("let through again", rows.iter().map(|(_, own)| own.unmasked)),
            Column::counts("merged", rows.iter().map(|(_, own)| own.merged)),
        ],
    );
    table + "\n"
}

pub(super) fn timers(screen: Screen, system: &System, watch: &Watch) -> String {
    let timers = system.timers_on(watch.core).map(|id| (id, watch.activity.timers[id.0]));
    let rows: Vec<_> = timers.filter(|(_, timer)| timer.count > 0).collect();
    if rows.is_empty() {
        return String::new();
    }
    let table = table::draw(
        screen,
        &[
            Column::words("expiry of", rows.iter().map(|(id, _)| system.timer(*id).name.clone())),
            Column::counts("handled", rows.iter().map(|(_, timer)| timer.count)),
            Column::times("mean after", rows.iter().map(|(_, timer)| timer.mean())),
            Column::times("longest", rows.iter().map(|(_, timer)| Some(timer.longest))),
        ],
    );
    table + "\n"
}
