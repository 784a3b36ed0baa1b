//! A processor that gives way to another description: when, and that no server loses a budget.

use crate::drawn::Draw;
use crate::memory::Ran;
use crate::simulated::{Case, service};
use crate::stated::{job, ruled, server, share};
use vorrang_host::Processor;
use vorrang_host::changeover::Changeover;
use vorrang_host::control::{Control, Course};
use vorrang_host::dispatch;
use vorrang_host::machine::Machine as _;
use vorrang_host::processor::Order;
use vorrang_model::system::{Scheduler, Server, ServerKind, ServerRule, SupplyKind};
use vorrang_time::{Duration, Instant};

const CASES: u64 = 3000;

/// Asked to give way at an instant.
struct Asked {
    from: Instant,
    changeover: Changeover,
    planned: Option<Instant>,
}

impl Control for Asked {
    fn goes_on(&mut self, _processor: &Processor, _course: &Course) -> bool {
        true
    }

    fn gives_way_at(
        &mut self,
        now: Instant,
        is_idle: bool,
        do_tasks_rest: impl FnOnce() -> bool,
    ) -> Option<Instant> {
        if now >= self.from {
            self.planned = self.changeover.planned(self.planned, now, is_idle, do_tasks_rest);
        }
        self.planned
    }

    fn give_way(&mut self, _at: Instant) -> bool {
        true
    }
}

fn changeover(case: &Case) -> Changeover {
    let order = match case.scheduler {
        Scheduler::FixedPriority => Order::FixedPriority,
        Scheduler::Edf => Order::Edf,
        Scheduler::Slots => Order::Slots,
        _ => Order::Turns,
    };
    Changeover::of(order, case.servers.iter())
}

/// What runs up to the change, and when that is.
fn changed(case: &Case, from: Instant) -> (Vec<Ran>, Option<Instant>) {
    let mut machine = case.machine();
    let asked = Asked { from, changeover: changeover(case), planned: None };
    let course = dispatch::run(&mut case.processor(), &mut machine, case.horizon, asked);
    (machine.ran, course.gave_way)
}

fn ms(ms: u64) -> Instant {
    Instant::from_ns(ms * 1_000_000)
}

/// Two servers whose threads compute all the time, and what else is the same.
fn two(scheduler: Scheduler, servers: [SupplyKind; 2]) -> Case {
    Case {
        scheduler,
        quantum: Duration::ZERO,
        servers: servers.into(),
        jobs: vec![vec![job(0, 10_000_000)], vec![job(0, 10_000_000)]],
        interrupts: Vec::new(),
        tasks: Vec::new(),
        rest: false,
        look: Duration::from_ms(1),
        horizon: ms(200),
    }
}

#[test]
fn it_gives_way_when_all_budgets_are_consumed() {
    let case = two(
        Scheduler::FixedPriority,
        [
            server(ServerKind::Periodic, [2000, 10_000], 2),
            server(ServerKind::Deferrable, [4000, 20_000], 1),
        ],
    );
    let (ran, at) = changed(&case, ms(1));
    assert_eq!(at, Some(ms(6)));
    assert_eq!(ran, [(0, ms(0), ms(2)), (1, ms(2), ms(6))]);
    assert_eq!(
        changed(&case, ms(7)).1,
        Some(ms(12)),
        "asked while nothing runs, it does at the next decision"
    );
}

#[test]
fn it_gives_way_when_no_task_on_the_core_has_work() {
    let servers = [
        server(ServerKind::Deferrable, [2000, 10_000], 2),
        server(ServerKind::Deferrable, [4000, 20_000], 1),
    ];
    let without = two(Scheduler::FixedPriority, servers);
    for (priority, from) in [(0, 5_500), (5, 5_500)] {
        let tasks = vec![(priority, vec![job(from, 3_000)])];
        let case = Case { tasks, ..without.clone() };
        assert_eq!(changed(&case, ms(1)).1, Some(ms(9)), "{priority}");
    }
    assert_eq!(changed(&without, ms(1)).1, Some(ms(6)));
}

