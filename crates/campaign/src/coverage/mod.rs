//! The features that a campaign has drawn, counted from the systems themselves, so that no feature silently
//! remains untested.

mod bursts;
mod kept;
mod offsets;
mod polls;
mod timers;

use std::collections::BTreeMap;
use vorrang_model::system::{
    Activation, CacheModel, Costs, Device, Interrupt, InterruptOrder, InterruptTime, Member,
    Packets, PseudoVcpuRule, Scheduler, ServerKind, Supply, SupplyId, System, Task,
};

/// How often each feature was drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage(BTreeMap<Feature, u64>);

/// A feature: the group that it is listed under, and its name.
pub type Feature = (&'static str, &'static str);

impl Coverage {
    /// Counts everything in a system.
    pub fn add(&mut self, system: &System) {
        self.count("system", "all");
        self.count("cores", if system.cores().count() > 1 { "two" } else { "one" });
        self.count("load of the first core", load(system));
        for id in system.supply_ids() {
            self.supply(system, id);
        }
        for id in system.task_ids() {
            self.task(system, system.task(id));
        }
        for interrupt in &system.interrupts {
            self.count("interrupt", length(interrupt.jitter, interrupt.min_interarrival, JITTER));
            self.interrupt(system, interrupt);
        }
        self.timers(system);
        self.bursts(system);
        self.offsets(system);
        self.kept(system);
        self.polls(system);
        for device in &system.devices {
            self.device(device);
        }
        for cache in &system.caches {
            self.count("cache", cache_model(cache.model));
        }
        self.costs(&system.costs);
    }

    /// Adds what another part of the campaign has counted.
    pub fn merge(&mut self, other: &Self) {
        for (feature, count) in &other.0 {
            *self.0.entry(*feature).or_default() += count;
        }
    }

