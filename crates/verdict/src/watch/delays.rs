//! How long members of a scheduler of turns wait for their next one.
//!
//! **Model.** A member of a core or a guest that takes turns (virtual-time round-robin and the like) *waits* from the
//! release of a job of it, or from the end of its turn if there is more to do, until something in it runs again. A task
//! belongs to each such member that it is in. The longest wait of a virtual machine is its delay in R. Kaiser, *Empirische
//! Ermittlung Cache-bedingter Umschaltverluste*, 2008.
//!
//! **Does not cover** work of a guest's service routines while no job waits: it ends a wait, and begins none.

use vorrang_model::System;
use vorrang_model::system::{InterruptId, Member, SupplyId, TaskId};
use vorrang_sim::{Job, Observer, Running, Source};
use vorrang_time::{Duration, Instant};

/// What was seen of one member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delay {
    /// The task or server that waits.
    pub member: Member,
    /// The longest wait, of those that are over and the one that is not.
    pub longest: Duration,
    /// Waits that are over.
    pub waits: u64,
    /// What a turn of the scheduler lasts.
    pub quantum: Duration,
    /// Jobs that are not complete.
    pending: u64,
    /// Since when it waits.
    since: Option<Instant>,
}

/// The waits of one run of one core.
pub struct Delays {
    /// In the order of declaration: members that take turns.
    pub members: Vec<Delay>,
    /// By task: the places of the members that it is in.
    of_task: Vec<Vec<usize>>,
    /// By interrupt: those of the guest that it is delivered to.
    of_routine: Vec<Vec<usize>>,
    /// By supply: those that it is or is in.
    of_supply: Vec<Vec<usize>>,
}

impl Delay {
    /// Of the member.
    pub fn name<'s>(&self, system: &'s System) -> &'s str {
        match self.member {
            Member::Task(id) => &system.task(id).name,
            Member::Server(id) => &system.supply(id).name,
        }
    }
}

impl Delays {
    /// Nothing seen yet on this core.
    pub fn of_core(system: &System, core: SupplyId) -> Self {
        let mut members = Vec::new();
        let places = |members: &[Delay], member: Member| {
            members.iter().position(|delay| delay.member == member)
        };
        for (index, supply) in system.supplies.iter().enumerate() {
            if supply.scheduler.takes_turns() && system.core_of(SupplyId(index)) == core {
                members.extend(supply.members.iter().map(|&member| Delay {
                    member,
                    longest: Duration::ZERO,
                    waits: 0,
                    quantum: supply.quantum,
                    pending: 0,
                    since: None,
                }));
            }
        }
        let of_supply = |supply: SupplyId| {
            let mut found = Vec::new();
            let mut at = Some(supply);
            while let Some(id) = at {
                found.extend(places(&members, Member::Server(id)));
                at = system.supply(id).on();
            }
            found
        };
        let of_task = |(index, task): (usize, &vorrang_model::system::Task)| {
            let mut found: Vec<usize> =
                places(&members, Member::Task(TaskId(index))).into_iter().collect();
            found.extend(of_supply(task.on));
            found
        };
        let of_routine = |interrupt: &vorrang_model::system::Interrupt| {
            interrupt.delivery.as_ref().map_or_else(Vec::new, |to| of_supply(to.vcpu))
        };
        Self {
            of_task: system.tasks.iter().enumerate().map(of_task).collect(),
            of_routine: system.interrupts.iter().map(of_routine).collect(),
            of_supply: (0..system.supplies.len()).map(|index| of_supply(SupplyId(index))).collect(),
            members,
        }
    }

    /// The members that something which runs is in.
    fn running(&self, what: Running) -> &[usize] {
        match what {
            Running::Task(TaskId(index)) => &self.of_task[index],
            Running::GuestRoutine(InterruptId(index)) => &self.of_routine[index],
            Running::Idling(SupplyId(index)) => &self.of_supply[index],
            _ => &[],
        }
    }

    fn jobs(&mut self, job: &Job, change: impl Fn(&mut Delay)) {
        let Source::Task(TaskId(index)) = job.source else { return };
        for &place in &self.of_task[index] {
            change(&mut self.members[place]);
        }
    }
}

