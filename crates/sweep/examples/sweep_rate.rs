//! What a sweep takes beside its analysis alone, piece by piece:
//! `cargo run --release -p vorrang-sweep --example sweep_rate -- 1000000`
//!
//! Fixed priority, ten tasks, twenty points, one question, on one thread. Prints for each piece its nanoseconds of
//! processor time for a system, as Linux counts it, the best of five turns, taken in turns; then `ratio sweep VALUE
//! (…)`. The analysis is asked about systems of all points that are in memory; the random numbers are as many as a
//! system takes, and nothing is done with them.

use std::fs::read_to_string;
use std::hint::black_box;
use vorrang_analysis::fixed_priority::{Scratch, SporadicTask, all_within_limits};
use vorrang_analysis::supply::Dedicated;
use vorrang_random::Random;
use vorrang_sweep::{Shard, Study, read};

const POINTS: u64 = 20;
/// Nine cuts and ten periods.
const NUMBERS: usize = 19;

fn main() {
    let systems =
        std::env::args().nth(1).map_or(1_000_000, |given| given.parse().expect("a number"));
    let study = study(systems / POINTS);
    let sets = sets(&study);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    let mut best = [f64::INFINITY; 4];
    for _ in 0..5 {
        let mut files = 0.0;
        let whole = pool.install(|| {
            ns(study.total(), || {
                for number in 0..study.shards() {
                    let shard = Shard::answered(&study, number, || false, |_| {});
                    let shard = shard.expect("nothing ends it");
                    files += ns(study.total(), || drop(black_box(shard.bytes("rate"))));
                }
            })
        });
        let turns = study.total() / sets.len() as u64;
        let analysis = ns(turns * sets.len() as u64, || {
            for _ in 0..turns {
                black_box(proven(&sets));
            }
        });
        let random = ns(study.total(), || numbers(study.total()));
        for (best, found) in best.iter_mut().zip([analysis, random, whole - files, files]) {
            *best = best.min(found);
        }
    }
    for (name, best) in ["analysis", "random numbers", "answers", "files"].iter().zip(best) {
        println!("{name}: {best:.1} ns a system");
    }
    let [analysis, _, answers, files] = best;
    let whole = answers + files;
    println!("ratio sweep {:.2} (analysis {analysis:.1}, sweep {whole:.1} ns)", whole / analysis);
}

fn study(samples: u64) -> Study {
    let text = format!(
        r#"
version = 1
samples = {samples}
[tasks]
count = 10
utilisation = {{ from = "50%", to = "97.5%", step = "2.5%" }}
periods = "log-uniform"
shortest = "1ms"
longest = "1s"
[ask.exact]
question = "accepted"
"#
    );
    read(text.as_bytes()).expect("a study")
}

/// A thousand systems of each point, most urgent tasks first.
fn sets(study: &Study) -> Vec<Vec<SporadicTask>> {
    let places =
        (0..study.points().len()).flat_map(|point| (0..1_000).map(move |index| (point, index)));
    let set = |(point, index)| {
        let sample = study.sample(point, index);
        let tasks = sample.tasks.iter();
        let task = |task: &vorrang_sweep::draw::Task| SporadicTask {
            wcet: task.wcet,
            period: task.period,
            limit: task.deadline,
        };
        let mut set: Vec<SporadicTask> = tasks.map(task).collect();
        set.sort_by_key(|task| task.limit);
        set
    };
    places.map(set).collect()
}

fn proven(sets: &[Vec<SporadicTask>]) -> usize {
    let mut scratch = Scratch::default();
    sets.iter().filter(|set| all_within_limits(&Dedicated, set, &mut scratch)).count()
}

fn numbers(systems: u64) {
    let mut random = Random::new(1, 0);
    let mut group = [0; 16 * NUMBERS];
    for _ in 0..systems / 16 {
        random.fill(&mut group);
        black_box(&group);
    }
}

/// Nanoseconds of this thread for each of so many.
fn ns(count: u64, work: impl FnOnce()) -> f64 {
    let begun = on_processor_ns();
    work();
    let taken = on_processor_ns() - begun;
    #[expect(clippy::cast_precision_loss, reason = "a number to be printed")]
    let each = taken as f64 / count as f64;
    each
}

/// What this thread has had.
fn on_processor_ns() -> u64 {
    let text = read_to_string("/proc/thread-self/schedstat").expect("Linux");
    text.split(' ').next().and_then(|first| first.parse().ok()).expect("nanoseconds first")
}
