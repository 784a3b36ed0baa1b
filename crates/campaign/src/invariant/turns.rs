//! Members that take turns have them in full and in turn, and time in proportion to their shares.
//!
//! **Model.** "Turns" in `docs/model.md`. A turn ends when a quantum is used, or when its member is
//! no longer ready; it is never cut short, and never longer. Besides:
//!
//! | scheduler | while no member joins or leaves | always |
//! |---|---|---|
//! | round-robin | as many turns in a row as there are members have one of each | while a member waits, every other one has at most one turn |
//! | weighted-round-robin | any S turns in a row have as many of each as its share | … as many as its share |
//! | vtrr | the same, once a cycle began (after S turns at the latest) | |
//! | stride | once each has begun a turn: for any two, in any window, used time by shares differs by at most a quantum of each by its share | |
//!
//! S is the sum of the shares. The last row: a member begins a turn only with the least pass, so two
//! passes are never further apart than that member's quantum by its share, in both directions.

use super::budgets::wakes_in_no_time;
use super::competitor::Competitor;
use super::event::{Event, Kinds};
use super::picture::Picture;
use super::{Check, Findings, Invariant};
use vorrang_model::system::{Member, Scheduler, SupplyId};
use vorrang_sim::Running;
use vorrang_time::{Duration, Instant};

/// The turns of one supply.
struct Turns {
    on: SupplyId,
    scheduler: Scheduler,
    quantum: Duration,
    shares: Vec<u64>,
    /// The member whose turn it is, by its place, and since when it was ready.
    current: Option<(usize, Option<Instant>)>,
    used: Duration,
    is_over: bool,
    /// When it ended, if it is over: the next one may have begun then, though it runs later.
    ended: Instant,
    /// The member that has the supply's time, and since when.
    running: Option<usize>,
    counted: Instant,
    /// Since when each member has been ready.
    ready: Vec<Option<Instant>>,
    /// Something was woken between two ends of this instant: whether the turn is another one then
    /// is not told.
    is_uncertain: bool,
    stable: Stable,
    /// What each member (the second) used while another one (the first) waited.
    waited: Vec<Vec<Duration>>,
}

/// The time since a member joined or left.
#[derive(Default)]
struct Stable {
    since: Instant,
    /// The members whose turns began in it.
    turns: Vec<usize>,
    /// What each member used in it since all have begun a turn.
    used: Vec<i128>,
    /// The least and the greatest difference of each pair.
    range: Vec<Vec<(i128, i128)>>,
}

/// All of a core.
pub(super) fn all<'s>(picture: &Picture<'s>) -> Vec<Box<dyn Check + 's>> {
    let system = picture.system;
    let on_core = |id: &SupplyId| system.core_of(*id) == picture.core;
    let mut checks: Vec<Box<dyn Check + 's>> = Vec::new();
    for on in system.supply_ids().filter(on_core) {
        let supply = system.supply(on);
        let members = &picture.competitors[on.0];
        if !supply.scheduler.takes_turns() || members.is_empty() {
            continue;
        }
        let share = |member: &Competitor| match *member {
            _ if supply.scheduler == Scheduler::RoundRobin => 1,
            Competitor::Task(id) => u64::from(system.task(id).share),
            Competitor::Server(id) => system.supply(id).kind.weight().map_or(1, u64::from),
            Competitor::PseudoVcpu(_) => 1,
        };
        let count = members.len();
        checks.push(Box::new(Turns {
            on,
            scheduler: supply.scheduler,
            quantum: supply.quantum,
            shares: members.iter().map(share).collect(),
            current: None,
            used: Duration::ZERO,
            is_over: true,
            ended: Instant::ZERO,
            running: None,
            counted: Instant::ZERO,
            ready: vec![None; count],
            is_uncertain: false,
            stable: Stable::default(),
            waited: vec![vec![Duration::ZERO; count]; count],
        }));
    }
    checks
}

impl Turns {
    /// The member on the way to what runs, by its place.
    fn member(&self, what: Running, picture: &Picture<'_>) -> Option<usize> {
        let supply = picture.supply_of(what)?;
        let member = match what {
            Running::Task(id) | Running::Blocking(Member::Task(id)) if supply == self.on => {
                Competitor::Task(id)
            }
            Running::Blocking(Member::Server(id)) if supply == self.on => Competitor::Server(id),
            _ => {
                let mut servers = picture.servers_from(supply);
                Competitor::Server(
                    servers.find(|&id| picture.system.supply(id).on() == Some(self.on))?,
                )
            }
        };
        picture.competitors[self.on.0].iter().position(|other| *other == member)
    }

    fn count(&mut self, now: Instant, findings: &mut Findings) {
        let amount = now.saturating_since(self.counted);
        self.counted = now;
        let Some(member) = self.running.filter(|_| !amount.is_zero()) else { return };
        self.used += amount;
        findings.expect(
            self.used <= self.quantum || self.is_uncertain,
            Invariant::Turns,
            now,
            || format!("a turn on {:?} of {} takes {}", self.on, self.quantum, self.used),
        );
        if self.used == self.quantum {
            (self.is_over, self.ended) = (true, now);
        }
        if let Some(used) = self.stable.used.get_mut(member) {
            *used += i128::from(amount.as_ns());
        }
        self.wait(member, amount, now, findings);
    }

