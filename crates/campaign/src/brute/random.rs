//! Random histories within the description, biased towards unfavourable ones.

use super::packets::{arrivals, cards_on, spacing, start_of_packets};
use super::{
    apart, blockable, earliest, endless, horizon, interrupts_on, known_arrivals, phases,
    start_of_interrupt, tasks_that_end,
};
use crate::oracle::{History, Job, start};
use crate::random::Random;
use vorrang_model::system::{Member, SupplyId, System};

/// How the history treats all its tasks.
#[derive(Clone, Copy)]
struct Mood {
    /// A common instant of many first releases.
    together: u64,
    /// Of ten arrivals, how many come later than the earliest instant.
    gaps_in_ten: u64,
    /// Of ten jobs, how many execute for less than the longest time.
    short_in_ten: u64,
    horizon: u64,
}

/// A stated arrival process in ticks: earliest arrival, least inter-arrival time, jitter, longest
/// execution.
struct Stated {
    begin: u64,
    /// Least distances of successive arrivals.
    apart: Vec<u64>,
    /// In how long a time they repeat.
    period: u64,
    jitter: u64,
    wcet: u64,
}

/// `count` random histories of one core.
pub fn histories<'a>(
    system: &'a System,
    core: SupplyId,
    count: u64,
    random: &'a mut Random,
) -> impl Iterator<Item = History> + 'a {
    (0..count).map(move |_| history(system, core, random))
}

fn history(system: &System, core: SupplyId, random: &mut Random) -> History {
    let horizon = horizon(system);
    let mood = Mood {
        together: random.between(0, horizon / 4),
        gaps_in_ten: random.weighted(&[(5, 0), (3, 1), (2, 5)]),
        short_in_ten: random.weighted(&[(5, 0), (3, 1), (2, 5)]),
        horizon,
    };
    let mut history = History {
        phases: vec![0; system.supplies.len()],
        tasks: vec![Vec::new(); system.tasks.len()],
        interrupts: vec![Vec::new(); system.interrupts.len()],
        packets: vec![Vec::new(); system.devices.len()],
        ..History::default()
    };
    let longest = system.supply(core).sections.as_ns();
    if longest > 0 && random.chance(2, 3) {
        history.sections = if random.chance(1, 2) { longest } else { random.between(1, longest) };
    }
    for (id, period) in phases(system, core) {
        // The phase of a common instant: servers often begin their periods there too.
        history.phases[id.0] =
            if random.chance(1, 2) { mood.together % period } else { random.below(period) };
    }
    endless(system, core, &mut history);
    for id in tasks_that_end(system, core) {
        let task = system.task(id);
        let (period, jitter) = (task.cycle().1.as_ns(), task.jitter.as_ns());
        let apart = apart(task.min_interarrival, task.distances.as_ref());
        let begin = start(system, task.on, &history.phases);
        let known = known_arrivals(task, begin, horizon);
        let stated = Stated { begin, apart, period, jitter, wcet: task.wcet.as_ns() };
        history.tasks[id.0] = jobs(&stated, known, mood, random);
    }
    for id in interrupts_on(system, core) {
        let interrupt = system.interrupt(id);
        let storm = interrupt.storm.filter(|_| random.chance(1, 3));
        let period = storm.unwrap_or(interrupt.cycle().1).as_ns();
        let several = interrupt.distances.as_ref().filter(|_| storm.is_none());
        let apart = apart(storm.unwrap_or(interrupt.min_interarrival), several);
        let begin = start_of_interrupt(system, id, &history.phases);
        let jitter = interrupt.jitter.as_ns();
        let stated = Stated { begin, apart, period, jitter, wcet: interrupt.isr.as_ns() };
        history.interrupts[id.0] = jobs(&stated, None, mood, random);
    }
    for id in cards_on(system, core) {
        let device = system.device(id);
        let begin = start_of_packets(system, id, &history.phases);
        let offset = random.below(spacing(device).0);
        let first = if random.chance(1, 2) { mood.together } else { offset }.max(begin);
        history.packets[id.0] = arrivals(device, first, horizon, |apart| {
            if random.chance(mood.gaps_in_ten, 10) { random.below(apart) } else { 0 }
        });
    }
    if random.chance(1, 3) {
        history.blocker = blocker(system, core, &history, random);
    }
    history
}

/// The arrivals of one task up to the horizon; `known`: where its offset says when these are.
fn jobs(stated: &Stated, known: Option<Vec<u64>>, mood: Mood, random: &mut Random) -> Vec<Job> {
    // The first job is released at the common instant, or arrives there, or anywhere.
    let first_release = mood.together.saturating_sub(stated.jitter);
    let mut arrival = match random.below(4) {
        0 | 1 => first_release,
        2 => mood.together,
        _ => random.below(stated.period),
    }
    .max(stated.begin);
    let mut known = known.map(Vec::into_iter);
    if let Some(known) = &mut known {
        arrival = known.next().unwrap_or(mood.horizon);
    }
    let (late_first, late_in_ten) = (random.chance(1, 2), random.weighted(&[(5, 0), (3, 5)]));
    let mut jobs: Vec<Job> = Vec::new();
    while arrival < mood.horizon {
        let late = if jobs.is_empty() { late_first } else { random.chance(late_in_ten, 10) };
        let delay = match late {
            true if random.chance(1, 2) => stated.jitter,
            true => random.between(0, stated.jitter),
            false => 0,
        };
        let before = jobs.last().map_or(0, |job| job.release);
        let short = random.chance(mood.short_in_ten, 10);
        let execution = if short { random.between(1, stated.wcet) } else { stated.wcet };
        jobs.push(Job { arrival, release: (arrival + delay).max(before), execution });
        let gap = random.chance(mood.gaps_in_ten, 10);
        arrival = match &mut known {
            Some(known) => known.next().unwrap_or(mood.horizon),
            None => {
                earliest(&jobs, &stated.apart) + if gap { random.below(stated.period) } else { 0 }
            }
        };
    }
    jobs
}

/// A member that may be blocked, a task from one of its releases on (were it to arrive by itself), a
/// server from any instant on.
fn blocker(
    system: &System,
    core: SupplyId,
    history: &History,
    random: &mut Random,
) -> Option<(Member, u64)> {
    let arrives = |&member: &Member| match member {
        Member::Task(id) => !history.tasks[id.0].is_empty(),
        Member::Server(_) => true,
    };
    let blockable: Vec<Member> = blockable(system, core).filter(arrives).collect();
    if blockable.is_empty() {
        return None;
    }
    let member = random.one_of(&blockable);
    let Member::Task(task) = member else {
        return Some((member, random.below(horizon(system))));
    };
    let jobs = &history.tasks[task.0];
    let job = if random.chance(1, 2) { jobs[0] } else { random.one_of(jobs) };
    Some((member, job.release))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn histories_keep_to_the_description() {
        let mut random = Random::new(5, 0);
        for index in 0..300 {
            let system = generate::system(5, index);
            for history in histories(&system, SupplyId(0), 3, &mut random.clone()) {
                for (task, jobs) in system.tasks.iter().zip(&history.tasks) {
                    for job in jobs {
                        let delay = job.release - job.arrival;
                        assert!(delay <= task.jitter.as_ns());
                        assert!((1..=task.wcet.as_ns()).contains(&job.execution));
                    }
                    for pair in jobs.windows(2) {
                        let gap = pair[1].arrival - pair[0].arrival;
                        assert!(gap >= task.min_interarrival.as_ns());
                        assert!(pair[1].release >= pair[0].release);
                    }
                }
            }
            random.below(2);
        }
    }
}
