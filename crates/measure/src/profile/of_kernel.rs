//! From the measurement of a kernel to the profile of it.

use super::{Number, Profile, Section, rounded_up, texts};
use crate::kernel::{Calls, Measured, Ticks};
use crate::statistics::Sorted;
use std::fmt::Write as _;

/// The verb of this measurement.
const VERB: &str = "kernel";

impl Profile {
    /// Inserts the kernel, in place of the previous one; and the cost of calls, if it was measured.
    pub fn replace_kernel(&mut self, measured: &Measured) {
        let numbers = measured.named().into_iter();
        self.replace(Section {
            verb: VERB.to_owned(),
            conditions: texts(&measured.conditions),
            numbers: numbers.map(|(name, sorted)| (name, Number::of(sorted, 0))).collect(),
        });
        if let Ok(calls) = &measured.calls {
            // A call with the switch behind it, as `switch` has it.
            self.set_cost("scheduler-call", longest_ns(&calls.wake).max(longest_ns(&calls.sleep)));
            self.set_cost("context-switch", 0);
        }
        self.kernel = Some(tables(measured));
    }
}

/// The longest, rounded up to three significant digits.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole nanoseconds, not below zero"
)]
fn longest_ns(of: &Sorted) -> u64 {
    rounded_up(of.spread().max.ceil() as u64)
}

/// In the largest unit in which it is a whole number.
fn duration(ns: u64) -> String {
    let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")];
    let whole = units.into_iter().find(|(unit, _)| ns > 0 && ns.is_multiple_of(*unit));
    whole.map_or_else(|| format!("{ns}ns"), |(unit, name)| format!("{}{name}", ns / unit))
}

fn us(ns: f64) -> String {
    format!("{:.1} us", ns / 1_000.0)
}

/// How often, and what is usual, as the end of a source.
fn seen(of: &Sorted) -> String {
    let spread = of.spread();
    format!("longest of {}, median {}", spread.count, us(spread.median))
}

const HEAD: &str = "# What the kernel of this machine does by itself. Times are the longest that were seen in so many samples, not\n\
                    # bounds (docs/kernel.md).\n";

fn tables(measured: &Measured) -> String {
    let mut text = HEAD.to_owned();
    kernel(&mut text, measured);
    fair_server(&mut text, measured);
    if let Ok(late) = &measured.late {
        table(&mut text, "overrun");
        let _ = writeln!(text, "time = \"{}\"", duration(longest_ns(late)));
        samples(&mut text, late);
        let ends = &measured.facts.runtimes_end;
        source(
            &mut text,
            &format!(
                "{ends}; the charges of a thread with more work than 2 ms every 10 ms; {}",
                seen(late)
            ),
        );
    }
    if let Ok(sections) = &measured.sections {
        self::sections(&mut text, sections);
    }
    if let Ok(ticks) = &measured.ticks {
        tick(&mut text, ticks);
        threads(&mut text, measured, ticks);
    }
    for (name, what, source) in not_counted(measured) {
        table(&mut text, &format!("not-counted.{name}"));
        line(&mut text, "what", &what);
        self::source(&mut text, &source);
    }
    text
}

fn kernel(text: &mut String, measured: &Measured) {
    let facts = &measured.facts;
    let date = measured.conditions.iter().find(|(name, _)| *name == "date");
    let date = date.map_or(String::new(), |(_, date)| format!(", {date}"));
    let costs = measured.calls.as_ref().map_or(String::new(), |calls| {
        let Calls { wake, sleep } = calls;
        format!(
            "; costs: the clocks of two threads, one of which sleeps and wakes above the other: a timer's interrupt, wake-up and switch {}; \
             sleep and switch {}",
            seen(wake),
            seen(sleep)
        )
    });
    let _ = writeln!(text, "[kernel]");
    source(text, &format!("Linux {} on this machine{date}{costs}", facts.release));
    if let Ok(calls) = &measured.calls {
        samples(text, &calls.wake);
    }
    line(text, "release", &facts.release);
    let _ = writeln!(text, "realtime = {}", facts.is_realtime);
    if let Ok(built) = facts.built {
        line(text, "interrupt-time", if built.interrupts_are_apart { "apart" } else { "charged" });
    }
    if facts.fair_server == Ok((0, 0)) {
        line(text, "fair-server", "none");
    }
}

fn fair_server(text: &mut String, measured: &Measured) {
    let Ok((budget, period)) = measured.facts.fair_server else { return };
    if budget > 0 {
        table(text, "fair-server");
        let _ =
            writeln!(text, "budget = \"{}\"\nperiod = \"{}\"", duration(budget), duration(period));
        source(text, "/sys/kernel/debug/sched/fair_server");
    }
}

