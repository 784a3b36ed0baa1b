//! Priorities on a supply: random ones with ties, or the monotonic orders resolved.

use super::Draft;
use vorrang_model::system::{Member, Priority, Scheduler, ServerKind, SupplyId, SupplyKind};
use vorrang_time::Duration;

impl Draft {
    /// Gives every member of a fixed-priority supply its priority.
    pub(super) fn order(&mut self, supply: SupplyId) {
        let scheduler = self.system.supply(supply).scheduler;
        if !matches!(scheduler, Scheduler::FixedPriority | Scheduler::Linux) {
            return;
        }
        let mut members = self.system.supply(supply).members.clone();
        // Under Linux these come first anyway.
        members.retain(|&member| !self.goes_by_deadline(member));
        let lengths: Vec<Duration> = match self.random.below(10) {
            // Linux knows no monotonic orders.
            _ if scheduler == Scheduler::Linux => return self.random_order(&members),
            // Where pseudo-VCPUs stand among them, ties are what matters.
            0..=6 if self.manner.is_of_guests() => return self.random_order(&members),
            0..=4 => members.iter().map(|&member| self.period(member)).collect(),
            5..=6 => members.iter().map(|&member| self.deadline_or_period(member)).collect(),
            _ => return self.random_order(&members),
        };
        // Shorter is more urgent; of equal ones the first declared.
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by_key(|&place| (lengths[place], place));
        for (rank, &place) in order.iter().enumerate() {
            let priority = u32::try_from(members.len() - rank).expect("a handful of members");
            self.set_priority(members[place], Priority(priority));
        }
    }

    /// Random priorities from a range so small that some are equal.
    fn random_order(&mut self, members: &[Member]) {
        let most = u64::try_from(members.len()).expect("a handful") + self.random.below(3);
        for &member in members {
            let priority = u32::try_from(self.random.between(1, most)).expect("small");
            self.set_priority(member, Priority(priority));
        }
    }

    /// Time slices of equals on some supplies; elsewhere some queues of refills whose budget is a slice. Some of these
    /// have equals only now.
    pub(super) fn slices(&mut self) {
        for id in self.system.supply_ids() {
            let supply = self.system.supply(id);
            let by_priority =
                matches!(supply.scheduler, Scheduler::FixedPriority | Scheduler::Linux);
            if !by_priority || supply.serves_other {
                continue;
            }
            let members = supply.members.clone();
            let queue = |member: &Member| match *member {
                Member::Server(id) => {
                    let kind = self.system.supply(id).server_kind();
                    (kind == Some(ServerKind::RefillQueue)).then_some(id)
                }
                Member::Task(_) => None,
            };
            let queues: Vec<SupplyId> = members.iter().filter_map(queue).collect();
            let takes = self.random.chance(1, 4);
            let length = self.scale.draw_short(&mut self.random, 40);
            let length = self.units(length);
            if queues.is_empty() && takes {
                self.system.supplies[id.0].time_slice = Some(length);
            }
            for queue in queues {
                let server = self.system.supplies[queue.0].server_mut().expect("it is one");
                if self.random.chance(1, 3) {
                    server.period = server.budget;
                }
            }
            if takes && self.random.chance(1, 2) {
                let by_priority = |member: &&Member| !self.goes_by_deadline(**member);
                let members: Vec<Member> = members.iter().filter(by_priority).copied().collect();
                for member in members {
                    self.set_priority(member, Priority(1));
                }
            }
            // Which of them comes first is not defined, so no history has both.
            if self.system.pseudo_vcpu_beside_slices(id).is_some() {
                self.system.supplies[id.0].time_slice = None;
            }
        }
    }

    fn goes_by_deadline(&self, member: Member) -> bool {
        let Member::Server(id) = member else { return false };
        self.system.supply(id).server_kind() == Some(ServerKind::SchedDeadline)
    }

    fn set_priority(&mut self, member: Member, priority: Priority) {
        match member {
            Member::Task(id) => self.system.tasks[id.0].priority = priority,
            Member::Server(id) => match &mut self.system.supplies[id.0].kind {
                SupplyKind::Server(server) => server.priority = priority,
                SupplyKind::Level(level) => level.priority = priority,
                SupplyKind::Core | SupplyKind::Share(_) => {}
            },
        }
    }

    fn period(&self, member: Member) -> Duration {
        match member {
            Member::Task(id) => self.system.task(id).min_interarrival,
            Member::Server(id) => {
                let server = self.system.supply(id).server();
                server.map_or(Duration::RESOLUTION, |server| server.period)
            }
        }
    }

    fn deadline_or_period(&self, member: Member) -> Duration {
        match member {
            Member::Task(id) => self.system.task(id).deadline.unwrap_or(self.period(member)),
            Member::Server(_) => self.period(member),
        }
    }
}
