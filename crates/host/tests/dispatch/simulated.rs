//! The same in the simulator.

use crate::memory::{Job, Memory, Ran};
use vorrang_host::control::Unattended;
use vorrang_host::levels::Levels;
use vorrang_host::processor::Order;
use vorrang_host::rule::WakeUps;
use vorrang_host::{Processor, dispatch, rule};
use vorrang_mechanisms::interrupt::{PseudoVcpu, Rule};
use vorrang_model::system::{
    Delivery, Interrupt, InterruptId, Member, Priority, PseudoVcpu as Described, PseudoVcpuRule,
    Scheduler, Supply, SupplyId, SupplyKind, System, Task, TaskId,
};
use vorrang_sim::{Arrivals, History, Observer, Running, ScriptedJob, simulate};
use vorrang_time::{Duration, Instant};

/// A core with servers of one thread each, and what these have to do.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) scheduler: Scheduler,
    /// Of turns, where servers take them.
    pub(crate) quantum: Duration,
    pub(crate) servers: Vec<SupplyKind>,
    pub(crate) jobs: Vec<Vec<Job>>,
    /// Interrupts of guests.
    pub(crate) interrupts: Vec<Raising>,
    /// Tasks on the core itself, the most urgent first: with priorities.
    pub(crate) tasks: Vec<(u32, Vec<Job>)>,
    /// The last server has no thread: its turns are those of all others.
    pub(crate) rest: bool,
    /// Looks are so far apart; so is every release.
    pub(crate) look: Duration,
    pub(crate) horizon: Instant,
}

/// An interrupt of a guest with a pseudo-VCPU: of which server, how much for each, and when it is raised.
#[derive(Clone, Debug)]
pub(crate) struct Raising {
    pub(crate) of: usize,
    pub(crate) credit: Duration,
    pub(crate) budget: Duration,
    pub(crate) period: Duration,
    /// Above that of its server.
    pub(crate) priority: u32,
    pub(crate) first: Instant,
    /// From one arrival to the next.
    pub(crate) apart: Duration,
}

impl Raising {
    /// Its arrivals, each with the routine of the guest.
    fn jobs(&self, horizon: Instant) -> Vec<Job> {
        let next = |&release: &Instant| Some(release + self.apart);
        let arrivals = std::iter::successors(Some(self.first), next);
        let job = |release| Job { release, execution: self.credit };
        arrivals.take_while(|&release| release < horizon).map(job).collect()
    }

    /// As the description has it; the core's routine is as short as can be.
    fn interrupt(&self, place: usize) -> Interrupt {
        let Self { of, credit, budget, period, priority, .. } = *self;
        let rule = PseudoVcpuRule::Arrival;
        let pseudo_vcpu = Described { budget, period, priority: Some(Priority(priority)), rule };
        let vcpu = SupplyId(of + 1);
        Interrupt {
            name: format!("interrupt.{place}"),
            isr: Duration::RESOLUTION,
            min_interarrival: self.apart,
            delivery: Some(Delivery { vcpu, isr: credit, pseudo_vcpu: Some(pseudo_vcpu) }),
            ..Interrupt::default()
        }
    }
}

impl Case {
    /// What the dispatcher lets run on a machine in memory.
    pub(crate) fn dispatched(&self) -> Vec<Ran> {
        self.dispatched_on(self.machine())
    }

    /// That machine.
    pub(crate) fn machine(&self) -> Memory {
        let interrupts = self.interrupts.iter().map(|one| (one.of, one.jobs(self.horizon)));
        let interrupts: Vec<_> = interrupts.collect();
        let machine = Memory::of(&self.jobs[..self.threads()]).with_interrupts(&interrupts);
        let tasks: Vec<Vec<Job>> = self.tasks.iter().map(|(_, jobs)| jobs.clone()).collect();
        machine.with_tasks(&tasks, self.levels())
    }

    /// The priorities of everything on it.
    fn levels(&self) -> Levels {
        let servers = self.servers.iter().map(|one| one.server().map_or(0, |own| own.priority.0));
        let members = servers.chain(self.interrupts.iter().map(|one| one.priority));
        let tasks: Vec<u32> = self.tasks.iter().map(|(priority, _)| *priority).collect();
        Levels::of(&members.collect::<Vec<_>>(), &tasks)
    }

    fn threads(&self) -> usize {
        self.servers.len() - usize::from(self.rest)
    }

