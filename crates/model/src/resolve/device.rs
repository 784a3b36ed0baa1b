//! Network cards: what they raise, who polls and who receives, and the packets that arrive.

use super::link::{Links, OfDevice};
use super::presence::KeyOf;
use super::tree::Tree;
use crate::description::{Declared, Description, Device, Packets};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::word::{ARRIVALS, Arrival, text_of};

pub(super) fn check(description: &Description, links: &Links, tree: &Tree, errors: &mut Errors) {
    let mut first_of = vec![None; description.interrupts.len()];
    for (index, (declared, link)) in description.devices.iter().zip(&links.devices).enumerate() {
        check_keys(declared, errors);
        if let Some(packets) = &declared.body.packets {
            check_packets(&format!("{}.packets", declared.name), packets, errors);
        }
        let Some(interrupt) = link.interrupt else { continue };
        match first_of[interrupt] {
            None => first_of[interrupt] = Some(index),
            Some(first) => shared_interrupt(description, interrupt, first, index, errors),
        }
        check_interrupt(description, declared, interrupt, errors);
        check_core(description, links, tree, interrupt, errors);
        check_receiver(description, links, tree, declared, link, errors);
    }
}

fn check_keys(declared: &Declared<Device>, errors: &mut Errors) {
    let device = &declared.body;
    let key = |key| KeyOf { name: &declared.name, span: &declared.span, key };
    if device.receiver.is_absent() {
        let why = "no task reads the socket: there is no `receiver`";
        key("socket").pointless(&device.socket, why, errors);
    } else {
        let help = "Packets that the socket buffer of the `receiver` holds. Write `socket = 64`";
        key("socket").needed(&device.socket, help, errors);
    }
    let Some(raised_at) = device.coalesce_packets.or(1) else { return };
    if raised_at == 1 {
        let why = "the interrupt is raised for every packet: `coalesce-packets` is 1";
        key("coalesce-time").pointless(&device.coalesce_time, why, errors);
    }
    if let (Some(stated), Some(ring)) = (device.coalesce_packets.get(), device.ring.get())
        && stated.value > ring.value
    {
        let message = format!("{} waits for more packets than its ring holds", declared.name);
        errors.push(
            Diagnostic::new(Code::NeverRaised, stated.span.clone(), message)
                .label(format!("raised at {} packets", stated.value))
                .also(ring.span.clone(), format!("{} at most", ring.value)),
        );
    }
}

/// The keys of each way to arrive, and no others.
fn check_packets(name: &str, packets: &Packets, errors: &mut Errors) {
    let Some(arrive) = packets.arrive.get() else { return };
    let key = |key| KeyOf { name, span: &packets.span, key };
    let word = text_of(ARRIVALS, &arrive.value);
    let why = format!("they arrive \"{word}\"");
    if arrive.value == Arrival::LineRate {
        key("interval").pointless(&packets.interval, &why, errors);
        let help = "Speed of the link. Write `bits-per-second = 100_000_000`";
        key("bits-per-second").needed(&packets.bits_per_second, help, errors);
        let help = "Bytes on the link beside the payload. Write `framing = 66` for UDP on Ethernet";
        key("framing").needed(&packets.framing, help, errors);
        check_link(name, packets, errors);
    } else {
        let help = format!("{why}: write `interval = \"1ms\"`");
        key("interval").needed(&packets.interval, &help, errors);
        key("bits-per-second").pointless(&packets.bits_per_second, &why, errors);
        key("framing").pointless(&packets.framing, &why, errors);
    }
    if arrive.value == Arrival::Burst {
        let help = "Packets at one instant. Write `burst = 32`";
        key("burst").needed(&packets.burst, help, errors);
    } else {
        key("burst").pointless(&packets.burst, &why, errors);
    }
}

/// A packet takes the link for a nanosecond at least.
fn check_link(name: &str, packets: &Packets, errors: &mut Errors) {
    let (Some(bits), Some(payload), Some(framing)) =
        (packets.bits_per_second.get(), packets.payload.get(), packets.framing.get())
    else {
        return;
    };
    let of_packet = 8 * (payload.value + framing.value);
    if of_packet * 1_000_000_000 < bits.value {
        let message = format!("a packet of {name} takes the link for less than a nanosecond");
        errors.push(
            Diagnostic::new(Code::LineTooFast, bits.span.clone(), message)
                .label(format!("for {of_packet} bits"))
                .help("time is counted in whole nanoseconds"),
        );
    }
}

