//! One set: its verdict and its bounds.

use crate::table::Row;
use std::cmp::Reverse;
use std::fmt::Write as _;
use vorrang_analysis::edf::{Contender, ResponseTimes, Work, meets_all_deadlines};
use vorrang_analysis::fixed_priority::{Scratch, SporadicTask, all_within_limits, response_times};
use vorrang_analysis::supply::Dedicated;
use vorrang_analysis::{Effort, Source, bounds};
use vorrang_model::Format;
use vorrang_model::system::TaskId;
use vorrang_time::Duration;

/// Who runs first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// The task with the largest priority.
    FixedPriority,
    /// With the shortest deadline; ties: the earlier row.
    DeadlineMonotonic,
    /// With the shortest period; ties: the earlier row.
    RateMonotonic,
    /// The job with the earliest absolute deadline.
    Edf,
}

impl Scheduler {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::FixedPriority, Self::DeadlineMonotonic, Self::RateMonotonic, Self::Edf];

    /// The word of descriptions.
    pub fn word(self) -> &'static str {
        match self {
            Self::FixedPriority => "fixed-priority",
            Self::DeadlineMonotonic => "deadline-monotonic",
            Self::RateMonotonic => "rate-monotonic",
            Self::Edf => "edf",
        }
    }
}

/// Memory that is used again from set to set.
#[derive(Default)]
pub(crate) struct Bench {
    pub(crate) rows: Vec<Row>,
    /// Rows by urgency, where they do not stand so.
    order: Vec<usize>,
    set: Vec<SporadicTask>,
    scratch: Scratch,
    responses: Vec<Option<Duration>>,
}

/// Whether every task of a set is proven to meet its deadline; or what the reader of descriptions says of it.
type Answer = Result<bool, String>;

impl Bench {
    /// Whether every task is proven to meet its deadline; into `bounds`, if asked for, the bound on each
    /// response in ns; what stands there, if it is beyond the deadline.
    pub(crate) fn answer(&mut self, scheduler: Scheduler, bounds: Option<&mut [i64]>) -> Answer {
        let (mut is_hopeless, mut is_constrained) = (false, true);
        for row in &self.rows {
            is_hopeless |= row.wcet > row.deadline;
            is_constrained &= row.deadline <= row.period;
        }
        if is_hopeless {
            return Ok(false);
        }
        if !is_constrained {
            return described(&self.rows, scheduler, bounds);
        }
        if scheduler == Scheduler::Edf {
            return by_deadline(&self.rows, bounds);
        }
        if !self.sort(scheduler) || is_on_the_edge(&self.set) {
            return described(&self.rows, scheduler, bounds);
        }
        Ok(self.by_priority(bounds))
    }

    /// Sorts by urgency; false: two tasks are equally urgent.
    fn sort(&mut self, scheduler: Scheduler) -> bool {
        let rows = &self.rows;
        let is_sorted = match scheduler {
            Scheduler::DeadlineMonotonic => rows.is_sorted_by_key(|row| row.deadline),
            Scheduler::RateMonotonic => rows.is_sorted_by_key(|row| row.period),
            Scheduler::FixedPriority | Scheduler::Edf => {
                rows.is_sorted_by(|one, next| one.priority > next.priority)
            }
        };
        let task =
            |row: &Row| SporadicTask { wcet: row.wcet, period: row.period, limit: row.deadline };
        self.order.clear();
        self.set.clear();
        if is_sorted {
            self.set.extend(rows.iter().map(task));
            return true;
        }
        self.order.extend(0..rows.len());
        match scheduler {
            Scheduler::DeadlineMonotonic => self.order.sort_by_key(|row| rows[*row].deadline),
            Scheduler::RateMonotonic => self.order.sort_by_key(|row| rows[*row].period),
            Scheduler::FixedPriority | Scheduler::Edf => {
                self.order.sort_by_key(|row| Reverse(rows[*row].priority));
            }
        }
        self.set.extend(self.order.iter().map(|row| task(&rows[*row])));
        let is_distinct = |pair: &[usize]| rows[pair[0]].priority != rows[pair[1]].priority;
        scheduler != Scheduler::FixedPriority || self.order.windows(2).all(is_distinct)
    }

    /// Joseph and Pandya 1986, most urgent first.
    fn by_priority(&mut self, bounds: Option<&mut [i64]>) -> bool {
        let Some(bounds) = bounds else {
            return all_within_limits(&Dedicated, &self.set, &mut self.scratch);
        };
        response_times(&Dedicated, &self.set, &mut self.scratch, &mut self.responses);
        let mut all = true;
        for (place, response) in self.responses.iter().enumerate() {
            all &= response.is_some();
            bounds[self.order.get(place).copied().unwrap_or(place)] = response.map_or(0, cell);
        }
        all
    }
}

/// A bound within a deadline that was stated, which is below 2^50 ns.
fn cell(bound: Duration) -> i64 {
    bound.as_ns().cast_signed()
}

/// Of the processor, in [`is_on_the_edge`].
const WHOLE: u64 = 1 << 14;
/// A part of 2^-10.
const EDGE: u64 = 1 << 4;

