//! All tasks of a guest together, from an idle guest on, as in `proofs/Certificate.v`.
//!
//! **Model.** `None` refuses. Every function here has the name of the one there.
//!
//! Derived in docs/theory/idle-start.md.

use crate::loads::{holds, needs};
use crate::rounding::rounded_up;
use crate::supplied::{at_level, enough};
use crate::{Certificate, GuestTask, Kind, Member, Offset, Server, Stretch, Supply};

/// A part r of a budget, within x.
fn in_level(server: &Server, r: u128, x: u64, below: &[u64]) -> Option<()> {
    let (&z, rest) = below.split_first()?;
    holds(z <= x)?;
    enough(&server.parent, at_level(server, r, z)?, z, rest)
}

/// w, from an instant on at which a whole budget is there.
fn afresh(server: &Server, w: u128, y: u128, below: &[u64]) -> Option<()> {
    let n = w.saturating_sub(1) / u128::from(server.budget);
    let &z = below.first()?;
    holds(z <= server.period)?;
    holds(n.checked_mul(server.period.into())?.checked_add(z.into())? <= y)?;
    in_level(server, w - n * u128::from(server.budget), z, below)
}

/// A task of the guest, what is as urgent there, and what is less urgent; as they count from an idle guest on, and anywhere.
struct Of<'a> {
    m: &'a GuestTask,
    first_at_idle: Vec<Member>,
    first_anywhere: Vec<Member>,
    last_anywhere: Vec<Member>,
}

fn at_idle(of: &GuestTask) -> Member {
    Member::Jobs { cost: of.cost, period: of.period, jitter: of.jitter }
}

fn anywhere_of(of: &GuestTask) -> Member {
    Member::Jobs { cost: of.cost, period: of.period, jitter: of.due }
}

impl<'a> Of<'a> {
    fn new(m: &'a GuestTask, others: &[&GuestTask]) -> Self {
        let first = || others.iter().filter(|of| m.urgency <= of.urgency);
        let last = others.iter().filter(|of| of.urgency < m.urgency);
        Of {
            m,
            first_at_idle: first().map(|of| at_idle(of)).collect(),
            first_anywhere: first().map(|of| anywhere_of(of)).collect(),
            last_anywhere: last.map(|of| anywhere_of(of)).collect(),
        }
    }

    fn own(&self, within: u128) -> Option<u128> {
        rounded_up(within, self.m.period)?.checked_mul(self.m.cost.into())
    }

    /// What is asked for in x by a job that may arrive a into a window.
    fn asks(&self, a: u64, x: u64) -> Option<u128> {
        self.own(u128::from(a) + 1)?.checked_add(needs(&self.first_at_idle, x)?)
    }

    /// Of its own earlier jobs nothing is used after the last of them is due.
    fn own_work(&self, a: u64, p: u64) -> Option<u128> {
        let y = u128::from(a) + u128::from(p) + u128::from(self.m.due);
        let y = y.saturating_sub(self.m.jitter.into());
        let last = u128::from(self.m.cost) + y.saturating_sub(self.m.period.into());
        Some(self.own(y)?.min(last))
    }

    /// The same with what was used in the p before the window.
    fn all_work(&self, a: u64, p: u64, x: u64) -> Option<u128> {
        let own = self.own_work(a, p)?;
        let whole = needs(&self.first_anywhere, p.checked_add(x)?)?;
        let before = needs(&self.first_anywhere, p)?;
        let first = whole.min(before.checked_add(needs(&self.first_at_idle, x)?)?);
        own.checked_add(needs(&self.last_anywhere, p)?)?.checked_add(first)
    }

    /// Where the budget is used up, in each stretch of the period: by all of the time before, or by the work there.
    fn used_up(&self, server: &Server, a: u64, offset: &Offset) -> Option<()> {
        let (x, q) = (offset.window, u128::from(server.budget));
        let mut from = 0;
        for Stretch { upto, below } in &offset.stretches {
            let p = upto.saturating_sub(1);
            let by_time = self.asks(a, x)?.checked_add(p.into())?;
            let by_work = self.all_work(a, p, x)?;
            let within = |since: u64| u128::from(since) + u128::from(x);
            holds(
                by_time <= q
                    || by_work <= q
                    || afresh(server, by_time, within(p), below).is_some()
                    || afresh(server, by_work, within(from), below).is_some(),
            )?;
            from = *upto;
        }
        holds(server.period <= from)
    }

    fn at_offsets(&self, server: &Server, whole: u64) -> Option<()> {
        let mut from = 0_u64;
        for offset in &self.m.offsets {
            let (a, x) = (offset.upto.saturating_sub(1), offset.window);
            let w = self.asks(a, x)?;
            let by = u128::from(x) + u128::from(self.m.jitter);
            holds(0 < x && by <= u128::from(from) + u128::from(self.m.due))?;
            // Where it is there throughout, and where a period ends before it is used up.
            if w <= server.budget.into() {
                in_level(server, w, x, &offset.below)?;
            } else {
                let y = u128::from(x) + u128::from(server.budget);
                afresh(server, w, y.saturating_sub(whole.into()), &offset.below)?;
            }
            self.used_up(server, a, offset)?;
            from = offset.upto;
        }
        holds(u128::from(self.m.length) + u128::from(self.m.jitter) <= from.into())
    }

    fn in_guest(&self, on: &Supply, server: &Server, whole: u64) -> Option<()> {
        let (m, l) = (self.m, self.m.length);
        holds(0 < m.period)?;
        let own = self.own(u128::from(l) + u128::from(m.jitter))?;
        let all = own.checked_add(needs(&self.first_at_idle, l)?)?.checked_add(1)?;
        enough(on, all, l, &m.length_below)?;
        self.at_offsets(server, whole)
    }
}

fn whole_guest(on: &Supply, server: &Server, whole: u64, guest: &[GuestTask]) -> Option<()> {
    guest.iter().enumerate().try_for_each(|(place, m)| {
        let others = guest.iter().enumerate().filter(|&(other, _)| other != place);
        let others: Vec<_> = others.map(|(_, of)| of).collect();
        Of::new(m, &others).in_guest(on, server, whole)
    })
}

/// Of a task of a guest, from an idle guest on.
pub(crate) fn idle_guest(c: &Certificate, guest: &[GuestTask], which: u64) -> Option<()> {
    let Supply::Server(server) = &c.on else { return None };
    holds(server.kind == Kind::Deferrable)?;
    whole_guest(&c.on, server, *server.full.first()?, guest)?;
    let m = guest.get(usize::try_from(which).ok()?)?;
    holds((m.cost, m.period, m.jitter) == (c.cost, c.period, c.jitter) && m.due <= c.bound)
}
