//! The storm of `docs/trace.md`: what the page says of its pictures.

use crate::reading::Reading;
use vorrang_model::system::{SupplyId, System};
use vorrang_model::{Format, read};
use vorrang_sim::{Pattern, Source};
use vorrang_time::{Duration, Instant};
use vorrang_trace::Trace;

const STORM: &str = include_str!("../../../../examples/storm.toml");
const CORE: SupplyId = SupplyId(0);

fn traced(system: &System) -> Reading {
    let history = Pattern::parse("storm:interrupt.net", system).unwrap();
    let history = history.history(system, CORE).unwrap();
    let end = Instant::ZERO + Duration::from_ms(20);
    let mut trace = Trace::new(system, Vec::new());
    let mut core = trace.core(CORE, |source| match source {
        Source::Task(id) => system.task(id).deadline,
        Source::Interrupt(_) => None,
    });
    vorrang_sim::simulate(system, CORE, &history, end, &mut core).unwrap();
    core.finish();
    Reading::of(&trace.finish().unwrap())
}

/// From and to, in microseconds.
fn slices(reading: &Reading, name: &str) -> Vec<(u64, u64)> {
    let named = reading.slices.iter().filter(|slice| slice.1 == name);
    named.map(|&(_, _, from, to)| (from / 1000, to / 1000)).collect()
}

fn marks(reading: &Reading, name: &str) -> Vec<u64> {
    let named = reading.marks.iter().filter(|mark| mark.1 == name);
    named.map(|mark| mark.2 / 1000).collect()
}

#[test]
fn one_interrupt_in_four_milliseconds_is_served() {
    let reading = traced(&read(STORM, Format::Toml).unwrap());
    let every_4_ms = |from: u64, to: u64| -> Vec<(u64, u64)> {
        (0..5).map(|number| (4000 * number + from, 4000 * number + to)).collect()
    };
    assert_eq!(slices(&reading, "interrupt.net"), every_4_ms(0, 30));
    assert_eq!(slices(&reading, "pseudo-VCPU"), every_4_ms(30, 430));
    assert_eq!(slices(&reading, "interrupt.net in the guest"), every_4_ms(30, 110));
    assert_eq!(slices(&reading, "task.net"), every_4_ms(110, 430));
    assert_eq!(slices(&reading, "held back"), every_4_ms(100, 4000));
    assert_eq!(marks(&reading, "unmasked"), [4000, 8000, 12000, 16000]);
    let stopped = marks(&reading, "masked").len() + marks(&reading, "merged").len();
    assert_eq!(stopped, 200 - 1, "of 200 requests all but the first are held back or merge");
    assert!(marks(&reading, "deadline missed").is_empty());
    let ends =
        slices(&reading, "task.control").into_iter().map(|(from, to)| to - from / 5000 * 5000);
    assert_eq!(ends.max(), Some(4460));
}

#[test]
fn without_a_pseudo_vcpu_the_routines_make_the_control_loop_late() {
    let mut system = read(STORM, Format::Toml).unwrap();
    system.interrupts[0].delivery.as_mut().unwrap().pseudo_vcpu = None;
    let reading = traced(&system);
    let routines = slices(&reading, "interrupt.net");
    assert_eq!(routines.len(), 200);
    assert!(routines.iter().all(|(from, to)| from % 100 == 0 && to - from == 30));
    assert!(slices(&reading, "task.net").is_empty());
    assert_eq!(marks(&reading, "deadline missed"), [5000, 10000, 15000]);
}
