//! Tasks that wait for several others: all histories of small forks and joins, beside the bounds.
//!
//! **Model.** One core or two, by priority without equals. One task comes by itself, up to four descend from it, each after
//! one or several of those before it, and on each core another one may come by itself. Arrivals and ends are at whole
//! ticks, and every arrival comes or does not; every job takes its shortest or its longest time. This explorer knows
//! nothing of the simulator: what is complete and has no job behind it yet is a list of ages, and those of one job must be
//! equal.

use crate::woken;
use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::sync::OnceLock;
use vorrang_analysis::bounds;
use vorrang_campaign::campaign::run;
use vorrang_campaign::check::Effort;
use vorrang_campaign::generate::come_after;
use vorrang_campaign::random::Random;
use vorrang_model::system::{Activation, Member, Priority, System, Task, TaskId};
use vorrang_model::{Format, read};
use vorrang_time::Duration;

/// Systems with more states are left out.
const STATES: usize = 40_000;

#[derive(Clone, Debug)]
struct Row {
    core: usize,
    priority: usize,
    least: u8,
    most: u8,
    /// Of one that comes by itself.
    period: Option<u8>,
    after: Vec<usize>,
}

/// The source first, what descends from it, and what comes by itself besides.
fn drawn(random: &mut Random) -> Vec<Row> {
    let cores = 1 + random.index(2);
    let family = 3 + random.index(3);
    let number = family + 1 + random.index(2);
    let mut priorities: Vec<usize> = (1..=number).collect();
    let row = |task: usize| {
        let least = u8::try_from(random.between(1, 2)).unwrap();
        let is_of_family = task > 0 && task < family;
        let before = 1 + random.index(3).min(task.saturating_sub(1));
        let mut left: Vec<usize> = (0..task.min(family)).collect();
        let mut after: Vec<usize> = Vec::new();
        while is_of_family && after.len() < before && !left.is_empty() {
            after.push(left.swap_remove(random.index(left.len())));
        }
        after.sort_unstable();
        Row {
            core: random.index(cores),
            priority: priorities.swap_remove(random.index(priorities.len())),
            least,
            most: least + u8::try_from(random.below(2)).unwrap(),
            period: (!is_of_family).then(|| u8::try_from(random.between(6, 12)).unwrap()),
            after,
        }
    };
    (0..number).map(row).collect()
}

fn described(rows: &[Row]) -> System {
    let mut text = "version = 1\n".to_owned();
    for core in 0..2 {
        if rows.iter().any(|row| row.core == core) {
            write!(text, "[core.{core}]\nscheduler = \"fixed-priority\"\n").unwrap();
        }
    }
    for (name, row) in rows.iter().enumerate() {
        let Row { core, priority, least, most, .. } = row;
        write!(text, "[task.t{name}]\non = \"core.{core}\"\npriority = {priority}\n").unwrap();
        write!(text, "bcet = \"{least}ns\"\nwcet = \"{most}ns\"\ndeadline = \"none\"\n").unwrap();
        if let Some(period) = row.period {
            writeln!(text, "period = \"{period}ns\"").unwrap();
        } else {
            let after: Vec<String> = row.after.iter().map(|by| format!("\"task.t{by}\"")).collect();
            writeln!(text, "after = [{}]", after.join(", ")).unwrap();
        }
    }
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}"))
}

/// Between two ticks.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// Since the last arrival, up to the period.
    since: Vec<u8>,
    /// Of each task the jobs that are not complete: ages since the arrival of the source, and work that is left.
    jobs: Vec<VecDeque<(u8, u8)>>,
    /// Of each task and each before it: the ages of complete jobs that are not followed yet.
    ahead: Vec<Vec<VecDeque<u8>>>,
}

impl State {
    fn first(rows: &[Row]) -> Self {
        Self {
            since: rows.iter().map(|row| row.period.unwrap_or(0)).collect(),
            jobs: vec![VecDeque::new(); rows.len()],
            ahead: rows.iter().map(|row| vec![VecDeque::new(); row.after.len()]).collect(),
        }
    }

    /// What is complete, and the jobs that this releases, by task and age.
    fn complete(&mut self, rows: &[Row], longest: &mut [u8]) -> Vec<(usize, u8)> {
        for (task, longest) in longest.iter_mut().enumerate() {
            let Some(&(age, 0)) = self.jobs[task].front() else { continue };
            self.jobs[task].pop_front();
            *longest = age.max(*longest);
            for (next, row) in rows.iter().enumerate() {
                if let Some(place) = row.after.iter().position(|by| *by == task) {
                    self.ahead[next][place].push_back(age);
                }
            }
        }
        let mut released = Vec::new();
        for (task, ahead) in self.ahead.iter_mut().enumerate() {
            if !ahead.is_empty() && ahead.iter().all(|ages| !ages.is_empty()) {
                let ages: Vec<u8> =
                    ahead.iter_mut().map(|ages| ages.pop_front().unwrap()).collect();
                assert!(ages.windows(2).all(|pair| pair[0] == pair[1]), "jobs of one arrival");
                released.push((task, ages[0]));
            }
        }
        released
    }

