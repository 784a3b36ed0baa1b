//! Random processors: what the dispatcher lets run is what the simulator says.

use crate::memory::{Job, Ran};
use crate::simulated::{Case, Raising};
use crate::stated::{BY_DEADLINE, BY_PRIORITY, job, ruled, share};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
use vorrang_model::system::{Scheduler, ServerKind, ServerRule, SupplyKind};
use vorrang_time::{Duration, Instant};

/// So many are drawn.
const CASES: u64 = 5_000;
/// Looks and releases, in microseconds.
const LOOK: u64 = 500;

const SCHEDULERS: [Scheduler; 7] = [
    Scheduler::FixedPriority,
    Scheduler::Edf,
    Scheduler::Slots,
    Scheduler::RoundRobin,
    Scheduler::WeightedRoundRobin,
    Scheduler::Stride,
    Scheduler::Vtrr,
];

pub(crate) struct Draw(ChaCha8Rng);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0.next_u64() % end
    }

    fn server(&mut self, scheduler: Scheduler) -> SupplyKind {
        let kinds = match scheduler {
            Scheduler::FixedPriority => &BY_PRIORITY[..],
            Scheduler::Edf => &BY_DEADLINE[..],
            _ => &[ServerKind::Share],
        };
        let kind = kinds[usize::try_from(self.below(kinds.len() as u64)).expect("few")];
        // Coarse ones end and return at the same instants.
        let unit = [1, 500][usize::from(self.below(2) == 0)];
        let period = 2000 + 250 * self.below(60);
        let budget = (1 + self.below(period / 2)).next_multiple_of(unit);
        let priority = 1 + u32::try_from(self.below(4)).expect("few");
        let weight = 1 + u32::try_from(self.below(6)).expect("few");
        let refills = 2 + u32::try_from(self.below(7)).expect("few");
        let min_budget = (self.below(3) == 0).then(|| Duration::from_us(1 + budget / 5));
        match kind.rule() {
            None => share(weight),
            Some(ServerRule::RefillQueue { .. }) => {
                let rule = ServerRule::RefillQueue { refills, min_budget };
                ruled(rule, [budget, period], priority)
            }
            Some(rule) => ruled(rule, [budget, period], priority),
        }
    }

    fn jobs(&mut self) -> Vec<Job> {
        let (longest, pause) = (1 + self.below(8000), 1 + self.below(20));
        let mut release = self.below(10);
        let mut jobs = Vec::new();
        for _ in 0..self.below(60) {
            jobs.push(job(release * LOOK, 1 + self.below(longest)));
            release += self.below(pause);
        }
        jobs
    }

    /// Slots one after the other, with gaps or without.
    fn slots(&mut self, count: u64) -> Vec<SupplyKind> {
        let lengths: Vec<[u64; 2]> =
            (0..count).map(|_| [self.below(3) * 250, 250 + 250 * self.below(12)]).collect();
        let period = lengths.iter().flatten().sum::<u64>() + 250 * self.below(4);
        let turned = self.below(period / 250) * 250;
        let mut end = turned;
        let slot = |[gap, length]: [u64; 2]| {
            let offset = Duration::from_us((end + gap) % period);
            end += gap + length;
            ruled(ServerRule::Slot { offset }, [length, period], 1)
        };
        lengths.into_iter().map(slot).collect()
    }

    /// At most one in each guest, above everything or between the servers; never beyond its credits.
    fn interrupts(&mut self, servers: &[SupplyKind]) -> Vec<Raising> {
        let mut interrupts = Vec::new();
        for (of, server) in servers.iter().enumerate() {
            if self.below(3) > 0 {
                continue;
            }
            let priority = server.server().map_or(0, |own| own.priority.0);
            let credit = 1 + self.below(400);
            let count = 1 + self.below(4);
            let period = credit * count + LOOK * (1 + self.below(20));
            let apart = period.div_ceil(count) + self.below(2000);
            interrupts.push(Raising {
                of,
                credit: Duration::from_us(credit),
                budget: Duration::from_us(credit * count),
                period: Duration::from_us(period),
                priority: priority + 1 + u32::try_from(self.below(5)).expect("few"),
                first: Instant::from_ns(self.below(20_000) * 1000),
                apart: Duration::from_us(apart),
            });
        }
        interrupts
    }

    /// On fixed-priority cores, between the servers: twice their priorities and one more. Below them are servers by amount, and none
    /// is periodic: in what such a one above them consumes without work, the kernel lets them run, and the simulator nothing.
    fn tasks(&mut self, case: &mut Case) {
        let double = |server: &mut SupplyKind| {
            let SupplyKind::Server(own) = server else { return };
            own.priority.0 *= 2;
        };
        case.servers.iter_mut().for_each(double);
        case.interrupts.iter_mut().for_each(|one| one.priority *= 2);
        let mut priorities: Vec<u32> = (0..=self.below(2))
            .map(|_| 1 + 2 * u32::try_from(self.below(8)).expect("few"))
            .collect();
        priorities.sort_unstable_by(|one, other| other.cmp(one));
        priorities.dedup();
        for server in &mut case.servers {
            let SupplyKind::Server(own) = server else { continue };
            let by_amount = matches!(own.rule, ServerRule::Deferrable | ServerRule::Polling);
            let is_below = priorities.iter().any(|&task| task > own.priority.0);
            if is_below && !by_amount || own.rule == ServerRule::Periodic {
                own.rule = ServerRule::Deferrable;
            }
        }
        case.tasks = priorities.into_iter().map(|priority| (priority, self.apart())).collect();
    }

    /// Jobs at any instants.
    fn apart(&mut self) -> Vec<Job> {
        let mut release = self.below(5_000);
        let mut jobs = Vec::new();
        for _ in 0..self.below(80) {
            let execution = 1 + self.below(1500);
            jobs.push(job(release, execution));
            release += execution + self.below(4_000);
        }
        jobs
    }

    pub(crate) fn case(&mut self) -> Case {
        let scheduler = SCHEDULERS[usize::try_from(self.below(7)).expect("few")];
        let count = 1 + self.below(5);
        let servers = match scheduler {
            Scheduler::Slots => self.slots(count),
            _ => (0..count).map(|_| self.server(scheduler)).collect(),
        };
        let mut jobs: Vec<Vec<Job>> = (0..count).map(|_| self.jobs()).collect();
        let rest = scheduler.takes_turns() && self.below(2) == 0;
        if rest {
            // Those that nothing is lent to always have something to do.
            jobs.pop();
            jobs.push(vec![job(0, 1_000_000)]);
        }
        // A routine of the core stops a server there, which is an event for a queue of refills; not here.
        let is_queue = |server: &SupplyKind| server.word() == Some(ServerKind::RefillQueue);
        let has_queue = servers.iter().any(is_queue);
        let interrupts = match scheduler {
            Scheduler::FixedPriority if !has_queue => self.interrupts(&servers),
            _ => Vec::new(),
        };
        let mut case = Case {
            scheduler,
            interrupts,
            tasks: Vec::new(),
            quantum: Duration::from_us(500 * (1 + self.below(10)) + self.below(2) * 77),
            servers,
            jobs,
            rest,
            look: Duration::from_us(LOOK),
            horizon: Instant::from_ns(150_000_000),
        };
        if scheduler == Scheduler::FixedPriority && self.below(2) == 0 {
            self.tasks(&mut case);
        }
        case
    }
}

