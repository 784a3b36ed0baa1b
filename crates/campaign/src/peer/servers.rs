//! The crate `rta-for-fps-lib` as a second opinion on deferrable servers.
//!
//! **Model.** The crate follows one history through a hyperperiod: tasks arrive strictly
//! periodically from their offsets, servers are replenished at the multiples of their periods
//! (Hamann et al., Response time analysis for fixed priority servers, RTNS 2018). So its result must equal
//! that of the simulator in that history, to the nanosecond, and be at most our bound.
//!
//! **Assumptions.** 1. Every server is guaranteed its budget; the crate does not end otherwise.
//! 2. The crate's corrected functions are used; a test shows where the original ones are not exact.
//!
//! **Does not cover** its periodic servers, whose budget is lost when nothing is ready *at the
//! beginning* of a period: none of ours does that.

use super::compare::Pair;
use crate::random::Random;
use crate::requirements::state_requirements;
use rta_for_fps_lib as peer;
use rta_for_fps_lib::server::ServerKind::Deferrable;
use rta_for_fps_lib::time::TimeUnit;
use vorrang_analysis::bounds;
use vorrang_model::system::{
    Member, Priority, Scheduler, Server, ServerRule, Supply, SupplyId, SupplyKind, System, Task,
    TaskId,
};
use vorrang_sim::{Arrivals, Delay, History, Job, Observer, Source, Spacing, simulate};
use vorrang_time::{Duration, Instant};

/// Periods of servers and tasks: divisors of 240, so that hyperperiods are short.
const SERVER_PERIODS: [u64; 5] = [4, 5, 6, 8, 10];
const TASK_PERIODS: [u64; 7] = [10, 12, 15, 20, 24, 30, 40];

/// Deferrable servers with tasks, the most urgent first, and the first arrival of each task.
pub struct Servers {
    /// In our terms.
    pub system: System,
    /// By task.
    pub offsets: Vec<u64>,
}

/// Two or three servers with up to four tasks each, for which there are bounds; the first with this number or
/// after it, so that every number has one.
pub fn draw(seed: u64, number: u64) -> Servers {
    let mut random = Random::new(seed ^ 4, number);
    let mut attempts = core::iter::repeat_with(|| attempt(&mut random));
    attempts.find(|servers| is_guaranteed(&servers.system)).expect("without end")
}

fn attempt(random: &mut Random) -> Servers {
    let mut system = System::default();
    system.supplies.push(Supply { name: "core.0".to_owned(), ..Supply::default() });
    for rank in 0..random.between(1, 3) {
        let period = random.one_of(&SERVER_PERIODS);
        let budget = Duration::from_ns(random.between(1, period / 2));
        let server = deferrable(rank, budget, Duration::from_ns(period));
        let tasks = random.between(1, 4);
        add_server(&mut system, server, (0..tasks).map(|_| draw_task(random)).collect());
    }
    state_requirements(&mut system);
    let offsets =
        system.tasks.iter().map(|task| random.below(task.min_interarrival.as_ns())).collect();
    Servers { system, offsets }
}

/// Of two, the one with the smaller rank is more urgent.
fn urgency(rank: u64) -> Priority {
    Priority(100 - u32::try_from(rank).expect("few members"))
}

fn deferrable(rank: u64, budget: Duration, period: Duration) -> Server {
    Server {
        rule: ServerRule::Deferrable,
        budget,
        period,
        priority: urgency(rank),
        ..Server::default()
    }
}

/// Execution time and period.
fn draw_task(random: &mut Random) -> (Duration, Duration) {
    let (wcet, period) = (random.between(1, 4), random.one_of(&TASK_PERIODS));
    (Duration::from_ns(wcet), Duration::from_ns(period))
}

