//! What an event says that a kernel stored, without a text in between.
//!
//! **Model.** The same values that are read out of its text, by their places there. What is not as expected, such as a name
//! with a sign that no text has, is left to the text.

use vorrang_observe::schedule::Left;
use vorrang_observe::schedule::seen::{Fact, Named, Service};
use vorrang_recorded::{ENTRY, EXIT, Kind, Record};

/// What it says; `None`: its text knows better.
pub(crate) fn fact<'a>(record: &Record<'a>) -> Option<Fact<'a>> {
    Some(match record.kind() {
        Kind::Switch => {
            let (previous, next) = (thread(record, 0)?, thread(record, 4)?);
            Fact::Switch { previous, left: left(record.state(3)?), next }
        }
        Kind::Waking => Fact::Waking(thread(record, 0)?, Some(cpu(record, 3)?)),
        Kind::Woken => Fact::Woken(thread(record, 0)?, Some(cpu(record, 3)?)),
        Kind::DeviceEntry => Fact::Enters(Service::Device(number(record, 0)?), name(record, 1)?),
        Kind::DeviceExit => Fact::Leaves(Service::Device(number(record, 0)?)),
        Kind::SoftEntry => Fact::Enters(Service::Soft(number(record, 0)?), b""),
        Kind::SoftExit => Fact::Leaves(Service::Soft(number(record, 0)?)),
        // What is before the clock began is no instant.
        Kind::Timer => match (record.is_waker(0)?, u64::try_from(record.number(1)?)) {
            (true, Ok(at)) => Fact::Alarm(at),
            _ => Fact::Other,
        },
        Kind::VectorEntry => Fact::Enters(vector(record, ENTRY)?, b""),
        Kind::VectorExit => Fact::Leaves(vector(record, EXIT)?),
        Kind::Named => call(record.name())?,
        Kind::Unreadable => return None,
    })
}

/// Interrupts of a processor are known by their names, without what stands behind these.
fn vector<'a>(record: &Record<'a>, behind: &str) -> Option<Service<'a>> {
    record.name().strip_suffix(behind.as_bytes()).map(Service::Vector)
}

/// Calls have nothing but their names.
fn call(event: &[u8]) -> Option<Fact<'_>> {
    match event.strip_prefix(b"sys_enter_") {
        Some(b"" | b"enter" | b"exit") => None,
        Some(name) => Some(Fact::Calls(name)),
        None => event.starts_with(b"sys_exit_").then_some(Fact::Returns),
    }
}

/// The thread whose name is at a place, with its number and priority behind it.
fn thread<'a>(record: &Record<'a>, place: usize) -> Option<Named<'a>> {
    let priority = i32::try_from(record.number(place + 2)?).ok()?;
    Some(Named { number: number(record, place + 1)?, name: name(record, place)?, priority })
}

fn name<'a>(record: &Record<'a>, place: usize) -> Option<&'a [u8]> {
    let name = record.text(place)?;
    let is_plain = !name.iter().any(u8::is_ascii_control);
    is_plain.then(|| name.trim_ascii())
}

fn number(record: &Record<'_>, place: usize) -> Option<u32> {
    u32::try_from(record.number(place)?).ok()
}

fn cpu(record: &Record<'_>, place: usize) -> Option<usize> {
    usize::try_from(record.number(place)?).ok()
}

/// As a text says it by its letters.
const fn left(state: (u8, bool)) -> Left {
    match state {
        (b'R', _) | (_, true) => Left::Ready,
        (b'D' | b'T' | b't', _) => Left::Held,
        _ => Left::Asleep,
    }
}
