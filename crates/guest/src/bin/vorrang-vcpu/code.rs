//! What the guest does, as instructions.

use vorrang_guest::raised::{TURN, VECTORS};

/// How many were handled, of each vector.
pub(crate) const HANDLED: usize = 0x9000;
/// The turns of its loop.
pub(crate) const DONE: usize = 0x9100;
/// Beginning and end of each, of the first vector; those of the second are as far behind as this says.
pub(crate) const STAMPS: usize = 0x1_0000;
pub(crate) const NEXT_STAMPS: usize = 0x1_0000;
/// More are not noted.
pub(crate) const MOST: usize = 4096;

/// What the virtual processor does besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Computes,
    Halts,
}

/// Its program, and the handlers of its interrupts by vector.
pub(crate) struct Inside {
    pub(crate) program: Vec<u8>,
    pub(crate) handlers: Vec<Vec<u8>>,
}

impl Inside {
    /// It does this, and each handler so many turns of a loop.
    pub(crate) fn of(work: Work, turns: u32) -> Self {
        let handlers = (0..VECTORS.len()).map(|of| handler(&noted(of, turns, &[])));
        Self { program: program(work), handlers: handlers.collect() }
    }
}

/// mov ecx, REGISTER
fn register(number: u32) -> [u8; 5] {
    let [a, b, c, d] = number.to_le_bytes();
    [0xB9, a, b, c, d]
}

pub(crate) fn address(of: usize) -> [u8; 4] {
    u32::try_from(of).expect("within the guest").to_le_bytes()
}

/// The beginning of any program: interrupts are let through.
pub(crate) fn beginning() -> Vec<u8> {
    let mut code: Vec<u8> = Vec::new();
    code.extend(register(0x1B)); // the base of the controller
    code.extend([0x0F, 0x32]); // rdmsr
    code.extend([0x0D, 0x00, 0x0C, 0, 0]); // or eax, 0xC00: on, as x2APIC
    code.extend([0x0F, 0x30]); // wrmsr
    code.extend(register(0x80F)); // the vector of spurious interrupts
    code.extend([0xB8, 0xFF, 0x01, 0, 0]); // mov eax, 0x1FF: lets others through
    code.extend([0x31, 0xD2, 0x0F, 0x30]); // xor edx, edx; wrmsr
    code.push(0xFB); // sti
    code
}

fn program(work: Work) -> Vec<u8> {
    let mut code = beginning();
    let [d0, d1, d2, d3] = address(DONE);
    code.extend(match work {
        Work::Computes => looped(&[0xFF, 0x05, d0, d1, d2, d3]), // inc dword [DONE]
        Work::Halts => vec![0xF4, 0xEB, 0xFD],                   // hlt; jmp to it
    });
    code
}

/// A loop of an instruction, others that do nothing, and the jump: [`TURN`] altogether.
fn looped(first: &[u8]) -> Vec<u8> {
    let mut code = first.to_vec();
    code.extend((0..TURN - 2).map(|_| 0x90)); // nop
    let back = u8::try_from(code.len() + 2).expect("a short jump");
    code.extend([0xEB, back.wrapping_neg()]); // jmp to the first
    code
}

/// A handler that does this.
pub(crate) fn handler(does: &[u8]) -> Vec<u8> {
    let mut code: Vec<u8> = vec![0x60]; // pushad
    code.extend(does);
    code.extend(register(0x80B)); // the end of interrupt
    code.extend([0x31, 0xC0, 0x31, 0xD2, 0x0F, 0x30]); // xor eax, eax; xor edx, edx; wrmsr
    code.extend([0x61, 0xCF]); // popad; iret
    code
}

/// What leaves `ebx` as it is, and so many turns of a loop; beginning and end are noted at this place.
pub(crate) fn noted(of: usize, turns: u32, first: &[u8]) -> Vec<u8> {
    let [h0, h1, h2, h3] = address(HANDLED + 4 * of);
    let [s0, s1, s2, s3] = address(STAMPS + NEXT_STAMPS * of);
    let mut code: Vec<u8> = vec![0x8B, 0x1D, h0, h1, h2, h3]; // mov ebx, [HANDLED]
    code.extend([0x81, 0xE3, 0xFF, 0x0F, 0, 0]); // and ebx, 0xFFF
    code.extend([0xC1, 0xE3, 0x04]); // shl ebx, 4
    code.extend([0x81, 0xC3, s0, s1, s2, s3]); // add ebx, STAMPS
    code.extend([0x0F, 0x31]); // rdtsc
    code.extend([0x89, 0x03, 0x89, 0x53, 0x04]); // mov [ebx], eax; mov [ebx + 4], edx
    code.extend(first);
    code.extend(register(turns)); // mov ecx, turns
    code.extend([0x49, 0x75, 0xFD]); // dec ecx; jnz to it
    code.extend([0x0F, 0x31]); // rdtsc
    code.extend([0x89, 0x43, 0x08, 0x89, 0x53, 0x0C]); // mov [ebx + 8], eax; mov [ebx + 12], edx
    code.extend([0xFF, 0x05, h0, h1, h2, h3]); // inc dword [HANDLED]
    code
}
