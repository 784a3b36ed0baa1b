//! How many task sets and interrupts keep their deadlines with interrupts in reservations of their
//! own (vINT), by analysis (Kim, Wang, Rajkumar 2015).
//!
//! **Model.** One core with three virtual processors, deferrable or sporadic, of a fifth of the core
//! each, with periods from 5 to 20 ms; two to four tasks in each that use 45 % of that, with periods
//! from 50 to 200 ms; three interrupts, each in a guest of its own or in any. Without vINT a virtual
//! processor has the interrupts' share on top of its budget; with vINT each interrupt has a
//! pseudo-VCPU of its own period and cost above all virtual processors. A set of tasks is
//! schedulable if every deadline is proven, one of interrupts serviceable if each is proven to be
//! handled within its least inter-arrival time, the routine of the core included.
//!
//! **Assumptions.** 1. The publication states none of the parameters: all numbers here are ours.
//! 2. What is counted is what [`vorrang_analysis::bounds`] proves, not the published equations.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
use rayon::prelude::*;
use vorrang_analysis::bounds;
use vorrang_model::System;
use vorrang_model::system::{
    Delivery, Interrupt, InterruptId, Member, Priority, PseudoVcpu, PseudoVcpuRule, Server,
    ServerKind, Supply, SupplyId, SupplyKind, Task, TaskId,
};
use vorrang_time::Duration;

/// One value on the axis: inter-arrival times are drawn from a range, handlers have one cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Least and greatest inter-arrival time.
    pub interarrival: (Duration, Duration),
    /// What the guest's routine takes.
    pub handler: Duration,
}

/// Which guests interrupts are delivered to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guests {
    /// Each to one of its own.
    Own,
    /// Each to any.
    Any,
}

/// How virtual processors are served, and whether interrupts have reservations of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Of virtual processors.
    pub kind: ServerKind,
    /// Otherwise the virtual processor pays for its interrupts.
    pub with_vint: bool,
    /// Of the interrupts.
    pub guests: Guests,
}

/// Sets of all tasks and of all interrupts that keep their deadlines, of those drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Sets in which every task does.
    pub tasks: u64,
    /// Sets in which every interrupt does.
    pub interrupts: u64,
}

const fn ms(count: u64) -> Duration {
    Duration::from_ms(count)
}

/// Handlers of 100 us, inter-arrival times from short to long.
pub const INTERARRIVALS: [Point; 5] =
    [point(1, 2, 100), point(2, 4, 100), point(5, 10, 100), point(20, 40, 100), point(40, 80, 100)];

/// Inter-arrival times from 10 to 40 ms, handlers from short to long.
pub const HANDLERS: [Point; 5] = [
    point(10, 40, 50),
    point(10, 40, 200),
    point(10, 40, 600),
    point(10, 40, 1000),
    point(10, 40, 1500),
];

const fn point(least_ms: u64, most_ms: u64, handler_us: u64) -> Point {
    Point { interarrival: (ms(least_ms), ms(most_ms)), handler: Duration::from_us(handler_us) }
}

/// Kinds of the virtual processors.
pub const KINDS: [ServerKind; 2] = [ServerKind::Deferrable, ServerKind::Sporadic];

/// Sets that are drawn for each point; every variant gets the same.
pub const SETS: u64 = 1_000;

/// What the sets are drawn from.
const SEED: u64 = 1;

/// Sets of a point that keep their deadlines in a variant.
pub fn kept(point: Point, variant: Variant, sets: u64) -> Kept {
    let one = |number: u64| {
        let system = system(point, variant, number);
        let found = bounds(&system);
        let task = |id: usize| {
            let limit = system.tasks[id].min_interarrival;
            found.task(TaskId(id)).bound().is_some_and(|bound| bound <= limit)
        };
        let interrupt = |id: usize| {
            let limit = system.interrupts[id].min_interarrival;
            found.interrupt(InterruptId(id)).bound().is_some_and(|bound| bound <= limit)
        };
        Kept {
            tasks: u64::from((0..system.tasks.len()).all(task)),
            interrupts: u64::from((0..system.interrupts.len()).all(interrupt)),
        }
    };
    let sum = |one: Kept, other: Kept| Kept {
        tasks: one.tasks + other.tasks,
        interrupts: one.interrupts + other.interrupts,
    };
    (0..sets).into_par_iter().map(one).reduce(Kept::default, sum)
}