/// Two servers with five tasks each, in microseconds, as a benchmark.
pub fn pair(seed: u64, number: u64) -> Servers {
    let mut random = Random::new(seed ^ 5, number);
    loop {
        let mut system = System::default();
        system.supplies.push(Supply { name: "core.0".to_owned(), ..Supply::default() });
        for rank in 0..2 {
            let period = Duration::from_us(random.one_of(&[500, 1_000]));
            let budget = Duration::from_us(random.between(200, 400) * period.as_ns() / 1_000_000);
            let server = deferrable(rank, budget, period);
            let share = budget.as_ns() * 1_000_000_000 / period.as_ns();
            let shares = random.shares(share / 10 * 8, 5);
            let task = |share: u64| {
                let period =
                    Duration::from_us(random.one_of(&[5_000, 10_000, 20_000, 50_000, 100_000]));
                (Duration::from_us((share * period.as_ns() / 1_000_000_000_000).max(1)), period)
            };
            add_server(&mut system, server, shares.into_iter().map(task).collect());
        }
        state_requirements(&mut system);
        if is_guaranteed(&system) {
            return Servers { offsets: vec![0; system.tasks.len()], system };
        }
    }
}

/// Whether each server has its budget and each task a bound: the crate ends for no others.
fn is_guaranteed(system: &System) -> bool {
    let found = bounds(system);
    let has_budget = |id| found.reservation(system, id).is_none_or(|budget| budget.is_ok());
    (0..system.supplies.len()).map(SupplyId).all(has_budget)
        && system.task_ids().all(|id| found.task(id).bound().is_some())
}

fn add_server(system: &mut System, server: Server, mut tasks: Vec<(Duration, Duration)>) {
    let id = SupplyId(system.supplies.len());
    tasks.sort_by_key(|&(_, period)| period);
    system.supplies[0].members.push(Member::Server(id));
    let name = format!("server.s{}", id.0);
    let members = (system.tasks.len()..).take(tasks.len()).map(TaskId).map(Member::Task).collect();
    system.supplies.push(Supply {
        name,
        kind: SupplyKind::Server(server),
        members,
        ..Supply::default()
    });
    for (rank, (wcet, period)) in (0..).zip(tasks) {
        system.tasks.push(Task {
            name: format!("task.t{}", system.tasks.len()),
            on: id,
            wcet,
            bcet: wcet,
            min_interarrival: period,
            deadline: Some(period),
            priority: urgency(rank),
            ..Task::default()
        });
    }
    system.supplies[id.0].scheduler = Scheduler::FixedPriority;
}

/// The same in the crate's terms: the tasks of each server, in units of `unit`.
pub struct PeerServers {
    tasks: Vec<Vec<peer::task::Task>>,
    properties: Vec<(TimeUnit, TimeUnit)>,
}

fn units(duration: Duration, unit: Duration) -> TimeUnit {
    let units = duration.as_ns() / unit.as_ns();
    TimeUnit::from(usize::try_from(units).expect("short times"))
}

impl PeerServers {
    /// The crate's servers, with times in whole numbers of `unit`.
    pub fn of(servers: &Servers, unit: Duration) -> Self {
        let Servers { system, offsets } = servers;
        let of_server = |supply: &Supply| {
            let task = |member: &Member| match *member {
                Member::Task(TaskId(id)) => {
                    let task = &system.tasks[id];
                    peer::task::Task::new(
                        units(task.wcet, unit),
                        units(task.min_interarrival, unit),
                        units(Duration::from_ns(offsets[id]), unit),
                    )
                }
                Member::Server(_) => unreachable!("servers stand on the core"),
            };
            supply.members.iter().map(task).collect()
        };
        let properties = |supply: &Supply| {
            let server = supply.server().expect("not the core");
            (units(server.budget, unit), units(server.period, unit))
        };
        Self {
            tasks: system.supplies[1..].iter().map(of_server).collect(),
            properties: system.supplies[1..].iter().map(properties).collect(),
        }
    }

    fn servers(&self) -> Vec<peer::server::Server<'_>> {
        let properties = self.properties.iter();
        let servers = self.tasks.iter().zip(properties);
        servers
            .map(|(tasks, &(budget, period))| {
                peer::server::Server::new(tasks, budget, period, Deferrable)
            })
            .collect()
    }

    /// For each task, by declaration: the longest response time of a job that arrives before the
    /// end of the analysis, and that end, both in the unit.
    pub fn response_times(&self) -> Vec<(usize, usize)> {
        let servers = self.servers();
        let system = peer::system::System::new(&servers);
        let mut found = Vec::new();
        for (server, tasks) in self.tasks.iter().enumerate() {
            let end = system.analysis_end(server);
            for task in 0..tasks.len() {
                let response =
                    peer::task::Task::fixed_worst_case_response_time(&system, server, task, end);
                found.push((response.as_unit(), end.as_unit()));
            }
        }
        found
    }
}

