//! What runs during a tick, and what it is charged to.

use super::{Blocker, Core, Job, Ran};
use vorrang_model::system::{InterruptId, Member, Scheduler, ServerKind, SupplyId, TaskId};
use vorrang_time::Duration;

/// Position in the order of one supply; the least runs.
type Rank = (u64, u64, usize);

/// What may run on a supply.
#[derive(Clone, Copy)]
enum Choice {
    Member(Member),
    Blocker,
}

impl Core<'_> {
    /// The core gives the tick away; everything on the way down is charged.
    pub(super) fn choose_and_charge(&mut self) -> Ran {
        if let Some(id) = self.next_interrupt() {
            self.interrupts[id].left -= 1;
            return Ran::Interrupt(InterruptId(id));
        }
        let mut supply = self.id;
        loop {
            match self.next_on(supply) {
                None if supply == self.id => return Ran::Idle,
                None => return Ran::Idling(supply),
                Some(Choice::Blocker) => {
                    let blocker = self.blocker.as_mut().expect("it was chosen");
                    blocker.left -= 1;
                    return Ran::Blocking(blocker.task);
                }
                Some(Choice::Member(Member::Task(id))) => {
                    self.tasks[id.0].left -= 1;
                    return Ran::Task(id);
                }
                Some(Choice::Member(Member::Server(id))) => {
                    self.charge(id);
                    supply = id;
                }
            }
        }
    }

    /// First come, first served; simultaneous ones in the order of declaration.
    fn next_interrupt(&self) -> Option<usize> {
        let pending = self.interrupts.iter().enumerate();
        let pending =
            pending.filter_map(|(id, queue)| Some((queue.pending(self.now)?.release, id)));
        pending.min().map(|(_, id)| id)
    }

    fn next_on(&self, supply: SupplyId) -> Option<Choice> {
        let members = self.system.supply(supply).members.iter().enumerate();
        let ready = members.filter(|&(_, &member)| self.place(member).ready);
        let ranked = ready.map(|(declared, &member)| {
            (self.rank(supply, declared, member), Choice::Member(member))
        });
        let blocker =
            self.blocking_on(supply).map(|blocker| (self.blocker_rank(blocker), Choice::Blocker));
        ranked.chain(blocker).min_by_key(|(rank, _)| *rank).map(|(_, choice)| choice)
    }

    /// Declared positions count from one: zero is the blocker's.
    fn rank(&self, supply: SupplyId, declared: usize, member: Member) -> Rank {
        if self.system.supply(supply).scheduler == Scheduler::Edf {
            return (self.deadline(member), 0, declared + 1);
        }
        let urgency = u64::from(u32::MAX - self.priority(member).0);
        (urgency, self.place(member).since, declared + 1)
    }

    /// Before the job that it holds up, after everything more urgent.
    fn blocker_rank(&self, blocker: &Blocker) -> Rank {
        let task = self.system.task(blocker.task);
        match (self.system.supply(task.on).scheduler, blocker.job) {
            (Scheduler::Edf, Some(job)) => (self.deadline_of_job(blocker.task, job), 0, 0),
            _ => (u64::from(u32::MAX - task.priority.0), blocker.at, 0),
        }
    }

    fn deadline_of_job(&self, task: TaskId, job: Job) -> u64 {
        job.arrival + self.system.task(task).deadline.map_or(0, Duration::as_ns)
    }

    fn deadline(&self, member: Member) -> u64 {
        match member {
            Member::Task(id) => {
                let job =
                    self.tasks[id.0].pending(self.now).expect("only ready members are ranked");
                self.deadline_of_job(id, *job)
            }
            Member::Server(id) => self.server(id).deadline,
        }
    }

    /// Whether a member that was ready just before is at least as urgent as a job released now.
    pub(super) fn at_least_as_urgent(&self, member: Member, task: TaskId, job: Job) -> bool {
        if self.system.supply(self.system.task(task).on).scheduler != Scheduler::Edf {
            return !self.system.task(task).priority.is_more_urgent_than(self.priority(member));
        }
        let deadline = self.deadline_of_job(task, job);
        match member {
            Member::Task(id) => self.tasks[id.0]
                .running_until(self.now)
                .any(|other| self.deadline_of_job(id, *other) <= deadline),
            Member::Server(id) => self.server(id).deadline <= deadline,
        }
    }

    /// The blocker while it is there and on this supply.
    pub(super) fn blocking_on(&self, supply: SupplyId) -> Option<&Blocker> {
        let blocker = self.blocker.as_ref()?;
        let here = self.system.task(blocker.task).on == supply;
        (here && blocker.job.is_some() && blocker.left > 0).then_some(blocker)
    }

    fn charge(&mut self, id: SupplyId) {
        let server = self.servers[id.0].as_mut().expect("it was chosen");
        if server.kind != ServerKind::Slot {
            server.budget -= 1;
        }
        if let Some(activation) = &mut server.activation {
            activation.consumed += 1;
        }
    }
}