    /// One tick of each core.
    fn run(&mut self, rows: &[Row]) {
        for core in 0..2 {
            let here = (0..rows.len()).filter(|&task| rows[task].core == core);
            let ready = here.filter(|&task| !self.jobs[task].is_empty());
            if let Some(task) = ready.max_by_key(|&task| rows[task].priority) {
                self.jobs[task][0].1 -= 1;
            }
        }
        let waiting = self.ahead.iter_mut().flatten().flatten();
        waiting.chain(self.jobs.iter_mut().flatten().map(|(age, _)| age)).for_each(|age| *age += 1);
        for (since, row) in self.since.iter_mut().zip(rows) {
            *since = (*since + 1).min(row.period.unwrap_or(0));
        }
    }
}

/// The longest response of each task in any history; `None`: too many states.
fn truth(rows: &[Row]) -> Option<Vec<u8>> {
    let mut longest = vec![0; rows.len()];
    let first = State::first(rows);
    let mut seen = BTreeSet::from([first.clone()]);
    let mut left = vec![first];
    while let Some(mut state) = left.pop() {
        let released = state.complete(rows, &mut longest);
        let mut next = vec![state];
        for (task, age) in released {
            next = branched(&next, rows, task, age);
        }
        for (task, row) in rows.iter().enumerate().filter(|(_, row)| row.period.is_some()) {
            let (may, not): (Vec<State>, Vec<State>) =
                next.into_iter().partition(|state| Some(state.since[task]) == row.period);
            let mut come = branched(&may, rows, task, 0);
            for state in &mut come {
                state.since[task] = 0;
            }
            next = [come, may, not].concat();
        }
        for mut state in next {
            state.run(rows);
            if seen.insert(state.clone()) {
                left.push(state);
            }
        }
        if seen.len() > STATES || longest.iter().any(|&response| response > 100) {
            return None;
        }
    }
    Some(longest)
}

/// A job of a task is released, with either time.
fn branched(states: &[State], rows: &[Row], task: usize, age: u8) -> Vec<State> {
    let Row { least, most, .. } = rows[task];
    let times = if least == most { vec![most] } else { vec![least, most] };
    let one = |state: &State, time| {
        let mut state = state.clone();
        state.jobs[task].push_back((age, time));
        state
    };
    states.iter().flat_map(|state| times.iter().map(move |&time| one(state, time))).collect()
}

type Known = (Vec<Row>, Vec<u8>);

/// The systems, each with the truth of its tasks.
fn all() -> &'static [Known] {
    static ALL: OnceLock<Vec<Known>> = OnceLock::new();
    let one = |stream| {
        let rows = drawn(&mut Random::new(471, stream));
        let truth = truth(&rows)?;
        Some((rows, truth))
    };
    ALL.get_or_init(|| (0..80).filter_map(one).collect())
}

fn bound(system: &System, task: usize) -> Option<u64> {
    bounds(system).task(TaskId(task)).bound().map(Duration::as_ns)
}

#[test]
fn no_history_of_a_small_fork_exceeds_a_bound() {
    let all = all();
    let (mut joins, mut bounded, mut equal) = (0, 0, 0);
    for (rows, truth) in all {
        let system = described(rows);
        for (task, &longest) in truth.iter().enumerate() {
            let is_join = system.tasks[task].activation == Activation::Join;
            joins += u64::from(is_join);
            let Some(bound) = bound(&system, task) else { continue };
            assert!(u64::from(longest) <= bound, "t{task}: {longest} of {bound} in {rows:?}");
            bounded += u64::from(is_join);
            equal += u64::from(is_join && bound == u64::from(longest));
        }
    }
    println!("{} systems, {joins} joins, {bounded} bounded, {equal} reached", all.len());
    assert!(all.len() > 40 && bounded > 40 && equal > 5, "{joins} {bounded} {equal}");
}

/// The system, but that each join comes only after what is left of those before it.
fn after_some(system: &System, left: impl Fn(&[TaskId]) -> Vec<TaskId>) -> System {
    let mut wrong = system.clone();
    for id in system.task_ids().filter(|&id| system.task(id).activation == Activation::Join) {
        let left = left(&system.predecessors(id));
        wrong.tasks[id.0].activation = match left[..] {
            [] => Activation::Sporadic,
            [by] => Activation::Task(by),
            _ => Activation::Join,
        };
        for (other, task) in wrong.tasks.iter_mut().enumerate() {
            task.wakes.retain(|&woken| woken != id || left.contains(&TaskId(other)));
        }
    }
    wrong
}

