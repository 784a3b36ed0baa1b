//! Events a second of a trace that repeats a recorded one: learnt from, and kept as a schedule.
//!
//! `cargo run --release -p vorrang-learn --example speed -- TRACE [EVENTS]`. The clock goes on from copy to copy.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::time::Instant;
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

    let (mut learner, mut taken) = (Learner::new(Wanted::default()), 0.0);
    for copy in 0..copies {
        let text = shifted(&lines, copy);
        let begin = Instant::now();
        learner.text(text.as_bytes()).expect("a trace");
        taken += begin.elapsed().as_secs_f64();
    }
    let learnt = learner.finish();
    println!(
        "learnt from {} events, {:.2} million a second",
        learnt.events,
        rate(learnt.events, taken)
    );

    let (mut reader, mut taken) = (Reader::default(), 0.0);
    let kept = (KEPT / lines.len() as u64).min(copies);
    for copy in 0..kept {
        let text = shifted(&lines, copy);
        let begin = Instant::now();
        text.lines().for_each(|line| reader.line(line).expect("a line"));
        taken += begin.elapsed().as_secs_f64();
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

fn rate(events: u64, seconds: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    let events = events as f64;
    events / seconds / 1e6
}
