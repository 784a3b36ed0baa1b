//! Compares our speed with that of peers, measured in the same run.
//!
//! ```text
//! ratio NAME VALUE (ours RATE, peer RATE)
//! ```
//!
//! A value above 1 means that we are faster. Both sides get the same inputs, must give the same
//! answers, run on one thread, and take turns; what counts is the fastest of the repetitions, in
//! processor time: other load of a shared machine only adds to it.

use clap::Parser;
use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration as Elapsed;
use vorrang_analysis::Source;
use vorrang_analysis::edf::{Contender, ResponseTimes, Work, meets_all_deadlines};
use vorrang_analysis::fixed_priority::{Scratch, SporadicTask, all_within_limits, response_times};
use vorrang_analysis::supply::{Dedicated, PeriodicResource};
use vorrang_analysis::{Effort, bounds};
use vorrang_campaign::least_budget;
use vorrang_campaign::peer::least_budget::{Guest, assembled};
use vorrang_campaign::peer::servers::{self, PeerServers, Servers};
use vorrang_campaign::peer::{self, PeerDuration, PeerTask};
use vorrang_campaign::sets;
use vorrang_model::system::TaskId;
use vorrang_time::Duration;

#[derive(Parser)]
#[command(version, about = "Compares our speed with that of peers")]
struct Arguments {
    /// Inputs of each benchmark.
    #[arg(long, default_value_t = 20_000)]
    inputs: u64,
    /// How often each side runs through all inputs.
    #[arg(long, default_value_t = 11)]
    repetitions: usize,
    /// The seed of the inputs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let version = env!("CARGO_PKG_VERSION");
    let Arguments { inputs, repetitions, seed } = arguments;
    eprintln!("vorrang-bench {version}: {inputs} inputs, {repetitions} repetitions, seed {seed}");
    let same = [
        fixed_priority_sets(&arguments),
        hierarchical_yes_no(&arguments),
        edf_response_times(&arguments),
        edf_yes_no("edf-yes-no", &arguments, sets::constrained),
        edf_yes_no("edf-yes-no-implicit-deadlines", &arguments, sets::set),
        deferrable_servers(&arguments),
        least_budgets("least-budget-fixed-priority", &arguments, Guest::FixedPriority),
        least_budgets("least-budget-edf", &fewer(&arguments), Guest::Edf),
    ];
    if same.iter().all(|same| *same) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Response times of the reference sets on a dedicated core.
fn fixed_priority_sets(arguments: &Arguments) -> bool {
    let sets: Vec<Vec<SporadicTask>> =
        (0..arguments.inputs).map(|number| sets::set(arguments.seed, number)).collect();
    let peers: Vec<Vec<PeerTask>> =
        sets.iter().map(|set| set.iter().map(peer::task).collect()).collect();

    let (mut scratch, mut responses) = (Scratch::default(), Vec::new());
    let mut ours = |index: usize| {
        response_times(&Dedicated, &sets[index], &mut scratch, &mut responses);
        checksum(responses.iter().copied())
    };
    let mut entry_point = |index: usize| {
        let set = &peers[index];
        checksum((0..set.len()).map(|task| peer::entry_point(set, task)))
    };
    let dedicated = peer::dedicated();
    let mut by_parts = |index: usize| {
        let set = &peers[index];
        checksum((0..set.len()).map(|task| peer::by_parts(&dedicated, set, task)))
    };
    // The crate's entry point examines all jobs of a busy window; its parts, combined by hand for deadlines
    // up to the period, need not.
    report(
        "sets",
        arguments,
        &mut ours,
        &mut [
            ("fixed-priority-sets", &mut entry_point),
            ("fixed-priority-sets-by-parts", &mut by_parts),
        ],
    )
}

/// Whether all five tasks of a VM under periodic supply meet their deadlines.
fn hierarchical_yes_no(arguments: &Arguments) -> bool {
    let vms: Vec<((Duration, Duration), Vec<SporadicTask>)> =
        (0..arguments.inputs).map(|number| sets::vm(arguments.seed, number)).collect();
    let peers: Vec<_> = vms
        .iter()
        .map(|((budget, period), tasks)| {
            let tasks: Vec<PeerTask> = tasks.iter().map(peer::task).collect();
            (peer::periodic_supply(*budget, *period), tasks)
        })
        .collect();

    // Supplies are an input on both sides.
    let vms: Vec<_> = vms
        .into_iter()
        .map(|((budget, period), tasks)| {
            (PeriodicResource::new(Source::Unnamed, budget, period, period), tasks)
        })
        .collect();

    let mut scratch = Scratch::default();
    let mut ours = |index: usize| {
        let (supply, tasks) = &vms[index];
        u64::from(all_within_limits(supply, tasks, &mut scratch))
    };
    let mut by_parts = |index: usize| {
        let (supply, tasks) = &peers[index];
        let all = (0..tasks.len()).all(|task| peer::by_parts(supply, tasks, task).is_some());
        u64::from(all)
    };
    report("VMs", arguments, &mut ours, &mut [("hierarchical-yes-no", &mut by_parts)])
}

/// The least budget of a periodic resource for a guest of five tasks, by priority to the nanosecond, by
/// deadline to the microsecond: ours by the breakpoints of demand, the peer's by bisection, each step a
/// yes or no.
fn least_budgets(name: &str, arguments: &Arguments, guest: Guest) -> bool {
    let guests: Vec<(Duration, Vec<SporadicTask>)> = (0..arguments.inputs)
        .map(|number| sets::vm(arguments.seed, number))
        .map(|((_, period), tasks)| (period, tasks))
        .collect();
    let peers: Vec<(Vec<PeerTask>, Vec<PeerDuration>)> = guests
        .iter()
        .map(|(_, set)| {
            (set.iter().map(peer::task).collect(), set.iter().map(peer::deadline).collect())
        })
        .collect();
    let step = match guest {
        Guest::FixedPriority => Duration::RESOLUTION,
        Guest::Edf => Duration::from_us(1),
    };
    let said = |budget: Option<Duration>| budget.map_or(u64::MAX, Duration::as_ns);
    let (mut scratch, mut terms) = (Scratch::default(), least_budget::Terms::default());
    let mut ours = |index: usize| {
        let (period, tasks) = &guests[index];
        said(match guest {
            Guest::FixedPriority => {
                least_budget::fixed_priority(*period, step, tasks, &mut scratch)
            }
            Guest::Edf => least_budget::edf(*period, step, tasks, &mut terms)
                .expect("far from its utilisation"),
        })
    };
    let mut bisected = |index: usize| {
        let (tasks, deadlines) = &peers[index];
        said(assembled(guest, guests[index].0, step, tasks, deadlines))
    };
    report("guests", arguments, &mut ours, &mut [(name, &mut bisected)])
}

/// Under EDF the peer takes milliseconds for a set: this part of the inputs is enough.
fn fewer(arguments: &Arguments) -> Arguments {
    Arguments { inputs: (arguments.inputs / 40).max(1), ..*arguments }
}

/// Task sets under EDF in our terms and in the peer's.
struct EdfSets {
    ours: Vec<Vec<Contender<'static>>>,
    peers: Vec<(Vec<PeerTask>, Vec<PeerDuration>)>,
}

fn edf_sets(arguments: &Arguments, draw: fn(u64, u64) -> Vec<SporadicTask>) -> EdfSets {
    let sets: Vec<_> = (0..arguments.inputs).map(|number| draw(arguments.seed, number)).collect();
    let contender = |task: &SporadicTask| Contender {
        of: Source::Unnamed,
        cost: task.wcet,
        period: task.period,
        distances: None,
        work: Work::Jobs { deadline: task.limit, jitter: Duration::ZERO, blocking: Duration::ZERO },
    };
    let peer = |set: &Vec<SporadicTask>| {
        (set.iter().map(peer::task).collect(), set.iter().map(peer::deadline).collect())
    };
    EdfSets {
        ours: sets.iter().map(|set| set.iter().map(contender).collect()).collect(),
        peers: sets.iter().map(peer).collect(),
    }
}

/// Response times of the reference sets under EDF on a dedicated core.
fn edf_response_times(arguments: &Arguments) -> bool {
    let arguments = fewer(arguments);
    let sets = edf_sets(&arguments, sets::set);
    let mut ours = |index: usize| {
        let (set, effort) = (&sets.ours[index], Effort::default());
        let all = ResponseTimes::new(&Dedicated, set, &effort);
        checksum((0..set.len()).map(|task| {
            effort.restart(set.len());
            all.as_ref().ok()?.of(task, &effort).ok().map(|found| found.bound)
        }))
    };
    let mut entry_point = |index: usize| {
        let (tasks, deadlines) = &sets.peers[index];
        checksum((0..tasks.len()).map(|task| peer::edf_entry_point(tasks, deadlines, task)))
    };
    report("sets", &arguments, &mut ours, &mut [("edf-response-times", &mut entry_point)])
}

/// Whether all tasks of a set meet their deadlines under EDF on a dedicated core.
fn edf_yes_no(name: &str, arguments: &Arguments, draw: fn(u64, u64) -> Vec<SporadicTask>) -> bool {
    let arguments = fewer(arguments);
    let sets = edf_sets(&arguments, draw);
    let mut ours = |index: usize| {
        let met = meets_all_deadlines(&Dedicated, true, &sets.ours[index], &Effort::default());
        met.map_or(u64::MAX, u64::from)
    };
    let mut entry_point = |index: usize| {
        let (tasks, deadlines) = &sets.peers[index];
        let meets = |task: usize| {
            let response = peer::edf_entry_point(tasks, deadlines, task);
            response.is_some_and(|response| response <= sets.ours[index][task].deadline())
        };
        u64::from((0..tasks.len()).all(meets))
    };
    report("sets", &arguments, &mut ours, &mut [(name, &mut entry_point)])
}

/// Response times of the ten tasks of two deferrable servers: our bounds over all histories, the
/// peer's longest response in one. The condition is that none of ours is below.
fn deferrable_servers(arguments: &Arguments) -> bool {
    let arguments = fewer(arguments);
    let systems: Vec<Servers> =
        (0..arguments.inputs).map(|number| servers::pair(arguments.seed, number)).collect();
    let peers: Vec<_> =
        systems.iter().map(|system| PeerServers::of(system, Duration::from_us(1))).collect();
    let bounded = |index: usize| {
        let found = bounds(&systems[index].system);
        let tasks = 0..systems[index].offsets.len();
        tasks.map(|id| found.task(TaskId(id)).bound().expect("drawn with bounds")).collect()
    };
    let followed = |index: usize| -> Vec<Duration> {
        let found = peers[index].response_times();
        found.into_iter().map(|(response, _)| Duration::from_us(response as u64)).collect()
    };
    for index in 0..systems.len() {
        let ours: Vec<Duration> = bounded(index);
        if let Some(task) = followed(index).iter().zip(&ours).position(|(peer, ours)| peer > ours) {
            eprintln!("deferrable-servers: input {index}, task {task}: below the peer's response");
            return false;
        }
    }
    let sum = |responses: Vec<Duration>| {
        black_box(responses);
        0
    };
    let mut ours = |index: usize| sum(bounded(index));
    let mut followed = |index: usize| sum(followed(index));
    report("systems", &arguments, &mut ours, &mut [("deferrable-servers", &mut followed)])
}

/// One number for the response times of a set, the same for the same answers.
fn checksum(responses: impl Iterator<Item = Option<Duration>>) -> u64 {
    responses.fold(0, |sum, response| {
        let response = response.map_or(u64::MAX, Duration::as_ns);
        sum.rotate_left(7) ^ response
    })
}

/// One side of a benchmark: from the number of an input to its answer.
type Side<'a> = &'a mut dyn FnMut(usize) -> u64;

/// Measures all sides in turn, and prints the ratio to each peer; false if their answers differ.
fn report(
    unit: &str,
    arguments: &Arguments,
    ours: Side<'_>,
    peers: &mut [(&str, Side<'_>)],
) -> bool {
    let inputs = usize::try_from(arguments.inputs).expect("fits the memory");
    for index in 0..inputs {
        let answer = ours(index);
        if let Some((peer, _)) = peers
            .iter_mut()
            .find_map(|(peer, side)| (side(index) != answer).then_some((*peer, answer)))
        {
            eprintln!("{peer}: input {index}: the peer's answer differs from ours ({answer:#x})");
            return false;
        }
    }
    let mut times: Vec<Vec<Elapsed>> = vec![Vec::new(); peers.len() + 1];
    for _ in 0..arguments.repetitions.max(1) {
        times[0].push(time(inputs, &mut *ours));
        for (slot, (_, side)) in times[1..].iter_mut().zip(peers.iter_mut()) {
            slot.push(time(inputs, &mut **side));
        }
    }
    let rates: Vec<f64> = times.iter_mut().map(|times| best_rate(inputs, times)).collect();
    let sides = ["ours"].into_iter().chain(peers.iter().map(|(peer, _)| *peer));
    for ((side, times), rate) in sides.zip(&times).zip(&rates) {
        let (least, most) = (times[0], times[times.len() - 1]);
        eprintln!("{side}: {rate:.0} {unit}/s, fastest {least:?}, slowest {most:?}");
    }
    for ((peer, _), rate) in peers.iter().zip(&rates[1..]) {
        let ratio = rates[0] / rate;
        let ours = rates[0];
        println!("ratio {peer} {ratio:.2} (ours {ours:.0} {unit}/s, peer {rate:.0} {unit}/s)");
    }
    true
}

fn time(inputs: usize, side: &mut dyn FnMut(usize) -> u64) -> Elapsed {
    let start = processor_time();
    for index in 0..inputs {
        black_box(side(black_box(index)));
    }
    processor_time().saturating_sub(start)
}

/// The processor time of this thread: others that run meanwhile do not count.
fn processor_time() -> Elapsed {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Elapsed::try_from(time).expect("it began at zero")
}

/// Inputs per second in the shortest of the times, which are sorted.
#[expect(clippy::cast_precision_loss, reason = "for printing")]
fn best_rate(inputs: usize, times: &mut [Elapsed]) -> f64 {
    times.sort();
    inputs as f64 / times[0].as_secs_f64()
}