    /// All features with their counts, by group and name.
    pub fn counts(&self) -> impl Iterator<Item = (Feature, u64)> + '_ {
        self.0.iter().map(|(feature, count)| (*feature, *count))
    }

    /// How often a feature was drawn.
    pub fn of(&self, feature: Feature) -> u64 {
        self.0.get(&feature).copied().unwrap_or(0)
    }

    fn count(&mut self, group: &'static str, name: &'static str) {
        *self.0.entry((group, name)).or_default() += 1;
    }

    fn supply(&mut self, system: &System, id: SupplyId) {
        let supply = system.supply(id);
        let scheduler = scheduler(supply);
        match supply.on().zip(supply.server_kind()) {
            None => self.count("core", scheduler),
            Some((on, own)) => {
                self.count("guest", scheduler);
                self.count("server", own.word());
                self.count(parent_group(system.supply(on)), own.word());
                self.count("server at depth", DEPTHS[depth(system, id)]);
            }
        }
        if let Some(server) = supply.server() {
            if server.budget == server.period {
                self.count("server", "with the whole period");
            }
            if server.reclaims() {
                self.count("server", "that reclaims");
            }
            if server.relative_deadline() < server.period {
                self.count("server", "with a deadline of its own");
            }
        }
        if supply.serves_other {
            self.count("server", "of SCHED_OTHER");
        } else if supply.vm.is_some() {
            self.count("server", "virtual processor");
        }
        let charges = supply.interrupt_time == InterruptTime::Charged;
        if supply.is_core() && charges && system.interrupts_on(id).next().is_some() {
            self.count("core", "that charges servers for interrupts");
        }
        if !supply.overrun.is_zero() {
            self.count("core", "whose runtimes end late");
        }
        if supply.rt_throttling.limit().is_some() {
            self.count("core", "that throttles real-time threads");
        }
        if !supply.sections.is_zero() {
            self.count("core", "with non-preemptible sections");
        }
        if supply.is_core() && system.interrupts_on(id).count() > 1 {
            self.count("order of interrupts", interrupt_order(supply.interrupt_order));
        }
        let servers = supply.members.iter().filter(|member| matches!(member, Member::Server(_)));
        match (servers.count(), supply.members.len()) {
            (0, _) => self.count("members", "tasks only"),
            (servers, members) if servers == members => self.count("members", "servers only"),
            _ => self.count("members", "mixed"),
        }
    }

    fn interrupt(&mut self, system: &System, interrupt: &Interrupt) {
        self.count(
            "interrupt",
            if interrupt.storm.is_some() { "that storms" } else { "that behaves" },
        );
        let Some(delivery) = &interrupt.delivery else {
            let wakes = interrupt.wakes.is_some();
            self.count("interrupt", if wakes { "that wakes a task" } else { "without a task" });
            return;
        };
        let by_timer = interrupt.timer.is_some();
        let how = match (by_timer, interrupt.posted) {
            (true, _) => "delivered by a timer",
            (_, true) => "posted to a guest",
            _ => "delivered to a guest",
        };
        self.count("interrupt", how);
        self.count(
            "delivered to",
            system.supply(delivery.vcpu).server_kind().map_or("core", ServerKind::word),
        );
        if let Some(pseudo) = &delivery.pseudo_vcpu {
            self.count("pseudo-vcpu", rule(pseudo.rule));
            self.count("pseudo-vcpu", if by_timer { "of a timer" } else { "of an interrupt" });
            let ceiling = pseudo.priority.is_none();
            self.count("pseudo-vcpu", if ceiling { "at the ceiling" } else { "with a priority" });
        }
    }

    fn device(&mut self, device: &Device) {
        self.count(
            "packets",
            match device.packets {
                Packets::Periodic { .. } => "periodic",
                Packets::Burst { .. } => "burst",
                Packets::Poisson { .. } => "poisson",
                Packets::LineRate { .. } => "line rate",
            },
        );
        let received = device.receiver.is_some();
        self.count("device", if received { "with a receiver" } else { "without a receiver" });
        if device.coalesce_packets > 1 {
            self.count("device", "that waits for several packets");
        }
        if !device.coalesce_time.is_zero() {
            self.count("device", "that waits for a time");
        }
    }

    fn costs(&mut self, costs: &Costs) {
        let named = [
            ("scheduler call", costs.scheduler_call),
            ("context switch", costs.context_switch),
            ("timer expiry", costs.timer_expiry),
            ("interrupt entry", costs.interrupt_entry),
            ("interrupt exit", costs.interrupt_exit),
            ("vm exit", costs.vm_exit),
        ];
        for (name, _) in named.into_iter().filter(|(_, cost)| !cost.is_zero()) {
            self.count("cost", name);
        }
    }

    fn task(&mut self, system: &System, task: &Task) {
        let supply = system.supply(task.on);
        self.count("task under", scheduler(supply));
        self.count("task at depth", DEPTHS[depth(system, task.on)]);
        self.count("task's jitter", length(task.jitter, task.min_interarrival, JITTER));
        self.count(
            "task's deadline",
            match task.deadline {
                None => "none (best effort)",
                Some(deadline) if deadline < task.min_interarrival => "shorter than the period",
                Some(deadline) if deadline == task.min_interarrival => "the period",
                Some(_) => "longer than the period",
            },
        );
        self.count("task is activated by", activation(task.activation));
        let blocking = if task.blocking.is_zero() { "none" } else { "some" };
        self.count("task's blocking", blocking);
        if supply.scheduler == Scheduler::FixedPriority {
            let equal =
                supply.members.iter().filter(|&&member| priority(system, member) == task.priority);
            self.count("task's priority", if equal.count() > 1 { "shared" } else { "alone" });
        }
        if supply.server().is_some_and(|server| task.min_interarrival < server.period) {
            self.count("task's period", "shorter than its server's");
        }
    }
}

const DEPTHS: [&str; 5] = ["0 (core)", "1", "2", "3", "4 or more"];
const JITTER: [&str; 3] = ["none", "up to the period", "longer than the period"];

/// Servers between a supply and its core, itself included.
pub fn depth(system: &System, mut supply: SupplyId) -> usize {
    let mut depth = 0;
    while let Some(on) = system.supply(supply).on() {
        supply = on;
        depth += 1;
    }
    depth.min(DEPTHS.len() - 1)
}

