//! What runs during a tick, and which budgets are charged.

use super::kernel::Context;
use super::{Core, Job, Ran};
use vorrang_model::system::{Member, Priority, Scheduler, SupplyId, TaskId};
use vorrang_time::Duration;

/// The member that is chosen on one supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    Task(TaskId),
    Server(SupplyId),
    /// The pseudo-VCPU of the interrupt with this number.
    Pseudo(usize),
}

/// Position in the order of one supply; the least runs.
type Rank = (u8, u64, u64, usize);

/// Ranks of those that come before everything with a priority, and behind.
const FIRST: u8 = 0;
const CEILING: u8 = 1;
const BEFORE_DEADLINES: u8 = 2;
const NORMAL: u8 = 3;
const BACKGROUND: u8 = 4;

/// The way from the core down to what runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path {
    /// The member that is chosen on each supply, with that supply.
    pub(super) steps: Vec<(SupplyId, Chosen)>,
    pub(super) leaf: Ran,
}

impl Core<'_> {
    pub(super) fn path(&self) -> Path {
        let mut steps = Vec::new();
        let mut supply = self.id;
        let leaf = loop {
            if let Some(routine) = self.guests[supply.0].front() {
                break Ran::GuestRoutine(routine.interrupt);
            }
            let Some(chosen) = self.next_on(supply) else {
                break if supply == self.id { Ran::Idle } else { Ran::Idling(supply) };
            };
            steps.push((supply, chosen));
            match chosen {
                Chosen::Task(id) => break self.task_or_blocker(id),
                Chosen::Server(id) if self.is_held_up(id) => {
                    break Ran::Blocking(Member::Server(id));
                }
                Chosen::Server(id) => supply = id,
                Chosen::Pseudo(id) => supply = self.vcpu_of(id),
            }
        };
        Path { steps, leaf }
    }

    /// The part of a path that the core's scheduler has decided.
    pub(super) fn host_part(&self, path: &Path) -> Vec<(SupplyId, Chosen)> {
        path.steps.iter().copied().filter(|(supply, _)| self.is_of_host(*supply)).collect()
    }

    /// The context at the end of the path, seen from the host.
    pub(super) fn context(&self, path: &Path) -> Option<Context> {
        let last = self.host_part(path).last()?.1;
        if let Ran::Blocking(member) = path.leaf
            && self.is_of_host(self.system.on(member))
        {
            return Some(Context::Section(member));
        }
        match last {
            Chosen::Task(id) => Some(Context::Task(id)),
            Chosen::Pseudo(id) => Some(Context::Vcpu(self.vcpu_of(id))),
            Chosen::Server(id) => self.system.supply(id).vm.is_some().then_some(Context::Vcpu(id)),
        }
    }

    /// The decided entity runs for a tick, which is charged to everything on the path to it.
    pub(super) fn run_chosen(&mut self) -> Ran {
        let path = self.path();
        self.assert_decided(&path);
        let going_on = path.steps.iter().filter_map(|&(_, chosen)| match chosen {
            Chosen::Server(id) if path.leaf != Ran::Blocking(Member::Server(id)) => Some(id),
            _ => None,
        });
        self.stop_all_but(&going_on.collect::<Vec<_>>());
        if let Some(&(_, member)) = path.steps.first() {
            self.tick_of(member);
        }
        for &(supply, chosen) in &path.steps {
            if let Some(turns) = &mut self.turns[supply.0] {
                turns.use_tick();
            }
            self.use_slice(supply, chosen);
            match chosen {
                Chosen::Task(_) => {}
                Chosen::Server(id) if path.leaf == Ran::Blocking(Member::Server(id)) => {}
                Chosen::Server(id) => self.servers[id.0].as_mut().expect("chosen").pay(),
                Chosen::Pseudo(id) => self.pay_pseudo(id),
            }
        }
        let context = self.context(&path);
        self.last.vcpu = matches!(context, Some(Context::Vcpu(_)));
        let pseudo = path.steps.iter().filter_map(|(_, chosen)| match chosen {
            Chosen::Pseudo(id) => Some(*id),
            _ => None,
        });
        self.last.pseudo = pseudo.collect();
        let progress = match path.leaf {
            Ran::Idle | Ran::Idling(_) => 0,
            _ => self.progress(context),
        };
        match path.leaf {
            Ran::Task(id) => {
                self.tasks[id.0].left -= progress;
                if self.system.keeps(id) {
                    self.kept[self.system.task(id).on.0] = Some(id);
                }
            }
            Ran::GuestRoutine(_) => {
                let (_, last) = path.steps.last().expect("a virtual processor");
                self.work_on_guest_routine(*last, progress);
            }
            Ran::Blocking(_) => self.work_on_section(progress),
            _ => {}
        }
        path.leaf
    }

    /// The task's job, or the less urgent work that precedes it.
    fn task_or_blocker(&self, id: TaskId) -> Ran {
        let job = Some(self.tasks[id.0].number());
        match &self.blocker {
            Some(blocker)
                if blocker.member == Member::Task(id) && blocker.job == job && blocker.left > 0 =>
            {
                Ran::Blocking(Member::Task(id))
            }
            _ => Ran::Task(id),
        }
    }

    pub(super) fn next_on(&self, supply: SupplyId) -> Option<Chosen> {
        let members = &self.system.supply(supply).members;
        let chosen = |member: Member| match member {
            Member::Task(id) => Chosen::Task(id),
            Member::Server(id) => Chosen::Server(id),
        };
        if let Some(turns) = &self.turns[supply.0] {
            return turns.current.map(|place| chosen(members[place]));
        }
        let ready = members.iter().enumerate().filter(|&(_, &member)| self.place(member).ready);
        let ready =
            ready.map(|(declared, &member)| (self.rank(supply, declared, member), chosen(member)));
        let pseudo = self.pseudo_on(supply).filter(|&id| self.pseudo_place(id).ready);
        let pseudo = pseudo.map(|id| (self.rank_of_pseudo(id, supply), Chosen::Pseudo(id)));
        let first = ready.chain(pseudo).min_by_key(|(rank, _)| *rank).map(|(rank, chosen)| {
            // A job that has begun and is not interrupted.
            let begun = self.kept[supply.0].filter(|_| rank.0 != FIRST).map(Chosen::Task);
            begun.unwrap_or(chosen)
        });
        first.filter(|&chosen| !self.is_throttled(supply, chosen))
    }

    fn rank(&self, supply: SupplyId, declared: usize, member: Member) -> Rank {
        match self.system.supply(supply).scheduler {
            Scheduler::Edf => return (NORMAL, self.deadline(member), 0, declared),
            Scheduler::Linux if self.is_linux_server(member) => {
                return (FIRST, self.deadline(member), 0, declared);
            }
            _ => {}
        }
        let since = self.place(member).since;
        match member {
            _ if self.place(member).background => (BACKGROUND, 0, since, declared),
            _ => (NORMAL, descending(self.priority(member)), since, declared),
        }
    }

    /// Behind the members of the same priority and instant; before all that go by deadline.
    fn rank_of_pseudo(&self, id: usize, on: SupplyId) -> Rank {
        let (since, supply) = (self.pseudo_place(id).since, self.system.supply(on));
        let stated = if supply.scheduler == Scheduler::Edf { BEFORE_DEADLINES } else { NORMAL };
        let members = supply.members.len();
        match self.pseudo_priority(id) {
            Some(priority) => (stated, descending(priority), since, members + id),
            None => (CEILING, self.pseudo_period(id), 0, members + id),
        }
    }

    pub(super) fn deadline_of_job(&self, task: TaskId, job: Job) -> u64 {
        let deadline = self.system.task(task).deadline;
        deadline.map_or(u64::MAX, |deadline| job.arrival + Duration::as_ns(deadline))
    }

    fn deadline(&self, member: Member) -> u64 {
        match member {
            Member::Task(id) => {
                let job =
                    self.tasks[id.0].pending(self.now).expect("only ready members are ranked");
                self.deadline_of_job(id, *job)
            }
            Member::Server(id) => self.server(id).edf_deadline(),
        }
    }
}

fn descending(priority: Priority) -> u64 {
    u64::from(u32::MAX - priority.0)
}
