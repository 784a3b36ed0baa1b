//! The ready members of a supply: by urgency, or by turns.

use vorrang_mechanisms::scheduler::turns::{AnyTurns, RoundRobin, Stride, Turns, Vtrr};
use vorrang_mechanisms::scheduler::{Key, ReadyQueue};
use vorrang_model::system::{Member, Scheduler, Supply, System};
use vorrang_time::Duration;

/// Who is ready, and whose turn it is if the members take turns.
#[derive(Clone, Debug)]
pub(crate) struct ReadyMembers {
    queue: ReadyQueue,
    turns: Option<AnyTurns>,
}

impl ReadyMembers {
    /// Nobody is ready of so many members.
    pub(crate) fn new(members: usize) -> Self {
        Self { queue: ReadyQueue::with_capacity(members), turns: None }
    }

    /// As at the start: nobody is ready, and nobody had a turn.
    pub(crate) fn reset(&mut self, system: &System, supply: &Supply) {
        self.queue.clear();
        self.turns = turns(system, supply);
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The most urgent key.
    #[inline]
    pub(crate) fn first(&self) -> Option<Key> {
        self.queue.first()
    }

    /// The member that runs when the supply has time.
    #[inline]
    pub(crate) fn chosen(&self) -> Option<u32> {
        match &self.turns {
            None => self.queue.first().map(Key::member),
            Some(turns) => turns.current(),
        }
    }

    /// What is left of the turn, if members take turns.
    #[inline]
    pub(crate) fn turn(&self) -> Option<Duration> {
        self.turns.as_ref().map(Turns::left)
    }

    #[inline]
    pub(crate) fn insert(&mut self, key: Key) {
        self.queue.insert(key);
        if let Some(turns) = &mut self.turns {
            turns.join(key.member());
        }
    }

    #[inline]
    pub(crate) fn remove(&mut self, member: u32) {
        self.queue.remove(member);
        if let Some(turns) = &mut self.turns {
            turns.leave(member);
        }
    }

    /// Whoever has the turn used so much of it; whether it is over.
    pub(crate) fn consume(&mut self, amount: Duration) -> bool {
        self.turns.as_mut().is_some_and(|turns| {
            turns.consume(amount);
            turns.current().is_none()
        })
    }

    /// After the events of an instant: the next turn begins if none goes on.
    #[inline]
    pub(crate) fn settle(&mut self) {
        if let Some(turns) = &mut self.turns {
            turns.settle();
        }
    }
}

/// The turns of a supply, if its members take them.
fn turns(system: &System, supply: &Supply) -> Option<AnyTurns> {
    if !supply.scheduler.takes_turns() {
        return None;
    }
    let share = |&member: &Member| match member {
        Member::Task(id) => system.task(id).share,
        Member::Server(id) => system.supply(id).server.as_ref().map_or(1, |server| server.share),
    };
    let shares: Vec<u32> = supply.members.iter().map(share).collect();
    let quantum = supply.quantum;
    Some(match supply.scheduler {
        Scheduler::Vtrr => AnyTurns::Vtrr(Vtrr::new(quantum, &shares)),
        Scheduler::Stride => AnyTurns::Stride(Stride::new(quantum, &shares)),
        Scheduler::WeightedRoundRobin => {
            AnyTurns::WeightedRoundRobin(RoundRobin::weighted(quantum, &shares))
        }
        _ => AnyTurns::RoundRobin(RoundRobin::new(quantum, shares.len())),
    })
}
