//! The windows of a certificate, by fixed-point iteration.
//!
//! **Model.** [`Search::time_for`] is the time that a supply takes for some work, with the windows that show it: the
//! least `z` at each level with `z = parent(r + B + needs(z))`. [`Search::certificate`] takes the least length into
//! which the work that is released in it fits, and for each job of that length the least window.
//!
//! **Assumptions.** None: what it finds is checked. It gives up when its steps are used up, one for each load that is
//! evaluated.

use crate::Uncertified;
use vorrang_certificate::{Certificate, Kind, Member, Point, Server, Supply, needs};

/// A task on its supply.
pub(crate) struct Place {
    /// The supply.
    pub(crate) on: Supply,
    /// What is more or as urgent there.
    pub(crate) urgent: Vec<Member>,
    /// Longest section of what is less urgent.
    pub(crate) blocked_by: u64,
    /// Longest execution time.
    pub(crate) cost: u64,
    /// Least time between two arrivals.
    pub(crate) period: u64,
    /// Longest time from arrival to release.
    pub(crate) jitter: u64,
}

/// A window, and those of the supplies below.
type Windows = (u64, Vec<u64>);

/// A search that ends.
pub struct Search {
    /// Loads that it may still evaluate.
    left: u64,
}

impl Search {
    /// One with so many steps.
    pub const fn new(steps: u64) -> Self {
        Self { left: steps }
    }

    fn step(&mut self, loads: usize) -> Option<()> {
        self.left = self.left.checked_sub(1 + loads as u64)?;
        Some(())
    }

    /// How long a supply takes for `work`.
    fn time_for(&mut self, supply: &Supply, work: u64) -> Option<Windows> {
        let Supply::Server(server) = supply else { return Some((work, Vec::new())) };
        if work == 0 {
            return Some((0, Vec::new()));
        }
        let whole = (work - 1) / server.budget;
        let (window, below) = self.level(server, work - whole * server.budget)?;
        let first = match server.kind {
            Kind::Polling => server.period - 1,
            Kind::Periodic | Kind::Deferrable | Kind::Sporadic => server.period - server.budget,
        };
        let time = whole.checked_mul(server.period)?.checked_add(first)?.checked_add(window)?;
        Some((time, [vec![window], below].concat()))
    }

    /// How long a server that is ready takes for a part of its budget.
    fn level(&mut self, server: &Server, part: u64) -> Option<Windows> {
        let work = part.checked_add(server.blocking)?;
        self.fixed_point(&server.parent, &server.urgent, part, |_| Some(work), server.period)
    }

    /// The least window from `start` on in which `on` gives `own` and what is more urgent, up to `most`.
    fn fixed_point(
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

    /// The least bound that these theorems show.
    pub(crate) fn certificate(&mut self, place: Place) -> Result<Certificate, Uncertified> {
        self.found(place).ok_or(Uncertified::NoWindow)
    }

    fn found(&mut self, place: Place) -> Option<Certificate> {
        let Place { on, urgent, blocked_by, cost, period, jitter } = place;
        let released = |x: u64| x.div_ceil(period).checked_mul(cost);
        let (length, length_below) =
            self.fixed_point(&on, &urgent, cost.max(1), released, u64::MAX)?;
        let (mut from, mut window, mut bound, mut points) = (0, 1, 0, Vec::new());
        while from < length {
            let own = released(from + 1)?.checked_add(blocked_by)?;
            let (next, below) = self.fixed_point(&on, &urgent, window, |_| Some(own), u64::MAX)?;
            window = next;
            bound = bound.max(window.checked_add(jitter)?.saturating_sub(from));
            let upto = (from / period + 1).checked_mul(period)?;
            points.push(Point { upto, window, below });
            from = upto;
        }
        let own = Certificate {
            on,
            urgent,
            blocked_by,
            cost,
            period,
            jitter,
            bound,
            length,
            length_below,
            points,
        };
        Some(own)
    }
}
