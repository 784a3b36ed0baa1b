// SPDX-License-Identifier: MIT OR GPL-2.0-only
//! The program of an event.
//!
//! ```text
//!   is it on? ─ room in the ring buffer ─ time, number, processor, thread ─ values ─ done
//!                       └─ there is none: one more is lost
//! ```
//!
//! The time is taken once there is room: so what comes to lie behind is not older than when the room was taken.

use super::events::Shape;
use super::record::{CPU, DEVICE, NAME, NUMBER, PREEMPTED, RUNS, STATE, THREAD, VALUES};
use crate::instruction::{Program, Register};
use crate::types::Types;

/// Functions that the kernel has for programs.
const TIME: i32 = 5;
const PROCESSOR: i32 = 8;
const THREAD_THAT_RUNS: i32 = 14;
const TEXT_OF_KERNEL: i32 = 115;
const RESERVE: i32 = 131;
const SUBMIT: i32 = 132;
/// Who reads looks by itself.
const WAKE_NOBODY: i32 = 1;

/// Where the value that both sides share says whether events are written, and how many found no room.
pub(crate) const ON: usize = 0;
pub(crate) const LOST: i16 = 8;

const RESULT: Register = Register(0);
const FIRST: Register = Register(1);
const SECOND: Register = Register(2);
const THIRD: Register = Register(3);
/// These stay as they are in a call.
const VALUES_GIVEN: Register = Register(6);
const RECORD: Register = Register(7);
const OBJECT: Register = Register(8);

/// Where values stand in the structures of this kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    name: i16,
    number: i16,
    priority: i16,
    cpu: i16,
    ends: i16,
    device: i16,
    function: i16,
    expires: i16,
}

impl Places {
    /// `None`: one is nowhere.
    pub(crate) fn of(types: &Types) -> Option<Self> {
        let thread = |name| types.field("task_struct", &[name]);
        Some(Self {
            name: thread("comm")?,
            number: thread("pid")?,
            priority: thread("prio")?,
            cpu: types.field("task_struct", &["thread_info", "cpu"])?,
            ends: thread("exit_state")?,
            device: types.field("irqaction", &["name"])?,
            function: types.field("hrtimer", &["function"])?,
            expires: types.field("hrtimer", &["_softexpires"])?,
        })
    }
}

/// The program of an event: its number, its shape, the files of the ring buffer and of the shared value.
pub(crate) fn program(
    number: u16,
    shape: Shape,
    places: &Places,
    ring: i32,
    shared: i32,
) -> Program {
    let mut of = Program::default();
    of.copy(VALUES_GIVEN, FIRST);
    of.value(FIRST, shared);
    of.load_long(SECOND, FIRST, 0);
    let is_off = of.jump_if_zero(SECOND);
    of.map(FIRST, ring);
    of.number(SECOND, shape.length().into());
    of.number(THIRD, 0);
    of.call(RESERVE);
    let is_full = of.jump_if_zero(RESULT);

    of.copy(RECORD, RESULT);
    of.call(TIME);
    of.store_long(RECORD, 0, RESULT);
    of.store_number(RECORD, NUMBER, number.into());
    of.call(PROCESSOR);
    of.store_word(RECORD, CPU, RESULT);
    of.call(THREAD_THAT_RUNS);
    of.store_word(RECORD, RUNS, RESULT);
    values(&mut of, shape, places);
    of.copy(FIRST, RECORD);
    of.number(SECOND, WAKE_NOBODY);
    of.call(SUBMIT);
    of.number(RESULT, 0);
    of.exit();

    of.land(is_full);
    of.value(FIRST, shared);
    of.number(SECOND, 1);
    of.add_at_once(FIRST, LOST, SECOND);
    of.land(is_off);
    of.number(RESULT, 0);
    of.exit();
    of
}

fn values(of: &mut Program, shape: Shape, places: &Places) {
    match shape {
        Shape::Switch => {
            given(of, 0, PREEMPTED);
            of.load_long(OBJECT, VALUES_GIVEN, 8);
            thread(of, VALUES, places);
            of.load_word(FIRST, OBJECT, places.ends);
            of.store_word(RECORD, STATE + 4, FIRST);
            given(of, 3, STATE);
            of.load_long(OBJECT, VALUES_GIVEN, 16);
            thread(of, STATE + 8, places);
        }
        Shape::Woken => {
            of.load_long(OBJECT, VALUES_GIVEN, 0);
            thread(of, VALUES, places);
            of.load_word(FIRST, OBJECT, places.cpu);
            of.store_word(RECORD, VALUES + THREAD, FIRST);
        }
        Shape::DeviceEntry => {
            given(of, 0, VALUES);
            of.load_long(OBJECT, VALUES_GIVEN, 8);
            of.load_long(THIRD, OBJECT, places.device);
            of.copy(FIRST, RECORD);
            of.add(FIRST, (VALUES + 8).into());
            of.number(SECOND, DEVICE.into());
            of.call(TEXT_OF_KERNEL);
        }
        Shape::DeviceExit => {
            given(of, 0, VALUES);
            given(of, 2, VALUES + 4);
        }
        Shape::Soft | Shape::Vector => given(of, 0, VALUES),
        Shape::Timer => {
            of.load_long(OBJECT, VALUES_GIVEN, 0);
            of.load_long(FIRST, OBJECT, places.function);
            of.store_long(RECORD, VALUES, FIRST);
            of.load_long(FIRST, OBJECT, places.expires);
            of.store_long(RECORD, VALUES + 8, FIRST);
        }
    }
}

/// A number with which the tracepoint calls, by its place.
fn given(of: &mut Program, place: i16, to: i16) {
    of.load_long(FIRST, VALUES_GIVEN, 8 * place);
    of.store_word(RECORD, to, FIRST);
}

/// What is said of a thread.
fn thread(of: &mut Program, to: i16, places: &Places) {
    for half in [0, 8] {
        of.load_long(FIRST, OBJECT, places.name + half);
        of.store_long(RECORD, to + half, FIRST);
    }
    of.load_word(FIRST, OBJECT, places.number);
    of.store_word(RECORD, to + NAME, FIRST);
    of.load_word(FIRST, OBJECT, places.priority);
    of.store_word(RECORD, to + NAME + 4, FIRST);
}