fn shared_interrupt(
    description: &Description,
    interrupt: usize,
    first: usize,
    second: usize,
    errors: &mut Errors,
) {
    let device = |index: usize| &description.devices[index];
    let span =
        |index: usize| device(index).body.interrupt.get().expect("it was followed").span.clone();
    let interrupt = &description.interrupts[interrupt].name;
    let message =
        format!("{interrupt} belongs to {} and to {}", device(first).name, device(second).name);
    errors.push(
        Diagnostic::new(Code::DeviceInterrupt, span(second), message)
            .label("raises it as well")
            .also(span(first), "raises it")
            .help("give each device an interrupt of its own"),
    );
}

/// Its routine wakes the task that polls; and the card, not the world, says how often it comes.
fn check_interrupt(
    description: &Description,
    declared: &Declared<Device>,
    interrupt: usize,
    errors: &mut Errors,
) {
    let Some(at) = declared.body.interrupt.get() else { return };
    let interrupt = &description.interrupts[interrupt];
    let body = &interrupt.body;
    let wakes = body.delivery.as_ref().map_or(&body.wakes, |delivery| &delivery.wakes);
    if wakes.is_absent() {
        let message = format!("{} wakes no task that could poll {}", interrupt.name, declared.name);
        errors.push(
            Diagnostic::new(Code::DeviceInterrupt, at.span.clone(), message)
                .label("an interrupt that wakes a task is expected")
                .help(format!(
                    "let {} wake the polling task: `wakes = \"task.NAME\"`",
                    interrupt.name
                )),
        );
    }
    let key = KeyOf { name: &interrupt.name, span: &interrupt.span, key: "storm" };
    let why = format!("{} raises it, and only when packets wait", declared.name);
    key.pointless(&body.storm, &why, errors);
}

/// The task that polls is on the core of the interrupt.
fn check_core(
    description: &Description,
    links: &Links,
    tree: &Tree,
    interrupt: usize,
    errors: &mut Errors,
) {
    let link = &links.interrupts[interrupt];
    let body = &description.interrupts[interrupt].body;
    let delivery = body.delivery.as_ref();
    let wakes = delivery.map_or(&body.wakes, |delivery| &delivery.wakes);
    let (Some(own), Some(poller), Some(at)) = (link.core, link.wakes, wakes.get()) else { return };
    let other = tree.task_parent[poller].and_then(|on| tree.core[on]);
    let Some(other) = other.filter(|&other| other != own) else { return };
    let core = |index: usize| &description.supplies[index].name;
    let interrupt = &description.interrupts[interrupt].name;
    let poller = &description.tasks[poller].name;
    let message = format!("{interrupt} is on {}, but {poller} polls on {}", core(own), core(other));
    errors.push(
        Diagnostic::new(Code::OtherCore, at.span.clone(), message)
            .label(format!("a task on {} is expected", core(own)))
            .help("Linux polls a card on the core of its interrupt: route it there"),
    );
}

/// Who receives runs where the polling task does: in the same guest, or beside it on the host.
fn check_receiver(
    description: &Description,
    links: &Links,
    tree: &Tree,
    declared: &Declared<Device>,
    link: &OfDevice,
    errors: &mut Errors,
) {
    let (Some(at), Some(receiver)) = (declared.body.receiver.get(), link.receiver) else { return };
    let poller = link.interrupt.and_then(|interrupt| links.interrupts[interrupt].wakes);
    let place = |task: usize| {
        let on = tree.task_parent[task]?;
        Some((tree.core[on]?, tree.guest_of(on)))
    };
    let (Some(poller), Some(its)) = (poller, place(receiver)) else { return };
    let Some(polled_on) = place(poller) else { return };
    if its == polled_on {
        return;
    }
    let (receiver, poller) = (&description.tasks[receiver].name, &description.tasks[poller].name);
    let (code, expected) = if its.0 == polled_on.0 {
        (Code::WokenElsewhere, "a task of the same machine is expected")
    } else {
        (Code::OtherCore, "a task on the same core is expected")
    };
    let message = format!("{receiver} does not run beside {poller}, which polls {}", declared.name);
    errors.push(Diagnostic::new(code, at.span.clone(), message).label(expected));
}
