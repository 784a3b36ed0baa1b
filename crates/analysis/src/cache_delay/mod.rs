//! Cache-related preemption delays under fixed priority, where it is known which cache sets a task
//! uses.
//!
//! **Model.** Tasks stand in decreasing urgency. A task may load its *evicting* blocks (ECB) and
//! may need its *useful* ones (UCB) again after it was interrupted: each that another task may
//! have evicted meanwhile is reloaded in `BRT`. With `E_j(x) = ceil(x / T_j)` and `aff = j+1..=i`,
//! the least `R_i = C_i + sum over j < i of (E_j(R_i) C_j + gamma)`:
//!
//! | approach | gamma / BRT |
//! |---|---|
//! | ECB only | `E_j(R_i) \|ECB_j\|` |
//! | UCB only | `E_j(R_i) max over k in aff \|UCB_k\|` |
//! | UCB union | `E_j(R_i) \|(union over aff of UCB_k) & ECB_j\|` |
//! | ECB union | `E_j(R_i) max over aff \|UCB_k & union over h <= j of ECB_h\|` |
//! | Staschulat | the `sum over k = j..i−1 of E_k(R_i)` largest of `\|UCB_k & ECB_j\|`, each `E_j(R_k) E_k(R_i)` times |
//! | ECB union, multiset | the `E_j(R_i)` largest of `\|UCB_k & union over h <= j of ECB_h\|`, each as often |
//! | UCB union, multiset | intersection of the multisets: `UCB_k` taken `E_j(R_k) E_k(R_i)` times, `ECB_j` taken `E_j(R_i)` times |
//! | combined | the lesser of the two responses by multisets |
//!
//! **Assumptions.** 1. One level of cache, direct-mapped or least recently used with the sets given
//! as blocks; a reload takes at most `BRT`. 2. Tasks are sporadic, without jitter and blocking, and
//! complete before the next job arrives. 3. Priorities are distinct. 4. `wcet` holds for a run that
//! is not interrupted and that finds the cache cold.
//!
//! **Cost.** A step of the fixed point looks at all pairs of tasks, and at all blocks.
//!
//! **Does not cover** descriptions: they do not carry block sets.
//!
//! Reference: Busquets-Mataix et al. 1996 (ECB only); Lee et al. 1998 (UCB only); Tan, Mooney 2007
//! (UCB union); Staschulat, Schliecker, Ernst 2005; Altmeyer, Davis, Maiza 2012 (the others).
//!
//! Theory: docs/theory/cache-delay.md.

#[cfg(test)]
mod tests;

use crate::ground::{Effort, NoBound, least_fixed_point};
use std::collections::{BTreeMap, BTreeSet};
use vorrang_time::Duration;

/// A task and the cache blocks that it uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedTask {
    /// Longest execution time, uninterrupted.
    pub wcet: Duration,
    /// Least inter-arrival time.
    pub period: Duration,
    /// What it may load.
    pub evicting: BTreeSet<u32>,
    /// What it may need again.
    pub useful: BTreeSet<u32>,
}

/// How the delay of a preemption is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// All that the interrupting task loads.
    EcbOnly,
    /// All that an interrupted task needs.
    UcbOnly,
    /// What the interrupting task loads of all that others need.
    UcbUnion,
    /// What some task needs of all that more urgent ones load.
    EcbUnion,
    /// As often as each pair can meet, one by one.
    Staschulat,
    /// [`Approach::EcbUnion`], each task as often as it can be interrupted.
    EcbUnionMultiset,
    /// [`Approach::UcbUnion`], each block as often as it can be evicted.
    UcbUnionMultiset,
    /// The lesser response of the two by multisets.
    Combined,
}

/// The response times of `tasks`, the most urgent first, where a reload takes `reload`; `None` from
/// the first on that may take longer than its period.
///
/// # Errors
/// [`NoBound::Effort`] or [`NoBound::TooLong`].
pub fn response_times(
    tasks: &[CachedTask],
    reload: Duration,
    approach: Approach,
    effort: &Effort,
) -> Result<Vec<Option<Duration>>, NoBound> {
    if approach == Approach::Combined {
        let ecb = response_times(tasks, reload, Approach::EcbUnionMultiset, effort)?;
        let ucb = response_times(tasks, reload, Approach::UcbUnionMultiset, effort)?;
        let lesser = |(ecb, ucb): (Option<Duration>, Option<Duration>)| match (ecb, ucb) {
            (Some(ecb), Some(ucb)) => Some(ecb.min(ucb)),
            (one, other) => one.or(other),
        };
        return Ok(ecb.into_iter().zip(ucb).map(lesser).collect());
    }
    let mut known = Vec::with_capacity(tasks.len());
    for (index, task) in tasks.iter().enumerate() {
        let level = Level { tasks, known: &known, index, reload, approach };
        match level.response_time(effort)? {
            Some(response) if response <= task.period => known.push(response),
            _ => break,
        }
    }
    let mut found: Vec<_> = known.into_iter().map(Some).collect();
    found.resize(tasks.len(), None);
    Ok(found)
}

