//! Work: turns of a loop of instructions that do nothing.
//!
//! **Model.** A turn is as many instructions whatever else the processor does. They are counted by the emulator, but it does
//! nothing for each of them, so that a thread which computes for a second of counted time costs its host milliseconds. It
//! can be interrupted between any two of them.
//!
//! **Assumption.** A turn takes the same whenever it is not interrupted. Under counted time it does.

use std::arch::asm;

/// Does so many turns. Each has 102 instructions, the two of the loop itself included: the emulator translates up to 512 in
/// one piece.
#[inline(never)]
#[expect(unsafe_code, reason = "instructions that no compiler leaves out or adds to")]
pub fn turns(count: u64) {
    for _ in 0..count {
        // SAFETY: it changes no register, no flag and no memory.
        unsafe {
            asm!(".rept 100", "nop", ".endr", options(nomem, nostack, preserves_flags));
        }
    }
}
