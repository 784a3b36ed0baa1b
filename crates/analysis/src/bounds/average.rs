//! Which bounds rest on what cold caches take on average.
//!
//! **Model.** A cache of the exponential model states an average. What a context with such a cache loses is in the
//! bounds of what is in it. It is in those of others too, unless a budget pays for it: then only where it is assumed that
//! servers take no more than the work in them.
//!
//! **Assumptions.** 1. What wakes something from another core may itself wait for all that is there, so all averages of
//! connected cores are said.
//!
//! Theory: docs/theory/cold-caches.md (assumption 4).

use crate::ground::Assumption;
use std::collections::BTreeSet;
use vorrang_model::system::{CacheModel, Member, SupplyId, System, TaskId};

/// Contexts with their caches, by name.
type Averages = BTreeSet<String>;

/// The averages on which a bound on a supply rests, of a task if it is one's; `is_work_counted`: others' work, where it
/// is less than their budgets.
pub(super) fn averages(
    system: &System,
    on: SupplyId,
    task: Option<TaskId>,
    is_work_counted: bool,
) -> Option<Assumption> {
    if system.caches.iter().all(|cache| cache.model != CacheModel::Exponential) {
        return None;
    }
    let core = system.core_of(on);
    let mut what = around(system, on, task);
    for other in system.connected(core) {
        below(system, other, is_work_counted || other != core, &mut what);
    }
    let what: Vec<String> = what.into_iter().collect();
    (!what.is_empty()).then_some(Assumption::AverageCaches { what })
}

/// Those of a task and of the supplies that it is in.
fn around(system: &System, on: SupplyId, task: Option<TaskId>) -> Averages {
    let way = core::iter::successors(Some(on), |&id| system.supply(id).on());
    let members = way.map(Member::Server).chain(task.map(Member::Task));
    members.filter_map(|member| average(system, member)).collect()
}

/// Those below a supply whose loss no budget pays; of all, where the work in servers is counted.
fn below(system: &System, id: SupplyId, is_work_counted: bool, found: &mut Averages) {
    for &member in &system.supply(id).members {
        let is_paid = |server: SupplyId| system.supply(server).server().is_some();
        match member {
            Member::Server(server) if is_paid(server) && !is_work_counted => continue,
            Member::Server(server) => below(system, server, is_work_counted, found),
            Member::Task(_) => {}
        }
        found.extend(average(system, member));
    }
}

/// A context whose cache states an average.
fn average(system: &System, member: Member) -> Option<String> {
    let cache = system.cache(system.cache_of(member)?);
    let name = match member {
        Member::Task(id) => &system.task(id).name,
        Member::Server(id) => &system.supply(id).name,
    };
    (cache.model == CacheModel::Exponential).then(|| format!("{name} ({})", cache.name))
}
