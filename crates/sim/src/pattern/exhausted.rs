//! The critical instant of one task in servers, as far as it can be arranged.
//!
//! **Model.** A task waits longest when it is released at the instant at which the budget that serves it has
//! been consumed by others, as early in the period as possible, and when everything more urgent is released
//! together with the replenishment that it waits for:
//!
//! ```text
//!  S, budget 3, period 10      b        s             r
//!  less urgent tasks of S      |########|
//!  the task                             ^------------- ----########|
//!  more urgent than S                                 |####|
//!  budget                      3  2  1  0 . . . . . . 3
//! ```
//!
//! `b` the period begins, `s` the budget is exhausted, `r` it is replenished. In nested servers the budget of
//! the outer one is exhausted just when that of the inner one is replenished, so that the waits add up:
//! `s` of the outer server is `r` of the inner one.
//!
//! The budget of a polling server is lost at `b` already, unless its guest has work at that instant: the task
//! is released a nanosecond later.
//!
//! A deferrable server that is more urgent gets its period arranged so that it is replenished at
//! the instant at which it has consumed the previous budget: two budgets back to back.
//!
//! A `SCHED_DEADLINE` server before the path on a Linux supply has carry-in, a part of a budget, when the
//! window begins (`kept.rs`).
//!
//! **Variants.** `N mod 4` says when all other tasks and servers of the core are released: at the first
//! replenishment, at the last one that the task needs, together with the task, or (EDF) so that
//! their deadlines are those of the task's server. `N div 4` shifts the task under EDF so that
//! its deadline coincides with another one's.
//!
//! Reference: R. Davis, A. Burns, Hierarchical fixed priority pre-emptive scheduling, RTSS 2005
//! (critical instant); M. Spuri, Analysis of deadline scheduled real-time systems, 1996 (shifts).

use super::arrangement::Arrangement;
use super::kept;
use super::path::{Path, has_place, place, relative_deadline, reserved};
use super::probe;
use crate::history::History;
use crate::simulator::Simulator;
use vorrang_model::system::{Member, Scheduler, ServerKind, System, TaskId};
use vorrang_time::{Duration, Instant};

/// How many shifts under EDF are tried.
const SHIFTS: u32 = 4;

/// The event together with which all others on the core are released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Others {
    FirstReplenishment,
    LastReplenishment,
    Task,
    Deadline,
}

impl Others {
    const ALL: [Self; 4] =
        [Self::FirstReplenishment, Self::LastReplenishment, Self::Task, Self::Deadline];
}

/// The variants that differ for a task, the most promising first.
pub(crate) fn variants(system: &System, task: TaskId) -> Vec<u32> {
    let path = Path::to(system, task);
    let is_edf = |level: usize| system.supply(path.supplies[level]).scheduler == Scheduler::Edf;
    let manners: &[u32] = match path.depth() {
        0 if is_edf(0) => &[0, 3],
        0 => &[0],
        _ if is_edf(0) => &[0, 3, 1, 2],
        _ if has_place(system, path.supplies[1]) => &[0],
        _ => &[1, 0, 2],
    };
    let shifts = if is_edf(path.depth()) { shifts(system, task).len() } else { 1 };
    let shifts = u32::try_from(shifts).expect("at most SHIFTS");
    (0..shifts).flat_map(|shift| manners.iter().map(move |manner| 4 * shift + manner)).collect()
}

/// The history of a variant, and when the task is released in it.
pub(crate) fn history(simulator: &mut Simulator, task: TaskId, variant: u32) -> (History, Instant) {
    let others = Others::ALL[(variant % 4) as usize];
    let system = simulator.system();
    let shift = shifts(system, task).get((variant / 4) as usize).copied().unwrap_or_default();
    let path = Path::to(system, task);
    let timeline = Timeline::new(&Arrangement::new(simulator), &path);
    let mut scene = Scene { task, path, timeline, others, shift };
    if others != Others::LastReplenishment || scene.path.depth() == 0 {
        return scene.arrange(simulator);
    }
    let outermost = scene.path.supplies[1];
    scene.others = Others::FirstReplenishment;
    let (history, at) = scene.arrange(simulator);
    let completion = probe::completion(simulator, &history, task, outermost);
    let Some((_, Some(last))) = completion else {
        return (history, at);
    };
    scene.timeline.others = last;
    scene.arrange(simulator)
}

