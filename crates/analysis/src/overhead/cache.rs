//! What cold caches take at most, whenever a context gets the core: the limit of both curves of a cache, or a line above the
//! curve.
//!
//! **Model.** What is lost in the first `t` after a switch is concave in `t`, so each of its tangents lies above it:
//!
//! | curve | lost by `t`, with `u = 1 − useful` and `s = sustained` | tangent at `c s` |
//! |---|---|---|
//! | flood | `u min(t, s)` | `u t` |
//! | exponential | `u s (1 − exp(−t/s))` | `u s (1 − (1 + c) exp(−c)) + u exp(−c) t` |
//!
//! A job that does no more than its work in a run loses no more than it takes longer for that: `lost <= a + b (work + lost)`.
//!
//! **Assumptions.** 1. A context that is cold loses no more in a part of its run than in a run from the switch on that is as
//! long.
//!
//! Theory: docs/theory/cold-caches.md.

use crate::demand::Load;
use crate::request::Card;
use crate::supply::LossLine;
use vorrang_model::system::{Cache, CacheId, CacheModel, Member, SupplyId, System, TaskId};
use vorrang_time::Duration;

/// `c`, `exp(−c)` and `1 − (1 + c) exp(−c)`, the first in eighths, the others in units of 10^-12, rounded up.
const TANGENTS: [(u64, u64, u64); 10] = [
    (1, 882_496_902_585, 7_190_984_593),
    (2, 778_800_783_072, 26_499_021_161),
    (4, 606_530_659_713, 90_204_010_432),
    (6, 472_366_552_742, 173_358_532_704),
    (8, 367_879_441_172, 264_241_117_658),
    (12, 223_130_160_149, 442_174_599_629),
    (16, 135_335_283_237, 593_994_150_291),
    (24, 49_787_068_368, 800_851_726_529),
    (32, 18_315_638_889, 908_421_805_557),
    (48, 2_478_752_177, 982_648_734_764),
];

const MILLION: u128 = 1_000_000;
const BILLIONS: u128 = 1_000_000_000_000;

/// What a context that gets the core loses at most until its cache is warm.
pub(crate) fn loss(system: &System, id: CacheId) -> Duration {
    let cache = system.cache(id);
    let useless = 1_000_000 - u128::from(cache.useful_ppm.min(1_000_000));
    let lost = (u128::from(cache.sustained.as_ns()) * useless).div_ceil(1_000_000);
    let lost = Duration::from_ns(u64::try_from(lost).expect("a part of a duration"));
    // Where the simulator computes in larger steps (mechanisms/switch_cost.rs) it may lose more.
    lost + Duration::from_ns(cache.sustained.as_ns() >> 26)
}

/// What a job of a task on a core loses at most in one run of its context.
pub(crate) fn loss_of_job(system: &System, id: TaskId) -> Duration {
    let task = system.task(id);
    let Some(cache) = task.cache else { return Duration::ZERO };
    // A job of who polls does the work of a round of packets.
    if Card::polled_by(system, id).or(Card::read_by(system, id)).is_some() {
        return loss(system, cache);
    }
    loss_of_work(system, cache, task.wcet)
}

/// What is lost at most in a part of a run in which no more than this work is done.
fn loss_of_work(system: &System, id: CacheId, work: Duration) -> Duration {
    let lost = |line: LossLine| {
        let time = line.time_with(work.checked_add(line.at_once)?).ok()?;
        Some(time.saturating_sub(work))
    };
    let by_line = all_lines(system.cache(id)).filter_map(lost);
    by_line.chain([loss(system, id)]).min().unwrap_or_default()
}

/// What a member of a core whose contexts are not interrupted loses at most in a run of this length.
pub(crate) fn loss_in_run(system: &System, member: Member, run: Duration) -> Duration {
    let cache = match member {
        Member::Task(id) => system.task(id).cache,
        Member::Server(id) => system.supply(id).cache,
    };
    let Some(id) = cache else { return Duration::ZERO };
    let lines = lines_near(system.cache(id), run);
    let in_run = lines.iter().map(|line| line.lost_in(run));
    in_run.chain([loss(system, id)]).min().unwrap_or_default()
}

/// What the virtual processor around a supply, or that supply itself, loses at most after a switch, and lines above what it
/// loses by a time after it: those near the length of its budget. `None`: there is none with a cache.
pub(crate) fn loss_lines(system: &System, id: SupplyId) -> Option<(Duration, Vec<LossLine>)> {
    let (cache, budget) = cache_around(system, id)?;
    Some((loss(system, cache), lines_near(system.cache(cache), budget)))
}

