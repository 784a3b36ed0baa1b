//! The same in the simulator.

use crate::memory::{Job, Memory, Ran};
use vorrang_host::processor::Order;
use vorrang_host::rule::WakeUps;
use vorrang_host::{Processor, dispatch, rule};
use vorrang_model::system::{
    Member, Priority, Scheduler, Server, Supply, SupplyId, System, Task, TaskId,
};
use vorrang_sim::{History, Observer, Running, ScriptedJob, simulate};
use vorrang_time::{Duration, Instant};

/// A core with servers of one thread each, and what these have to do.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) scheduler: Scheduler,
    /// Of turns, where servers take them.
    pub(crate) quantum: Duration,
    pub(crate) servers: Vec<Server>,
    pub(crate) jobs: Vec<Vec<Job>>,
    /// The last server has no thread: its turns are those of all others.
    pub(crate) rest: bool,
    /// Looks are so far apart; so is every release.
    pub(crate) look: Duration,
    pub(crate) horizon: Instant,
}

impl Case {
    /// What the dispatcher lets run on a machine in memory.
    pub(crate) fn dispatched(&self) -> Vec<Ran> {
        self.dispatched_on(Memory::of(&self.jobs[..self.threads()]))
    }

    fn threads(&self) -> usize {
        self.servers.len() - usize::from(self.rest)
    }

    pub(crate) fn dispatched_on(&self, mut machine: Memory) -> Vec<Ran> {
        let order = match self.scheduler {
            Scheduler::FixedPriority => Order::FixedPriority,
            Scheduler::Edf => Order::Edf,
            Scheduler::Slots => Order::Slots,
            _ => Order::Turns,
        };
        let empty = Processor::new(order, self.look, Duration::ZERO);
        let servers = self.servers.iter().enumerate();
        let mut processor = servers.fold(empty, |processor, (place, server)| {
            let mechanism = rule::mechanism(server).expect("a kind that is run");
            let wake_ups = rule::wake_ups(server.kind).expect("a kind that is run");
            let wake_ups = if place < self.threads() { wake_ups } else { WakeUps::Rest };
            processor.with(mechanism, server.priority.0, wake_ups)
        });
        let shares: Vec<u32> = self.servers.iter().map(|server| server.share).collect();
        if let Some(turns) = rule::turns(self.scheduler, self.quantum, &shares) {
            processor = processor.by_turns(turns);
        }
        dispatch::run(&mut processor, &mut machine, self.horizon, || true);
        machine.ran
    }

    /// What runs in the simulator.
    pub(crate) fn simulated(&self) -> Vec<Ran> {
        let system = self.system();
        let mut history = History::quiet(&system);
        for (script, jobs) in history.scripts.iter_mut().zip(&self.jobs) {
            let scripted = |job: &Job| ScriptedJob {
                arrival: job.release,
                release: job.release,
                execution: job.execution,
                yields: false,
            };
            *script = jobs.iter().map(scripted).collect();
        }
        let mut watch = Watch(Vec::new());
        simulate(&system, SupplyId(0), &history, self.horizon, &mut watch).expect("it is covered");
        watch.0.retain(|&(thread, ..)| thread < self.threads());
        watch.0
    }

    fn system(&self) -> System {
        let count = self.servers.len();
        let members = (1..=count).map(|id| Member::Server(SupplyId(id))).collect();
        let (scheduler, quantum) = (self.scheduler, self.quantum);
        let name = "core.0".into();
        let core = Supply { name, scheduler, quantum, members, ..Supply::default() };
        let servers = self.servers.iter().enumerate().map(|(place, server)| Supply {
            name: format!("server.{place}"),
            server: Some(server.clone()),
            members: vec![Member::Task(TaskId(place))],
            ..Supply::default()
        });
        let task = |place| Task {
            name: format!("task.{place}"),
            on: SupplyId(place + 1),
            priority: Priority(1),
            ..Task::default()
        };
        System {
            supplies: std::iter::once(core).chain(servers).collect(),
            tasks: (0..count).map(task).collect(),
            ..System::default()
        }
    }
}

struct Watch(Vec<Ran>);

impl Observer for Watch {
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        let Running::Task(TaskId(task)) = what else { return };
        match self.0.last_mut() {
            Some((last, _, end)) if *last == task && *end == from => *end = to,
            _ => self.0.push((task, from, to)),
        }
    }
}

/// Processor time of each server in every stretch of `period`.
pub(crate) fn service(ran: &[Ran], server: usize, period: Duration, horizon: Instant) -> Vec<u64> {
    let count = horizon.as_ns().div_ceil(period.as_ns());
    let mut sums = vec![0; usize::try_from(count).expect("few periods")];
    for &(_, from, to) in ran.iter().filter(|(thread, ..)| *thread == server) {
        let (mut from, to) = (from.as_ns(), to.as_ns());
        while from < to {
            let index = from / period.as_ns();
            let end = to.min((index + 1) * period.as_ns());
            sums[usize::try_from(index).expect("few periods")] += end - from;
            from = end;
        }
    }
    sums
}
