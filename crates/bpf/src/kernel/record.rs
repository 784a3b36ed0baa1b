// SPDX-License-Identifier: MIT OR GPL-2.0-only
//! What a program writes of an event.
//!
//! ```text
//!   time (8) │ number of the event (4), processor (4), thread that runs (4), whether it is preempted (4) │ values …
//!             └ from here on an event as tracefs has it
//! ```

use super::events::Shape;
use std::fmt::Write as _;

/// An event begins here, behind its time.
pub(crate) const NUMBER: i16 = 8;
pub(crate) const CPU: i16 = 12;
pub(crate) const RUNS: i16 = 16;
pub(crate) const PREEMPTED: i16 = 20;
/// The first value.
pub(crate) const VALUES: i16 = 24;
/// The name of a thread, or of a device.
pub(crate) const NAME: i16 = 16;
pub(crate) const DEVICE: i16 = 64;
/// A thread: name, number, priority.
pub(crate) const THREAD: i16 = NAME + 8;
/// What the thread that leaves was about to do, and whether it ends.
pub(crate) const STATE: i16 = VALUES + THREAD;

/// The shortest record, and the longest.
pub(crate) const LENGTHS: (usize, usize) = (32, 96);

impl Shape {
    /// How many bytes a record has.
    pub(crate) const fn length(self) -> i16 {
        match self {
            Self::Switch => STATE + 8 + THREAD,
            Self::Woken => VALUES + THREAD + 8,
            Self::DeviceEntry => VALUES + 8 + DEVICE,
            Self::Timer => VALUES + 16,
            Self::DeviceExit | Self::Soft | Self::Vector => VALUES + 8,
        }
    }
}

/// The format of an event by its number, in the words of tracefs.
pub(crate) fn format(name: &str, number: u16, shape: Shape) -> String {
    let mut text = format!("name: {name}\nID: {number}\nformat:\n");
    let mut field = |name: &str, at: i16, size: i16, is_signed: bool| {
        let (at, signed) = (at - NUMBER, u8::from(is_signed));
        let _ = writeln!(text, "\tfield:{name};\toffset:{at};\tsize:{size};\tsigned:{signed};");
    };
    field("int common_pid", RUNS, 4, true);
    let mut thread = |at: i16, before: &str| {
        field(&format!("char {before}comm[16]"), at, NAME, false);
        field(&format!("pid_t {before}pid"), at + NAME, 4, true);
        field(&format!("int {before}prio"), at + NAME + 4, 4, true);
    };
    match shape {
        Shape::Switch => {
            thread(VALUES, "prev_");
            thread(STATE + 8, "next_");
            field("long prev_state", STATE, 8, true);
        }
        Shape::Woken => {
            thread(VALUES, "");
            field("int target_cpu", VALUES + THREAD, 4, true);
        }
        Shape::DeviceEntry => {
            field("int irq", VALUES, 4, true);
            field("char name[64]", VALUES + 8, DEVICE, false);
        }
        Shape::DeviceExit => {
            field("int irq", VALUES, 4, true);
            field("int ret", VALUES + 4, 4, true);
        }
        Shape::Soft => field("unsigned int vec", VALUES, 4, false),
        Shape::Vector => field("int vector", VALUES, 4, true),
        Shape::Timer => {
            field("void * function", VALUES, 8, false);
            field("s64 softexpires", VALUES + 8, 8, true);
        }
    }
    text.push_str("\nprint fmt: ");
    text.push_str(match shape {
        Shape::Switch => STATES,
        Shape::Soft => SOFT,
        _ => "\"\"",
    });
    text.push('\n');
    text
}

