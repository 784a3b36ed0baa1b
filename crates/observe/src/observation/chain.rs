//! The row of a chain.
//!
//! **Model.** Jobs read and write as the description says (*Chains* in docs/model.md): by registers when they first have a
//! processor and when they sleep; with logical execution time at the wake-up and at the deadline after that. A job that
//! another task wakes belongs to the job of it that had begun by then, and sees what that wrote.
//!
//! **Assumptions.** 1. What counts begins with a reading at which each task was woken in the trace: every job from there on
//! is in it. 2. It ends before a task stops to come. 3. The wake-up of a task with logical execution time is its arrival in a
//! trace that tells activations; in one of a kernel it may be late, and what is too long is open.
//!
//! **Does not cover** what is not complete when the trace ends.

use super::{Handed, Handing, Kind, Latency, Look, Row, Seen, Times};
use crate::comparison::{Comparison, Place, SEVERAL, Sight, Verdict, What};
use crate::history::Job;
use crate::matching::Found;
use crate::passage::{Passage, Passages, Value};
use crate::pieces::Stretch;
use vorrang_model::system::{Chain, Communication, TaskId};
use vorrang_time::Duration;

/// Where the arrival is not the wake-up.
const LATE: &str =
    "a wake-up may be later than the arrival, at which a task with logical execution time reads";

/// A chain in a trace.
struct Along<'l> {
    look: &'l Look<'l>,
    chain: &'l Chain,
    /// The jobs of its tasks.
    jobs: Vec<&'l [Job]>,
    passages: Passages,
    /// What counts.
    window: Stretch,
}

impl Look<'_> {
    pub(super) fn chain(&self, place: usize) -> Row {
        let chain = &self.system.chains[place];
        let is_in_guest =
            |&id: &TaskId| self.system.guest_around(self.system.task(id).on).is_some();
        let threads: Found<Vec<u32>> = chain.path.iter().map(|&id| self.thread_on(id)).collect();
        Row {
            name: chain.name.clone(),
            kind: Kind::Chain,
            is_shown: !chain.path.iter().any(is_in_guest),
            seen: threads.map(|threads| self.along(place, &threads)),
        }
    }

    fn thread_on(&self, id: TaskId) -> Found<u32> {
        let thread = self.matching.tasks[id.0].clone();
        thread.map_err(|why| format!("{}: {why}", self.system.task(id).name))
    }

    fn along(&self, place: usize, threads: &[u32]) -> Seen {
        let chain = &self.system.chains[place];
        let names: Vec<&str> =
            chain.path.iter().map(|&id| self.system.task(id).name.as_str()).collect();
        let mut seen = Seen { who: names.join(", "), ..Seen::default() };
        let jobs: Vec<&[Job]> =
            threads.iter().map(|&thread| &self.history(thread).jobs[..]).collect();
        let passages = Passages::new(self.passages(chain, &jobs), self.resolution(1));
        let window = self.whole(chain, &jobs);
        let along = Along { look: self, chain, jobs, passages, window };
        let bound = self.limits.chains[place].as_ref();
        let reactions = along.counted(along.passages.reactions());
        let ages = along.counted(along.passages.ages());
        let of = [(What::Reaction, chain.reaction, &reactions), (What::Age, chain.age, &ages)];
        seen.comparisons = of.map(|(what, _, values)| along.compared(what, values, bound)).into();
        seen.notes = of
            .iter()
            .filter_map(|&(what, limit, values)| along.over(what, limit?, values))
            .collect();
        seen.jobs = reactions.len() as u64;
        seen.handed = Some(Handed {
            reaction: along.latency(chain.reaction, &reactions, &seen.comparisons[0]),
            age: along.latency(chain.age, &ages, &seen.comparisons[1]),
        });
        seen
    }

    /// Readings and writes of all jobs that have read.
    fn passages(&self, chain: &Chain, jobs: &[&[Job]]) -> Vec<Vec<Passage>> {
        let all = chain.path.iter().zip(jobs).enumerate();
        let of_task = all.map(|(place, (&id, own))| {
            let before = place
                .checked_sub(1)
                .filter(|&before| self.system.predecessors(id).contains(&chain.path[before]));
            let by = |job: &Job| self.woken_by(jobs[before?], job);
            own.iter().filter_map(|job| self.passage(id, job, by(job))).collect()
        });
        of_task.collect()
    }

    fn passage(&self, id: TaskId, job: &Job, woken_by: Option<usize>) -> Option<Passage> {
        let task = self.system.task(id);
        let complete = job.is_complete.then_some(job.end);
        let logical = task.deadline.filter(|_| task.communication == Communication::Let);
        Some(match logical {
            Some(deadline) => Passage {
                read: job.release,
                write: complete.map(|end| end.max(job.release + deadline.as_ns())),
                woken_by,
            },
            // A job without work begins when it is complete.
            None => Passage { read: job.began.or(complete)?, write: complete, woken_by },
        })
    }

    /// The place of the job that woke another one: the last that had run by then, as far as the clock tells, and was not
    /// over long ago.
    fn woken_by(&self, writers: &[Job], woken: &Job) -> Option<usize> {
        let latest = woken.release + self.schedule.resolution.saturating_sub(1);
        let has_run = |job: &Job| job.began.is_some_and(|at| at < latest);
        let place = writers.partition_point(has_run).checked_sub(1)?;
        (woken.release <= writers[place].end + self.resolution(1)).then_some(place)
    }

    /// From when each task was woken, until one does not come any more.
    fn whole(&self, chain: &Chain, jobs: &[&[Job]]) -> Stretch {
        let first = jobs.iter().map(|own| own.first().map_or(u64::MAX, |job| job.release));
        let last = chain.path.iter().zip(jobs).filter_map(|(&id, own)| self.stops(id, own));
        (first.max().unwrap_or(u64::MAX), last.min().unwrap_or(u64::MAX))
    }

    /// When a task should have been woken again at the latest, if the trace goes on after that.
    fn stops(&self, id: TaskId, jobs: &[Job]) -> Option<u64> {
        let apart = self.system.task(self.system.root_of(id)).latest_interarrival?;
        let late = self.limits.tasks[id.0].as_ref().ok()?;
        let until = jobs.last()?.release.saturating_add(apart.as_ns()).saturating_add(late.as_ns());
        (until < self.schedule.end).then_some(until)
    }
}

