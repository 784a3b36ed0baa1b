//! Threads that poll for ever, beside all histories: on one core and on two, in levels and in budgets.

use super::drawn::system;
use vorrang_analysis::bounds;
use vorrang_campaign::paths::draw::{Manner, Place, text};
use vorrang_campaign::paths::{Followed, Layout, longest};
use vorrang_campaign::random::Random;
use vorrang_model::system::{Activation, Scheduler, System, Task, TaskId};
use vorrang_time::Duration;

const LIMIT: usize = 20_000;

/// A small system in which a task polls that nothing wakes and that wakes nothing, mostly the last one.
fn drawn(stream: u64, place: Place) -> Option<System> {
    let random = &mut Random::new(52, stream);
    let manner = random.one_of(&[Manner::Registers, Manner::Woken]);
    let mut system = system(&text(random, place, manner));
    system.chains.clear();
    let may_poll = |id: &TaskId| {
        let task = system.task(*id);
        let by_deadline = system.supply(task.on).scheduler == Scheduler::Edf;
        task.activation == Activation::Sporadic && task.wakes.is_empty() && !by_deadline
    };
    let all: Vec<TaskId> = system.task_ids().filter(may_poll).collect();
    let last = all.iter().min_by_key(|id| system.task(**id).priority)?;
    let any = random.one_of(&all);
    let TaskId(id) = random.one_of(&[*last, *last, any]);
    let Task { name, on, priority, .. } = system.tasks[id].clone();
    system.tasks[id] = Task {
        name,
        on,
        priority,
        wcet: Task::ENDLESS,
        bcet: Task::ENDLESS,
        min_interarrival: Task::ENDLESS,
        polls: true,
        ..Task::default()
    };
    system.requirements.clear();
    Some(system)
}

/// Tasks with a bound that is compared, and how many are exact; `without`: bounds of the system without what polls.
fn compared(place: Place, without: bool) -> (u64, u64, u64) {
    let (mut compared, mut exact, mut exceeded) = (0, 0, 0);
    for system in (0..150).filter_map(|stream| drawn(stream, place)) {
        let mut analysed = system.clone();
        for task in analysed.tasks.iter_mut().filter(|task| without && task.polls) {
            let Task { name, on, priority, .. } = task.clone();
            *task = Task { name, on, priority, ..brief() };
        }
        let known = bounds(&analysed);
        for id in system.task_ids().filter(|&id| !system.task(id).polls) {
            let Some(bound) = known.task(id).bound().map(Duration::as_ns) else { continue };
            let layout = Layout::new(&system, Followed::Job(id), &[]).expect("covered");
            let Ok(found) = longest(&layout, LIMIT) else { continue };
            let Some(found) = found.until_over.map(u64::from) else { continue };
            compared += 1;
            exact += u64::from(found == bound);
            exceeded += u64::from(found > bound);
        }
    }
    (compared, exact, exceeded)
}

/// A task that takes next to nothing.
fn brief() -> Task {
    let period = Duration::from_us(1);
    Task { min_interarrival: period, ..Task::default() }
}

#[test]
fn no_history_beside_what_polls_exceeds_the_bound_of_a_task() {
    for place in [Place::Core, Place::Cores, Place::Levels, Place::Budget] {
        let (compared, exact, exceeded) = compared(place, false);
        println!("{place:?}: {compared}, {exact} exact, {exceeded} exceeded");
        assert!(compared > 20 && exact * 4 > compared, "{place:?}: {compared}, {exact}");
        assert_eq!(exceeded, 0, "{place:?}");
    }
}

/// Where its server is before others, what polls takes whole budgets.
#[test]
fn what_polls_and_is_left_out_is_noticed() {
    assert!(compared(Place::Budget, true).2 > 0);
}
