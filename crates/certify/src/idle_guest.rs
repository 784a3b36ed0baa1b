//! The bounds of all tasks of a guest together, from an idle guest on.
//!
//! **Model.** From the execution times up, until none grows: the bound that the theorem shows of each task, supposed that all
//! tasks are complete within the bounds of the round before. Offsets are told apart where that bounds less.
//!
//! Of each offset the least window is taken in which enough is received: with a whole budget, and for each stretch of the
//! period before it in which the same work may have used some.
//!
//! **Assumptions.** None: what it finds is checked.
//!
//! Derived in docs/theory/idle-start.md.

use crate::guest::Guest;
use crate::windows::Search;
use vorrang_certificate::{GuestTask, Member, Offset, Server, Stretch, Supply, needs};

/// So many offsets are told apart, beyond those of jobs.
const OFFSETS: usize = 64;
/// Steps in which the work of an earlier job grows.
const STEPS: u64 = 16;
/// So often bounds may grow.
const ROUNDS: u32 = 16;

/// A task among the others of its guest.
struct Of<'a> {
    server: &'a Server,
    own: &'a GuestTask,
    first_at_idle: Vec<Member>,
    first_anywhere: Vec<Member>,
    last_anywhere: Vec<Member>,
}

impl Search {
    /// The least bounds and windows that this theorem shows of the tasks of a guest, of which all else is said. It takes a
    /// part of the steps, once for all of its tasks.
    pub(crate) fn idle_guest(
        &mut self,
        server: &Server,
        tasks: Vec<GuestTask>,
    ) -> Option<Vec<GuestTask>> {
        if let Some(last) = &self.last_guest
            && last.server == *server
            && last.tasks == tasks
        {
            return last.found.clone();
        }
        let found = self.with_a_part(|part| part.all_of_guest(server, tasks.clone()));
        self.last_guest = Some(Guest { server: server.clone(), tasks, found: found.clone() });
        found
    }

    fn all_of_guest(
        &mut self,
        server: &Server,
        mut guest: Vec<GuestTask>,
    ) -> Option<Vec<GuestTask>> {
        let whole = *server.full.first()?;
        for task in &mut guest {
            task.due = task.cost.saturating_add(task.jitter);
        }
        for _ in 0..ROUNDS {
            let all: Option<Vec<_>> =
                (0..guest.len()).map(|place| self.of_guest(server, whole, &guest, place)).collect();
            let (mut found, before) = (all?, guest);
            if found.iter().zip(&before).all(|(now, before)| now.due <= before.due) {
                found.iter_mut().zip(&before).for_each(|(now, before)| now.due = before.due);
                return Some(found);
            }
            found.iter_mut().zip(&before).for_each(|(now, then)| now.due = now.due.max(then.due));
            guest = found;
        }
        None
    }

    /// One of them, if all are complete in time.
    fn of_guest(
        &mut self,
        server: &Server,
        whole: u64,
        guest: &[GuestTask],
        place: usize,
    ) -> Option<GuestTask> {
        let of = Of::new(server, guest, place);
        let mut found = GuestTask { due: 0, offsets: Vec::new(), ..guest[place].clone() };
        let on = Supply::Server(Box::new(server.clone()));
        if of.is_overloaded() {
            return None;
        }
        let all = |length: u64| of.jobs(length.checked_add(of.own.jitter)?)?.checked_add(1);
        (found.length, found.length_below) =
            self.fixed_point(&on, &of.first_at_idle, 1, all, u64::MAX)?;
        let (mut from, mut window) = (0, 1);
        let end = found.length.checked_add(of.own.jitter)?;
        while from < end {
            let upto = (from / of.own.period + 1).checked_mul(of.own.period)?.min(end);
            let least = self.offset(&of, whole, from + 1, window)?;
            let done = least.window.checked_add(of.own.jitter)?;
            found.due = found.due.max(done.saturating_sub(from));
            let within = found.due.saturating_add(from).saturating_sub(of.own.jitter);
            let offset = if found.offsets.len() < OFFSETS {
                self.farthest(&of, whole, (least, upto), within)?
            } else {
                self.offset(&of, whole, upto, least.window)?
            };
            (from, window) = (offset.upto, offset.window);
            let done = window.checked_add(of.own.jitter)?;
            found.due =
                found.due.max(done.saturating_sub(found.offsets.last().map_or(0, |of| of.upto)));
            found.offsets.push(offset);
        }
        Some(found)
    }

    /// The last offset up to `most` that has no longer a window than `within`, as `least` has.
    fn farthest(
        &mut self,
        of: &Of<'_>,
        whole: u64,
        (mut least, most): (Offset, u64),
        within: u64,
    ) -> Option<Offset> {
        let mut too_far = most + 1;
        let mut next = most;
        while least.upto < next {
            let tried = self.offset(of, whole, next, least.window)?;
            if tried.window <= within {
                least = tried;
            } else {
                too_far = next;
            }
            next = u64::midpoint(least.upto, too_far);
        }
        Some(least)
    }

    /// The least window from `window` on of the jobs that arrive before `upto`.
    fn offset(&mut self, of: &Of<'_>, whole: u64, upto: u64, mut window: u64) -> Option<Offset> {
        loop {
            let asked = of.asked(upto - 1, window)?;
            let (time, below) = self.afresh(of.server, asked)?;
            let fits = asked <= of.server.budget;
            let all = if fits { time } else { time.checked_add(whole - of.server.budget)? };
            let (used_up, stretches) = self.used_up(of, upto - 1, window)?;
            let time = all.max(used_up);
            if time <= window {
                return Some(Offset { upto, window, below, stretches });
            }
            window = time;
        }
    }

