//! Instructions of eBPF, one after the other.
//!
//! ```text
//!   code (1), destination and source (1), place or distance (2), number (4)
//! ```

/// A register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Register(pub(crate) u8);

/// The memory of a program itself lies below it.
pub(crate) const FRAME: Register = Register(10);

/// A jump that has no destination yet.
#[derive(Debug)]
#[must_use]
pub(crate) struct Jump(usize);

/// A program that is being made.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) code: Vec<u64>,
}

const MOVE: u8 = 0xbf;
const MOVE_NUMBER: u8 = 0xb7;
const AND_NUMBER: u8 = 0x57;
const LEFT_NUMBER: u8 = 0x67;
const RIGHT_NUMBER: u8 = 0x77;
const ADD: u8 = 0x0f;
const SUBTRACT: u8 = 0x1f;
const OR: u8 = 0x4f;
const LOAD_WORD: u8 = 0x61;
const LOAD_LONG: u8 = 0x79;
const STORE_WORD: u8 = 0x63;
const STORE_LONG: u8 = 0x7b;
const STORE_HALF: u8 = 0x6b;
const LONG_NUMBER: u8 = 0x18;
/// In one step: other processors do so, too. The number says what.
const AT_ONCE: u8 = 0xdb;
const TO_ADD: i32 = 0;
const TO_ADD_AND_TELL: i32 = 1;
const TO_EXCHANGE: i32 = 0xe1;
const IF_NUMBER: u8 = 0x15;
const IF_MORE: u8 = 0x25;
const IF_DIFFERENT: u8 = 0x5d;
const ALWAYS: u8 = 0x05;
const CALL: u8 = 0x85;
const EXIT: u8 = 0x95;
const ADD_NUMBER: u8 = 0x07;
/// That a long number is a map, or the place of the value of one.
const MAP: Register = Register(1);
const VALUE: Register = Register(2);

impl Program {
    fn put(&mut self, code: u8, to: Register, from: Register, place: i16, number: i32) {
        let registers = to.0 | from.0 << 4;
        self.code.push(
            u64::from(code)
                | u64::from(registers) << 8
                | u64::from(place.cast_unsigned()) << 16
                | u64::from(number.cast_unsigned()) << 32,
        );
    }

    pub(crate) fn copy(&mut self, to: Register, from: Register) {
        self.put(MOVE, to, from, 0, 0);
    }

    pub(crate) fn number(&mut self, to: Register, number: i32) {
        self.put(MOVE_NUMBER, to, Register(0), 0, number);
    }

    pub(crate) fn add(&mut self, to: Register, number: i32) {
        self.put(ADD_NUMBER, to, Register(0), 0, number);
    }

    /// Four bytes that stand somewhere behind an address.
    pub(crate) fn load_word(&mut self, to: Register, from: Register, place: i16) {
        self.put(LOAD_WORD, to, from, place, 0);
    }

    pub(crate) fn load_long(&mut self, to: Register, from: Register, place: i16) {
        self.put(LOAD_LONG, to, from, place, 0);
    }

    pub(crate) fn store_word(&mut self, to: Register, place: i16, from: Register) {
        self.put(STORE_WORD, to, from, place, 0);
    }

    pub(crate) fn store_long(&mut self, to: Register, place: i16, from: Register) {
        self.put(STORE_LONG, to, from, place, 0);
    }

    pub(crate) fn store_half(&mut self, to: Register, place: i16, from: Register) {
        self.put(STORE_HALF, to, from, place, 0);
    }

    pub(crate) fn and(&mut self, to: Register, number: i32) {
        self.put(AND_NUMBER, to, Register(0), 0, number);
    }

    pub(crate) fn shift_left(&mut self, to: Register, number: i32) {
        self.put(LEFT_NUMBER, to, Register(0), 0, number);
    }

    pub(crate) fn shift_right(&mut self, to: Register, number: i32) {
        self.put(RIGHT_NUMBER, to, Register(0), 0, number);
    }

    pub(crate) fn add_register(&mut self, to: Register, from: Register) {
        self.put(ADD, to, from, 0, 0);
    }

    pub(crate) fn subtract(&mut self, to: Register, from: Register) {
        self.put(SUBTRACT, to, from, 0, 0);
    }