impl Along<'_> {
    /// Those that begin and end where all is seen.
    fn counted(&self, mut values: Vec<Value>) -> Vec<Value> {
        let (from, until) = self.window;
        values.retain(|value| value.window.0 >= from && value.window.1 <= until);
        values
    }

    fn compared(
        &self,
        what: What,
        values: &[Value],
        bound: Result<&Duration, &String>,
    ) -> Comparison {
        match bound {
            Err(why) => Comparison::open(what, why.clone()),
            Ok(_) if values.is_empty() => {
                Comparison::open(what, "the trace shows no value from end to end".to_owned())
            }
            Ok(bound) => {
                let sight = |value: &Value| self.sight(value, bound.as_ns());
                Comparison::of(what, &values.iter().map(sight).collect::<Vec<_>>())
            }
        }
    }

    fn latency(
        &self,
        limit: Option<Duration>,
        values: &[Value],
        comparison: &Comparison,
    ) -> Latency {
        let decides = comparison.worst.map(|sight| sight.place.window);
        let decides = values.iter().find(|value| Some(value.window) == decides);
        let shown = decides.or_else(|| values.iter().max_by_key(|value| value.time()));
        Latency {
            values: values.len() as u64,
            times: Times::of(values.iter().map(Value::time)),
            limit: limit.map(Duration::as_ns),
            way: shown.map(|value| self.way(value)).unwrap_or_default(),
            all: values
                .iter()
                .map(|value| Handing { window: value.window, way: self.way(value) })
                .collect(),
        }
    }

    /// Whether it took longer than is required.
    fn over(&self, what: What, limit: Duration, values: &[Value]) -> Option<String> {
        let is_over = |value: &&Value| {
            value.time() > limit.as_ns() + self.look.resolution(1) && self.excuse(value).is_none()
        };
        let longest = values.iter().filter(is_over).map(Value::time).max()?;
        Some(format!(
            "{}: its {} was {}, and {limit} is required",
            self.chain.name,
            what.phrase(),
            Duration::from_ns(longest)
        ))
    }

    fn sight(&self, value: &Value, bound: u64) -> Sight {
        let last = self.jobs.len() - 1;
        let mut sight = Sight {
            time: value.time(),
            bound,
            resolution: self.look.resolution(1),
            place: Place { window: value.window, cpu: self.jobs[last][value.way[last]].cpu },
            excuse: None,
        };
        if sight.verdict() == Verdict::Above {
            sight.excuse = self.excuse(value);
        }
        sight
    }

    /// Why a value may be shorter in truth.
    fn excuse(&self, value: &Value) -> Option<&'static str> {
        let system = self.look.system;
        let is_logical = |id: &TaskId| system.task(*id).communication == Communication::Let;
        if !self.look.schedule.tells_activations && self.chain.path.iter().any(is_logical) {
            return Some(LATE);
        }
        let (begin, end) = value.window;
        let several = self.chain.path.iter().zip(&self.jobs).any(|(&id, jobs)| {
            let first = jobs.partition_point(|job| job.end < begin);
            let meanwhile = jobs[first..].iter().take_while(|job| job.release <= end);
            meanwhile.into_iter().any(|job| self.look.hides_another(id, job))
        });
        several.then_some(SEVERAL)
    }

    /// When each job read and wrote.
    fn way(&self, value: &Value) -> Vec<Stretch> {
        let passages = value.way.iter().enumerate();
        let of = |(task, &place): (usize, &usize)| {
            let job = self.passages.job(task, place);
            (job.read, job.write.unwrap_or(job.read))
        };
        passages.map(of).collect()
    }
}
