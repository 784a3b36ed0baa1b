//! The kernel's own measurement, split in two: when the interrupt of the timer came, and when the
//! thread ran.
//!
//! **Model.** The `timerlat` tracer has a thread of its own on each processor and writes two lines for
//! each time that it wakes:
//!
//! ```text
//!   … 54.029328: #1     context    irq timer_latency       932 ns
//!   … 54.029339: #1     context thread timer_latency     11700 ns
//! ```
//!
//! With a threshold the kernel stops the trace by itself, and the events of `osnoise` have the activity in
//! between, each without its own interruptions.
//!
//! **Assumptions.** 1. The parameters of the tracer are one set for the whole kernel; they are put back
//! as they were. No other program uses it meanwhile.
//!
//! **Reference.** D. Bristot de Oliveira et al.: Demystifying the Real-Time Linux Scheduling Latency,
//! 2020; the kernel's documentation of the tracer.

mod bench;

pub use bench::{Measured, Plan, measure};

use super::cause::{Culprit, Part, ranked};
use super::record::{Record, nanoseconds};
use super::tally::Tally;
use std::collections::BTreeMap;

/// The name of the tracer.
pub const TRACER: &str = "timerlat";

/// The result of one processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// From the time asked for until the interrupt was handled.
    pub irq: Tally,
    /// Until the thread ran.
    pub thread: Tally,
}

/// A line of the tracer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency<'a> {
    /// How often the thread has woken; the two lines of one time have the same number.
    pub activation: u64,
    /// `irq` or `thread`; a program that waits for the tracer has `user-ret`, too.
    pub context: &'a str,
    /// The latency.
    pub ns: u64,
}

impl<'a> Latency<'a> {
    /// The content of a record of the tracer; `None` of other records.
    pub fn of(record: &Record<'a>) -> Option<Self> {
        let mut words = record.text.strip_prefix('#')?.split_whitespace();
        let activation = words.next()?.parse().ok()?;
        let (context, name) = (words.nth(1)?, words.next()?);
        let ns = words.next()?.parse().ok()?;
        (name == "timer_latency").then_some(Self { activation, context, ns })
    }
}

/// Counts the latencies of a line of the trace, if it is one of the tracer.
pub fn count(line: &str, cpus: &mut BTreeMap<usize, Split>) {
    let Some(record) = Record::of(line) else { return };
    let Some(latency) = Latency::of(&record) else { return };
    let split = cpus.entry(record.cpu).or_default();
    match latency.context {
        "irq" => split.irq.record(latency.ns),
        "thread" => split.thread.record(latency.ns),
        _ => {}
    }
}

/// The latency that stopped a trace and its causes: the processor, the latency, and the parts,
/// the longest first. `None` if none of them is so long.
pub fn cause(trace: &str, threshold_ns: u64) -> Option<(usize, u64, Vec<Part>)> {
    let records: Vec<Record<'_>> = trace.lines().filter_map(Record::of).collect();
    let latencies = records.iter().enumerate().rev();
    let mut found = latencies.filter_map(|(at, of)| Some((at, of, Latency::of(of)?)));
    let (at, last, latency) = found.find(|(_, _, latency)| latency.ns >= threshold_ns)?;
    let own = records[..=at].iter().rev().filter(|of| of.cpu == last.cpu);
    let due_ns = last.at_ns.saturating_sub(latency.ns);
    let mut parts = Vec::new();
    for record in own.take_while(|of| of.at_ns >= due_ns) {
        match Latency::of(record) {
            Some(irq) if irq.context == "irq" && irq.activation == latency.activation => {
                let culprit = match record.thread {
                    "<idle>" => Culprit::Asleep,
                    thread => Culprit::Masked(thread.to_owned()),
                };
                parts.push(Part { culprit, ns: irq.ns });
            }
            Some(_) => {}
            None => parts.extend(noise(record.text, due_ns)),
        }
    }
    Some((last.cpu, latency.ns, ranked(parts)))
}

/// `irq_noise: local_timer:236 start 548.771077442 duration 7597 ns`
fn noise(text: &str, due_ns: u64) -> Option<Part> {
    let (event, text) = text.split_once(": ")?;
    let (name, text) = text.split_once("start ")?;
    let name = name.trim().rsplit_once(':').map_or(name.trim(), |(name, _)| name).to_owned();
    let culprit = match event {
        "irq_noise" => Culprit::Interrupt(name),
        "nmi_noise" => Culprit::Interrupt("NMI".to_owned()),
        "softirq_noise" => Culprit::SoftInterrupt(name),
        "thread_noise" => Culprit::Thread(name),
        _ => return None,
    };
    let mut words = text.split_whitespace();
    let start_ns = nanoseconds(words.next()?)?;
    let ns: u64 = words.nth(1)?.parse().ok()?;
    // Activity before the requested time counts from that time on.
    let before = due_ns.saturating_sub(start_ns);
    Some(Part { culprit, ns: ns.saturating_sub(before) })
}

#[cfg(test)]
mod tests;
