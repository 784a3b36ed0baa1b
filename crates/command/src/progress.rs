//! Progress on standard error.
//!
//! **Model.** A thread reads the progress a few times a second and draws a line, so that the
//! computation itself needs no clock. Nothing is shown in the first second, and nothing ever where
//! standard error is no terminal, or one that cannot redraw a line.

use crate::pulse::Pulse;
use crate::screen;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use vorrang_sim::Progress;

/// How long a command may be silent.
const PATIENCE: Duration = Duration::from_secs(1);

/// The interval at which the line is redrawn.
const TICK: Duration = Duration::from_millis(200);

/// The content of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The progress in millionths, if it is known.
    pub done: Option<u64>,
    /// The current step, and its rate.
    pub text: String,
}

/// A line that appears when something takes long, and disappears when this is dropped.
pub struct Waiting {
    /// Dropping it ends the thread.
    end: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Starts the thread; `line` is called from time to time, with the elapsed time.
    pub fn start(line: impl Fn(Duration) -> Line + Send + 'static) -> Self {
        if !screen::draws_anew() {
            return Self { end: None, thread: None };
        }
        let (end, ended) = mpsc::channel();
        let thread = thread::spawn(move || show(&line, &ended));
        Self { end: Some(end), thread: Some(thread) }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            // A line that could not be drawn is no reason to fail.
            let _ = thread.join();
        }
    }
}

