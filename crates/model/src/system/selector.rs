//! How a description names a thread or an interrupt of the machine.
//!
//! | written | is |
//! |---|---|
//! | `pid:1234` | this thread |
//! | `name:receiver` | the thread with this name |
//! | `process:engine/worker` | the thread with this name in the process whose first thread has that name |
//! | `vm:engine/0` | the thread of a virtual processor: of a QEMU that was started with `-name engine`, or of a domain of Xen |
//! | `irq:eth0` | the thread of an interrupt: its number, its name, or that of its interface |
//! | `napi:eth0`, `napi:eth0/1` | the thread that polls an interface, when that polls in threads; of several, in the order of their numbers |
//!
//! Names become parts of paths, commands and units, so a text that cannot be a name of its kind is refused.
//!
//! **Does not cover** whether the machine has such a thread or interrupt.

use core::fmt;

/// A way to find a thread.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// Reads one.
    ///
    /// # Errors
    /// Why nothing can be named like this.
    pub fn read(text: &str) -> Result<Self, &'static str> {
        let (kind, rest) = text.split_once(':').ok_or(NO_KIND)?;
        let read = match kind {
            "pid" => Self::Number(rest.parse().map_err(|_| "a number stands there: `pid:1234`")?),
            "name" => Self::Name(rest.to_owned()),
            "process" => {
                let (process, thread) = rest.split_once('/').ok_or(
                    "its thread is missing: `process:NAME/THREAD`, or `name:THREAD` alone",
                )?;
                Self::OfProcess(process.to_owned(), thread.to_owned())
            }
            "vm" => {
                let number =
                    |(vm, cpu): (&str, &str)| Some(Self::Vm(vm.to_owned(), cpu.parse().ok()?));
                let read = rest.rsplit_once('/').and_then(number);
                read.ok_or("the number of its virtual processor is missing: `vm:NAME/0`")?
            }
            "irq" => Self::Irq(rest.to_owned()),
            "napi" => match rest.split_once('/') {
                Some((interface, place)) => {
                    let place =
                        place.parse().map_err(|_| "a number stands there: `napi:eth0/1`")?;
                    Self::Napi(interface.to_owned(), Some(place))
                }
                None => Self::Napi(rest.to_owned(), None),
            },
            _ => return Err(NO_KIND),
        };
        read.fault().map_or(Ok(read), Err)
    }

    /// Why it cannot be a name of its kind; `None` if it can.
    fn fault(&self) -> Option<&'static str> {
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
            Self::Irq(name) => fault_of_interrupt(name),
            Self::Napi(interface, _) => fault_of_interface(interface),
            _ => None,
        }
    }
}

const NO_KIND: &str = "write pid:, name:, process:, vm:, irq: or napi: before it";

/// Why no interrupt can be called that: handlers are folders.
pub fn fault_of_interrupt(name: &str) -> Option<&'static str> {
    let is_folder = !matches!(name, "" | "." | "..") && !name.contains('/');
    (!is_folder || name.contains(char::is_control))
        .then_some("an interrupt has no `/` and no control characters, and is not `.` or `..`")
}

/// What the kernel accepts (`dev_valid_name`): it becomes a folder.
fn fault_of_interface(name: &str) -> Option<&'static str> {
    const LONGEST: usize = 15;
    let may_not_be = |c: char| matches!(c, '/' | ':') || c.is_whitespace();
    (name.len() > LONGEST || matches!(name, "." | "..") || name.contains(may_not_be))
        .then_some("an interface has 1 to 15 bytes, no space, `/` or `:`, and is not `.` or `..`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let all = [
            "pid:7",
            "name:a/b",
            "name:-x; #",
            "process:qemu/CPU 0",
            "process:a/'b/c",
            "vm:a/b/3",
            "vm:a--><b/0",
            "irq:eth0",
            "irq:24",
            "napi:eth0",
            "napi:eth0.1",
            "napi:eth0/1",
        ];
        for text in all {
            assert_eq!(Selector::read(text).expect("a selector").to_string(), text);
        }
    }

    #[test]
    fn what_nothing_can_be_called_is_refused() {
        let faulty = [
            "",
            "eth0",
            "thread:x",
            "pid:x",
            "pid:0",
            "pid:-5",
            "name:",
            "name:a\nb",
            "process:a",
            "process:/b",
            "process:a/",
            "vm:a",
            "vm:a/x",
            "vm:/0",
            "vm:\u{1b}/0",
            "irq:..",
            "irq:a/b",
            "napi:..",
            "napi:a b",
            "napi:a:b",
            "napi:0123456789abcdef",
            "napi:/0",
            "napi:eth0/x",
        ];
        for text in faulty {
            assert!(Selector::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let why = |text: &str| Selector::read(text).expect_err("it is refused");
        assert!(why("process:watchdog").contains("process:NAME/THREAD"));
        assert!(why("vm:engine").contains("vm:NAME/0"));
        assert_eq!(why("watchdog"), NO_KIND);
    }
}
