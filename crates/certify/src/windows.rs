//! The windows of a certificate, by fixed-point iteration.
//!
//! **Model.** [`Search::time_for`] is the time that a supply takes for some work, with the windows that show it: the
//! least `z` at each level with `z = parent(r + B + needs(z))`. [`Search::certificate`] takes the least length into
//! which the work that is released in it fits, and for each job of that length the least window.
//!
//! **Assumptions.** None: what it finds is checked. It gives up when its steps are used up, one for each load that is
//! evaluated.

use crate::Uncertified;
use crate::guest::Guest;
use vorrang_certificate::{
    Certificate, Cold, Member, Order, Point, Rival, Server, Slot, Supply, Times, all_due,
    all_in_length, kept_of, needs, wait_of,
};
use vorrang_model::System;
use vorrang_model::system::TaskId;

/// A window, and those of the supplies below.
type Windows = (u64, Vec<u64>);

/// A search that ends.
pub struct Search {
    /// Loads that it may still evaluate.
    left: u64,
    /// The tasks whose bounds are looked for because of what they wake.
    waking: Vec<TaskId>,
    /// By which they are.
    of_task: OfTask,
    /// The guest that was looked at last: each of its tasks asks for all of them.
    pub(crate) last_guest: Option<Guest>,
}

/// What finds the certificates of a task.
pub(crate) type OfTask = fn(&System, TaskId, &mut Search) -> Result<Vec<Certificate>, Uncertified>;

impl Search {
    /// One with so many steps, in which tasks that wake others are certified so.
    pub(crate) const fn with(steps: u64, of_task: OfTask) -> Self {
        Self { left: steps, waking: Vec::new(), of_task, last_guest: None }
    }

    /// The certificates of a task that wakes others; `None`: they are looked for already, or its steps are used up.
    pub(crate) fn of_waker(
        &mut self,
        system: &System,
        by: TaskId,
    ) -> Option<Result<Vec<Certificate>, Uncertified>> {
        if self.waking.contains(&by) || self.step(0).is_none() {
            return None;
        }
        self.waking.push(by);
        let found = (self.of_task)(system, by, self);
        self.waking.pop();
        Some(found)
    }

    /// What is found with a part of its steps, so that others are left for what is found otherwise.
    pub(crate) fn with_a_part<T>(
        &mut self,
        find: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let kept = self.left - self.left / SHARE;
        self.left /= SHARE;
        let found = find(self);
        self.left += kept;
        found
    }

    pub(crate) fn step(&mut self, loads: usize) -> Option<()> {
        self.left = self.left.checked_sub(1 + loads as u64)?;
        Some(())
    }

    /// How long a supply takes for `work`.
    fn time_for(&mut self, supply: &Supply, work: u64) -> Option<Windows> {
        match supply {
            Supply::Core => Some((work, Vec::new())),
            _ if work == 0 => Some((0, Vec::new())),
            Supply::Server(server) => {
                let kept = kept_of(server.kind, server.budget);
                let whole = (work - 1) / kept;
                let (window, below) = self.level(server, work - whole * kept)?;
                let first = wait_of(server.kind, server.budget, server.period);
                let first = u64::try_from(first).ok()?;
                let time = whole.checked_mul(server.period)?.checked_add(first)?;
                Some((time.checked_add(window)?, [vec![window], below].concat()))
            }
            Supply::Reservation(of) => {
                let whole = (work - 1) / of.budget;
                let wait = (of.period - of.budget).checked_mul(2)?;
                let time = whole.checked_mul(of.period)?.checked_add(wait)?;
                Some((time.checked_add(work - whole * of.budget)?, Vec::new()))
            }
            Supply::Slot(of) => self.in_slots(of, work),
            Supply::Cold(of) => self.warmed(of, work),
        }
    }