/// Errors on purpose: the least of the bounds for the largest, the latest one forgotten, the first one alone, and jobs that
/// come with the source.
#[test]
fn what_forgets_one_before_it_is_noticed() {
    let exceeded = |analysed: &dyn Fn(&System) -> System| {
        let of = |(rows, truth): &&Known| {
            let known = bounds(&analysed(&described(rows)));
            let mut tasks = truth.iter().enumerate();
            tasks.any(|(task, &longest)| {
                known.task(TaskId(task)).bound().is_some_and(|own| own.as_ns() < longest.into())
            })
        };
        all().iter().filter(of).count()
    };
    let sorted = |system: &System, before: &[TaskId]| {
        let known = bounds(system);
        let mut sorted = before.to_vec();
        sorted.sort_by_key(|by| known.task(*by).bound().map_or(u64::MAX, Duration::as_ns));
        sorted
    };
    let least = exceeded(&|system| after_some(system, |before| vec![sorted(system, before)[0]]));
    let forgotten = exceeded(&|system| {
        after_some(system, |before| sorted(system, before)[..before.len() - 1].to_vec())
    });
    let first_alone = exceeded(&|system| after_some(system, |before| vec![before[0]]));
    let with_source = exceeded(&|system| after_some(system, |_| Vec::new()));
    let seen = [least, forgotten, first_alone, with_source];
    println!("{seen:?} of {}", all().len());
    assert!(seen.iter().all(|&systems| systems > 5), "{seen:?}");
}

/// A system of the woken tasks, with one or two more that come after several of one source: on any supply of any core.
fn with_joins(random: &mut Random) -> System {
    let mut system = woken::system(random);
    for number in 0..random.between(1, 2) {
        let any = TaskId(random.index(system.tasks.len()));
        let root = system.root_of(any);
        let mut family: Vec<TaskId> = system.followers(root).into_iter().collect();
        let mut before = Vec::new();
        while before.len() < 3 && !family.is_empty() && (before.len() < 2 || random.chance(1, 2)) {
            before.push(family.swap_remove(random.index(family.len())));
        }
        before.sort_unstable();
        let (id, beside) =
            (TaskId(system.tasks.len()), &system.tasks[random.index(system.tasks.len())]);
        let (on, deadline) = (beside.on, system.task(root).deadline);
        system.supplies[on.0].members.push(Member::Task(id));
        system.tasks.push(Task {
            name: format!("task.join{number}"),
            on,
            wcet: Duration::from_ns(random.between(1, 4)),
            priority: Priority(u32::try_from(random.between(1, 20)).unwrap()),
            deadline,
            ..Task::default()
        });
        come_after(&mut system, id, &before);
    }
    system
}

#[test]
fn no_history_exceeds_a_bound_of_what_waits_for_several() {
    let (mut bounded, mut near, mut over_cores) = (0, 0, 0);
    for stream in 0..250 {
        let mut random = Random::new(472, stream);
        let system = with_joins(&mut random);
        let (known, seen) = (bounds(&system), woken::seen(&system, 60, &mut random));
        for (id, seen) in system.task_ids().zip(seen.0) {
            let Some(bound) = known.task(id).bound() else { continue };
            assert!(seen <= bound, "{stream}: {seen} of {bound} in {system:#?}");
            if system.task(id).activation == Activation::Join {
                let core = |id: TaskId| system.core_of(system.task(id).on);
                bounded += 1;
                near += u64::from(seen * 2 >= bound);
                let away = system.predecessors(id).into_iter().any(|by| core(by) != core(id));
                over_cores += u64::from(away);
            }
        }
    }
    println!("{bounded} bounded, {near} near, {over_cores} over cores");
    assert!(bounded > 80 && near > 30 && over_cores > 20, "{bounded} {near} {over_cores}");
}

/// With bursts, tasks that are not preempted and threads that poll in some.
#[test]
fn no_bound_is_exceeded_beside_anything_that_is_drawn() {
    let effort = Effort {
        forked_one_in: NonZeroU64::new(1),
        kept_one_in: NonZeroU64::new(3),
        bursts_one_in: NonZeroU64::new(4),
        polls_one_in: NonZeroU64::new(5),
        designed_one_in: u64::MAX,
        ..Effort::quick()
    };
    let tally = run(49, 1..160, &effort, |_, _| {});
    assert!(tally.violations.is_empty(), "{:?}", tally.violations);
    let (mut joins, mut bounded) = (0, 0);
    for index in 1..160 {
        let system = effort.system(49, index);
        let known = bounds(&system);
        let is_join = |&id: &TaskId| system.task(id).activation == Activation::Join;
        joins += system.task_ids().filter(is_join).count();
        let has_bound = |id: &TaskId| known.task(*id).bound().is_some();
        bounded += system.task_ids().filter(is_join).filter(has_bound).count();
    }
    println!("{joins} joins, {bounded} bounded");
    assert!(joins > 80 && bounded > 5, "{joins} {bounded}");
}
