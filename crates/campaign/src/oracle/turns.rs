//! Supplies whose members take turns, naively: everything is recomputed at every instant.

use super::fraction::Fraction;
use vorrang_model::system::{Member as Of, Scheduler, SupplyId, System};

/// One member, by its place in the order of declaration.
#[derive(Clone, Debug)]
struct Member {
    share: u64,
    ready: bool,
    /// Turns in the cycle still to come (weighted round robin: in a row).
    counter: u64,
    /// The cycle in which it left, with its counter then.
    left_in: Option<u64>,
    /// Virtual finishing time; `None` before its first joining.
    finish: Option<Fraction>,
}

/// The turns of one supply.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    scheduler: Scheduler,
    quantum: u64,
    members: Vec<Member>,
    /// The ready members in the order of the ring.
    ring: Vec<usize>,
    /// Where in the ring the member whose turn it is or was last stands; where it stood, if it
    /// has left.
    at: usize,
    /// The member whose turn it is or was last.
    last: Option<usize>,
    /// The member whose turn it is.
    pub(super) current: Option<usize>,
    /// The used part of the turn.
    used: u64,
    /// Virtual time of the whole.
    time: Fraction,
    cycle: u64,
    /// A turn is over since the last decision.
    pub(super) ended: bool,
}

/// The turns of a supply, if its members take turns.
pub(super) fn of(system: &System, id: SupplyId) -> Option<Turns> {
    let supply = system.supply(id);
    let share = |member: &Of| match *member {
        Of::Task(id) => u64::from(system.task(id).share),
        Of::Server(id) => system.supply(id).kind.weight().map_or(1, u64::from),
    };
    let shares: Vec<u64> = supply.members.iter().map(share).collect();
    let takes_turns = supply.scheduler.takes_turns();
    takes_turns.then(|| Turns::new(supply.scheduler, supply.quantum.as_ns(), &shares))
}

impl Turns {
    fn new(scheduler: Scheduler, quantum: u64, shares: &[u64]) -> Self {
        let member =
            |&share: &u64| Member { share, ready: false, counter: 0, left_in: None, finish: None };
        Self {
            scheduler,
            quantum,
            members: shares.iter().map(member).collect(),
            ring: Vec::new(),
            at: 0,
            last: None,
            current: None,
            used: 0,
            time: Fraction::ZERO,
            cycle: 0,
            ended: false,
        }
    }

    fn sum_of_shares(&self) -> u64 {
        self.ready().map(|id| self.members[id].share).sum()
    }

    fn ready(&self) -> impl Iterator<Item = usize> {
        (0..self.members.len()).filter(|&id| self.members[id].ready)
    }

    /// The ready members, largest share first.
    fn list(&self) -> Vec<usize> {
        let mut list: Vec<usize> = self.ready().collect();
        list.sort_by_key(|&id| (u64::MAX - self.members[id].share, id));
        list
    }

    /// One tick of the turn is used.
    pub(super) fn use_tick(&mut self) {
        let Some(current) = self.current else { unreachable!("only a turn is used") };
        self.used += 1;
        let whole = self.sum_of_shares();
        self.time = self.time + Fraction::of(1, whole);
        let member = &mut self.members[current];
        let finish = member.finish.expect("it has joined");
        member.finish = Some(finish + Fraction::of(1, member.share));
    }

    /// Step 2: the turn ends when a whole quantum is used.
    pub(super) fn end(&mut self) {
        self.ended = false;
        if let Some(current) = self.current.filter(|_| self.used == self.quantum) {
            self.ended = true;
            self.current = None;
            self.used = 0;
            let member = &mut self.members[current];
            if self.scheduler != Scheduler::RoundRobin && self.scheduler != Scheduler::Stride {
                member.counter -= 1;
            }
        }
    }

    /// Step 5: the members that are ready now, and those that briefly were not.
    pub(super) fn settle(&mut self, ready: &[(bool, bool)]) {
        for (id, &(ready, slept)) in ready.iter().enumerate() {
            if self.members[id].ready && (slept || !ready) {
                self.leave(id);
            }
        }
        for (id, &(ready, _)) in ready.iter().enumerate() {
            if ready && !self.members[id].ready {
                self.join(id);
            }
        }
        if self.current.is_none() {
            self.current = self.next();
            self.used = 0;
            if self.current.is_some() {
                self.last = self.current;
                let current = self.current;
                self.at = self.ring.iter().position(|&id| Some(id) == current).unwrap_or(0);
            }
        }
    }

    /// To multiples of 2^-32, as whenever a member leaves or joins.
    fn round_time(&mut self) {
        let parts = (self.time * Fraction::whole(1 << 32)).floor();
        self.time = Fraction::new(parts, 1 << 32);
    }