/// The simulator's response times and the crate's in the history of the offsets, then our bounds
/// where they are below the crate's (they never are).
pub fn pairs(seed: u64, number: u64) -> Vec<Pair> {
    let servers = draw(seed, number);
    let peers = PeerServers::of(&servers, Duration::RESOLUTION).response_times();
    let peers: Vec<(Duration, Instant)> = peers
        .into_iter()
        .map(|(response, end)| {
            (Duration::from_ns(response as u64), Instant::ZERO + Duration::from_ns(end as u64))
        })
        .collect();
    let simulated = simulated(&servers, &peers);
    let found = bounds(&servers.system);
    let observed = simulated.iter().zip(&peers);
    let observed = observed.map(|(&ours, &(peer, _))| Pair { ours: Some(ours), peer: Some(peer) });
    let bounded = (0..).map(TaskId).map(|id| found.task(id).bound()).zip(&peers);
    let bounded = bounded.map(|(bound, &(peer, _))| Pair {
        ours: bound.map(|bound| bound.min(peer)),
        peer: Some(peer),
    });
    observed.chain(bounded).collect()
}

/// The longest response of each task among the jobs that arrive before its end.
fn simulated(servers: &Servers, peers: &[(Duration, Instant)]) -> Vec<Duration> {
    let Servers { system, offsets } = servers;
    let mut history = History::quiet(system);
    for (arrivals, &offset) in history.tasks.iter_mut().zip(offsets) {
        *arrivals = Arrivals {
            first: Some(Instant::ZERO + Duration::from_ns(offset)),
            spacing: Spacing::Periodic,
            delay: Delay::None,
        };
    }
    let last = peers.iter().map(|&(response, end)| end + response * 2).max().unwrap_or_default();
    let mut longest = Longest { ends: peers, found: vec![Duration::ZERO; peers.len()] };
    simulate(system, SupplyId(0), &history, last, &mut longest).expect("servers are covered");
    longest.found
}

struct Longest<'a> {
    ends: &'a [(Duration, Instant)],
    found: Vec<Duration>,
}

impl Observer for Longest<'_> {
    fn completed(&mut self, job: &Job, at: Instant) {
        let Source::Task(TaskId(id)) = job.source else { return };
        if job.arrival < self.ends[id].1 {
            self.found[id] = self.found[id].max(at - job.arrival);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper sums the demand of more urgent servers; the corrected version sums their supply. The second
    /// budget of the middle server below is asked for at 30 and given later.
    #[test]
    fn the_published_algorithm_is_not_exact() {
        let ns = Duration::from_ns;
        let mut system = System::default();
        system.supplies.push(Supply { name: "core.0".to_owned(), ..Supply::default() });
        let tasks = [
            vec![(ns(1), ns(12)), (ns(1), ns(20)), (ns(2), ns(30))],
            vec![(ns(2), ns(40))],
            vec![(ns(1), ns(24))],
        ];
        for (rank, ((budget, period), tasks)) in
            (0..).zip([(2, 10), (1, 6), (3, 10)].into_iter().zip(tasks))
        {
            add_server(&mut system, deferrable(rank, ns(budget), ns(period)), tasks);
        }
        let servers = Servers { system, offsets: vec![6, 3, 4, 31, 0] };
        let peers = PeerServers::of(&servers, Duration::RESOLUTION);
        let (corrected, end) = peers.response_times()[4];
        let end = Instant::ZERO + ns(end as u64);
        assert_eq!(simulated(&servers, &[(ns(40), end); 5])[4], ns(2));
        assert_eq!(corrected, 2);
        let all = peers.servers();
        let all = peer::system::System::new(&all);
        let original =
            peer::task::Task::original_worst_case_response_time(&all, 2, 0, all.analysis_end(2));
        assert_eq!(original.as_unit(), 3);
    }
}
