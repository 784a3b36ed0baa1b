//! Decides which server has a processor, and until when at the latest.
//!
//! **Model.** `docs/model.md`, by the steps of the simulator at one instant:
//!
//! ```text
//!   charge      what the lent thread has received; a budget that is gone loses its place, a turn that is
//!               used up is over
//!   replenish   what is due
//!   look        who has work: see below
//!   settle      wake-ups and sleeps are told, then the levels of sporadic servers
//!   choose      the most urgent server that is ready, or whose turn it is; who had the processor until now
//!               is told
//! ```
//!
//! **Looks.** The lent thread counts as awake until it is reported to sleep. A parked one that slept is sampled
//! when its server is replenished, and, if the kind needs it ([`WakeUps::AtOnce`]), at every multiple of
//! `look`: so its wake-up is noticed up to that much late. In the model this is jitter of the tasks on the
//! server. A thread that was awake when it was parked counts as awake.
//!
//! **Turns.** The time that a thread receives beyond the end of its turn is charged to its next one, so shares
//! hold over many turns. A server without a thread ([`WakeUps::Rest`]) always has work: in its turn there is no
//! loan, and all other threads have the processor.
//!
//! **Assumptions.** 1. Those of the crate. 2. The mechanisms are called late rather than early: `now` is never
//! before the requested instant.
//!
//! **Cost.** A step for each loan, replenishment and look; each goes over the servers once. A step allocates
//! only when a sporadic server has more fragments of budget than ever before.

use crate::machine::{Machine, Woken};
pub use crate::member::Account;
use crate::member::Member;
pub use crate::order::Order;
use crate::rule::WakeUps;
use vorrang_mechanisms::scheduler::turns::AnyTurns;
use vorrang_mechanisms::scheduler::{ReadyMembers, fixed_priority};
use vorrang_mechanisms::server::{AnyServer, Server as _};
use vorrang_time::{Duration, Instant};

/// The decision at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The thread that has the loan from now on.
    pub lent: Option<usize>,
    /// Whether its sleep must be noticed.
    pub watch: bool,
    /// The instant of the next decision, unless the thread leaves before.
    pub until: Instant,
    /// The same as a time for which the thread may have the processor.
    pub at_most: Duration,
}

/// The servers of a processor.
#[derive(Clone, Debug)]
pub struct Processor {
    order: Order,
    members: Vec<Member>,
    ready: ReadyMembers,
    /// The interval of samples of sleeping threads.
    look: Duration,
    next_look: Instant,
    /// Less budget is not lent, and no less of a turn.
    grain: Duration,
    chosen: Option<usize>,
    /// Whether that server consumes its time also while its thread sleeps, or without a thread.
    is_idling: bool,
    /// Since when nothing has changed.
    since: Instant,
}

impl Processor {
    /// A processor without servers. Sleeping threads are sampled every `look`; less budget, and less of a turn,
    /// than `grain` is not lent.
    ///
    /// # Panics
    /// If `look` is zero.
    pub fn new(order: Order, look: Duration, grain: Duration) -> Self {
        assert!(!look.is_zero(), "looks are apart");
        Self {
            order,
            members: Vec::new(),
            ready: ReadyMembers::new(0),
            look,
            next_look: Instant::ZERO,
            grain,
            chosen: None,
            is_idling: false,
            since: Instant::ZERO,
        }
    }

    /// The same with another server, the last in the order of declaration. Its thread, if it has one, is the
    /// machine's next.
    #[must_use]
    pub fn with(mut self, server: AnyServer, priority: u32, wake_ups: WakeUps) -> Self {
        let threads = self.members.iter().filter(|member| member.thread.is_some()).count();
        let thread = (wake_ups != WakeUps::Rest).then_some(threads);
        self.members.push(Member::new(server, priority, wake_ups, thread));
        self.ready = ReadyMembers::new(self.members.len());
        self
    }

    /// The same, with these turns of its servers, in equal number.
    #[must_use]
    pub fn by_turns(mut self, turns: AnyTurns) -> Self {
        self.ready.reset(Some(turns));
        self
    }

