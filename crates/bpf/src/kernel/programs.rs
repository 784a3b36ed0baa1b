// SPDX-License-Identifier: MIT OR GPL-2.0-only
//! The program of an event.
//!
//! ```text
//!   is it wanted? ─ the room of this processor ─ known names? ─ slots are taken ─ time, thread, values, names ─ complete
//!                        └─ there is none                          └─ there are none: one more is lost
//! ```
//!
//! The time is taken once there are slots: so what comes to lie behind is not older than when they were taken. A program does not
//! run inside itself on a processor (the kernel counts that it was to), so its names are its own.

use super::events::Shape;
use super::record::{AFTER, CPU, NEXT, PREEMPTED, PRIORITY, STATE, THREAD, TIME, VALUE, WIDE};
use super::room::{HELD, LONGEST, NAMES, READ, Room, SLOT, TAKEN};
use crate::instruction::{FRAME, Jump, Program, Register};
use crate::types::Types;

/// Functions that the kernel has for programs.
const LOOK_UP: i32 = 1;
const CLOCK: i32 = 5;
const PROCESSOR: i32 = 8;
const THREAD_THAT_RUNS: i32 = 14;
const TEXT_OF_KERNEL: i32 = 115;

/// Where the value that both sides share says whether events are written, and how many found no room.
pub(crate) const ON: usize = 0;
pub(crate) const LOST: i16 = 8;

const RESULT: Register = Register(0);
const FIRST: Register = Register(1);
const SECOND: Register = Register(2);
const THIRD: Register = Register(3);
const FOURTH: Register = Register(4);
const FIFTH: Register = Register(5);
/// These stay as they are in a call: what the tracepoint gives, the room and then the record in it, where that begins, and its
/// length; before that a thread.
const GIVEN: Register = Register(6);
const RECORD: Register = Register(7);
const BEGIN: Register = Register(8);
const THREAD_GIVEN: Register = Register(8);
const LENGTH: Register = Register(9);

/// Below the frame: the number of the processor, where the names of threads are known, and the name of a device.
const KEY: i16 = -8;
const KNOWN: [i16; 2] = [-16, -24];
const DEVICE: i16 = 64;
const TEXT: i16 = -24 - DEVICE;

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

/// What all programs have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) places: Places,
    pub(crate) room: Room,
    /// The files of the rooms, and of the value that both sides share.
    pub(crate) rooms: i32,
    pub(crate) shared: i32,
    /// The function of timers that are written: no reader looks at others.
    pub(crate) waker: u64,
}

/// The program of an event: its number, its shape, and the first of the tables of names that are its own.
pub(crate) fn program(number: u16, shape: Shape, table: usize, setting: &Setting) -> Program {
    let mut of = Program::default();
    of.copy(GIVEN, FIRST);
    let mut ends = Vec::new();
    if shape == Shape::Timer {
        of.load_long(FIRST, GIVEN, 0);
        of.load_long(FIRST, FIRST, setting.places.function);
        of.long(SECOND, setting.waker);
        ends.push(of.jump_if_different(FIRST, SECOND));
    }
    of.value(FIRST, setting.shared);
    of.load_long(FIRST, FIRST, 0);
    ends.push(of.jump_if_zero(FIRST));
    let full = vec![enter(&mut of, setting), take(&mut of, shape, table, setting)];
    of.call(CLOCK);
    of.store_long(RECORD, TIME, RESULT);
    values(&mut of, shape, &setting.places);
    names(&mut of, shape);
    complete(&mut of, number, setting.room);
    ends.push(of.jump());

    of.land_all(full);
    of.value(FIRST, setting.shared);
    of.number(SECOND, 1);
    of.add_at_once(FIRST, LOST, SECOND);
    of.land_all(ends);
    of.number(RESULT, 0);
    of.exit();
    of
}

/// The room of this processor; the jump: there is none.
fn enter(of: &mut Program, setting: &Setting) -> Jump {
    of.call(PROCESSOR);
    of.store_word(FRAME, KEY, RESULT);
    of.map(FIRST, setting.rooms);
    of.copy(SECOND, FRAME);
    of.add(SECOND, KEY.into());
    of.call(LOOK_UP);
    let nowhere = of.jump_if_zero(RESULT);
    of.copy(RECORD, RESULT);
    nowhere
}

/// Takes slots for the record, more if a name is not known; the jump: there are none.
fn take(of: &mut Program, shape: Shape, table: usize, setting: &Setting) -> Jump {
    of.number(LENGTH, shape.length().into());
    for (nth, (place, known)) in shape.threads().iter().zip(KNOWN).enumerate() {
        of.load_long(THREAD_GIVEN, GIVEN, 8 * place);
        know(of, shape.with_names(), Room::names(table + nth), known, &setting.places);
    }
    of.copy(BEGIN, LENGTH);
    of.add_and_tell(RECORD, TAKEN, BEGIN);
    of.copy(FIRST, BEGIN);
    of.load_long(SECOND, RECORD, READ);
    of.subtract(FIRST, SECOND);
    let full = of.jump_if_more(FIRST, number(setting.room.length()) - i32::from(LONGEST));
    of.copy(FIRST, BEGIN);
    of.and(FIRST, number(setting.room.length()) - i32::from(SLOT));
    of.add_register(RECORD, FIRST);
    of.add(RECORD, number(setting.room.slots()));
    full
}

