//! The row of an interrupt.

use super::{Kind, Look, Row, Seen, Times};
use crate::comparison::{Comparison, Place, SEVERAL, Sight, What};
use crate::history::{History, Job, routines_within};
use crate::matching::{Found, Line};
use crate::pieces::{Stretch, without};
use crate::schedule::Routine;
use vorrang_model::system::{InterruptId, TaskId};

/// In a storm nothing is required of an interrupt that states one, nor of the task that it wakes.
const STORM: &str = "it comes more often in this trace than it may while it behaves";

impl Look<'_> {
    /// Why the responses of a task do not count, if that is so.
    pub(super) fn is_in_storm(&self, id: TaskId) -> Option<String> {
        let wakes = |interrupt: &InterruptId| self.system.interrupt(*interrupt).wakes == Some(id);
        let waking = self.system.interrupt_ids().find(wakes)?;
        let line = self.matching.interrupts[waking.0].as_ref().ok()?;
        let own: Vec<&Routine> = line.routines(self.schedule).collect();
        let name = &self.system.interrupt(waking).name;
        self.storms(waking, &own).then(|| format!("{name} wakes it, and {STORM}"))
    }

    /// Whether one that states a storm is in one.
    fn storms(&self, id: InterruptId, routines: &[&Routine]) -> bool {
        let interrupt = self.system.interrupt(id);
        let apart = interrupt.min_interarrival.saturating_sub(interrupt.jitter).as_ns();
        let mut pairs = routines.iter().zip(routines.iter().skip(1));
        interrupt.storm.is_some()
            && pairs.any(|(one, next)| {
                next.begin.saturating_sub(one.begin) + self.resolution(1) < apart
            })
    }

    pub(super) fn interrupt(&self, id: InterruptId) -> Row {
        let line = self.matching.interrupts[id.0].clone();
        let seen = line.map(|line| self.routines(id, &line));
        let name = self.system.interrupt(id).name.clone();
        Row { name, kind: Kind::Interrupt, is_shown: true, seen }
    }

    fn routines(&self, id: InterruptId, line: &Line) -> Seen {
        let own: Vec<&Routine> = line.routines(self.schedule).collect();
        let handled = self.handled(id, &own);
        let responses = handled.as_ref().map_or(&[][..], |handled| handled.as_slice());
        let inside = self.inside(id);
        let response = match &handled {
            _ if inside.is_some() => None,
            _ if self.storms(id, &own) => Some(Comparison::open(What::Response, STORM.to_owned())),
            Ok(handled) => Some(self.response(id, handled)),
            Err(why) => Some(Comparison::open(What::Response, why.clone())),
        };
        Seen {
            thread: None,
            who: line.to_string(),
            jobs: own.len() as u64,
            responses: Times::of(responses.iter().map(|place| place.window.1 - place.window.0)),
            executed: Times::of(own.iter().map(|routine| self.own_time(routine))),
            comparisons: response.into_iter().chain([self.routine(id, &own)]).collect(),
            notes: self.away(id, &own).into_iter().collect(),
            remarks: inside.into_iter().collect(),
            ..Seen::default()
        }
    }

    /// Why a trace of the host does not show the responses of an interrupt, as a sentence, if it does not.
    fn inside(&self, id: InterruptId) -> Option<String> {
        let interrupt = self.system.interrupt(id);
        let vcpu = &self.system.supply(interrupt.delivery.as_ref()?.vcpu).name;
        let name = &interrupt.name;
        Some(format!(
            "{name}: it is handled inside {vcpu}, which a trace of the host does not show"
        ))
    }

    fn away(&self, id: InterruptId, routines: &[&Routine]) -> Option<String> {
        let interrupt = self.system.interrupt(id);
        self.elsewhere(&interrupt.name, interrupt.on, routines.iter().map(|routine| routine.cpu))
    }

    /// From the beginning of each routine until the interrupt is handled, of those that were seen whole.
    fn handled(&self, id: InterruptId, routines: &[&Routine]) -> Found<Vec<Place>> {
        let interrupt = self.system.interrupt(id);
        if interrupt.delivery.is_some() {
            return Ok(Vec::new());
        }
        let of_routine =
            |routine: &&Routine| Place { window: (routine.begin, routine.end), cpu: routine.cpu };
        let Some(task) = interrupt.wakes else {
            return Ok(routines.iter().map(of_routine).collect());
        };
        let thread = self.matching.tasks[task.0].clone()?;
        let history = self.history(thread);
        let until_complete = |routine: &&Routine| {
            let job = job_woken_in(history, routine)?;
            Some(Place { window: (routine.begin, job.end), cpu: job.cpu })
        };
        Ok(routines.iter().filter_map(until_complete).collect())
    }

    /// What a routine took without those that interrupted it.
    fn own_time(&self, routine: &Routine) -> u64 {
        let stretch = (routine.begin, routine.end);
        let mut nested: Vec<Stretch> = routines_within(self.schedule, routine.cpu, stretch)
            .into_iter()
            .filter(|&other| other != stretch)
            .collect();
        nested.sort_unstable();
        without(stretch, &nested).iter().map(|(begin, end)| end - begin).sum()
    }

    fn response(&self, id: InterruptId, handled: &[Place]) -> Comparison {
        let bound = match &self.limits.interrupts[id.0] {
            Ok(bound) => bound.as_ns(),
            Err(why) => return Comparison::open(What::Response, why.clone()),
        };
        let interrupt = self.system.interrupt(id);
        let apart = interrupt.storm.unwrap_or(interrupt.min_interarrival).as_ns();
        let resolution = self.resolution(1);
        // A task that is woken again before it sleeps handles several.
        let may_be_several = interrupt.wakes.is_some() && bound + resolution >= apart;
        let excuse = may_be_several.then_some(SEVERAL);
        let sight = |place: &Place| {
            let time = place.window.1 - place.window.0;
            Sight { time, bound, resolution, place: *place, excuse }
        };
        Comparison::of(What::Response, &handled.iter().map(sight).collect::<Vec<_>>())
    }

    fn routine(&self, id: InterruptId, routines: &[&Routine]) -> Comparison {
        let bound = self.system.interrupt(id).isr.as_ns();
        let sight = |routine: &&Routine| Sight {
            time: self.own_time(routine),
            bound,
            resolution: self.resolution(1),
            place: Place { window: (routine.begin, routine.end), cpu: routine.cpu },
            excuse: None,
        };
        Comparison::of(What::Execution, &routines.iter().map(sight).collect::<Vec<_>>())
    }
}

/// The job that a routine woke, if it is complete.
fn job_woken_in<'h>(history: &'h History, routine: &Routine) -> Option<&'h Job> {
    let first = history.jobs.partition_point(|job| job.release < routine.begin);
    history.jobs.get(first).filter(|job| job.release <= routine.end && job.is_complete)
}
