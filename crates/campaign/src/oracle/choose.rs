//! What runs during a tick, and what it is charged to.

use super::server::{Refill, ServerState};
use super::{Core, Job, Ran};
use vorrang_model::system::{InterruptId, Member, Scheduler, ServerKind, SupplyId, TaskId};
use vorrang_time::Duration;

/// Position in the order of one supply; the least runs.
type Rank = (u64, u64, usize);

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
                Some(Member::Task(id)) => return self.run_task(id),
                Some(Member::Server(id)) => {
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

    /// The task's job, or the less urgent work that precedes it.
    fn run_task(&mut self, id: TaskId) -> Ran {
        let job = self.tasks[id.0].pending(self.now).copied();
        match &mut self.blocker {
            Some(blocker) if blocker.task == id && blocker.job == job && blocker.left > 0 => {
                blocker.left -= 1;
                Ran::Blocking(id)
            }
            _ => {
                self.tasks[id.0].left -= 1;
                Ran::Task(id)
            }
        }
    }

    fn next_on(&self, supply: SupplyId) -> Option<Member> {
        let members = self.system.supply(supply).members.iter().enumerate();
        let ready = members.filter(|&(_, &member)| self.place(member).ready);
        let next = ready.min_by_key(|&(declared, &member)| self.rank(supply, declared, member));
        next.map(|(_, member)| *member)
    }

    fn rank(&self, supply: SupplyId, declared: usize, member: Member) -> Rank {
        if self.system.supply(supply).scheduler == Scheduler::Edf {
            return (self.deadline(member), 0, declared);
        }
        let urgency = u64::from(u32::MAX - self.priority(member).0);
        (urgency, self.place(member).since, declared)
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

    fn charge(&mut self, id: SupplyId) {
        let server = self.servers[id.0].as_mut().expect("it was chosen");
        if server.kind != ServerKind::Slot {
            server.budget -= 1;
        }
        if server.kind == ServerKind::Sporadic {
            server.consume_refill();
        }
    }
}

impl ServerState {
    /// One tick of the refill that could be used first; it comes back one period after that.
    fn consume_refill(&mut self) {
        let first = self.refills.iter_mut().min_by_key(|refill| refill.time);
        let first = first.expect("the amounts sum to a full budget");
        first.amount -= 1;
        let time = first.time + self.period;
        self.refills.retain(|refill| refill.amount > 0);
        self.refills.push(Refill { time, amount: 1 });
    }
}
