//! Finds what a selector of a description means among the threads of a machine.

use crate::interrupts;
use crate::machine::{Kernel, Thread, gone_is_none};
use std::fmt;
use std::io;
use vorrang_model::system::Selector;
use vorrang_quote::visible;

/// Why no thread was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// There is none.
    None(String),
    /// There are several: their names with their numbers.
    Several(String, Vec<String>),
    /// Unknown, with the reason.
    Unseen(String, String),
}

impl Unresolved {
    pub(crate) fn unseen(selector: &Selector, why: &io::Error) -> Self {
        Self::Unseen(selector.to_string(), why.to_string())
    }
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None(selector) => write!(f, "there is no thread {}", visible(selector)),
            Self::Several(selector, found) => {
                let (selector, names) = (visible(selector), visible(&found.join(", ")));
                write!(f, "{} threads are {selector}: {names}", found.len())
            }
            Self::Unseen(selector, why) => {
                write!(f, "it is unknown which thread is {}: {why}", visible(selector))
            }
        }
    }
}

/// Whether the kernel makes the thread when the plan asks for it.
pub(crate) fn may_come(selector: &Selector) -> bool {
    matches!(selector, Selector::Napi(..))
}

/// The thread among all threads.
pub(crate) fn find(
    selector: &Selector,
    kernel: &dyn Kernel,
    all: &[Thread],
) -> Result<Thread, Unresolved> {
    let mut found: Vec<&Thread> = Vec::new();
    for thread in all {
        if is(selector, kernel, thread, all).map_err(|why| Unresolved::unseen(selector, &why))? {
            found.push(thread);
        }
    }
    if let Selector::Napi(_, Some(place)) = selector {
        found.sort_by_key(|thread| napi_number(&thread.name));
        found = found.get(*place).copied().into_iter().collect();
    }
    match found.as_slice() {
        [] => Err(Unresolved::None(selector.to_string())),
        [thread] => Ok((*thread).clone()),
        several => {
            let names = several.iter().map(|thread| format!("{} ({})", thread.name, thread.thread));
            Err(Unresolved::Several(selector.to_string(), names.collect()))
        }
    }
}

fn is(
    selector: &Selector,
    kernel: &dyn Kernel,
    thread: &Thread,
    all: &[Thread],
) -> io::Result<bool> {
    let process_is =
        |name: &str| all.iter().any(|first| first.thread == thread.process && first.name == name);
    Ok(match selector {
        Selector::Number(number) => thread.thread == *number,
        Selector::Name(name) => thread.name == *name,
        Selector::OfProcess(process, name) => thread.name == *name && process_is(process),
        Selector::Vm(vm, cpu) => {
            let names = [format!("CPU {cpu}/KVM"), format!("CPU {cpu}/TCG")];
            names.contains(&thread.name) && vm_of(kernel, thread.process)?.as_ref() == Some(vm)
        }
        Selector::Irq(name) => {
            let numbers = interrupts::named(kernel, name)?;
            numbers.iter().any(|number| thread.name.starts_with(&format!("irq/{number}-")))
        }
        Selector::Napi(interface, _) => thread.name.starts_with(&format!("napi/{interface}-")),
    })
}

fn napi_number(name: &str) -> u32 {
    name.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or(u32::MAX)
}

/// The name of the virtual machine that a process is: QEMU is told it as `-name engine` or
/// `-name guest=engine,…`.
fn vm_of(kernel: &dyn Kernel, process: i32) -> io::Result<Option<String>> {
    let line = gone_is_none(kernel.read(&format!("/proc/{process}/cmdline")))?;
    Ok(line.and_then(|line| name_in(&line)))
}

fn name_in(line: &str) -> Option<String> {
    let mut words = line.split('\0');
    words.find(|word| *word == "-name")?;
    let name =
        words.next()?.split(',').find(|part| !part.contains('=') || part.starts_with("guest="))?;
    Some(name.trim_start_matches("guest=").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Linux;

    #[test]
    fn one_thread_has_to_be_meant() {
        let thread = |number: i32, process: i32, name: &str| Thread {
            thread: number,
            process,
            start: 0,
            name: name.to_owned(),
        };
        let all = [
            thread(1, 1, "engine"),
            thread(2, 1, "worker"),
            thread(3, 3, "body"),
            thread(4, 3, "worker"),
            thread(5, 5, "napi/eth0-10"),
            thread(6, 6, "napi/eth0-9"),
        ];
        let find =
            |text: &str| super::find(&Selector::read(text).expect("a selector"), &Linux, &all);
        assert_eq!(find("process:body/worker").expect("one").thread, 4);
        assert_eq!(find("napi:eth0/0").expect("one").thread, 6);
        let several = find("name:worker").expect_err("two").to_string();
        assert_eq!(several, "2 threads are name:worker: worker (2), worker (4)");
        assert_eq!(
            find("name:none").expect_err("none").to_string(),
            "there is no thread name:none"
        );
    }
}
