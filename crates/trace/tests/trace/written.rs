//! What is in a trace is what the run told: read back and compared with the events themselves.

use crate::reading::Reading;
use std::io::{self, Write};
use vorrang_model::system::{SupplyId, System};
use vorrang_model::{Format, read};
use vorrang_sim::{Job, Observer, Pattern, Running, Simulator, Source};
use vorrang_time::{Duration, Instant};
use vorrang_trace::Trace;

const CONSOLIDATION: &str = include_str!("../../../../examples/consolidation.toml");
const PROXY_EDF: &str = include_str!("../../../../examples/proxy-edf.toml");
const REF10: &str = include_str!("../../../../examples/ref10.toml");

/// A task that is too slow beside one that is not, in a virtual processor with a reservation in it.
const NESTED: &str = r#"
    version = 1
    [core.0]
    scheduler = "fixed-priority"
    [interrupt.can0]
    on = "core.0"
    isr = "1us"
    min-interarrival = "1ms"
    [vcpu.engine]
    on = "core.0"
    server = "deferrable"
    budget = "2ms"
    period = "5ms"
    priority = 1
    scheduler = "fixed-priority"
    [server.can]
    on = "vcpu.engine"
    server = "sporadic"
    budget = "1ms"
    period = "5ms"
    priority = 2
    scheduler = "fixed-priority"
    [task.can-rx]
    on = "server.can"
    wcet = "700us"
    period = "5ms"
    priority = 1
    [task.slow]
    on = "vcpu.engine"
    wcet = "2ms"
    period = "5ms"
    deadline = "5ms"
    priority = 1
"#;

/// Everything a run tells that a trace shows.
#[derive(Default)]
struct Told {
    ran: Vec<(Instant, Instant, Running)>,
    released: Vec<Job>,
    budgets: Vec<(SupplyId, Duration, Instant)>,
    late: Vec<Job>,
}

impl Observer for Told {
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        self.ran.push((from, to, what));
    }

    fn released(&mut self, job: &Job) {
        self.released.push(*job);
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        self.late.extend((at > job.arrival + LIMIT).then_some(job));
    }

    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.completed(job, at);
    }

    fn budget(&mut self, server: SupplyId, left: Duration, at: Instant) {
        self.budgets.push((server, left, at));
    }
}

/// The deadline of everything.
const LIMIT: Duration = Duration::from_ms(5);

fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap()
}

/// Runs a core, told to an observer.
fn run(
    system: &System,
    core: SupplyId,
    pattern: &str,
    end: Duration,
    observer: &mut impl Observer,
) {
    let history = Pattern::parse(pattern, system).unwrap().history(system, core).unwrap();
    Simulator::new(system, core).unwrap().run(&history, Instant::ZERO + end, observer);
}

/// The trace of all cores, and what was told of each.
fn traced(system: &System, pattern: &str, end: Duration) -> (Reading, Vec<Told>) {
    let mut trace = Trace::new(system, Vec::new());
    let mut told = Vec::new();
    for core in system.cores() {
        let mut both = (trace.core(core, |_| Some(LIMIT)), Told::default());
        run(system, core, pattern, end, &mut both);
        both.0.finish();
        told.push(both.1);
    }
    (Reading::of(&trace.finish().unwrap()), told)
}

fn name_of(system: &System, what: Running) -> String {
    match what {
        Running::Idle => "idle".into(),
        Running::Task(id) => system.task(id).name.clone(),
        Running::Interrupt(id) => system.interrupt(id).name.clone(),
        Running::Idling(id) => system.supply(id).name.clone(),
        Running::Blocking(member) => format!("blocking {}", system.member_name(member)),
        Running::GuestRoutine(id) => format!("{} in the guest", system.interrupt(id).name),
        Running::Kernel(_) => "kernel on core.0".into(),
    }
}

fn every_example() -> Vec<(System, &'static str)> {
    [CONSOLIDATION, PROXY_EDF, REF10, NESTED]
        .into_iter()
        .flat_map(|text| [(system(text), "synchronous"), (system(text), "random:3")])
        .collect()
}

