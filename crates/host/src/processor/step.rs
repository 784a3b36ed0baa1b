//! A decision: what has happened is charged, replenished and noticed, then a server is chosen.

use super::{Decision, Processor};
use crate::machine::{Attention, Heard, Machine, Woken};
use crate::member::Member;
use crate::raised;
use crate::rule::WakeUps;
use vorrang_mechanisms::scheduler::{Key, fixed_priority};
use vorrang_mechanisms::server::{AnyServer, Server as _};
use vorrang_time::{Duration, Instant};

impl Processor {
    /// The decision at `now`, after a sleep that ended in this way.
    pub fn step(&mut self, now: Instant, woken: Woken, machine: &mut impl Machine) -> Decision {
        let before = (self.chosen, self.lent());
        let loan = self.behind.or_else(|| self.thread(self.lent()));
        if !self.interrupt(now, woken, machine) {
            self.see(now, woken == Woken::ThreadLeft, machine);
            self.choose(now);
        }
        self.stand(before.1);
        if before != (self.chosen, self.lent()) {
            self.change(before, now, machine);
        }
        self.behind = loan.filter(|&thread| self.goes_on(thread));
        self.since = now;
        let preceded = self.preceded(machine);
        Decision {
            lent: self.thread(self.lent()),
            level: self.level(),
            behind: self.behind,
            is_idle: self.chosen.is_none(),
            attention: Attention { watch: self.is_watched(), heard: self.heard(), preceded },
            until: self.until(now),
            at_most: if preceded.is_some() { Duration::MAX } else { self.at_most() },
        }
    }

    /// What has happened up to `now`.
    fn see(&mut self, now: Instant, left: bool, machine: &mut impl Machine) {
        let progress = self.charge(now, machine);
        let mut is_known = self.standing.is_none();
        if self.releases(now) {
            self.sample(progress, machine);
            is_known = true;
        }
        self.replenish(now);
        if left {
            self.leave(progress, machine);
        }
        is_known |= self.raise(now, machine);
        if !is_known {
            self.sample(progress, machine);
        }
        self.look(now, left, machine);
        self.settle(now);
    }

    /// Whether the lent thread has received anything.
    fn charge(&mut self, now: Instant, machine: &mut impl Machine) -> bool {
        self.charge_interrupted(now, machine);
        let Some(place) = self.lent() else { return false };
        let member = &mut self.members[place];
        let received = member
            .thread
            .map_or(Duration::ZERO, |thread| member.since_last_look(machine.received(thread)));
        let amount = if self.is_idling { now - self.since } else { received };
        member.charge(now, amount, self.grain);
        let is_gone = member.server.goes_behind() || member.server.budget().is_zero();
        self.use_turn(place, now, amount);
        if is_gone {
            // It loses its place, even if it is replenished at the same instant or has a next refill.
            self.unlist(place);
        }
        !received.is_zero()
    }

    /// Charges the present turn with the time received in it, and with the excess of an earlier turn of the
    /// same server.
    fn use_turn(&mut self, place: usize, now: Instant, amount: Duration) {
        let Some(left) = self.ready.turn() else { return };
        let (used, dropped) = self.members[place].use_turn(left, amount, self.grain);
        if !(used + dropped).is_zero() {
            self.ready.consume(now, used + dropped);
        }
    }

    fn replenish(&mut self, now: Instant) {
        for member in &mut self.members {
            member.replenish(now, self.grain);
        }
    }

    /// Interrupts of guests; whether the thread with the loan that stands is awake for one.
    pub(super) fn raise(&mut self, now: Instant, machine: &mut impl Machine) -> bool {
        let standing = self.thread(self.standing);
        raised::raise(&mut self.interrupts, &mut self.members, now, machine, standing)
    }

    /// The lent thread has left the processor.
    fn leave(&mut self, progress: bool, machine: &mut impl Machine) {
        let Some(place) = self.chosen else { return };
        let Some(thread) = self.members[place].thread else { return };
        let is_ready = machine.wants(thread);
        if self.members[place].wake_ups == WakeUps::Unneeded {
            self.is_idling = !(progress && is_ready);
        }
        if !progress {
            raised::miss(&mut self.interrupts, &self.members, thread);
        }
        raised::leave(&mut self.members, thread, progress, is_ready);
    }

    /// Finds the servers that have work. A thread that has just left is sampled at the next decision; one whose loan stood until
    /// now has been.
    fn look(&mut self, now: Instant, left: bool, machine: &mut impl Machine) {
        let is_time = now >= self.next_look;
        if is_time {
            let missed = now.saturating_since(self.next_look).div_floor(self.look);
            self.next_look += self.look * (missed + 1);
        }
        let sampled = self.thread(self.standing);
        for (place, member) in self.members.iter_mut().enumerate() {
            let Some(thread) = member.thread.filter(|_| member.thread != sampled) else { continue };
            let is_lent = self.chosen == Some(place);
            match member.wake_ups {
                WakeUps::Unneeded if is_lent && self.is_idling && !left => {
                    self.is_idling = !machine.wants(thread);
                }
                WakeUps::Unneeded => {}
                _ if member.has_work => {}
                WakeUps::AtOnce | WakeUps::Interrupt if is_time => {
                    member.found(machine.wants(thread));
                }
                _ if member.replenished => member.has_work = machine.wants(thread),
                _ => {}
            }
        }
    }

