//! The rules of servers, from `docs/model.md`.

use super::layout::{Layout, Server};
use super::state::{Budget, MOST_REFILLS, State};
use vorrang_model::system::ServerKind::{
    CbsHard, CbsSoft, Deferrable, Level, Periodic, Polling, PosixSporadic, RefillQueue,
    SchedDeadline, Share, Slot, Sporadic, Table,
};

/// Far enough in the past for a state to be given up.
const LONG_AGO: i8 = -100;

/// Its deadline has passed (`SCHED_DEADLINE`, before its first wake-up as well), or comes now.
const PASSED: i8 = -1;

/// The most budgets that come at once after routines were charged.
const BUDGETS_AT_ONCE: i8 = 6;

impl Server {
    /// In how many ways it may begin: its first replenishment is open, or by how much its runtimes end late.
    pub fn firsts(&self) -> u8 {
        match self.kind {
            Periodic | Polling | Deferrable => self.period,
            SchedDeadline => self.overrun + 1,
            Sporadic | CbsHard | CbsSoft | Slot | Table | PosixSporadic | RefillQueue | Share
            | Level => 1,
        }
    }

    /// The state at instant zero, after replenishments.
    pub fn at_first(&self, phase: u8) -> Budget {
        let mut own = Budget { amount: signed(self.budget), ..Budget::default() };
        match self.kind {
            Periodic | Polling | Deferrable => {
                own.clock = signed(phase);
                if self.kind != Deferrable {
                    own.amount = 0;
                }
                self.replenish(&mut own);
            }
            SchedDeadline => (own.clock, own.late) = (PASSED - self.waits(), phase),
            Sporadic => own.refills[0] = (0, self.budget),
            CbsHard | CbsSoft | Slot | Table | PosixSporadic | RefillQueue | Share | Level => {}
        }
        own
    }

    /// Whether it can supply time.
    pub fn has_budget(&self, own: &Budget) -> bool {
        match self.kind {
            Slot | Table => self.open >> own.clock & 1 == 1,
            SchedDeadline => own.amount > -signed(own.late) && !own.flag,
            Level => true,
            Periodic | Polling | Deferrable | Sporadic | CbsHard | CbsSoft | PosixSporadic
            | RefillQueue | Share => own.amount > 0,
        }
    }

    /// One tick of its time is given.
    pub fn pay(&self, own: &mut Budget) {
        if matches!(self.kind, Slot | Table | Level) {
            return;
        }
        own.amount -= 1;
        if self.kind == Sporadic {
            let first = own.refills[0].0;
            own.refills[0].1 -= 1;
            add_refill(&mut own.refills, first.saturating_add(signed(self.period)));
        }
    }

    /// A tick has passed. `None`: the past is too long.
    pub fn pass(&self, own: &mut Budget) -> Option<()> {
        match self.kind {
            Slot | Table => own.clock = (own.clock + 1) % signed(self.period),
            Sporadic => {
                for (time, _) in own.refills.iter_mut().filter(|(_, amount)| *amount > 0) {
                    *time -= 1;
                }
                // Without an active level what is past counts as now.
                if !own.flag {
                    own.refills.iter_mut().for_each(|(time, _)| *time = (*time).max(0));
                }
                join_equal(&mut own.refills);
            }
            Periodic | Polling | Deferrable | CbsHard | CbsSoft | SchedDeadline | PosixSporadic
            | RefillQueue | Share => own.clock -= 1,
            Level => {}
        }
        // A deadline that has passed says no more than that, if the guest is asleep.
        if matches!(self.kind, CbsHard | CbsSoft | SchedDeadline) && !own.awake {
            own.clock = own.clock.max(self.long_past());
        }
        let earliest = own.refills.iter().map(|(time, _)| *time).min().unwrap_or(0);
        (own.clock.min(earliest) > LONG_AGO).then_some(())
    }

    /// Step 2.
    pub fn exhaust(&self, own: &mut Budget) -> bool {
        let least = if own.awake { -signed(own.late) } else { 0 };
        if self.kind == SchedDeadline && own.amount <= least {
            own.flag = true;
        }
        own.ready && own.amount == 0 && !matches!(self.kind, Slot | Table | Level)
    }

    /// Step 3.
    pub fn replenish(&self, own: &mut Budget) {
        let period = signed(self.period);
        match self.kind {
            Periodic | Polling | Deferrable if own.clock == 0 => {
                own.amount = signed(self.budget);
                own.clock = period;
                own.awake |= self.kind == Periodic;
            }
            CbsHard if own.amount == 0 && own.clock <= 0 => self.postpone(own),
            CbsSoft if own.amount == 0 => self.postpone(own),
            SchedDeadline if own.flag && own.clock <= -self.waits() => {
                while own.amount <= 0 {
                    own.amount += signed(self.budget);
                    own.clock += period;
                }
                if own.clock < 0 {
                    self.begin(own);
                }
                own.flag = false;
            }
            Sporadic => {
                let usable = own.refills.iter().filter(|(time, _)| *time <= 0);
                own.amount = signed(usable.map(|(_, amount)| amount).sum());
            }
            Periodic | Polling | Deferrable | CbsHard | CbsSoft | SchedDeadline | Slot | Table
            | PosixSporadic | RefillQueue | Share | Level => {}
        }
    }

