//! What the threads do that stand for those of the example.

use vorrang_guest::{LoadedTask, Policy, Work};
use vorrang_model::system::{SupplyId, System, Task, TaskId};

pub(super) const MS: u64 = 1_000_000;
pub(super) const SECOND: u64 = 1_000 * MS;

/// From the beginning of the threads to their first jobs: by then the description is applied.
pub(super) const APPLIED: u64 = 20 * SECOND;
/// For so long each core is loaded.
pub(super) const LOADED: u64 = SECOND;
/// Until the last jobs of a core are complete, before the next one is loaded.
pub(super) const REST: u64 = 300 * MS;
/// The overhead of the program around the work of a job.
pub(super) const AROUND: u64 = 5_000;

/// The tasks that threads do, with the names of these.
pub(super) fn threads(system: &System) -> impl Iterator<Item = (TaskId, &Task, &str)> {
    let tasks = system.tasks.iter().enumerate();
    tasks.filter_map(|(id, task)| {
        let thread = |name: &String| system.host.threads.get(name);
        let written = thread(&task.name).or_else(|| thread(&system.supply(task.on).name))?;
        let (_, name) = written.rsplit_once('/')?;
        Some((TaskId(id), task, name))
    })
}

/// What the threads do, core by core.
pub(super) fn load(system: &System) -> Vec<LoadedTask> {
    let cores: Vec<SupplyId> = system.cores().collect();
    let loaded = threads(system).map(|(_, task, name)| {
        let core = cores.iter().position(|&core| core == system.core_of(task.on));
        let cores_before = u64::try_from(core.unwrap_or_default()).unwrap_or_default();
        let period = task.min_interarrival.as_ns();
        LoadedTask {
            name: name.to_owned(),
            cpu: None,
            // So that their timers are those of urgent threads from the beginning.
            policy: Policy::Fifo(1),
            offset: APPLIED + cores_before * (LOADED + REST),
            period,
            jobs: u32::try_from(LOADED / period).unwrap_or(u32::MAX).max(1),
            work: Work::Compute(task.wcet.as_ns() - AROUND),
        }
    });
    loaded.collect()
}
