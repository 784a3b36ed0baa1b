//! Answers: the analysis, the simulator and the design, asked about one sample.
//!
//! **Model.** What can be asked of the tasks alone is: tasks on a core without interrupts and costs are
//! handed to the theorems as they are drawn. All else becomes the text of a description, is read as such,
//! and is judged as `vorrang check` judges it.

use crate::describe;
use crate::draw::{Sample, Task};
use crate::point::{Budget, Point};
use crate::question::{Analysis, Ask, Question, Trials};
use vorrang_analysis::edf::{Contender, Work, meets_all_deadlines};
use vorrang_analysis::fixed_priority::{Scratch, SporadicTask, all_within_limits};
use vorrang_analysis::supply::Dedicated;
use vorrang_analysis::utilisation::{Criterion, RateMonotonicTask, Share};
use vorrang_analysis::{Effort, Source, bounds};
use vorrang_design::{Absence, Answer, Limits, design};
use vorrang_model::system::{Supply, SupplyId, TaskId};
use vorrang_model::{Diagnostic, Format, System};
use vorrang_sim::{Ceilings, Observations, Observer, Search, Worst, search_observed};
use vorrang_time::Duration;

/// Memory that is used again from sample to sample.
#[derive(Default)]
pub(crate) struct Bench {
    scratch: Scratch,
    set: Vec<SporadicTask>,
}

/// 0 or 1, or a number; or why there is none.
pub(crate) type Found = Result<i64, Box<str>>;

/// The answer to a question about a sample; of no use if an end was wanted meanwhile.
pub(crate) fn answer(
    point: &Point,
    ask: &Ask,
    sample: &Sample,
    bench: &mut Bench,
    is_end_wanted: fn() -> bool,
) -> Found {
    let system = || system(point, ask, sample, is_end_wanted);
    match ask.question {
        Question::Accepted(Analysis::LiuLayland) => {
            Ok(holds(Criterion::LiuLayland, &sample.tasks).into())
        }
        Question::Accepted(Analysis::Hyperbolic) => {
            Ok(holds(Criterion::Hyperbolic, &sample.tasks).into())
        }
        Question::Accepted(Analysis::Bounds) => {
            let is_hopeless = sample.tasks.iter().any(|task| task.wcet > task.deadline);
            let accepted = match bare(point, ask, sample, bench) {
                Some(accepted) => accepted,
                None if is_hopeless => false,
                None => is_accepted(&system()?),
            };
            Ok(accepted.into())
        }
        Question::Refuted(trials) => {
            let seen = seen(&system()?, trials, is_end_wanted);
            Ok(seen.tasks.iter().flatten().any(|worst| worst.miss.is_some()).into())
        }
        Question::Tightness(trials) => tightness(&system()?, trials, is_end_wanted),
        Question::Reserved { steps } => {
            let limits = Limits { is_end_wanted, ..Limits::of(steps) };
            designed(&describe::text(point, ask, sample), limits).map(|system| reserved(&system))
        }
    }
}

/// Whether the tasks meet their deadlines, where nothing but them is on the core.
fn bare(point: &Point, ask: &Ask, sample: &Sample, bench: &mut Bench) -> Option<bool> {
    let takes_time = ask.costs && !point.costs.is_empty();
    if point.guests.is_some() || point.interrupts.is_some() || takes_time {
        return None;
    }
    let scheduler = ask.scheduler.as_ref().unwrap_or(&point.scheduler);
    if scheduler == "edf" {
        return earliest_deadline_first(&sample.tasks);
    }
    let Bench { scratch, set } = bench;
    if scheduler == "rate-monotonic" {
        sort_into(set, &sample.tasks, |task| task.period);
    } else {
        sort_into(set, &sample.tasks, |task| task.limit);
    }
    Some(all_within_limits(&Dedicated, set, scratch))
}

/// Tasks by increasing key; those with equal keys stay in their order.
fn sort_into(set: &mut Vec<SporadicTask>, tasks: &[Task], key: impl Fn(&SporadicTask) -> Duration) {
    let sporadic =
        |task: &Task| SporadicTask { wcet: task.wcet, period: task.period, limit: task.deadline };
    set.clear();
    set.extend(tasks.iter().map(sporadic));
    // Mostly they are drawn so.
    if !set.is_sorted_by_key(&key) {
        set.sort_by_key(key);
    }
}

/// `None` where the analysis gives up, as it then does for the description.
fn earliest_deadline_first(tasks: &[Task]) -> Option<bool> {
    let contender = |task: &Task| Contender {
        of: Source::Unnamed,
        cost: task.wcet,
        period: task.period,
        distances: None,
        work: Work::Jobs {
            deadline: task.deadline,
            jitter: Duration::ZERO,
            blocking: Duration::ZERO,
        },
    };
    let contenders: Vec<Contender> = tasks.iter().map(contender).collect();
    meets_all_deadlines(&Dedicated, true, &contenders, &Effort::default()).ok()
}