#[test]
fn no_task_on_the_core_has_work_at_the_change_on_random_processors() {
    let mut changes = 0;
    for seed in 0..CASES {
        let mut draw = Draw::new(seed);
        let case = Case { interrupts: Vec::new(), ..draw.case() };
        let from = Instant::from_ns(draw.below(50_000) * 1000);
        if case.tasks.is_empty() {
            continue;
        }
        let mut machine = case.machine();
        let asked = Asked { from, changeover: changeover(&case), planned: None };
        let course = dispatch::run(&mut case.processor(), &mut machine, case.horizon, asked);
        if course.gave_way.is_some() {
            assert!(machine.tasks_rest(), "seed {seed}: {case:?}");
            changes += 1;
        }
    }
    assert!(changes > 100, "{changes}");
}

#[test]
fn slots_give_way_where_they_begin_anew() {
    let slot = |offset, length| {
        let offset = Duration::from_us(offset);
        ruled(ServerRule::Slot { offset }, [length, 10_000], 1)
    };
    let case = two(Scheduler::Slots, [slot(0, 3000), slot(5000, 4000)]);
    let (ran, at) = changed(&case, ms(4));
    assert_eq!(at, Some(ms(10)), "the second slot of the period is still to come");
    assert_eq!(ran, [(0, ms(0), ms(3)), (1, ms(5), ms(9))]);
}

#[test]
fn turns_do_not_give_way() {
    let case = two(Scheduler::RoundRobin, [share(1), share(1)]);
    let case = Case { quantum: Duration::from_ms(2), ..case };
    assert_eq!(changed(&case, ms(1)).1, None);
}

#[test]
fn no_server_loses_a_budget_on_random_processors() {
    let (mut changes, mut budgets) = (0_u32, 0_u32);
    for seed in 0..CASES {
        let mut draw = Draw::new(seed);
        let mut case = Case { interrupts: Vec::new(), tasks: Vec::new(), ..draw.case() };
        for jobs in &mut case.jobs {
            if draw.below(2) == 0 {
                *jobs = vec![job(0, 10_000_000)];
            }
        }
        if case.rest {
            continue;
        }
        let from = Instant::from_ns(draw.below(50_000) * 1000);
        let (ran, at) = changed(&case, from);
        let Some(at) = at else { continue };
        changes += 1;
        // Up to there as if it went on.
        let cut = |ran: Vec<Ran>| -> Vec<Ran> {
            let before = ran.into_iter().filter(|(_, begin, _)| *begin < at);
            before.map(|(thread, begin, end)| (thread, begin, end.min(at))).collect()
        };
        let whole = Case { interrupts: Vec::new(), ..case.clone() }.dispatched();
        assert_eq!(cut(ran.clone()), cut(whole.clone()), "seed {seed}: {case:?}");
        if case.scheduler == Scheduler::Slots {
            continue;
        }
        let is_running = |(_, begin, end): &Ran| *begin <= at && at < *end;
        assert!(
            !whole.iter().any(is_running),
            "seed {seed}: at {at} something is to run\n{case:?}"
        );
        for (place, kind) in case.servers.iter().enumerate() {
            let Some(Server { rule, budget, period, .. }) = kind.server() else { continue };
            let always = case.jobs[place].first().is_some_and(|job| {
                job.release == Instant::ZERO && job.execution > at - Instant::ZERO
            });
            let counts =
                matches!(rule, ServerRule::Periodic | ServerRule::Polling | ServerRule::Deferrable);
            if always && counts {
                let sums = service(&ran, place, *period, case.horizon);
                let last = usize::try_from(at.as_ns() / period.as_ns()).expect("few periods");
                assert_eq!(sums[last], budget.as_ns(), "seed {seed}: {at}, {place} of {case:?}");
                budgets += 1;
            }
        }
    }
    assert!(changes > 800 && budgets > 50, "{changes} changes, {budgets} budgets: they happen");
}