    /// Others wait while a member uses so much.
    fn wait(&mut self, member: usize, amount: Duration, now: Instant, findings: &mut Findings) {
        if !matches!(self.scheduler, Scheduler::RoundRobin | Scheduler::WeightedRoundRobin) {
            return;
        }
        self.waited[member].fill(Duration::ZERO);
        for (other, waited) in self.waited.iter_mut().enumerate() {
            if other == member || self.ready[other].is_none() {
                continue;
            }
            waited[member] += amount;
            let most = self.quantum * self.shares[member];
            findings.expect(waited[member] <= most, Invariant::Shares, now, || {
                format!("on {:?}, {member} has {} while {other} waits", self.on, waited[member])
            });
        }
    }

    /// After the events of an instant: the members that joined or left.
    fn settle(&mut self, picture: &Picture<'_>) {
        let members = &picture.competitors[self.on.0];
        for (place, &member) in members.iter().enumerate() {
            let since = picture.ready_since(member);
            if since != self.ready[place] {
                self.ready[place] = since;
                self.waited[place].fill(Duration::ZERO);
                self.stable = Stable { since: picture.now, ..Stable::default() };
                if !self.is_over && self.current.is_some_and(|(last, _)| last == place) {
                    (self.is_over, self.ended) = (true, picture.now);
                }
            }
        }
    }

    fn decided(&mut self, member: usize, picture: &Picture<'_>, findings: &mut Findings) {
        let now = picture.now;
        let is_over = self.current.is_none_or(|(last, since)| {
            let left = self.ready[last].is_none() || self.ready[last] != since;
            let is_another = self.is_uncertain && last != member;
            left || is_another || (self.used >= self.quantum && !self.is_uncertain)
        });
        if !is_over {
            let goes_on = self.current.is_some_and(|(last, _)| last == member);
            findings.expect(goes_on, Invariant::Turns, now, || {
                let (used, current) = (self.used, self.current);
                format!("on {:?}, {member} runs in the turn of {current:?}, used {used}", self.on)
            });
        }
        if is_over {
            self.current = Some((member, self.ready[member]));
            self.used = Duration::ZERO;
            self.is_over = false;
            // For one that began between two ends of an instant the ready members are not known.
            let is_known = !core::mem::take(&mut self.is_uncertain);
            if is_known && self.ended >= self.stable.since {
                self.begins(member, now, findings);
            }
        }
    }

    /// A turn begins.
    fn begins(&mut self, member: usize, now: Instant, findings: &mut Findings) {
        let is_ready = |place: &usize| self.ready[*place].is_some();
        let members: Vec<usize> = (0..self.shares.len()).filter(is_ready).collect();
        let turns = &mut self.stable.turns;
        turns.push(member);
        if self.scheduler == Scheduler::Stride {
            if self.stable.used.is_empty() && members.iter().all(|one| turns.contains(one)) {
                self.stable.used = vec![0; self.shares.len()];
                self.stable.range = vec![vec![(0, 0); self.shares.len()]; self.shares.len()];
            }
            return self.compare(&members, now, findings);
        }
        let sum: u64 = members.iter().map(|&place| self.shares[place]).sum();
        let Ok(sum) = usize::try_from(sum) else { return };
        let before = if self.scheduler == Scheduler::Vtrr { sum } else { 0 };
        if turns.len() < before + sum {
            return;
        }
        let last = &turns[turns.len() - sum..];
        let has = |place: usize| last.iter().filter(|&&one| one == place).count() as u64;
        let fair = members.iter().all(|&place| has(place) == self.shares[place]);
        findings.expect(fair, Invariant::Shares, now, || {
            format!("on {:?}, {last:?} had turns, with shares {:?}", self.on, self.shares)
        });
        if turns.len() > 2 * (before + sum) {
            turns.drain(..sum);
        }
    }

    /// Used time by shares, of any two.
    fn compare(&mut self, members: &[usize], now: Instant, findings: &mut Findings) {
        let Stable { used, range, .. } = &mut self.stable;
        if used.is_empty() {
            return;
        }
        let quantum = i128::from(self.quantum.as_ns());
        for (&one, &other) in members.iter().flat_map(|one| members.iter().map(move |o| (one, o))) {
            let (first, second) = (i128::from(self.shares[one]), i128::from(self.shares[other]));
            // Times both shares, so that it is whole.
            let difference = used[one] * second - used[other] * first;
            let (least, greatest) = &mut range[one][other];
            (*least, *greatest) = ((*least).min(difference), (*greatest).max(difference));
            let apart = *greatest - *least;
            findings.expect(apart <= quantum * (first + second), Invariant::Shares, now, || {
                format!("on {:?}, {one} and {other} have used {used:?}", self.on)
            });
        }
    }
}

impl Check for Turns {
    fn hears(&self) -> Kinds {
        Kinds::of([Kinds::EXPIRED, Kinds::DECIDED, Kinds::RUNS])
    }

    fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        self.count(picture.now, findings);
        match *event {
            Event::Expired(id, _, at) if wakes_in_no_time(id, picture) => {
                self.is_uncertain = true;
                self.stable = Stable { since: at, ..Stable::default() };
                self.waited.iter_mut().for_each(|waited| waited.fill(Duration::ZERO));
            }
            Event::Decided(what, _) => {
                self.settle(picture);
                if let Some(member) = self.member(what, picture) {
                    self.decided(member, picture, findings);
                }
            }
            Event::Runs(what, _) => {
                self.settle(picture);
                self.running = self.member(what, picture);
            }
            _ => {}
        }
    }
}
