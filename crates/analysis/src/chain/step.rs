//! The two terms of one task of a chain.
//!
//! **Assumption.** The jobs of a run come from one arrival, and each begins when the one before it is complete: all
//! together wait once, and what they take counts from that arrival.
//!
//! Theory: docs/theory/chains.md.

use super::hold::{covered_from, holds_its_own, holds_up};
use super::missing::Missing;
use super::run::Part;
use crate::bounds::Bounds;
use vorrang_model::system::{Activation, Communication, System, TaskId};
use vorrang_time::Duration;

/// What a value takes at one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The task.
    pub task: TaskId,
    /// Until it arrives again: the longest time between two arrivals. Nothing where one before it on the chain wakes it.
    pub distance: Duration,
    /// From there until the next one may arrive behind its output, or, of the last, until it writes. Where one before it
    /// wakes it, from the end of that.
    pub time: Duration,
    /// What ends that time.
    pub until: Until,
}

/// What ends the time of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// It completes: its response time.
    Completed,
    /// The same, but for what the next one waits for it anyway.
    Held,
    /// Its deadline.
    Deadline,
    /// It completes, and the next one that comes from its arrival begins after that: it descends from it, or waits for it
    /// in any case.
    Wakes,
    /// It is not waited for: less than the source of both takes to arrive so often that the next one begins after it.
    Again,
}

impl Step {
    /// The terms of the tasks of a run; `by_clock`: it and the next one come by the clock.
    pub(super) fn of_run(
        system: &System,
        bounds: &Bounds,
        run: &[Part],
        by_clock: bool,
    ) -> Result<Vec<Self>, Missing> {
        let mut ends = Vec::new();
        for part in run {
            if may_merge(system, part.task) {
                return Err(Missing::Merged(part.task));
            }
            ends.push(part.ends.ok_or(Missing::Response(part.task))?);
        }
        let (Some(first), Some(last), Some(&response)) = (run.first(), run.last(), ends.last())
        else {
            return Ok(Vec::new());
        };
        let mut distance = distance(system, first.task)?;
        let (all, until) = end(system, bounds, last, (response, by_clock))?;
        let (mut steps, mut before) = (Vec::new(), Duration::ZERO);
        for (place, (part, own)) in run.iter().zip(ends).enumerate() {
            let is_last = place + 1 == run.len();
            // What the last one takes counts from the arrival as well.
            let own = if is_last { all } else { own.min(all).max(before) };
            let until = if is_last { until } else { Until::Wakes };
            steps.push(Self { task: part.task, distance, time: own - before, until });
            (distance, before) = (Duration::ZERO, own);
        }
        Ok(steps)
    }
}

/// From the arrival of the last task of a run until the next one may arrive behind its output, or, of the last of the
/// chain, until it writes.
fn end(
    system: &System,
    bounds: &Bounds,
    last: &Part,
    (response, by_clock): (Duration, bool),
) -> Result<(Duration, Until), Missing> {
    let task = last.task;
    let own = system.task(task);
    let is_logical = own.communication == Communication::Let;
    if is_logical && (own.activation != Activation::Sporadic || !own.jitter.is_zero()) {
        return Err(Missing::Logical(task));
    }
    let deadline = own.deadline.filter(|_| is_logical).unwrap_or(response);
    let written = response.max(deadline);
    let until = if is_logical { Until::Deadline } else { Until::Completed };
    let Some(next) = last.next else { return Ok((written, until)) };
    let covered = || covered_from(system, bounds, task, next).ok_or(Missing::Response(task));
    let is_held = !is_logical && holds_its_own(system, task, next);
    if by_clock {
        // Its arrivals are known, so it is enough from when on the next one reads.
        let waits = is_held || !is_logical && holds_up(system, task, next);
        return Ok(if waits { (covered()?.min(written), Until::Held) } else { (written, until) });
    }
    let (end, until) = if !is_logical && holds_up(system, task, next) {
        let rest = response.saturating_sub(distance(system, next)?);
        (rest.max(covered()?), Until::Held)
    } else {
        (written, until)
    };
    let from = if is_held { covered()? } else { written };
    Ok(match again(system, (task, next), from)? {
        Some(again) if again < end => (again, Until::Again),
        _ => (end, until),
    })
}

/// Where both descend from one source: until the arrival before the one whose job of the reader begins `from` after that
/// of the writer, or later.
fn again(
    system: &System,
    (task, next): (TaskId, TaskId),
    from: Duration,
) -> Result<Option<Duration>, Missing> {
    let root = system.root_of(task);
    let source = system.task(root);
    // Interrupts may storm.
    if root != system.root_of(next) || source.activation != Activation::Sporadic {
        return Ok(None);
    }
    let sooner = match &source.distances {
        Some(distances) => distances.below(from),
        None => from.div_ceil(source.min_interarrival).saturating_sub(1),
    };
    Ok(distance(system, task)?.checked_mul(sooner))
}

/// The longest time between two arrivals of a task: of what its jobs descend from.
fn distance(system: &System, task: TaskId) -> Result<Duration, Missing> {
    let source = system.root_of(task);
    system.task(source).latest_interarrival.ok_or(Missing::Latest(source))
}

/// Whether what wakes a task may be counted once where it came twice.
fn may_merge(system: &System, task: TaskId) -> bool {
    match system.source_of(task) {
        Activation::Sporadic | Activation::Timer(_) | Activation::Task(_) | Activation::Join => {
            false
        }
        Activation::Device(_) => true,
        Activation::Interrupt(id) => {
            let delivery = system.interrupt(id).delivery.as_ref();
            delivery.is_some_and(|own| own.pseudo_vcpu.is_some())
                || system.devices.iter().any(|device| device.interrupt == id)
        }
    }
}
