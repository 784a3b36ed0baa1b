//! Random systems of all kinds, as `read` would make them.

use vorrang_model::system::{
    Activation, Cache, CacheId, CacheModel, Chain, Communication, Costs, DeadlineLimits, Delivery,
    Device, DeviceId, Distance, Distances, FairServer, Interrupt, InterruptId, InterruptOrder,
    InterruptTime, Level, Member, Packets, Preemption, Priority, Probability, PseudoVcpu,
    PseudoVcpuRule, Requirement, RequirementKind, Scheduler, Server, ServerKind, ServerRule, Share,
    Supply, SupplyId, SupplyKind, Task, TaskId, Timer, TimerId, TimerQueue, Window,
};
use vorrang_model::{System, limits};
use vorrang_time::Duration;

/// Choices still to make: a system is built from a list of numbers.
struct Choices {
    left: std::vec::IntoIter<u64>,
}

impl Choices {
    /// A number below `limit`; zero when the list is at its end.
    fn below(&mut self, limit: u64) -> u64 {
        self.left.next().unwrap_or(0) % limit
    }

    /// A number from 1 to `most`.
    fn upto(&mut self, most: u64) -> u32 {
        u32::try_from(1 + self.below(most)).unwrap()
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    /// One of several; the first when the list is at its end.
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }

    fn duration(&mut self, most: Duration) -> Duration {
        Duration::from_ns(1 + self.below(most.as_ns()))
    }

    fn any_duration(&mut self) -> Duration {
        let most = [Duration::from_us(1), Duration::from_ms(100), Duration::MAX_STATED];
        let most = self.one(&most);
        self.duration(most)
    }

    fn or_zero(&mut self) -> Duration {
        if self.flip() { self.any_duration() } else { Duration::ZERO }
    }
}

/// A system as `read` would make it: cores, then servers and tasks in some order, then what
/// happens to them.
pub(super) fn of(choices: Vec<u64>) -> System {
    let mut choices = Choices { left: choices.into_iter() };
    let mut system = System::default();
    let events = choices.below(12);
    add_caches_and_costs(&mut system, &mut choices);
    for number in 0..=choices.below(3) {
        add_core(&mut system, number, &mut choices);
    }
    for _ in 0..choices.below(16) {
        let on = choices.one(&all(system.supplies.len(), SupplyId));
        if choices.flip() {
            add_task(&mut system, on, &mut choices);
        } else {
            add_server(&mut system, on, &mut choices);
        }
    }
    for _ in 0..events {
        match choices.below(3) {
            0 => add_interrupt(&mut system, &mut choices),
            1 => add_timer(&mut system, &mut choices),
            _ => add_device(&mut system, &mut choices),
        }
    }
    add_requirements(&mut system, &mut choices);
    add_wake_ups(&mut system, &mut choices);
    add_chains(&mut system, &mut choices);
    deliver_timers(&mut system, &mut choices);
    reach_over(&mut system, &mut choices);
    post(&mut system, &mut choices);
    add_fair_servers(&mut system, &mut choices);
    system
}

fn all<T>(length: usize, id: impl Fn(usize) -> T) -> Vec<T> {
    (0..length).map(id).collect()
}

fn add_caches_and_costs(system: &mut System, choices: &mut Choices) {
    for number in 0..choices.below(3) {
        system.caches.push(Cache {
            name: format!("cache.c{number}"),
            model: choices.one(&[CacheModel::Flood, CacheModel::Exponential]),
            useful_ppm: choices.upto(1_000_001) - 1,
            sustained: choices.any_duration(),
        });
    }
    if choices.flip() {
        system.costs = Costs {
            scheduler_call: choices.or_zero(),
            context_switch: choices.or_zero(),
            timer_expiry: choices.or_zero(),
            interrupt_entry: choices.or_zero(),
            interrupt_exit: choices.or_zero(),
            vm_exit: choices.or_zero(),
        };
    }
}

const GUEST_SCHEDULERS: [Scheduler; 7] = [
    Scheduler::FixedPriority,
    Scheduler::Edf,
    Scheduler::Linux,
    Scheduler::Vtrr,
    Scheduler::Stride,
    Scheduler::RoundRobin,
    Scheduler::WeightedRoundRobin,
];

