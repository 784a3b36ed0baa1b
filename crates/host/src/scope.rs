//! The part of a description that this program runs, and what is refused, by name.
//!
//! **Model.** Cores, each by fixed priority, EDF, in slots or by turns; on them servers of the kinds of
//! [`rule`](crate::rule), and [`tasks`](crate::tasks), one thread each, except for the server that stands for all other threads where
//! servers take turns ([`taking_turns`](crate::taking_turns)). The work inside a server is done by its thread:
//! a guest, or a program. Interrupts of guests with a `vector` are seen ([`guests`](crate::guests)). Every match here names all kinds, so that a new one must be classified.
//! Wake-ups that are noticed late: docs/theory/noticed-wake-ups.md.

use crate::guests::{self, Seen};
use crate::late;
use crate::levels::Levels;
use crate::linux::MOST;
use crate::processor::{Order, Processor};
pub use crate::reserved::{Reserved, Unfit};
use crate::reserved::{SHORTEST_PERIOD, is_run};
use crate::rule::{self, WakeUps};
use crate::taking_turns;
use crate::tasks::{self, OnCore};
use crate::threads;
use vorrang_mechanisms::scheduler::turns::AnyTurns;
use vorrang_model::System;
use vorrang_model::system::{InterruptOrder, Member, Scheduler, SupplyId, TimerQueue};
use vorrang_time::Duration;

/// The most that is reserved, in thousandths of a processor: with less left the kernel's server of
/// `SCHED_OTHER`, which has 5 % and precedes everything here, would run before the dispatcher.
const MOST_RESERVED: u64 = 900;
/// With a longer period `SCHED_OTHER` could be without the processor for as long as that server waits.
const LONGEST_PERIOD: Duration = Duration::from_ms(100);
const LEAST_BUDGET: Duration = Duration::from_us(100);

/// A core that is run.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The core.
    pub core: SupplyId,
    /// The processor of the machine.
    pub cpu: u32,
    /// How they are ordered.
    pub order: Order,
    /// Their turns, if they take turns.
    turns: Option<AnyTurns>,
    /// The servers, in the order of declaration.
    pub servers: Vec<Reserved>,
    /// The interrupts of guests that are seen.
    pub interrupts: Vec<Seen>,
    /// The tasks on the core itself, the most urgent first.
    pub tasks: Vec<OnCore>,
    /// The priorities of all of them.
    pub levels: Levels,
}

impl Scope {
    /// Every core of a description that has members, without those that are the kernel's beside them; sleeping threads are sampled every `look`.
    ///
    /// # Errors
    /// Everything that is refused.
    pub fn all(system: &System, look: Duration) -> Result<Vec<Self>, Unfit> {
        let (mut scopes, mut unfit) = (Vec::new(), Unfit::default());
        let is_run = |&core: &SupplyId| is_run(system, core);
        for core in system.cores().filter(is_run) {
            match Self::of(system, core, look) {
                Ok(scope) => scopes.push(scope),
                Err(why) => unfit.join(why),
            }
        }
        if unfit != Unfit::default() {
            return Err(unfit);
        }
        if scopes.is_empty() {
            unfit.wrong.push("there is no server, so nothing to run".to_owned());
            return Err(unfit);
        }
        Ok(scopes)
    }

    /// One of them.
    fn of(system: &System, core: SupplyId, look: Duration) -> Result<Self, Unfit> {
        let mut finder = Finder {
            system,
            core,
            look,
            unfit: Unfit::default(),
            servers: Vec::new(),
            thousandths: 0,
        };
        let found = finder.core();
        let (interrupts, unseen) = guests::seen(system, core, &finder.servers);
        let (tasks, misplaced) = tasks::on(system, core, &finder.servers);
        let mut unfit = finder.unfit;
        unfit.join(unseen);
        unfit.join(misplaced);
        let servers = finder.servers;
        let levels = levels(&servers, &interrupts, &tasks, &mut unfit);
        match found {
            Some((cpu, order, turns)) if unfit == Unfit::default() => {
                Ok(Self { core, cpu, order, turns, servers, interrupts, tasks, levels })
            }
            _ => Err(unfit),
        }
    }

    /// The processor with these servers, at their beginning.
    ///
    /// # Panics
    /// Never: kinds without a mechanism are refused.
    pub fn processor(&self, look: Duration, grain: Duration) -> Processor {
        let empty = Processor::new(self.order, look, grain);
        let servers = self.servers.iter();
        let processor = servers.fold(empty, |processor, Reserved { server, wake_ups, .. }| {
            let mechanism = rule::mechanism(server).expect("others are refused");
            let priority = server.server().map_or(0, |server| server.priority.0);
            processor.with(mechanism, priority, *wake_ups)
        });
        let interrupts = self.interrupts.iter();
        let processor = interrupts.fold(processor, |processor, seen| seen.by(processor));
        let processor = processor.at_levels(self.levels.members());
        match &self.turns {
            None => processor,
            Some(turns) => processor.by_turns(turns.clone()),
        }
    }
}

/// The priorities of servers, of the pseudo-VCPUs of those interrupts, and of tasks.
fn levels(
    servers: &[Reserved],
    interrupts: &[Seen],
    tasks: &[OnCore],
    unfit: &mut Unfit,
) -> Levels {
    let mut members: Vec<u32> =
        servers.iter().map(|one| one.server.server().map_or(0, |one| one.priority.0)).collect();
    for Seen { name, pseudo_vcpu, .. } in interrupts {
        let Some(own) = pseudo_vcpu else { continue };
        unfit.wrong.extend(tasks::is_equal(tasks, name, own.priority));
        members.push(own.priority);
    }
    let tasks: Vec<u32> = tasks.iter().map(|task| task.priority).collect();
    let levels = Levels::of(&members, &tasks);
    if !levels.fit() {
        unfit.missing.push(format!(
            "{} tasks on the core itself, between its servers, take more priorities than there are below threads of interrupts; \
             let fewer of them have servers above and below them",
            tasks.len()
        ));
    }
    levels
}

