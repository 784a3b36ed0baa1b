//! Which utilisation bounds hold for the tasks of a supply: evaluated besides the analysis of the verdict.
//!
//! **Model.** A supply whose members are independent rate-monotonic tasks is given to every
//! [`Criterion`]; each holds, does not hold, or does not apply because of something by name.
//!
//! **Assumptions.** 1. Those of `utilisation/criterion.rs`. 2. A slot of a core without interrupts, and the
//! whole of such a core, are fixed; every other server moves within its period. 3. A server that is
//! guaranteed its budget in each period is at least a periodic resource; that it is guaranteed, the
//! bounds say.
//!
//! Theory: docs/theory/utilisation.md.

use super::Bounds;
use crate::coverage::not_covered;
use crate::feature::Feature;
use crate::ground::Reason;
use crate::overhead::{overrun, pays_for_routines};
use crate::server_kind::{Provides, Sheet};
use crate::utilisation::{Criterion, RateMonotonicTask, Share};
use core::fmt;
use std::collections::BTreeMap;
use vorrang_model::system::{
    Activation, Costs, Interrupt, Member, Preemption, Scheduler, Server, ServerKind, Supply,
    SupplyId, SupplyKind, System, Task,
};
use vorrang_time::Duration;

/// One criterion and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The test that was tried.
    pub criterion: Criterion,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every task of the supply completes within its period.
    Holds,
    /// The utilisation is too high for it; they may still.
    DoesNotHold,
    /// It says nothing here, for this reason.
    DoesNotApply(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Holds => f.write_str("holds"),
            Self::DoesNotHold => f.write_str("does not hold"),
            Self::DoesNotApply(reason) => write!(f, "does not apply: {reason}"),
        }
    }
}

/// Tries every criterion on the tasks that stand directly on each of some supplies.
pub fn tried(
    system: &System,
    bounds: &Bounds,
    supplies: impl IntoIterator<Item = SupplyId>,
) -> Vec<(SupplyId, Vec<Tried>)> {
    let mut not_covered_on = BTreeMap::new();
    let of = |supply| {
        let core = system.core_of(supply);
        let what = not_covered_on.entry(core).or_insert_with(|| not_covered(system, core));
        (supply, of_supply(system, bounds, supply, what.as_ref()))
    };
    supplies.into_iter().map(of).collect()
}

/// On one of them, on a core on which that is not covered.
fn of_supply(
    system: &System,
    bounds: &Bounds,
    supply: SupplyId,
    what: Option<&Feature>,
) -> Vec<Tried> {
    let tasks = match what {
        Some(what) => Err(format!("no analysis covers {what}")),
        None => tasks(system, supply),
    };
    let found = tasks.and_then(|tasks| Ok((place(system, bounds, supply)?, tasks)));
    let outcome = |criterion: Criterion| match &found {
        Err(reason) => Outcome::DoesNotApply(reason.clone()),
        Ok((place, tasks)) => on_place(criterion, place, tasks),
    };
    Criterion::ALL
        .into_iter()
        .map(|criterion| Tried { criterion, outcome: outcome(criterion) })
        .collect()
}

/// Where the time of a supply lies.
struct Place<'a> {
    name: &'a str,
    share: Share,
    is_core: bool,
    is_fixed: bool,
}

fn on_place(criterion: Criterion, place: &Place<'_>, tasks: &[RateMonotonicTask]) -> Outcome {
    use Criterion::{Hyperbolic, KaiserZoebel, KaiserZoebelProduct, LiuLayland, Saewong, ShinLee};
    let Place { name, share, is_core, is_fixed } = *place;
    let refused = match criterion {
        LiuLayland | Hyperbolic if !is_core => Some(format!("{name} is only a part of a core")),
        KaiserZoebel | KaiserZoebelProduct if !is_fixed => Some(format!(
            "{name} may come early in one period and late in the next; what holds is the periodic resource"
        )),
        KaiserZoebel | KaiserZoebelProduct | Saewong | ShinLee if is_core => {
            Some(format!("{name} is a whole core"))
        }
        _ => None,
    };
    let shortest = tasks.iter().map(|task| u128::from(task.period.as_ns())).min().unwrap_or(0);
    let needed = criterion.least_period(share);
    match refused {
        Some(reason) => Outcome::DoesNotApply(reason),
        None if shortest < needed => {
            let needed = u64::try_from(needed).map_or(Duration::MAX, Duration::from_ns);
            Outcome::DoesNotApply(format!("a period is shorter than {needed}"))
        }
        None if criterion.holds(tasks, share) => Outcome::Holds,
        None => Outcome::DoesNotHold,
    }
}