fn quantum(scheduler: Scheduler, choices: &mut Choices) -> Duration {
    if scheduler.takes_turns() { choices.any_duration() } else { Duration::ZERO }
}

fn of_linux(scheduler: Scheduler, choices: &mut Choices) -> Duration {
    if scheduler == Scheduler::Linux { choices.or_zero() } else { Duration::ZERO }
}

fn add_core(system: &mut System, number: u64, choices: &mut Choices) {
    let scheduler =
        if choices.below(8) == 7 { Scheduler::Slots } else { choices.one(&GUEST_SCHEDULERS) };
    let timer_queue = choices.one(&[TimerQueue::HrTimer, TimerQueue::TimerShield]);
    let orders = [InterruptOrder::FirstCome, InterruptOrder::Priority, InterruptOrder::Nested];
    system.supplies.push(Supply {
        name: format!("core.{number}"),
        scheduler,
        quantum: quantum(scheduler, choices),
        interrupt_order: choices.one(&orders),
        interrupt_time: match scheduler {
            Scheduler::Edf | Scheduler::Linux => {
                choices.one(&[InterruptTime::Apart, InterruptTime::Charged])
            }
            _ => InterruptTime::Apart,
        },
        timer_queue,
        max_defer: (timer_queue == TimerQueue::TimerShield && choices.flip())
            .then(|| choices.any_duration()),
        deadline_limits: deadline_limits(scheduler, choices),
        overrun: of_linux(scheduler, choices),
        sections: of_linux(scheduler, choices),
        ..Supply::default()
    });
}

fn deadline_limits(scheduler: Scheduler, choices: &mut Choices) -> DeadlineLimits {
    if scheduler != Scheduler::Linux {
        return DeadlineLimits::default();
    }
    DeadlineLimits {
        shortest_period: choices.flip().then(|| choices.any_duration()),
        longest_period: choices.flip().then(|| choices.any_duration()),
        share_ppm: choices.flip().then(|| choices.upto(1_000_000)),
    }
}

fn add_fair_servers(system: &mut System, choices: &mut Choices) {
    for id in all(system.supplies.len(), SupplyId) {
        if system.supply(id).scheduler == Scheduler::Linux && choices.flip() {
            let period = choices.any_duration();
            let other = FairServer { budget: choices.duration(period), period };
            system.add_fair_server(id, choices.one(&[FairServer::OF_LINUX, other]));
        }
    }
}

/// The kinds of server that a scheduler can order.
fn kinds(parent: Scheduler) -> &'static [ServerKind] {
    const LINUX: &[ServerKind] = &[
        ServerKind::SchedDeadline,
        ServerKind::Level,
        ServerKind::Periodic,
        ServerKind::Polling,
        ServerKind::Deferrable,
        ServerKind::Sporadic,
        ServerKind::PosixSporadic,
        ServerKind::RefillQueue,
    ];
    match parent {
        Scheduler::FixedPriority => &LINUX[1..],
        Scheduler::Linux => LINUX,
        Scheduler::Edf => &[
            ServerKind::Periodic,
            ServerKind::Deferrable,
            ServerKind::CbsHard,
            ServerKind::CbsSoft,
            ServerKind::SchedDeadline,
        ],
        Scheduler::Slots => &[ServerKind::Slot, ServerKind::Table],
        _ => &[ServerKind::Share],
    }
}

fn add_server(system: &mut System, on: SupplyId, choices: &mut Choices) {
    let parent = system.supply(on).scheduler;
    // One slot per core cannot overlap with another.
    if parent == Scheduler::Slots && !system.supply(on).members.is_empty() {
        return;
    }
    let id = SupplyId(system.supplies.len());
    let is_vcpu = choices.flip();
    let name = format!("{}.s{}", if is_vcpu { "vcpu" } else { "server" }, id.0);
    let own_machine = choices.flip();
    let vm = if own_machine { name.clone() } else { "a \"quoted\" \\ name".into() };
    let has_cache = is_vcpu && guest_of(system, on).is_none();
    let scheduler = choices.one(&GUEST_SCHEDULERS);
    let kind = server(parent, on, choices);
    system.supplies.push(Supply {
        name,
        kind,
        windows: windows(kind, choices),
        scheduler,
        members: Vec::new(),
        vm: is_vcpu.then_some(vm),
        cache: has_cache.then(|| cache(system, choices)).flatten(),
        quantum: quantum(scheduler, choices),
        ..Supply::default()
    });
    system.supplies[on.0].members.push(Member::Server(id));
}