struct Finder<'s> {
    system: &'s System,
    core: SupplyId,
    look: Duration,
    unfit: Unfit,
    servers: Vec<Reserved>,
    /// The reserved part of the processor, in thousandths.
    thousandths: u64,
}

impl Finder<'_> {
    fn missing(&mut self, sentence: String) {
        self.unfit.missing.push(sentence);
    }

    fn wrong(&mut self, sentence: String) {
        self.unfit.wrong.push(sentence);
    }

    /// The processor and the order of the core.
    fn core(&mut self) -> Option<(u32, Order, Option<AnyTurns>)> {
        let core = self.core;
        let supply = self.system.supply(core);
        let name = &supply.name;
        if supply.timer_queue == TimerQueue::TimerShield {
            self.unfit.missing.extend(tasks::unshielded(self.system, core));
        }
        if supply.interrupt_order != InterruptOrder::FirstCome {
            self.missing(format!(
                "{name}: Linux gives service routines no priorities; leave `interrupts` out"
            ));
        }
        if supply.time_slice.is_some() {
            self.missing(format!("{name}: equals have no time slices; leave `time-slice` out"));
        }
        for member in &supply.members {
            match *member {
                Member::Server(server) => self.server(server),
                // `tasks.rs`
                Member::Task(_) => {}
            }
        }
        if supply.scheduler.takes_turns() {
            self.unfit.join(taking_turns::unfit(self.system, core, &self.servers));
        } else {
            self.load();
        }
        if self.servers.len() > MOST {
            self.wrong(format!(
                "{name}: {} servers, and up to {MOST} threads are lent to",
                self.servers.len()
            ));
        }
        let cpu = self.system.host.cpus.get(name).copied();
        if cpu.is_none() {
            self.wrong(format!("{name} does not say which processor it is: `cpu = 1`"));
        }
        let shares: Vec<u32> =
            self.servers.iter().map(|one| one.server.weight().unwrap_or(1)).collect();
        let turns = rule::turns(supply.scheduler, supply.quantum, &shares);
        Some((cpu?, self.order(name, supply.scheduler)?, turns))
    }

    fn order(&mut self, name: &str, scheduler: Scheduler) -> Option<Order> {
        match scheduler {
            Scheduler::FixedPriority => Some(Order::FixedPriority),
            Scheduler::Edf => Some(Order::Edf),
            Scheduler::Slots => Some(Order::Slots),
            Scheduler::Vtrr
            | Scheduler::Stride
            | Scheduler::RoundRobin
            | Scheduler::WeightedRoundRobin => Some(Order::Turns),
            Scheduler::Linux => {
                self.missing(format!(
                    "{name}: \"linux\" is scheduled by the kernel itself, by `vorrang apply`; here it is \"fixed-priority\" or \"edf\""
                ));
                None
            }
        }
    }

    fn server(&mut self, id: SupplyId) {
        let supply = self.system.supply(id);
        let (name, kind) = (&supply.name, supply.server_kind().expect("it is no core"));
        let Some(wake_ups) = rule::wake_ups(kind) else {
            let why = rule::refusal(kind);
            return self.missing(format!("{name}: {why}"));
        };
        let Some(server) = supply.server() else { return self.share(id, wake_ups) };
        if server.period > LONGEST_PERIOD || server.period < SHORTEST_PERIOD {
            self.wrong(format!(
                "{name}: its period is {}, and may be {SHORTEST_PERIOD} to {LONGEST_PERIOD}",
                server.period
            ));
        }
        let (budget, period) = (server.budget.as_ns(), server.period.as_ns());
        self.thousandths += budget.saturating_mul(1000).div_ceil(period.max(1));
        if server.budget < LEAST_BUDGET {
            self.wrong(format!("{name}: its budget is {}, below {LEAST_BUDGET}", server.budget));
        }
        self.reserve(id, wake_ups);
    }

    /// A server that takes turns. One without a thread stands for all others.
    fn share(&mut self, id: SupplyId, wake_ups: WakeUps) {
        let supply = self.system.supply(id);
        if threads::written(self.system, id).is_some() {
            return self.reserve(id, wake_ups);
        }
        let server = supply.kind;
        let (name, wake_ups) = (supply.name.clone(), WakeUps::Rest);
        self.servers.push(Reserved { name, selector: None, wake_ups, server });
    }

    /// A server with its thread.
    fn reserve(&mut self, id: SupplyId, wake_ups: WakeUps) {
        if wake_ups == WakeUps::AtOnce {
            self.unfit.join(late::unfit(self.system, id, self.look));
        }
        let supply = self.system.supply(id);
        match threads::selector(self.system, id) {
            Ok(selector) => {
                let server = supply.kind;
                let (name, selector) = (supply.name.clone(), Some(selector));
                self.servers.push(Reserved { name, selector, wake_ups, server });
            }
            Err(why) => self.wrong(why),
        }
    }

    fn load(&mut self) {
        let (of_tasks, unknown) = tasks::thousandths(self.system, self.core);
        self.unfit.join(unknown);
        let sum = self.thousandths + of_tasks;
        if sum > MOST_RESERVED {
            self.wrong(format!(
                "{}: {} % of the processor are reserved or taken by tasks, and 90 % may be: with less left for SCHED_OTHER, the kernel's server \
                 for that comes before what is reserved",
                self.system.supply(self.core).name,
                sum.div_ceil(10)
            ));
        }
    }
}