fn length(
    length: vorrang_time::Duration,
    period: vorrang_time::Duration,
    names: [&'static str; 3],
) -> &'static str {
    match length {
        length if length.is_zero() => names[0],
        length if length <= period => names[1],
        _ => names[2],
    }
}

fn priority(system: &System, member: Member) -> vorrang_model::system::Priority {
    match member {
        Member::Task(id) => system.task(id).priority,
        Member::Server(id) => system.supply(id).priority(),
    }
}

/// The name of a supply's scheduler.
pub fn scheduler(supply: &Supply) -> &'static str {
    match supply.scheduler {
        Scheduler::FixedPriority => "fixed priority",
        Scheduler::Edf => "edf",
        Scheduler::Slots => "slots",
        Scheduler::Vtrr => "vtrr",
        Scheduler::Stride => "stride",
        Scheduler::RoundRobin => "round-robin",
        Scheduler::WeightedRoundRobin => "weighted-round-robin",
        Scheduler::Linux => "linux",
    }
}

fn interrupt_order(order: InterruptOrder) -> &'static str {
    match order {
        InterruptOrder::FirstCome => "first-come",
        InterruptOrder::Priority => "priority",
        InterruptOrder::Nested => "nested",
    }
}

fn cache_model(model: CacheModel) -> &'static str {
    match model {
        CacheModel::Flood => "flood",
        CacheModel::Exponential => "exponential",
    }
}

fn rule(rule: PseudoVcpuRule) -> &'static str {
    match rule {
        PseudoVcpuRule::Arrival => "arrival",
        PseudoVcpuRule::Deferrable => "deferrable",
        PseudoVcpuRule::Released => "released",
    }
}

fn activation(activation: Activation) -> &'static str {
    match activation {
        Activation::Sporadic => "the world",
        Activation::Interrupt(_) => "an interrupt",
        Activation::Timer(_) => "a timer",
        Activation::Device(_) => "a device",
        Activation::Task(_) | Activation::Join => "a task",
    }
}

fn parent_group(parent: &Supply) -> &'static str {
    match (parent.on(), parent.scheduler) {
        (None, Scheduler::FixedPriority) => "server on a core with fixed priority",
        (None, Scheduler::Edf) => "server on a core with edf",
        (None, Scheduler::Linux) => "server on a core with linux",
        (None, Scheduler::Slots) => "server on a core with slots",
        (None, _) => "server on a core with turns",
        (Some(_), Scheduler::FixedPriority) => "server in a guest with fixed priority",
        (Some(_), Scheduler::Edf) => "server in a guest with edf",
        (Some(_), Scheduler::Linux) => "server in a guest with linux",
        (Some(_), _) => "server in a guest with turns",
    }
}

/// The utilisation of the first core by tasks and interrupts.
fn load(system: &System) -> &'static str {
    let first = SupplyId(0);
    let tasks = system.tasks.iter().filter(|task| system.core_of(task.on) == first);
    let tasks = tasks.map(|task| (task.wcet, task.mean_distance()));
    let interrupts = system.interrupts.iter().filter(|interrupt| interrupt.on == first);
    let interrupts = interrupts.map(|interrupt| (interrupt.isr, interrupt.mean_distance()));
    let part = |(work, period): (vorrang_time::Duration, vorrang_time::Duration)| {
        u128::from(work.as_ns()) * 1_000_000_000 / u128::from(period.as_ns())
    };
    match tasks.chain(interrupts).map(part).sum::<u128>() {
        0..250_000_000 => "below 25 %",
        250_000_000..500_000_000 => "25 to 50 %",
        500_000_000..750_000_000 => "50 to 75 %",
        750_000_000..950_000_000 => "75 to 95 %",
        // Each part was rounded down by less than one.
        950_000_000..999_999_980 => "95 to 100 %",
        999_999_980..=1_000_000_000 => "100 %",
        _ => "above 100 %",
    }
}
