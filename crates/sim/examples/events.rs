//! Every event of one history of every core of a description, one per line, and nothing else: two
//! builds that print the same did the same.
//!
//! ```text
//! cargo run -p vorrang-sim --example events -- PATTERN MILLISECONDS < system.toml
//! ```
//!
//! A core that is not covered is a line, too. It reads standard input because a WebAssembly host
//! gives it no files.

use std::fmt::Debug;
use std::io::{self, Read as _, Write};
use std::process::ExitCode;
use vorrang_model::system::{DeviceId, InterruptId, SupplyId, TimerId};
use vorrang_model::{Format, read};
use vorrang_sim::{
    Cause, Context, History, Job, Observer, Packet, Pattern, Payer, Running, simulate,
};
use vorrang_time::{Duration, Instant};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(pattern), Some(Ok(length))) =
        (arguments.next(), arguments.next().map(|length| length.parse::<u64>()))
    else {
        eprintln!("usage: events PATTERN MILLISECONDS < system.toml");
        return ExitCode::from(2);
    };
    let mut text = String::new();
    if io::stdin().read_to_string(&mut text).is_err() {
        eprintln!("the description is not readable text");
        return ExitCode::from(2);
    }
    let system = match read(&text, Format::Toml) {
        Ok(system) => system,
        Err(errors) => {
            eprintln!("the description has {} errors", errors.len());
            return ExitCode::from(2);
        }
    };
    let Ok(pattern) = Pattern::parse(&pattern, &system) else {
        eprintln!("there is no such pattern");
        return ExitCode::from(2);
    };
    let mut lines = Lines { out: io::BufWriter::new(io::stdout().lock()) };
    for core in system.cores() {
        lines.line(&system.supply(core).name);
        let horizon = Instant::ZERO + Duration::from_ms(length);
        let done = pattern
            .history(&system, core)
            .and_then(|history| simulate(&system, core, &history, horizon, &mut lines));
        if let Err(why) = done {
            lines.line(why);
        }
    }
    lines.out.flush().map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
}

/// Writes each event as a line.
struct Lines<W: Write> {
    out: W,
}

impl<W: Write> Lines<W> {
    fn line(&mut self, text: impl std::fmt::Display) {
        // A closed reader is reported when the rest is flushed.
        let _ = writeln!(self.out, "{text}");
    }

    fn event(&mut self, at: Instant, name: &str, what: impl Debug) {
        self.line(format_args!("{} {name} {what:?}", at.as_ns()));
    }
}

impl<W: Write> Observer for Lines<W> {
    fn began(&mut self, core: SupplyId, history: &History) {
        self.event(Instant::ZERO, "began", (core, history));
    }

    fn ended(&mut self, at: Instant) {
        self.event(at, "ended", ());
    }

    fn decided(&mut self, what: Running, at: Instant) {
        self.event(at, "decided", what);
    }

    fn runs(&mut self, what: Running, at: Instant) {
        self.event(at, "runs", what);
    }

    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        self.event(to, "ran", (from.as_ns(), what));
    }

    fn released(&mut self, job: &Job) {
        self.event(job.release, "released", job);
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        self.event(at, "completed", job);
    }

    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.event(at, "unfinished", job);
    }

    fn replenished(&mut self, server: SupplyId, at: Instant) {
        self.event(at, "replenished", server);
    }

    fn exhausted(&mut self, server: SupplyId, at: Instant) {
        self.event(at, "exhausted", server);
    }

    fn paid(&mut self, payer: Payer, from: Instant, to: Instant) {
        self.event(to, "paid", (from.as_ns(), payer));
    }

    fn budget(&mut self, server: SupplyId, left: Duration, at: Instant) {
        self.event(at, "budget", (server, left.as_ns()));
    }

    fn called(&mut self, at: Instant) {
        self.event(at, "called", ());
    }

    fn switched(&mut self, from: Option<Context>, to: Context, at: Instant) {
        self.event(at, "switched", (from, to));
    }

    fn lost(&mut self, context: Option<Context>, cause: Cause, amount: Duration, at: Instant) {
        self.event(at, "lost", (context, cause, amount.as_ns()));
    }

    fn masked(&mut self, interrupt: InterruptId, at: Instant) {
        self.event(at, "masked", interrupt);
    }

    fn unmasked(&mut self, interrupt: InterruptId, at: Instant) {
        self.event(at, "unmasked", interrupt);
    }

    fn pseudo_vcpu_budget(&mut self, interrupt: InterruptId, left: Duration, at: Instant) {
        self.event(at, "pseudo-vcpu", (interrupt, left.as_ns()));
    }

    fn served(&mut self, interrupt: InterruptId, in_guest: bool, at: Instant) {
        self.event(at, "served", (interrupt, in_guest));
    }

    fn merged(&mut self, interrupt: InterruptId, at: Instant) {
        self.event(at, "merged", interrupt);
    }

    fn expired(&mut self, timer: TimerId, due: Instant, at: Instant) {
        self.event(at, "expired", (timer, due.as_ns()));
    }

    fn packet(&mut self, device: DeviceId, event: Packet, arrival: Instant, at: Instant) {
        self.event(at, "packet", (device, event, arrival.as_ns()));
    }
}
