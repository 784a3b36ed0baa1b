//! What a reproduction of these publications has to show, figure by figure: the curves, and the numbers beside them.

use crate::MADE;
use crate::pictures::{chart, curves};
use crate::said::{claim, says};
use vorrang_figure::Shape;

/// (2/U)(1 - exp(-U)): from 2 to 1.4427 at ln 2.
#[test]
fn relative_utilisation_over_utilisation() {
    says(claim("proxy-utilisation", "The relative utilisation falls"), &["agrees", "1.4427"]);
    let curve = &chart("proxy-utilisation-relative").series[0];
    assert_eq!(curve.name, "published limit");
    let (first, last) = (curve.points[0], curve.points[curve.points.len() - 1]);
    assert!(
        first.1 > 1.99 && (last.1 - std::f64::consts::LOG2_E).abs() < 0.01,
        "{first:?} {last:?}"
    );
}

/// A flat top of 79 to 95 %, a knee at 8.6 to 100 kHz.
#[test]
fn loss_over_the_frequency_of_switching() {
    let of = claim("switch-loss", "Over the frequency of switching");
    says(of, &["agrees", "flat tops of 79 to 95 %", "knees at 8.6 to 100.0 kHz"]);
}

/// The wait is proportional to the slice; 7.7 % are lost at 1 ms with equal shares.
#[test]
fn loss_and_longest_wait_over_the_slice() {
    says(claim("vtrr-slices", "The longest delay"), &["agrees"]);
    says(claim("vtrr-slices", "With equal shares"), &["agrees", "7.735 %"]);
    assert_eq!(curves("vtrr-slices-loss").len(), 5);
    let machines = curves("vtrr-slices-delay");
    // Three machines with two vectors of shares, and a bound.
    assert_eq!(machines.len(), 7);
    for machine in ["a", "b", "c"] {
        let own = machines.iter().filter(|name| name.starts_with(machine)).count();
        assert_eq!(own, 2, "{machines:?}");
    }
}

/// Four curves of each figure of the study: two kinds of server, with vINT and without.
#[test]
fn four_curves_of_the_schedulability_study() {
    for name in ["1-tasks", "1-interrupts", "2-tasks", "2-interrupts"] {
        let own = curves(&format!("vint-study-{name}"));
        assert_eq!(own, ["deferrable", "deferrable, vINT", "sporadic", "sporadic, vINT"]);
    }
}

/// 95 and 50 % within 200 us; 29.97 and 6 frames a second.
#[test]
fn round_trips_and_frames_of_the_case_study() {
    says(claim("interrupt-storm", "With vINT 95 %"), &["agrees"]);
    says(claim("interrupt-storm", "Without it 50 %"), &["agrees in shape"]);
    says(claim("interrupt-storm", "Under a storm the film keeps"), &["agrees"]);
    says(claim("interrupt-storm", "Without it it falls to 6"), &["fitted"]);
    let spots = &chart("interrupt-storm-handling").spots;
    let at: Vec<(f64, f64)> = spots.iter().map(|spot| spot.at).collect();
    assert_eq!(at, [(200.0, 0.95), (200.0, 0.5)]);
    assert_eq!(
        curves("interrupt-storm-frames")[..2],
        ["vINT, simulated", "without vINT, simulated"]
    );
}

/// Distributions of responses over phases that are drawn from seeds: beside 1, 50 and 100 tasks, and 100 and 1000 timers.
#[test]
fn distributions_beside_timers_with_both_queues() {
    for (picture, queue) in [("", "hrtimers"), ("-shield", "TimerShield")] {
        let expected =
            ["idle", "1 task", "50 tasks", "100 tasks"].map(|of| format!("{of}, {queue}"));
        assert_eq!(curves(&format!("timer-interference-tasks{picture}")), expected);
    }
    let timers = curves("timer-interference-timers");
    assert_eq!(timers.len(), 5);
    for of in [
        "idle, hrtimers",
        "1000 timers of one task, hrtimers",
        "1000 timers of one task, TimerShield",
    ] {
        assert!(timers.contains(&of), "{timers:?}");
    }
    let all = &chart("timer-interference-tasks").series;
    assert!(all.iter().all(|one| one.shape == Shape::Steps && one.points.len() > 100));
    says(claim("timer-interference", "With hrtimers 1000"), &["fitted, 2 free numbers", "44.8 us"]);
    says(claim("timer-interference", "That is 22 %"), &["fitted, 2 free numbers", "22.7 %"]);
}

/// Below 1 us in the mean, below 0.4 us.
#[test]
fn costs_of_the_queues_on_both_kernels() {
    for of in ["TimerShield adds at most 1 us", "Enqueueing a timer", "Dequeueing a timer"] {
        let claim = claim("timer-interference", of);
        for run in ["costs-6.12", "costs-7.2"] {
            let by = claim.found.iter().filter(|(way, _)| way.word().ends_with(run));
            assert_eq!(by.count(), 1, "{of} {run}");
        }
        assert!(!claim.rule.shape.is_empty(), "{of}");
    }
}

/// Each configuration has its responses and its stream, and both throughputs stand beside each other.
#[test]
fn distributions_of_each_configuration_and_both_throughputs() {
    let priorities = curves("irq-threads-priorities");
    for of in ["vanilla kernel", "task above the thread", "task below the thread"] {
        assert!(priorities.contains(&of), "{priorities:?}");
    }
    for name in ["irq-threads-4-4", "irq-threads-5-2"] {
        let own = curves(name);
        assert!(own.starts_with(&["soft CBS", "hard CBS", "Linux", "Linux (GRUB)"]), "{own:?}");
    }
    let (_, found) = MADE.iter().find(|(known, _)| known.name == "irq-threads").unwrap();
    for column in ["received [Mb/s]", "taken [Mb/s]"] {
        assert!(found.table.columns.iter().any(|known| known == column));
    }
    let flood = curves("throughput-flood");
    for of in
        ["Linux 6.12, taken", "Linux 6.12, received", "Linux 7.2, taken", "Linux 7.2, received"]
    {
        assert!(flood.contains(&of), "{flood:?}");
    }
}

/// The longest round trip over the period, and that the others do not grow.
#[test]
fn round_trips_over_the_period() {
    for (name, count) in [("longest", 5), ("shortest", 4), ("mean", 4)] {
        let own = &chart(&format!("round-trip-{name}")).series;
        assert_eq!(own.len(), count);
        assert!(own.iter().all(|one| one.points.len() == 7), "{own:?}");
    }
}