/// The set with this number at a point, in a variant.
pub fn system(point: Point, variant: Variant, number: u64) -> System {
    let mut draw = Draw::new(number);
    let mut system = System::default();
    system.supplies.push(Supply { name: "core.0".to_owned(), ..Supply::default() });
    for vcpu in 0..3 {
        add_vcpu(&mut system, variant, vcpu, &mut draw);
    }
    for interrupt in 0..3 {
        add_interrupt(&mut system, point, variant, interrupt, &mut draw);
    }
    rank(&mut system);
    system
}

fn add_vcpu(system: &mut System, variant: Variant, number: usize, draw: &mut Draw) {
    let period = draw.between(ms(5), ms(20));
    let id = SupplyId(system.supplies.len());
    let server = Server {
        on: SupplyId(0),
        rule: variant.kind.rule().expect("it has a budget"),
        budget: Duration::from_us(us(period) / 5),
        period,
        ..Server::default()
    };
    let name = format!("vcpu.v{number}");
    system.supplies[0].members.push(Member::Server(id));
    let vm = Some(name.clone());
    system.supplies.push(Supply {
        name,
        vm,
        kind: SupplyKind::Server(server),
        ..Supply::default()
    });
    // 45 % of a fifth, cut at random points, in millionths.
    let mut cuts: Vec<u64> = (0..draw.number(1, 3)).map(|_| draw.number(0, 90_000)).collect();
    cuts.extend([0, 90_000]);
    cuts.sort_unstable();
    for share in cuts.windows(2).map(|cut| cut[1] - cut[0]) {
        let period = draw.between(ms(50), ms(200));
        let wcet = Duration::from_us((us(period) * share / 1_000_000).max(1));
        let task = TaskId(system.tasks.len());
        system.supplies[id.0].members.push(Member::Task(task));
        system.tasks.push(Task {
            name: format!("task.t{}", task.0),
            on: id,
            wcet,
            bcet: wcet,
            min_interarrival: period,
            deadline: Some(period),
            ..Task::default()
        });
    }
}

fn add_interrupt(
    system: &mut System,
    point: Point,
    variant: Variant,
    number: usize,
    draw: &mut Draw,
) {
    let (least, most) = point.interarrival;
    let min_interarrival = draw.between(least, most);
    let any = usize::try_from(draw.number(0, 2)).expect("three of them");
    let vcpu = SupplyId(1 + if variant.guests == Guests::Own { number } else { any });
    let pseudo_vcpu = variant.with_vint.then_some(PseudoVcpu {
        budget: point.handler,
        period: min_interarrival,
        priority: None,
        rule: PseudoVcpuRule::Arrival,
    });
    if pseudo_vcpu.is_none() {
        let server = system.supplies[vcpu.0].server_mut().expect("not the core");
        let share = us(server.period) * us(point.handler);
        let more = Duration::from_us(share.div_ceil(us(min_interarrival)));
        server.budget = (server.budget + more).min(server.period);
    }
    system.interrupts.push(Interrupt {
        name: format!("interrupt.i{number}"),
        on: SupplyId(0),
        isr: Duration::from_us(10),
        min_interarrival,
        delivery: Some(Delivery { vcpu, isr: point.handler, pseudo_vcpu }),
        ..Interrupt::default()
    });
}

/// Rate-monotonic on the core and in each virtual processor; of equal periods the first declared.
fn rank(system: &mut System) {
    for id in 0..system.supplies.len() {
        let mut members = system.supplies[id].members.clone();
        members.sort_by_key(|&member| match member {
            Member::Task(id) => system.task(id).min_interarrival,
            Member::Server(id) => system.supply(id).server().expect("a member").period,
        });
        for (priority, &member) in (1..).zip(members.iter().rev()) {
            match member {
                Member::Task(id) => system.tasks[id.0].priority = Priority(priority),
                Member::Server(id) => {
                    let server = system.supplies[id.0].server_mut().expect("a member");
                    server.priority = Priority(priority);
                }
            }
        }
    }
}

fn us(duration: Duration) -> u64 {
    duration.as_ns() / 1_000
}

/// Random numbers of one set.
struct Draw(ChaCha8Rng);

impl Draw {
    fn new(number: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(SEED);
        generator.set_stream(number);
        Self(generator)
    }

    fn number(&mut self, least: u64, most: u64) -> u64 {
        least + self.0.next_u64() % (most - least + 1)
    }

    /// In whole microseconds.
    fn between(&mut self, least: Duration, most: Duration) -> Duration {
        Duration::from_us(self.number(us(least), us(most)))
    }
}
