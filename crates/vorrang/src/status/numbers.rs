//! `vorrang status --format prometheus`: what reservations received, as numbers for a node exporter.

use vorrang_command::metrics::{Kind, Metrics};
use vorrang_enforce::journal::Described;
use vorrang_enforce::{Row, Shielded, Times, cpu_list};
use vorrang_quote::visible;
use vorrang_time::Duration;

/// That nothing is applied.
pub(super) fn nothing() -> String {
    Metrics::applied(None).text()
}

/// What is applied, and what its threads received between two looks and since they began.
pub(super) fn all(described: &Described, rows: &[Row], shields: &[Shielded]) -> String {
    let mut metrics = Metrics::applied(Some(described));
    threads(&mut metrics, rows);
    if !shields.is_empty() {
        timers(&mut metrics, shields);
    }
    metrics.text()
}

/// The labels of a thread.
struct Named {
    of: String,
    thread: String,
    number: String,
    cpus: String,
}

impl Named {
    fn of(row: &Row) -> Self {
        Self {
            of: visible(row.now.label.as_deref().unwrap_or_default()),
            thread: visible(&row.now.thread.name),
            number: row.now.thread.thread.to_string(),
            cpus: cpu_list(&row.now.cpus),
        }
    }

    fn labels(&self) -> [(&str, &str); 4] {
        let Self { of, thread, number, cpus } = self;
        [("of", of), ("thread", thread), ("number", number), ("on", cpus)]
    }
}

fn threads(metrics: &mut Metrics, rows: &[Row]) {
    metrics.family("thread_well", Kind::Gauge, "Whether a thread receives what it should.");
    for row in rows {
        metrics.count(&Named::of(row).labels(), u64::from(row.finding.is_well()));
    }
    metrics.family("thread_budget_ratio", Kind::Gauge, "Its budget as a part of its processor.");
    for row in rows {
        if let Some(budget) = row.budget {
            metrics.ratio(&Named::of(row).labels(), budget, row.elapsed);
        }
    }
    let times = [
        (
            "thread_received_ratio",
            "What it received between two looks, as a part of its processor.",
            (|times| times.ran) as fn(&Times) -> u64,
        ),
        (
            "thread_waited_ratio",
            "How long it was ready and did not run between two looks, as a part.",
            |times| times.waited,
        ),
    ];
    for (name, help, of) in times {
        metrics.family(name, Kind::Gauge, help);
        for row in rows {
            if let Some(received) = &row.received {
                metrics.ratio(&Named::of(row).labels(), of(received), row.elapsed);
            }
        }
    }
    let times = [
        (
            "thread_ran_seconds_total",
            "For how long it has run.",
            (|times| times.ran) as fn(&Times) -> u64,
        ),
        ("thread_waited_seconds_total", "For how long it was ready and did not run.", |times| {
            times.waited
        }),
    ];
    for (name, help, of) in times {
        metrics.family(name, Kind::Counter, help);
        for row in rows {
            if let Some(times) = &row.now.times {
                metrics.time(&Named::of(row).labels(), Duration::from_ns(of(times)));
            }
        }
    }
}

fn timers(metrics: &mut Metrics, shields: &[Shielded]) {
    let numbers = [
        (
            "shield_on",
            Kind::Gauge,
            "Whether the timers of a processor are shielded.",
            (|one| u64::from(one.is_on)) as fn(&Shielded) -> u64,
        ),
        ("shield_held_back_total", Kind::Counter, "Timers that were held back.", |one| {
            one.held_back
        }),
        (
            "shield_overdue_total",
            Kind::Counter,
            "Timers that fired at their longest deferral.",
            |one| one.overdue,
        ),
    ];
    for (name, kind, help, of) in numbers {
        metrics.family(name, kind, help);
        for one in shields {
            metrics.count(&[("cpu", &one.cpu.to_string())], of(one));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;
    use vorrang_enforce::{Finding, Policy, Sample, Thread};

    #[test]
    fn a_thread_has_its_budget_its_time_and_its_names() {
        let thread = Thread { thread: 7, process: 5, start: 9, name: "qemu \"a\"".to_owned() };
        let times = Some(Times { ran: 1_500_000_000, waited: 250_000_000 });
        let (label, cpus, now) = (Some("vcpu.a".to_owned()), vec![1, 2], Instant::now());
        let policy = Policy::default();
        let now = Sample { label, thread, policy, holds: true, cpus, times, at: (now, now) };
        let received = Some(Times { ran: 300, waited: 100 });
        let (budget, finding) = (Some(400), Finding::TooLittle);
        let row = Row { now, received, elapsed: 1_000, budget, finding };
        let shield = Shielded { cpu: 3, is_on: true, held_back: 8, ..Shielded::default() };
        let described = Described::new("a.toml", "12", "proven");
        let text = all(&described, &[row], &[shield]);
        let samples: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let of = r#"{of="vcpu.a",thread="qemu \"a\"",number="7",on="1-2"}"#;
        let expected = [
            r#"vorrang_applied{description="a.toml",sha256="12",verdict="proven"} 1"#.to_owned(),
            format!("vorrang_thread_well{of} 0"),
            format!("vorrang_thread_budget_ratio{of} 0.400000"),
            format!("vorrang_thread_received_ratio{of} 0.300000"),
            format!("vorrang_thread_waited_ratio{of} 0.100000"),
            format!("vorrang_thread_ran_seconds_total{of} 1.500000000"),
            format!("vorrang_thread_waited_seconds_total{of} 0.250000000"),
            r#"vorrang_shield_on{cpu="3"} 1"#.to_owned(),
            r#"vorrang_shield_held_back_total{cpu="3"} 8"#.to_owned(),
            r#"vorrang_shield_overdue_total{cpu="3"} 0"#.to_owned(),
        ];
        assert_eq!(samples, expected);
        let families = text.lines().filter(|line| line.starts_with("# TYPE ")).count();
        assert_eq!(families, samples.len());
    }
}
