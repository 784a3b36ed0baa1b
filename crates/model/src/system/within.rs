//! What is in a supply.

use super::{Member, SupplyId, System};

impl System {
    /// A supply with all that is in it, at any depth, in the order of declaration.
    pub fn supplies_within(&self, id: SupplyId) -> Vec<SupplyId> {
        let mut found = vec![id];
        let mut looked_at = 0;
        while let Some(&around) = found.get(looked_at) {
            let inside = self.supply(around).members.iter().filter_map(|&member| match member {
                Member::Server(id) => Some(id),
                Member::Task(_) => None,
            });
            found.extend(inside);
            looked_at += 1;
        }
        found.sort_unstable();
        found
    }
}
