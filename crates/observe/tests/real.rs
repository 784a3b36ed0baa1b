//! Real traces of the lab's scenario `observe`, of two kernels and three programs.

use proptest::prelude::*;
use vorrang_model::{Format, System};
use vorrang_observe::Schedule;
use vorrang_observe::history::History;
use vorrang_observe::matching::Matching;
use vorrang_observe::observation::{Limits, Observation, Outcome};
use vorrang_time::Duration;

const DESCRIPTION: &str = include_str!("data/observe.toml");
const TRACES: [(&str, &str); 4] = [
    ("6.12-rt, tracefs", include_str!("data/6.12-rt.trace")),
    ("7.2-rt, tracefs", include_str!("data/7.2-rt.trace")),
    ("6.12-rt, trace-cmd report", include_str!("data/6.12-rt.trace-cmd")),
    ("6.12-rt, perf script", include_str!("data/6.12-rt.perf")),
];

fn system() -> System {
    vorrang_model::read(DESCRIPTION, Format::Toml).expect("a system")
}

fn observation(system: &System, schedule: &Schedule, bound: Duration) -> Observation {
    let limits = Limits { tasks: vec![Ok(bound); 2], interrupts: Vec::new(), chains: Vec::new() };
    Observation::of(system, schedule, &Matching::in_trace(system, schedule), &limits)
}

/// Jobs of 1.5 ms every 10 ms and of 1 ms every 20 ms; what is longer is the kernel's.
#[test]
fn the_jobs_of_real_traces_are_those_that_the_guest_did() {
    for (of, text) in TRACES {
        let schedule: Schedule = text.parse().unwrap_or_else(|why| panic!("{of}: {why}"));
        let history = |name: &str| {
            let thread = schedule.names.iter().find(|(_, known)| *known == name);
            History::of(&schedule, *thread.expect("the thread").0)
        };
        for (name, work, period, jobs) in [("reserved", 1500, 10_000, 4), ("fifo", 1000, 20_000, 2)]
        {
            let history = history(name);
            let complete: Vec<_> = history.jobs.iter().filter(|job| job.is_complete).collect();
            assert!(complete.len() >= jobs, "{of}: {complete:?}");
            for job in complete {
                // Each of two instants may be wrong, for each piece.
                let exact = 2 * schedule.resolution * job.executed.pieces;
                let (least, most) = (work * 1000 - exact, (work + 50) * 1000);
                assert!((least..most).contains(&job.executed.time), "{of}: {name} {job:?}");
            }
            let distance = history.shortest_distance().expect("two jobs") / 1000;
            assert!(distance.abs_diff(period) < 50, "{of}: {name} {distance}");
        }
    }
}

#[test]
fn real_traces_are_below_their_description_and_above_a_wrong_bound() {
    let system = system();
    for (of, text) in TRACES {
        let schedule: Schedule = text.parse().expect("a trace");
        let below = observation(&system, &schedule, Duration::from_us(4_200));
        assert_eq!(below.outcome(), Outcome::Below, "{of}: {:?}", below.rows);
        let above = observation(&system, &schedule, Duration::from_us(1_000));
        assert_eq!(above.outcome(), Outcome::Above, "{of}");
    }
}

proptest! {
    /// Whatever becomes of the lines of a trace, it is refused or looked at.
    #[test]
    fn no_text_is_a_panic(
        trace in 0..TRACES.len(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..5_u8, ".{0,4}"), 0..12),
    ) {
        let mut lines: Vec<String> = TRACES[trace].1.lines().map(str::to_owned).collect();
        for (place, edit, text) in edits {
            let at = place.index(lines.len());
            match edit {
                0 if lines.len() > 1 => drop(lines.remove(at)),
                1 => lines.insert(at, lines[at].clone()),
                2 => lines[at] = lines[at].replace(['1', '0'], &text),
                3 => lines.truncate(at.max(1)),
                _ => lines[at] = lines[at].replace("prev_state=S", "prev_state=D"),
            }
        }
        if let Ok(schedule) = lines.join("\n").parse::<Schedule>() {
            let seen = observation(&system(), &schedule, Duration::from_ms(3));
            prop_assert_eq!(seen.rows.len(), 3);
        }
    }
}
