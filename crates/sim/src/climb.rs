//! Hill climbing from the worst history seen: one phase or offset is changed at a time.

use crate::account::{Account, HistoryKind};
use crate::history::History;
use crate::job::Source;
use crate::observations::Observations;
use crate::observer::Observer;
use crate::packets;
use crate::pattern::{Pattern, pseudo_vcpu_period};
use crate::random::Random;
use crate::trial::Trial;
use vorrang_model::system::{
    Activation, DeviceId, InterruptId, Member, SupplyId, System, TaskId, TimerId,
};
use vorrang_time::{Duration, Instant};

/// The random streams of the climbs follow those of the entities of a history.
const STREAMS: u64 = 1 << 63;

/// Those of interrupts behind those of tasks.
const INTERRUPTS: u64 = 1 << 62;

/// A step is simulated until this many longest responses after the job that had it: its effect is visible
/// there or not at all.
const ROOM: u64 = 4;

/// One thing that a step may change.
#[derive(Clone, Copy, Debug)]
enum Knob {
    Server(SupplyId),
    Task(TaskId),
    Interrupt(InterruptId),
    PseudoVcpu(InterruptId),
    Timer(TimerId),
    Device(DeviceId),
}

/// The steps of a climb.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    /// The seed of the changes.
    pub(crate) seed: u64,
    /// The number of steps.
    pub(crate) wanted: u32,
}

/// Climbs from the worst history seen for a task or interrupt; the result is an explicit pattern.
pub(crate) fn climb(
    trial: &mut Trial<'_, '_, impl Observer>,
    source: Source,
    steps: Steps,
    observations: &mut Observations,
    account: &mut Account,
) {
    let wanted = u64::from(steps.wanted);
    let share = account.share(HistoryKind::Climb, wanted);
    trial.simulator.allow(share);
    let (taken, cut_short) = climb_within(trial, source, steps, observations);
    account.pay(share - trial.simulator.steps_left());
    account.note(HistoryKind::Climb, wanted, wanted - taken, cut_short);
    *observations.runs.entry(trial.simulator.core()).or_default() += taken;
}

/// How many steps there were, and how many of their histories ended early.
fn climb_within(
    trial: &mut Trial<'_, '_, impl Observer>,
    source: Source,
    steps: Steps,
    observations: &mut Observations,
) -> (u64, u64) {
    let wanted = u64::from(steps.wanted);
    if trial.simulator.steps_left() == 0 {
        return (0, 0);
    }
    let (system, core) = (trial.simulator.system(), trial.simulator.core());
    let knobs: Vec<Knob> =
        trial.simulator.cores().iter().flat_map(|&core| knobs(system, core)).collect();
    let (worst, stream) = match source {
        Source::Task(id) => (&observations.tasks[id.0], id.0 as u64),
        Source::Interrupt(id) => (&observations.interrupts[id.0], INTERRUPTS + id.0 as u64),
    };
    let Some(worst) = worst else { return (wanted, 0) };
    let length = worst.arrival - Instant::ZERO + worst.response * ROOM;
    let mut history = worst.pattern.form().history(trial.simulator);
    let length = length.min(trial.length(&history));
    if trial.simulator.steps_left() == 0 {
        return (0, 0);
    }
    trial.observe(&history, length);
    let mut response = trial.recorder.longest(source);
    if knobs.is_empty() {
        return (wanted, 0);
    }
    let able = system.interrupt_ids();
    let able: Vec<_> = able.filter(|&id| system.interrupt(id).storm.is_some()).collect();
    let mut random = Random::new(steps.seed, STREAMS + stream);
    let mut cut_short = 0;
    for step in 0..wanted {
        if trial.simulator.steps_left() == 0 {
            return (step, cut_short);
        }
        let changed = near(&history, system, &knobs, &able, &mut random);
        if !changed.counting().counts(system, source) {
            continue;
        }
        // A storm takes more steps in the same time.
        let length = length.min(trial.length(&changed));
        let end = trial.observe(&changed, length);
        cut_short += u64::from(end.is_early());
        let reached = trial.recorder.longest(source);
        let counting = changed.counting();
        let counts = |source| counting.counts(system, source);
        let pattern = || Pattern::explicit(system, core, &changed);
        observations.merge(&trial.recorder, counts, pattern);
        if reached >= response {
            (response, history) = (reached, changed);
        }
    }
    (wanted, cut_short)
}

/// A history that differs a little from one.
fn near(
    history: &History,
    system: &System,
    knobs: &[Knob],
    able: &[InterruptId],
    random: &mut Random,
) -> History {
    let mut changed = history.clone();
    turn(system, &mut changed, knobs, random);
    if random.once_in(3) {
        turn(system, &mut changed, knobs, random);
    }
    // Other interrupts may be in a storm.
    if !able.is_empty() && random.once_in(4) {
        for &id in able {
            changed.storms[id.0] = random.once_in(2);
        }
    }
    changed
}