    pub(crate) fn dispatched_on(&self, mut machine: Memory) -> Vec<Ran> {
        dispatch::run(&mut self.processor(), &mut machine, self.horizon, Unattended);
        machine.ran
    }

    /// Its servers, at their beginning.
    pub(crate) fn processor(&self) -> Processor {
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
            let wake_ups = server.word().and_then(rule::wake_ups).expect("a kind that is run");
            let wake_ups = if place < self.threads() { wake_ups } else { WakeUps::Rest };
            let priority = server.server().map_or(0, |own| own.priority.0);
            processor.with(mechanism, priority, wake_ups)
        });
        for Raising { of, credit, budget, period, priority, .. } in &self.interrupts {
            let rule = PseudoVcpu::new(Rule::Arrival, *budget, *period, *credit, Duration::ZERO);
            processor = processor.with_pseudo_vcpu(*of, rule, *priority);
        }
        processor = processor.at_levels(self.levels().members());
        let shares: Vec<u32> = self.servers.iter().map(|one| one.weight().unwrap_or(1)).collect();
        if let Some(turns) = rule::turns(self.scheduler, self.quantum, &shares) {
            processor = processor.by_turns(turns);
        }
        processor
    }

    /// What runs in the simulator.
    pub(crate) fn simulated(&self) -> Vec<Ran> {
        let system = self.system();
        let mut history = History::quiet(&system);
        let jobs = self.jobs.iter().chain(self.tasks.iter().map(|(_, jobs)| jobs));
        for (script, jobs) in history.scripts.iter_mut().zip(jobs) {
            let scripted = |job: &Job| ScriptedJob {
                arrival: job.release,
                release: job.release,
                execution: job.execution,
                yields: false,
            };
            *script = jobs.iter().map(scripted).collect();
        }
        for (arrivals, one) in history.interrupts.iter_mut().zip(&self.interrupts) {
            *arrivals = Arrivals { first: Some(one.first), ..Arrivals::NEVER };
        }
        let guests = self.interrupts.iter().map(|one| one.of).collect();
        let mut watch = Watch { ran: Vec::new(), guests };
        simulate(&system, SupplyId(0), &history, self.horizon, &mut watch).expect("it is covered");
        let (threads, servers) = (self.threads(), self.servers.len());
        watch.ran.retain(|&(thread, ..)| thread < threads || thread >= servers);
        watch.ran
    }

    fn system(&self) -> System {
        let count = self.servers.len();
        let servers = (1..=count).map(|id| Member::Server(SupplyId(id)));
        let all = count + self.tasks.len();
        let members = servers.chain((count..all).map(|id| Member::Task(TaskId(id)))).collect();
        let (scheduler, quantum) = (self.scheduler, self.quantum);
        let name = "core.0".into();
        let core = Supply { name, scheduler, quantum, members, ..Supply::default() };
        let servers = self.servers.iter().enumerate().map(|(place, server)| Supply {
            name: format!("server.{place}"),
            vm: self.interrupts.iter().any(|one| one.of == place).then(|| place.to_string()),
            kind: *server,
            members: vec![Member::Task(TaskId(place))],
            ..Supply::default()
        });
        let task = |place| Task {
            name: format!("task.{place}"),
            on: SupplyId(place + 1),
            priority: Priority(1),
            ..Task::default()
        };
        let on_core = |(place, (priority, _)): (usize, &(u32, Vec<Job>))| Task {
            name: format!("task.{}", count + place),
            on: SupplyId(0),
            priority: Priority(*priority),
            ..Task::default()
        };
        let on_core = self.tasks.iter().enumerate().map(on_core);
        System {
            supplies: std::iter::once(core).chain(servers).collect(),
            tasks: (0..count).map(task).chain(on_core).collect(),
            interrupts: self
                .interrupts
                .iter()
                .enumerate()
                .map(|(place, one)| one.interrupt(place))
                .collect(),
            ..System::default()
        }
    }
}

struct Watch {
    ran: Vec<Ran>,
    /// By interrupt: the server whose guest it is raised in.
    guests: Vec<usize>,
}

impl Observer for Watch {
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        let place = match what {
            Running::Task(TaskId(task)) => task,
            Running::GuestRoutine(InterruptId(id)) => self.guests[id],
            _ => return,
        };
        match self.ran.last_mut() {
            Some((last, _, end)) if *last == place && *end == from => *end = to,
            _ => self.ran.push((place, from, to)),
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
