//! The server of `SCHED_OTHER`: a `SCHED_DEADLINE` server of Linux on every processor.
//!
//! **Model.** A supply under Linux has one server more than its description declares, of kind
//! [`ServerKind::SchedDeadline`], unless it is turned off. A best-effort task in it represents
//! all threads of `SCHED_OTHER`: a context of its own, which may be a virtual processor. From 7.0 on there is another such
//! server for the threads of a loaded scheduler of `sched_ext`.
//!
//! Theory: docs/theory/fair-server.md, also why it is not deferred here, as the kernel tries to.

use super::{
    Member, Scheduler, Server, ServerRule, Supply, SupplyId, SupplyKind, System, Task, TaskId,
};
use vorrang_time::Duration;

/// With what the names of the kernel's servers end.
const FAIR: &str = "fair-server";
const EXT: &str = "ext-server";

/// The server of `SCHED_OTHER`, or of `sched_ext`, on one supply under Linux.
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
        self.add_kept(on, fair, (FAIR, "SCHED_OTHER"));
    }

    /// The same for the server of `sched_ext`.
    pub fn add_ext_server(&mut self, on: SupplyId, ext: FairServer) {
        self.add_kept(on, ext, (EXT, "SCHED_EXT"));
    }

    fn add_kept(&mut self, on: SupplyId, fair: FairServer, (word, class): (&str, &str)) {
        let FairServer { budget, period } = fair;
        debug_assert!(self.supply(on).scheduler == Scheduler::Linux);
        let (id, task) = (SupplyId(self.supplies.len()), TaskId(self.tasks.len()));
        let parent = self.supply(on).name.clone();
        let name = format!("{parent}/{word}");
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
            name: format!("{parent}/{class}"),
            on: id,
            wcet: budget,
            min_interarrival: period,
            ..Task::default()
        });
    }

    /// The server of `SCHED_OTHER` on a supply, if it has one.
    pub fn fair_server(&self, on: SupplyId) -> Option<FairServer> {
        self.kept_of(self.supply(on), FAIR)
    }

    /// The server of `sched_ext` on a supply, if it has one.
    pub fn ext_server(&self, on: SupplyId) -> Option<FairServer> {
        self.kept_of(self.supply(on), EXT)
    }

    /// The servers of `SCHED_OTHER` and of `sched_ext` of a supply itself.
    pub(crate) fn kept_on(&self, supply: &Supply) -> [Option<FairServer>; 2] {
        [FAIR, EXT].map(|word| self.kept_of(supply, word))
    }

    fn kept_of(&self, supply: &Supply, word: &str) -> Option<FairServer> {
        let servers = supply.members.iter().filter_map(|member| match *member {
            Member::Server(id) => Some(self.supply(id)),
            Member::Task(_) => None,
        });
        let is_it = |own: &&Supply| own.serves_other && own.name.ends_with(word);
        let mut fair = servers.filter(is_it);
        let Server { budget, period, .. } = fair.next()?.server()?;
        Some(FairServer { budget: *budget, period: *period })
    }

    /// Whether a task stands for `SCHED_OTHER`, or `sched_ext`, and was not declared.
    pub fn is_other(&self, id: TaskId) -> bool {
        self.supply(self.task(id).on).serves_other
    }
}