    fn leave(&mut self, id: usize) {
        self.round_time();
        let place = self.ring.iter().position(|&other| other == id).expect("it was ready");
        self.ring.remove(place);
        if place < self.at {
            self.at -= 1;
        }
        self.members[id].ready = false;
        self.members[id].left_in = Some(self.cycle);
        if self.current == Some(id) {
            self.current = None;
            self.used = 0;
        }
    }

    fn join(&mut self, id: usize) {
        self.round_time();
        self.ring.insert(self.at, id);
        self.at += 1;
        match self.scheduler {
            Scheduler::WeightedRoundRobin => self.members[id].counter = self.members[id].share,
            Scheduler::Vtrr => self.members[id].counter = self.counter_of_joining(id),
            _ => {}
        }
        self.members[id].ready = true;
        // Its own share does not change the time of the whole, only how fast it goes on.
        let member = &mut self.members[id];
        let first = self.time + Fraction::of(self.quantum, member.share);
        member.finish = Some(member.finish.map_or(first, |own| own.max(first)));
    }

    /// In proportion to what the others have left of the cycle, between its neighbours.
    fn counter_of_joining(&self, id: usize) -> u64 {
        let member = &self.members[id];
        let (shares, counters) = (self.sum_of_shares(), self.sum_of_counters());
        let mut counter = match shares {
            0 => member.share,
            // The nearest whole number, halves up.
            _ => (2 * member.share * counters + shares) / (2 * shares),
        };
        if member.left_in == Some(self.cycle) {
            counter = counter.min(member.counter);
        }
        if let Some(before) = self.before(id) {
            counter = counter.min(self.members[before].counter);
        }
        if let Some(after) = self.after(id) {
            // The one whose turn it is, or comes next even now, may have one more than the others.
            let comes_next = match (self.current, self.last) {
                (Some(current), _) => current == after,
                (None, Some(last)) => {
                    self.after(last) == Some(after) && self.key(id) <= self.key(last)
                }
                (None, None) => false,
            };
            let least = self.members[after].counter;
            counter = counter.max(least.saturating_sub(u64::from(comes_next)));
        }
        counter
    }

    fn key(&self, id: usize) -> (u64, usize) {
        (u64::MAX - self.members[id].share, id)
    }

    fn before(&self, id: usize) -> Option<usize> {
        self.list().into_iter().rfind(|&other| self.key(other) < self.key(id))
    }

    fn after(&self, id: usize) -> Option<usize> {
        self.list().into_iter().find(|&other| self.key(other) > self.key(id))
    }

    fn sum_of_counters(&self) -> u64 {
        self.ready().map(|id| self.members[id].counter).sum()
    }

    fn next(&mut self) -> Option<usize> {
        if self.ring.is_empty() {
            return None;
        }
        match self.scheduler {
            Scheduler::RoundRobin => Some(self.next_in_ring()),
            Scheduler::WeightedRoundRobin => Some(self.next_weighted()),
            Scheduler::Stride => self.ready().min_by_key(|&id| (self.members[id].finish, id)),
            Scheduler::Vtrr => Some(self.next_by_virtual_time()),
            _ => unreachable!("no turns are taken there"),
        }
    }

    /// After the last one, or what stands now where it stood.
    fn next_in_ring(&self) -> usize {
        let stays = self.ring.get(self.at).is_some_and(|&id| Some(id) == self.last);
        self.ring[(self.at + usize::from(stays)) % self.ring.len()]
    }

    fn next_weighted(&mut self) -> usize {
        let again = self.last.filter(|&last| {
            self.ring.get(self.at) == Some(&last) && self.members[last].counter > 0
        });
        again.unwrap_or_else(|| {
            let next = self.next_in_ring();
            self.members[next].counter = self.members[next].share;
            next
        })
    }

    fn next_by_virtual_time(&mut self) -> usize {
        let list = self.list();
        let first = list[0];
        if self.sum_of_counters() == 0 {
            for &id in &list {
                self.members[id].counter = self.members[id].share;
            }
            self.cycle += 1;
            return first;
        }
        let Some(place) = self.last else { return first };
        let Some(next) = self.after(place) else { return first };
        let before = self.before(next).map(|before| self.members[before].counter);
        let member = &self.members[next];
        let coming = self.time + Fraction::of(self.quantum, self.sum_of_shares());
        let behind = member.finish.expect("it has joined") - coming;
        let due = behind < Fraction::of(self.quantum, member.share);
        match member.counter {
            0 => first,
            own if due || before.is_some_and(|before| own > before) => next,
            _ => first,
        }
    }
}
