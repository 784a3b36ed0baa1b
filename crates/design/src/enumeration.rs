//! All orders of a core, or one and its neighbours.

use crate::order::{Order, Priorities, Ranked};
use std::collections::BTreeSet;
use vorrang_model::Chosen;
use vorrang_model::system::Priority;

/// Orders of one core that are searched for one by one.
const MOST: usize = 5_040;
/// Choices of priorities of one supply that are compared with each other.
const MOST_CHOICES: u64 = 100_000;

impl Order {
    /// All orders that differ, deadline monotonic first; `None`: too many.
    pub(crate) fn all(&self) -> Option<Vec<Priorities>> {
        let open: Vec<&Ranked> = self.members.iter().filter(|own| own.is_open()).collect();
        let count =
            open.iter().try_fold(1_u64, |all, own| all.checked_mul(own.choices.len() as u64));
        count.filter(|count| *count <= MOST_CHOICES)?;
        let mut found: Vec<Priorities> = Vec::new();
        let mut known: BTreeSet<Vec<usize>> = BTreeSet::new();
        let mut note = |chosen: Priorities| {
            if self.keeps_own(&chosen) && known.insert(self.compared(&chosen)) {
                found.push(chosen);
            }
        };
        note(self.by_deadlines());
        let mut places = vec![0; open.len()];
        loop {
            let own = open.iter().zip(&places);
            note(own.flat_map(|(own, &at)| own.with(own.choices[at])).collect());
            let Some(next) = (0..places.len()).find(|&at| places[at] + 1 < open[at].choices.len())
            else {
                break;
            };
            places[next] += 1;
            places[..next].fill(0);
        }
        (found.len() <= MOST).then_some(found)
    }

    /// Whether nothing has the priority of a member that has its own.
    fn keeps_own(&self, chosen: &Priorities) -> bool {
        let all: Vec<(Priority, bool)> =
            self.members.iter().map(|member| (member.priority(chosen), member.has_own)).collect();
        (0..all.len()).all(|one| {
            !all[one].1 || (0..all.len()).all(|other| other == one || all[other].0 != all[one].0)
        })
    }

    /// How the members compare: of each, how many different priorities are below it.
    fn compared(&self, chosen: &Priorities) -> Vec<usize> {
        let all: Vec<Priority> =
            self.members.iter().map(|member| member.priority(chosen)).collect();
        let different: BTreeSet<Priority> = all.iter().copied().collect();
        all.iter().map(|own| different.range(..own).count()).collect()
    }

    /// The same order with two neighbours changed over, for each two that may be.
    pub(crate) fn neighbours(&self, chosen: &Priorities) -> Vec<Priorities> {
        let mut open: Vec<(Priority, &Ranked)> = self
            .members
            .iter()
            .filter(|member| member.is_open())
            .map(|member| (member.priority(chosen), member))
            .collect();
        open.sort_by_key(|(priority, _)| *priority);
        let changed = open.windows(2).filter_map(|pair| {
            let [(low, lower), (high, upper)] = pair else { return None };
            let may = low != high && lower.choices.contains(high) && upper.choices.contains(low);
            let new = |(at, priority): &(usize, Priority)| {
                let priority = match at {
                    at if lower.at.contains(at) => *high,
                    at if upper.at.contains(at) => *low,
                    _ => *priority,
                };
                (*at, priority)
            };
            may.then(|| chosen.iter().map(new).collect())
        });
        changed.collect()
    }
}

/// All combinations of the orders of a core, deadline monotonic first; `None`: too many.
pub(crate) fn all(orders: &[Order]) -> Option<Vec<Priorities>> {
    let mut combined: Vec<Priorities> = vec![Vec::new()];
    for order in orders {
        let own = order.all()?;
        if combined.len().checked_mul(own.len()).is_none_or(|count| count > MOST) {
            return None;
        }
        let longer = |begun: &Priorities| {
            let begun = begun.clone();
            own.iter().map(move |own| [&begun[..], own].concat())
        };
        combined = combined.iter().flat_map(longer).collect();
    }
    Some(combined)
}

/// Deadline monotonic in each.
pub(crate) fn by_deadlines(orders: &[Order]) -> Priorities {
    orders.iter().flat_map(Order::by_deadlines).collect()
}

/// What differs in two neighbours.
pub(crate) fn neighbours(orders: &[Order], chosen: &Priorities) -> Vec<Priorities> {
    orders.iter().flat_map(|order| order.neighbours(chosen)).collect()
}

/// What is chosen, with these priorities too.
pub(crate) fn fixed(chosen: &[Option<Chosen>], priorities: &Priorities) -> Vec<Option<Chosen>> {
    let mut fixed = chosen.to_vec();
    for &(at, priority) in priorities {
        fixed[at] = Some(Chosen::Priority(priority));
    }
    fixed
}
