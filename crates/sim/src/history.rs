//! A history: everything that a description leaves open, fixed.
//!
//! A description bounds what may happen (least inter-arrival times, jitter, execution times); a
//! [`History`] says what does happen. Together with a system, a core and a horizon it determines a run
//! completely, so that it can be replayed.

use crate::choice::{Arrivals, Delay, Execution, Spacing};
use crate::counting::Counting;
use crate::jobs::{Jobs, ScriptedJob};
use crate::packet_times::PacketTimes;
use vorrang_model::system::{
    Activation, DeviceId, Distances, InterruptId, Member, Server, ServerKind, SupplyId, System,
    TaskId, TimerId,
};
use vorrang_time::{Duration, Instant};

/// The first random stream of guests' routines; those of tasks and interrupts alternate from zero on.
const GUEST_ROUTINES: u64 = 1 << 32;

/// The first random stream of devices.
const DEVICES: u64 = 3 << 32;

/// The first random stream of timers.
const TIMERS: u64 = 2 << 32;

/// Everything that a description leaves open about one history of one core, and of those that paths connect to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// What random spacings, delays and execution times are drawn from.
    pub seed: u64,
    /// First replenishment of each server, by [`SupplyId`], below its period; of a core that throttles real-time
    /// threads: the first expiry of the timer of that. Other cores, slots and constant-bandwidth and sporadic
    /// servers have no phase: theirs is ignored.
    pub phases: Vec<Duration>,
    /// By [`SupplyId`]: by how much runtimes of a `SCHED_DEADLINE` server end late, limited to the `overrun`
    /// of its core; of a core: by how much throttling begins late.
    pub overruns: Vec<Duration>,
    /// The length of the non-preemptible section that is in progress whenever something becomes ready on the
    /// idle core, limited to the `sections` of the core.
    pub sections: Duration,
    /// By [`TaskId`].
    pub tasks: Vec<Arrivals>,
    /// By [`TaskId`]: all its jobs one by one; empty: as its arrivals say. A script may violate the
    /// description, so an observation of it refutes nothing by itself.
    pub scripts: Vec<Vec<ScriptedJob>>,
    /// By [`InterruptId`].
    pub interrupts: Vec<Arrivals>,
    /// By [`InterruptId`]: whether it is in a storm and arrives as often as its `storm` allows.
    pub storms: Vec<bool>,
    /// By [`InterruptId`]: the phase of its pseudo-VCPU, for the rules that have one.
    pub pseudo_vcpu_phases: Vec<Duration>,
    /// By [`TimerId`](vorrang_model::system::TimerId): when it expires; its delay is ignored.
    pub timers: Vec<Arrivals>,
    /// By [`DeviceId`](vorrang_model::system::DeviceId): the first packet; `None`: never.
    pub devices: Vec<Option<Instant>>,
    /// How long jobs and service routines execute.
    pub execution: Execution,
    /// The sections of less urgent work in this history.
    pub blocker: Option<Blocker>,
}

/// Less urgent work that blocks a member (see "blocking" in `docs/model.md`).
///
/// In every busy window of its level, a section precedes the first job of the task that is released
/// at that instant or later, or the server that becomes ready. Then only observations of that task, of an
/// interrupt that it handles, and of what is in the server are valid, with the exceptions of [`Counting`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocker {
    /// The member that is blocked.
    pub member: Member,
    /// The first instant at which a section may appear.
    pub from: Instant,
}

impl History {
    /// The history in which nothing arrives, every server has phase zero and all execution is
    /// full: the one to start from.
    pub fn quiet(system: &System) -> Self {
        Self {
            seed: 0,
            phases: vec![Duration::ZERO; system.supplies.len()],
            overruns: vec![Duration::ZERO; system.supplies.len()],
            sections: Duration::ZERO,
            tasks: vec![Arrivals::NEVER; system.tasks.len()],
            scripts: vec![Vec::new(); system.tasks.len()],
            interrupts: vec![Arrivals::NEVER; system.interrupts.len()],
            storms: vec![false; system.interrupts.len()],
            pseudo_vcpu_phases: vec![Duration::ZERO; system.interrupts.len()],
            timers: vec![Arrivals::NEVER; system.timers.len()],
            devices: vec![None; system.devices.len()],
            execution: Execution::Full,
            blocker: None,
        }
    }

