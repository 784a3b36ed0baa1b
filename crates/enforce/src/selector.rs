//! How a description names a thread of the machine.
//!
//! | written | is |
//! |---|---|
//! | `pid:1234` | this thread |
//! | `name:receiver` | the thread with this name |
//! | `process:engine/worker` | the thread with this name in the process whose first thread has that name |
//! | `vm:engine/0` | the thread of a virtual processor of a QEMU that was started with `-name engine` |
//! | `irq:eth0` | the thread of an interrupt: its number, its name, or that of its interface |
//! | `napi:eth0`, `napi:eth0/1` | the thread that polls an interface, when that polls in threads; of several, in the order of their numbers |
//!
//! Names become parts of paths, commands and units. So a text that cannot be a name of its kind is refused
//! here ([`Selector::fault`]), and everything else is written by [`vorrang_quote`].

use crate::interrupts;
use crate::machine::{Kernel, Thread, gone_is_none};
use std::fmt;
use std::io;
use vorrang_quote::visible;

/// A way to find a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// By number.
    Number(i32),
    /// By name.
    Name(String),
    /// By the name of its process and its own.
    OfProcess(String, String),
    /// By virtual machine and processor.
    Vm(String, u32),
    /// By interrupt.
    Irq(String),
    /// By interface and place among its threads.
    Napi(String, Option<usize>),
}

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

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "pid:{number}"),
            Self::Name(name) => write!(f, "name:{name}"),
            Self::OfProcess(process, thread) => write!(f, "process:{process}/{thread}"),
            Self::Vm(vm, cpu) => write!(f, "vm:{vm}/{cpu}"),
            Self::Irq(name) => write!(f, "irq:{name}"),
            Self::Napi(interface, None) => write!(f, "napi:{interface}"),
            Self::Napi(interface, Some(place)) => write!(f, "napi:{interface}/{place}"),
        }
    }
}

impl Selector {
    /// Reads one; `None` if it is none.
    pub fn read(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once(':').filter(|(_, rest)| !rest.is_empty())?;
        Some(match kind {
            "pid" => Self::Number(rest.parse().ok()?),
            "name" => Self::Name(rest.to_owned()),
            "process" => {
                let (process, thread) = rest.split_once('/')?;
                Self::OfProcess(process.to_owned(), thread.to_owned())
            }
            "vm" => {
                let (vm, cpu) = rest.rsplit_once('/')?;
                Self::Vm(vm.to_owned(), cpu.parse().ok()?)
            }
            "irq" => Self::Irq(rest.to_owned()),
            "napi" => match rest.split_once('/') {
                Some((interface, place)) => {
                    Self::Napi(interface.to_owned(), Some(place.parse().ok()?))
                }
                None => Self::Napi(rest.to_owned(), None),
            },
            _ => return None,
        })
    }

    /// Why it cannot be a name of its kind; `None` if it can.
    pub fn fault(&self) -> Option<&'static str> {
        let texts: &[&String] = match self {
            Self::Number(number) if *number < 1 => return Some("threads are counted from 1"),
            Self::Number(_) => &[],
            Self::Name(name) | Self::Irq(name) | Self::Vm(name, _) | Self::Napi(name, _) => &[name],
            Self::OfProcess(process, name) => &[process, name],
        };
        if texts.iter().any(|text| text.is_empty()) {
            return Some("a name in it is empty");
        }
        if texts.iter().any(|text| text.contains(char::is_control)) {
            return Some("a name has no control characters");
        }
        match self {
            Self::Irq(name) => interrupts::fault(name),
            Self::Napi(interface, _) => fault_of_interface(interface),
            _ => None,
        }
    }

    /// Whether the kernel makes the thread when the plan asks for it.
    pub(crate) fn may_come(&self) -> bool {
        matches!(self, Self::Napi(..))
    }

    /// The thread among all threads.
    pub(crate) fn find(&self, kernel: &dyn Kernel, all: &[Thread]) -> Result<Thread, Unresolved> {
        let mut found: Vec<&Thread> = Vec::new();
        for thread in all {
            if self.is(kernel, thread, all).map_err(|why| Unresolved::unseen(self, &why))? {
                found.push(thread);
            }
        }
        if let Self::Napi(_, Some(place)) = self {
            found.sort_by_key(|thread| napi_number(&thread.name));
            found = found.get(*place).copied().into_iter().collect();
        }
        match found.as_slice() {
            [] => Err(Unresolved::None(self.to_string())),
            [thread] => Ok((*thread).clone()),
            several => {
                let names =
                    several.iter().map(|thread| format!("{} ({})", thread.name, thread.thread));
                Err(Unresolved::Several(self.to_string(), names.collect()))
            }
        }
    }

    fn is(&self, kernel: &dyn Kernel, thread: &Thread, all: &[Thread]) -> io::Result<bool> {
        let process_is = |name: &str| {
            all.iter().any(|first| first.thread == thread.process && first.name == name)
        };
        Ok(match self {
            Self::Number(number) => thread.thread == *number,
            Self::Name(name) => thread.name == *name,
            Self::OfProcess(process, name) => thread.name == *name && process_is(process),
            Self::Vm(vm, cpu) => {
                let names = [format!("CPU {cpu}/KVM"), format!("CPU {cpu}/TCG")];
                names.contains(&thread.name) && vm_of(kernel, thread.process)?.as_ref() == Some(vm)
            }
            Self::Irq(name) => {
                let numbers = interrupts::named(kernel, name)?;
                numbers.iter().any(|number| thread.name.starts_with(&format!("irq/{number}-")))
            }
            Self::Napi(interface, _) => thread.name.starts_with(&format!("napi/{interface}-")),
        })
    }
}

/// What the kernel accepts (`dev_valid_name`): it becomes a folder.
fn fault_of_interface(name: &str) -> Option<&'static str> {
    const LONGEST: usize = 15;
    let may_not_be = |c: char| matches!(c, '/' | ':') || c.is_whitespace();
    (name.len() > LONGEST || matches!(name, "." | "..") || name.contains(may_not_be))
        .then_some("an interface has 1 to 15 bytes, no space, `/` or `:`, and is not `.` or `..`")
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
    fn what_is_written_is_read_back() {
        let all = [
            "pid:7",
            "name:a/b",
            "process:qemu/CPU 0",
            "vm:a/b/3",
            "irq:eth0",
            "napi:eth0",
            "napi:eth0/1",
        ];
        for text in all {
            assert_eq!(Selector::read(text).expect("a selector").to_string(), text);
        }
        for text in ["eth0", "pid:x", "name:", "process:a", "vm:a", "napi:eth0/x", "thread:x"] {
            assert_eq!(Selector::read(text), None, "{text}");
        }
    }

    #[test]
    fn what_nothing_can_be_called_has_a_fault() {
        let fault = |text: &str| Selector::read(text).expect("a selector").fault();
        for text in
            ["pid:1", "name:-x; #", "process:a/'b/c", "vm:a--><b/0", "irq:24", "napi:eth0.1"]
        {
            assert_eq!(fault(text), None, "{text}");
        }
        let faulty = [
            "pid:0",
            "pid:-5",
            "name:a\nb",
            "process:/b",
            "process:a/",
            "vm:/0",
            "vm:\u{1b}/0",
            "irq:..",
            "irq:a/b",
            "napi:..",
            "napi:a b",
            "napi:a:b",
            "napi:0123456789abcdef",
            "napi:/0",
        ];
        for text in faulty {
            assert!(fault(text).is_some(), "{text}");
        }
    }

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
        let find = |text: &str| Selector::read(text).expect("a selector").find(&Linux, &all);
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
