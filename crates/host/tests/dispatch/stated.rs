//! Each kind by itself, under each order that has it, beside others: the same as simulated.

use crate::memory::{Job, Memory, Ran};
use crate::simulated::{Case, service};
use vorrang_model::system::{
    Priority, Scheduler, Server, ServerKind, ServerRule, Share, SupplyId, SupplyKind,
};
use vorrang_time::{Duration, Instant};

pub(crate) const BY_PRIORITY: [ServerKind; 5] = [
    ServerKind::Periodic,
    ServerKind::Polling,
    ServerKind::Deferrable,
    ServerKind::Sporadic,
    ServerKind::RefillQueue,
];
pub(crate) const BY_DEADLINE: [ServerKind; 4] =
    [ServerKind::Periodic, ServerKind::Polling, ServerKind::Deferrable, ServerKind::CbsHard];

pub(crate) fn server(kind: ServerKind, times: [u64; 2], priority: u32) -> SupplyKind {
    ruled(kind.rule().expect("it has a budget"), times, priority)
}

pub(crate) fn ruled(rule: ServerRule, [budget, period]: [u64; 2], priority: u32) -> SupplyKind {
    SupplyKind::Server(Server {
        rule,
        budget: Duration::from_us(budget),
        period: Duration::from_us(period),
        priority: Priority(priority),
        ..Server::default()
    })
}

pub(crate) fn share(weight: u32) -> SupplyKind {
    SupplyKind::Share(Share { on: SupplyId(0), weight })
}

pub(crate) fn job(release: u64, execution: u64) -> Job {
    Job { release: Instant::from_ns(release * 1000), execution: Duration::from_us(execution) }
}

/// A server of the kind, whose thread sleeps now and then, above one whose thread never does.
fn beside(kind: ServerKind, scheduler: Scheduler) -> Case {
    let sleeps = (0..20).map(|n| job(n * 7000 + n * n % 5 * 1000, 1300 + n * 400)).collect();
    Case {
        scheduler,
        quantum: Duration::ZERO,
        servers: vec![
            server(kind, [2000, 10_000], 2),
            server(ServerKind::Periodic, [4000, 9000], 1),
            server(ServerKind::Deferrable, [1000, 8000], 3),
        ],
        jobs: vec![sleeps, vec![job(0, 10_000_000)], vec![job(3000, 500), job(40_000, 9000)]],
        interrupts: Vec::new(),
        tasks: Vec::new(),
        rest: false,
        look: Duration::from_ms(1),
        horizon: Instant::from_ns(200_000_000),
    }
}

#[test]
fn each_kind_runs_as_it_is_simulated() {
    let all = [(Scheduler::FixedPriority, &BY_PRIORITY[..]), (Scheduler::Edf, &BY_DEADLINE[..])];
    for (scheduler, kinds) in all {
        for &kind in kinds {
            let case = beside(kind, scheduler);
            let (ours, simulated) = (case.dispatched(), case.simulated());
            assert!(ours.len() > 30, "{kind:?} {scheduler:?}: something happens");
            assert_eq!(ours, simulated, "{kind:?} {scheduler:?}");
        }
    }
}

/// A thread that computes all the time has the whole budget in every period, and no more.
#[test]
fn every_budget_is_served_in_its_period() {
    for kind in BY_PRIORITY {
        let servers = vec![
            server(kind, [3000, 10_000], 2),
            server(ServerKind::Deferrable, [5000, 20_000], 1),
        ];
        let jobs = vec![vec![job(0, 10_000_000)]; 2];
        let (look, horizon) = (Duration::from_ms(1), Instant::from_ns(400_000_000));
        let (scheduler, quantum) = (Scheduler::FixedPriority, Duration::ZERO);
        let case = Case {
            scheduler,
            quantum,
            servers,
            jobs,
            interrupts: Vec::new(),
            tasks: Vec::new(),
            rest: false,
            look,
            horizon,
        };
        let ran = case.dispatched();
        assert_eq!(ran, case.simulated(), "{kind:?}");
        for (place, server) in case.servers.iter().enumerate() {
            let own = server.server().expect("it has a budget");
            let served = service(&ran, place, own.period, horizon);
            assert!(served.iter().all(|&ns| ns == own.budget.as_ns()), "{kind:?}: {served:?}");
        }
    }
}

/// One thread in a server of this kind, with three jobs.
fn woken(kind: ServerKind) -> Vec<Ran> {
    let case = Case {
        scheduler: Scheduler::FixedPriority,
        quantum: Duration::ZERO,
        servers: vec![server(kind, [3000, 10_000], 1)],
        jobs: vec![vec![job(1300, 500), job(2200, 400), job(5001, 100)]],
        interrupts: Vec::new(),
        tasks: Vec::new(),
        rest: false,
        look: Duration::from_ms(1),
        horizon: Instant::from_ns(9_000_000),
    };
    case.dispatched()
}

fn at(us: u64) -> Instant {
    Instant::from_ns(us * 1000)
}

/// A thread that slept is seen awake at the next look, one that computes at once goes on with what comes meanwhile.
#[test]
fn a_wake_up_is_seen_at_the_next_look() {
    let seen = [(0, at(2000), at(2900)), (0, at(6000), at(6100))];
    assert_eq!(woken(ServerKind::Sporadic), seen);
}

/// Once it has had a loan, and nothing else is ready, that stands while it sleeps.
#[test]
fn a_wake_up_needs_no_look_where_a_loan_stands() {
    let at_once = [(0, at(2000), at(2900)), (0, at(5001), at(5101))];
    assert_eq!(woken(ServerKind::Deferrable), at_once);
}

/// Shares of 3, 2 and 1 under virtual-time round-robin, the last of all that nothing is lent to.
#[test]
fn turns_are_taken_by_shares() {
    let case = Case {
        scheduler: Scheduler::Vtrr,
        quantum: Duration::from_ms(10),
        servers: vec![share(3), share(2), share(1)],
        jobs: vec![vec![job(0, 10_000_000)]; 3],
        interrupts: Vec::new(),
        tasks: Vec::new(),
        rest: true,
        look: Duration::from_ms(1),
        horizon: Instant::from_ns(600_000_000),
    };
    let ran = case.dispatched();
    assert_eq!(ran, case.simulated());
    let cycle = Duration::from_ms(60);
    assert!(service(&ran, 0, cycle, case.horizon).iter().all(|&ns| ns == 30_000_000));
    assert!(service(&ran, 1, cycle, case.horizon).iter().all(|&ns| ns == 20_000_000));
}

/// What a thread receives after the end of its turn is taken from its next turns.
#[test]
fn a_turn_that_ends_late_is_paid_for_later() {
    let case = Case {
        scheduler: Scheduler::RoundRobin,
        quantum: Duration::from_ms(10),
        servers: vec![share(1), share(1)],
        jobs: vec![vec![job(0, 10_000_000)]; 2],
        interrupts: Vec::new(),
        tasks: Vec::new(),
        rest: false,
        look: Duration::from_ms(1),
        horizon: Instant::from_ns(2_000_000_000),
    };
    let mut late = Memory::of(&case.jobs);
    late.late_beside = Some((0, Duration::from_us(700)));
    let ran = case.dispatched_on(late);
    let all = |thread| service(&ran, thread, Duration::from_ms(2000), case.horizon)[0];
    assert!(all(0).abs_diff(all(1)) <= 10_700_000, "{} {}", all(0), all(1));
}
