//! From the checked values of one table to what it declares.

use super::record::Record;
use crate::description::{
    At, Cache, Chain, Device, FairServer, Field, Interrupt, Packets, PseudoVcpu, Requirement,
    RtLimit, Server, Supply, Task, Timer, Virtual,
};
use crate::keys::Noun;
use crate::system::{Costs, DeadlineLimits};
use vorrang_time::Duration;

pub(super) fn supply(noun: Noun, record: &Record) -> Supply {
    let is_core = noun == Noun::Core;
    let is_vcpu = noun == Noun::Vcpu;
    let server = (!is_core).then(|| Server {
        vm: if is_vcpu { record.text("vm") } else { Field::Absent },
        on: record.reference("on"),
        kind: record.server_kind("server"),
        budget: budget(record),
        period: record.duration("period"),
        deadline: record.duration("deadline"),
        reclaim: record.flag("reclaim"),
        refills: record.number("refills"),
        min_budget: record.duration("min-budget"),
        offset: record.duration("offset"),
        windows: record.windows("windows"),
        blocking: record.duration("blocking"),
        priority: record.priority("priority"),
        share: record.number("share"),
        cache: if is_vcpu { record.reference("cache") } else { Field::Absent },
        thread: record.text("thread"),
    });
    Supply {
        scheduler: record.rule("scheduler"),
        quantum: record.duration("quantum"),
        time_slice: record.duration("time-slice"),
        interrupts: if is_core { record.interrupt_order("interrupts") } else { Field::Absent },
        interrupt_time: if is_core {
            record.interrupt_time("interrupt-time")
        } else {
            Field::Absent
        },
        timers: if is_core { record.timer_queue("timers") } else { Field::Absent },
        max_defer: if is_core { record.duration("max-defer") } else { Field::Absent },
        cpu: if is_core { record.number("cpu") } else { Field::Absent },
        deadline_limits: record.table_as("deadline-limits", deadline_limits),
        fair_server: record.table_or_none("fair-server", kept),
        ext_server: record.table_or_none("ext-server", kept),
        rt_throttling: if is_core {
            record.table_or_none("rt-throttling", |record| RtLimit {
                budget: record.duration("budget"),
                period: record.duration("period"),
                late: record.duration("late"),
            })
        } else {
            Field::Absent
        },
        kernel_release: record.text("kernel-release"),
        kernel: if is_core { record.text("kernel") } else { Field::Absent },
        profile: None,
        overrun: if is_core { record.duration("overrun") } else { Field::Absent },
        sections: if is_core { record.duration("sections") } else { Field::Absent },
        server,
    }
}

/// What a kernel is set to take; nothing where it is wrong.
pub(super) fn deadline_limits(record: &Record) -> DeadlineLimits {
    let time = |key| record.duration(key).get().map(|at| at.value);
    DeadlineLimits {
        shortest_period: time("min-period"),
        longest_period: time("max-period"),
        share_ppm: record.part("bandwidth").get().map(|at| at.value),
    }
}

/// What Linux keeps for other threads.
fn kept(record: &Record) -> FairServer {
    FairServer { budget: record.duration("budget"), period: record.duration("period") }
}

pub(super) fn task(record: &Record) -> Task {
    Task {
        on: record.reference("on"),
        wcet: record.duration("wcet"),
        bcet: record.duration("bcet"),
        execution: record.execution("execution"),
        period: record.least_distance("period"),
        min_distances: record.distances(),
        deadline: record.duration_or_none("deadline"),
        latest_interarrival: record.duration("latest-interarrival"),
        offset: record.duration("offset"),
        communication: record.communication("communication"),
        preemption: record.preemption("preemption"),
        polls: record.flag("polls"),
        jitter: record.duration("jitter"),
        blocking: record.duration("blocking"),
        priority: record.priority("priority"),
        share: record.number("share"),
        cache: record.reference("cache"),
        thread: record.text("thread"),
        wakes: record.references("wakes"),
        after: record.references("after"),
        learnt: record.part("learnt"),
    }
}

