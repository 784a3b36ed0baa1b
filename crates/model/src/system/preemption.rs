//! How long less urgent work delays a member: sections that are stated, and jobs that are not interrupted.

use super::{Member, Preemption, Scheduler, System, TaskId};
use vorrang_time::Duration;

impl System {
    /// Longest time that less urgent work may delay a member, once per busy window.
    pub fn blocking(&self, member: Member) -> Duration {
        self.section(member) + self.held_up(member)
    }

    /// The part of it that is stated: sections of others, which are described by nothing else.
    pub fn section(&self, member: Member) -> Duration {
        match member {
            Member::Task(id) => self.task(id).blocking,
            Member::Server(id) => self.supply(id).blocking(),
        }
    }

    /// Whether a job of a task, once it has begun, keeps the time of its supply until it completes.
    pub fn keeps(&self, task: TaskId) -> bool {
        self.task(task).preemption == Preemption::None
    }

    /// The longest job of a less urgent task of the same supply that is not interrupted: where
    /// priority decides, it may have begun just before the member is ready.
    pub fn held_up(&self, member: Member) -> Duration {
        let supply = self.supply(self.on(member));
        let by_priority = matches!(supply.scheduler, Scheduler::FixedPriority | Scheduler::Linux);
        if !by_priority || self.comes_by_deadline(member) {
            return Duration::ZERO;
        }
        let own = self.priority(member);
        let jobs = supply.members.iter().filter_map(|&other| match other {
            Member::Task(id) if self.keeps(id) => Some(self.task(id)),
            _ => None,
        });
        let less_urgent = jobs.filter(|job| own.is_more_urgent_than(job.priority));
        less_urgent.map(|job| job.wcet).max().unwrap_or_default()
    }

    /// Whether Linux schedules it by its deadline, before all priorities.
    fn comes_by_deadline(&self, member: Member) -> bool {
        matches!(member, Member::Server(id) if self.supply(id).is_of_linux())
    }
}