/// What may be changed on a core.
fn knobs(system: &System, core: SupplyId) -> Vec<Knob> {
    let servers = system
        .supplies_within(core)
        .into_iter()
        .filter(|&id| {
            let supply = system.supply(id);
            supply.server().is_some() || supply.rt_throttling.limit().is_some()
        })
        .map(Knob::Server);
    let tasks = system
        .task_ids()
        .filter(|&id| system.core_of(system.task(id).on) == core)
        .filter(|&id| system.task(id).activation == Activation::Sporadic)
        .filter(|&id| !system.task(id).polls && system.task(id).offset.is_none())
        .map(Knob::Task);
    let is_external = |&id: &InterruptId| system.interrupt(id).is_external();
    let interrupts = system.requests_on(core).filter(is_external).map(Knob::Interrupt);
    let has_pseudo_vcpu = |&id: &InterruptId| pseudo_vcpu_period(system, id).is_some();
    let pseudo_vcpus = system.interrupts_of(core).filter(has_pseudo_vcpu).map(Knob::PseudoVcpu);
    let timers = system.timers_on(core).map(Knob::Timer);
    let devices = system.devices_on(core).map(Knob::Device);
    servers
        .chain(tasks)
        .chain(interrupts)
        .chain(pseudo_vcpus)
        .chain(timers)
        .chain(devices)
        .collect()
}

/// Changes one thing of a history.
fn turn(system: &System, history: &mut History, knobs: &[Knob], random: &mut Random) {
    let pick = |random: &mut Random| {
        let last = knobs.len() as u64 - 1;
        knobs[usize::try_from(random.uniform(0, last)).expect("an index")]
    };
    let knob = pick(random);
    let period = period(system, knob);
    let now = position(history, knob);
    let to = match random.uniform(0, 3) {
        // Together with something else.
        0 => position(history, pick(random)),
        // Nearby.
        1 => now + step(random, period),
        2 => {
            let back = step(random, period);
            if back <= now { now - back } else { now + period - back }
        }
        _ => random.below(period),
    };
    set(system, history, knob, to);
}

/// A part of the period, small ones as likely as large ones.
fn step(random: &mut Random, period: Duration) -> Duration {
    let halvings = random.uniform(1, 16);
    random.up_to(Duration::from_ns(period.as_ns() >> halvings))
}

fn period(system: &System, knob: Knob) -> Duration {
    match knob {
        Knob::Server(id) => match system.supply(id).server() {
            Some(server) => server.period,
            None => system.supply(id).rt_throttling.limit().expect("a core that throttles").period,
        },
        Knob::Task(id) => system.task(id).cycle().1,
        Knob::Interrupt(id) => system.interrupt(id).cycle().1,
        Knob::PseudoVcpu(id) => pseudo_vcpu_period(system, id).expect("it has one"),
        Knob::Timer(id) => system.timer(id).period,
        Knob::Device(id) => packets::period(system.device(id)),
    }
}

/// Where a thing begins.
fn position(history: &History, knob: Knob) -> Duration {
    let first = match knob {
        Knob::Server(id) => return history.phases[id.0],
        Knob::Task(id) => history.tasks[id.0].first,
        Knob::Interrupt(id) => history.interrupts[id.0].first,
        Knob::PseudoVcpu(id) => return history.pseudo_vcpu_phases[id.0],
        Knob::Timer(id) => history.timers[id.0].first,
        Knob::Device(id) => history.devices[id.0],
    };
    first.map_or(Duration::ZERO, |first| first - Instant::ZERO)
}

fn set(system: &System, history: &mut History, knob: Knob, to: Duration) {
    let to = Instant::ZERO + to;
    // Sections still begin with what releases the first job.
    if let Some(blocker) = &mut history.blocker
        && let Member::Task(task) = blocker.member
        && releases(system, knob, task)
    {
        blocker.from = to;
    }
    match knob {
        Knob::Server(id) => {
            history.phases[id.0] = (to - Instant::ZERO).modulo(period(system, knob));
        }
        Knob::Interrupt(id) => history.interrupts[id.0].first = Some(to),
        Knob::PseudoVcpu(id) => {
            let phase = (to - Instant::ZERO).modulo(period(system, knob));
            history.pseudo_vcpu_phases[id.0] = phase;
        }
        Knob::Timer(id) => history.timers[id.0].first = Some(to),
        Knob::Device(id) => history.devices[id.0] = Some(to),
        Knob::Task(id) => history.tasks[id.0].first = Some(to),
    }
}

/// Whether that is what releases the jobs of the task.
fn releases(system: &System, knob: Knob, task: TaskId) -> bool {
    match (system.task(task).activation, knob) {
        (Activation::Sporadic, Knob::Task(id)) => id == task,
        (Activation::Interrupt(by), Knob::Interrupt(id)) => id == system.origin_of(by),
        (Activation::Interrupt(by), Knob::Timer(id)) => system.interrupt(by).timer == Some(id),
        (Activation::Timer(by), Knob::Timer(id)) => id == by,
        (Activation::Device(by), Knob::Device(id)) => id == by,
        (Activation::Task(_) | Activation::Join, knob) => {
            releases(system, knob, system.root_of(task))
        }
        _ => false,
    }
}
