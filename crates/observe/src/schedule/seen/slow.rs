//! A line in any form that the reader of schedules knows.

use super::super::kind::Kind;
use super::super::line::{Line, Thread};
use super::fact::{Fact, Happened, Named, Seen, Service, call};

const MISSING: &str = "a value of the event is missing";
const NOT_TEXT: &str = "this is no text";

pub(super) fn of(line: &[u8]) -> Result<Seen<'_>, &'static str> {
    let text = std::str::from_utf8(line).map_err(|_| NOT_TEXT)?;
    let text = text.strip_suffix('\r').unwrap_or(text);
    match Kind::of(text) {
        Kind::Heading => Ok(Seen::Nothing),
        Kind::OfTracer(stamp) => {
            let Some(stamp) = stamp else { return Ok(Seen::Nothing) };
            let fact = of_call(stamp.rest);
            let (cpu, at, resolution) = (stamp.cpu, stamp.at, stamp.resolution);
            Ok(Seen::Event(Happened { cpu, at, resolution, fact }))
        }
        Kind::Event(line) => {
            let Line { cpu, at, resolution, .. } = line;
            let fact = fact(&line).ok_or(MISSING)?;
            Ok(Seen::Event(Happened { cpu, at, resolution, fact }))
        }
        Kind::Unknown(why) => Err(why),
    }
}

fn of_call(rest: &str) -> Fact<'_> {
    match call(rest.as_bytes()) {
        Some(_) if rest.contains(" -> ") && !rest.contains('(') => Fact::Returns,
        Some(name) => Fact::Calls(name),
        None => Fact::Other,
    }
}

fn fact<'a>(line: &Line<'a>) -> Option<Fact<'a>> {
    Some(match line.name {
        "sched_switch" => {
            let switch = line.switch()?;
            let (previous, next) = (named(&switch.previous), named(&switch.next));
            Fact::Switch { previous, left: switch.left, next }
        }
        "sched_waking" => {
            let (thread, cpu) = line.woken()?;
            Fact::Waking(named(&thread), cpu)
        }
        "sched_wakeup" | "sched_wakeup_new" => {
            let (thread, cpu) = line.woken()?;
            Fact::Woken(named(&thread), cpu)
        }
        "irq_handler_entry" => {
            let number = line.value("irq=", " name=")?.parse().ok()?;
            Fact::Enters(Service::Device(number), line.value(" name=", "")?.as_bytes())
        }
        "irq_handler_exit" => {
            Fact::Leaves(Service::Device(line.value("irq=", " ret=")?.parse().ok()?))
        }
        "softirq_entry" => Fact::Enters(Service::Soft(line.number("vec=")?), b""),
        "softirq_exit" => Fact::Leaves(Service::Soft(line.number("vec=")?)),
        "hrtimer_start" => match line.number("softexpires=") {
            Some(at) if line.values.contains("function=hrtimer_wakeup") => Fact::Alarm(at),
            _ => Fact::Other,
        },
        name => other(name, line),
    })
}

fn other<'a>(name: &'a str, line: &Line<'a>) -> Fact<'a> {
    let is_vector = line.number::<u32>("vector=").is_some();
    let vector = |end| name.strip_suffix(end).filter(|_| is_vector).map(str::as_bytes);
    if let Some(vector) = vector("_entry") {
        Fact::Enters(Service::Vector(vector), b"")
    } else if let Some(vector) = vector("_exit") {
        Fact::Leaves(Service::Vector(vector))
    } else if name.starts_with("sys_exit") {
        Fact::Returns
    } else {
        call(name.as_bytes()).map_or(Fact::Other, Fact::Calls)
    }
}

/// The wakeup tracers name no thread.
fn named<'a>(thread: &Thread<'a>) -> Named<'a> {
    let name = thread.name.unwrap_or("<...>").as_bytes();
    Named { number: thread.number, name, priority: thread.priority }
}