/// Looks whether the name of a thread is the one that was written for it the last time; if not, it is so from now on.
fn know(of: &mut Program, with_names: i16, table: usize, known: i16, places: &Places) {
    of.load_word(FIRST, THREAD_GIVEN, places.number);
    of.copy(SECOND, FIRST);
    of.and(SECOND, number(NAMES) - 1);
    of.shift_left(SECOND, SLOT.ilog2().cast_signed());
    of.copy(THIRD, RECORD);
    of.add_register(THIRD, SECOND);
    of.add(THIRD, number(table));
    of.store_long(FRAME, known, THIRD);
    of.load_word(FOURTH, THIRD, 0);
    let mut others = vec![of.jump_if_different(FOURTH, FIRST)];
    for half in [0, 8] {
        of.load_long(FOURTH, THIRD, HELD + half);
        of.load_long(FIFTH, THREAD_GIVEN, places.name + half);
        others.push(of.jump_if_different(FOURTH, FIFTH));
    }
    let same = of.jump();
    of.land_all(others);
    of.store_word(THIRD, 0, FIRST);
    for half in [0, 8] {
        of.load_long(FOURTH, THREAD_GIVEN, places.name + half);
        of.store_long(THIRD, HELD + half, FOURTH);
    }
    of.number(LENGTH, with_names.into());
    of.land(same);
}

fn values(of: &mut Program, shape: Shape, places: &Places) {
    if shape != Shape::Switch {
        of.call(THREAD_THAT_RUNS);
        of.store_word(RECORD, THREAD, RESULT);
    }
    match shape {
        Shape::Switch => switch(of, places),
        Shape::Woken => {
            of.load_long(FIRST, GIVEN, 0);
            moved(of, places.number, NEXT, Program::store_word);
            moved(of, places.priority, PRIORITY, Program::store_half);
            moved(of, places.cpu, CPU, Program::store_half);
        }
        Shape::DeviceEntry => {
            given(of, 0, VALUE);
            device(of, places);
        }
        Shape::DeviceExit => {
            given(of, 0, VALUE);
            given(of, 2, WIDE);
        }
        Shape::Soft | Shape::Vector => given(of, 0, VALUE),
        Shape::Timer => {
            of.load_long(FIRST, GIVEN, 0);
            of.load_long(SECOND, FIRST, places.expires);
            of.store_long(RECORD, WIDE, SECOND);
        }
    }
}

/// The thread that leaves is the one that runs.
fn switch(of: &mut Program, places: &Places) {
    of.load_long(FIRST, GIVEN, 8);
    moved(of, places.number, THREAD, Program::store_word);
    moved(of, places.priority, PRIORITY, Program::store_half);
    of.load_word(SECOND, FIRST, places.ends);
    of.load_long(THIRD, GIVEN, 0);
    of.shift_left(THIRD, PREEMPTED.ilog2().cast_signed());
    of.or(SECOND, THIRD);
    of.store_half(RECORD, AFTER, SECOND);
    of.load_long(SECOND, GIVEN, 24);
    of.store_half(RECORD, STATE, SECOND);
    of.load_long(FIRST, GIVEN, 16);
    moved(of, places.number, NEXT, Program::store_word);
    moved(of, places.priority, CPU, Program::store_half);
}

/// Something of an object, into the record.
fn moved(of: &mut Program, from: i16, to: i16, store: fn(&mut Program, Register, i16, Register)) {
    of.load_word(SECOND, FIRST, from);
    store(of, RECORD, to, SECOND);
}

/// A number with which the tracepoint calls, by its place.
fn given(of: &mut Program, place: i16, to: i16) {
    of.load_long(FIRST, GIVEN, 8 * place);
    of.store_word(RECORD, to, FIRST);
}

/// The name of a device, over the slots behind the first.
fn device(of: &mut Program, places: &Places) {
    of.load_long(FIRST, GIVEN, 8);
    of.load_long(THIRD, FIRST, places.device);
    of.copy(FIRST, FRAME);
    of.add(FIRST, TEXT.into());
    of.number(SECOND, DEVICE.into());
    of.call(TEXT_OF_KERNEL);
    for part in 0..DEVICE / 8 {
        of.load_long(FIRST, FRAME, TEXT + 8 * part);
        of.store_long(RECORD, SLOT * (1 + part / 3) + HELD + 8 * (part % 3), FIRST);
    }
}

/// The names of threads, in a slot each, if one was not known.
fn names(of: &mut Program, shape: Shape) {
    if shape.threads().is_empty() {
        return;
    }
    let without = of.jump_if(LENGTH, shape.length().into());
    for (slot, known) in (1..).zip(KNOWN).take(shape.threads().len()) {
        of.load_long(THIRD, FRAME, known);
        for half in [0, 8] {
            of.load_long(FIRST, THIRD, HELD + half);
            of.store_long(RECORD, SLOT * slot + HELD + half, FIRST);
        }
    }
    of.land(without);
}

/// The round, the length and the number: from now on it can be read.
fn complete(of: &mut Program, number: u16, room: Room) {
    of.shift_right(BEGIN, room.power().cast_signed());
    of.add(BEGIN, 1);
    of.shift_left(LENGTH, 32);
    of.or(BEGIN, LENGTH);
    of.long(FIRST, u64::from(number) << 48);
    of.or(BEGIN, FIRST);
    if cfg!(target_arch = "x86_64") {
        // Others see what it stores in the order in which it does.
        of.store_long(RECORD, 0, BEGIN);
    } else {
        of.exchange(RECORD, 0, BEGIN);
    }
}

fn number(of: usize) -> i32 {
    i32::try_from(of).expect("a room has less than two gigabytes")
}