    pub(crate) fn or(&mut self, to: Register, from: Register) {
        self.put(OR, to, from, 0, 0);
    }

    /// Adds to eight bytes of memory in one step.
    pub(crate) fn add_at_once(&mut self, to: Register, place: i16, from: Register) {
        self.put(AT_ONCE, to, from, place, TO_ADD);
    }

    /// The same; the register then has what was there.
    pub(crate) fn add_and_tell(&mut self, to: Register, place: i16, from: Register) {
        self.put(AT_ONCE, to, from, place, TO_ADD_AND_TELL);
    }

    /// Stores eight bytes after all that was stored before, on any processor; the register then has what was there.
    pub(crate) fn exchange(&mut self, to: Register, place: i16, from: Register) {
        self.put(AT_ONCE, to, from, place, TO_EXCHANGE);
    }

    /// A number of eight bytes.
    pub(crate) fn long(&mut self, to: Register, number: u64) {
        let half = |half: u64| u32::try_from(half).expect("half of it").cast_signed();
        self.put(LONG_NUMBER, to, Register(0), 0, half(number & u64::from(u32::MAX)));
        self.put(0, Register(0), Register(0), 0, half(number >> 32));
    }

    /// A map, by its file.
    pub(crate) fn map(&mut self, to: Register, file: i32) {
        self.put(LONG_NUMBER, to, MAP, 0, file);
        self.put(0, Register(0), Register(0), 0, 0);
    }

    /// The address of the first value of a map.
    pub(crate) fn value(&mut self, to: Register, file: i32) {
        self.put(LONG_NUMBER, to, VALUE, 0, file);
        self.put(0, Register(0), Register(0), 0, 0);
    }

    pub(crate) fn call(&mut self, function: i32) {
        self.put(CALL, Register(0), Register(0), 0, function);
    }

    pub(crate) fn exit(&mut self) {
        self.put(EXIT, Register(0), Register(0), 0, 0);
    }

    pub(crate) fn jump(&mut self) -> Jump {
        self.jumps(ALWAYS, Register(0), Register(0), 0)
    }

    pub(crate) fn jump_if_zero(&mut self, register: Register) -> Jump {
        self.jump_if(register, 0)
    }

    pub(crate) fn jump_if(&mut self, register: Register, number: i32) -> Jump {
        self.jumps(IF_NUMBER, register, Register(0), number)
    }

    pub(crate) fn jump_if_more(&mut self, register: Register, number: i32) -> Jump {
        self.jumps(IF_MORE, register, Register(0), number)
    }

    pub(crate) fn jump_if_different(&mut self, one: Register, other: Register) -> Jump {
        self.jumps(IF_DIFFERENT, one, other, 0)
    }

    fn jumps(&mut self, code: u8, one: Register, other: Register, number: i32) -> Jump {
        self.put(code, one, other, 0, number);
        Jump(self.code.len() - 1)
    }

    pub(crate) fn land_all(&mut self, jumps: Vec<Jump>) {
        for jump in jumps {
            self.land(jump);
        }
    }

    /// The jump goes to what comes next.
    pub(crate) fn land(&mut self, Jump(from): Jump) {
        let distance = u16::try_from(self.code.len() - from - 1).expect("a short program");
        self.code[from] |= u64::from(distance) << 16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `llvm-objdump -d` shows them of the same program in C.
    #[test]
    fn instructions_have_their_bytes() {
        let mut program = Program::default();
        program.load_long(Register(1), Register(6), 8);
        let jump = program.jump_if_zero(Register(1));
        program.store_word(Register(7), 40, Register(1));
        program.number(Register(2), -1);
        program.land(jump);
        program.exit();
        let bytes: Vec<[u8; 8]> = program.code.iter().map(|one| one.to_le_bytes()).collect();
        assert_eq!(
            bytes,
            [
                [0x79, 0x61, 8, 0, 0, 0, 0, 0],
                [0x15, 0x01, 2, 0, 0, 0, 0, 0],
                [0x63, 0x17, 40, 0, 0, 0, 0, 0],
                [0xb7, 0x02, 0, 0, 0xff, 0xff, 0xff, 0xff],
                [0x95, 0, 0, 0, 0, 0, 0, 0],
            ]
        );
    }
}