pub(super) fn chain(record: &Record) -> Chain {
    Chain {
        path: record.references("path"),
        reaction: record.duration("reaction"),
        age: record.duration("age"),
    }
}

pub(super) fn interrupt(record: &Record) -> Interrupt {
    let delivery = record.table("virtual").map(|record| Virtual {
        vcpu: record.reference("vcpu"),
        isr: record.duration("isr"),
        wakes: record.reference("wakes"),
        pseudo_vcpu: record.table("pseudo-vcpu").as_ref().map(pseudo_vcpu),
        vector: record.text("vector"),
    });
    Interrupt {
        on: record.reference("on"),
        isr: record.duration("isr"),
        posted: record.flag("posted"),
        min_interarrival: record.least_distance("min-interarrival"),
        min_distances: record.distances(),
        jitter: record.duration("jitter"),
        priority: record.priority("priority"),
        wakes: record.reference("wakes"),
        storm: record.duration("storm"),
        irq: record.text("irq"),
        learnt: record.part("learnt"),
        delivery,
    }
}

fn pseudo_vcpu(record: &Record) -> PseudoVcpu {
    PseudoVcpu {
        span: record.span.clone(),
        budget: record.duration("budget"),
        period: record.duration("period"),
        priority: record.priority("priority"),
        rule: record.pseudo_vcpu_rule("rule"),
    }
}

pub(super) fn timer(record: &Record) -> Timer {
    Timer {
        armed_by: record.reference("armed-by"),
        period: record.duration("period"),
        wakes: record.flag("wakes"),
        isr: record.duration("isr"),
        pseudo_vcpu: record.table("pseudo-vcpu").as_ref().map(pseudo_vcpu),
    }
}

pub(super) fn device(record: &Record) -> Device {
    let packets = record.table("packets").map(|record| Packets {
        span: record.span.clone(),
        arrive: record.arrival("arrive"),
        payload: record.number("payload"),
        interval: record.duration("interval"),
        burst: record.number("burst"),
        bits_per_second: record.number("bits-per-second"),
        framing: record.number("framing"),
    });
    Device {
        interrupt: record.reference("interrupt"),
        ring: record.number("ring"),
        coalesce_packets: record.number("coalesce-packets"),
        coalesce_time: record.duration("coalesce-time"),
        budget: record.number("budget"),
        per_packet: record.duration("per-packet"),
        socket: record.number("socket"),
        receiver: record.reference("receiver"),
        packets,
    }
}

pub(super) fn cache(record: &Record) -> Cache {
    Cache {
        model: record.cache_model("model"),
        useful: record.part("useful"),
        sustained: record.duration("sustained"),
    }
}

pub(super) fn requirement(record: &Record) -> Requirement {
    Requirement {
        of: record.reference("of"),
        handled_within: record.duration("handled-within"),
        probability: record.probability("probability"),
    }
}

pub(super) fn costs(record: &Record) -> Costs {
    // A wrong cost has been reported, so that nothing is made of it.
    let cost = |key: &str| record.duration(key).or(Duration::ZERO).unwrap_or_default();
    Costs {
        scheduler_call: cost("scheduler-call"),
        context_switch: cost("context-switch"),
        timer_expiry: cost("timer-expiry"),
        interrupt_entry: cost("interrupt-entry"),
        interrupt_exit: cost("interrupt-exit"),
        vm_exit: cost("vm-exit"),
    }
}

/// The budget of a server; the sum of its windows where it is left out.
fn budget(record: &Record) -> Field<Duration> {
    match (record.duration("budget"), record.windows("windows")) {
        (Field::Absent, Field::Is(At { value, span })) => {
            Field::Is(At { value: value.iter().map(|window| window.length).sum(), span })
        }
        (Field::Absent, Field::Wrong) => Field::Wrong,
        (stated, _) => stated,
    }
}
