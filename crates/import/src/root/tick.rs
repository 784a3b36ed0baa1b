//! How often the kernel's tick comes.
//!
//! **Model.** `CONFIG_HZ` of the kernel that runs: in `/proc/config.gz`, or where distributions keep its configuration. Where
//! it is not known which kernel runs (an image), it is said if all that are there agree.

use super::release::release;
use crate::description::time;
use std::collections::BTreeSet;
use vorrang_enforce::Kernel;

/// The tick of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    /// The file that says it.
    pub from: String,
    /// Ticks in a second.
    pub hertz: u32,
}

impl Tick {
    /// What it is, in words.
    pub fn said(&self) -> String {
        let period = time(1_000_000_000 / u64::from(self.hertz));
        format!("CONFIG_HZ={}: on a processor that is busy, a tick every {period}", self.hertz)
    }
}

/// The tick of a machine; `None` where no file says it.
pub fn tick(root: &dyn Kernel) -> Option<Tick> {
    if let Some(hertz) = root.configuration().ok().as_deref().and_then(hertz) {
        return Some(Tick { from: "the configuration of the kernel".to_owned(), hertz });
    }
    let places = match release(root) {
        Some(release) => vec![
            format!("/boot/config-{release}"),
            format!("/lib/modules/{release}/config"),
            format!("/usr/lib/modules/{release}/config"),
        ],
        None => kept(root),
    };
    let read = |path: &String| hertz(&root.read(path).ok()?).map(|hertz| (path.clone(), hertz));
    let found: Vec<(String, u32)> = places.iter().filter_map(read).collect();
    let different: BTreeSet<u32> = found.iter().map(|(_, hertz)| *hertz).collect();
    let (from, hertz) = found.into_iter().next().filter(|_| different.len() == 1)?;
    Some(Tick { from, hertz })
}

/// All configurations in a root directory.
fn kept(root: &dyn Kernel) -> Vec<String> {
    let names = |folder: &str| root.list(folder).unwrap_or_default();
    let boot = names("/boot").into_iter().filter(|name| name.starts_with("config-"));
    let mut all: Vec<String> = boot.map(|name| format!("/boot/{name}")).collect();
    for folder in ["/lib/modules", "/usr/lib/modules"] {
        all.extend(names(folder).into_iter().map(|name| format!("{folder}/{name}/config")));
    }
    all
}

fn hertz(configuration: &str) -> Option<u32> {
    let own = configuration.lines().find_map(|line| line.strip_prefix("CONFIG_HZ="));
    own?.trim().parse().ok().filter(|hertz| (1..=10_000).contains(hertz))
}
