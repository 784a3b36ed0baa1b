//! Events a second of a trace that repeats a recorded one: learnt from, and kept as a schedule.
//!
//! `cargo run --release -p vorrang-learn --example speed -- TRACE [EVENTS [--write]]`. The clock goes on from copy to copy.
//! Time is that of the processor, so that others who want it do not count. With `--write` the text itself goes to
//! standard output.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use vorrang_learn::{Learner, Wanted};
use vorrang_observe::schedule::Reader;

/// A schedule keeps at most two million events.
const KEPT: u64 = 1_000_000;

fn main() {
    let mut arguments = env::args().skip(1);
    let path = arguments.next().expect("a trace");
    let wanted: u64 = arguments.next().map_or(10_000_000, |count| count.parse().expect("a number"));
    let recorded = fs::read_to_string(path).expect("a text");
    let lines: Vec<&str> = recorded.lines().filter(|line| line.contains("] ")).collect();
    let copies = wanted / lines.len() as u64;
    if arguments.next().is_some_and(|word| word == "--write") {
        let mut out = io::stdout().lock();
        (0..copies).for_each(|copy| out.write_all(shifted(&lines, copy).as_bytes()).expect("room"));
        return;
    }

    let (mut learner, mut taken) = (Learner::new(Wanted::default()), 0);
    for copy in 0..copies {
        let text = shifted(&lines, copy);
        let begin = on_processor();
        learner.text(text.as_bytes()).expect("a trace");
        taken += on_processor() - begin;
    }
    let learnt = learner.finish();
    println!(
        "learnt from {} events, {:.2} million a second",
        learnt.events,
        rate(learnt.events, taken)
    );

    let (mut reader, mut taken) = (Reader::default(), 0);
    let kept = (KEPT / lines.len() as u64).min(copies);
    for copy in 0..kept {
        let text = shifted(&lines, copy);
        let begin = on_processor();
        text.lines().for_each(|line| reader.line(line).expect("a line"));
        taken += on_processor() - begin;
    }
    let events = kept * lines.len() as u64;
    println!("kept {events} events as a schedule, {:.2} million a second", rate(events, taken));
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    println!("{peak}");
}

/// The lines, so many seconds later as copies were before.
fn shifted(lines: &[&str], copy: u64) -> String {
    let mut text = String::new();
    for line in lines {
        let at = line.find(": ").expect("a time");
        let begin = line[..at].rfind(' ').expect("a time") + 1;
        let (seconds, fraction) = line[begin..at].split_once('.').expect("a time");
        let seconds: u64 = seconds.parse().expect("a number");
        writeln!(text, "{}{}.{fraction}{}", &line[..begin], seconds + copy, &line[at..])
            .expect("text");
    }
    text
}

/// How long this thread has run, in nanoseconds.
fn on_processor() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("a Linux");
    text.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a time")
}

fn rate(events: u64, taken: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    let (events, taken) = (events as f64, taken as f64);
    events / taken * 1e3
}