    /// The jobs of a task in this history, in order; none arrives before its supply is started,
    /// and none by itself if something activates it.
    pub fn jobs_of_task(&self, system: &System, id: TaskId) -> Jobs {
        if system.task(id).polls {
            let from = self.started_after(system, id);
            return Jobs::scripted(&[ScriptedJob::endless(from)]);
        }
        if !self.scripts[id.0].is_empty() {
            return Jobs::scripted(&self.scripts[id.0]);
        }
        let task = system.task(id);
        let limits = (task.min_interarrival, task.jitter, task.wcet);
        let started = self.started_after(system, id);
        let mut arrivals = self.tasks[id.0];
        arrivals.first = match (task.activation, task.first_from(started)) {
            (Activation::Sporadic, None) => arrivals.first.map(|first| first.max(started)),
            (Activation::Sporadic, known) => known,
            _ => None,
        };
        arrivals.spacing = within(
            arrivals.spacing,
            widest(task.min_interarrival, task.distances.as_ref()),
            task.latest_interarrival,
        );
        let jobs = Jobs::new(arrivals, limits, self.execution, (self.seed, 2 * id.0 as u64));
        jobs.spaced(task.distances.as_ref()).at_least(task.bcet).distributed(&task.execution)
    }

    /// When a task arrives first, unless something activates it, or its supply is started later.
    pub(crate) fn first_of(&self, system: &System, id: TaskId) -> Option<Instant> {
        let known = system.task(id).first_from(Instant::ZERO);
        known.or(self.tasks[id.0].first)
    }

    /// The service routines of an interrupt in this history, in order; none arrives before the
    /// guest that it is delivered to and the supply of the task that it wakes are started.
    pub fn jobs_of_interrupt(&self, system: &System, id: InterruptId) -> Jobs {
        let interrupt = system.interrupt(id);
        let limits = (self.distance(system, id), interrupt.jitter, interrupt.isr);
        let reaching = system.interrupt(system.kick_of(id).unwrap_or(id));
        let guest = reaching.delivery.as_ref().map(|delivery| delivery.vcpu);
        let woken = reaching.wakes.map(|task| self.started_after(system, task));
        let started = self.all_started(system, guest.into_iter());
        let started = started.max(woken.unwrap_or(started));
        let mut arrivals = self.interrupts[id.0];
        arrivals.first = arrivals.first.map(|first| first.max(started));
        let latest = reaching.wakes.and_then(|task| system.task(task).latest_interarrival);
        let distances = interrupt.distances.as_ref().filter(|_| !self.is_in_storm(system, id));
        arrivals.spacing = within(arrivals.spacing, widest(limits.0, distances), latest);
        let stream = (self.seed, 2 * id.0 as u64 + 1);
        Jobs::new(arrivals, limits, self.execution, stream).spaced(distances)
    }

    /// When a timer expires in this history; one that wakes a task, or is delivered to a guest, not before
    /// the supply of that is started.
    pub fn expiries(&self, system: &System, id: TimerId) -> Jobs {
        let timer = system.timer(id);
        let mut arrivals = Arrivals { delay: Delay::None, ..self.timers[id.0] };
        let delivered = system.delivered_by(id);
        if timer.wakes || delivered.is_some() {
            let started = self.started_after(system, timer.armed_by);
            arrivals.first = arrivals.first.map(|first| first.max(started));
        }
        // Of a guest's timer the routine there wakes.
        if timer.wakes || delivered.is_some_and(|id| system.interrupt(id).wakes.is_some()) {
            let latest = system.task(timer.armed_by).latest_interarrival;
            arrivals.spacing = within(arrivals.spacing, timer.period, latest);
        }
        let limits = (timer.period, Duration::ZERO, Duration::RESOLUTION);
        Jobs::new(arrivals, limits, Execution::Full, (self.seed, TIMERS + id.0 as u64))
    }

    /// Whether an interrupt arrives as often as its `storm` allows.
    fn is_in_storm(&self, system: &System, id: InterruptId) -> bool {
        self.storms[id.0] && system.interrupt(id).storm.is_some()
    }

    /// The least time between two arrivals of an interrupt, in a storm if it is in one.
    pub fn distance(&self, system: &System, id: InterruptId) -> Duration {
        let interrupt = system.interrupt(id);
        let storm = interrupt.storm.filter(|_| self.storms[id.0]);
        storm.unwrap_or(interrupt.min_interarrival)
    }

    /// The same in the long run.
    pub(crate) fn mean_distance(&self, system: &System, id: InterruptId) -> Duration {
        if self.is_in_storm(system, id) {
            self.distance(system, id)
        } else {
            system.interrupt(id).mean_distance()
        }
    }

