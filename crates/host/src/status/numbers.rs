//! The accounts of a run as numbers for Prometheus.

use super::reading::Reading;
use crate::member::Account;
use vorrang_command::metrics::{Kind, Metrics};
use vorrang_quote::visible;
use vorrang_time::Duration;

/// Of all processors.
pub(super) fn all(metrics: &mut Metrics, readings: &[Reading]) {
    servers(metrics, readings);
    interrupts(metrics, readings);
    dispatchers(metrics, readings);
}

fn servers(metrics: &mut Metrics, readings: &[Reading]) {
    metrics.family("server_budget_ratio", Kind::Gauge, "Budget as a part of its processor.");
    for reading in readings {
        for member in &reading.managed.members {
            if let Some((budget, period)) = member.rate {
                metrics.ratio(&server(&member.name, &cpu(reading)), budget, period);
            }
        }
    }
    metrics.family("server_charged_ratio", Kind::Gauge, "Charged between two looks, as a part.");
    for reading in readings {
        let accounts = reading.before.shown.accounts.iter().zip(&reading.after.shown.accounts);
        for (member, (before, after)) in reading.managed.members.iter().zip(accounts) {
            let charged = after.charged.saturating_sub(before.charged);
            let (part, whole) = (charged.as_ns(), reading.elapsed.as_ns());
            metrics.ratio(&server(&member.name, &cpu(reading)), part, whole);
        }
    }
    let times = [
        (
            "server_charged_seconds_total",
            Kind::Counter,
            "What its budget was charged.",
            (|own| own.charged) as fn(&Account) -> Duration,
        ),
        (
            "server_lost_seconds_total",
            Kind::Counter,
            "Budget that was too short to be lent.",
            |own| own.dropped,
        ),
        ("server_over_seconds", Kind::Gauge, "The longest excess over its budget so far.", |own| {
            own.overrun
        }),
    ];
    for (name, kind, help, of) in times {
        metrics.family(name, kind, help);
        for reading in readings {
            let accounts = reading.managed.members.iter().zip(&reading.after.shown.accounts);
            for (member, account) in accounts {
                metrics.time(&server(&member.name, &cpu(reading)), of(account));
            }
        }
    }
    metrics.family("server_loans_total", Kind::Counter, "How often its thread was lent to.");
    for reading in readings {
        for (member, own) in reading.managed.members.iter().zip(&reading.after.shown.accounts) {
            metrics.count(&server(&member.name, &cpu(reading)), own.loans);
        }
    }
}

fn interrupts(metrics: &mut Metrics, readings: &[Reading]) {
    let counts = [
        ("interrupt_raised_total", "How often it was raised."),
        ("interrupt_beyond_credits_total", "How often it was raised beyond its credits."),
        ("interrupt_too_soon_total", "How often it came sooner than described."),
        ("interrupt_asleep_total", "How often a loan for it found its thread asleep."),
    ];
    for (place, (name, help)) in counts.into_iter().enumerate() {
        if readings.iter().all(|reading| reading.managed.interrupts.is_empty()) {
            return;
        }
        metrics.family(name, Kind::Counter, help);
        for reading in readings {
            let shown = reading.managed.interrupts.iter().zip(&reading.after.shown.interrupts);
            for (interrupt, counts) in shown {
                metrics.count(&[("of", &visible(interrupt))], counts[place]);
            }
        }
    }
}

fn dispatchers(metrics: &mut Metrics, readings: &[Reading]) {
    metrics.family("dispatcher_decisions_total", Kind::Counter, "Decisions of a dispatcher.");
    for reading in readings {
        metrics.count(&[("cpu", &cpu(reading))], reading.after.shown.course.steps);
    }
    metrics.family("dispatcher_seconds_total", Kind::Counter, "What a dispatcher has taken.");
    for reading in readings {
        metrics.time(&[("cpu", &cpu(reading))], reading.after.taken);
    }
    metrics.family("dispatcher_late_seconds", Kind::Gauge, "Its longest delay so far.");
    for reading in readings {
        metrics.time(&[("cpu", &cpu(reading))], reading.after.shown.course.latest);
    }
    metrics.family("dispatcher_decision_seconds", Kind::Gauge, "Its longest decision so far.");
    for reading in readings {
        metrics.time(&[("cpu", &cpu(reading))], reading.decisions().longest);
    }
}

fn cpu(reading: &Reading) -> String {
    reading.managed.cpu.to_string()
}

/// Names of a description have nothing in them that is not visible.
fn server<'a>(name: &'a str, cpu: &'a str) -> [(&'a str, &'a str); 2] {
    [("of", name), ("cpu", cpu)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changeover::Changeover;
    use crate::control::Course;
    use crate::linux::Shown;
    use crate::running::{Managed, Member};
    use crate::status::reading::Sample;

    fn sample(charged_us: u64) -> Sample {
        let charged = Duration::from_us(charged_us);
        let (overrun, dropped) = (Duration::from_us(2), Duration::from_us(3));
        let course = Course { steps: 11, latest: Duration::from_us(4), ..Course::default() };
        let accounts = vec![Account { loans: 5, charged, overrun, dropped }];
        let shown = Shown { origin: 0, course, accounts, interrupts: vec![[6, 7, 8, 9]] };
        Sample { shown, taken: Duration::from_us(10) }
    }

    #[test]
    fn a_run_has_budgets_losses_interrupts_and_dispatchers() {
        let name = "vcpu.a".to_owned();
        let member = Member { name, thread: None, reserved: String::new(), rate: Some((4, 10)) };
        let managed = Managed {
            cpu: 2,
            memory: 0,
            members: vec![member],
            tasks: Vec::new(),
            interrupts: vec!["interrupt.net".to_owned()],
            changeover: Changeover::Idle,
        };
        let elapsed = Duration::from_us(1_000);
        let reading = Reading { managed, elapsed, before: sample(100), after: sample(350) };
        let mut metrics = Metrics::default();
        all(&mut metrics, &[reading]);
        let text = metrics.text();
        let samples: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        for expected in [
            r#"vorrang_server_budget_ratio{of="vcpu.a",cpu="2"} 0.400000"#,
            r#"vorrang_server_charged_ratio{of="vcpu.a",cpu="2"} 0.250000"#,
            r#"vorrang_server_charged_seconds_total{of="vcpu.a",cpu="2"} 0.000350000"#,
            r#"vorrang_server_lost_seconds_total{of="vcpu.a",cpu="2"} 0.000003000"#,
            r#"vorrang_server_over_seconds{of="vcpu.a",cpu="2"} 0.000002000"#,
            r#"vorrang_server_loans_total{of="vcpu.a",cpu="2"} 5"#,
            r#"vorrang_interrupt_raised_total{of="interrupt.net"} 6"#,
            r#"vorrang_interrupt_asleep_total{of="interrupt.net"} 9"#,
            r#"vorrang_dispatcher_decisions_total{cpu="2"} 11"#,
            r#"vorrang_dispatcher_seconds_total{cpu="2"} 0.000010000"#,
            r#"vorrang_dispatcher_late_seconds{cpu="2"} 0.000004000"#,
        ] {
            assert!(samples.contains(&expected), "{expected} in\n{text}");
        }
    }
}
