//! What a line of a trace is: an event, something that a tracer printed besides, or nothing of a trace.
//!
//! Each tracer of the kernel prints lines of its own among the events: called functions, stacks, latencies,
//! accesses to devices. They say nothing about scheduling, and are counted.

use super::line::Line;
use super::stamp::{Graph, Stamp};

/// What a line is.
pub(super) enum Kind<'a> {
    /// A heading, or nothing.
    Heading,
    /// An event, or a switch or wake-up in the words of the wakeup tracers.
    Event(Line<'a>),
    /// A tracer's own, with a time or without.
    OfTracer(Option<Stamp<'a>>),
    /// None of these, and why that is.
    Unknown(&'static str),
}

/// Events without which a schedule is another.
const NEEDED: [&str; 4] = ["sched_switch", "sched_waking", "sched_wakeup", "sched_wakeup_new"];
const LOST_BY_PERF: &str = "PERF_RECORD_LOST";
const LOST: &str = "the kernel lost events";
/// How the lines of mmiotrace begin, before a number.
const OF_MMIOTRACE: [&str; 8] = ["R", "W", "MAP", "UNMAP", "MARK", "VERSION", "PCIDEV", "UNKNOWN"];

impl<'a> Kind<'a> {
    pub(super) fn of(line: &'a str) -> Self {
        if is_heading(line) {
            return Self::Heading;
        }
        if is_stack(line) {
            return Self::OfTracer(None);
        }
        if let Some(graph) = Graph::of(line) {
            return Self::of_graph(&graph);
        }
        if let Some(stamp) = Stamp::of(line) {
            return Self::stamped(stamp);
        }
        if is_timeless(line) { Self::OfTracer(None) } else { Self::Unknown(why_none(line)) }
    }

    fn stamped(stamp: Stamp<'a>) -> Self {
        if let Some(line) = Line::of_wakeup_tracer(&stamp) {
            return Self::Event(line);
        }
        if stamp.rest.starts_with(LOST_BY_PERF) {
            return Self::Unknown(LOST);
        }
        let first = stamp.rest.split(' ').next().unwrap_or_default();
        let is_named = first.strip_suffix(':').is_some_and(is_name);
        if is_named || stamp.rest.is_empty() || NEEDED.contains(&first) {
            Self::Event(Line::of(stamp))
        } else {
            Self::OfTracer(Some(stamp))
        }
    }

    /// An event stands in a comment, and has a time if the whole line has one.
    fn of_graph(graph: &Graph<'a>) -> Self {
        let name = graph.comment.and_then(|comment| Some(comment.split_once(": ")?.0));
        match (name, graph.stamp) {
            (Some(name), Some(stamp)) if is_name(name) => Self::Event(Line::of(stamp)),
            (Some(name), None) if NEEDED.contains(&name) => Self::Unknown(
                "the event has no time: set the option funcgraph-abstime, or take the tracer nop",
            ),
            (_, stamp) => Self::OfTracer(stamp),
        }
    }
}

/// What tracefs and trace-cmd say of the whole trace.
fn is_heading(line: &str) -> bool {
    let line = line.trim();
    let of_processor =
        line.starts_with("CPU") && (line.ends_with(" is empty") || line.ends_with(" START]"));
    line.is_empty()
        || line.starts_with('#')
        || line.starts_with("cpus=")
        || line.starts_with("version = ")
        || of_processor
}

/// A function of a stack: `=> schedule+0x4c/0x110`, or `ffffffff81a3c2f5 schedule+0x35 ([kernel.kallsyms])`.
fn is_stack(line: &str) -> bool {
    let text = line.trim_start();
    let first = text.split(' ').next().unwrap_or_default();
    let is_address = first.len() >= 8 && first.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.starts_with("=> ") || (is_address && text.len() < line.len() && text.contains(" ("))
}

/// Lines that some tracers print without a time, or in a form of their own.
fn is_timeless(line: &str) -> bool {
    let line = line.trim();
    let mut words = line.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_rule = line.len() >= 8 && line.bytes().all(|byte| byte == b'-');
    // As blkparse prints: `8,0  1  697  0.000000000  697  Q  W …`.
    let is_of_blk = first.split_once(',').is_some_and(|(a, b)| is_number(a) && is_number(b));
    let is_of_mmiotrace = OF_MMIOTRACE.contains(&first)
        && second.bytes().next().is_some_and(|byte| byte.is_ascii_digit());
    is_rule || is_of_mmiotrace || (is_of_blk && is_number(second))
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'-' | b'.'))
}

/// Whether a line goes on with the values of the one before, as a mailer breaks it.
pub(super) fn goes_on(line: &str) -> bool {
    let text = line.trim();
    let first = text.split(' ').next().unwrap_or_default();
    let key = first.split_once('=').map_or("", |(key, _)| key);
    text.starts_with("==> ") || text.starts_with("<-") || (!key.is_empty() && is_name(key))
}

/// Why a line is no event: tracefs, trace-cmd and perf say that they lost some, each in its words.
fn why_none(line: &str) -> &'static str {
    let is_of_buffer = line.contains("EVENTS");
    let dropped = is_of_buffer && (line.contains("[LOST") || line.contains("DROPPED]"));
    if dropped || line.contains(LOST_BY_PERF) {
        LOST
    } else if line.contains("ms (+") && line.contains("ms): ") {
        "this is the verbose latency format: turn the option verbose off"
    } else if has_count(line) {
        "its time is a count: set trace_clock to local, global or mono"
    } else {
        "this is no event"
    }
}

/// `[001] d..2. 123456789: sched_switch: …`
fn has_count(line: &str) -> bool {
    let Some((_, rest)) = line.split_once("] ") else { return false };
    let mut words = rest.split_whitespace().take(3);
    words.any(|word| word.strip_suffix(':').is_some_and(|count| count.parse::<u64>().is_ok()))
}