/// Whether the more urgent tasks down to some level take the whole processor, or so nearly that the steps to
/// a fixed point there are too many to count without a limit: with a part of 2^-10 left they are below
/// 2^10 ln 2^50, and with as much too much, too.
fn is_on_the_edge(set: &[SporadicTask]) -> bool {
    if set.iter().map(roughly).sum::<u64>() + EDGE <= WHOLE {
        return false;
    }
    // Of the processor, not more; each task takes at most one unit beyond.
    let mut share = 0;
    for (task, beyond) in set.iter().zip(1..) {
        // Below 2^64: a stated time is below 2^50.
        share += (task.wcet.as_ns() << 14) / task.period.as_ns();
        if share >= WHOLE + EDGE {
            return false;
        }
        if share + beyond + EDGE > WHOLE {
            return true;
        }
    }
    false
}

/// What a task takes of the processor, not less, of [`WHOLE`]: by the first 17 bits of its period, because
/// a division of 32 bits costs a fraction of one of 64. Of these tasks the execution time is within the period.
fn roughly(task: &SporadicTask) -> u64 {
    let period = task.period.as_ns();
    let shift = 47_u32.saturating_sub(period.leading_zeros());
    let [wcet, period] =
        [task.wcet.as_ns(), period].map(|ns| u32::try_from(ns >> shift).expect("17 bits"));
    u64::from(((wcet + 1) << 14) / period) + 1
}

fn by_deadline(rows: &[Row], bounds: Option<&mut [i64]>) -> Answer {
    let contender = |row: &Row| Contender {
        of: Source::Unnamed,
        cost: row.wcet,
        period: row.period,
        work: Work::Jobs {
            deadline: row.deadline,
            jitter: Duration::ZERO,
            blocking: Duration::ZERO,
        },
    };
    let contenders: Vec<Contender> = rows.iter().map(contender).collect();
    let Some(bounds) = bounds else {
        let met = meets_all_deadlines(&Dedicated, true, &contenders, &Effort::default());
        return met.or_else(|_| described(rows, Scheduler::Edf, None));
    };
    described_if_given_up(rows, bounds, &contenders)
}

/// The response times under EDF; where the analysis gives up, what `vorrang check` makes of it.
fn described_if_given_up(rows: &[Row], bounds: &mut [i64], contenders: &[Contender]) -> Answer {
    let effort = Effort::default();
    let Ok(all) = ResponseTimes::new(&Dedicated, contenders, &effort) else {
        return described(rows, Scheduler::Edf, Some(bounds));
    };
    for (place, row) in rows.iter().enumerate() {
        effort.restart(rows.len());
        match all.of(place, &effort) {
            Ok(found) => {
                bounds[place] = if found.bound <= row.deadline { cell(found.bound) } else { 0 };
            }
            Err(_) => return described(rows, Scheduler::Edf, Some(bounds)),
        }
    }
    Ok(bounds.iter().all(|bound| *bound != 0))
}

/// As a description, which knows deadlines beyond periods and equal priorities.
fn described(rows: &[Row], scheduler: Scheduler, into: Option<&mut [i64]>) -> Answer {
    let system = vorrang_model::read(text(rows, scheduler).as_bytes(), Format::Toml)
        .map_err(|found| found.first().map(|first| first.message.clone()).unwrap_or_default())?;
    let found = bounds(&system);
    let within = |(id, row): (usize, &Row)| {
        found.task(TaskId(id)).bound.filter(|bound| *bound <= row.deadline)
    };
    let Some(into) = into else {
        return Ok(rows.iter().enumerate().all(|row| within(row).is_some()));
    };
    for (row, bound) in rows.iter().enumerate().zip(&mut *into) {
        *bound = within(row).map_or(0, cell);
    }
    Ok(into.iter().all(|bound| *bound != 0))
}

fn text(rows: &[Row], scheduler: Scheduler) -> String {
    let mut priorities: Vec<i64> = rows.iter().map(|row| row.priority).collect();
    priorities.sort_unstable();
    priorities.dedup();
    let mut text = format!("version = 1\n[core.0]\nscheduler = \"{}\"\n", scheduler.word());
    for (number, row) in rows.iter().enumerate() {
        let _ = write!(
            text,
            "[task.{number}]\non = \"core.0\"\nwcet = \"{}\"\nperiod = \"{}\"\ndeadline = \"{}\"\n",
            row.wcet, row.period, row.deadline
        );
        if scheduler == Scheduler::FixedPriority {
            // Their order is what counts, and descriptions have no more than a million.
            let rank = priorities.partition_point(|known| *known < row.priority);
            let _ = writeln!(text, "priority = {rank}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use vorrang_random::Random;

    fn task(wcet: u64, period: u64) -> SporadicTask {
        let [wcet, period] = [wcet, period].map(Duration::from_ns);
        SporadicTask { wcet, period, limit: period }
    }

    #[test]
    fn what_the_reader_refuses_is_said() {
        let (time, never) = (Duration::from_ns(5), Duration::ZERO);
        let row = Row { wcet: never, period: time, deadline: time, priority: 1 };
        let said = described(&[row], Scheduler::FixedPriority, None).unwrap_err();
        assert!(!said.is_empty());
    }

    #[test]
    fn roughly_is_never_less() {
        let mut random = Random::new(1, 0);
        for _ in 0..100_000 {
            let longest = 1 << random.between(1, 49);
            let period = random.between(1, longest);
            let wcet = random.between(1, period);
            let (rough, exact) = (roughly(&task(wcet, period)), (wcet << 14).div_ceil(period));
            assert!(exact <= rough, "{wcet} of {period}: {rough} below {exact}");
            let near = if period < 1 << 17 { (1 << 14) / period + 2 } else { 3 };
            assert!(rough <= exact + near, "{wcet} of {period}: {rough} far above {exact}");
        }
    }
}