#[test]
fn switches_are_the_intervals_that_ran() {
    for (system, pattern) in every_example() {
        let (reading, told) = traced(&system, pattern, Duration::from_ms(100));
        for (cpu, told) in (0..).zip(&told) {
            let mut expected = vec![(0, "idle".to_owned())];
            for &(from, to, what) in &told.ran {
                expected.push((from.as_ns(), name_of(&system, what)));
                assert!(to <= Instant::from_ns(100_000_000));
            }
            expected.push((100_000_000, "idle".to_owned()));
            let switches = reading.switches.iter().filter(|switch| switch.0 == cpu);
            let switches: Vec<_> = switches.map(|(_, at, _, name)| (*at, name.clone())).collect();
            assert_eq!(switches, expected);
        }
    }
}

#[test]
fn slices_of_tasks_and_routines_are_the_intervals_they_ran() {
    for (system, pattern) in every_example() {
        let (reading, told) = traced(&system, pattern, Duration::from_ms(100));
        let mut expected = Vec::new();
        for &(from, to, what) in told.iter().flat_map(|told| &told.ran) {
            if let Running::Task(_) | Running::Interrupt(_) = what {
                expected.push((name_of(&system, what), from.as_ns(), to.as_ns()));
            }
        }
        let is_source = |name: &str| name.starts_with("task.") || name.starts_with("interrupt.");
        let slices = reading.slices.iter().filter(|slice| is_source(&slice.1));
        let slices: Vec<_> = slices
            .map(|(track, name, from, to)| {
                assert!(track.ends_with(name), "{name} on {track}");
                (name.clone(), *from, *to)
            })
            .collect();
        assert_eq!(slices, expected);
    }
}

/// A server's slices last while anything in it runs, whatever that is, and nothing else runs.
#[test]
fn slices_of_servers_hold_those_inside() {
    let system = system(NESTED);
    let (reading, _) = traced(&system, "synchronous", Duration::from_ms(10));
    let of = |name: &str| -> Vec<(u64, u64)> {
        let slices = reading.slices.iter().filter(|slice| slice.1 == name);
        slices.map(|slice| (slice.2 / 1000, slice.3 / 1000)).collect()
    };
    assert_eq!(of("interrupt.can0")[..3], [(0, 1), (1000, 1001), (2000, 2001)]);
    assert_eq!(of("task.can-rx")[..1], [(1, 701)]);
    assert_eq!(of("server.can")[..1], [(1, 701)]);
    assert_eq!(of("task.slow")[..2], [(701, 1000), (1001, 2000)]);
    assert_eq!(of("vcpu.engine")[..3], [(1, 1000), (1001, 2000), (2001, 2003)]);
}

#[test]
fn releases_and_late_jobs_are_marked() {
    for (system, pattern) in every_example() {
        let (reading, told) = traced(&system, pattern, Duration::from_ms(100));
        let name = |job: &Job| match job.source {
            Source::Task(id) => (system.task(id).name.clone(), "released"),
            Source::Interrupt(id) => (system.interrupt(id).name.clone(), "requested"),
        };
        let told_of = |jobs: &Vec<Job>| jobs.clone();
        let mut expected: Vec<(String, &str, u64, u64)> = Vec::new();
        for job in told.iter().flat_map(|told| told_of(&told.released)) {
            let (track, mark) = name(&job);
            expected.push((track, mark, job.release.as_ns(), job.number));
        }
        for job in told.iter().flat_map(|told| told_of(&told.late)) {
            let at = (job.arrival + LIMIT).as_ns();
            expected.push((name(&job).0, "deadline missed", at, job.number));
        }
        let mut marks: Vec<_> = reading
            .marks
            .iter()
            .filter(|mark| ["released", "requested", "deadline missed"].contains(&&*mark.1))
            .map(|(track, mark, at, said)| {
                assert_eq!(said[0].0, "job");
                (track.rsplit('/').next().unwrap().to_owned(), mark.as_str(), *at, said[0].1)
            })
            .collect();
        expected.sort();
        marks.sort();
        assert_eq!(marks, expected);
    }
    let (reading, told) = traced(&system(NESTED), "synchronous", Duration::from_ms(100));
    assert!(!told[0].late.is_empty());
    assert!(reading.marks.iter().any(|mark| mark.1 == "exhausted"));
    assert!(reading.marks.iter().any(|mark| mark.1 == "replenished"));
}

