//! One core in one history: all observers in one run, and the chart in a second, when it is known what chains did.

use super::chains::Values;
use super::{Seen, Unseen};
use crate::distribution::Resolution;
use crate::gantt::{self, Chart};
use crate::recording::Recording;
use crate::watch::{Response, Responses, Row, Watch};
use std::io::Write;
use vorrang_model::System;
use vorrang_model::system::SupplyId;
use vorrang_sim::{NotCovered, Observer, Passages, Pattern, Simulator};
use vorrang_time::{Duration, Instant};
use vorrang_trace::Trace;

/// The run of every core, and what is stored of it.
pub struct Run<'s> {
    /// The system.
    pub system: &'s System,
    /// The history of every core.
    pub pattern: &'s Pattern,
    /// How long.
    pub horizon: Duration,
    /// Of all distributions.
    pub resolution: Resolution,
    /// Whether there is to be a chart, and of what.
    pub picture: Picture,
    /// Whether it was interrupted.
    pub is_end_wanted: fn() -> bool,
}

/// What a chart shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    /// There is none.
    None,
    /// The surroundings of the job that matters most.
    Job,
    /// This window.
    Window(Instant, Instant),
}

impl Run<'_> {
    /// Runs the history of one core; `beside` is a further observer.
    ///
    /// # Errors
    /// What on the core is not simulated, or it was not begun.
    pub fn follow<W: Write>(
        &self,
        core: SupplyId,
        beside: impl Observer,
        trace: Option<&mut Trace<'_, W>>,
    ) -> Result<Seen, Unseen> {
        if (self.is_end_wanted)() {
            return Err(Unseen::NotBegun);
        }
        self.watched(core, beside, trace).map_err(Unseen::NotCovered)
    }

    fn watched<W: Write>(
        &self,
        core: SupplyId,
        beside: impl Observer,
        trace: Option<&mut Trace<'_, W>>,
    ) -> Result<Seen, NotCovered> {
        let history = self.pattern.history(self.system, core)?;
        let watch = Watch::of_core(self.system, core, &history, self.resolution);
        let trace = trace.map(|trace| trace.core(core, |source| watch.responses.limit(source)));
        let mut observers = (watch, beside, trace);
        let horizon = Instant::ZERO + self.horizon;
        let end = Simulator::new(self.system, core)?.run(&history, horizon, &mut observers);
        let (watch, _, trace) = observers;
        if let Some(trace) = trace {
            trace.finish();
        }
        Ok(Seen { watch, end, chart: None })
    }

    /// What chains did on a core that nothing else is wanted of; `beside` is a further observer.
    ///
    /// # Errors
    /// What on the core is not simulated.
    pub fn passed(&self, core: SupplyId, beside: impl Observer) -> Result<Passages, NotCovered> {
        let history = self.pattern.history(self.system, core)?;
        let mut observers = (Passages::new(self.system), beside);
        let horizon = Instant::ZERO + self.horizon;
        vorrang_sim::simulate(self.system, core, &history, horizon, &mut observers)?;
        Ok(observers.0)
    }

    /// Draws the chart of a core, if one is wanted.
    ///
    /// # Errors
    /// What on the core is not simulated.
    pub fn draw(&self, seen: &mut Seen, chains: &[Values]) -> Result<(), NotCovered> {
        if let Some(window) = self.window(&seen.watch, chains) {
            seen.chart = Some(self.chart(&seen.watch, window)?);
        }
        Ok(())
    }

    /// A second run, up to the end of the chart: there it is known whether a deadline in it was met.
    fn chart(&self, watch: &Watch, window: (Instant, Instant)) -> Result<Chart, NotCovered> {
        let core = watch.core;
        let history = &self.pattern.history(self.system, core)?;
        let reached = Instant::ZERO + watch.activity.time();
        let end = gantt::end_of_columns(window.0, window.1);
        let end = end.checked_add(Duration::RESOLUTION).unwrap_or(end);
        let mut recording = Recording::new(self.system, core, &watch.responses, window);
        vorrang_sim::simulate(self.system, core, history, reached.min(end), &mut recording)?;
        Ok(recording.chart())
    }

    fn window(&self, watch: &Watch, chains: &[Values]) -> Option<(Instant, Instant)> {
        let responses = &watch.responses;
        match self.picture {
            Picture::None => None,
            Picture::Window(from, to) => Some((from, to)),
            Picture::Job => {
                let missed = responses.first_miss().map(|(row, response)| of_job(row, response));
                let too_long = || {
                    let own = chains.iter().filter(|own| own.is_on(self.system, watch.core));
                    own.flat_map(Values::misses).next().map(|value| (value.from, value.time()))
                };
                let closest = || closest(responses).map(|(row, response)| of_job(row, response));
                around(missed.or_else(too_long).or_else(closest)?)
            }
        }
    }
}

/// The job that is shown if nothing else is asked for: the first miss, or the response that comes closest to its limit.
pub fn matters_most(responses: &Responses) -> Option<(&Row, Response)> {
    responses.first_miss().or_else(|| closest(responses))
}

/// From its arrival to its deadline, or longer.
fn of_job(row: &Row, response: Response) -> (Instant, Duration) {
    (response.arrival, response.time.max(row.limit.unwrap_or_default()))
}

/// That time, and what comes before and after.
fn around((from, time): (Instant, Duration)) -> Option<(Instant, Instant)> {
    // A tenth on each side shows what happened before and that it is over.
    let margin = Duration::from_ns(time.as_ns() / 10);
    let begin = from.as_ns().saturating_sub(margin.as_ns());
    Some((Instant::from_ns(begin), (from + time).checked_add(margin)?))
}

/// The row that comes closest to its limit, with its longest response.
fn closest(responses: &Responses) -> Option<(&Row, Response)> {
    let rows = responses.rows.iter().filter_map(|row| Some((row, row.longest?, row.limit?)));
    let share = |response: Response, limit: Duration| {
        u128::from(response.time.as_ns()) * u128::from(u64::MAX) / u128::from(limit.as_ns())
    };
    rows.max_by_key(|(_, longest, limit)| share(*longest, *limit))
        .map(|(row, longest, _)| (row, longest))
}
