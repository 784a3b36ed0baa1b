//! Jobs arrive, are released and complete in order, each after the work that its task states.
//!
//! **Model.** Arrivals from external sources are at least the inter-arrival time apart, and a
//! release follows within the jitter. The work of a job is the time for which its task has run
//! since the one before it was complete, less what cold caches took; it is from `bcet` to `wcet`,
//! one of the times that are stated if some are, all of the `wcet` in a history of full execution, and for a polling task `per-packet` more for
//! each packet.

use super::event::{Event, Kinds};
use super::picture::Picture;
use super::{Check, Findings, Invariant};
use std::collections::VecDeque;
use vorrang_model::system::{Activation, Distance, TaskId};
use vorrang_sim::{Cause, Execution, Job, Packet, Running, Source};
use vorrang_time::{Duration, Instant};

/// The jobs of a core.
pub(super) struct Jobs {
    tasks: Vec<Own>,
    interrupts: Vec<Own>,
    /// What has run since when it was last counted.
    since: Instant,
    what: Running,
}

/// The state of a task or an interrupt.
#[derive(Clone, Default)]
struct Own {
    last: Option<Job>,
    /// The last arrivals, where several of them have distances, the latest first.
    arrivals: VecDeque<Instant>,
    waiting: VecDeque<Job>,
    /// Of an interrupt: the first so many have had the routine of the core.
    served: usize,
    /// Work done since the last job was complete.
    work: Duration,
    /// Packets that its job has polled.
    packets: u64,
}

impl Jobs {
    pub(super) fn new(picture: &Picture<'_>) -> Self {
        Self {
            tasks: vec![Own::default(); picture.system.tasks.len()],
            interrupts: vec![Own::default(); picture.system.interrupts.len()],
            since: Instant::ZERO,
            what: Running::Idle,
        }
    }

    fn own(&mut self, source: Source) -> &mut Own {
        match source {
            Source::Task(id) => &mut self.tasks[id.0],
            Source::Interrupt(id) => &mut self.interrupts[id.0],
        }
    }

    /// Counts the time up to now.
    fn count(&mut self, now: Instant) {
        if let Running::Task(id) = self.what {
            self.tasks[id.0].work += now.saturating_since(self.since);
        }
        self.since = now;
    }

    fn released(&mut self, job: &Job, picture: &Picture<'_>, findings: &mut Findings) {
        let now = picture.now;
        let (distance, jitter) = limits(job.source, picture);
        let several = several(job.source, picture);
        let own = self.own(job.source);
        if !several.is_empty() {
            let far = several.iter().all(|apart| {
                let before = own.arrivals.get(apart.steps - 1);
                before.is_none_or(|before| *before + apart.least <= job.arrival)
            });
            findings.expect(far, Invariant::JobOrder, now, || {
                format!("{job:?} comes too soon after several: {:?}, {several:?}", own.arrivals)
            });
            own.arrivals.push_front(job.arrival);
            own.arrivals.truncate(several[several.len() - 1].steps);
        }
        findings.expect(is_known(job, picture), Invariant::JobOrder, now, || {
            format!("{job:?} arrives at another time than its offset says")
        });
        if let Some(last) = own.last.replace(*job) {
            let after = job.number > last.number && job.release >= last.release;
            let apart = distance.is_none_or(|least| last.arrival + least <= job.arrival);
            findings.expect(after && apart, Invariant::JobOrder, now, || {
                format!("{job:?} is released after {last:?}")
            });
        }
        let in_time = jitter.is_none_or(|jitter| job.release <= job.arrival + jitter);
        findings.expect(job.arrival <= job.release && in_time, Invariant::JobOrder, now, || {
            format!("{job:?} is released too early or too late")
        });
        own.waiting.push_back(*job);
    }

    fn completed(&mut self, job: &Job, picture: &Picture<'_>, findings: &mut Findings) {
        let now = picture.now;
        let own = self.own(job.source);
        let first = own.waiting.pop_front();
        own.served = own.served.saturating_sub(1);
        let work = core::mem::take(&mut own.work);
        let packets = core::mem::take(&mut own.packets);
        findings.expect(first == Some(*job), Invariant::JobOrder, now, || {
            format!("{job:?} is complete, {first:?} was first")
        });
        let Source::Task(id) = job.source else { return };
        let task = picture.system.task(id);
        let more = per_packet(id, picture) * packets;
        let is_stated = |(time, _): &(Duration, u32)| *time + more == work;
        let (least, is_one) = match picture.history.execution {
            Execution::Full => (task.wcet, true),
            Execution::Drawn if task.execution.is_empty() => (task.wcet, true),
            _ => (task.bcet, task.execution.is_empty() || task.execution.iter().any(is_stated)),
        };
        let fits = is_one && (least + more..=task.wcet + more).contains(&work);
        findings.expect(fits, Invariant::Work, now, || {
            format!("{job:?} did {work}, from {least} to {} are stated, and {more}", task.wcet)
        });
    }
}