/// The windows of a table: one or two, with what is left of the period around them.
fn windows(kind: SupplyKind, choices: &mut Choices) -> Vec<Window> {
    let SupplyKind::Server(Server { rule: ServerRule::Table, budget, period, .. }) = kind else {
        return Vec::new();
    };
    let within = |room: Duration, choices: &mut Choices| {
        choices.duration(room + Duration::RESOLUTION) - Duration::RESOLUTION
    };
    let offset = within(period - budget, choices);
    let length = choices.duration(budget);
    let first = Window { offset, length };
    if length == budget {
        return vec![first];
    }
    let between = within(period - budget - offset, choices);
    vec![first, Window { offset: offset + length + between, length: budget - length }]
}

fn server(parent: Scheduler, on: SupplyId, choices: &mut Choices) -> SupplyKind {
    let kind = choices.one(kinds(parent));
    let Some(plain) = kind.rule() else {
        if kind == ServerKind::Level {
            let priority = priority(parent, choices);
            return SupplyKind::Level(Level { on, priority, blocking: choices.or_zero() });
        }
        return SupplyKind::Share(Share { on, weight: share(parent, choices) });
    };
    let period = choices.any_duration();
    let budget = choices.duration(period);
    let room = Duration::from_ns(period.as_ns() - budget.as_ns() + 1);
    let by_deadline = kind == ServerKind::SchedDeadline;
    let within = |choices: &mut Choices| choices.duration(room) - Duration::RESOLUTION;
    SupplyKind::Server(Server {
        on,
        rule: match plain {
            ServerRule::SchedDeadline { .. } => ServerRule::SchedDeadline {
                deadline: choices.flip().then(|| budget + within(choices)),
                reclaims: choices.flip(),
            },
            ServerRule::Slot { .. } => ServerRule::Slot { offset: within(choices) },
            ServerRule::RefillQueue { .. } => ServerRule::RefillQueue {
                refills: 1 + choices.upto(limits::REFILLS - 1),
                min_budget: choices.flip().then(|| {
                    choices.duration(budget + Duration::RESOLUTION) - Duration::RESOLUTION
                }),
            },
            plain => plain,
        },
        budget,
        period,
        priority: if by_deadline { Priority::default() } else { priority(parent, choices) },
        blocking: match parent {
            Scheduler::FixedPriority | Scheduler::Linux if !by_deadline => choices.or_zero(),
            _ => Duration::ZERO,
        },
    })
}

fn priority(parent: Scheduler, choices: &mut Choices) -> Priority {
    match parent {
        Scheduler::FixedPriority | Scheduler::Linux => any_priority(choices),
        _ => Priority::default(),
    }
}

fn any_priority(choices: &mut Choices) -> Priority {
    Priority(choices.upto(1 + u64::from(limits::PRIORITY)) - 1)
}

fn share(parent: Scheduler, choices: &mut Choices) -> u32 {
    if parent.has_shares() { choices.upto(limits::SHARE) } else { 1 }
}

fn cache(system: &System, choices: &mut Choices) -> Option<CacheId> {
    let which = choices.one(&all(system.caches.len() + 1, |index| index));
    which.checked_sub(1).map(CacheId)
}

/// The outermost virtual processor that a supply is, or is on.
fn guest_of(system: &System, supply: SupplyId) -> Option<SupplyId> {
    chain(system, supply).filter(|id| system.supply(*id).vm.is_some()).last()
}

fn chain(system: &System, from: SupplyId) -> impl Iterator<Item = SupplyId> + '_ {
    std::iter::successors(Some(from), |id| system.supply(*id).on())
}

