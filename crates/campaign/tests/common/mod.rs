//! What several of these tests have: an observer, and jobs that are drawn.

pub(crate) mod drafted;
pub(crate) mod light;

use vorrang_campaign::random::Random;
use vorrang_model::system::{System, Task};
use vorrang_sim::{Job, Observer, ScriptedJob, Source};
use vorrang_time::{Duration, Instant};

/// The longest response of each task.
pub(crate) struct Longest(pub(crate) Vec<Duration>);

impl Longest {
    /// Nothing seen yet.
    pub(crate) fn new(system: &System) -> Self {
        Self(vec![Duration::ZERO; system.tasks.len()])
    }
}

impl Observer for Longest {
    fn completed(&mut self, job: &Job, at: Instant) {
        if let Source::Task(id) = job.source {
            self.0[id.0] = self.0[id.0].max(at - job.arrival);
        }
    }
}

/// So many jobs of a task from an instant on: the least distance apart or a little more, released up to the jitter late,
/// and as long as can be; of a lazy one each fourth is shorter.
pub(crate) fn drawn_jobs(
    task: &Task,
    (from, jobs): (u64, u64),
    is_lazy: bool,
    random: &mut Random,
) -> Vec<ScriptedJob> {
    let (mut arrival, mut release) = (from, 0);
    let mut script = Vec::new();
    for _ in 0..jobs {
        let most = task.jitter.as_ns();
        let any = random.between(0, most);
        release = release.max(arrival + random.one_of(&[0, most, any]));
        let wcet = task.wcet.as_ns();
        let is_short = is_lazy && random.chance(1, 4);
        let execution =
            if is_short { random.between(task.bcet.as_ns().max(1), wcet) } else { wcet };
        script.push(ScriptedJob {
            arrival: Instant::from_ns(arrival),
            release: Instant::from_ns(release),
            execution: Duration::from_ns(execution),
            yields: false,
        });
        let (few, many) = (random.below(9), random.below(40));
        arrival += task.min_interarrival.as_ns() + random.one_of(&[0, 0, 0, 1, 2, few, many]);
    }
    script
}

/// Jobs at the offset and whole periods after it, each released up to the jitter late.
pub(crate) fn jobs_by_the_clock(
    task: &Task,
    (begin, jobs): (u64, u64),
    random: &mut Random,
) -> Vec<ScriptedJob> {
    let first = task.first_from(Instant::from_ns(begin)).expect("by the clock").as_ns();
    let mut release = 0;
    (0..jobs)
        .map(|job| {
            let arrival = first + job * task.min_interarrival.as_ns();
            let most = task.jitter.as_ns();
            let any = random.between(0, most);
            release = release.max(arrival + random.one_of(&[0, most, any]));
            ScriptedJob {
                arrival: Instant::from_ns(arrival),
                release: Instant::from_ns(release),
                execution: task.wcet,
                yields: false,
            }
        })
        .collect()
}
