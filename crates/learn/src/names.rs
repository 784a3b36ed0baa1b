//! What threads are called in a description, and how they are found on the machine.

use crate::facts::Facts;
use crate::learner::virtual_processor;
use crate::wanted::Learnt;
use std::collections::{BTreeMap, BTreeSet};
use vorrang_enforce::interrupt_of;
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
        let is_only = |begin: &str| {
            learnt.threads.values().filter(|one| one.name.starts_with(begin.as_bytes())).count()
                == 1
        };
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
                None => match served(&text) {
                    Some((selector, begin)) if is_only(&begin) && can_be_stated(&selector) => {
                        selector
                    }
                    _ if is_alone(&thread.name) => format!("name:{text}"),
                    _ => format!("pid:{number}"),
                },
                _ => format!("pid:{number}"),
            };
            let selector = Some(selector)
                .filter(|text| can_be_stated(text))
                .or_else(|| Some(format!("pid:{number}")));
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

fn can_be_stated(selector: &str) -> bool {
    selector.len() <= limits::NAME_BYTES
        && !selector.contains(char::is_control)
        && Selector::read(selector).is_ok()
}

/// A thread of the kernel that serves an interrupt or an interface, by that, and how its name begins: a trace has fifteen
/// bytes of the name, and numbers of threads that poll are others after each start.
fn served(name: &str) -> Option<(String, String)> {
    if let Some(irq) = interrupt_of(name) {
        return Some((format!("irq:{irq}"), format!("irq/{irq}-")));
    }
    let (interface, _) = name.strip_prefix("napi/")?.rsplit_once('-')?;
    Some((format!("napi:{interface}"), format!("napi/{interface}-")))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thread::Thread;

    fn selectors(names: &[&str]) -> Vec<String> {
        let thread = |name: &&str| {
            let mut thread = Thread::default();
            thread.name = name.as_bytes().to_vec();
            thread
        };
        let threads: BTreeMap<u32, Thread> = (1..).zip(names.iter().map(thread)).collect();
        let learnt = Learnt { threads, ..Learnt::default() };
        let all = Names::of(&learnt, &Facts::default());
        all.0.into_values().filter_map(|named| named.selector).collect()
    }

    #[test]
    fn what_serves_an_interface_or_an_interrupt_is_found_by_that() {
        let found = selectors(&["napi/enp0s31f6-", "napi/eth0-8193", "irq/24-enp0s31f", "control"]);
        assert_eq!(found, ["napi:enp0s31f6", "napi:eth0", "irq:24", "name:control"]);
        // Which of two is which only their names say, and of names that are the same the number.
        let found = selectors(&["napi/eth0-8193", "napi/eth0-8194", "control", "control"]);
        assert_eq!(found, ["name:napi/eth0-8193", "name:napi/eth0-8194", "pid:3", "pid:4"]);
        assert_eq!(selectors(&["napi/a b-1", "irq/x-1"]), ["name:napi/a b-1", "name:irq/x-1"]);
    }
}