/// One task, after all more urgent ones.
struct Level<'a> {
    tasks: &'a [CachedTask],
    /// Response times of the more urgent ones.
    known: &'a [Duration],
    index: usize,
    reload: Duration,
    approach: Approach,
}

impl Level<'_> {
    fn response_time(&self, effort: &Effort) -> Result<Option<Duration>, NoBound> {
        let own = &self.tasks[self.index];
        let terms = (self.index + 1) * (self.index + 1);
        let found = least_fixed_point(effort, terms, own.wcet, |window| {
            // Not used beyond the period.
            if window > own.period {
                return Ok(window);
            }
            (0..self.index).try_fold(own.wcet, |sum, by| {
                let jobs = self.jobs(by, window);
                let work = self.tasks[by].wcet.checked_mul(jobs).ok_or(NoBound::TooLong)?;
                let blocks = self.reloads(by, window);
                let delay = self.reload.checked_mul(blocks).ok_or(NoBound::TooLong)?;
                let sum = sum.checked_add(work).ok_or(NoBound::TooLong)?;
                sum.checked_add(delay).ok_or(NoBound::TooLong)
            })
        })?;
        Ok((found <= own.period).then_some(found))
    }

    fn jobs(&self, of: usize, window: Duration) -> u64 {
        window.div_ceil(self.tasks[of].period)
    }

    /// The tasks that jobs of `by` may interrupt, and that delay this one.
    fn affected(&self, by: usize) -> impl Iterator<Item = usize> + use<> {
        by + 1..=self.index
    }

    /// How often `by` can interrupt `task` in a window.
    fn meetings(&self, by: usize, task: usize, window: Duration) -> u64 {
        let response = self.known.get(task).copied().unwrap_or(window);
        let own = if task == self.index { 1 } else { self.jobs(task, window) };
        self.jobs(by, response).saturating_mul(own)
    }

    /// How many blocks are reloaded because of `by`.
    fn reloads(&self, by: usize, window: Duration) -> u64 {
        let jobs = self.jobs(by, window);
        let evicting = &self.tasks[by].evicting;
        let common = |k: usize| count(self.tasks[k].useful.intersection(evicting));
        let evicted = |k: usize| {
            let loaded =
                |block: &&u32| self.tasks[..=by].iter().any(|h| h.evicting.contains(block));
            count(self.tasks[k].useful.iter().filter(loaded))
        };
        let affected = || self.affected(by);
        let each = match self.approach {
            Approach::EcbOnly => count(evicting.iter()),
            Approach::UcbOnly => {
                affected().map(|k| count(self.tasks[k].useful.iter())).max().unwrap_or(0)
            }
            Approach::UcbUnion => {
                let needed =
                    |block: &&u32| affected().any(|k| self.tasks[k].useful.contains(block));
                count(evicting.iter().filter(needed))
            }
            Approach::EcbUnion => affected().map(evicted).max().unwrap_or(0),
            Approach::Staschulat => {
                let interruptions = (by..self.index).map(|k| self.jobs(k, window)).sum();
                let often = affected().map(|k| (common(k), self.meetings(by, k, window)));
                return largest(often.collect(), interruptions);
            }
            Approach::EcbUnionMultiset => {
                let often = affected().map(|k| (evicted(k), self.meetings(by, k, window)));
                return largest(often.collect(), jobs);
            }
            Approach::UcbUnionMultiset | Approach::Combined => {
                return self.evicted_one_by_one(by, window);
            }
        };
        each.saturating_mul(jobs)
    }

    /// Each block of `by` as often as it is needed again, and as `by` can load it.
    fn evicted_one_by_one(&self, by: usize, window: Duration) -> u64 {
        let mut needed: BTreeMap<u32, u64> = BTreeMap::new();
        for k in self.affected(by) {
            let often = self.meetings(by, k, window);
            for &block in self.tasks[k].useful.intersection(&self.tasks[by].evicting) {
                let sum = needed.entry(block).or_default();
                *sum = sum.saturating_add(often);
            }
        }
        let jobs = self.jobs(by, window);
        needed.values().fold(0, |sum: u64, &often| sum.saturating_add(often.min(jobs)))
    }
}

fn count<T>(items: impl Iterator<Item = T>) -> u64 {
    items.count() as u64
}

/// The sum of the largest `most` of values, each with how often it is there.
fn largest(mut often: Vec<(u64, u64)>, mut most: u64) -> u64 {
    often.sort_unstable_by(|a, b| b.cmp(a));
    let mut sum = 0_u64;
    for (value, times) in often {
        let taken = times.min(most);
        sum = sum.saturating_add(value.saturating_mul(taken));
        most -= taken;
    }
    sum
}