/// The tasks of a supply, if they are independent, rate-monotonic and due at their periods.
fn tasks(system: &System, id: SupplyId) -> Result<Vec<RateMonotonicTask>, String> {
    let supply = system.supply(id);
    if let Some(what) = takes_a_part(system, id) {
        return Err(format!("{what} may take a part of {}", supply.name));
    }
    if supply.scheduler != Scheduler::FixedPriority {
        return Err(format!("the scheduler of {} is not rate-monotonic", supply.name));
    }
    let of_member = |&member: &Member| match member {
        Member::Task(id) => Ok(system.task(id)),
        Member::Server(id) => Err(format!("{} is a server", system.supply(id).name)),
    };
    let tasks: Vec<&Task> = supply.members.iter().map(of_member).collect::<Result<_, _>>()?;
    if tasks.is_empty() {
        return Err(format!("{} has no task", supply.name));
    }
    tasks.iter().try_for_each(|task| is_plain(task))?;
    let inverted = |one: &&&Task| {
        let shorter = |other: &&Task| {
            other.min_interarrival < one.min_interarrival
                && !other.priority.is_more_urgent_than(one.priority)
        };
        tasks.iter().any(shorter)
    };
    if let Some(task) = tasks.iter().find(inverted) {
        return Err(format!("{} is at least as urgent as a task with a shorter period", task.name));
    }
    let plain = |task: &&Task| RateMonotonicTask { wcet: task.wcet, period: task.min_interarrival };
    Ok(tasks.iter().map(plain).collect())
}

/// What takes time of a supply besides its members, by name. Bounds account for it; these criteria
/// do not.
fn takes_a_part(system: &System, id: SupplyId) -> Option<String> {
    let core = system.core_of(id);
    if system.costs != Costs::default() {
        return Some("the machine".into());
    }
    let is_delivered = |interrupt: &&Interrupt| {
        interrupt.delivery.as_ref().is_some_and(|delivery| delivery.vcpu == id)
    };
    let timers = system.timers_on(core).map(|id| &system.timer(id).name);
    let devices = system.devices_on(core).map(|id| &system.device(id).name);
    let caches = system.caches.iter().map(|cache| &cache.name);
    let delivered = system.interrupts.iter().filter(is_delivered).map(|interrupt| &interrupt.name);
    timers.chain(devices).chain(caches).chain(delivered).next().cloned()
}

fn is_plain(task: &Task) -> Result<(), String> {
    let name = &task.name;
    if task.deadline.is_some_and(|deadline| deadline < task.min_interarrival) {
        return Err(format!("the deadline of {name} is shorter than its period"));
    }
    if !task.jitter.is_zero() {
        return Err(format!("{name} has jitter"));
    }
    if task.preemption == Preemption::None {
        return Err(format!("{name} is not preempted"));
    }
    if !task.blocking.is_zero() {
        return Err(format!("{name} may be blocked"));
    }
    if task.activation != Activation::Sporadic {
        return Err(format!("{name} is woken by something"));
    }
    Ok(())
}

/// The whole of a core.
fn core(name: &str, interrupted: bool) -> Result<Place<'_>, String> {
    if interrupted {
        return Err(format!("interrupts take a part of {name}"));
    }
    let whole = Duration::RESOLUTION;
    let share = Share { budget: whole, period: whole };
    Ok(Place { name, share, is_core: true, is_fixed: true })
}

fn place<'a>(system: &'a System, bounds: &Bounds, id: SupplyId) -> Result<Place<'a>, String> {
    let Supply { name, kind, members, .. } = system.supply(id);
    let interrupted = system.interrupts_on(system.core_of(id)).next().is_some();
    let no_resource = |kind: ServerKind| {
        Err(format!("{name}, a \"{}\" server, is no periodic resource", kind.word()))
    };
    let server = match kind {
        SupplyKind::Server(server) => server,
        SupplyKind::Share(_) => return no_resource(ServerKind::Share),
        SupplyKind::Level(_) => return no_resource(ServerKind::Level),
        SupplyKind::Core => return core(name, interrupted),
    };
    let Server { budget, period, .. } = *server;
    let is_fixed = match Sheet::of_server(server).provides {
        Provides::Place => true,
        Provides::Periodic => false,
        // A full queue puts refills off, which may then wait for what is more urgent besides.
        Provides::Polled
        | Provides::PutOff
        | Provides::Ahead
        | Provides::Places
        | Provides::Unknown => {
            return no_resource(server.kind());
        }
    };
    if is_fixed && interrupted {
        return Err(format!("interrupts take a part of {name}"));
    }
    let unguaranteed = |&member: &Member| match member {
        Member::Task(id) => match bounds.task(id).reason() {
            Some(reason @ (Reason::NoGuarantee { .. } | Reason::NotCovered { .. })) => {
                Some(reason.to_string())
            }
            _ => None,
        },
        Member::Server(_) => None,
    };
    if let Some(reason) = members.iter().find_map(unguaranteed) {
        return Err(reason);
    }
    if pays_for_routines(system, id) {
        return Err(format!("{name} pays for the interrupts of its core"));
    }
    if !overrun(system, id).is_zero() {
        return Err(format!("runtimes of {name} may end late"));
    }
    let late = bounds.behind(system, id);
    if !late.is_zero() {
        return Err(format!("{name} may receive its budget {late} after the end of a period"));
    }
    let share = Share { budget, period };
    Ok(Place { name, share, is_core: false, is_fixed })
}
