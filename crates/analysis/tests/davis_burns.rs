//! The composition of supplies against the equations of Davis and Burns 2005, written out once
//! more as they are printed, on random systems: one core, servers by fixed priority, tasks in
//! them by fixed priority.

use proptest::prelude::*;
use vorrang_analysis::monotonic_bounds;
use vorrang_model::system::{
    Member, Priority, Scheduler, Server, ServerKind, Supply, SupplyId, SupplyKind, System, Task,
    TaskId,
};
use vorrang_time::Duration;

#[derive(Clone, Debug)]
struct RawServer {
    kind: ServerKind,
    budget: u64,
    period: u64,
    /// (execution time, period, jitter, blocking), most urgent first.
    tasks: Vec<(u64, u64, u64, u64)>,
}

/// Servers most urgent first.
fn system(servers: &[RawServer]) -> System {
    let ns = Duration::from_ns;
    let mut system = System::default();
    system.supplies.push(Supply {
        name: "core.0".into(),
        kind: SupplyKind::Core,
        scheduler: Scheduler::FixedPriority,
        members: (1..=servers.len()).map(|id| Member::Server(SupplyId(id))).collect(),
        ..Supply::default()
    });
    for (rank, raw) in servers.iter().enumerate() {
        let id = SupplyId(rank + 1);
        let first = system.tasks.len();
        for (place, &(wcet, period, jitter, blocking)) in raw.tasks.iter().enumerate() {
            system.tasks.push(Task {
                name: format!("task.{rank}-{place}"),
                on: id,
                wcet: ns(wcet),
                min_interarrival: ns(period),
                deadline: Some(ns(period)),
                jitter: ns(jitter),
                blocking: ns(blocking),
                priority: Priority(u32::try_from(100 - place).unwrap()),
                ..Task::default()
            });
        }
        system.supplies.push(Supply {
            name: format!("server.{rank}"),
            kind: SupplyKind::Server(Server {
                on: SupplyId(0),
                rule: raw.kind.rule().expect("it has a budget"),
                budget: ns(raw.budget),
                period: ns(raw.period),
                priority: Priority(u32::try_from(100 - rank).unwrap()),
                ..Server::default()
            }),
            scheduler: Scheduler::FixedPriority,
            members: (first..system.tasks.len()).map(|id| Member::Task(TaskId(id))).collect(),
            ..Supply::default()
        });
    }
    system
}

fn server_jitter(server: &RawServer) -> u64 {
    if server.kind == ServerKind::Deferrable { server.period - server.budget } else { 0 }
}

/// `w_S = C_S + sum ceil((w + J_X) / T_X) C_X`, as long as it is at most the period.
fn server_is_schedulable(above: &[RawServer], server: &RawServer) -> bool {
    let mut w = server.budget;
    loop {
        let load: u64 =
            above.iter().map(|x| (w + server_jitter(x)).div_ceil(x.period) * x.budget).sum();
        match server.budget + load {
            next if next > server.period => return false,
            next if next == w => return true,
            next => w = next,
        }
    }
}

/// w for one job of `tasks[index]`, with the load jitter `J_j = J + T_S - C_S`.
fn davis_burns(above: &[RawServer], server: &RawServer, index: usize) -> Option<u64> {
    let (capacity, period) = (server.budget, server.period);
    let (wcet, _, _, blocking) = server.tasks[index];
    let blackout = period - capacity;
    let load = |w: u64| -> u64 {
        let more_urgent: u64 = server.tasks[..index]
            .iter()
            .map(|&(c, t, jitter, _)| (w + jitter + blackout).div_ceil(t) * c)
            .sum();
        wcet + blocking + more_urgent
    };
    let mut w = wcet + (wcet.div_ceil(capacity) - 1) * blackout;
    while w < 100_000 {
        let load = load(w);
        let whole = load.div_ceil(capacity) - 1;
        let interference: u64 = above
            .iter()
            .map(|x| {
                (w.saturating_sub(whole * period) + server_jitter(x)).div_ceil(x.period) * x.budget
            })
            .sum();
        let next = load + whole * blackout + interference;
        if next == w {
            return Some(w);
        }
        w = next;
    }
    None
}

fn servers() -> impl Strategy<Value = Vec<RawServer>> {
    let kind = prop::sample::select(vec![
        ServerKind::Periodic,
        ServerKind::Deferrable,
        ServerKind::Sporadic,
    ]);
    let task = (1_u64..5, 20_u64..120, 0_u64..10, 0_u64..4);
    let server = (kind, 1_u64..6, 6_u64..25, prop::collection::vec(task, 1..4))
        .prop_map(|(kind, budget, period, tasks)| RawServer { kind, budget, period, tasks });
    prop::collection::vec(server, 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
    #[test]
    fn composition_equals_the_printed_equations(servers in servers()) {
        let system = system(&servers);
        let bounds = monotonic_bounds(&system);
        let mut task = 0;
        for (rank, server) in servers.iter().enumerate() {
            let guaranteed = server_is_schedulable(&servers[..rank], server);
            for (index, &(_, period, jitter, _)) in server.tasks.iter().enumerate() {
                let found = bounds.task(TaskId(task)).bound().map(Duration::as_ns);
                task += 1;
                if !guaranteed {
                    prop_assert_eq!(found, None);
                    continue;
                }
                let Some(w) = davis_burns(&servers[..rank], server, index) else { continue };
                // R = w + J_i with J_i = J + T_S - C_S, while the busy window has one job.
                let one_job = w + (server.period - server.budget) + jitter;
                if one_job <= period {
                    prop_assert_eq!(found, Some(one_job));
                } else if let Some(found) = found {
                    prop_assert!(found >= one_job);
                }
            }
        }
    }
}