    /// Wake-ups, sleeps and levels; ready servers get a place.
    pub(super) fn settle(&mut self, now: Instant) {
        for place in (0..self.members.len()).rev() {
            if self.members[place].take_change() {
                self.members[place].tell(now);
                self.list(place, now);
            }
        }
        debug_assert!((0..self.members.len()).all(|place| self.is_settled(place, now)));
        for place in 0..self.members.len() {
            if matches!(self.members[place].server, AnyServer::Sporadic(_)) {
                let priority = self.members[place].priority;
                let first = self.ready.first();
                let active =
                    first.is_some_and(|key| fixed_priority::is_at_least_as_urgent(key, priority));
                self.members[place].level(now, active);
            }
        }
        self.ready.settle();
    }

    /// The server that has the processor. A turn that is used up by earlier excess of its server ends at once.
    pub(super) fn choose(&mut self, now: Instant) {
        loop {
            self.chosen = self.ready.chosen().map(|member| member as usize);
            let Some(place) = self.chosen else { return };
            self.use_turn(place, now, Duration::ZERO);
            if self.ready.chosen().is_some() {
                return;
            }
            self.ready.settle();
        }
    }

    /// The place of a server among the ready, if it is.
    fn key(&self, place: usize, now: Instant) -> Option<Key> {
        let member = &self.members[place];
        member.is_ready().then(|| self.order.key(member, declared(place), now))
    }

    fn is_settled(&self, place: usize, now: Instant) -> bool {
        self.key(place, now) == self.members[place].listed
    }

    /// Puts a server among the ready, at its place, or takes it out.
    fn list(&mut self, place: usize, now: Instant) {
        let key = self.key(place, now);
        let Self { members, ready, .. } = self;
        let member = &mut members[place];
        if key == member.listed {
            return;
        }
        if member.listed.is_some() {
            ready.remove(declared(place));
        }
        if let Some(key) = key {
            ready.insert(key);
        }
        member.listed = key;
    }

    pub(super) fn unlist(&mut self, place: usize) {
        if self.members[place].listed.take().is_some() {
            self.ready.remove(declared(place));
        }
    }

    /// Another server has the processor than before.
    fn change(
        &mut self,
        (chosen, lent): (Option<usize>, Option<usize>),
        now: Instant,
        machine: &mut impl Machine,
    ) {
        if let Some(place) = chosen.filter(|_| chosen != self.chosen)
            && let Some(loses_place) = self.members[place].stop(now)
        {
            if loses_place {
                self.unlist(place);
            }
            self.settle(now);
        }
        if lent == self.lent() {
            return;
        }
        self.is_idling = false;
        if let Some(place) = self.lent() {
            let member = &mut self.members[place];
            match member.thread {
                Some(thread) => member.received = machine.received(thread),
                None => self.is_idling = true,
            }
            member.account.loans += 1;
        }
    }

    fn thread(&self, place: Option<usize>) -> Option<usize> {
        place.and_then(|place| self.members[place].thread)
    }

    /// Whether the loan of this thread goes on behind the one of the server that is chosen, if that is for an interrupt of another
    /// thread: as long as it has both budget and work. It mostly is what has the processor afterwards.
    fn goes_on(&self, thread: usize) -> bool {
        let is_interrupt = |place: usize| {
            let member = &self.members[place];
            member.wake_ups == WakeUps::Interrupt && member.thread != Some(thread)
        };
        let is_ready = |member: &Member| member.thread == Some(thread) && member.is_ready();
        self.chosen.is_some_and(is_interrupt) && self.members.iter().any(is_ready)
    }

    fn is_watched(&self) -> bool {
        self.chosen.is_some() && !self.is_idling && self.standing.is_none()
    }

    /// The interrupts on which the next decision may depend.
    fn heard(&self) -> Heard {
        // It may wake a thread that is lent to and sleeps, which is charged in another way from then on.
        let idle = self.chosen.filter(|_| self.is_idling);
        let (idle, standing) = (self.thread(idle), self.thread(self.standing));
        let all = self.interrupts.iter();
        Heard::those(all.map(|one| raised::matters(one, &self.members, idle, standing)))
    }

    fn at_most(&self) -> Duration {
        let budget = self.lent().map_or(Duration::MAX, |place| self.members[place].server.budget());
        self.ready.turn().filter(|_| self.chosen.is_some()).map_or(budget, |left| left.min(budget))
    }

    fn until(&self, now: Instant) -> Instant {
        let due = self.members.iter().map(|member| member.server.due());
        let standing = self.thread(self.standing);
        let sleeps = |member: &Member| match member.wake_ups {
            WakeUps::AtOnce => {
                !member.has_work && (standing.is_none() || member.thread != standing)
            }
            // It was raised and has not begun.
            WakeUps::Interrupt => !member.has_work && !member.server.budget().is_zero(),
            WakeUps::Unneeded | WakeUps::AtReplenishment | WakeUps::Rest => false,
        };
        let look = self.members.iter().any(sleeps).then_some(self.next_look);
        let first = due.chain(look).min().unwrap_or(Instant::NEVER);
        first.max(now + Duration::RESOLUTION)
    }
}

/// The place in the order of declaration, as the queue has it.
fn declared(place: usize) -> u32 {
    u32::try_from(place).expect("few servers")
}