/// The shifts of a task's release under EDF that give it the deadline of another member; the
/// first is none.
fn shifts(system: &System, task: TaskId) -> Vec<Duration> {
    let own = system.task(task);
    let mut shifts = vec![Duration::ZERO];
    let supply = system.supply(own.on);
    if supply.scheduler != Scheduler::Edf {
        return shifts;
    }
    let deadline = relative_deadline(system, Member::Task(task));
    for &member in supply.members.iter().filter(|&&member| member != Member::Task(task)) {
        let mut other = relative_deadline(system, member);
        let period = match member {
            Member::Task(id) => system.task(id).cycle().1,
            Member::Server(id) => reserved(system, id).1,
        };
        if other < deadline {
            let periods = (deadline - other).div_ceil(period);
            other = period.checked_mul(periods).map_or(other, |later| other + later);
        }
        let shift = other.saturating_sub(deadline).modulo(own.cycle().1);
        if !shifts.contains(&shift) && shifts.len() < SHIFTS as usize {
            shifts.push(shift);
        }
    }
    shifts
}

/// When the servers on the path begin a period with a full budget, and when they have it back.
#[derive(Clone, Debug)]
struct Timeline {
    /// By level; the core's is not used.
    begins: Vec<Instant>,
    returns: Vec<Instant>,
    /// When all others are released, unless together with the task.
    others: Instant,
}

impl Timeline {
    fn new(arrangement: &Arrangement, path: &Path) -> Self {
        let system = arrangement.system;
        let servers: Vec<(Duration, Duration)> =
            path.supplies[1..].iter().map(|&id| reserved(system, id)).collect();
        let budgets: Duration = servers.iter().map(|(budget, _)| *budget).sum();
        // By then all except the innermost are started.
        let periods: Duration = servers.iter().rev().skip(1).map(|(_, period)| *period).sum();
        // One nanosecond more leaves room for members that come second in a tie.
        let earliest = arrangement.earliest() + budgets + periods + Duration::RESOLUTION;
        let earliest = earliest + kept::room(arrangement);
        let mut begins = vec![earliest; path.supplies.len()];
        let mut returns = begins.clone();
        for level in (1..path.supplies.len()).rev() {
            let (budget, period) = servers[level - 1];
            if let Some(&inner) = returns.get(level + 1) {
                begins[level] = inner - budget;
            }
            returns[level] = begins[level] + period;
        }
        let mut timeline = Self { others: earliest, begins, returns };
        let place = path.supplies.get(1).and_then(|&id| place(system.supply(id)));
        if let Some((offset, period)) = place {
            timeline.delay_to(offset, period);
        }
        if path.depth() > 0 {
            timeline.others = timeline.returns[1];
        }
        timeline
    }

    /// Moves everything so that the outermost server's period begins with its slot.
    fn delay_to(&mut self, offset: Duration, period: Duration) {
        let start = (self.begins[1] - Instant::ZERO).modulo(period);
        let by = (offset.modulo(period) + period - start).modulo(period);
        for instant in self.begins.iter_mut().chain(&mut self.returns) {
            *instant += by;
        }
    }
}

/// One variant for one task.
#[derive(Clone, Debug)]
struct Scene {
    task: TaskId,
    path: Path,
    timeline: Timeline,
    others: Others,
    shift: Duration,
}

impl Scene {
    /// The history, and when the task is released in it.
    fn arrange(&self, simulator: &mut Simulator) -> (History, Instant) {
        let mut arrangement = Arrangement::new(simulator);
        self.release_others(&mut arrangement, self.timeline.others);
        let (at, spent) = self.spend(simulator, &mut arrangement);
        if self.others == Others::Task {
            self.release_others(&mut arrangement, at);
        }
        let depth = self.path.depth();
        for level in 1..=depth {
            // The instant from which on the more urgent members of this level find its budget exhausted.
            let from = if level == depth { at } else { self.timeline.returns[level + 1] };
            if level < depth || !spent {
                for member in self.path.ahead(arrangement.system, level) {
                    arrangement.release_member(member, from);
                }
            }
        }
        self.give_way(&mut arrangement);
        let at = at + self.shift;
        arrangement.release(self.task, at);
        self.put_back_to_back(simulator, &mut arrangement);
        kept::keep_budgets(simulator, &mut arrangement, &self.path, self.task);
        (arrangement.history, at)
    }

