//! Sums that were published, once more in few lines, for chains of tasks on one core by priority.
//!
//! R by the usual iteration; Davare et al. 2007: the sum of T + R; Dürr et al. 2019: T1 + Rn + the sum over i < n of
//! max(Ri, Ti+1 + Ri [not i more urgent than i + 1]), that is Ti+1 + Ri without the brackets where i is less urgent.

use std::fmt::Write as _;
use vorrang_analysis::{bounds, chain_bound};
use vorrang_campaign::random::Random;
use vorrang_model::{Format, read};

/// A task: execution, least and longest distance of arrivals. The first one is the most urgent.
type Task = (u64, u64, u64);

/// The longest response of a task with those before it more urgent; `None`: longer than its least distance.
fn response(tasks: &[Task]) -> Option<u64> {
    let (&(own, period, _), above) = tasks.split_last()?;
    let mut time = own;
    loop {
        let next =
            own + above.iter().map(|(work, least, _)| time.div_ceil(*least) * work).sum::<u64>();
        if next > period {
            return None;
        }
        if next == time {
            return Some(time);
        }
        time = next;
    }
}

fn davare(path: &[usize], tasks: &[Task], responses: &[u64]) -> u64 {
    path.iter().map(|&id| tasks[id].2 + responses[id]).sum()
}

fn duerr(path: &[usize], tasks: &[Task], responses: &[u64]) -> u64 {
    let (first, last) = (path[0], path[path.len() - 1]);
    let between = path.windows(2).map(|pair| {
        let (own, next) = (pair[0], pair[1]);
        let waits = if own < next { 0 } else { responses[own] };
        responses[own].max(tasks[next].2 + waits)
    });
    tasks[first].2 + responses[last] + between.sum::<u64>()
}

/// The bound of the chain of these tasks in this order.
fn bound(path: &[usize], tasks: &[Task]) -> u64 {
    let mut text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned();
    for (id, (work, least, latest)) in tasks.iter().enumerate() {
        let priority = 50 - id;
        let _ = writeln!(
            text,
            "[task.t{id}]\non = \"core.0\"\nwcet = \"{work}us\"\nperiod = \"{least}us\"\n\
             latest-interarrival = \"{latest}us\"\npriority = {priority}"
        );
    }
    let path: Vec<String> = path.iter().map(|id| format!("\"task.t{id}\"")).collect();
    let _ = writeln!(text, "[chain.x]\npath = [{}]\nreaction = \"1s\"", path.join(", "));
    let system = read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"));
    let found = chain_bound(&system, &bounds(&system), &system.chains[0]).found;
    found.unwrap_or_else(|why| panic!("{why:?} in\n{text}")).as_ns() / 1_000
}

fn responses(tasks: &[Task]) -> Option<Vec<u64>> {
    (1..=tasks.len()).map(|count| response(&tasks[..count])).collect()
}

/// Tasks (T, C) of (5, 1), (10, 2), (20, 3): 42 down the priorities, 46 up, and 46 by Davare both ways.
#[test]
fn the_published_example() {
    let tasks = [(1, 5, 5), (2, 10, 10), (3, 20, 20)];
    let known = responses(&tasks).unwrap();
    for (path, published) in [([0, 1, 2], 42), ([2, 1, 0], 46)] {
        assert_eq!(davare(&path, &tasks, &known), 46);
        assert_eq!(duerr(&path, &tasks, &known), published);
        assert_eq!(bound(&path, &tasks), published);
    }
}

#[test]
fn a_thousand_chains_are_bounded_as_published() {
    let (mut chains, mut less) = (0, 0);
    for stream in 0.. {
        let mut random = Random::new(4_747, stream);
        let mut tasks: Vec<Task> = (0..random.between(2, 7))
            .map(|_| {
                let least = random.between(10, 200);
                let is_periodic = random.chance(1, 2);
                let latest = if is_periodic { least } else { random.between(least, 3 * least) };
                (random.between(1, least / 5), least, latest)
            })
            .collect();
        if random.chance(1, 2) {
            tasks.sort_unstable_by_key(|task| task.1);
        }
        let Some(known) = responses(&tasks) else { continue };
        let mut left: Vec<usize> = (0..tasks.len()).collect();
        let length = 1 + random.index(tasks.len());
        let path: Vec<usize> =
            (0..length).map(|_| left.swap_remove(random.index(left.len()))).collect();
        let published = duerr(&path, &tasks, &known);
        assert_eq!(bound(&path, &tasks), published, "{path:?} {tasks:?}");
        less += u64::from(published < davare(&path, &tasks, &known));
        chains += 1;
        if chains == 1_000 {
            break;
        }
    }
    assert!(less > 300, "{less}");
}