/// Of up to three arrivals, the first as stated; the last may be to a later one.
fn distances(first: Duration, choices: &mut Choices) -> Option<Distances> {
    let more = [choices.any_duration(), choices.any_duration()];
    let last = if more[1].as_ns().is_multiple_of(2) { 3 } else { 40 };
    let all = [(1, first), (2, more[0]), (last, more[1])];
    let all = all.map(|(steps, least)| Distance { steps, least });
    choices.flip().then(|| Distances::some(&all)).flatten()
}

fn add_task(system: &mut System, on: SupplyId, choices: &mut Choices) {
    let parent = system.supply(on).scheduler;
    if parent == Scheduler::Slots {
        return;
    }
    let id = TaskId(system.tasks.len());
    let wcet = choices.any_duration();
    let min_interarrival = choices.any_duration();
    let latest = min_interarrival.max(choices.any_duration());
    let deadline = choices.any_duration();
    let has_deadline = parent == Scheduler::Edf || choices.flip();
    let on_host = guest_of(system, on).is_none();
    let bcet = choices.duration(wcet);
    let execution = execution(bcet, wcet, choices);
    let distances = distances(min_interarrival, choices);
    let latest = distances.as_ref().map_or(latest, |own| own.widest().max(latest));
    // Without a choice of its own, of which there are not endlessly many.
    let is_by_clock = distances.is_none() && wcet.as_ns().is_multiple_of(3);
    let offset = is_by_clock.then(|| latest.saturating_sub(min_interarrival));
    let has_latest = choices.flip() || offset.is_some();
    let latest = if offset.is_some() { min_interarrival } else { latest };
    system.tasks.push(Task {
        name: format!("task.t{}", id.0),
        on,
        wcet,
        min_interarrival,
        distances,
        latest_interarrival: has_latest.then_some(latest),
        offset,
        communication: if has_deadline && choices.flip() {
            Communication::Let
        } else {
            Communication::Registers
        },
        preemption: if choices.flip() { Preemption::None } else { Preemption::default() },
        polls: false,
        deadline: has_deadline.then_some(deadline),
        jitter: choices.or_zero(),
        blocking: choices.or_zero(),
        priority: priority(parent, choices),
        bcet,
        execution,
        share: share(parent, choices),
        cache: on_host.then(|| cache(system, choices)).flatten(),
        wakes: Vec::new(),
        activation: Activation::Sporadic,
    });
    system.supplies[on.0].members.push(Member::Task(id));
}

/// Nothing, or some times from the shortest to the longest.
fn execution(bcet: Duration, wcet: Duration, choices: &mut Choices) -> Vec<(Duration, u32)> {
    if choices.flip() {
        return Vec::new();
    }
    let between = Duration::from_ns(u64::midpoint(bcet.as_ns(), wcet.as_ns()));
    let mut times = vec![bcet, between, wcet];
    times.dedup();
    times.into_iter().map(|time| (time, choices.upto(limits::WEIGHT))).collect()
}

/// A task that nothing wakes yet, and to which something more applies; it is woken now.
fn wake(
    system: &mut System,
    activation: Activation,
    applies: impl Fn(&System, SupplyId) -> bool,
    choices: &mut Choices,
) -> Option<TaskId> {
    let mut free = all(system.tasks.len(), TaskId);
    free.retain(|id| {
        let task = system.task(*id);
        task.activation == Activation::Sporadic && applies(system, task.on)
    });
    if free.is_empty() || choices.below(4) == 3 {
        return None;
    }
    let id = choices.one(&free);
    system.tasks[id.0].activation = activation;
    system.tasks[id.0].distances = None;
    system.tasks[id.0].jitter = Duration::ZERO;
    system.tasks[id.0].offset = None;
    Some(id)
}

