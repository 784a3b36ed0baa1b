//! The published response time of an interrupt with a pseudo-VCPU, and which rule keeps it.
//!
//! With `W` from the request at the core, the least fixed point of
//!
//! ```text
//!   W = C + Σ ceil(W / T of u) · routine of u + Σ ceil(W / T of h) · C of h
//!       over all interrupts u of the core, and all h with a more urgent pseudo-VCPU
//! ```
//!
//! Reference: H. Kim, S. Wang, R. Rajkumar, RTCSA 2015, equation (4), for handlers above all other
//! work of their guests.

use crate::build::{core, interrupt, server, task};
use crate::drawing::CORE;
use crate::pseudo_vcpus::deliver;
use vorrang_model::system::{InterruptId, PseudoVcpuRule, Scheduler, ServerKind, SupplyId, System};
use vorrang_sim::{Arrivals, History, Job, Observer, Source, simulate};
use vorrang_time::{Duration, Instant};

const MS: u64 = 1_000_000;

/// Numbers by chance: a linear congruential generator is enough to vary a test.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// What a handler takes, and how often it comes, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Handler {
    takes: u64,
    every: u64,
    vcpu: u64,
}

/// Virtual processors that are always busy, and handlers with a millisecond at the core each.
struct Case {
    servers: Vec<[u64; 2]>,
    handlers: Vec<Handler>,
}

impl Case {
    /// Up to four handlers; of one virtual processor each, unless several may share one.
    fn draw(chance: &mut Chance, shared: bool) -> Self {
        let count = 1 + chance.below(4);
        let servers = (0..count).map(|_| [2 + chance.below(6), 20 + chance.below(30)]).collect();
        let handlers = (0..count)
            .map(|own| Handler {
                takes: 1 + chance.below(3),
                every: 15 + chance.below(30),
                vcpu: if shared { chance.below(count) } else { own },
            })
            .collect();
        Self { servers, handlers }
    }

    fn system(&self, rule: PseudoVcpuRule) -> System {
        let mut system = core(Scheduler::FixedPriority);
        let ms = |length: u64| format!("{length}ms");
        for (index, [budget, period]) in self.servers.iter().enumerate() {
            let (name, priority) = (format!("vcpu.{index}"), u32::try_from(index).unwrap());
            let reserved = [&*ms(*budget), &*ms(*period)];
            let kind = ServerKind::Deferrable;
            let vcpu = server(&mut system, &name, CORE, kind, reserved, priority);
            task(&mut system, &format!("task.{index}"), vcpu, ["1s", "1s"], 1);
        }
        for (index, handler) in self.handlers.iter().enumerate() {
            let (takes, every) = (ms(handler.takes), ms(handler.every));
            let id = interrupt(&mut system, &format!("interrupt.{index}"), ["1ms", &every]);
            let vcpu = SupplyId(1 + usize::try_from(handler.vcpu).unwrap());
            deliver(&mut system, id, vcpu, &takes, [&takes, &every], rule);
        }
        system
    }

    /// The least fixed point; `None`: there is none below the time between two arrivals.
    fn bound(&self, own: usize) -> Option<u64> {
        let rank = |index: usize| (self.handlers[index].every, index);
        let demand = |window: u64| {
            let of_routines: u64 = self.handlers.iter().map(|h| window.div_ceil(h.every)).sum();
            let more_urgent = (0..self.handlers.len()).filter(|&index| rank(index) < rank(own));
            let of_handlers: u64 = more_urgent
                .map(|index| {
                    let Handler { takes, every, .. } = self.handlers[index];
                    window.div_ceil(every) * takes
                })
                .sum();
            self.handlers[own].takes + of_routines + of_handlers
        };
        let mut window = 1;
        while window <= self.handlers[own].every {
            match demand(window) {
                next if next == window => return Some(window),
                next => window = next,
            }
        }
        None
    }
}

fn draw_history(system: &System, chance: &mut Chance, busy: bool) -> History {
    let mut history = History::quiet(system);
    if busy {
        history.tasks = vec![Arrivals::from(Instant::ZERO); system.tasks.len()];
    }
    for phase in &mut history.phases {
        *phase = Duration::from_ms(chance.below(60));
    }
    for phase in &mut history.pseudo_vcpu_phases {
        *phase = Duration::from_ms(chance.below(60));
    }
    for arrivals in &mut history.interrupts {
        *arrivals = Arrivals::from(Instant::from_ns(chance.below(60) * MS));
    }
    history
}

/// The longest response of each interrupt, in milliseconds.
struct Responses(Vec<u64>);

impl Observer for Responses {
    fn completed(&mut self, job: &Job, at: Instant) {
        if let Source::Interrupt(InterruptId(id)) = job.source {
            self.0[id] = self.0[id].max((at - job.arrival).as_ns() / MS);
        }
    }
}

/// How many of the handlers that have a bound were seen above it and exactly at it.
#[derive(Debug, Default)]
struct Seen {
    bounded: u32,
    above: u32,
    reached: u32,
}

/// Looks at a hundred systems; `shared`: guests may have several interrupts, `busy`: and work of
/// their own all the time.
fn seen(rule: PseudoVcpuRule, shared: bool, busy: bool) -> Seen {
    let mut chance = Chance(1);
    let mut seen = Seen::default();
    for _ in 0..100 {
        let case = Case::draw(&mut chance, shared);
        let system = case.system(rule);
        let mut longest = Responses(vec![0; case.handlers.len()]);
        for _ in 0..8 {
            let history = draw_history(&system, &mut chance, busy);
            let horizon = Instant::from_ns(800 * MS);
            simulate(&system, CORE, &history, horizon, &mut longest).unwrap();
        }
        for (index, &response) in longest.0.iter().enumerate() {
            let Some(bound) = case.bound(index) else { continue };
            seen.bounded += 1;
            seen.above += u32::from(response > bound);
            seen.reached += u32::from(response == bound);
        }
    }
    seen
}

#[test]
fn by_arrival_a_handler_alone_in_its_guest_keeps_the_published_bound_and_reaches_it() {
    for busy in [true, false] {
        let Seen { bounded, above, reached } = seen(PseudoVcpuRule::Arrival, false, busy);
        assert!(
            bounded > 200 && above == 0 && reached > bounded / 2,
            "{bounded} {above} {reached}"
        );
    }
}

/// The guest's own work spends the budget, or a request waits for the period to begin.
#[test]
fn deferrable_budget_and_credit_as_released_do_not_keep_it() {
    for rule in [PseudoVcpuRule::Deferrable, PseudoVcpuRule::Released] {
        for busy in [true, false] {
            let Seen { bounded, above, .. } = seen(rule, false, busy);
            assert!(above > bounded / 4, "{rule:?}: {above} of {bounded}");
        }
    }
}

/// A guest serves its interrupts first come, first served, whichever budget is charged: a handler that comes
/// first spends the credit of the one behind it, and its own is dropped when it is handled.
#[test]
fn handlers_that_share_a_guest_spend_each_other_s_credit() {
    let Seen { bounded, above, .. } = seen(PseudoVcpuRule::Arrival, true, true);
    assert!(above > bounded / 10, "{above} of {bounded}");
}