fn show(line: &impl Fn(Duration) -> Line, ended: &mpsc::Receiver<()>) {
    let since = Instant::now();
    let mut bar = None;
    let mut pause = PATIENCE;
    while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        let Line { done, text } = line(since.elapsed());
        let bar = bar.get_or_insert_with(|| new_bar(done.is_some()));
        bar.set_message(text);
        bar.set_position(done.unwrap_or(0));
        pause = TICK;
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

fn new_bar(with_bar: bool) -> ProgressBar {
    let template = if with_bar { "[{bar:20}] {wide_msg}" } else { "{wide_msg}" };
    let style = ProgressStyle::with_template(template).expect("a valid template");
    let target = ProgressDrawTarget::stderr();
    ProgressBar::with_draw_target(Some(1_000_000), target).with_style(style.progress_chars("##-"))
}

/// A line without a bar.
pub fn talk(text: impl Fn(u64) -> String + Send + 'static) -> Waiting {
    Waiting::start(move |since| Line { done: None, text: text(since.as_secs()) })
}

/// A line about a search, and the function that updates it.
pub fn of_search() -> (Waiting, impl FnMut(Progress)) {
    let place = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
    let told = Arc::clone(&place);
    let tell = move |progress: Progress| {
        told[0].store(progress.done, Ordering::Relaxed);
        told[1].store(progress.total, Ordering::Relaxed);
    };
    let waiting = Waiting::start(move |_| {
        let [done, total] = [0, 1].map(|part| place[part].load(Ordering::Relaxed));
        let text = format!("simulating history {done} of {total}");
        Line { done: Some(done.saturating_mul(1_000_000) / total.max(1)), text }
    });
    (waiting, tell)
}

/// A line about runs of several cores side by side, each of the length `horizon_ns`.
pub fn of_runs(pulses: Arc<[Pulse]>, horizon_ns: u64) -> Waiting {
    Waiting::start(move |since| {
        let (mut simulated_ns, mut jobs) = (0_u128, 0_u64);
        for (until, own) in pulses.iter().map(Pulse::read) {
            simulated_ns += u128::from(until.as_ns());
            jobs += own;
        }
        // All cores have the same horizon.
        simulated_ns /= pulses.len().max(1) as u128;
        rates(simulated_ns, u128::from(horizon_ns), jobs, since)
    })
}

/// A line about this many systems, of which `done` are complete.
pub fn of_systems(done: Arc<AtomicU64>, total: u64) -> Waiting {
    Waiting::start(move |since| systems(done.load(Ordering::Relaxed), total, since))
}

/// The number of systems, the rate, and the remaining time at this rate.
fn systems(done: u64, total: u64, since: Duration) -> Line {
    let (done, total, elapsed_ns) = (u128::from(done), u128::from(total), since.as_nanos().max(1));
    let left = match ((total - done.min(total)) * elapsed_ns).checked_div(done) {
        Some(left_ns) => format!("{} left", clock(left_ns / 1_000_000_000)),
        None => "time left unknown".to_owned(),
    };
    let rate = magnitude(done * 1_000_000_000 / elapsed_ns);
    let text = format!("{} of {} systems, {rate}/s, {left}", magnitude(done), magnitude(total));
    let done = (done * 1_000_000).checked_div(total).unwrap_or(0);
    Line { done: Some(u64::try_from(done).unwrap_or(u64::MAX)), text }
}

/// The simulated time, the rate, and the remaining time at this rate.
fn rates(simulated_ns: u128, horizon_ns: u128, jobs: u64, since: Duration) -> Line {
    let elapsed_ns = since.as_nanos().max(1);
    let left_ns = horizon_ns.saturating_sub(simulated_ns);
    let left = match (left_ns * elapsed_ns).checked_div(simulated_ns) {
        Some(left_ns) => format!("{} left", clock(left_ns / 1_000_000_000)),
        None => "remaining time unknown".to_owned(),
    };
    let text = format!(
        "{} of {}, {}.{} s/s, {} jobs/s, {left}",
        clock(simulated_ns / 1_000_000_000),
        clock(horizon_ns / 1_000_000_000),
        simulated_ns / elapsed_ns,
        simulated_ns * 10 / elapsed_ns % 10,
        magnitude(u128::from(jobs) * 1_000_000_000 / elapsed_ns),
    );
    let done = (simulated_ns * 1_000_000).checked_div(horizon_ns).unwrap_or(0);
    Line { done: Some(u64::try_from(done).unwrap_or(u64::MAX)), text }
}

/// Seconds as people say them.
fn clock(seconds: u128) -> String {
    match (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60) {
        (0, 0, 0, seconds) => format!("{seconds}s"),
        (0, 0, minutes, seconds) => format!("{minutes}min {seconds}s"),
        (0, hours, minutes, _) => format!("{hours}h {minutes}min"),
        (days, hours, ..) => format!("{days}d {hours}h"),
    }
}

/// A number to three digits or so.
fn magnitude(number: u128) -> String {
    let (unit, name) = match number {
        0..10_000 => return number.to_string(),
        10_000..10_000_000 => (1_000, "k"),
        _ => (1_000_000, "M"),
    };
    format!("{}.{} {name}", number / unit, number * 10 / unit % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u128 = 1_000_000_000;

    #[test]
    fn a_line_says_how_fast_and_how_long() {
        let line = rates(90 * SECOND, 3600 * SECOND, 12_345_678, Duration::from_millis(1_500));
        assert_eq!(line.done, Some(25_000));
        assert_eq!(line.text, "1min 30s of 1h 0min, 60.0 s/s, 8230.4 k jobs/s, 58s left");
    }

    #[test]
    fn a_line_about_systems_says_how_fast_and_how_long() {
        let line = systems(250_000, 1_000_000, Duration::from_secs(2));
        assert_eq!(line.done, Some(250_000));
        assert_eq!(line.text, "250.0 k of 1000.0 k systems, 125.0 k/s, 6s left");
        assert!(systems(0, 10, Duration::ZERO).text.ends_with("time left unknown"));
    }

    #[test]
    fn nothing_done_yet_promises_nothing() {
        let line = rates(0, SECOND, 0, Duration::ZERO);
        assert_eq!(line.done, Some(0));
        assert!(line.text.ends_with("remaining time unknown"), "{}", line.text);
        assert_eq!(rates(0, 0, 0, Duration::ZERO).done, Some(0));
    }

    #[test]
    fn long_times_and_large_numbers_are_short() {
        assert_eq!([59, 61, 3_700, 90_000].map(clock), ["59s", "1min 1s", "1h 1min", "1d 1h"]);
        assert_eq!([9_999, 12_345, 12_345_678].map(magnitude), ["9999", "12.3 k", "12.3 M"]);
    }
}
