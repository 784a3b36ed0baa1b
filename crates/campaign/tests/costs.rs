//! The overheads of one virtual processor: calls, switches, a cold cache.
//!
//! **Model.** Small systems of a virtual processor and one or two tasks beside it, each with a period
//! that is little longer than the least in which its budget is guaranteed. So what is charged
//! decides, and the bounds are reached now and then.

use crate::common::Longest;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Simulator};
use vorrang_time::{Duration, Instant};

const SYSTEMS: u32 = 1_500;
const HISTORIES: u32 = 200;

/// Everything of a system but one period, in ns.
struct Drawn {
    before: String,
    after: String,
    /// Where to look for the period.
    around: u64,
}

impl Drawn {
    fn new(random: &mut Random) -> Self {
        let kind = random.one_of(&["sporadic", "deferrable", "periodic", "polling"]);
        let (call, switch) = (random.below(4), random.below(4));
        let stretch = 2 * (call + switch);
        let budget = random.between(2, 7) + stretch / 2;
        let (lost, wcet) = (random.between(1, 3), random.between(1, budget));
        let cache = if random.chance(1, 2) { "cache = \"cache.c\"\n" } else { "" };
        let before = format!(
            "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n\
             [costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\"\n\
             [cache.c]\nmodel = \"flood\"\nuseful = \"0%\"\nsustained = \"{lost}ns\"\n\
             [vcpu.v]\non = \"core.0\"\npriority = 3\nserver = \"{kind}\"\n{cache}\
             scheduler = \"fixed-priority\"\nbudget = \"{budget}ns\"\n"
        );
        let mut beside = Vec::new();
        // Thousandths that are more urgent.
        let mut load = 0;
        for number in 0..random.between(1, 2) {
            let every = 30 + random.log_uniform(1, 200);
            let share = (every * random.between(5, 24) / 100).max(stretch + 1);
            let priority = random.one_of(&[2, 2, 4]);
            load += if priority == 4 { share * 1_000 / every } else { 0 };
            beside.push(format!(
                "[task.t{number}]\non = \"core.0\"\npriority = {priority}\n\
                 wcet = \"{}ns\"\nperiod = \"{every}ns\"\n",
                share - stretch
            ));
        }
        let around = (budget + 2 * stretch) * 1_000 / (1_000 - load) + 14;
        if random.chance(1, 2) {
            let every = random.between(around / 4 + 1, 3 * around);
            beside.push(format!(
                "[task.short]\non = \"vcpu.v\"\npriority = 2\nwcet = \"1ns\"\nperiod = \"{every}ns\"\n"
            ));
        }
        let after = format!(
            "[task.probe]\non = \"vcpu.v\"\npriority = 3\nwcet = \"{wcet}ns\"\nperiod = \"5us\"\n{}",
            beside.concat()
        );
        Self { before, after, around }
    }

    fn with(&self, period: u64) -> System {
        let text = format!("{}period = \"{period}ns\"\n{}", self.before, self.after);
        read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
    }

    /// The least period with a bound, if there is one.
    fn tight(&self) -> Option<u64> {
        let is_bounded = |period: &u64| {
            let system = self.with(*period);
            let probe = system.tasks.iter().position(|task| task.name == "task.probe").unwrap();
            bounds(&system).task(TaskId(probe)).bound().is_some()
        };
        let mut high = (0..5).map(|times| self.around << times).find(is_bounded)?;
        // Longer than any budget, too short for it.
        let mut low = 14;
        while high - low > 1 {
            let middle = u64::midpoint(low, high);
            *(if is_bounded(&middle) { &mut high } else { &mut low }) = middle;
        }
        Some(high)
    }
}

fn history(system: &System, period: u64, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    history.phases[1] = Duration::from_ns(random.below(period));
    for (task, own) in system.tasks.iter().zip(&mut history.tasks) {
        let within = match task.name.as_str() {
            "task.probe" => 2 * period,
            _ => 1 + period / random.one_of(&[1, 4, 16]),
        };
        *own = Arrivals::from(Instant::from_ns(random.below(within)));
    }
    history
}

/// What is under way, the loss at first and at each return of budget: left out, each is exceeded here.
#[test]
fn no_tight_bound_is_exceeded() {
    let mut random = Random::new(3, 0);
    let (mut bounded, mut reached) = (0, 0);
    for _ in 0..SYSTEMS {
        let drawn = Drawn::new(&mut random);
        let Some(least) = drawn.tight() else { continue };
        let period = least + random.one_of(&[0, 0, 1, 5]);
        let system = drawn.with(period);
        let known = bounds(&system);
        let mut longest = Longest::new(&system);
        let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
        for _ in 0..HISTORIES {
            let history = history(&system, period, &mut random);
            let end = Instant::from_ns(5 * period);
            simulator.run(&history, end, &mut longest);
            for (id, seen) in longest.0.iter().enumerate() {
                let bound = known.task(TaskId(id)).bound();
                let name = &system.tasks[id].name;
                assert!(
                    bound.is_none_or(|bound| *seen <= bound),
                    "{name}: {seen} > {bound:?} in {history:?} of {system:#?}"
                );
            }
        }
        bounded += 1;
        let all = longest.0.iter().enumerate();
        reached += all.filter(|(id, seen)| known.task(TaskId(*id)).bound() == Some(**seen)).count();
    }
    assert!(bounded > 1_000 && reached > 50, "{reached} bounds of {bounded} systems are reached");
}
