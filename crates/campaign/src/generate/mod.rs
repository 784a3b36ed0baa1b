//! Random systems over everything that is covered.
//!
//! **Model.** A seed and an index decide a system, so any system of a campaign can be drawn again
//! alone. The size ([`Scale`]) and the load ([`Load`]) are drawn first; then the tree of supplies
//! is filled from the core down, each supply cutting what it has among its members.
//!
//! **Assumptions.**
//! 1. Only what the description allows: sporadic servers on fixed priority, CBS on EDF, slots on
//!    a core with slots, no best-effort tasks under EDF.
//! 2. Every system is small (at most a dozen tasks): disagreements need few tasks, and many
//!    small systems visit more corners than few large ones.
//!
//! **Manner.** More than half of the systems keep to what the analysis covers, so that bounds are attacked;
//! the others ([`Manner`]) draws from everything there is, for the simulator.
//!
//! **Does not cover** machine profiles.

mod burst;
mod cache;
mod chain;
mod core;
mod cost;
mod delivery;
mod device;
mod fork;
mod interrupt;
mod kept;
mod manner;
mod offset;
mod paid;
mod polls;
mod priority;
mod scale;
mod server;
mod task;
mod timer;
mod wake;

pub use fork::come_after;
pub(crate) use fork::order_wakes;
pub use manner::Manner;
pub use scale::{Load, Scale};

use crate::random::Random;
use crate::requirements::state_requirements;
use vorrang_model::system::{
    Member, Scheduler, Supply, SupplyId, SupplyKind, System, Task, TaskId,
};

/// Servers stand at most this deep below a core.
pub const DEEPEST: usize = 3;

/// How many of ten members of a supply at this depth are servers.
const SERVERS_IN_TEN: [u64; DEEPEST] = [5, 3, 2];

/// Tasks in one system: enough for a busy window with several levels, few enough for speed.
const MOST_TASKS: usize = 10;

/// The system with this index.
pub fn system(seed: u64, index: u64) -> System {
    drawn(seed, index, TWO_CORES, Manner::draw).system
}

/// The system with this index among those that have a shield on every core.
pub fn shielded_system(seed: u64, index: u64) -> System {
    drawn(seed, index, TWO_CORES, |_| Manner::Shielded).system
}

/// The same system with arrivals in bursts.
pub fn in_bursts(seed: u64, index: u64, mut system: System) -> System {
    burst::bursts(seed, index, &mut system);
    system
}

/// The same system with arrivals some of which are bunched, as distances of a few later ones say.
pub fn with_distances(seed: u64, index: u64, mut system: System) -> System {
    burst::later(seed, index, &mut system);
    system
}

/// The same system with tasks that are not preempted.
pub fn with_kept(seed: u64, index: u64, mut system: System) -> System {
    kept::keep(seed, index, &mut system);
    system
}

/// The same system with tasks that tasks wake, and that wait for several.
pub fn with_forks(seed: u64, index: u64, mut system: System) -> System {
    fork::fork(seed, index, &mut system);
    state_requirements(&mut system);
    system
}

/// The same system with tasks that arrive by the clock.
pub fn with_offsets(seed: u64, index: u64, mut system: System) -> System {
    offset::offsets(seed, index, &mut system);
    state_requirements(&mut system);
    system
}

/// The same system with timers of guests that pseudo-VCPUs pay for.
pub fn with_paid_timers(seed: u64, index: u64, mut system: System) -> System {
    paid::pay(seed, index, &mut system);
    state_requirements(&mut system);
    system
}

/// The same system with threads that poll for ever.
pub fn with_polls(seed: u64, index: u64, mut system: System) -> System {
    polls::poll(seed, index, &mut system);
    state_requirements(&mut system);
    system
}

/// The system with this index among those that have chains, mostly over two cores.
pub fn chained_system(seed: u64, index: u64) -> System {
    let mut draft = drawn(seed, index, (3, 4), Manner::draw);
    draft.chains();
    draft.system
}

/// One in so many systems has two cores.
const TWO_CORES: (u64, u64) = (1, 16);

fn drawn(
    seed: u64,
    index: u64,
    (two, of): (u64, u64),
    manner: impl FnOnce(&mut Random) -> Manner,
) -> Draft {
    let mut random = Random::new(seed, index);
    let scale = Scale::draw(&mut random);
    let cores = if random.chance(two, of) { 2 } else { 1 };
    let manner = manner(&mut random);
    let mut draft = Draft { random, scale, manner, system: System::default() };
    for number in 0..cores {
        draft.core(number);
    }
    draft.timers_of_guests();
    draft.costs();
    draft.caches();
    draft.interrupt_times();
    draft.fair_servers();
    draft.overruns();
    draft.sections();
    draft.slices();
    draft.throttling();
    state_requirements(&mut draft.system);
    draft
}

/// A system in the making.
struct Draft {
    random: Random,
    scale: Scale,
    manner: Manner,
    system: System,
}

impl Draft {
    fn add_supply(&mut self, name: String, kind: SupplyKind, scheduler: Scheduler) -> SupplyId {
        let id = SupplyId(self.system.supplies.len());
        if let Some(on) = kind.on() {
            self.system.supplies[on.0].members.push(Member::Server(id));
        }
        let quantum = self.quantum(scheduler);
        self.system.supplies.push(Supply {
            name,
            kind,
            scheduler,
            members: Vec::new(),
            quantum,
            ..Supply::default()
        });
        id
    }

    fn add_task(&mut self, task: Task) {
        let id = TaskId(self.system.tasks.len());
        self.system.supplies[task.on.0].members.push(Member::Task(id));
        self.system.tasks.push(task);
    }

    /// Cuts `share` of the core's time among new members of a supply.
    fn fill(&mut self, supply: SupplyId, depth: usize, share: u64) {
        let left = MOST_TASKS.saturating_sub(self.system.tasks.len()).max(1);
        let wanted = self.scale.draw_members(&mut self.random, depth).min(left);
        for share in self.random.shares(share, wanted) {
            if depth < DEEPEST
                && self.random.chance(self.manner.servers_in_ten(SERVERS_IN_TEN[depth]), 10)
            {
                self.server(supply, depth, share);
            } else {
                self.task(supply, share);
            }
        }
        self.order(supply);
    }
}