    /// How long the context of a cold cache takes, with what it loses.
    fn warmed(&mut self, of: &Cold, work: u64) -> Option<Windows> {
        let Cold { loss, starts, parent } = of;
        let each = |&Times { period, jitter }: &Times| Member::Jobs { cost: *loss, period, jitter };
        let starts: Vec<_> = starts.iter().map(each).collect();
        let own = work.checked_add(*loss)?;
        let (window, below) = self.fixed_point(parent, &starts, own, |_| Some(own), u64::MAX)?;
        Some((window, [vec![window], below].concat()))
    }

    /// How long a slot takes, with the routines of its core.
    fn in_slots(&mut self, of: &Slot, work: u64) -> Option<Windows> {
        let mut window = work;
        loop {
            self.step(of.urgent.len())?;
            let all = u128::from(work).checked_add(needs(&of.urgent, window)?)?;
            let all = u64::try_from(all).ok()?;
            let gaps = all.div_ceil(of.budget).checked_mul(of.period - of.budget)?;
            let time = gaps.checked_add(all)?;
            if time <= window {
                return Some((window, vec![window]));
            }
            window = time;
        }
    }

    /// How long a server that is ready takes for a part of its budget.
    pub(crate) fn level(&mut self, server: &Server, part: u64) -> Option<Windows> {
        let work = part.checked_add(server.blocking)?;
        self.fixed_point(&server.parent, &server.urgent, part, |_| Some(work), server.period)
    }

    /// The least window from `start` on in which `on` gives `own` and what is more urgent, up to `most`.
    pub(crate) fn fixed_point(
        &mut self,
        on: &Supply,
        urgent: &[Member],
        start: u64,
        own: impl Fn(u64) -> Option<u64>,
        most: u64,
    ) -> Option<Windows> {
        let mut window = start;
        while window <= most {
            self.step(urgent.len())?;
            let work = u128::from(own(window)?).checked_add(needs(urgent, window)?)?;
            let (time, below) = self.time_for(on, u64::try_from(work).ok()?)?;
            if time <= window {
                return Some((window, below));
            }
            window = time;
        }
        None
    }

    /// Windows in which a server receives its budget.
    pub(crate) fn full(&mut self, server: &Server) -> Option<Vec<u64>> {
        let (window, below) = self.level(server, server.budget)?;
        Some([vec![window], below].concat())
    }

    /// The longest time for which such routines run one after the other, if they may be delayed by so much at first.
    pub(crate) fn block(&mut self, routines: &[Member], delay: u64) -> Option<u64> {
        // The first of them comes when it begins: there are none in a window of no length.
        let begin = delay.max(1);
        let found = self.fixed_point(&Supply::Core, routines, begin, |_| Some(delay), u64::MAX)?;
        Some(found.0)
    }

    /// The least bound that these theorems show of a task, of which all is said but the windows.
    pub(crate) fn certificate(&mut self, of: Certificate) -> Result<Certificate, Uncertified> {
        self.found(of).ok_or(Uncertified::NoWindow)
    }

    /// The same of a task that is alone in a server of the core: with the least window that is longer than any.
    pub(crate) fn reserved(&mut self, mut of: Certificate) -> Option<Certificate> {
        let Order::Reserved { blocked_by, after, ref mut longest, .. } = of.order else {
            return None;
        };
        let own = of.cost.checked_add(after)?.checked_add(blocked_by)?;
        let strictly = own.checked_add(1);
        (*longest, _) = self.fixed_point(&of.on, &of.urgent, own, |_| strictly, of.period)?;
        of.bound = longest.checked_add(of.jitter)?;
        Some(of)
    }

