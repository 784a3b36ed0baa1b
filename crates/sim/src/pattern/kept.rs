//! Carry-in of `SCHED_DEADLINE` servers.
//!
//! **Model.** A server that was used a little before a window, and slept, keeps the rest of its
//! budget with the old deadline; the next budget then comes one period after the old one began,
//! early in the window:
//!
//! ```text
//!   used, kept       window begins                 the task completes
//!   |██|      s        :                               :
//!   |------------------:█████|      T − s      |███████:
//!   old budget begins   the rest                next budget
//! ```
//!
//! How early decides whether the task still sees that next budget: `s` is chosen so that it begins
//! one unit before the task completes, if the old deadline has not passed by the beginning of the
//! window. As the task then completes later, this is done a few times.

use super::arrangement::Arrangement;
use super::path::{Path, has_deadline};
use super::probe;
use crate::simulator::Simulator;
use vorrang_model::system::{Member, Scheduler, SupplyId, TaskId};
use vorrang_time::{Duration, Instant};

/// The number of iterations over the completion.
const ROUNDS: u32 = 4;

/// Gives carry-in to the servers with deadlines before the path of a task, where that delays it.
pub(super) fn keep_budgets(
    simulator: &mut Simulator,
    arrangement: &mut Arrangement,
    path: &Path,
    task: TaskId,
) {
    let keepers = keepers(arrangement, path);
    if keepers.is_empty() {
        return;
    }
    let completion = |simulator: &mut Simulator, of: &Arrangement| {
        probe::completion(simulator, &of.history, task, of.core).map(|(at, _)| at)
    };
    let Some(mut completed) = completion(simulator, arrangement) else { return };
    for _ in 0..ROUNDS {
        let mut changed = arrangement.clone();
        for keeper in &keepers {
            keeper.keep(&mut changed, completed);
        }
        match completion(simulator, &changed) {
            Some(later) if later > completed => {
                completed = later;
                *arrangement = changed;
            }
            _ => return,
        }
    }
}

/// How long before the window something must be able to happen.
pub(super) fn room(arrangement: &Arrangement) -> Duration {
    let system = arrangement.system;
    let servers = arrangement.servers().into_iter();
    let by_deadline = servers.filter(|&id| has_deadline(system, Member::Server(id)));
    let on_linux = by_deadline.filter_map(|id| {
        let server = system.supply(id).server()?;
        let is_linux = system.supply(server.on).scheduler == Scheduler::Linux;
        is_linux.then(|| server.relative_deadline())
    });
    on_linux.max().unwrap_or(Duration::ZERO)
}

/// A server that may keep a part of a budget.
struct Keeper {
    server: SupplyId,
    /// The shortest of its tasks, which uses the first part.
    first: TaskId,
    /// When everything in it is released.
    begin: Instant,
}

fn keepers(arrangement: &Arrangement, path: &Path) -> Vec<Keeper> {
    let system = arrangement.system;
    let mut keepers = Vec::new();
    for level in 0..=path.depth() {
        let by_deadline = |&member: &Member| has_deadline(system, member);
        let on_path = path.members[level];
        let is_linux = system.supply(path.supplies[level]).scheduler == Scheduler::Linux;
        if !is_linux || by_deadline(&on_path) {
            continue;
        }
        keepers.extend(path.ahead(system, level).filter(by_deadline).filter_map(|member| {
            let Member::Server(server) = member else { return None };
            let tasks = system.supply(server).members.iter().filter_map(|member| match member {
                Member::Task(id) => Some(*id),
                Member::Server(_) => None,
            });
            let first = tasks.min_by_key(|id| system.task(*id).wcet)?;
            let begin = arrangement.history.tasks[first.0].first?;
            Some(Keeper { server, first, begin: begin + system.task(first).jitter })
        }));
    }
    keepers
}

impl Keeper {
    /// Releases the shortest task so early that the next budget begins just before `completed`.
    fn keep(&self, arrangement: &mut Arrangement, completed: Instant) {
        let system = arrangement.system;
        let server = system.supply(self.server).server().expect("not the core");
        let deadline = server.relative_deadline();
        let window = completed.saturating_since(self.begin + Duration::RESOLUTION);
        let early = server.period - window.modulo(server.period);
        let room = self.begin - Instant::ZERO;
        if early <= deadline && early <= room {
            arrangement.release(self.first, self.begin - early);
        }
    }
}
