//! What stands beside the publications when figures are made.

use crate::cache_row::Row;

/// What is given.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// A machine that was measured.
    pub machine: Option<Machine>,
}

/// A machine, by its profile.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// What it is called.
    pub name: String,
    /// Under which conditions it was measured: verb, name, value.
    pub conditions: Vec<[String; 3]>,
    /// Its caches under the flood model, by name: `write-64k-dirty`.
    pub caches: Vec<(String, Row)>,
    /// Medians of what was measured [ns], by verb and name: `timers.expiry-tasks`.
    pub medians: Vec<(String, u64)>,
}

impl Setting {
    /// A cache of the machine.
    pub fn cache(&self, name: &str) -> Option<&Row> {
        let caches = self.machine.iter().flat_map(|machine| &machine.caches);
        caches.clone().find(|(known, _)| known == name).map(|(_, row)| row)
    }

    /// What was measured under this name [ns].
    pub fn median(&self, name: &str) -> Option<u64> {
        let medians = self.machine.iter().flat_map(|machine| &machine.medians);
        medians.clone().find(|(known, _)| known == name).map(|(_, median)| *median)
    }
}
