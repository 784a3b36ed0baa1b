//! A system of which less is required.

use std::collections::BTreeMap;
use vorrang_model::System;
use vorrang_model::system::RequirementKind;
use vorrang_time::Duration;

/// Requirements, by name, that allow for more time; `None`: for any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Relaxation(pub(crate) BTreeMap<String, Option<Duration>>);

impl Relaxation {
    /// Without these requirements, or with these limits.
    pub(crate) fn applied(&self, mut system: System) -> System {
        for required in &mut system.requirements {
            let Some(Some(limit)) = self.0.get(&required.name) else { continue };
            required.limit = *limit;
            if let RequirementKind::Deadline(task) = required.kind {
                system.tasks[task.0].deadline = Some(*limit);
            }
        }
        system.requirements.retain(|required| self.0.get(&required.name) != Some(&None));
        system
    }

    pub(crate) fn with(&self, name: &str, limit: Option<Duration>) -> Self {
        let mut more = self.clone();
        more.0.insert(name.to_owned(), limit);
        more
    }
}