/// The same near the mean run, where it loses up to `lost` in all of its budget.
pub(crate) fn loss_lines_of_runs(
    system: &System,
    id: SupplyId,
    lost: Duration,
) -> Option<(Duration, Vec<LossLine>)> {
    let (cache, budget) = cache_around(system, id)?;
    let each = loss(system, cache);
    let runs = if each.is_zero() { 1 } else { lost.div_ceil(each).max(1) };
    let mean = Duration::from_ns(budget.as_ns() / runs);
    Some((each, lines_near(system.cache(cache), mean)))
}

/// The cache of the virtual processor around a supply, or of that supply itself, and its budget.
fn cache_around(system: &System, id: SupplyId) -> Option<(CacheId, Duration)> {
    let mut way = core::iter::successors(Some(id), |&id| system.supply(id).on());
    let context = system.supply(way.find(|&id| system.supply(id).vm.is_some())?);
    Some((context.cache?, context.server()?.budget))
}

fn lines_near(cache: &Cache, run: Duration) -> Vec<LossLine> {
    let sustained = u128::from(cache.sustained.as_ns());
    match cache.model {
        _ if run >= cache.sustained * 6 => Vec::new(),
        CacheModel::Flood => at_first(cache).into_iter().collect(),
        CacheModel::Exponential => {
            let is_beyond = |(eighths, ..): &(u64, u64, u64)| {
                u128::from(*eighths) * sustained > 8 * u128::from(run.as_ns())
            };
            let after = TANGENTS.iter().position(is_beyond).unwrap_or(TANGENTS.len() - 1);
            let near = &TANGENTS[after.saturating_sub(2)..=after];
            near.iter().filter_map(|point| tangent(cache, point)).collect()
        }
    }
}

/// Every line that is known.
fn all_lines(cache: &Cache) -> impl Iterator<Item = LossLine> + '_ {
    let points = match cache.model {
        CacheModel::Flood => &[],
        CacheModel::Exponential => &TANGENTS[..],
    };
    at_first(cache).into_iter().chain(points.iter().filter_map(|point| tangent(cache, point)))
}

/// At the switch: nothing is lost at a higher rate.
fn at_first(cache: &Cache) -> Option<LossLine> {
    line(cache, useless(cache) * BILLIONS, 0)
}

fn tangent(cache: &Cache, &(_, exp, rest): &(u64, u64, u64)) -> Option<LossLine> {
    let sustained = u128::from(cache.sustained.as_ns());
    let useless = useless(cache);
    line(cache, useless * u128::from(exp), (useless * u128::from(rest)).checked_mul(sustained)?)
}

/// A line by its numbers in parts of a million and of 10^12.
fn line(cache: &Cache, share: u128, at_once: u128) -> Option<LossLine> {
    // More than all rounding of one run in the simulator (mechanisms/switch_cost.rs).
    let rounding = Duration::from_ns(2 + (cache.sustained.as_ns() >> 26));
    let share = (share << LossLine::PLACES).div_ceil(MILLION * BILLIONS);
    let at_once = at_once.div_ceil(MILLION * BILLIONS);
    Some(LossLine {
        at_once: Duration::from_ns(u64::try_from(at_once).ok()?) + rounding,
        share: u64::try_from(share).ok().filter(|share| *share < LossLine::WHOLE)?,
    })
}

fn useless(cache: &Cache) -> u128 {
    MILLION - u128::from(cache.useful_ppm.min(1_000_000))
}

/// What is lost at most whenever a server gets the core: of a reservation of the host the most that
/// one of the contexts in it loses.
pub(crate) fn loss_of_server(system: &System, id: SupplyId) -> Duration {
    let supply = system.supply(id);
    let own = supply.cache.map_or(Duration::ZERO, |cache| loss(system, cache));
    if supply.vm.is_some() {
        return own;
    }
    let inside = supply.members.iter().map(|&member| match member {
        Member::Task(task) => system.task(task).cache.map_or(Duration::ZERO, |id| loss(system, id)),
        Member::Server(inner) => loss_of_server(system, inner),
    });
    inside.max().unwrap_or_default().max(own)
}

/// The largest cache loss of the section that may block a member, whichever task owns it.
pub(super) fn section_loss(system: &System, member: Member) -> Option<Duration> {
    let section = system.blocking(member);
    if section.is_zero() {
        return None;
    }
    let caches = system.less_urgent(member).filter_map(|owner| system.cache_of(owner));
    Some(caches.map(|id| loss_of_work(system, id, section)).max().unwrap_or_default())
}

/// How often a virtual processor, or something in a reservation of the host, finds its cache cold.
#[derive(Clone, Debug, Default)]
pub(crate) struct ColdStarts<'a> {
    /// What it loses when a window begins.
    pub(crate) at_first: Duration,
    /// While its guest wants time throughout: whenever it has budget again, and after everything
    /// that may interrupt it.
    pub(crate) starts: Vec<Load<'a>>,
    /// While something in a server inside it does: whenever the guest wakes, too.
    pub(crate) inside: Vec<Load<'a>>,
}