    /// Everything on the core except the path.
    fn release_others(&self, arrangement: &mut Arrangement, at: Instant) {
        arrangement.request_all(at);
        let system = arrangement.system;
        let ahead = self.path.ahead(system, 0);
        for member in ahead.chain(self.path.behind(system, 0)) {
            arrangement.release_member(member, at);
            if self.others == Others::Deadline {
                self.share_deadline(arrangement, member, at);
            }
        }
    }

    /// Moves a member of the core so that one of its deadlines is that of the path's.
    fn share_deadline(&self, arrangement: &mut Arrangement, member: Member, at: Instant) {
        let system = arrangement.system;
        if system.supply(self.path.supplies[0]).scheduler != Scheduler::Edf {
            // Deadlines have no meaning there, and a task may have none.
            return;
        }
        let window = match self.path.members[0] {
            Member::Server(id) => reserved(system, id).1,
            own @ Member::Task(_) => relative_deadline(system, own) + self.shift,
        };
        match member {
            Member::Server(id) => arrangement.align(id, at + window),
            Member::Task(id) if self.path.depth() > 0 => {
                let task = system.task(id);
                let own = relative_deadline(system, member);
                if own <= window {
                    let first = (window - own).modulo(task.cycle().1);
                    arrangement.release(id, at + first);
                }
            }
            Member::Task(_) => {}
        }
    }

    /// A member that would come first if it became ready a nanosecond earlier becomes ready then.
    fn give_way(&self, arrangement: &mut Arrangement) {
        let system = arrangement.system;
        for level in 0..=self.path.depth() {
            for member in self.path.tied(system, level) {
                arrangement.advance(member, Duration::RESOLUTION);
            }
        }
    }

    /// Lets others consume the budgets along the path; returns when the innermost is exhausted, and whether
    /// its more urgent members were needed for that.
    fn spend(&self, simulator: &mut Simulator, arrangement: &mut Arrangement) -> (Instant, bool) {
        let system = arrangement.system;
        let depth = self.path.depth();
        let is_polling =
            system.supply(self.path.supplies[depth]).server_kind() == Some(ServerKind::Polling);
        for level in 1..=depth {
            let begin = self.timeline.begins[level];
            arrangement.align(self.path.supplies[level], begin);
            let behind = self.path.behind(system, level);
            for member in behind.filter(|_| level < depth || !is_polling) {
                arrangement.release_member(member, begin);
            }
        }
        let begin = self.timeline.begins[depth];
        if is_polling {
            return (begin + Duration::RESOLUTION, false);
        }
        if depth == 0 {
            return (begin, false);
        }
        let period = (begin, self.timeline.returns[depth]);
        let innermost = self.path.supplies[depth];
        if let Some(at) = probe::exhaustion(simulator, &arrangement.history, innermost, period) {
            return (at, false);
        }
        let mut harder = arrangement.clone();
        for member in self.path.ahead(system, depth) {
            harder.release_member(member, begin);
        }
        match probe::exhaustion(simulator, &harder.history, innermost, period) {
            Some(at) => {
                *arrangement = harder;
                (at, true)
            }
            None => (begin, false),
        }
    }

    /// Replenishes the deferrable servers above the path when they have consumed a budget.
    fn put_back_to_back(&self, simulator: &mut Simulator, arrangement: &mut Arrangement) {
        let system = arrangement.system;
        for level in 0..=self.path.depth() {
            for member in self.path.ahead(system, level) {
                let Member::Server(id) = member else { continue };
                if system.supply(id).server_kind() != Some(ServerKind::Deferrable) {
                    continue;
                }
                let from = match level {
                    0 => self.timeline.others,
                    _ => self.timeline.begins[level],
                };
                let until = from + reserved(system, id).1;
                let gone = probe::exhaustion(simulator, &arrangement.history, id, (from, until));
                if let Some(gone) = gone {
                    arrangement.align(id, gone);
                }
            }
        }
    }
}
