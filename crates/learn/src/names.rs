//! What threads are called in a description, and how they are found on the machine.

use crate::facts::Facts;
use crate::learner::virtual_processor;
use crate::wanted::Learnt;
use std::collections::{BTreeMap, BTreeSet};
use vorrang_model::limits;
use vorrang_model::system::Selector;

/// Names of threads, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(BTreeMap<u32, Named>);

/// A thread in a description.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// The name of its table.
    pub(crate) table: String,
    /// How it is found; `None`: no description can say it.
    pub(crate) selector: Option<String>,
    /// Its virtual machine, and which of its processors it is.
    pub(crate) machine: Option<(String, u32)>,
}

/// Room for a number behind a name, and for an ending.
const KEPT: usize = limits::NAME_BYTES - 20;

impl Names {
    pub(crate) fn of(learnt: &Learnt, facts: &Facts) -> Self {
        let (mut all, mut taken) = (BTreeMap::new(), BTreeSet::new());
        let is_alone =
            |name: &[u8]| learnt.threads.values().filter(|one| one.name == name).count() == 1;
        for (number, thread) in &learnt.threads {
            let text = String::from_utf8_lossy(&thread.name).into_owned();
            let machine = virtual_processor(&thread.name).map(|place| {
                let known = facts.machines.get(number);
                (known.cloned().unwrap_or_else(|| format!("vm-{number}")), place)
            });
            let wanted = match &machine {
                Some((vm, place)) => format!("{}-{place}", plain(vm.as_bytes())),
                None => plain(&thread.name),
            };
            let selector = match &machine {
                Some((vm, place)) if facts.machines.contains_key(number) => {
                    format!("vm:{vm}/{place}")
                }
                None if is_alone(&thread.name) => format!("name:{text}"),
                _ => format!("pid:{number}"),
            };
            let can_be_stated = |text: &String| {
                text.len() <= limits::NAME_BYTES
                    && !text.contains(char::is_control)
                    && Selector::read(text).is_ok()
            };
            let selector =
                Some(selector).filter(can_be_stated).or_else(|| Some(format!("pid:{number}")));
            let numbered = (2_u32..).map(|count| format!("{wanted}-{count}"));
            let mut candidates = std::iter::once(wanted.clone()).chain(numbered);
            let table = candidates.find(|name| taken.insert(name.clone())).unwrap_or_default();
            all.insert(*number, Named { table, selector, machine });
        }
        Self(all)
    }

    pub(crate) fn get(&self, number: u32) -> Option<&Named> {
        self.0.get(&number)
    }

    /// The name of the task that a thread is.
    pub(crate) fn of_task(&self, number: u32) -> &str {
        self.0.get(&number).map_or("", |named| &named.table)
    }
}

/// What a description may call something.
pub(crate) fn plain(name: &[u8]) -> String {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let text: String = name
        .iter()
        .take(KEPT)
        .map(|byte| if allowed(byte) { char::from(*byte) } else { '-' })
        .collect();
    let text = text.trim_matches('-');
    if text.is_empty() { "unnamed".to_owned() } else { text.to_owned() }
}