    /// The loans of the threads, in the order of declaration.
    pub fn accounts(&self) -> impl Iterator<Item = Account> + '_ {
        self.members.iter().map(|member| member.account)
    }

    /// The decision at `now`, after a sleep that ended in this way.
    pub fn step(&mut self, now: Instant, woken: Woken, machine: &mut impl Machine) -> Decision {
        let left = woken == Woken::ThreadLeft;
        let progress = self.charge(now, machine);
        self.replenish(now);
        self.look(now, left, progress, machine);
        self.settle(now);
        let before = self.chosen;
        self.choose();
        if before != self.chosen {
            self.change(before, now, machine);
        }
        self.since = now;
        Decision {
            lent: self.chosen.and_then(|place| self.members[place].thread),
            watch: self.is_watched(),
            until: self.until(now),
            at_most: self.at_most(),
        }
    }

    /// Whether the lent thread has received anything.
    fn charge(&mut self, now: Instant, machine: &mut impl Machine) -> bool {
        let Some(place) = self.chosen else { return false };
        let member = &mut self.members[place];
        let received = member
            .thread
            .map_or(Duration::ZERO, |thread| member.since_last_look(machine.received(thread)));
        let amount = if self.is_idling { now - self.since } else { received };
        member.charge(now, amount, self.grain);
        let is_gone = member.server.budget().is_zero();
        self.use_turn(place, amount);
        if is_gone {
            // It loses its place, even if it is replenished at the same instant.
            self.unlist(place);
        }
        !received.is_zero()
    }

    /// Charges the present turn with the time received in it, and with the excess of an earlier turn of the
    /// same server.
    fn use_turn(&mut self, place: usize, amount: Duration) {
        let Some(left) = self.ready.turn() else { return };
        let (used, dropped) = self.members[place].use_turn(left, amount, self.grain);
        if !(used + dropped).is_zero() {
            self.ready.consume(used + dropped);
        }
    }

    fn replenish(&mut self, now: Instant) {
        for member in &mut self.members {
            member.replenish(now, self.grain);
        }
    }

    /// Finds the servers that have work. A lent thread that left the processor without having received anything
    /// counts as asleep whatever its state: a loan to it has no effect.
    fn look(&mut self, now: Instant, left: bool, progress: bool, machine: &mut impl Machine) {
        let is_time = now >= self.next_look;
        if is_time {
            let missed = now.saturating_since(self.next_look).div_floor(self.look);
            self.next_look += self.look * (missed + 1);
        }
        for (place, member) in self.members.iter_mut().enumerate() {
            let Some(thread) = member.thread else { continue };
            let is_lent = self.chosen == Some(place);
            match member.wake_ups {
                WakeUps::Unneeded if is_lent && (left || self.is_idling) => {
                    self.is_idling = !machine.wants(thread);
                }
                WakeUps::Unneeded => {}
                _ if is_lent && left => member.has_work = progress && machine.wants(thread),
                _ if member.has_work => {}
                WakeUps::AtOnce if is_time => member.has_work = machine.wants(thread),
                _ if member.replenished => member.has_work = machine.wants(thread),
                _ => {}
            }
        }
    }

    /// Wake-ups, sleeps and levels; ready servers get a place.
    fn settle(&mut self, now: Instant) {
        for place in (0..self.members.len()).rev() {
            self.members[place].tell(now);
            self.list(place, now);
        }
        for place in 0..self.members.len() {
            if matches!(self.members[place].server, AnyServer::Sporadic(_)) {
                let priority = self.members[place].priority;
                let first = self.ready.first();
                let active =
                    first.is_some_and(|key| fixed_priority::is_at_least_as_urgent(key, priority));
                self.members[place].server.level(now, active);
            }
        }
        self.ready.settle();
    }

    /// The server that has the processor. A turn that is used up by earlier excess of its server ends at once.
    fn choose(&mut self) {
        loop {
            self.chosen = self.ready.chosen().map(|member| member as usize);
            let Some(place) = self.chosen else { return };
            self.use_turn(place, Duration::ZERO);
            if self.ready.chosen().is_some() {
                return;
            }
            self.ready.settle();
        }
    }

    /// Puts a server among the ready, at its place, or takes it out.
    fn list(&mut self, place: usize, now: Instant) {
        let Self { members, ready, order, .. } = self;
        let member = &mut members[place];
        let key = member.is_ready().then(|| order.key(member, declared(place), now));
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

    fn unlist(&mut self, place: usize) {
        if self.members[place].listed.take().is_some() {
            self.ready.remove(declared(place));
        }
    }

    /// Another server has the processor than before.
    fn change(&mut self, before: Option<usize>, now: Instant, machine: &mut impl Machine) {
        if let Some(place) = before {
            let server = &mut self.members[place].server;
            let budget = server.budget();
            server.stop(now);
            let left = server.budget();
            if left != budget {
                if left.is_zero() {
                    self.unlist(place);
                }
                self.settle(now);
            }
        }
        self.is_idling = false;
        if let Some(place) = self.chosen {
            let member = &mut self.members[place];
            match member.thread {
                Some(thread) => member.received = machine.received(thread),
                None => self.is_idling = true,
            }
            member.account.loans += 1;
        }
    }

    fn is_watched(&self) -> bool {
        self.chosen.is_some() && !self.is_idling
    }

    fn at_most(&self) -> Duration {
        let budget = self.chosen.map_or(Duration::MAX, |place| self.members[place].server.budget());
        self.ready.turn().filter(|_| self.chosen.is_some()).map_or(budget, |left| left.min(budget))
    }

    fn until(&self, now: Instant) -> Instant {
        let due = self.members.iter().map(|member| member.server.due());
        let sleeps = |member: &Member| member.wake_ups == WakeUps::AtOnce && !member.has_work;
        let look = self.members.iter().any(sleeps).then_some(self.next_look);
        let first = due.chain(look).min().unwrap_or(Instant::NEVER);
        first.max(now + Duration::RESOLUTION)
    }
}

/// The place in the order of declaration, as the queue has it.
fn declared(place: usize) -> u32 {
    u32::try_from(place).expect("few servers")
}