/// The letters of states, as kernels print them since 4.14.
const STATES: &str = concat!(
    r#""prev_state=%s%s", REC->prev_state & (256-1) ? __print_flags(REC->prev_state & (256-1), "|", "#,
    r#"{ 1, "S" }, { 2, "D" }, { 4, "T" }, { 8, "t" }, { 16, "X" }, { 32, "Z" }, { 64, "P" }, { 128, "I" }) "#,
    r#": "R", REC->prev_state & 256 ? "+" : """#
);
const SOFT: &str = concat!(
    r#""vec=%u [action=%s]", __print_symbolic(REC->vec, { 0, "HI" }, { 1, "TIMER" }, { 2, "NET_TX" }, "#,
    r#"{ 3, "NET_RX" }, { 4, "BLOCK" }, { 5, "IRQ_POLL" }, { 6, "TASKLET" }, { 7, "SCHED" }, "#,
    r#"{ 8, "HRTIMER" }, { 9, "RCU" })"#
);

/// What the kernel reports of states, and how it marks a thread that could have gone on.
const REPORTED: u32 = 0x7f;
const REPORTED_IDLE: u32 = 0x80;
const COULD_GO_ON: u32 = 0x100;
/// Not interruptible; that together with *counts as no load* is idle; waiting for a lock, frozen.
const HELD: u32 = 2;
const IDLE: u32 = 0x402;
const HELD_BESIDES: u32 = 0x1000 | 0x8000;

/// Makes of what a program found the state that tracefs has (`__trace_sched_switch_state` of the kernel).
pub(crate) fn settle(shape: Shape, record: &mut [u8]) {
    if shape != Shape::Switch {
        return;
    }
    let word = |at: i16| {
        let at = at.unsigned_abs().into();
        record.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |four| u32::from_le_bytes(*four))
    };
    let (state, ends) = (word(STATE), word(STATE + 4));
    let found = match (state | ends) & REPORTED {
        _ if state & HELD_BESIDES != 0 => HELD,
        _ if state & IDLE == IDLE => REPORTED_IDLE,
        reported => reported,
    };
    // The highest one is told, as the kernel does.
    let highest = found.checked_ilog2().map_or(0, |bit| 1 << bit);
    let told = u64::from(if word(PREEMPTED) == 0 { highest } else { COULD_GO_ON });
    let at: usize = STATE.unsigned_abs().into();
    record[at..at + 8].copy_from_slice(&told.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(preempted: u32, state: u32, ends: u32) -> u64 {
        let mut record = vec![0; 80];
        for (at, value) in [(PREEMPTED, preempted), (STATE, state), (STATE + 4, ends)] {
            let at: usize = at.unsigned_abs().into();
            record[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        settle(Shape::Switch, &mut record);
        u64::from_le_bytes(record[48..56].try_into().expect("eight bytes"))
    }

    #[test]
    fn states_are_those_that_the_kernel_reports() {
        assert_eq!(told(0, 0, 0), 0, "R");
        assert_eq!(told(1, 1, 0), 0x100, "R+, whatever it was about to do");
        assert_eq!(
            [told(0, 1, 0), told(0, 2, 0), told(0, 0x102, 0)],
            [1, 2, 2],
            "S, D, and killable"
        );
        assert_eq!(told(0, 0x402, 0), 0x80, "I");
        assert_eq!(
            [told(0, 0x1000, 0), told(0, 0x8000, 0)],
            [2, 2],
            "a lock of PREEMPT_RT, frozen"
        );
        assert_eq!([told(0, 0x80, 0x10), told(0, 0x80, 0x20)], [0x10, 0x20], "X and Z");
        assert_eq!(told(0, 0x40, 0), 0x40, "P");
    }

    #[test]
    fn lengths_are_of_eight_bytes_each() {
        let all = [
            Shape::Switch,
            Shape::Woken,
            Shape::DeviceEntry,
            Shape::DeviceExit,
            Shape::Soft,
            Shape::Vector,
            Shape::Timer,
        ];
        let lengths = all.map(|shape| usize::from(shape.length().unsigned_abs()));
        assert!(lengths.iter().all(|length| length % 8 == 0));
        assert_eq!(
            (lengths.iter().min(), lengths.iter().max()),
            (Some(&LENGTHS.0), Some(&LENGTHS.1))
        );
    }
}
