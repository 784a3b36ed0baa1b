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

impl Bench {
    /// Whether every task is proven to meet its deadline; into `bounds`, if asked for, the bound on each
    /// response, none where it is beyond the deadline.
    pub(crate) fn answer(
        &mut self,
        scheduler: Scheduler,
        bounds: Option<&mut [Option<Duration>]>,
    ) -> bool {
        let is_hopeless = self.rows.iter().any(|row| row.wcet > row.deadline);
        if is_hopeless {
            return false;
        }
        let is_constrained = self.rows.iter().all(|row| row.deadline <= row.period);
        if !is_constrained {
            return described(&self.rows, scheduler, bounds);
        }
        if scheduler == Scheduler::Edf {
            return by_deadline(&self.rows, bounds);
        }
        if !self.sort(scheduler) || is_on_the_edge(&self.set) {
            return described(&self.rows, scheduler, bounds);
        }
        self.by_priority(bounds)
    }

    /// Sorts by urgency; false: two tasks are equally urgent.
    fn sort(&mut self, scheduler: Scheduler) -> bool {
        let rows = &self.rows;
        let key = |row: &Row| match scheduler {
            Scheduler::DeadlineMonotonic => (Reverse(0), row.deadline),
            Scheduler::RateMonotonic => (Reverse(0), row.period),
            Scheduler::FixedPriority | Scheduler::Edf => (Reverse(row.priority), Duration::ZERO),
        };
        self.order.clear();
        if !rows.is_sorted_by(|one, next| key(one) <= key(next)) {
            self.order.extend(0..rows.len());
            self.order.sort_by_key(|row| key(&rows[*row]));
        }
        self.set.clear();
        let task =
            |row: &Row| SporadicTask { wcet: row.wcet, period: row.period, limit: row.deadline };
        if self.order.is_empty() {
            self.set.extend(rows.iter().map(task));
        } else {
            self.set.extend(self.order.iter().map(|row| task(&rows[*row])));
        }
        let at = |place: usize| &rows[self.order.get(place).copied().unwrap_or(place)];
        scheduler != Scheduler::FixedPriority
            || (1..rows.len()).all(|place| at(place - 1).priority != at(place).priority)
    }

    /// Joseph and Pandya 1986, most urgent first.
    fn by_priority(&mut self, bounds: Option<&mut [Option<Duration>]>) -> bool {
        let Some(bounds) = bounds else {
            return all_within_limits(&Dedicated, &self.set, &mut self.scratch);
        };
        response_times(&Dedicated, &self.set, &mut self.scratch, &mut self.responses);
        if self.order.is_empty() {
            bounds.copy_from_slice(&self.responses);
        } else {
            for (row, bound) in self.order.iter().zip(&self.responses) {
                bounds[*row] = *bound;
            }
        }
        self.responses.iter().all(Option::is_some)
    }
}

/// Whether the more urgent tasks down to some level take the whole processor, or so nearly that the steps to
/// a fixed point there are too many to count without a limit: with a part of 2^-10 left they are below
/// 2^10 ln 2^50, and with as much too much, too.
fn is_on_the_edge(set: &[SporadicTask]) -> bool {
    const WHOLE: u64 = 1 << 14;
    const EDGE: u64 = 1 << 4;
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

fn by_deadline(rows: &[Row], bounds: Option<&mut [Option<Duration>]>) -> bool {
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
        return met.unwrap_or_else(|_| described(rows, Scheduler::Edf, None));
    };
    described_if_given_up(rows, bounds, &contenders)
}

/// The response times under EDF; where the analysis gives up, what `vorrang check` makes of it.
fn described_if_given_up(
    rows: &[Row],
    bounds: &mut [Option<Duration>],
    contenders: &[Contender],
) -> bool {
    let effort = Effort::default();
    let Ok(all) = ResponseTimes::new(&Dedicated, contenders, &effort) else {
        return described(rows, Scheduler::Edf, Some(bounds));
    };
    for (place, row) in rows.iter().enumerate() {
        effort.restart(rows.len());
        match all.of(place, &effort) {
            Ok(found) => bounds[place] = Some(found.bound).filter(|bound| *bound <= row.deadline),
            Err(_) => return described(rows, Scheduler::Edf, Some(bounds)),
        }
    }
    bounds.iter().all(Option::is_some)
}

/// As a description, which knows deadlines beyond periods and equal priorities.
fn described(rows: &[Row], scheduler: Scheduler, into: Option<&mut [Option<Duration>]>) -> bool {
    let Ok(system) = vorrang_model::read(text(rows, scheduler).as_bytes(), Format::Toml) else {
        return false;
    };
    let found = bounds(&system);
    let within = |(id, row): (usize, &Row)| {
        found.task(TaskId(id)).bound.filter(|bound| *bound <= row.deadline)
    };
    match into {
        None => rows.iter().enumerate().all(|row| within(row).is_some()),
        Some(into) => {
            for (row, bound) in rows.iter().enumerate().zip(&mut *into) {
                *bound = within(row);
            }
            into.iter().all(Option::is_some)
        }
    }
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