impl Observer for Delays {
    #[inline]
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        if self.members.is_empty() {
            return;
        }
        for nth in 0..self.running(what).len() {
            let place = self.running(what)[nth];
            let delay = &mut self.members[place];
            if let Some(since) = delay.since.take() {
                let waited = from.saturating_since(since);
                delay.longest = delay.longest.max(waited);
                delay.waits += u64::from(!waited.is_zero());
            }
            delay.since = (delay.pending > 0).then_some(to);
        }
    }

    fn released(&mut self, job: &Job) {
        self.jobs(job, |delay| {
            delay.pending += 1;
            delay.since.get_or_insert(job.release);
        });
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        self.jobs(job, |delay| {
            delay.pending = delay.pending.saturating_sub(1);
            // Told before the interval in which it ran, or right after it: then no wait began there.
            if delay.pending == 0 && delay.since == Some(at) {
                delay.since = None;
            }
        });
    }

    fn ended(&mut self, at: Instant) {
        for delay in &mut self.members {
            if let Some(since) = delay.since {
                delay.longest = delay.longest.max(at.saturating_since(since));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vorrang_model::{Format, read};
    use vorrang_sim::{Pattern, simulate};

    /// Shares of three virtual machines, and the waits in slices that their cycles ABCA, ABCABA have.
    #[test]
    fn machines_wait_for_as_many_slices_as_their_cycle_has_between_their_turns() {
        for (shares, waits) in [([2, 1, 1], [2, 3, 3]), ([3, 2, 1], [2, 2, 5])] {
            let mut text =
                "version = 1\n[core.0]\nscheduler = \"vtrr\"\nquantum = \"1ms\"\n".to_owned();
            for (name, share) in ["a", "b", "c"].into_iter().zip(shares) {
                let member = format!(
                    "[vcpu.{name}]\non = \"core.0\"\nserver = \"share\"\nshare = {share}\n\
                     [task.{name}]\non = \"vcpu.{name}\"\nwcet = \"1s\"\nperiod = \"1s\"\n\
                     deadline = \"none\"\npriority = 1\n"
                );
                text += &member;
            }
            let system = read(text.as_bytes(), Format::Toml).unwrap();
            let history = Pattern::parse("synchronous", &system)
                .unwrap()
                .history(&system, SupplyId(0))
                .unwrap();
            let mut delays = Delays::of_core(&system, SupplyId(0));
            let end = Instant::ZERO + Duration::from_ms(500);
            simulate(&system, SupplyId(0), &history, end, &mut delays).unwrap();
            let longest: Vec<Duration> = delays.members.iter().map(|own| own.longest).collect();
            assert_eq!(longest, waits.map(Duration::from_ms), "{shares:?}");
            assert!(delays.members.iter().all(|own| own.waits > 50));
        }
    }

    /// A member that completes its work does not wait, and is not told of cores without turns.
    #[test]
    fn only_what_has_work_waits_and_only_for_turns() {
        let task = |name: &str, wcet: u64| {
            format!("[task.{name}]\non = \"core.0\"\nwcet = \"{wcet}ms\"\nperiod = \"100ms\"\n")
        };
        let turns = "version = 1\n[core.0]\nscheduler = \"round-robin\"\nquantum = \"1ms\"\n";
        let text = turns.to_owned() + &task("a", 3) + &task("b", 1);
        let system = read(text.as_bytes(), Format::Toml).unwrap();
        let history =
            Pattern::parse("synchronous", &system).unwrap().history(&system, SupplyId(0)).unwrap();
        let mut delays = Delays::of_core(&system, SupplyId(0));
        let end = Instant::ZERO + Duration::from_ms(1_000);
        simulate(&system, SupplyId(0), &history, end, &mut delays).unwrap();
        let seen: Vec<(Duration, u64)> =
            delays.members.iter().map(|own| (own.longest, own.waits)).collect();
        // a runs, b runs and is done, a goes on: each waits once in each of ten periods.
        assert_eq!(seen, [(Duration::from_ms(1), 10), (Duration::from_ms(1), 10)]);
        let text = "version = 1\n[core.0]\nscheduler = \"edf\"\n[task.a]\non = \"core.0\"\nwcet = \"1ms\"\nperiod = \"9ms\"\n";
        let system = read(text.as_bytes(), Format::Toml).unwrap();
        assert!(Delays::of_core(&system, SupplyId(0)).members.is_empty());
    }
}