/// Tasks that others wake: a later one after one or two earlier ones, which descend from one task. Not behind what may
/// merge; nor beside probabilities, which are undecided there.
fn add_wake_ups(system: &mut System, choices: &mut Choices) {
    if system.requirements.iter().any(|required| required.probability.is_some()) {
        return;
    }
    for _ in 0..choices.below(16) {
        let is_single = |by: Activation| matches!(by, Activation::Sporadic | Activation::Timer(_));
        let mut first = all(system.tasks.len(), TaskId);
        first.retain(|&id| is_single(system.source_of(id)));
        if first.is_empty() {
            return;
        }
        let by = choices.one(&first);
        let root = system.root_of(by);
        first.retain(|&id| system.root_of(id) == root && id != by);
        let also = (!first.is_empty() && choices.flip()).then(|| choices.one(&first));
        let before: Vec<TaskId> = [Some(by), also].into_iter().flatten().collect();
        let activation = if also.is_some() { Activation::Join } else { Activation::Task(by) };
        let mut free = all(system.tasks.len(), TaskId);
        free.retain(|&id| {
            let task = system.task(id);
            let is_later = before.iter().all(|own| *own < id);
            is_later && task.activation == Activation::Sporadic && task.wakes.is_empty()
        });
        if free.is_empty() {
            continue;
        }
        let woken = choices.one(&free);
        let source = system.task(root).clone();
        let task = &mut system.tasks[woken.0];
        (task.min_interarrival, task.distances) = (source.min_interarrival, source.distances);
        (task.latest_interarrival, task.communication) = (None, Communication::default());
        (task.activation, task.jitter, task.offset) = (activation, Duration::ZERO, None);
        for by in before {
            system.tasks[by.0].wakes.push(woken);
        }
    }
    let is_join: Vec<bool> =
        system.tasks.iter().map(|task| task.activation == Activation::Join).collect();
    system.tasks.iter_mut().for_each(|task| task.wakes.sort_by_key(|id| (is_join[id.0], *id)));
}

fn add_interrupt(system: &mut System, choices: &mut Choices) {
    let on = choices.one(&system.cores().collect::<Vec<_>>());
    let id = InterruptId(system.interrupts.len());
    let mut vcpus = all(system.supplies.len(), SupplyId);
    vcpus.retain(|id| system.supply(*id).vm.is_some() && system.core_of(*id) == on);
    let vcpu = (!vcpus.is_empty() && choices.flip()).then(|| choices.one(&vcpus));
    let woken = Activation::Interrupt(id);
    let wakes = match vcpu {
        None => {
            let of_host = |system: &System, supply| {
                system.core_of(supply) == on && guest_of(system, supply).is_none()
            };
            wake(system, woken, of_host, choices)
        }
        Some(vcpu) => {
            let inside = |system: &System, supply| chain(system, supply).any(|id| id == vcpu);
            wake(system, woken, inside, choices)
        }
    };
    let min_interarrival = choices.any_duration();
    let by_priority = system.supply(on).interrupt_order != InterruptOrder::FirstCome;
    let delivery = vcpu.map(|vcpu| delivery(system, vcpu, wakes, choices));
    system.interrupts.push(Interrupt {
        name: format!("interrupt.i{}", id.0),
        on,
        isr: choices.any_duration(),
        min_interarrival,
        distances: distances(min_interarrival, choices),
        jitter: choices.or_zero(),
        priority: if by_priority { any_priority(choices) } else { Priority::default() },
        wakes,
        delivery,
        posted: false,
        timer: None,
        raised_by: None,
        storm: choices.flip().then(|| choices.duration(min_interarrival)),
    });
}