fn sections(text: &mut String, sections: &Sorted) {
    table(text, "sections");
    line(text, "longest", &duration(longest_ns(sections)));
    samples(text, sections);
    source(
        text,
        &format!(
            "how much longer than the shortest a thread above all others took to wake, above one that asks the kernel for memory, \
             threads, pipes and files; {}",
            seen(sections)
        ),
    );
}

fn tick(text: &mut String, ticks: &Ticks) {
    let Ticks { grid, took } = ticks;
    table(text, "interrupt.tick");
    let _ = writeln!(text, "isr = \"{}\"", duration(longest_ns(took)));
    let _ = writeln!(text, "min-interarrival = \"{}\"", duration(grid.period_ns));
    if grid.jitter_ns > 0 {
        let _ = writeln!(text, "jitter = \"{}\"", duration(grid.jitter_ns));
    }
    samples(text, took);
    let hertz = 1_000_000_000 / grid.period_ns;
    source(
        text,
        &format!(
            "CONFIG_HZ={hertz}; the gaps of a thread above all others then, by its clock; {}",
            seen(took)
        ),
    );
}

fn threads(text: &mut String, measured: &Measured, ticks: &Ticks) {
    for thread in measured.threads.iter().flatten() {
        table(text, &format!("task.{}", thread.name));
        let _ = writeln!(text, "wcet = \"{}\"", duration(longest_ns(&thread.ran)));
        let _ = writeln!(text, "period = \"{}\"", duration(ticks.grid.period_ns));
        if ticks.grid.jitter_ns > 0 {
            let _ = writeln!(text, "jitter = \"{}\"", duration(ticks.grid.jitter_ns));
        }
        let _ = writeln!(text, "priority = {}", thread.priority);
        samples(text, &thread.ran);
        let of = seen(&thread.ran);
        source(
            text,
            &format!(
                "/proc/PID/schedstat, looked at between ticks; of the periods in which it ran {of}"
            ),
        );
    }
}

/// Activities without a number, by name.
fn not_counted(measured: &Measured) -> Vec<(&'static str, String, String)> {
    let mut all = vec![(
        "bottom-halves",
        "how long threads wait for the lock of soft interrupts (local_bh_disable) of their processor".to_owned(),
        "not measured; docs/apply.md".to_owned(),
    )];
    let others = measured.others.as_ref().map_or_else(
        || "none was seen while ticks were measured".to_owned(),
        |others| {
            format!(
                "while ticks were measured: {}, longest {}",
                others.spread().count,
                us(others.spread().max)
            )
        },
    );
    all.push((
        "interrupts",
        "interrupts besides the tick, of devices and of other processors".to_owned(),
        others,
    ));
    if measured.facts.is_realtime {
        let what = "the work of ktimers for timers of threads without a real-time priority that did not exist";
        all.push(("soft-timers", what.to_owned(), "as many as a system has".to_owned()));
    }
    if measured.facts.has_sched_ext {
        let what = "a scheduler of sched_ext, which has a server of its own";
        all.push(("sched-ext", what.to_owned(), "there is none unless one is loaded".to_owned()));
    }
    let missing = missing(measured).into_iter().filter_map(|(name, what, why)| {
        Some((name, what.to_owned(), format!("not measured: {}", why?)))
    });
    all.extend(missing);
    all
}

/// The measurement that failed.
fn missing(measured: &Measured) -> [(&'static str, &'static str, Option<&String>); 7] {
    [
        ("tick", "the tick", measured.ticks.as_ref().err()),
        (
            "threads",
            "threads of the kernel that handle soft interrupts",
            measured.threads.as_ref().err(),
        ),
        ("calls", "calls of the scheduler and switches", measured.calls.as_ref().err()),
        (
            "sections",
            "sections with preemption or interrupts off",
            measured.sections.as_ref().err(),
        ),
        ("late-runtimes", "runtimes of SCHED_DEADLINE that end late", measured.late.as_ref().err()),
        (
            "server",
            "a server of SCHED_OTHER with more than 50 ms every second",
            measured.facts.fair_server.as_ref().err(),
        ),
        (
            "interrupt-time",
            "what interrupts are charged to, if a core does not state it",
            measured.facts.built.as_ref().err(),
        ),
    ]
}

fn table(text: &mut String, name: &str) {
    let _ = writeln!(text, "\n[kernel.{name}]");
}

fn samples(text: &mut String, of: &Sorted) {
    let _ = writeln!(text, "samples = {}", of.spread().count);
}

fn source(text: &mut String, said: &str) {
    line(text, "source", said);
}

fn line(text: &mut String, key: &str, value: &str) {
    let _ = writeln!(text, "{key} = {}", toml::Value::from(value));
}
