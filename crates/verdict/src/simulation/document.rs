//! The result of `vorrang simulate` for programs: format "vorrang-simulate/1".
//!
//! **Model.** As in [`crate::json`]: all times are integers in nanoseconds, under keys that end in
//! `_ns`; a key is always there, `null` where there is nothing to say. Within version 1 keys may be
//! added, none is removed or changes its meaning.

use super::chains;
use super::rows::{self, Named};
use super::{Followed, Seen, Simulation};
use crate::chance::Chance;
use crate::identity::TOOL;
use crate::json;
use crate::watch::{
    Account, CAUSES, Delay, Doing, Loser, Packets, Response, Row, Watch, goes_on, reserved,
};
use serde_json::{Map, Value, json};
use vorrang_model::System;
use vorrang_model::system::{InterruptId, SupplyId, TimerId};
use vorrang_sim::Cause;
use vorrang_time::Duration;

/// Percentiles by the name of their key, in millionths.
const PERCENTILES: [(&str, u32); 7] = [
    ("50", 500_000),
    ("90", 900_000),
    ("95", 950_000),
    ("99", 990_000),
    ("99.9", 999_000),
    ("99.99", 999_900),
    ("99.999", 999_990),
];

/// The document, with a line feed at the end.
pub fn of(simulation: &Simulation) -> String {
    let system = &simulation.input.system;
    let document = json!({
        "format": "vorrang-simulate/1",
        "tool": TOOL,
        "input_sha256": simulation.input.sha256,
        "history": simulation.pattern.to_string(),
        "horizon_ns": simulation.horizon.as_ns(),
        "interrupted_at_ns": simulation.interrupted().map(Duration::as_ns),
        "ended_early_at_ns": simulation.ended_early().map(Duration::as_ns),
        "missed": simulation.is_missed(),
        "percentiles_too_long_by_at_most_per_mille": simulation.resolution.tenths_of_a_percent(),
        "cores": simulation.cores.iter().map(|core| core_of(simulation, core)).collect::<Vec<_>>(),
        "chains": simulation.chains.iter().map(|own| chains::document(system, own)).collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}

fn core_of(simulation: &Simulation, Followed { core, seen }: &Followed) -> Value {
    let system = &simulation.input.system;
    let name = &system.supply(*core).name;
    match seen {
        Ok(Seen { watch, .. }) => json!({
            "name": name,
            "not_simulated": null,
            "simulated_ns": watch.activity.time().as_ns(),
            "responses": rows::all(watch).iter().map(response).collect::<Vec<_>>(),
            "probabilities": simulation.chances(watch).map(probability).collect::<Vec<_>>(),
            "packets": watch.traffic.devices.iter().map(|device| packets(watch, device)).collect::<Vec<_>>(),
            "budgets": budgets(system, watch),
            "delays": watch.delays.members.iter().map(|own| delay(system, own)).collect::<Vec<_>>(),
            "losses": watch.losses.losers(system).iter().map(loser).collect::<Vec<_>>(),
            "requests": system.requests_on(*core).map(|id| requests(system, watch, id)).collect::<Vec<_>>(),
            "timers": timers(system, watch),
            "time": time(watch),
            "scheduler_calls": watch.activity.calls,
            "context_switches": watch.activity.switches,
        }),
        Err(why) => json!({ "name": name, "not_simulated": why.to_string() }),
    }
}

fn response(named: &Named) -> Value {
    let times = named.distribution;
    let mut percentiles = Map::new();
    for (key, of_a_million) in PERCENTILES {
        percentiles.insert(format!("{key}_ns"), nanoseconds(times.percentile(of_a_million)));
    }
    let longest = named.row.and_then(|row| row.longest);
    let first_miss = named.row.and_then(|row| Some(miss(row.miss?, row.limit?)));
    json!({
        "name": named.name,
        "of": named.subject,
        "jobs": named.row.map_or(times.count(), Row::jobs),
        "completed": times.count(),
        "shortest_ns": nanoseconds(times.shortest()),
        "mean_ns": nanoseconds(times.mean()),
        "percentiles": percentiles,
        "longest_ns": nanoseconds(longest.map(|longest| longest.time).or(times.longest())),
        "longest_arrival_ns": longest.map(|longest| longest.arrival.as_ns()),
        "longest_completed": longest.map(|longest| longest.finished),
        "limit_ns": nanoseconds(named.row.and_then(|row| row.limit)),
        "misbehaves": named.row.map(|row| row.misbehaves),
        "misses": named.row.and_then(|row| row.limit.map(|_| row.misses)),
        "first_miss": first_miss,
    })
}

fn probability((name, limit, chance): (&str, Duration, Chance)) -> Value {
    json!({ "name": name, "limit_ns": limit.as_ns(), "probability": json::chance(&chance) })
}

fn miss(miss: Response, limit: Duration) -> Value {
    json!({
        "arrival_ns": miss.arrival.as_ns(),
        "deadline_ns": (miss.arrival + limit).as_ns(),
        "response_ns": miss.time.as_ns(),
        "completed": miss.finished,
    })
}

fn packets(watch: &Watch, device: &Packets) -> Value {
    let time = watch.activity.time();
    json!({
        "name": device.name,
        "arrived": device.arrived(),
        "dropped_at_ring": device.dropped_at_ring,
        "dropped_at_socket": device.dropped_at_socket,
        "delivered": device.deliveries.count(),
        "packets_per_second": device.packets_per_second(time),
        "bits_per_second": device.bits_per_second(time),
    })
}

fn budgets(system: &System, watch: &Watch) -> Vec<Value> {
    let time = watch.activity.time();
    let servers = watch.budgets.servers(system).into_iter();
    let servers = servers.map(|(id, account)| server(system, id, &account, time));
    let pseudo_vcpus = watch.budgets.pseudo_vcpus(system).into_iter();
    servers
        .chain(pseudo_vcpus.map(|(id, account)| pseudo_vcpu(system, id, &account, time)))
        .collect()
}

fn server(system: &System, id: SupplyId, account: &Account, time: Duration) -> Value {
    let server = system.supply(id).server();
    let reserved = server.map(|server| reserved(server.budget, server.period, time));
    json!({
        "name": system.supply(id).name,
        "pseudo_vcpu_of": null,
        "reserved_ns": nanoseconds(reserved),
        "credited_ns": null,
        "used_ns": account.used.as_ns(),
        "background_ns": goes_on(system, id).then(|| account.background().as_ns()),
        "exhausted": account.exhausted,
    })
}

fn pseudo_vcpu(system: &System, id: InterruptId, account: &Account, time: Duration) -> Value {
    let interrupt = system.interrupt(id);
    let delivery = interrupt.delivery.as_ref();
    let own = delivery.and_then(|to| to.pseudo_vcpu.as_ref());
    json!({
        "name": delivery.map(|to| &system.supply(to.vcpu).name),
        "pseudo_vcpu_of": interrupt.name,
        "reserved_ns": nanoseconds(own.map(|own| reserved(own.budget, own.period, time))),
        "credited_ns": account.credited.as_ns(),
        "used_ns": account.used.as_ns(),
        "background_ns": null,
        "exhausted": account.exhausted,
    })
}

fn delay(system: &System, own: &Delay) -> Value {
    json!({
        "name": own.name(system),
        "waits": own.waits,
        "longest_ns": own.longest.as_ns(),
        "quantum_ns": own.quantum.as_ns(),
    })
}

fn loser(loser: &Loser) -> Value {
    let mut lost = Map::new();
    for (cause, (amount, count)) in CAUSES.into_iter().zip(loser.lost) {
        lost.insert(format!("{}_ns", key(cause)), amount.as_ns().into());
        lost.insert(format!("{}_count", key(cause)), count.into());
    }
    json!({ "name": loser.name, "total_ns": loser.total().as_ns(), "causes": lost })
}

const fn key(cause: Cause) -> &'static str {
    match cause {
        Cause::ColdCache => "cold_cache",
        Cause::SchedulerCall => "scheduler_call",
        Cause::ContextSwitch => "context_switch",
        Cause::TimerExpiry => "timer_expiry",
        Cause::InterruptEntry => "interrupt_entry",
        Cause::VmExit => "vm_exit",
    }
}

fn requests(system: &System, watch: &Watch, id: InterruptId) -> Value {
    let own = watch.activity.requests[id.0];
    json!({
        "name": system.interrupt(id).name,
        "held_back": own.masked,
        "let_through_again": own.unmasked,
        "merged": own.merged,
    })
}

fn timers(system: &System, watch: &Watch) -> Vec<Value> {
    let timer = |id: TimerId| {
        let own = &watch.activity.timers[id.0];
        json!({
            "name": system.timer(id).name,
            "handled": own.count,
            "mean_ns": nanoseconds(own.mean()),
            "longest_ns": own.longest.as_ns(),
        })
    };
    system.timers_on(watch.core).map(timer).collect()
}

fn time(watch: &Watch) -> Value {
    let mut time = Map::new();
    for doing in Doing::ALL {
        let key = doing.text().replace(['\'', ' ', '-'], "_").replace("__", "_");
        time.insert(format!("{key}_ns"), watch.activity.spent(doing).as_ns().into());
        time.insert(format!("{key}_stretches"), watch.activity.stretches(doing).into());
    }
    time.into()
}

fn nanoseconds(time: Option<Duration>) -> Value {
    time.map(Duration::as_ns).into()
}
