//! Interrupts, timers and devices.

use super::page::Page;
use super::processor::{declared, learnt};
use crate::system::{
    Delivery, Device, Interrupt, InterruptId, InterruptOrder, Packets, PseudoVcpu, PseudoVcpuRule,
    System, TaskId, TimerId,
};
use crate::word::{ARRIVALS, Arrival, PSEUDO_VCPU_RULES, text_of};

pub(super) fn interrupt(page: &mut Page, system: &System, id: InterruptId) {
    let interrupt = system.interrupt(id);
    let reaching = system.kick_of(id).map_or(interrupt, |kick| system.interrupt(kick));
    let core = system.supply(interrupt.on);
    page.table(&declared("interrupt", &interrupt.name));
    page.text("on", &core.name);
    if interrupt.posted {
        page.flag_unless_false("posted", true);
    } else {
        page.duration("isr", interrupt.isr);
    }
    match &interrupt.distances {
        None => page.duration("min-interarrival", interrupt.min_interarrival),
        Some(distances) => page.distances("min-distances", distances.stated()),
    }
    page.duration_unless_zero("jitter", interrupt.jitter);
    if core.interrupt_order != InterruptOrder::FirstCome && !interrupt.posted {
        page.number("priority", interrupt.priority.0);
    }
    if let Some(storm) = interrupt.storm {
        page.duration("storm", storm);
    }
    if let Some(irq) = system.host.interrupts.get(&interrupt.name) {
        page.text("irq", irq);
    }
    learnt(page, system, &interrupt.name);
    match &reaching.delivery {
        None => wakes(page, system, reaching.wakes),
        Some(delivery) => self::delivery(page, system, (interrupt, reaching.wakes), delivery),
    }
}

fn wakes(page: &mut Page, system: &System, wakes: Option<TaskId>) {
    if let Some(task) = wakes {
        page.text("wakes", &system.task(task).name);
    }
}

fn delivery(
    page: &mut Page,
    system: &System,
    (interrupt, wakes): (&Interrupt, Option<TaskId>),
    delivery: &Delivery,
) {
    page.table(&format!("{}.virtual", interrupt.name));
    page.text("vcpu", &system.supply(delivery.vcpu).name);
    page.duration("isr", delivery.isr);
    self::wakes(page, system, wakes);
    if let Some(vector) = system.host.vectors.get(&interrupt.name) {
        page.text("vector", vector);
    }
    if let Some(payer) = &delivery.pseudo_vcpu {
        page.table(&format!("{}.virtual.pseudo-vcpu", interrupt.name));
        pseudo_vcpu(page, payer);
    }
}

fn pseudo_vcpu(page: &mut Page, payer: &PseudoVcpu) {
    page.duration("budget", payer.budget);
    page.duration("period", payer.period);
    if let Some(priority) = payer.priority {
        page.number("priority", priority.0);
    }
    if payer.rule != PseudoVcpuRule::default() {
        page.text("rule", text_of(PSEUDO_VCPU_RULES, &payer.rule));
    }
}

pub(super) fn timer(page: &mut Page, system: &System, id: TimerId) {
    let timer = system.timer(id);
    let interrupt = system.delivered_by(id).map(|id| system.interrupt(id));
    page.table(&timer.name);
    page.text("armed-by", &system.task(timer.armed_by).name);
    page.duration("period", timer.period);
    let wakes = timer.wakes || interrupt.is_some_and(|interrupt| interrupt.wakes.is_some());
    page.flag_unless_false("wakes", wakes);
    if let Some(delivery) = interrupt.and_then(|interrupt| interrupt.delivery.as_ref()) {
        page.duration("isr", delivery.isr);
        if let Some(payer) = &delivery.pseudo_vcpu {
            page.table(&format!("{}.pseudo-vcpu", timer.name));
            pseudo_vcpu(page, payer);
        }
    }
}

pub(super) fn device(page: &mut Page, system: &System, device: &Device) {
    page.table(&device.name);
    page.text("interrupt", &system.interrupt(device.interrupt).name);
    page.number("ring", device.ring);
    page.number("coalesce-packets", device.coalesce_packets);
    page.duration_unless_zero("coalesce-time", device.coalesce_time);
    page.number("budget", device.budget);
    page.duration("per-packet", device.per_packet);
    if let Some(receiver) = device.receiver {
        page.number("socket", device.socket);
        page.text("receiver", &system.task(receiver).name);
    }
    page.table(&format!("{}.packets", device.name));
    packets(page, device.packets);
    page.number("payload", device.payload);
}

fn packets(page: &mut Page, packets: Packets) {
    let arrive = |arrival| text_of(ARRIVALS, &arrival);
    match packets {
        Packets::Periodic { interval } => {
            page.text("arrive", arrive(Arrival::Periodic));
            page.duration("interval", interval);
        }
        Packets::Burst { packets, interval } => {
            page.text("arrive", arrive(Arrival::Burst));
            page.number("burst", packets);
            page.duration("interval", interval);
        }
        Packets::Poisson { mean } => {
            page.text("arrive", arrive(Arrival::Poisson));
            page.duration("interval", mean);
        }
        Packets::LineRate { bits_per_second, framing } => {
            page.text("arrive", arrive(Arrival::LineRate));
            page.number("bits-per-second", bits_per_second);
            page.number("framing", framing);
        }
    }
}