#[test]
fn counters_are_the_budgets() {
    for (system, pattern) in every_example() {
        let (reading, told) = traced(&system, pattern, Duration::from_ms(100));
        let expected: Vec<_> = told
            .iter()
            .flat_map(|told| &told.budgets)
            .map(|(id, left, at)| (system.supply(*id).name.clone(), left.as_ns(), at.as_ns()))
            .collect();
        let counts = reading.counts.iter().map(|(track, value, at)| {
            let server = track.strip_suffix("/budget").unwrap().rsplit('/').next().unwrap();
            (server.to_owned(), *value, *at)
        });
        assert_eq!(counts.collect::<Vec<_>>(), expected);
    }
}

/// A thread that leaves the CPU sleeps if its last job is complete, and is woken by the next one.
#[test]
fn states_of_threads_follow_their_jobs() {
    let (reading, _) = traced(&system(REF10), "synchronous", Duration::from_ms(400));
    let states = |name: &str| -> Vec<u64> {
        let pairs = reading.switches.windows(2).filter(|pair| pair[0].3 == name);
        pairs.map(|pair| pair[1].2).collect()
    };
    assert_eq!(states("task.t01"), [1; 80], "the most urgent one is never interrupted");
    let last = states("task.t10");
    assert_eq!(last.iter().filter(|&&state| state == 1).count(), 1);
    assert_eq!(last.last(), Some(&1), "it is complete the last time it leaves");
    assert!(last.len() > 5);
    let woken = reading.wakings.iter().filter(|waking| waking.2 == "task.t01").count();
    assert_eq!(woken, 80);
}

#[test]
fn tracks_stand_as_they_are_described() {
    let (reading, _) = traced(&system(NESTED), "synchronous", Duration::from_ms(1));
    let expected = [
        "core.0",
        "core.0/kernel",
        "core.0/interrupt.can0",
        "core.0/vcpu.engine",
        "core.0/vcpu.engine/budget",
        "core.0/vcpu.engine/server.can",
        "core.0/vcpu.engine/server.can/budget",
        "core.0/vcpu.engine/server.can/task.can-rx",
        "core.0/vcpu.engine/task.slow",
    ];
    assert_eq!(reading.tracks, expected);
}

/// Takes so many bytes and notes the longest piece.
struct Disc {
    room: usize,
    longest: usize,
}

impl Write for &mut Disc {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.longest = self.longest.max(bytes.len());
        if bytes.len() > self.room {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "full"));
        }
        self.room -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn onto(disc: &mut Disc, end: Duration) -> (io::Result<()>, Instant) {
    let system = system(REF10);
    let mut trace = Trace::new(&system, &mut *disc);
    let mut both = (trace.core(SupplyId(0), |_| None), Told::default());
    run(&system, SupplyId(0), "synchronous", end, &mut both);
    let (watch, told) = both;
    watch.finish();
    let end = told.ran.last().unwrap().1;
    (trace.finish().map(|_| ()), end)
}

#[test]
fn a_longer_run_is_not_written_in_longer_pieces() {
    let longest = |seconds: u64| {
        let mut disc = Disc { room: usize::MAX, longest: 0 };
        onto(&mut disc, Duration::from_ms(1000 * seconds)).0.unwrap();
        (disc.longest, usize::MAX - disc.room)
    };
    let (short, long) = (longest(4), longest(40));
    assert!(short.0 < 1 << 17);
    assert!(long.0 < 1 << 17);
    assert!(long.1 > 9 * short.1);
}

#[test]
fn a_full_disc_ends_the_run_and_is_told() {
    let mut disc = Disc { room: 100_000, longest: 0 };
    let (result, end) = onto(&mut disc, Duration::from_ms(100_000));
    assert_eq!(result.unwrap_err().kind(), io::ErrorKind::StorageFull);
    assert!(end < Instant::from_ns(10_000_000_000), "nothing was left to see");
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let bytes = || {
        let system = system(CONSOLIDATION);
        let mut trace = Trace::new(&system, Vec::new());
        for core in system.cores() {
            let mut watch = trace.core(core, |_| Some(LIMIT));
            run(&system, core, "random:9", Duration::from_ms(50), &mut watch);
            watch.finish();
        }
        trace.finish().unwrap()
    };
    assert_eq!(bytes(), bytes());
}