fn delivery(
    system: &System,
    vcpu: SupplyId,
    wakes: Option<TaskId>,
    choices: &mut Choices,
) -> Delivery {
    let isr = choices.any_duration();
    let parent = system.supply(vcpu).on().unwrap();
    let by_priority = [Scheduler::FixedPriority, Scheduler::Linux];
    let has_budget = system.supply(vcpu).server().is_some();
    let by_priority = by_priority.contains(&system.supply(parent).scheduler);
    let pays = by_priority && has_budget && choices.flip();
    let woken = wakes.map_or(Duration::ZERO, |task| system.task(task).wcet);
    let credit = isr + system.costs.vm_exit + woken;
    // What is longer than can be stated has no budget that pays for it.
    let pseudo_vcpu = (pays && credit <= Duration::MAX_STATED).then(|| {
        let rest = (Duration::MAX_STATED - credit).as_ns();
        let budget = credit + Duration::from_ns(choices.below(rest + 1));
        let rest = (Duration::MAX_STATED - budget).as_ns();
        let rules = [PseudoVcpuRule::Arrival, PseudoVcpuRule::Deferrable, PseudoVcpuRule::Released];
        PseudoVcpu {
            budget,
            period: budget + Duration::from_ns(choices.below(rest + 1)),
            priority: choices.flip().then(|| any_priority(choices)),
            rule: choices.one(&rules),
        }
    });
    Delivery { vcpu, isr, pseudo_vcpu }
}

fn add_timer(system: &mut System, choices: &mut Choices) {
    if system.tasks.is_empty() {
        return;
    }
    let id = TimerId(system.timers.len());
    let woken = wake(system, Activation::Timer(id), |_, _| true, choices);
    system.timers.push(Timer {
        name: format!("timer.t{}", id.0),
        armed_by: woken.unwrap_or_else(|| choices.one(&all(system.tasks.len(), TaskId))),
        period: choices.any_duration(),
        wakes: woken.is_some(),
    });
}

/// Guests take some of the timers of their tasks.
fn deliver_timers(system: &mut System, choices: &mut Choices) {
    for id in all(system.timers.len(), TimerId) {
        let on = system.task(system.timer(id).armed_by).on;
        if let Some(vcpu) = guest_of(system, on)
            && choices.flip()
        {
            let Timer { armed_by, wakes, .. } = *system.timer(id);
            let Delivery { isr, pseudo_vcpu, .. } =
                delivery(system, vcpu, wakes.then_some(armed_by), choices);
            system.deliver_timer(id, isr, pseudo_vcpu);
        }
    }
}

/// Some interrupts that reach something are taken by another core.
fn reach_over(system: &mut System, choices: &mut Choices) {
    let cores: Vec<SupplyId> = system.cores().collect();
    for id in all(system.interrupts.len(), InterruptId) {
        let interrupt = system.interrupt(id);
        let is_of_card = system.devices.iter().any(|card| card.interrupt == id);
        let reaches = interrupt.delivery.is_some() || interrupt.wakes.is_some();
        if reaches && interrupt.is_external() && !is_of_card && choices.flip() {
            let on = choices.one(&cores);
            let by_priority = system.supply(on).interrupt_order != InterruptOrder::FirstCome;
            let own = &mut system.interrupts[id.0];
            own.priority = if by_priority { any_priority(choices) } else { Priority::default() };
            // What may storm is not covered then, which is said of the system.
            (own.on, own.storm) = (on, None);
        }
    }
    system.add_kicks();
}

/// Some interrupts are posted to their guests, of which a task polls then.
fn post(system: &mut System, choices: &mut Choices) {
    for id in all(system.interrupts.len(), InterruptId) {
        let interrupt = system.interrupt(id);
        let may = interrupt.has_routine() && interrupt.is_external();
        let to = interrupt.delivery.as_ref().filter(|to| may && to.pseudo_vcpu.is_none());
        let Some(vcpu) = to.map(|to| to.vcpu) else { continue };
        if system.supply(vcpu).scheduler != Scheduler::FixedPriority || !choices.flip() {
            continue;
        }
        let own = &mut system.interrupts[id.0];
        (own.posted, own.isr, own.priority) = (true, Duration::ZERO, Priority::default());
        let task = TaskId(system.tasks.len());
        system.tasks.push(Task {
            name: format!("task.t{}", task.0),
            on: vcpu,
            wcet: Task::ENDLESS,
            bcet: Task::ENDLESS,
            min_interarrival: Task::ENDLESS,
            polls: true,
            priority: any_priority(choices),
            ..Task::default()
        });
        system.supplies[vcpu.0].members.push(Member::Task(task));
    }
}