/// Routines of the core take a nanosecond each. Where there are some, the same instants are as near as this:
/// the dispatcher does not see them, charges an idling server for them, and counts a request from their end.
const ROUTINES: Duration = Duration::from_us(1);

/// The first stretch that differs, if any does; short ones may be missing, where there is a tolerance.
fn difference(ours: &[Ran], simulated: &[Ran], tolerance: Duration) -> Option<usize> {
    let near = |one: Instant, other: Instant| one.max(other) - one.min(other) <= tolerance;
    let is_short = |(_, from, to): &Ran| *to - *from <= tolerance * 2;
    let is_same =
        |one: &Ran, other: &Ran| one.0 == other.0 && near(one.1, other.1) && near(one.2, other.2);
    let (mut own, mut other) = (0, 0);
    loop {
        match (ours.get(own), simulated.get(other)) {
            (None, None) => return None,
            (Some(one), Some(simulated)) if is_same(one, simulated) => {
                (own, other) = (own + 1, other + 1);
            }
            (Some(one), _) if is_short(one) => own += 1,
            (_, Some(simulated)) if is_short(simulated) => other += 1,
            _ => return Some(own),
        }
    }
}

#[test]
fn random_processors_run_as_they_are_simulated() {
    let (mut stretches, mut with_interrupts, mut with_tasks) = (0, 0, 0);
    for seed in 0..CASES {
        let case = Draw::new(seed).case();
        let (ours, simulated) = (case.dispatched(), case.simulated());
        stretches += ours.len();
        with_interrupts += u32::from(!case.interrupts.is_empty());
        with_tasks += u32::from(!case.tasks.is_empty());
        let tolerance = if case.interrupts.is_empty() { Duration::ZERO } else { ROUTINES };
        let differs = difference(&ours, &simulated, tolerance);
        assert!(
            differs.is_none(),
            "seed {seed}: {case:?}\nfrom stretch {differs:?} on\n{:?}\n{:?}",
            &ours[differs.unwrap_or(0)..],
            &simulated[differs.unwrap_or(0)..]
        );
    }
    assert!(stretches > 40 * usize::try_from(CASES).expect("few"), "{stretches}: they run");
    assert!(with_interrupts > 200, "{with_interrupts} have some");
    assert!(with_tasks > 200, "{with_tasks} have some on the core itself");
}
