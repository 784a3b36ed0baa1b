//! What it costs to learn from a running machine, at 20 000 switches a second.
//!
//! `cargo run --release -p vorrang-learn --example load [SECONDS]`, as root, with tracefs mounted. A real-time thread wakes
//! 10 000 times a second; its events and those of all others are read and learnt from, as `vorrang learn --for` does. The time
//! of the processor that this takes is that of the thread that reads, the kernel's part of reading included.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use vorrang_learn::{Learner, Wanted};
use vorrang_recorded::Live;
use vorrang_sched::Policy;

/// As `vorrang learn` traces.
const EVENTS: [&str; 10] = [
    "sched/sched_switch",
    "sched/sched_waking",
    "sched/sched_wakeup",
    "sched/sched_wakeup_new",
    "irq/irq_handler_entry",
    "irq/irq_handler_exit",
    "irq/softirq_entry",
    "irq/softirq_exit",
    "irq_vectors",
    "timer/hrtimer_start",
];
const WAKES: Duration = Duration::from_micros(100);
const PAUSE: Duration = Duration::from_millis(50);

/// An instance of tracefs, until the end.
struct Instance(PathBuf);

impl Drop for Instance {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

impl Instance {
    fn new() -> io::Result<Self> {
        let mounts = fs::read_to_string("/proc/self/mounts")?;
        let mounted = mounts.lines().find_map(|line| {
            let mut words = line.split(' ').skip(1);
            Some(words.next()?).filter(|_| words.next() == Some("tracefs"))
        });
        let root = mounted.ok_or_else(|| io::Error::other("tracefs is not mounted"))?;
        let own = Self(Path::new(root).join(format!("instances/load-{}", std::process::id())));
        fs::create_dir(&own.0)?;
        own.write("tracing_on", "0")?;
        own.write("buffer_size_kb", "8192")?;
        own.write("trace_clock", "mono")?;
        for event in EVENTS {
            // Kernels differ in what they have.
            let _ = own.write(&format!("events/{event}/enable"), "1");
        }
        Ok(own)
    }

    fn write(&self, file: &str, value: &str) -> io::Result<()> {
        fs::write(self.0.join(file), value)
    }
}

fn main() -> io::Result<()> {
    let seconds = std::env::args().nth(1).map_or(10, |word| word.parse().expect("seconds"));
    let wakes = move || {
        vorrang_sched::set(0, Policy::fifo(20)).expect("a real-time thread");
        let until = Instant::now() + Duration::from_secs(seconds + 2);
        let mut next = Instant::now();
        while next < until {
            next += WAKES;
            thread::sleep(next.saturating_duration_since(Instant::now()));
        }
    };
    let woken = thread::Builder::new().name("wakes".to_owned()).spawn(wakes)?;
    let instance = Instance::new()?;
    let mut live = Live::of(&instance.0, &EVENTS)?;
    let (mut learner, mut text) = (Learner::new(Wanted::default()), Vec::new());
    let (begin, taken, switches) = (Instant::now(), on_processor()?, switches()?);
    instance.write("tracing_on", "1")?;
    while begin.elapsed() < Duration::from_secs(seconds) {
        thread::sleep(PAUSE);
        text.clear();
        live.read(&mut text)?;
        learner.text(&text).expect("a trace");
    }
    instance.write("tracing_on", "0")?;
    text.clear();
    live.finish(&mut text)?;
    learner.text(&text).expect("a trace");
    let (passed, taken) = (begin.elapsed().as_nanos(), u128::from(on_processor()? - taken));
    let switches = u128::from(self::switches()? - switches);
    drop(live);
    let events = u128::from(learner.finish().events.max(1));
    let a_second = |count: u128| count * 1_000_000_000 / passed;
    println!(
        "{} switches and {} events a second, {} ns an event: {}.{:02} % of a processor",
        a_second(switches),
        a_second(events),
        taken / events,
        taken * 100 / passed,
        taken * 10_000 / passed % 100
    );
    woken.join().expect("it ends");
    Ok(())
}

/// How long this thread has run, in nanoseconds.
fn on_processor() -> io::Result<u64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat")?;
    Ok(text.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a time"))
}

/// Switches of all processors since they began.
fn switches() -> io::Result<u64> {
    let text = fs::read_to_string("/proc/stat")?;
    let line = text.lines().find_map(|line| line.strip_prefix("ctxt "));
    Ok(line.and_then(|count| count.parse().ok()).expect("a number"))
}