    /// When the packets of a device arrive in this history; none does before the supplies of the
    /// tasks that poll and receive it are started.
    pub fn packets(&self, system: &System, id: DeviceId) -> PacketTimes {
        let device = system.device(id);
        let tasks = system.interrupt(device.interrupt).wakes.into_iter().chain(device.receiver);
        let started = self.all_started(system, tasks.map(|task| system.task(task).on));
        let first = self.devices[id.0].map(|first| first.max(started));
        PacketTimes::new(device, first, (self.seed, DEVICES + id.0 as u64))
    }

    /// How long the routines of the guest execute that an interrupt is delivered to; none arrives
    /// by itself.
    pub fn guest_routines(&self, system: &System, id: InterruptId) -> Jobs {
        let delivery = system.interrupt(id).delivery.as_ref();
        let longest = delivery.map_or(Duration::ZERO, |delivery| delivery.isr);
        let limits = (Duration::ZERO, Duration::ZERO, longest);
        let stream = (self.seed, GUEST_ROUTINES + id.0 as u64);
        Jobs::new(Arrivals::NEVER, limits, self.execution, stream)
    }

    /// When a supply is started: a periodic server with the first of its periods that begins when
    /// its parent supply is started, everything else with its parent supply.
    pub fn start(&self, system: &System, supply: SupplyId) -> Instant {
        let Some(on) = system.supply(supply).on() else { return Instant::ZERO };
        let parent = self.start(system, on);
        let is_periodic = |server: &&Server| server.kind() == ServerKind::Periodic;
        let Some(server) = system.supply(supply).server().filter(is_periodic) else {
            return parent;
        };
        let first = Instant::ZERO + self.phase(supply).modulo(server.period);
        first + server.period * parent.saturating_since(first).div_ceil(server.period)
    }

    /// When the supplies of a task, and of all that its jobs wake, are started.
    fn started_after(&self, system: &System, id: TaskId) -> Instant {
        let followers = system.followers(id);
        self.all_started(system, followers.into_iter().map(|id| system.task(id).on))
    }

    fn all_started(&self, system: &System, supplies: impl Iterator<Item = SupplyId>) -> Instant {
        supplies.map(|supply| self.start(system, supply)).max().unwrap_or(Instant::ZERO)
    }

    /// Which observations of it are valid.
    pub fn counting(&self) -> Counting {
        let storms = self.storms.iter().enumerate().filter(|(_, storm)| **storm);
        Counting {
            blocked: self.blocker.map(|blocker| blocker.member),
            storms: storms.map(|(id, _)| InterruptId(id)).collect(),
        }
    }

    /// The overrun of a server's runtimes, or of throttling of a core.
    pub fn overrun(&self, system: &System, id: SupplyId) -> Duration {
        self.overruns[id.0].min(longest_overrun(system, id))
    }

    /// The sections of the kernel of a core.
    pub fn sections_on(&self, system: &System, core: SupplyId) -> Duration {
        self.sections.min(system.supply(core).sections)
    }

    /// The same with the longest overruns and the longest sections.
    pub(crate) fn with_worst_kernel(mut self, system: &System, cores: &[SupplyId]) -> Self {
        self.sections = longest_sections(system, cores);
        for (id, own) in self.overruns.iter_mut().enumerate() {
            *own = longest_overrun(system, SupplyId(id));
        }
        self
    }

    /// The phase of a server.
    pub fn phase(&self, id: SupplyId) -> Duration {
        self.phases[id.0]
    }
}

/// The longest that an arrival has to wait for those before it.
fn widest(least: Duration, distances: Option<&Distances>) -> Duration {
    distances.map_or(least, Distances::widest)
}

/// The spacing, such that two arrivals are at most so far apart, if that is known.
fn within(spacing: Spacing, least: Duration, latest: Option<Duration>) -> Spacing {
    match (spacing, latest) {
        (Spacing::Random { up_to }, Some(latest)) => {
            Spacing::Random { up_to: up_to.min(latest.saturating_sub(least)) }
        }
        _ => spacing,
    }
}

/// The longest sections of the kernels of some cores.
pub(crate) fn longest_sections(system: &System, cores: &[SupplyId]) -> Duration {
    cores.iter().map(|&core| system.supply(core).sections).max().unwrap_or_default()
}

/// The longest overrun of a server's runtimes, or of throttling of a core.
pub(crate) fn longest_overrun(system: &System, id: SupplyId) -> Duration {
    let supply = system.supply(id);
    if supply.is_core() {
        return supply.rt_throttling.limit().map_or(Duration::ZERO, |limit| limit.late);
    }
    match supply.server() {
        // Of a server that reclaims nothing is bounded if its runtimes may end, late or not.
        Some(server) if server.kind().is_of_linux() && !server.reclaims() => {
            system.supply(server.on).overrun
        }
        _ => Duration::ZERO,
    }
}
