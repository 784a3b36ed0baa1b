//! The event-driven simulator against the oracle: the same history, the same completions, and the
//! same thing on the core at every instant.

use crate::oracle::{self, Done, Ran};
use vorrang_model::system::{Activation, DeviceId, InterruptId, SupplyId, System, TaskId, TimerId};
use vorrang_sim::{History, Job, Jobs, NotCovered, Observer, Running, Section, Source, simulate};
use vorrang_time::{Duration, Instant};

/// Where the two differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A job that they complete at different instants, or that only one of them completes.
    Job {
        /// Its task or interrupt.
        source: Source,
        /// Its number among the complete jobs.
        number: usize,
        /// Its arrival and when the simulator completes it.
        simulator: Option<Done>,
        /// The same of the oracle.
        oracle: Option<Done>,
    },
    /// The core does something else.
    Core {
        /// From this instant on.
        at: u64,
        /// In the simulator.
        simulator: Ran,
        /// In the oracle.
        oracle: Ran,
    },
}

/// The first job, by declaration, on which the two differ within the horizon; otherwise the first
/// instant.
///
/// # Errors
/// What the simulator does not cover.
pub fn difference(
    system: &System,
    core: SupplyId,
    history: &History,
    horizon: Instant,
) -> Result<Option<Difference>, NotCovered> {
    let mut seen = Seen::new(system, horizon);
    simulate(system, core, history, horizon, &mut seen)?;
    let same = translate(system, core, history, horizon);
    let outcome = oracle::run(system, core, &same, horizon.as_ns());
    let tasks = system.task_ids().map(Source::Task);
    let tasks = tasks.zip(seen.tasks.iter().zip(&outcome.tasks));
    let interrupts = system.interrupt_ids().map(Source::Interrupt);
    let interrupts = interrupts.zip(seen.interrupts.iter().zip(&outcome.interrupts));
    let job = tasks
        .chain(interrupts)
        .find_map(|(source, (simulator, oracle))| first_difference(source, simulator, oracle));
    let ran = seen.ran.iter().zip(&outcome.ran).zip(0..);
    let ran = ran.map(|((&simulator, &oracle), at)| (at, simulator, oracle));
    let core = ran.into_iter().find(|(_, simulator, oracle)| simulator != oracle);
    Ok(job.or(core.map(|(at, simulator, oracle)| Difference::Core { at, simulator, oracle })))
}

fn first_difference(source: Source, simulator: &[Done], oracle: &[Done]) -> Option<Difference> {
    (0..simulator.len().max(oracle.len())).find_map(|number| {
        let (simulator, oracle) = (simulator.get(number).copied(), oracle.get(number).copied());
        (simulator != oracle).then_some(Difference::Job { source, number, simulator, oracle })
    })
}

