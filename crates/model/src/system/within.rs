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

#[cfg(test)]
mod tests {
    use crate::{Format, read};
    use std::fs;
    use std::path::Path;

    #[test]
    fn what_is_within_a_core_is_what_leads_to_it() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/right");
        let (mut cores, mut nested) = (0, 0);
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let Ok(system) = fs::read(&path).map(|text| read(text, Format::of_path(&path))) else {
                continue;
            };
            let Ok(system) = system else { continue };
            for core in system.cores() {
                let leads = system.supply_ids().filter(|&id| system.core_of(id) == core);
                let leads: Vec<_> = leads.collect();
                assert_eq!(system.supplies_within(core), leads);
                cores += 1;
                nested += usize::from(leads.len() > 2);
            }
        }
        assert!(cores > 20 && nested > 5, "{nested} of {cores}");
    }
}