    /// How long `work` takes from an instant on at which a whole budget is there.
    fn afresh(&mut self, server: &Server, work: u64) -> Option<(u64, Vec<u64>)> {
        let whole = work.saturating_sub(1) / server.budget;
        let (window, below) = self.level(server, work - whole * server.budget)?;
        let time = whole.checked_mul(server.period)?.checked_add(window)?;
        Some((time, [vec![window], below].concat()))
    }

    /// All stretches of a period, and a window that is long enough for all of them.
    fn used_up(&mut self, of: &Of<'_>, offset: u64, window: u64) -> Option<(u64, Vec<Stretch>)> {
        let (mut from, mut least, mut all): (u64, _, Vec<Stretch>) = (0, 0, Vec::new());
        let asked = of.asked(offset, window)?;
        while from < of.server.period {
            let loads = of.first_anywhere.len() * 2 + of.last_anywhere.len();
            self.step(loads)?;
            let upto = of.next(offset, from, window)?.min(of.server.period);
            let by_work = of.all_work(offset, upto - 1, window)?;
            // From here on that is less than all of the time.
            let crossing = by_work.saturating_sub(asked);
            let by_time = from < crossing;
            let upto = if by_time { upto.min(crossing) } else { upto };
            let work = if by_time { asked.checked_add(upto - 1)? } else { by_work };
            let since = if by_time { upto - 1 } else { from };
            let below = if work <= of.server.budget {
                Vec::new()
            } else {
                let (time, below) = self.afresh(of.server, work)?;
                least = least.max(time.saturating_sub(since));
                below
            };
            match all.last_mut() {
                Some(before) if before.below.is_empty() && below.is_empty() => before.upto = upto,
                _ => all.push(Stretch { upto, below }),
            }
            from = upto;
        }
        Some((least, all))
    }
}

impl<'a> Of<'a> {
    fn new(server: &'a Server, guest: &'a [GuestTask], place: usize) -> Self {
        let own = &guest[place];
        let others =
            || guest.iter().enumerate().filter(move |&(other, _)| other != place).map(|(_, of)| of);
        let first = || others().filter(|of| own.urgency <= of.urgency);
        let last = others().filter(|of| of.urgency < own.urgency);
        let each =
            |of: &GuestTask, jitter| Member::Jobs { cost: of.cost, period: of.period, jitter };
        Of {
            server,
            own,
            first_at_idle: first().map(|of| each(of, of.jitter)).collect(),
            first_anywhere: first().map(|of| each(of, of.due)).collect(),
            last_anywhere: last.map(|of| each(of, of.due)).collect(),
        }
    }

    /// Whether it and what is as urgent take all of the budgets.
    fn is_overloaded(&self) -> bool {
        let share = |cost: u64, period: u64| {
            (period > 0).then(|| (u128::from(cost) << PLACES).div_ceil(period.into()))
        };
        let first = self.first_at_idle.iter().map(|of| share(of.cost(), of.period()));
        let all: Option<u128> = first.chain([share(self.own.cost, self.own.period)]).sum();
        let taken = all.and_then(|all| all.checked_mul(self.server.period.into()));
        taken.is_none_or(|taken| taken >= u128::from(self.server.budget) << PLACES)
    }

    fn jobs(&self, within: u64) -> Option<u64> {
        within.div_ceil(self.own.period).checked_mul(self.own.cost)
    }

    fn asked(&self, offset: u64, window: u64) -> Option<u64> {
        let own = u128::from(self.jobs(offset.checked_add(1)?)?);
        u64::try_from(own.checked_add(needs(&self.first_at_idle, window)?)?).ok()
    }

    fn within(&self, offset: u64, before: u64) -> Option<u64> {
        let due = offset.checked_add(before)?.checked_add(self.own.due)?;
        Some(due.saturating_sub(self.own.jitter))
    }

    fn all_work(&self, offset: u64, before: u64, window: u64) -> Option<u64> {
        let whole = needs(&self.first_anywhere, before.checked_add(window)?)?;
        let since = needs(&self.first_at_idle, window)?;
        let apart = needs(&self.first_anywhere, before)?.checked_add(since)?;
        let within = self.within(offset, before)?;
        let last = self.own.cost.checked_add(within.saturating_sub(self.own.period))?;
        let own = u128::from(self.jobs(within)?.min(last));
        let all = own.checked_add(needs(&self.last_anywhere, before)?)?;
        u64::try_from(all.checked_add(whole.min(apart))?).ok()
    }

    /// From how long before on more may have been used, or up to how long its own has grown.
    fn next(&self, offset: u64, before: u64, window: u64) -> Option<u64> {
        let after = |time: u64, period: u64| {
            let same = time.div_ceil(period).checked_mul(period)? - time;
            before.checked_add(same)?.checked_add(1)
        };
        let due = |of: &Member, more: u64| match *of {
            Member::Jobs { period, jitter, .. } => {
                after(before.checked_add(more)?.checked_add(jitter)?, period)
            }
            _ => Some(u64::MAX),
        };
        // An earlier job grows with the time that it has had, in so many steps.
        let within = self.within(offset, before)?;
        let left = within.checked_sub(self.own.period).filter(|&had| had < self.own.cost);
        let own = match left {
            Some(had) => {
                let step = (self.own.cost - had).min((self.own.cost / STEPS).max(1));
                before.checked_add(step)?
            }
            None => after(within, self.own.period)?,
        };
        let last = self.last_anywhere.iter().chain(&self.first_anywhere).map(|of| due(of, 0));
        let whole = self.first_anywhere.iter().map(|of| due(of, window));
        last.chain(whole).try_fold(own, |least, next| Some(least.min(next?)))
    }
}

/// Binary places of a share, rounded up.
const PLACES: u32 = 40;