/// A card for an interrupt that wakes a task and belongs to no other card.
fn add_device(system: &mut System, choices: &mut Choices) {
    let mut free = all(system.interrupts.len(), InterruptId);
    free.retain(|id| {
        let taken = system.devices.iter().any(|device| device.interrupt == *id);
        system.interrupt(*id).wakes.is_some() && !taken
    });
    if free.is_empty() {
        return;
    }
    let interrupt = choices.one(&free);
    system.interrupts[interrupt.0].storm = None;
    let poller = system.task(system.interrupt(interrupt).wakes.unwrap()).on;
    let place = (system.core_of(poller), guest_of(system, poller));
    let beside = |system: &System, on| (system.core_of(on), guest_of(system, on)) == place;
    let id = DeviceId(system.devices.len());
    let receiver = wake(system, Activation::Device(id), beside, choices);
    let ring = choices.upto(limits::PACKETS);
    let coalesce_packets = if choices.flip() { choices.upto(u64::from(ring)) } else { 1 };
    let coalesces = coalesce_packets > 1;
    let payload = choices.upto(limits::PACKET_BYTES);
    system.interrupts[interrupt.0].distances = None;
    system.devices.push(Device {
        name: format!("device.d{}", id.0),
        interrupt,
        ring,
        coalesce_packets,
        coalesce_time: if coalesces { choices.or_zero() } else { Duration::ZERO },
        budget: choices.upto(limits::PACKETS),
        per_packet: choices.or_zero(),
        socket: if receiver.is_some() { choices.upto(limits::PACKETS) } else { 0 },
        receiver,
        payload,
        packets: packets(payload, choices),
    });
}

fn packets(payload: u32, choices: &mut Choices) -> Packets {
    let interval = choices.any_duration();
    match choices.below(4) {
        0 => Packets::Periodic { interval },
        1 => Packets::Burst { packets: choices.upto(limits::PACKETS), interval },
        2 => Packets::Poisson { mean: interval },
        _ => {
            let framing = choices.upto(limits::PACKET_BYTES + 1) - 1;
            // A packet takes a nanosecond at least.
            let most = 8_000_000_000 * u64::from(payload + framing);
            let bits_per_second = 1 + choices.below(most.min(limits::BITS_PER_SECOND));
            Packets::LineRate { bits_per_second, framing }
        }
    }
}

/// The deadlines that the tasks state, and some more.
fn add_requirements(system: &mut System, choices: &mut Choices) {
    let own = system.tasks.iter().enumerate().filter_map(|(index, task)| {
        let kind = RequirementKind::Deadline(TaskId(index));
        Some(Requirement {
            name: task.name.clone(),
            kind,
            limit: task.deadline?,
            probability: None,
        })
    });
    system.requirements = own.collect();
    let interrupts =
        all(system.interrupts.len(), |id| RequirementKind::HandledWithin(InterruptId(id)));
    let tasks = all(system.tasks.len(), |id| RequirementKind::Deadline(TaskId(id)));
    let kinds = [interrupts, tasks].concat();
    for number in 0..choices.below(3) {
        if !kinds.is_empty() {
            let name = format!("require.r{number}");
            let (kind, limit) = (choices.one(&kinds), choices.any_duration());
            let per_trillion = 1 + choices.below(1_000_000_000_000);
            let probability = choices.flip().then_some(Probability { per_trillion });
            system.requirements.push(Requirement { name, kind, limit, probability });
        }
    }
}

/// Paths through all tasks from one on, and back to it.
fn add_chains(system: &mut System, choices: &mut Choices) {
    let count = system.tasks.len();
    if count == 0 {
        return;
    }
    for number in 0..choices.below(3) {
        let mut path: Vec<TaskId> = (0..count).map(TaskId).collect();
        path.rotate_left(usize::try_from(number).unwrap() % count);
        path.truncate(choices.upto(count as u64) as usize);
        let (reaction, age) = (choices.any_duration(), choices.any_duration());
        let (has_reaction, has_age) = (choices.flip(), choices.flip());
        system.chains.push(Chain {
            name: format!("chain.c{number}"),
            path,
            reaction: has_reaction.then_some(reaction),
            age: (has_age || !has_reaction).then_some(age),
        });
    }
}