    fn postpone(&self, own: &mut Budget) {
        own.amount = signed(self.budget);
        own.clock += signed(self.period);
    }

    /// Step 5: whether the guest has something ready.
    pub fn settle(&self, own: &mut Budget, guest: bool) {
        let woken = guest && !own.awake;
        match self.kind {
            Periodic | Slot | Table => return,
            Polling if !guest => own.amount = 0,
            CbsHard | CbsSoft if woken && (own.clock <= 0 || self.is_ahead(own) != Some(false)) => {
                self.begin(own);
            }
            SchedDeadline if woken && !own.flag => self.wake(own),
            // What it has overrun is not used any more.
            SchedDeadline if !guest && own.awake && own.amount <= 0 => {
                own.flag = true;
                self.replenish(own);
            }
            Polling | Deferrable | Sporadic | CbsHard | CbsSoft | SchedDeadline | PosixSporadic
            | RefillQueue | Share | Level => {}
        }
        own.awake = guest && self.remembers_guest();
    }

    /// A deadline that is as good as any before: an overrun brings a few budgets at once.
    fn long_past(&self) -> i8 {
        let budgets = if self.pays { BUDGETS_AT_ONCE } else { 0 };
        PASSED - self.waits() - budgets * signed(self.period)
    }

    /// From its deadline to its next replenishment.
    fn waits(&self) -> i8 {
        signed(self.period - self.deadline)
    }

    /// `SCHED_DEADLINE`: its guest has got work, and it is not throttled.
    fn wake(&self, own: &mut Budget) {
        let is_constrained = self.deadline < self.period;
        if own.clock < 0 && own.clock > -self.waits() {
            (own.amount, own.flag) = (0, true);
        } else if own.clock < 0 || self.is_ahead(own) == Some(true) && !is_constrained {
            self.begin(own);
        } else if self.is_ahead(own) == Some(true) {
            let share = u16::from(own.clock.unsigned_abs()) * u16::from(self.budget);
            own.amount = i8::try_from(share / u16::from(self.deadline)).expect("less than it was");
            own.flag = own.amount == 0;
        }
    }

    /// Whether it matters if its guest had something ready before.
    fn remembers_guest(&self) -> bool {
        matches!(self.kind, CbsHard | CbsSoft | SchedDeadline)
    }

    /// Whether the budget is more than its share until the deadline; `None`: exactly that.
    fn is_ahead(&self, own: &Budget) -> Option<bool> {
        let budget = i32::from(own.amount) * i32::from(self.deadline);
        let share = i32::from(own.clock) * i32::from(self.budget);
        (budget != share).then_some(budget > share)
    }

    fn begin(&self, own: &mut Budget) {
        own.amount = signed(self.budget);
        own.clock = signed(self.deadline);
    }
}

impl Layout {
    /// The levels of sporadic servers, once it is known who is ready.
    pub fn settle_levels(&self, state: &mut State) {
        for (id, server) in (1..).zip(&self.servers) {
            if server.kind != Sporadic {
                continue;
            }
            let active = self.level_is_active(state, server);
            let own = &mut state.servers[id - 1];
            if active && !own.flag {
                own.refills.iter_mut().for_each(|(time, _)| *time = (*time).max(0));
                join_equal(&mut own.refills);
            }
            own.flag = active;
        }
    }

    fn level_is_active(&self, state: &State, server: &Server) -> bool {
        self.routine_on(state, server.on).is_some()
            || self.supplies[server.on].members.iter().any(|&part| {
                self.is_ready(state, part)
                    && (self.has_linux_deadline(part) || self.priority(part) >= server.priority)
            })
    }
}

/// In the order of time, those that cannot be used any more left out.
fn join_equal(refills: &mut [(i8, u8); MOST_REFILLS]) {
    let mut joined = [(0, 0); MOST_REFILLS];
    let mut count = 0;
    refills.sort_unstable_by_key(|&(time, amount)| (amount == 0, time));
    for &(time, amount) in refills.iter().filter(|(_, amount)| *amount > 0) {
        if count > 0 && joined[count - 1].0 == time {
            joined[count - 1].1 += amount;
        } else {
            joined[count] = (time, amount);
            count += 1;
        }
    }
    *refills = joined;
}

/// One tick of budget that returns.
fn add_refill(refills: &mut [(i8, u8); MOST_REFILLS], time: i8) {
    let free = refills.iter_mut().find(|(_, amount)| *amount == 0);
    *free.expect("no more fragments than ticks of budget, which are few") = (time, 1);
    join_equal(refills);
}

/// A small number of ticks.
pub fn signed(ticks: u8) -> i8 {
    i8::try_from(ticks).expect("below 100")
}
