//! The server of `SCHED_OTHER`: a `SCHED_DEADLINE` server of Linux on every processor.
//!
//! **Model.** A supply under Linux has one server more than its description declares, of kind
//! [`ServerKind::SchedDeadline`], unless it is turned off. A best-effort task in it represents
//! all threads of `SCHED_OTHER`: a context of its own, which may be a virtual processor.
//!
//! Theory: docs/theory/fair-server.md, also why it is not deferred here, as the kernel tries to.

use super::{
    Member, Scheduler, Server, ServerRule, Supply, SupplyId, SupplyKind, System, Task, TaskId,
};
use vorrang_time::Duration;

/// The server of `SCHED_OTHER` on one supply under Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FairServer {
    /// Time in every period.
    pub budget: Duration,
    /// Its period, and its relative deadline.
    pub period: Duration,
}

impl FairServer {
    /// That of Linux from 6.12 on, where it was not changed.
    pub const OF_LINUX: Self =
        Self { budget: Duration::from_ms(50), period: Duration::from_ms(1000) };
}

impl System {
    /// Puts the server of `SCHED_OTHER` on a supply under Linux, after everything that is there.
    pub fn add_fair_server(&mut self, on: SupplyId, fair: FairServer) {
        let FairServer { budget, period } = fair;
        debug_assert!(self.supply(on).scheduler == Scheduler::Linux);
        let (id, task) = (SupplyId(self.supplies.len()), TaskId(self.tasks.len()));
        let parent = self.supply(on).name.clone();
        let name = format!("{parent}/fair-server");
        self.supplies[on.0].members.push(Member::Server(id));
        let rule = ServerRule::SchedDeadline { deadline: None, reclaims: false };
        self.supplies.push(Supply {
            kind: SupplyKind::Server(Server { on, rule, budget, period, ..Server::default() }),
            members: vec![Member::Task(task)],
            vm: Some(name.clone()),
            serves_other: true,
            name,
            ..Supply::default()
        });
        self.tasks.push(Task {
            name: format!("{parent}/SCHED_OTHER"),
            on: id,
            wcet: budget,
            min_interarrival: period,
            ..Task::default()
        });
    }

    /// The server of `SCHED_OTHER` on a supply, if it has one.
    pub fn fair_server(&self, on: SupplyId) -> Option<FairServer> {
        self.fair_server_of(self.supply(on))
    }

    /// The same of a supply itself.
    pub(crate) fn fair_server_of(&self, supply: &Supply) -> Option<FairServer> {
        let servers = supply.members.iter().filter_map(|member| match *member {
            Member::Server(id) => Some(self.supply(id)),
            Member::Task(_) => None,
        });
        let mut fair = servers.filter(|supply| supply.serves_other);
        let Server { budget, period, .. } = fair.next()?.server()?;
        Some(FairServer { budget: *budget, period: *period })
    }

    /// Whether a task stands for `SCHED_OTHER` and was not declared.
    pub fn is_other(&self, id: TaskId) -> bool {
        self.supply(self.task(id).on).serves_other
    }
}