/// The history in the oracle's terms: its jobs up to the horizon, its phases, its blocker.
pub fn translate(
    system: &System,
    core: SupplyId,
    history: &History,
    horizon: Instant,
) -> oracle::History {
    let here = |supply: SupplyId| system.core_of(supply) == core;
    let list = |jobs: Jobs| -> Vec<oracle::Job> {
        let jobs = jobs.take_while(|job| job.arrival < horizon);
        let job = |job: vorrang_sim::Plan| oracle::Job {
            arrival: job.arrival.as_ns(),
            release: job.release.as_ns(),
            execution: job.execution.as_ns(),
        };
        jobs.map(job).collect()
    };
    // Activated jobs are drawn when they arrive.
    let drawn = |mut jobs: Jobs| -> Vec<oracle::Job> {
        let execution = |_| jobs.draw().1.as_ns();
        let executions = (0..horizon.as_ns()).map(execution);
        let job = |execution| oracle::Job { arrival: 0, release: 0, execution };
        executions.map(job).collect()
    };
    let task = |id: usize| {
        if !here(system.tasks[id].on) {
            return Vec::new();
        }
        let jobs = history.jobs_of_task(system, TaskId(id));
        match system.tasks[id].activation {
            Activation::Sporadic => list(jobs),
            _ => drawn(jobs),
        }
    };
    let interrupt = |id: usize| {
        if !here(system.interrupts[id].on) {
            return Vec::new();
        }
        let jobs = history.jobs_of_interrupt(system, InterruptId(id));
        let mut cards = system.devices.iter();
        let of_card = cards.any(|device| device.interrupt == InterruptId(id));
        if of_card { drawn(jobs) } else { list(jobs) }
    };
    let guest_routines = |id: usize| {
        if system.interrupts[id].delivery.is_none() {
            return Vec::new();
        }
        let routines = drawn(history.guest_routines(system, InterruptId(id)));
        routines.iter().map(|job| job.execution).collect()
    };
    let timer = |id: usize| {
        let jobs = list(history.expiries(system, TimerId(id)));
        jobs.iter().map(|job| job.arrival).collect()
    };
    let packets = |id: usize| {
        let arrivals = history.packets(system, DeviceId(id));
        let arrivals = arrivals.take_while(|at| *at < horizon);
        arrivals.map(Instant::as_ns).collect()
    };
    oracle::History {
        phases: history.phases.iter().map(|phase| Duration::as_ns(*phase)).collect(),
        overruns: system.supply_ids().map(|id| history.overrun(system, id).as_ns()).collect(),
        sections: history.sections_on(system, core).as_ns(),
        tasks: (0..system.tasks.len()).map(task).collect(),
        interrupts: (0..system.interrupts.len()).map(interrupt).collect(),
        pseudo_phases: history.pseudo_vcpu_phases.iter().map(|phase| phase.as_ns()).collect(),
        packets: (0..system.devices.len()).map(packets).collect(),
        timers: (0..system.timers.len()).map(timer).collect(),
        guest_routines: (0..system.interrupts.len()).map(guest_routines).collect(),
        blocker: history.blocker.map(|blocker| (blocker.member, blocker.from.as_ns())),
    }
}

/// The events of the simulator.
struct Seen {
    tasks: Vec<Vec<Done>>,
    interrupts: Vec<Vec<Done>>,
    ran: Vec<Ran>,
}

impl Seen {
    fn new(system: &System, horizon: Instant) -> Self {
        let ticks = usize::try_from(horizon.as_ns()).expect("a short horizon");
        Self {
            tasks: vec![Vec::new(); system.tasks.len()],
            interrupts: vec![Vec::new(); system.interrupts.len()],
            ran: vec![Ran::Idle; ticks],
        }
    }
}

impl Observer for Seen {
    fn completed(&mut self, job: &Job, at: Instant) {
        let list = match job.source {
            Source::Task(id) => &mut self.tasks[id.0],
            Source::Interrupt(id) => &mut self.interrupts[id.0],
        };
        list.push(Done { arrival: job.arrival.as_ns(), at: at.as_ns() });
    }

    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        let place = |at: Instant| usize::try_from(at.as_ns()).expect("a short horizon");
        self.ran[place(from)..place(to)].fill(translate_running(what));
    }
}

fn translate_running(what: Running) -> Ran {
    match what {
        Running::Idle => Ran::Idle,
        Running::Task(id) => Ran::Task(id),
        Running::Interrupt(id) => Ran::Interrupt(id),
        Running::Idling(id) => Ran::Idling(id),
        Running::Blocking(id) => Ran::Blocking(id),
        Running::GuestRoutine(id) => Ran::GuestRoutine(id),
        Running::Kernel(Section::SchedulerCall) => Ran::SchedulerCall,
        Running::Kernel(Section::ContextSwitch) => Ran::ContextSwitch,
        Running::Kernel(Section::Timers) => Ran::Timers,
        Running::Kernel(Section::NonPreemptible) => Ran::NonPreemptible,
    }
}