fn holds(criterion: Criterion, tasks: &[Task]) -> bool {
    let tasks: Vec<RateMonotonicTask> = tasks
        .iter()
        .map(|task| RateMonotonicTask { wcet: task.wcet, period: task.period })
        .collect();
    let core = Duration::from_ns(1);
    criterion.holds(&tasks, Share { budget: core, period: core })
}

/// What the description says; or why the reader refuses it, or there is no design of what it leaves open.
fn system(
    point: &Point,
    ask: &Ask,
    sample: &Sample,
    is_end_wanted: fn() -> bool,
) -> Result<System, Box<str>> {
    let text = describe::text(point, ask, sample);
    if point.guests.as_ref().is_some_and(|guests| guests.budget == Budget::Designed) {
        return designed(&text, Limits { is_end_wanted, ..Limits::of(DESIGN_STEPS) });
    }
    vorrang_model::read(&text, Format::Toml).map_err(|errors| refusal(&text, &errors))
}

/// The first error, with its line in the description that `--show` prints.
fn refusal(text: &str, errors: &[Diagnostic]) -> Box<str> {
    let first = errors.first().expect("a refusal has an error");
    let line = text[..first.span.start].matches('\n').count() + 1;
    let label = match first.label.as_str() {
        "" => String::new(),
        label => format!(" ({label})"),
    };
    format!("refused: line {line}: {}{label}", first.message).into()
}

/// Analyses of a design where a question does not say how many.
const DESIGN_STEPS: u64 = 2_000;

fn designed(text: &str, limits: Limits) -> Result<System, Box<str>> {
    let mut open =
        vorrang_model::read_open(text, Format::Toml, |name| Err(format!("no file {name} is read")))
            .map_err(|errors| refusal(text, &errors))?;
    match design(&mut open, limits) {
        Answer::Design(found) => Ok(found.system),
        Answer::Absent(absence) => Err(absent(absence)),
    }
}

fn absent(absence: Absence) -> Box<str> {
    match absence {
        Absence::Impossible { .. } => "no design: no choice is accepted".into(),
        Absence::NotFound { steps, .. } => format!("no design found in {steps} steps").into(),
        Absence::TooMany => "no design: too many combinations".into(),
        Absence::NothingRequired => "no design: nothing is required".into(),
    }
}

/// As `vorrang check` says *proven* of the whole.
fn is_accepted(system: &System) -> bool {
    let bounds = bounds(system);
    let is_kept = |id| bounds.reservation(system, SupplyId(id)).is_none_or(|found| found.is_ok());
    (0..system.supplies.len()).all(is_kept)
        && system.requirements.iter().all(|requirement| {
            bounds.requirement(requirement).bound().is_some_and(|bound| bound <= requirement.limit)
        })
}

/// Ends a search when that is wanted.
struct Patience(fn() -> bool);

impl Observer for Patience {
    fn has_seen_enough(&self) -> bool {
        self.0()
    }
}

fn seen(system: &System, trials: Trials, is_end_wanted: fn() -> bool) -> Observations {
    let Trials { steps, histories } = trials;
    let search = Search { runs: histories, ..Search::within(steps) };
    search_observed(
        system,
        &search,
        &Ceilings::default(),
        &mut Patience(is_end_wanted),
        &mut |_| {},
    )
}

fn tightness(system: &System, trials: Trials, is_end_wanted: fn() -> bool) -> Found {
    let bounds = bounds(system);
    let seen = seen(system, trials, is_end_wanted);
    let ratio = |(id, worst): (usize, &Option<Worst>)| -> Found {
        let name = || &system.tasks[id].name;
        let finding = bounds.task(TaskId(id));
        let proof = finding.found.as_ref();
        let bound = proof.map_err(|why| format!("no bound for {}: {why}", name()))?.bound;
        let worst = worst.as_ref().ok_or_else(|| format!("no history has a job of {}", name()))?;
        let seen = u128::from(worst.response.as_ns().max(1));
        i64::try_from((u128::from(bound.as_ns()) * 1_000_000).div_ceil(seen))
            .map_err(|_| format!("the ratio of {} is out of range", name()).into())
    };
    seen.tasks.iter().enumerate().map(ratio).try_fold(0, |most, ratio| Ok(ratio?.max(most)))
}

/// Of all servers on the core, rounded up.
fn reserved(system: &System) -> i64 {
    let ppm: u128 = system
        .supplies
        .iter()
        .filter_map(Supply::server)
        .map(|server| {
            let budget = u128::from(server.budget.as_ns()) * 1_000_000;
            budget.div_ceil(u128::from(server.period.as_ns()))
        })
        .sum();
    i64::try_from(ppm).expect("a few cores at most")
}