    fn found(&mut self, mut of: Certificate) -> Option<Certificate> {
        if is_overloaded(&of) {
            return None;
        }
        let (cost, period) = (of.cost, of.period);
        let released = |x: u64| x.div_ceil(period).checked_mul(cost);
        let (blocked_by, relative, rivals) = match of.order.clone() {
            Order::Priority { blocked_by } => (blocked_by, 0, Vec::new()),
            Order::Deadline { relative, rivals } => (0, relative, rivals),
            Order::Credit(of) => (of.blocked_by, 0, Vec::new()),
            Order::Sharing(of) => (of.paid.blocked_by, 0, Vec::new()),
            Order::Alone | Order::Reserved { .. } | Order::Beside(_) | Order::FromIdle { .. } => {
                return None;
            }
        };
        let all =
            |x: u64| released(x)?.checked_add(u64::try_from(all_in_length(&rivals, x)?).ok()?);
        (of.length, of.length_below) =
            self.fixed_point(&of.on, &of.urgent, cost.max(1), all, u64::MAX)?;
        let (mut from, mut window) = (0, 1);
        while from < of.length {
            self.step(rivals.len())?;
            let upto = next_offset(&of, relative, &rivals, from)?;
            let due = u128::from(upto - 1) + u128::from(relative);
            let own = released(from + 1)?.checked_add(blocked_by)?;
            let work =
                |x: u64| own.checked_add(u64::try_from(all_due(of.jitter, &rivals, x, due)?).ok()?);
            let (next, below) = self.fixed_point(&of.on, &of.urgent, window, work, u64::MAX)?;
            window = next;
            of.bound = of.bound.max(window.checked_add(of.jitter)?.saturating_sub(from));
            of.points.push(Point { upto, window, below });
            from = upto;
        }
        Some(of)
    }
}

/// Whether it and what is more urgent take more than all of the time, or it alone all of a server's, so that no window is
/// long enough.
fn is_overloaded(of: &Certificate) -> bool {
    let share = |cost: u64, period: u64| (u128::from(cost) << PLACES).checked_div(period.into());
    let urgent = of.urgent.iter().map(|member| match member {
        // A window with it is found, or its steps are used up.
        Member::Kernel { .. } | Member::Cold { .. } | Member::Timers(_) => Some(0),
        _ => share(member.cost(), member.period()),
    });
    let all: Option<u128> = urgent.chain([share(of.cost, of.period)]).sum();
    let (budget, every) = share_of(&of.on);
    // Such a server has no budget at first.
    let is_full = budget < every
        && u128::from(of.cost) * u128::from(every) >= u128::from(of.period) * u128::from(budget);
    is_full || all.is_some_and(|all| all > 1 << PLACES)
}

/// So much of each so long a time.
fn share_of(supply: &Supply) -> (u64, u64) {
    match supply {
        Supply::Core => (0, 0),
        Supply::Server(server) => (kept_of(server.kind, server.budget), server.period),
        Supply::Reservation(server) => (server.budget, server.period),
        Supply::Slot(slot) => (slot.budget, slot.period),
        Supply::Cold(of) => share_of(&of.parent),
    }
}

/// Such a part.
const SHARE: u64 = 8;

/// Binary places of a share, rounded down.
const PLACES: u32 = 40;

/// Into how many parts a length is cut, in each of which a share of the supply counts as at its end.
const PARTS: u64 = 64;

/// Up to which offset as much is asked for as at `from`.
fn next_offset(of: &Certificate, relative: u64, rivals: &[Rival], from: u64) -> Option<u64> {
    let own = (from / of.period + 1).checked_mul(of.period)?;
    let next = |rival: &Rival| match *rival {
        Rival::Jobs { period, jitter, relative: its, .. } => {
            let since = i128::from(from) + i128::from(relative) + i128::from(jitter)
                - i128::from(of.jitter)
                - i128::from(its);
            let left = i128::from(period) - since.rem_euclid(period.into());
            let left = if since < 0 { -since } else { left };
            from.checked_add(u64::try_from(left).ok()?)
        }
        Rival::Bandwidth { .. } => from.checked_add((of.length / PARTS).max(1)),
    };
    rivals.iter().try_fold(own, |least, rival| Some(least.min(next(rival)?)))
}
