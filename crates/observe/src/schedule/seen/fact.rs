//! What a line says, as types.

use super::super::Left;

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen<'a> {
    /// Nothing about scheduling: a heading, or what a tracer prints besides.
    Nothing,
    /// Something happened.
    Event(Happened<'a>),
}

/// When and where something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Happened<'a> {
    /// The processor.
    pub cpu: usize,
    /// The instant, in nanoseconds.
    pub at: u64,
    /// The error of that.
    pub resolution: u64,
    /// What the line says.
    pub fact: Fact<'a>,
}

/// A thread, as an event names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named<'a> {
    /// Its number.
    pub number: u32,
    /// Its name.
    pub name: &'a [u8],
    /// As the kernel counts: the less, the more urgent; −1 for a reservation.
    pub priority: i32,
}

/// A service routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service<'a> {
    /// Of a device.
    Device(u32),
    /// Of the processor itself.
    Vector(&'a [u8]),
    /// A soft interrupt.
    Soft(u32),
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact<'a> {
    /// A thread leaves its processor, and another one gets it.
    Switch {
        /// The one that leaves.
        previous: Named<'a>,
        /// In which state.
        left: Left,
        /// The one that comes.
        next: Named<'a>,
    },
    /// Something begins to wake a thread, for a processor if that is said.
    Waking(Named<'a>, Option<usize>),
    /// A thread is ready, for a processor if that is said.
    Woken(Named<'a>, Option<usize>),
    /// A service routine begins; the name of a device is said only here.
    Enters(Service<'a>, &'a [u8]),
    /// It ends.
    Leaves(Service<'a>),
    /// The thread that runs calls the kernel: the name of the call.
    Calls(&'a [u8]),
    /// The call ends.
    Returns,
    /// The thread that runs is to be woken at an instant.
    Alarm(u64),
    /// Nothing of these.
    Other,
}

/// The name of a call, from `sys_read(fd: 3…` or `sys_enter_read`; `None`: none, or its end.
pub(super) fn call(word: &[u8]) -> Option<&[u8]> {
    let name = word.strip_prefix(b"sys_")?;
    let name = name.strip_prefix(b"enter_").unwrap_or(name);
    let end = name.iter().position(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'));
    let name = &name[..end.unwrap_or(name.len())];
    (!name.is_empty() && name != b"enter" && name != b"exit").then_some(name)
}
