//! The row of a task.

use super::{Kind, Look, Row, Seen, Times};
use crate::comparison::{Comparison, Place, SEVERAL, Sight, What};
use crate::history::{History, Job};
use vorrang_model::system::{Activation, Costs, TaskId};
use vorrang_time::Duration;

impl Look<'_> {
    pub(super) fn task(&self, id: TaskId) -> Row {
        let task = self.system.task(id);
        let seen = self.matching.tasks[id.0].clone().map(|thread| self.jobs(id, thread));
        let is_shown = self.system.guest_around(task.on).is_none();
        Row { name: task.name.clone(), kind: Kind::Task, is_shown, seen }
    }

    fn jobs(&self, id: TaskId, thread: u32) -> Seen {
        let (history, task) = (self.history(thread), self.system.task(id));
        let complete = || history.jobs.iter().filter(|job| job.is_complete);
        let mut seen = self.named(thread);
        seen.jobs = complete().count() as u64;
        seen.responses = Times::of(complete().map(|job| self.end_to_end(id, job)));
        seen.executed = Times::of(complete().map(|job| job.executed.time));
        seen.preempted = history.preempted;
        seen.preempted_in_a_job = history.jobs.iter().map(|job| job.preempted).max().unwrap_or(0);
        seen.comparisons =
            vec![self.responses(id, &history.jobs), self.execution(id, &history.jobs)];
        if self.system.supply(task.on).is_core() {
            seen.notes = self.strange(&task.name, task.on, thread, self.kernel_priority(id));
            self.inheritance(id, thread, &mut seen);
        }
        seen.notes.extend(self.too_close(id, history));
        seen.notes.extend(self.too_far(id, history));
        seen
    }

    /// Whether it was woken more rarely than stated; between a job that may be several and the next nothing is known.
    fn too_far(&self, id: TaskId, history: &History) -> Option<String> {
        let task = self.system.task(id);
        let most = task.latest_interarrival.filter(|_| task.activation == Activation::Sporadic)?;
        let most = most + task.jitter;
        let pairs = history.jobs.iter().zip(history.jobs.iter().skip(1));
        let apart = pairs
            .filter(|(job, _)| !self.hides_another(id, job))
            .map(|(job, next)| next.release - job.release);
        let distance = apart.max()?;
        (distance > most.as_ns() + self.resolution(1)).then(|| {
            format!(
                "{}: two wake-ups were {} apart, and the description says {most} at most",
                task.name,
                Duration::from_ns(distance)
            )
        })
    }

    /// Whether it was woken more often than stated.
    fn too_close(&self, id: TaskId, history: &History) -> Option<String> {
        let least = self.between_releases(id);
        let distance = history.shortest_distance()?;
        (distance + self.resolution(1) < least).then(|| {
            format!(
                "{}: two wake-ups were {} apart, and the description says {} at least",
                self.system.task(id).name,
                Duration::from_ns(distance),
                Duration::from_ns(least)
            )
        })
    }

    fn responses(&self, id: TaskId, jobs: &[Job]) -> Comparison {
        let bound = match &self.limits.tasks[id.0] {
            Ok(bound) => bound.as_ns(),
            Err(why) => return Comparison::open(What::Response, why.clone()),
        };
        if let Some(why) = self.is_in_storm(id) {
            return Comparison::open(What::Response, why);
        }
        let resolution = self.resolution(1);
        let sight = |job: &Job| Sight {
            time: self.end_to_end(id, job),
            bound,
            resolution,
            place: Place { window: (self.begins(id, job), job.end), cpu: job.cpu },
            excuse: (self.may_overlap(id) && self.may_be_several(id, job)).then_some(SEVERAL),
        };
        compared(What::Response, jobs, sight)
    }

    fn execution(&self, id: TaskId, jobs: &[Job]) -> Comparison {
        let stated = self.system.task(id).wcet.as_ns();
        let besides = self.besides(id);
        let sight = |job: &Job| Sight {
            time: job.executed.time,
            bound: stated,
            resolution: self.resolution(job.executed.pieces),
            place: place(job),
            excuse: besides.or_else(|| self.hides_another(id, job).then_some(SEVERAL)),
        };
        compared(What::Execution, jobs, sight)
    }

    /// Whether a job may arrive before another is complete although that keeps its bound.
    pub(super) fn may_overlap(&self, id: TaskId) -> bool {
        let bound = self.limits.tasks[id.0].as_ref();
        bound.map_or(true, |bound| bound.as_ns() + self.resolution(1) >= self.between_arrivals(id))
    }

    /// Whether it exceeds its bound.
    fn is_late(&self, id: TaskId, job: &Job) -> bool {
        let bound = self.limits.tasks[id.0].as_ref();
        bound.map_or(true, |bound| self.end_to_end(id, job) > bound.as_ns() + self.resolution(1))
    }

    /// Whether what looks like one job may be several.
    pub(super) fn hides_another(&self, id: TaskId, job: &Job) -> bool {
        (self.may_overlap(id) || self.is_late(id, job)) && self.may_be_several(id, job)
    }

    /// Whether it lasts so long that another may have been released meanwhile.
    pub(super) fn may_be_several(&self, id: TaskId, job: &Job) -> bool {
        job.response() + self.resolution(1) >= self.between_releases(id)
    }

    /// The least time between two arrivals of its jobs.
    fn between_arrivals(&self, id: TaskId) -> u64 {
        let task = self.system.task(id);
        match task.activation {
            Activation::Sporadic => task.min_interarrival.as_ns(),
            Activation::Interrupt(interrupt) => {
                let interrupt = self.system.interrupt(interrupt);
                interrupt.storm.unwrap_or(interrupt.min_interarrival).as_ns()
            }
            Activation::Timer(timer) => self.system.timer(timer).period.as_ns(),
            // What tasks wake arrives with their source.
            Activation::Task(_) | Activation::Join => {
                self.between_arrivals(self.system.root_of(id))
            }
            Activation::Device(_) => 0,
        }
    }

    /// The least time between two wake-ups; zero where what activates it may be late.
    fn between_releases(&self, id: TaskId) -> u64 {
        let task = self.system.task(id);
        match task.activation {
            Activation::Sporadic => task.min_interarrival.saturating_sub(task.jitter).as_ns(),
            _ => 0,
        }
    }

    /// What a job may receive besides its work, as a clause: then more than its work may be all right.
    fn besides(&self, id: TaskId) -> Option<&'static str> {
        let (system, task) = (self.system, self.system.task(id));
        let Costs { scheduler_call, context_switch, .. } = system.costs;
        let polls = |interrupt| system.interrupt(interrupt).wakes == Some(id);
        if system.devices.iter().any(|device| polls(device.interrupt)) {
            Some("its jobs take time for each packet besides")
        } else if task.cache.is_some() {
            Some("its cache makes jobs longer")
        } else if !scheduler_call.is_zero() || !context_switch.is_zero() {
            Some("the trace counts calls of the scheduler and switches for its jobs")
        } else {
            None
        }
    }
}

fn place(job: &Job) -> Place {
    Place { window: (job.release, job.end), cpu: job.cpu }
}

/// The result of jobs. An incomplete one counts only if it is too long already.
fn compared(what: What, jobs: &[Job], sight: impl Fn(&Job) -> Sight) -> Comparison {
    let counts = |job: &&Job| job.is_complete || sight(job).time > sight(job).bound;
    let sights: Vec<Sight> = jobs.iter().filter(counts).map(&sight).collect();
    Comparison::of(what, &sights)
}