/// Whether it arrives when the offset of its task says, if it has one.
fn is_known(job: &Job, picture: &Picture<'_>) -> bool {
    let Source::Task(id) = job.source else { return true };
    let next = picture.system.task(id).first_from(job.arrival);
    next.is_none_or(|next| next == job.arrival)
}

impl Check for Jobs {
    fn hears(&self) -> Kinds {
        Kinds::of([
            Kinds::RUNS,
            Kinds::LOST,
            Kinds::SERVED,
            Kinds::RELEASED,
            Kinds::COMPLETED,
            Kinds::PACKET,
            Kinds::UNFINISHED,
        ])
    }

    fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        self.count(picture.now);
        match *event {
            Event::Runs(what, _) => self.what = what,
            Event::Lost(_, Cause::ColdCache, amount, _) => {
                if let Running::Task(id) = self.what {
                    let own = &mut self.tasks[id.0];
                    own.work = own.work.saturating_sub(amount);
                }
            }
            Event::Released(job) => {
                self.released(&job, picture, findings);
                // What is posted may merge at once.
                if picture.requests.has_to_merge().map(Source::Interrupt) == Some(job.source) {
                    self.own(job.source).waiting.pop_back();
                }
            }
            Event::Served(id, false, _) => {
                let own = &mut self.interrupts[id.0];
                if picture.requests.has_to_merge() == Some(id) {
                    own.waiting.remove(own.served);
                } else {
                    own.served += 1;
                }
            }
            Event::Completed(job, _) => self.completed(&job, picture, findings),
            Event::Packet(device, Packet::Polled, ..) => {
                let interrupt = picture.system.device(device).interrupt;
                if let Some(task) = picture.system.interrupt(interrupt).wakes {
                    self.tasks[task.0].packets += 1;
                }
            }
            Event::Unfinished(job, at) => {
                let own = self.own(job.source);
                let known = own.waiting.iter().position(|other| *other == job);
                if let Some(place) = known {
                    own.waiting.remove(place);
                }
                findings.expect(job.arrival < at, Invariant::JobOrder, at, || {
                    format!("{job:?} arrives at the end")
                });
                let is_later = own.last.is_none_or(|last| job.number > last.number);
                findings.expect(known.is_some() || is_later, Invariant::JobOrder, at, || {
                    format!("{job:?} was complete")
                });
                own.last = own.last.max(Some(job));
            }
            _ => {}
        }
    }
}

/// The least time between arrivals, and the longest until a release; `None`: nothing is stated. The
/// jobs of what takes packets arrive when those did.
fn limits(source: Source, picture: &Picture<'_>) -> (Option<Duration>, Option<Duration>) {
    let system = picture.system;
    let of_card = |id| system.devices.iter().any(|device| device.interrupt == id);
    match source {
        Source::Task(id) => {
            let task = system.task(id);
            match task.activation {
                Activation::Sporadic => (Some(task.min_interarrival), Some(task.jitter)),
                Activation::Timer(timer) => (Some(system.timer(timer).period), None),
                Activation::Interrupt(id) if !of_card(id) => (Some(Duration::ZERO), None),
                _ => (None, None),
            }
        }
        Source::Interrupt(id) => {
            let interrupt = system.interrupt(id);
            let delivery = interrupt.delivery.as_ref();
            let is_held = delivery.is_some_and(|delivery| delivery.pseudo_vcpu.is_some());
            let storm = interrupt.storm.filter(|_| picture.history.storms[id.0]);
            let (distance, jitter) = if of_card(id) {
                (Duration::ZERO, Duration::ZERO)
            } else if interrupt.timer.is_some() {
                // From the expiry to the end of the callback.
                return (Some(interrupt.min_interarrival), None);
            } else {
                (storm.unwrap_or(interrupt.min_interarrival), interrupt.jitter)
            };
            (Some(distance), (!is_held).then_some(jitter))
        }
    }
}

/// What is stated of the distances of several arrivals.
fn several<'s>(source: Source, picture: &Picture<'s>) -> &'s [Distance] {
    let distances = match source {
        Source::Task(id) => {
            let task = picture.system.task(id);
            task.distances.as_ref().filter(|_| task.activation == Activation::Sporadic)
        }
        Source::Interrupt(id) => {
            let interrupt = picture.system.interrupt(id);
            let storms = interrupt.storm.is_some() && picture.history.storms[id.0];
            interrupt.distances.as_ref().filter(|_| !storms)
        }
    };
    distances.map_or(&[], |own| own.stated())
}

/// The time of a polling task for a packet.
fn per_packet(task: TaskId, picture: &Picture<'_>) -> Duration {
    let of_task = |device: &&vorrang_model::system::Device| {
        picture.system.interrupt(device.interrupt).wakes == Some(task)
    };
    let device = picture.system.devices.iter().find(of_task);
    device.map_or(Duration::ZERO, |device| device.per_packet)
}
